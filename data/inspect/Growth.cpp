#include "data/Report.h"
#include "data/inspect/Looks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace tikc::data {
namespace {

// What clean runs do not have.
constexpr double leastGrowth = 1.5, leastGrown = 0.005;
// Where every record says that its weights are those of its step, a policy that becomes sharper is
// the nearer explanation: the noise of its logits grows with them.
constexpr double leastGrowthOfFresh = 4;
// Tasks of different lengths differ in their level as well, by up to 1.75 on a real pair.
constexpr double leastGrowthByLength = 2;

/// Bins joined; where they are of the same responses their errors add up, as one may be the
/// other's.
void join(std::span<const Drift* const> bins, bool areOfSame, Drift& out, double& error) {
  double sum = 0;
  for (const Drift* each : bins) {
    sum += each->levelError() * each->room;
    out.add(*each);
  }
  error = areOfSame ? sum / out.room : out.levelError();
}

std::optional<Change> changeOf(std::span<const Drift* const> bins, bool areOfSame) {
  constexpr std::uint64_t least = 20;
  Drift begin;
  for (std::size_t i = 0;
       i < bins.size() && (begin.responses < least || begin.tokens < leastTokens); ++i)
    begin.add(*bins[i]);
  Drift all;
  double allError = 0;
  join(bins, areOfSame, all, allError);
  // Where few tokens are far apart a part may have none of them, and then seems to be sure of its
  // level: it is off by no less than as many tokens of any other part.
  auto atLeast = [&](double error, const Drift& part) {
    return std::max(error, allError * std::sqrt(all.room / part.room));
  };
  std::optional<Change> out;
  for (std::size_t at = 1; at < bins.size(); ++at) {
    Change change;
    change.at = at;
    change.begin = begin;
    join(bins.first(at), areOfSame, change.before, change.beforeError);
    join(bins.subspan(at), areOfSame, change.after, change.afterError);
    const bool isEnough = std::min(change.before.responses, change.after.responses) >= least &&
                          change.before.room > 0 && change.after.room > 0;
    change.beforeError = atLeast(change.beforeError, change.before);
    change.afterError = atLeast(change.afterError, change.after);
    if (isEnough && (!out || change.errors() > out->errors()))
      out = change;
  }
  return out;
}

template <class Bins> std::vector<const Drift*> usedBins(const Bins& bins) {
  std::vector<const Drift*> out;
  for (const Drift& each : bins)
    if (each.tokens != 0 && each.room > 0)
      out.push_back(&each);
  return out;
}

std::vector<SignFigure> figuresOf(const Change& change, std::string_view before,
                                  std::string_view after) {
  return {{"before", fmt::format("mean |x| {}", before), change.before.meanAbsolute(),
           change.before.absoluteError()},
          {"after", fmt::format("mean |x| {}", after), change.after.meanAbsolute(),
           change.after.absoluteError()},
          {"growth", "growth for the same log q", change.growth(), 0}};
}

Growth lookAtBins(CauseId cause, double least, std::span<const Drift* const> bins,
                  std::string_view before,
                  const std::function<std::string(const Drift*)>& nameOfBin) {
  const auto change = changeOf(bins, false);
  if (!change)
    return {{cause, CauseState::unasked, {}, {}}, {}};
  CauseFinding out =
      stateOf(cause, change->isLarge(least), change->errors(), change->after.responses);
  out.figures = figuresOf(*change, before, nameOfBin(bins[change->at]));
  return {std::move(out), change};
}

} // namespace

double Change::errors() const {
  return errorsOf(after.level() - before.level(), std::hypot(beforeError, afterError));
}

bool Change::isLarge(double least) const {
  return growth() >= least && after.meanAbsolute() >= leastGrown;
}

Growth lookAtCache(const Signs& signs) {
  const auto bins = usedBins(signs.positions);
  const auto change = changeOf(bins, true);
  if (!change)
    return {{CauseId::Cache,
             CauseState::unasked,
             {},
             "fewer than 20 responses are long enough, or all tokens have one position"},
            {}};
  CauseFinding out = stateOf(CauseId::Cache, change->isLarge(leastGrowth), change->errors(),
                             change->after.responses);
  const auto bin = static_cast<std::size_t>(bins[change->at] - signs.positions.data());
  const std::uint64_t at = beginOfLogBin(bin);
  out.figures = figuresOf(*change, fmt::format("before token {}", grouped(at)),
                          fmt::format("from token {} on", grouped(at)));
  return {std::move(out), change};
}

Growth lookAtLength(const Signs& signs) {
  Growth out =
      lookAtBins(CauseId::Length, leastGrowthByLength, usedBins(signs.lengths),
                 fmt::format("of the first {} tokens of shorter responses", Signs::firstOfLength),
                 [&](const Drift* bin) {
                   const std::uint64_t at =
                       beginOfLogBin(static_cast<std::size_t>(bin - signs.lengths.data()));
                   return fmt::format("of responses from {} tokens on", grouped(at));
                 });
  if (out.sign.state == CauseState::unasked)
    out.sign.why =
        fmt::format("fewer than 20 responses of at least {} tokens are longer than the others",
                    Signs::firstOfLength);
  return out;
}

/// The looks at a growth, of which the first that is named, else the most telling one, counts.
Growth lookAtWeights(const Signs& signs) {
  const Drift* const lags = signs.lags.data();
  std::vector<Growth> looks;
  looks.push_back(lookAtBins(CauseId::Weights, leastGrowth, usedBins(signs.lags), "at smaller lags",
                             [&](const Drift* bin) {
                               const std::size_t at = static_cast<std::size_t>(bin - lags);
                               return fmt::format("at lags from {} on",
                                                  at == 0 ? 0 : beginOfLogBin(at - 1));
                             }));
  looks.back().isByLag = true;
  const std::size_t fresh = 1; // the bin of lag 0
  const bool areFresh = signs.lags[fresh].tokens == signs.whole.tokens;
  auto stepped = [&](const SteppedDrift& drifts, std::string_view what, bool isBackwards) {
    std::vector<const Drift*> bins = usedBins(drifts.bins());
    if (isBackwards)
      std::reverse(bins.begin(), bins.end());
    looks.push_back(lookAtBins(
        CauseId::Weights, areFresh ? leastGrowthOfFresh : leastGrowth, bins,
        isBackwards ? fmt::format("at newer {}s", what) : fmt::format("at older {}s", what),
        [&](const Drift* bin) {
          const std::int64_t at =
              drifts.beginOf(static_cast<std::size_t>(bin - drifts.bins().data()));
          return isBackwards ? fmt::format("at {}s up to {}", what, at + drifts.width() - 1)
                             : fmt::format("from {} {} on", what, at);
        }));
  };
  stepped(signs.steps, "step", false);
  if (signs.steps.isEmpty()) {
    stepped(signs.versions, "version", true);
    stepped(signs.versions, "version", false);
  }
  // The order of states is that of how much they say, but for echoes, which there are none of yet.
  auto found = std::min_element(looks.begin(), looks.end(), [](const Growth& a, const Growth& b) {
    return a.sign.state < b.sign.state;
  });
  if (found->sign.state == CauseState::unasked)
    found->sign.why = "the data have fewer than two steps or versions with at least 20 responses";
  return std::move(*found);
}

} // namespace tikc::data
