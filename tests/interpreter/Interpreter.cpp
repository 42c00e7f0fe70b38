#include "interpreter/Interpreter.h"

#include <algorithm>

namespace tikc::interpreter {

using plan::Check;
using plan::Window;

Interpreter::Interpreter(const plan::Plan& plan) : plan_(plan), observed_(plan) {
  for (const Check& check : plan.checks)
    judged_.emplace_back(check.onMixture ? 1 : plan.slices.size());
  isNew_.assign(plan.clauses.size(), std::vector<char>(plan.slices.size()));
  isHeard_.assign(plan.checks.size(), std::vector<char>(plan.slices.size()));
}

bool Interpreter::isFull(const Window& window, const Judged& at, const Stretch& in,
                         double now) const {
  switch (window.unit) {
  case Window::Unit::Stage:
    return true;
  case Window::Unit::Ticks:
    return static_cast<double>(at.evaluations) >= window.amount;
  case Window::Unit::Seconds:
    return now - at.began >= window.amount;
  case Window::Unit::Steps:
    return false; // not by being looked at
  default:
    return static_cast<double>(observed_.volume(window.unit, in)) >= window.amount;
  }
}

Finding Interpreter::found(const Check& check, Judged& at, const Stretch& in, bool full) const {
  if (check.estimator != plan::Estimator::Slope)
    return decide(plan_, check, observed_, in, full);
  return decideSlope(plan_, check, observed_, in, full, at.means);
}

void Interpreter::evaluate(const Check& check, Judged& at, std::optional<std::size_t> slice,
                           double now) {
  Stretch in{at.since, tick_, slice};
  ++at.evaluations;
  bool full = isFull(plan_.windows[check.window], at, in, now);
  Finding is = found(check, at, in, full);
  bool isViolated = is.verdict == Verdict::Violated;
  is.isKept = isViolated && at.isTold;
  if (full) {
    at.shown = is;
    at.since = tick_ + 1;
    at.began = now;
    at.evaluations = 0;
    at.isTold = false;
    at.seen = 0;
    return;
  }
  if (is.n == at.seen && !at.isNews) {
    at.shown = is; // nothing came of what it is about
    at.shown.verdict = Verdict::Undecided;
    at.shown.isKept = false;
  } else if (isViolated) {
    at.shown = is;
    at.isTold = true;
  } else if (!at.isNews) {
    at.shown.isKept = at.shown.verdict != Verdict::Undecided;
  }
  at.seen = is.n;
  at.isNews = false;
}

void Interpreter::endStep(const Check& check, Judged& at, std::optional<std::size_t> slice) {
  const Window& window = plan_.windows[check.window];
  if (window.unit != Window::Unit::Steps || static_cast<double>(++at.steps) < window.amount)
    return;
  Finding is = found(check, at, {at.since, tick_, slice}, true);
  is.isKept = is.verdict == Verdict::Violated && at.isTold;
  // What was violated is told until somebody looked.
  bool isHeldBack = at.isNews && at.shown.verdict == Verdict::Violated;
  if (!isHeldBack || is.verdict == Verdict::Violated)
    at.shown = is;
  at.since = tick_ + 1;
  at.steps = 0;
  at.seen = 0;
  at.isTold = false;
  at.isNews = true;
}

template <typename Visit> void Interpreter::forEach(const Visit& visit) {
  for (std::size_t i = 0; i < plan_.checks.size(); ++i) {
    const Check& check = plan_.checks[i];
    if (check.onMixture)
      visit(check, judged_[i].front(), std::optional<std::size_t>());
    for (std::uint32_t slice : check.slices)
      visit(check, judged_[i][slice], std::optional<std::size_t>(slice));
  }
}

void Interpreter::endStep() {
  forEach([&](const Check& check, Judged& at, auto slice) { endStep(check, at, slice); });
  ++tick_;
}

void Interpreter::evaluate(double now) {
  forEach([&](const Check& check, Judged& at, auto slice) { evaluate(check, at, slice, now); });
  asked_ = evaluated_;
  evaluated_ = ++tick_;
  for (std::size_t i = 0; i < plan_.clauses.size(); ++i)
    for (std::size_t slice = 0; slice < plan_.slices.size(); ++slice)
      isNew_[i][slice] = hears(i, slice);
}

bool Interpreter::hears(std::size_t clause, std::size_t slice) {
  bool isWhole = true, isBroken = false;
  std::vector<char*> heard;
  for (std::uint32_t check : plan_.clauses[clause].checks)
    if (binds(check, slice)) {
      const Finding& of = finding(check, slice);
      char& at = *heard.emplace_back(&isHeard_[check][slice]);
      at = of.verdict == Verdict::Satisfied && (at || !of.isKept);
      isWhole = isWhole && at;
      isBroken = isBroken || (of.verdict == Verdict::Violated && !of.isKept);
    }
  if (isWhole)
    for (char* each : heard)
      *each = false;
  Verdict is = verdict(clause, slice);
  return is == Verdict::Undecided || (is == Verdict::Satisfied ? isWhole : isBroken);
}

const Finding& Interpreter::finding(std::size_t check, std::size_t slice) const {
  return judged_[check][plan_.checks[check].onMixture ? 0 : slice].shown;
}

bool Interpreter::isAsked(std::size_t slice) const {
  return !plan_.slices[slice].isEmpty || observed_.isBusy({asked_, evaluated_ - 1, slice});
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
