#include "lint/Lint.h"

#include "metrics/Metrics.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <array>

namespace tikc::lint {

using namespace model;
using Feed = metrics::Input;
using utf8::ticked;

namespace {

constexpr std::size_t inputs = static_cast<std::size_t>(Feed::RequestReplay) + 1;

/// The directive that feeds an input, as a user would write it.
std::string feedOf(Feed input) {
  bool replay = input == Feed::BatchReplay || input == Feed::RequestReplay;
  return fmt::format("{}({}, {})", replay ? "replay" : "sample", metrics::inputName(input),
                     replay ? "0.1%" : "1%");
}

std::string_view callOf(Feed input) {
  return input == Feed::BatchReplay || input == Feed::RequestReplay ? "replay" : "sample";
}

/// Which inputs some directive feeds.
std::array<bool, inputs> fedInputs(const Contract& contract) {
  std::array<bool, inputs> fed{};
  for (const Clause& clause : contract.clauses) {
    if (!clause.directive || clause.directive->expr.arguments.empty())
      continue;
    const Expr& call = clause.directive->expr;
    for (std::size_t i = 0; i < inputs; ++i)
      fed[i] |= call.text == callOf(static_cast<Feed>(i)) &&
                call.arguments[0].text == metrics::inputName(static_cast<Feed>(i));
  }
  return fed;
}

} // namespace

void lintObservability(const Input& input) {
  if (!input.observabilityKnown)
    return;
  std::array<bool, inputs> settled = fedInputs(input.contract);
  for (const Clause& clause : input.contract.clauses)
    for (const Bound& bound : clause.bounds) {
      const metrics::MetricInfo& metric = metrics::info(bound.measure.metric);
      bool& once = settled[static_cast<std::size_t>(metric.input)];
      if (once)
        continue;
      once = true;
      input.sink
          .report<diag::InputNotObserved>(
              bound.measure.span, ticked(metrics::inputName(metric.input)), ticked(metric.symbol))
          .note("add " + feedOf(metric.input) + " under `observability`");
    }
}

} // namespace tikc::lint
