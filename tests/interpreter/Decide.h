#pragma once

#include "interpreter/Observed.h"

#include <deque>
#include <limits>

namespace tikc::interpreter {

enum class Verdict : std::uint8_t { Undecided, Satisfied, Violated };

struct Finding {
  Verdict verdict = Verdict::Undecided;
  /// The verdict of a window before, while the one after it is not over.
  bool isKept = false;
  Wide value = std::numeric_limits<Wide>::quiet_NaN();
  /// Of a confidence; the value itself without one.
  Wide low = value, high = value;
  std::uint64_t n = 0;
};

/// What the observations of a stretch show of a check. `full`: its window ends with it; before that
/// only what later observations cannot take back is decided.
Finding decide(const plan::Plan& plan, const plan::Check& check, const Observed& observed,
               const Stretch& in, bool full);

/// What the means of the last windows show of a slope; the mean of this one is added to them when
/// it ends.
Finding decideSlope(const plan::Plan& plan, const plan::Check& check, const Observed& observed,
                    const Stretch& in, bool full, std::deque<Wide>& means);

} // namespace tikc::interpreter
