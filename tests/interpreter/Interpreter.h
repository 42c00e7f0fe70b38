#pragma once

#include "interpreter/Decide.h"

namespace tikc::interpreter {

/// Judges a plan's checks at each evaluation. It keeps every observation, and looks at all those of
/// a window again for each check.
class Interpreter {
public:
  explicit Interpreter(const plan::Plan& plan);

  Observed& observed() { return observed_; }
  /// How many evaluations and ends of steps there were: what is observed next is before the next.
  std::size_t tick() const { return tick_; }

  void endStep();
  void evaluate(double now);

  const Finding& finding(std::size_t check, std::size_t slice) const;
  /// Whether the last evaluation asks anything of a slice: of one whose weight is 0, where
  /// something came.
  bool isAsked(std::size_t slice) const;
  bool binds(std::size_t check, std::size_t slice) const;
  /// Violated if one of its checks there is, else undecided if one is.
  Verdict verdict(std::size_t clause, std::size_t slice) const;
  bool applies(std::size_t clause, std::size_t slice) const;
  /// Whether the last evaluation knew anything of a clause that those before did not: that it is
  /// undecided, that it is violated in another window, or that windows satisfied all of its checks.
  bool isNew(std::size_t clause, std::size_t slice) const { return isNew_[clause][slice]; }

private:
  /// What one check has on one slice, or on all.
  struct Judged {
    std::size_t since = 0; // the tick with which its window began
    double began = 0;
    std::size_t evaluations = 0, steps = 0; // since then
    bool isNews = false;                    // a step ended a window after the last evaluation
    bool isTold = false;                    // violated early, and an evaluation said so
    std::uint64_t seen = 0;                 // in the window, when it was last looked at
    std::deque<Wide> means;                 // of a slope
    Finding shown;
  };

  bool isFull(const plan::Window& window, const Judged& at, const Stretch& in, double now) const;
  void evaluate(const plan::Check& check, Judged& at, std::optional<std::size_t> slice, double now);
  void endStep(const plan::Check& check, Judged& at, std::optional<std::size_t> slice);
  bool hears(std::size_t clause, std::size_t slice);
  Finding found(const plan::Check& check, Judged& at, const Stretch& in, bool full) const;
  /// Calls visit(check, judged, slice) for each check wherever it is judged.
  template <typename Visit> void forEach(const Visit& visit);

  const plan::Plan& plan_;
  Observed observed_;
  std::size_t tick_ = 0;
  std::size_t evaluated_ = 0,
              asked_ = 0; // the first ticks after the last evaluation and the one before
  std::vector<std::vector<Judged>> judged_; // by check, then by slice; one of the mixture
  std::vector<std::vector<char>> isNew_;    // by clause and slice
  /// By check and slice: a window satisfied it since its clause last was anew.
  std::vector<std::vector<char>> isHeard_;
};

} // namespace tikc::interpreter
