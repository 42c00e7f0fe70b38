#include "audit/reading/Reading.h"
#include "support/Utf8.h"

#include <fmt/format.h>
#include <llvm/ADT/StringRef.h>

#include <algorithm>
#include <utility>

namespace tikc::audit {
namespace {

using yaml::Node;

/// The settings of Argo Rollouts that decide how many measurements may fail.
class ArgoMetric {
public:
  ArgoMetric(const Source& source, FileId file, const Node& spec, const Node& metric)
      : source_(source), file_(file), spec_(spec), metric_(metric) {}

  RolloutMetric read() {
    out_.place = metric_.span;
    if (const Node* name = metric_.find("name"); name && name->kind == Node::Kind::Scalar) {
      out_.name = name->value;
      out_.place = name->span;
    }
    if (const Node* query = at(metric_, {"provider", "prometheus", "query"}))
      out_.query = snippetOf(source_, file_, *query);
    out_.success = condition("successCondition");
    out_.failure = condition("failureCondition");
    tolerateInconclusive();
    checkFailures();
    checkDryRun();
    if (at(metric_, {"consecutiveSuccessLimit"}))
      out_.unread = "tikc does not read consecutiveSuccessLimit";
    if (metric_.find("<<"))
      out_.unread = "tikc does not follow merge keys";
    return std::move(out_);
  }

private:
  using Kind = RolloutFault::Kind;

  static const Node* at(const Node& node, std::initializer_list<std::string_view> path) {
    const Node* out = &node;
    for (std::string_view key : path)
      if (out = out->kind == Node::Kind::Mapping ? out->find(key) : nullptr; out == nullptr)
        return nullptr;
    return out->kind == Node::Kind::Scalar && !out->value.empty() ? out : nullptr;
  }

  std::optional<Snippet> condition(std::string_view key) const {
    const Node* node = at(metric_, {key});
    return node ? std::optional(snippetOf(source_, file_, *node)) : std::nullopt;
  }

  /// A count that is written as a number; empty for an argument of the template.
  std::optional<std::int64_t> number(std::string_view key) const {
    std::int64_t value = 0;
    const Node* node = at(metric_, {key});
    if (node == nullptr || llvm::StringRef(node->value).trim().getAsInteger(10, value))
      return std::nullopt;
    return value;
  }

  /// The measurements of one analysis: one without an interval, and any number without a count.
  std::optional<std::int64_t> measurements() const {
    if (at(metric_, {"count"})) {
      const auto count = number("count");
      if (!count || *count > 0) // 0 is none
        return count;
    }
    return at(metric_, {"interval"}) ? std::nullopt : std::optional<std::int64_t>(1);
  }

  bool toleratesAll(std::int64_t limit) const {
    const auto most = measurements();
    return limit < 0 || (most && limit >= *most);
  }

  /// A measurement that meets neither condition is inconclusive. Where all of these are tolerated,
  /// only the failure condition decides.
  void tolerateInconclusive() {
    const auto limit = number("inconclusiveLimit");
    if (!out_.success || !out_.failure || !limit || *limit == 0)
      return;
    if (toleratesAll(*limit))
      out_.success.reset();
    else
      leaves(*limit, at(metric_, {"inconclusiveLimit"})->span,
             "a measurement between both conditions is inconclusive: write `inconclusiveLimit: 0`");
  }

  void checkFailures() {
    if (!out_.success && !out_.failure)
      return out_.add(Kind::NeverFails, out_.place, {},
                      "without successCondition and failureCondition, each measurement succeeds");
    const auto limit = number("failureLimit");
    if (!limit || *limit == 0)
      return;
    const Span place = at(metric_, {"failureLimit"})->span;
    const auto most = measurements();
    if (*limit < 0)
      out_.add(Kind::NeverFails, place, {}, "a failureLimit below 0 tolerates every failure");
    else if (most && *limit >= *most)
      out_.add(Kind::NeverFails, place, {},
               fmt::format("an analysis has {} measurement{}, and {} may fail", *most,
                           *most == 1 ? "" : "s", *limit));
    else
      leaves(*limit, place,
             "a fault that some requests meet, and others do not, passes: write `failureLimit: 0`");
  }

  void leaves(std::int64_t limit, Span place, std::string note) {
    const auto most = measurements();
    out_.add(Kind::Leaves, place,
             most ? fmt::format("up to {} of {} measurements", limit, *most)
                  : fmt::format("up to {} measurement{}", limit, limit == 1 ? "" : "s"),
             std::move(note));
  }

  void checkDryRun() {
    const Node* list = spec_.find("dryRun");
    if (list == nullptr || list->kind != Node::Kind::Sequence)
      return;
    for (const auto& item : list->items) {
      const Node* name = at(*item, {"metricName"});
      if (name && (name->value == out_.name || name->value == ".*"))
        out_.add(Kind::NeverFails, name->span, {}, "a metric in dryRun does not decide");
      else if (name && name->value.find_first_of("*+?[](){}|^$\\") != std::string::npos)
        out_.unread = "tikc does not match the pattern in dryRun";
    }
  }

  const Source& source_;
  FileId file_;
  const Node& spec_;
  const Node& metric_;
  RolloutMetric out_;
};

} // namespace

bool readArgo(const Source& source, FileId file, const Node& document, FoundParts& out) {
  static constexpr std::string_view kinds[] = {"AnalysisTemplate", "ClusterAnalysisTemplate",
                                               "AnalysisRun"};
  if (document.kind != Node::Kind::Mapping)
    return false;
  const Node* kind = document.find("kind");
  const Node* spec = document.find("spec");
  if (kind == nullptr || kind->kind != Node::Kind::Scalar || spec == nullptr ||
      spec->kind != Node::Kind::Mapping ||
      std::find(std::begin(kinds), std::end(kinds), kind->value) == std::end(kinds))
    return false;
  const Node* metrics = spec->find("metrics");
  if (metrics == nullptr || metrics->kind != Node::Kind::Sequence)
    return false;
  for (const auto& metric : metrics->items)
    if (metric->kind == Node::Kind::Mapping)
      out.rollouts.push_back(ArgoMetric(source, file, *spec, *metric).read());
  return true;
}

} // namespace tikc::audit
