#include "data/inspect/Signs.h"
#include "page/Chart.h"
#include "page/Panels.h"
#include "page/Words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace tikc::page {
namespace {

using data::Drift;

/// A share of the tokens, by where they are, and how far the two sides are apart there.
struct DriftBin {
  std::string where;
  const Drift* drift;
  const Drift* against = nullptr; // of other data; null for none
};

std::optional<double> meanOf(const Drift* drift) {
  return drift == nullptr || drift->tokens == 0 ? std::nullopt
                                                : std::optional(drift->meanAbsolute());
}

/// Means of |x| from the left to the right, with where each lies by its standard error.
class BinPicture {
public:
  BinPicture(const std::vector<DriftBin>& bins, std::string across)
      : bins_(bins), across_(std::move(across)), up_(rulerOf()) {}

  explain::Picture draw() {
    addFrame();
    canvas_.path(lineOf(&DriftBin::against), "series against");
    for (std::size_t i = 0; i < bins_.size(); ++i)
      if (const auto [low, high] = endsOf(*bins_[i].drift); low < high)
        canvas_.line(placeOf(i), up_.at(low), placeOf(i), up_.at(high), "whisker");
    canvas_.path(lineOf(&DriftBin::drift), "series s0");
    return canvas_.take(width, height);
  }

  /// Two standard errors to either side, with responses as units where there are some.
  static std::pair<double, double> endsOf(const Drift& drift) {
    if (drift.tokens == 0)
      return {};
    const double mean = drift.meanAbsolute(),
                 error = drift.responses < 2 ? 0 : drift.absoluteError();
    return std::isfinite(error) ? std::pair(std::max(0.0, mean - 2 * error), mean + 2 * error)
                                : std::pair(mean, mean);
  }

private:
  static constexpr double width = 440, height = 260, left = 58, right = width - 10, top = 24,
                          bottom = height - 52;

  /// Without the bins that no token fell into.
  std::vector<std::pair<double, double>> lineOf(const Drift* DriftBin::*which) const {
    std::vector<std::pair<double, double>> out;
    for (std::size_t i = 0; i < bins_.size(); ++i)
      if (const auto mean = meanOf(bins_[i].*which))
        out.emplace_back(placeOf(i), up_.at(*mean));
    return out;
  }

  double placeOf(std::size_t bin) const {
    return left +
           (static_cast<double>(bin) + 0.5) * (right - left) / static_cast<double>(bins_.size());
  }

  Ruler rulerOf() const {
    std::vector<double> values = {0};
    for (const DriftBin& each : bins_) {
      for (const Drift* drift : {each.drift, each.against})
        if (const auto mean = meanOf(drift))
          values.push_back(*mean);
      values.push_back(endsOf(*each.drift).second);
    }
    return Ruler::around(std::move(values), bottom, top);
  }

  void addFrame() {
    for (double tick : up_.ticks()) {
      canvas_.line(left, up_.at(tick), right, up_.at(tick), "grid");
      canvas_.text(left - 8, up_.at(tick) + 4, "tick end", explain::tickText(tick));
    }
    canvas_.line(left, bottom, right, bottom, "axis");
    std::size_t longest = 1;
    for (const DriftBin& each : bins_)
      longest = std::max(longest, each.where.size());
    const double each = (right - left) / static_cast<double>(bins_.size());
    const auto step =
        static_cast<std::size_t>(std::ceil(static_cast<double>(longest + 1) * letter / each));
    for (std::size_t i = 0; i < bins_.size(); ++i) {
      canvas_.line(placeOf(i), bottom, placeOf(i), bottom + 5, "axis");
      if (i % step == 0)
        canvas_.text(placeOf(i), bottom + 19, "tick middle", bins_[i].where);
    }
    canvas_.text((left + right) / 2, height - 12, "title middle", across_);
    canvas_.text(left - 8, top - 10, "title end", "nat");
  }

  const std::vector<DriftBin>& bins_;
  std::string across_;
  Ruler up_;
  Canvas canvas_;
};

/// One line of numbers.
std::vector<std::string> binNumbers(const std::string& where, const Drift& drift) {
  const auto [low, high] = BinPicture::endsOf(drift);
  return {where, data::grouped(drift.tokens), amountText(meanOf(&drift), "nat"),
          low < high ? fmt::format("{} to {}", amountText(low, ""), amountText(high, "nat"))
                     : amountText(std::nullopt, ""),
          amountText(drift.tokens == 0 ? std::nullopt : std::optional(-drift.k1()), "nat")};
}

Panel binPanel(std::string_view id, std::string heading, std::string across,
               const std::vector<DriftBin>& bins) {
  Panel out;
  out.id = fmt::format("tokens-{}", id);
  out.heading = std::move(heading);
  out.described = out.heading + ".";
  out.numbers = {{across, "tokens", "mean |x|", "where it lies", "mean x"}};
  for (const DriftBin& each : bins) {
    out.numbers.push_back(binNumbers(each.where, *each.drift));
    if (each.against != nullptr)
      out.numbers.push_back(binNumbers(each.where + ", compared", *each.against));
    out.described += fmt::format(" {}: {}.", each.where, amountText(meanOf(each.drift), "nat"));
  }
  out.picture = BinPicture(bins, std::move(across)).draw();
  return out;
}

/// Those that tokens fell into.
std::vector<DriftBin> filled(std::span<const Drift> all, std::span<const Drift> against,
                             const std::function<std::string(std::size_t)>& nameOf) {
  std::vector<DriftBin> out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Drift* const other = i < against.size() ? &against[i] : nullptr;
    if (all[i].tokens != 0 || (other != nullptr && other->tokens != 0))
      out.push_back({nameOf(i), &all[i], other});
  }
  return out;
}

/// "0", "1", "2–3", "4–7"
std::string binName(std::size_t bin) {
  const std::uint64_t begin = data::beginOfLogBin(bin);
  return bin < 2 ? std::to_string(begin) : fmt::format("{}–{}", begin, 2 * begin - 1);
}

std::vector<DriftBin> stepsOf(const data::SteppedDrift& drifts) {
  return drifts.isEmpty() ? std::vector<DriftBin>()
                          : filled(drifts.bins(), {}, [&](std::size_t bin) {
                              return fmt::format("{}", drifts.beginOf(bin));
                            });
}

} // namespace

PanelGroup signPanels(const data::Signs& signs, std::uint64_t responses,
                      const data::Signs* against) {
  PanelGroup out{"tokens",
                 "Gap by condition",
                 "The mean distance of log-probs, |x| with x = log p - log q, over all slices. A "
                 "bar is two standard errors to either side, over responses.",
                 {}};
  if (signs.isEmpty())
    return out;
  if (signs.responses < responses)
    out.intro += fmt::format(" They cover {} of {} responses.", data::grouped(signs.responses),
                             data::grouped(responses));
  if (against != nullptr)
    out.intro += " The dashed line is of the compared measurement; by steps and versions there is "
                 "none.";
  using Drifts = std::span<const Drift>;
  const Drifts none;
  auto add = [&](std::string_view id, std::string heading, std::string across,
                 const std::vector<DriftBin>& bins) {
    if (bins.size() > 1) // one is no course
      out.panels.push_back(binPanel(id, std::move(heading), std::move(across), bins));
  };
  add("position", "By the position in a response", "position",
      filled(signs.positions, against == nullptr ? none : against->positions, binName));
  add("probability", "By the server's log-prob of the token", "-log q, from",
      filled(signs.probabilities, against == nullptr ? none : against->probabilities,
             [](std::size_t bin) {
               return fmt::format("{:.4g}", data::Signs::beginOfProbabilityBin(bin));
             }));
  add("lag", "By the server's lag in versions", "step less version",
      filled(signs.lags, against == nullptr ? none : against->lags,
             [](std::size_t bin) { return bin == 0 ? "ahead" : binName(bin - 1); }));
  add("step", "By the trainer's step", signs.steps.width() == 1 ? "step" : "step, from",
      stepsOf(signs.steps));
  add("version", "By the server's version",
      signs.versions.width() == 1 ? "version" : "version, from", stepsOf(signs.versions));
  return out;
}

} // namespace tikc::page
