#include "checker/plan/Plan.h"

#include <algorithm>

namespace tikc::plan {
namespace {

constexpr std::string_view sourceNames[] = {"rows",      "routes",   "tokens",
                                            "sequences", "requests", "replays"};

} // namespace

std::string_view inputName(Input input) {
  static constexpr std::string_view names[] = {"rows",     "routes",        "tokens",
                                               "requests", "batch_replays", "request_replays"};
  return names[static_cast<std::size_t>(input)];
}

std::string_view name(Fold fold) {
  static constexpr std::string_view names[] = {"total",   "squares", "largest", "smallest",
                                               "nonzero", "share",   "sketch",  "moments"};
  return names[static_cast<std::size_t>(fold)];
}

std::string_view name(Estimator estimator) {
  static constexpr std::string_view names[] = {
      "largest",  "smallest", "mean",  "root_mean_square", "deviation",     "effective_share",
      "quantile", "share",    "total", "nonzero",          "window_figure", "slope",
      "sampled",  "coherence"};
  return names[static_cast<std::size_t>(estimator)];
}

std::string streamName(const Stream& stream) {
  return stream.train + "_to_" + stream.infer +
         (stream.drawer.empty() ? "" : "_drawn_by_" + stream.drawer);
}

std::string_view sourceName(StreamSource source) {
  return sourceNames[static_cast<std::size_t>(source)];
}

StreamSource sourceOf(const Signal& signal) {
  return signal.byResponse ? StreamSource::Sequences : info(signal.figure).source;
}

std::string_view name(Watchable what) {
  static constexpr std::string_view names[] = {"reward",       "step_reward", "advantage",
                                               "score_norm",   "length",      "ratio",
                                               "missing_mass", "unseen"};
  return names[static_cast<std::size_t>(what)];
}

bool Plan::watches(Watchable what) const {
  return std::any_of(assumptions.begin(), assumptions.end(),
                     [&](const Assumption& each) { return each.subject == what; });
}

std::size_t Plan::watched() const {
  return static_cast<std::size_t>(
      std::count_if(assumptions.begin(), assumptions.end(),
                    [](const Assumption& each) { return each.subject != Watchable::Unseen; }));
}

bool Plan::reads(StreamSource source) const {
  return std::any_of(signals.begin(), signals.end(),
                     [&](const Signal& signal) { return sourceOf(signal) == source; });
}

} // namespace tikc::plan
