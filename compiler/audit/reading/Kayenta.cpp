#include "audit/reading/Reading.h"
#include "support/Rational.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>

namespace tikc::audit {
namespace {

using yaml::Node;

const Node* mappingAt(const Node& node, std::string_view key) {
  const Node* out = node.kind == Node::Kind::Mapping ? node.find(key) : nullptr;
  return out && out->kind == Node::Kind::Mapping ? out : nullptr;
}
const Node* scalarAt(const Node* node, std::string_view key) {
  const Node* out = node ? node->find(key) : nullptr;
  return out && out->kind == Node::Kind::Scalar && !out->isNull() ? out : nullptr;
}
std::optional<Rational> numberAt(const Node* node, std::string_view key) {
  const Node* scalar = scalarAt(node, key);
  return scalar ? parseDecimal(scalar->value) : std::nullopt;
}
bool isTrueAt(const Node* node, std::string_view key) {
  const Node* scalar = scalarAt(node, key);
  return scalar && (scalar->value == "true" || scalar->value == "True");
}

std::set<std::string> groupsOf(const Node& metric) {
  std::set<std::string> out;
  if (const Node* groups = metric.find("groups"); groups && groups->kind == Node::Kind::Sequence)
    for (const auto& each : groups->items)
      if (each->kind == Node::Kind::Scalar)
        out.insert(each->value);
  return out;
}

const Node* canaryOf(const Node& metric) {
  const Node* configurations = mappingAt(metric, "analysisConfigurations");
  return configurations ? mappingAt(*configurations, "canary") : nullptr;
}
bool isMuted(const Node& metric) { return isTrueAt(canaryOf(metric), "muted"); }

/// How NetflixACAJudge adds metrics up: a group scores the share of its metrics that pass, and
/// groups without a weight share what is left of 100.
class KayentaScores {
public:
  KayentaScores(const Node& config, const Node& metrics) {
    for (const auto& metric : metrics.items)
      if (!isMuted(*metric)) // those count nowhere
        for (const std::string& group : groupsOf(*metric))
          ++sizes_[group];
    const Node* classifier = mappingAt(config, "classifier");
    const Node* weights = classifier ? mappingAt(*classifier, "groupWeights") : nullptr;
    Rational rest(100);
    if (weights)
      for (const auto& [key, value, span] : weights->entries)
        if (auto weight = key ? numberAt(weights, key->value) : std::nullopt)
          weights_[key->value] = *weight;
    for (const auto& [group, weight] : weights_)
      rest -= weight;
    std::vector<std::string> others;
    for (const auto& [group, size] : sizes_)
      if (!weights_.contains(group))
        others.push_back(group);
    for (const std::string& group : others)
      weights_[group] = rest / Rational(static_cast<long>(others.size()));
    for (const auto& [group, weight] : weights_)
      if (sizes_.contains(group))
        best_ += weight;
    if (const Node* thresholds = classifier ? mappingAt(*classifier, "scoreThresholds") : nullptr)
      pass_ = numberAt(thresholds, "pass");
  }

  /// Empty if who starts the analysis gives it.
  const std::optional<Rational>& pass() const { return pass_; }
  const Rational& best() const { return best_; }
  /// The score if all metrics pass but one.
  Rational without(const Node& metric) const {
    Rational out = best_;
    for (const std::string& group : groupsOf(metric))
      out -= weights_.at(group) / Rational(static_cast<long>(sizes_.at(group)));
    return out;
  }

private:
  std::map<std::string, std::size_t> sizes_;
  std::map<std::string, Rational> weights_;
  Rational best_ = 0; // if all metrics pass
  std::optional<Rational> pass_;
};

class KayentaMetric {
public:
  KayentaMetric(const Source& source, FileId file, const Node& metric, const KayentaScores& scores)
      : source_(source), file_(file), metric_(metric), scores_(scores) {}

  RolloutMetric read() {
    const Node* name = scalarAt(&metric_, "name");
    out_.name = name ? name->value : std::string();
    out_.place = name ? name->span : metric_.span;
    readQuery();
    canary_ = canaryOf(metric_);
    checkWeight();
    checkDirection();
    checkData();
    checkComparison();
    return std::move(out_);
  }

private:
  using Kind = RolloutFault::Kind;

  void readQuery() {
    const Node* query = mappingAt(metric_, "query");
    for (std::string_view key : {"customInlineTemplate", "metricName", "queryTemplate"})
      if (const Node* text = scalarAt(query, key); text && !text->value.empty()) {
        out_.query = snippetOf(source_, file_, *text);
        static constexpr std::string_view prefix = "PromQL:";
        if (out_.query.text.starts_with(prefix))
          out_.query = out_.query.part(prefix.size(), out_.query.text.size());
        return;
      }
  }

  void checkWeight() {
    if (const Node* muted = scalarAt(canary_, "muted"); muted && isTrueAt(canary_, "muted"))
      return out_.add(Kind::NeverFails, muted->span, {}, "a muted metric does not count");
    if (scores_.pass() && scores_.best() > 0 && *scores_.pass() > scores_.best())
      return out_.add(Kind::AlwaysFails, out_.place, {},
                      fmt::format("if all metrics pass, the score is {:.4g}, and only {} passes",
                                  scores_.best().get_d(), printRational(*scores_.pass())));
    if (scores_.pass() && *scores_.pass() <= 0) // a critical metric's failure is a score of 0
      return out_.add(Kind::NeverFails, out_.place, {}, "every score passes");
    if (isTrueAt(canary_, "critical"))
      return;
    if (groupsOf(metric_).empty())
      return out_.add(Kind::NeverFails, out_.place, {}, "a metric without a group does not count");
    if (!scores_.pass())
      return;
    const Rational alone = scores_.without(metric_);
    if (alone >= *scores_.pass())
      out_.add(Kind::FailsOnlyWithOthers, out_.place, {},
               fmt::format("if only it fails, the score is {:.4g}, and {} passes: write `critical: "
                           "true`, or give its group more weight",
                           alone.get_d(), printRational(*scores_.pass())));
  }

  void checkDirection() {
    if (const Node* direction = scalarAt(canary_, "direction");
        direction && direction->value == "decrease")
      out_.add(Kind::LeavesGrowth, direction->span, {},
               "`direction: decrease` fails only if the canary's value is lower");
  }

  void checkData() {
    const Node* strategy = scalarAt(canary_, "nanStrategy");
    const bool isReplaced = strategy && strategy->value == "replace";
    out_.add(Kind::PassesNan, strategy ? strategy->span : out_.place, {},
             isReplaced ? "`nanStrategy: replace` makes NaN a 0, which is the best value there is"
                        : "NaN is dropped before anything is compared");
    if (!isTrueAt(canary_, "mustHaveData"))
      out_.add(
          Kind::PassesNothing, out_.place, {},
          "a metric without data is left out of its group's score: write `mustHaveData: true`");
    const Node* outliers = canary_ ? mappingAt(*canary_, "outliers") : nullptr;
    if (const Node* how = scalarAt(outliers, "strategy"); how && how->value == "remove")
      out_.add(Kind::Leaves, how->span, "outliers",
               "`strategy: remove` drops the values that are far from the others, which is what a "
               "fault in some requests looks like");
  }

  void checkComparison() {
    std::string note = "it asks whether the difference is certain, beyond a quarter of the "
                       "difference itself, and not whether it is small";
    const Node* sizes = canary_ ? mappingAt(*canary_, "effectSize") : nullptr;
    if (auto allowed = numberAt(sizes, "allowedIncrease"); allowed && *allowed > 1)
      note += fmt::format("; allowedIncrease also lets the mean be {} times the baseline's",
                          printRational(*allowed));
    out_.add(Kind::ComparesServers, out_.place, {}, std::move(note));
  }

  const Source& source_;
  FileId file_;
  const Node& metric_;
  const KayentaScores& scores_;
  const Node* canary_ = nullptr;
  RolloutMetric out_;
};

} // namespace

bool readKayenta(const Source& source, FileId file, const Node& document, FoundParts& out) {
  const Node* inner = mappingAt(document, "canaryConfig");
  const Node& config = inner ? *inner : document;
  if (config.kind != Node::Kind::Mapping || mappingAt(config, "classifier") == nullptr)
    return false;
  const Node* metrics = config.find("metrics");
  if (metrics == nullptr || metrics->kind != Node::Kind::Sequence)
    return false;
  const KayentaScores scores(config, *metrics);
  for (const auto& metric : metrics->items)
    if (metric->kind == Node::Kind::Mapping)
      out.rollouts.push_back(KayentaMetric(source, file, *metric, scores).read());
  return true;
}

} // namespace tikc::audit
