#include "checker/emit/Emit.h"

#include "checker/tables/TokenPlan.h"
#include "support/Utf8.h"
#include "tikc/checker.h"
#include "tikc/router.h"

#include <fmt/format.h>

#include <algorithm>

namespace tikc::emit {

using tables::planTokens;
using tables::TokenPlan;

namespace {

class Stats {
public:
  explicit Stats(const plan::Plan& plan) : plan_(plan), tokens_(planTokens(plan)) {}

  std::string text() const {
    std::string out = utf8::printable(plan_.contract + " " + plan_.version) + "\n";
    auto line = [&](std::string_view name, std::size_t bytes, std::string_view meaning) {
      out += fmt::format("  {:<12} {:>11} bytes  {}\n", name, bytes, meaning);
    };
    const plan_shape shaped = shape();
    line("tally", detail::tally_layout(shaped).size(), "what one worker observes into");
    line("checker", detail::checker_layout(shaped).size(), "what judges it");
    if (!plan_.rules.empty())
      line("router", detail::router_layout(shaped).size(), "the escalation policy");
    line("sequence", sizeof(sequence), "a response in flight, the caller's");
    if (plan_.reads(source::rows))
      line("row scratch", row_scratch_floats(plan_.vocabulary) * sizeof(float),
           "lent to each call that observes a row");
    if (plan_.slicesByToken)
      line("token scratch", sizeof(token_scratch),
           "lent to each call that observes tokens of many slices");
    return out;
  }

private:
  std::size_t kept(std::initializer_list<fold> folds) const {
    std::size_t out = 0;
    for (std::size_t i = 0; i < plan_.registers.size(); ++i)
      out += !tokens_.keepings[i].byTokens &&
             std::find(folds.begin(), folds.end(), plan_.registers[i].fold) != folds.end();
    return out;
  }

  static std::size_t nodes(const plan::Trigger& trigger) {
    std::size_t out = 1;
    for (const plan::Trigger& part : trigger.parts)
      out += nodes(part);
    return out;
  }

  plan_shape shape() const {
    plan_shape out;
    out.slices = plan_.slices.size();
    out.streams = plan_.streams.size();
    out.signals = plan_.signals.size();
    out.assumptions = plan_.watched();
    out.totals = kept({fold::total, fold::squares});
    out.largest = kept({fold::largest});
    out.smallest = kept({fold::smallest});
    out.counts = kept({fold::share, fold::nonzero});
    out.sketches = kept({fold::sketch});
    out.above = tokens_.above.size();
    out.below = tokens_.below.size();
    out.beyond = tokens_.beyond.size();
    out.has_sketch = (tokens_.wants & token_want::sketch) != 0;
    out.windows = plan_.windows.size();
    out.checks = plan_.checks.size();
    out.clauses = plan_.clauses.size();
    for (const plan::Check& check : plan_.checks)
      if (check.estimator == estimator::slope) {
        ++out.slopes;
        out.history = std::max<std::size_t>(out.history, check.history);
      }
    out.rules = plan_.rules.size();
    for (const plan::Rule& rule : plan_.rules)
      out.triggers += nodes(rule.when) + (rule.until ? nodes(*rule.until) : 0);
    return out;
  }

  const plan::Plan& plan_;
  TokenPlan tokens_;
};

} // namespace

std::string stats(const plan::Plan& plan) { return Stats(plan).text(); }

} // namespace tikc::emit
