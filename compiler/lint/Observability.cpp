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

/// The directive that feeds an input, as a user would write it.
std::string feedOf(Feed input) {
  bool replay = input == Feed::BatchReplay || input == Feed::RequestReplay;
  return fmt::format("{}({}, {})", replay ? "replay" : "sample", metrics::inputName(input), replay ? "0.1%" : "1%");
}

std::string_view callOf(Feed input) {
  return input == Feed::BatchReplay || input == Feed::RequestReplay ? "replay" : "sample";
}

bool isFed(const Contract& contract, Feed input) {
  for (const Clause& clause : contract.clauses) {
    if (!clause.directive || clause.directive->expr.text != callOf(input) || clause.directive->expr.arguments.empty())
      continue;
    if (clause.directive->expr.arguments[0].text == metrics::inputName(input))
      return true;
  }
  return false;
}

} // namespace

void lintObservability(const Input& input) {
  std::array<bool, 6> reported{};
  for (const Clause& clause : input.contract.clauses)
    for (const Bound& bound : clause.bounds) {
      const metrics::MetricInfo& metric = metrics::info(bound.measure.metric);
      bool& once = reported[static_cast<std::size_t>(metric.input)];
      if (once || isFed(input.contract, metric.input))
        continue;
      once = true;
      input.sink.report<diag::InputNotObserved>(bound.measure.span, ticked(metrics::inputName(metric.input)), ticked(metric.symbol))
          .note("add " + feedOf(metric.input) + " under `observability`");
    }
}

} // namespace tikc::lint
