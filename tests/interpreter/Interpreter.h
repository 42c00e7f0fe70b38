#pragma once

#include "interpreter/Decide.h"

namespace tikc::interpreter {

/// Judges a plan's checks at each evaluation. It keeps every observation, and looks at all those of
/// a window again for each check.
class Interpreter {
public:
  explicit Interpreter(const plan::Plan& plan);

  Observed& observed() { return observed_; }
  /// How many evaluations there were: what is observed next is before that one.
  std::size_t tick() const { return tick_; }

  void evaluate(double now);

  const Finding& finding(std::size_t check, std::size_t slice) const;
  /// Whether the last evaluation asks anything of a slice: of one whose weight is 0, where
  /// something came.
  bool isAsked(std::size_t slice) const;
  bool binds(std::size_t check, std::size_t slice) const;
  /// Violated if one of its checks there is, else undecided if one is.
  Verdict verdict(std::size_t clause, std::size_t slice) const;
  bool applies(std::size_t clause, std::size_t slice) const;

private:
  /// What one check has on one slice, or on all.
  struct Judged {
    std::size_t since = 0; // the evaluation after which its window began
    double began = 0;
    std::deque<Wide> means; // of a slope
    Finding shown;
  };

  bool isFull(const plan::Window& window, const Judged& at, const Stretch& in, double now) const;
  void evaluate(const plan::Check& check, Judged& at, std::optional<std::size_t> slice, double now);

  const plan::Plan& plan_;
  Observed observed_;
  std::size_t tick_ = 0;
  std::vector<std::vector<Judged>> judged_; // by check, then by slice; one of the mixture
};

} // namespace tikc::interpreter
