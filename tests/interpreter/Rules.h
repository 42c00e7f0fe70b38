#pragma once

#include "interpreter/Interpreter.h"

namespace tikc::interpreter {

/// Which rules are active on each slice: from the verdicts of all evaluations so far, of which each
/// state looks back on as many as it needs.
class Rules {
public:
  Rules(const plan::Plan& plan, const Interpreter& interpreter)
      : plan_(plan), interpreter_(interpreter), past_(plan.slices.size()),
        active_(plan.rules.size(), std::vector<Active>(plan.slices.size())) {}

  /// After each evaluation.
  void advance();

  /// The step that a rule is in on a slice, if it is active.
  std::optional<std::size_t> step(std::size_t rule, std::size_t slice) const;
  /// Whose action the slice's traffic gets: the strongest, of the first rule among equals.
  std::optional<std::size_t> decides(std::size_t slice) const;

private:
  struct Active {
    std::optional<std::size_t> since;
  };

  void advance(std::size_t slice);
  bool holds(const plan::Trigger& trigger, std::size_t slice) const;
  /// A clause's verdict at an evaluation, and whether it was known before.
  struct Heard {
    Verdict verdict;
    bool isNew;
  };

  bool lasts(const plan::Trigger& state, std::size_t slice) const;
  bool satisfied(std::size_t clause, std::size_t slice, std::uint32_t windows) const;
  /// Whether one of the clauses that a state asks about is so, or was then.
  template <typename Test>
  bool isAny(const plan::Trigger& state, std::size_t slice, std::size_t tick,
             const Test& test) const;

  const plan::Plan& plan_;
  const Interpreter& interpreter_;
  /// By slice, by those ticks that asked something of it, and by clause.
  std::vector<std::vector<std::vector<Heard>>> past_;
  std::vector<std::vector<Active>> active_; // by rule and slice
};

} // namespace tikc::interpreter
