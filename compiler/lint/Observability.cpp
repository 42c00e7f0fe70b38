#include "lint/Actions.h"
#include "lint/Lint.h"

#include "model/Laws.h"
#include "model/Metrics.h"
#include "support/Utf8.h"

#include <fmt/format.h>
#include <llvm/ADT/StringRef.h>

#include <algorithm>
#include <array>
#include <optional>

namespace tikc::lint {

using namespace model;
using model::Input;
using utf8::ticked;

namespace {

constexpr std::size_t inputs = static_cast<std::size_t>(Input::RequestReplay) + 1;

/// The directive that feeds an input, as a user would write it.
std::string feedOf(Input input) {
  bool replay = input == Input::BatchReplay || input == Input::RequestReplay;
  return fmt::format("{}({}, {})", replay ? "replay" : "sample", model::inputName(input),
                     replay ? "0.1%" : "1%");
}

std::string_view callOf(Input input) {
  return input == Input::BatchReplay || input == Input::RequestReplay ? "replay" : "sample";
}

/// Which inputs some directive feeds.
std::array<bool, inputs> fedInputs(const Contract& contract) {
  std::array<bool, inputs> fed{};
  for (const Clause& clause : contract.clauses) {
    if (!clause.directive || clause.directive->expr.arguments.empty())
      continue;
    const Expr& call = clause.directive->expr;
    for (std::size_t i = 0; i < inputs; ++i)
      fed[i] |= call.text == callOf(static_cast<Input>(i)) &&
                call.arguments[0].text == model::inputName(static_cast<Input>(i));
  }
  return fed;
}

/// The programs that report log-probs from before their sampler unless a setting says otherwise.
bool logsRawByDefault(std::string_view engine) {
  return llvm::StringRef(engine).equals_insensitive("vllm");
}

/// What is made of a kernel's log-probs: the first clause that is, else the correction.
struct LogUse {
  Span by;
  std::string_view what;
};
std::optional<LogUse> useOfLogs(const Contract& contract, std::string_view kernel) {
  std::string_view train = contract.chain.front().text, infer = contract.chain.back().text;
  for (const Clause& clause : contract.clauses) {
    bool isAbout = clause.link ? kernel == clause.link->from.text || kernel == clause.link->to.text
                               : kernel == train || kernel == infer;
    if (isAbout && isCoherence(clause))
      return LogUse{clause.directive->expr.span, "this clause checks them"};
    for (const Bound& bound : clause.bounds)
      if (isAbout && model::info(bound.measure.metric).input == Input::Logprobs)
        return LogUse{bound.measure.span, "this clause uses them"};
  }
  const auto& correction = contract.assumptions.correction;
  if (correction && correction->expr.text != "none" && (kernel == train || kernel == infer))
    return LogUse{correction->expr.span, "this correction computes its weights from them"};
  return std::nullopt;
}

/// Kernels whose log-probs are used, and may not be those that silence stands for.
void checkLogs(const LintInput& input) {
  if (input.contract.chain.size() < 2)
    return;
  Laws laws(input.contract);
  for (const Kernel& kernel : input.contract.kernels) {
    auto place = laws.placeOf(kernel.name.text);
    if (!place || kernel.logprobs || !kernel.engine || !logsRawByDefault(kernel.engine->value) ||
        !laws.logsDiffer(*place))
      continue;
    if (auto use = useOfLogs(input.contract, kernel.name.text))
      input.sink
          .report<diag::LogprobsUnsaid>(kernel.name.span, ticked(kernel.name.text),
                                        utf8::printable(kernel.engine->value))
          .relatedTo(use->by, std::string(use->what))
          .note("write `logprobs: raw`, or set the engine's logprobs_mode to processed_logprobs "
                "and write `logprobs: processed`");
  }
}

bool asksOfPosition(const Expr& when) {
  return (when.kind == Expr::Kind::Name && when.text == "position") ||
         std::any_of(when.arguments.begin(), when.arguments.end(), asksOfPosition);
}

/// The first slice by position: it takes tokens out of responses that later ones, and `other`, get
/// the rest of.
const Slice* sliceOfTokens(const Contract& contract) {
  const auto at =
      std::find_if(contract.slices.begin(), contract.slices.end(),
                   [](const Slice& slice) { return slice.when && asksOfPosition(*slice.when); });
  return at == contract.slices.end() ? nullptr : &*at;
}

/// Whether the scope has a slice from this one on.
bool reaches(const Scope& scope, const Contract& contract, const Slice& first) {
  if (scope.kind != Scope::Kind::Named)
    return scope.kind == Scope::Kind::EachSlice;
  return std::any_of(scope.slices.begin(), scope.slices.end(), [&](const Name& name) {
    const auto at = std::find_if(contract.slices.begin(), contract.slices.end(),
                                 [&](const Slice& slice) { return slice.name.text == name.text; });
    return at >= contract.slices.begin() + (&first - contract.slices.data());
  });
}

/// A response that slices share is in none of them whole.
void checkResponses(const LintInput& input) {
  const Slice* const cut = sliceOfTokens(input.contract);
  if (cut == nullptr)
    return;
  for (const Clause& clause : input.contract.clauses)
    for (const Bound& bound : clause.bounds) {
      const Measure& measure = bound.measure;
      const model::MetricInfo& metric = model::info(measure.metric);
      const bool isWhole =
          metric.level == model::Level::Sequence || measure.aggregate == Aggregate::MeanByResponse;
      if (isWhole && reaches(bound.scope, input.contract, *cut))
        input.sink
            .report<diag::ResponsesAreCut>(measure.span, ticked(input.sources.text(measure.span)),
                                           ticked(cut->name.text))
            .relatedTo(cut->name.span, "this slice takes some of a response's tokens")
            .note("bind it `on all`, or on slices before " + ticked(cut->name.text));
    }
}

} // namespace

void lintObservability(const LintInput& input) {
  checkLogs(input);
  checkResponses(input);
  if (!input.observabilityKnown)
    return;
  std::array<bool, inputs> settled = fedInputs(input.contract);
  auto require = [&](Input what, const Span& where, std::string_view by) {
    bool& once = settled[static_cast<std::size_t>(what)];
    if (!once)
      input.sink.report<diag::InputNotObserved>(where, ticked(model::inputName(what)), ticked(by))
          .note(fmt::format("add `{}: {}` under `observability`", model::inputName(what),
                            feedOf(what)));
    once = true;
  };
  for (const Clause& clause : input.contract.clauses) {
    for (const Bound& bound : clause.bounds) {
      const model::MetricInfo& metric = model::info(bound.measure.metric);
      require(metric.input, bound.measure.span, metric.symbol);
    }
    if (isCoherence(clause))
      require(Input::Logprobs, clause.directive->expr.span, clause.directive->expr.text);
  }
}

} // namespace tikc::lint
