#include "interpreter/Interpreter.h"

#include <algorithm>

namespace tikc::interpreter {

using plan::Check;
using plan::Window;

Interpreter::Interpreter(const plan::Plan& plan) : plan_(plan), observed_(plan) {
  for (const Check& check : plan.checks)
    judged_.emplace_back(check.onMixture ? 1 : plan.slices.size());
}

bool Interpreter::isFull(const Window& window, const Judged& at, const Stretch& in,
                         double now) const {
  switch (window.unit) {
  case Window::Unit::Stage:
    return true;
  case Window::Unit::Ticks:
    return static_cast<double>(in.tick - in.since + 1) >= window.amount;
  case Window::Unit::Seconds:
    return now - at.began >= window.amount;
  default:
    return static_cast<double>(observed_.volume(window.unit, in)) >= window.amount;
  }
}

void Interpreter::evaluate(const Check& check, Judged& at, std::optional<std::size_t> slice,
                           double now) {
  Stretch in{at.since, tick_, slice};
  bool full = isFull(plan_.windows[check.window], at, in, now);
  bool isSlope = check.estimator == plan::Estimator::Slope;
  Finding found = !isSlope ? decide(plan_, check, observed_, in, full)
                  : full   ? decideSlope(plan_, check, observed_, in, at.means)
                           : Finding{};
  if (full || found.verdict == Verdict::Violated)
    at.shown = found;
  if (full) {
    at.since = tick_ + 1;
    at.began = now;
  }
}

void Interpreter::evaluate(double now) {
  for (std::size_t i = 0; i < plan_.checks.size(); ++i) {
    const Check& check = plan_.checks[i];
    if (check.onMixture)
      evaluate(check, judged_[i].front(), std::nullopt, now);
    for (std::uint32_t slice : check.slices)
      evaluate(check, judged_[i][slice], slice, now);
  }
  ++tick_;
}

const Finding& Interpreter::finding(std::size_t check, std::size_t slice) const {
  return judged_[check][plan_.checks[check].onMixture ? 0 : slice].shown;
}

bool Interpreter::isAsked(std::size_t slice) const {
  return !plan_.slices[slice].isEmpty || observed_.isBusy({tick_ - 1, tick_ - 1, slice});
}

bool Interpreter::binds(std::size_t check, std::size_t slice) const {
  const Check& of = plan_.checks[check];
  return of.onMixture || std::find(of.slices.begin(), of.slices.end(), slice) != of.slices.end();
}

Verdict Interpreter::verdict(std::size_t clause, std::size_t slice) const {
  Verdict out = Verdict::Satisfied;
  for (std::uint32_t check : plan_.clauses[clause].checks)
    if (binds(check, slice)) {
      Verdict one = finding(check, slice).verdict;
      if (one == Verdict::Violated || (one == Verdict::Undecided && out != Verdict::Violated))
        out = one;
    }
  return out;
}

bool Interpreter::applies(std::size_t clause, std::size_t slice) const {
  const auto& checks = plan_.clauses[clause].checks;
  return std::any_of(checks.begin(), checks.end(),
                     [&](std::uint32_t check) { return binds(check, slice); });
}

} // namespace tikc::interpreter
