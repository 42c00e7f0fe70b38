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
};

/// Means of |x| from the left to the right, with where each lies by its standard error.
class BinPicture {
public:
  BinPicture(const std::vector<DriftBin>& bins, std::string across)
      : bins_(bins), across_(std::move(across)), up_(rulerOf()) {}

  explain::Picture draw() {
    addFrame();
    std::vector<std::pair<double, double>> line;
    for (std::size_t i = 0; i < bins_.size(); ++i)
      line.emplace_back(placeOf(i), up_.at(bins_[i].drift->meanAbsolute()));
    for (std::size_t i = 0; i < bins_.size(); ++i)
      if (const auto [low, high] = endsOf(*bins_[i].drift); low < high)
        canvas_.line(line[i].first, up_.at(low), line[i].first, up_.at(high), "whisker");
    canvas_.path(line, "series s0");
    return canvas_.take(width, height);
  }

  /// Two standard errors to either side, with responses as units where there are some.
  static std::pair<double, double> endsOf(const Drift& drift) {
    const double mean = drift.meanAbsolute(),
                 error = drift.responses < 2 ? 0 : drift.absoluteError();
    return std::isfinite(error) ? std::pair(std::max(0.0, mean - 2 * error), mean + 2 * error)
                                : std::pair(mean, mean);
  }

private:
  static constexpr double width = 440, height = 260, left = 58, right = width - 10, top = 24,
                          bottom = height - 52;

  double placeOf(std::size_t bin) const {
    return left +
           (static_cast<double>(bin) + 0.5) * (right - left) / static_cast<double>(bins_.size());
  }

  Ruler rulerOf() const {
    std::vector<double> values = {0};
    for (const DriftBin& each : bins_) {
      values.push_back(each.drift->meanAbsolute());
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

Panel binPanel(std::string_view id, std::string heading, std::string across,
               const std::vector<DriftBin>& bins) {
  Panel out;
  out.id = fmt::format("tokens-{}", id);
  out.heading = std::move(heading);
  out.described = out.heading + ".";
  out.numbers = {{across, "tokens", "mean |x|", "where it lies", "mean x"}};
  for (const DriftBin& each : bins) {
    const auto [low, high] = BinPicture::endsOf(*each.drift);
    const std::string mean = amountText(each.drift->meanAbsolute(), "nat");
    out.numbers.push_back(
        {each.where, data::grouped(each.drift->tokens), mean,
         low < high ? fmt::format("{} to {}", amountText(low, ""), amountText(high, "nat"))
                    : amountText(std::nullopt, ""),
         amountText(-each.drift->k1(), "nat")});
    out.described += fmt::format(" {}: {}.", each.where, mean);
  }
  out.picture = BinPicture(bins, std::move(across)).draw();
  return out;
}

/// Those that tokens fell into.
std::vector<DriftBin> filled(std::span<const Drift> all,
                             const std::function<std::string(std::size_t)>& nameOf) {
  std::vector<DriftBin> out;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].tokens != 0)
      out.push_back({nameOf(i), &all[i]});
  return out;
}

/// "0", "1", "2–3", "4–7"
std::string binName(std::size_t bin) {
  const std::uint64_t begin = data::beginOfLogBin(bin);
  return bin < 2 ? std::to_string(begin) : fmt::format("{}–{}", begin, 2 * begin - 1);
}

std::vector<DriftBin> stepsOf(const data::SteppedDrift& drifts) {
  return drifts.isEmpty() ? std::vector<DriftBin>() : filled(drifts.bins(), [&](std::size_t bin) {
    return fmt::format("{}", drifts.beginOf(bin));
  });
}

} // namespace

PanelGroup signPanels(const PageContent& content) {
  PanelGroup out{"tokens",
                 "Gap by condition",
                 "The mean distance of log-probs, |x| with x = log p - log q, over all slices. A "
                 "bar is two standard errors to either side, over responses.",
                 {}};
  const data::Signs& signs = content.contract.measured.intake.signs;
  if (signs.isEmpty())
    return out;
  const std::uint64_t all = content.contract.measured.intake.responses;
  if (signs.responses < all)
    out.intro += fmt::format(" They cover {} of {} responses.", data::grouped(signs.responses),
                             data::grouped(all));
  auto add = [&](std::string_view id, std::string heading, std::string across,
                 const std::vector<DriftBin>& bins) {
    if (bins.size() > 1) // one is no course
      out.panels.push_back(binPanel(id, std::move(heading), std::move(across), bins));
  };
  add("position", "By the position in a response", "position", filled(signs.positions, binName));
  add("probability", "By the server's log-prob of the token", "-log q, from",
      filled(signs.probabilities, [](std::size_t bin) {
        return fmt::format("{:.4g}", data::Signs::beginOfProbabilityBin(bin));
      }));
  add("lag", "By the server's lag in versions", "step less version",
      filled(signs.lags, [](std::size_t bin) { return bin == 0 ? "ahead" : binName(bin - 1); }));
  add("step", "By the trainer's step", signs.steps.width() == 1 ? "step" : "step, from",
      stepsOf(signs.steps));
  add("version", "By the server's version",
      signs.versions.width() == 1 ? "version" : "version, from", stepsOf(signs.versions));
  return out;
}

} // namespace tikc::page
