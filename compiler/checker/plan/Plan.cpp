#include "checker/plan/Plan.h"

#include <algorithm>

namespace tikc::plan {
std::string streamName(const Stream& stream) {
  return stream.train + "_to_" + stream.infer +
         (stream.drawer.empty() ? "" : "_drawn_by_" + stream.drawer);
}

source sourceOf(const Signal& signal) {
  return signal.byResponse ? source::sequences : info(signal.figure).source;
}

bool Plan::watches(quantity what) const {
  return std::any_of(assumptions.begin(), assumptions.end(),
                     [&](const Assumption& each) { return each.subject == what; });
}

std::size_t Plan::watched() const {
  return static_cast<std::size_t>(
      std::count_if(assumptions.begin(), assumptions.end(),
                    [](const Assumption& each) { return each.subject != quantity::unseen; }));
}

bool Plan::reads(tikc::source kind) const {
  return std::any_of(signals.begin(), signals.end(),
                     [&](const Signal& signal) { return sourceOf(signal) == kind; });
}

} // namespace tikc::plan
