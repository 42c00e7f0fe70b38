#pragma once

#include "tikc/judge.h"
#include "tikc/tally.h"
#include "tikc/text.h"

namespace tikc {

namespace detail {

struct window_span {
  double since = 0;
  std::uint64_t ticks = 0; // evaluations, or of steps their ends
  bool is_news = false;    // a window ended since the last evaluation
};

/// A check's window that is not over.
struct open_window {
  std::uint64_t seen = 0; // observations, at the last evaluation
  bool is_told = false;   // it was violated for good, and an evaluation said so
};

} // namespace detail

/// Judges clauses by what tallies bring. A window ends at the first evaluation at which it is as
/// long as it has to be, one of steps where the last of them does; until then a check keeps what
/// its last window showed, and only what no later observation can take back is said earlier. An
/// evaluation to which nothing came of what a check is about finds it undecided, whatever it was.
template <class Plan> class checker {
public:
  static constexpr std::size_t slices = Plan::slices;
  static constexpr std::size_t places = slices + 1; // the mixture is the last
  static constexpr std::size_t mixture = slices;
  static constexpr std::size_t windows = sizeof(Plan::windows) / sizeof(window);
  static constexpr std::size_t checks = sizeof(Plan::checks) / sizeof(check);
  static constexpr std::size_t clauses = sizeof(Plan::clauses) / sizeof(clause);

  /// The clock starts at the first evaluation, or here.
  void start(double now) {
    for (auto& row : spans_)
      for (span& each : row)
        each.since = now;
    started_ = true;
  }

  void merge(const tally<Plan>& observed) {
    for (std::size_t slice = 0; slice < slices; ++slice)
      is_coming_[slice] = is_coming_[slice] || observed.observed(slice).is_busy();
    for (std::size_t i = 0; i < windows; ++i)
      for (std::size_t slice = 0; slice < slices; ++slice) {
        observed.merge_into(kept_[i][slice], slice);
        if (has_mixture(i))
          observed.merge_into(kept_[i][mixture], slice);
      }
  }

  /// The trainer's step ends here, with what was merged before; what is merged next is of another.
  /// Windows of steps end by this alone, whenever evaluations are: where several do between two of
  /// them, one that is violated is told, else the last.
  void end_step() {
    for (std::size_t i = 0; i < windows; ++i)
      if (Plan::windows[i].unit == window_unit::steps)
        for (std::size_t place = 0; place < places; ++place)
          if (place != mixture || has_mixture(i))
            end_step(i, place);
  }

  /// Once a stage window. `now` is in seconds, from any start, and never goes back.
  void evaluate(double now) {
    if (!started_)
      start(now);
    was_busy_ = is_coming_;
    is_coming_.fill(false);
    for (std::size_t i = 0; i < windows; ++i)
      for (std::size_t place = 0; place < places; ++place)
        if (place != mixture || has_mixture(i))
          evaluate_window(i, place, now);
    for (std::size_t i = 0; i < clauses; ++i)
      for (std::size_t slice = 0; slice < slices; ++slice)
        is_kept_[i][slice] = !hears(i, slice);
  }

  /// Of a check on a slice it binds; for one about the mixture the slice does not matter.
  const finding& result(std::size_t which, std::size_t slice) const {
    return findings_[which][Plan::checks[which].on_mixture ? mixture : slice];
  }

  /// Something came to a slice of which the contract says that nothing does, before the last
  /// evaluation and after the one before.
  bool is_unexpected(std::size_t slice) const { return Plan::is_empty[slice] && was_busy_[slice]; }

  /// Violated if one check is, else undecided if one is.
  verdict of(std::size_t which, std::size_t slice) const {
    if (Plan::is_empty[slice] && !was_busy_[slice])
      return verdict::unasked;
    const clause& at = Plan::clauses[which];
    verdict out = verdict::satisfied;
    for (std::size_t i = at.first; i < at.first + std::size_t{at.count}; ++i) {
      if (!Plan::binds[i][slice])
        continue;
      verdict one = result(i, slice).is;
      if (one == verdict::violated)
        return one;
      out = one == verdict::undecided ? one : out;
    }
    return out;
  }

  static constexpr bool applies(std::size_t which, std::size_t slice) {
    const clause& at = Plan::clauses[which];
    for (std::size_t i = at.first; i < at.first + std::size_t{at.count}; ++i)
      if (Plan::binds[i][slice])
        return true;
    return false;
  }

  /// Whether the last evaluation brought nothing new of a clause that is satisfied or violated: it
  /// is what an earlier one found, and windows that began since are not over.
  bool is_kept(std::size_t which, std::size_t slice) const { return is_kept_[which][slice]; }

  /// For a router.
  void verdicts(standing (&out)[clauses][slices]) const {
    for (std::size_t i = 0; i < clauses; ++i)
      for (std::size_t slice = 0; slice < slices; ++slice)
        out[i][slice] = {of(i, slice), is_kept(i, slice)};
  }

  /// What a check's window holds so far.
  const kept<Plan>& open(std::size_t which, std::size_t slice) const {
    const check& at = Plan::checks[which];
    return kept_[at.window][at.on_mixture ? mixture : slice];
  }

private:
  using span = detail::window_span;
  using open_window = detail::open_window;

  static constexpr std::size_t most_history() {
    std::size_t out = 1;
    for (const check& each : Plan::checks)
      if (each.how == estimator::slope && each.history > out)
        out = each.history;
    return out;
  }
  static constexpr std::size_t slopes() {
    std::size_t out = 0;
    for (const check& each : Plan::checks)
      out += each.how == estimator::slope;
    return out;
  }

  /// Means of recent windows, the oldest overwritten.
  struct history {
    double means[most_history()] = {};
    std::uint64_t count = 0;
  };

  static constexpr bool has_mixture(std::size_t which) {
    for (const check& each : Plan::checks)
      if (each.window == which && each.on_mixture)
        return true;
    return false;
  }

  static constexpr std::size_t slope_index(std::size_t which) {
    std::size_t out = 0;
    for (std::size_t i = 0; i < which; ++i)
      out += Plan::checks[i].how == estimator::slope;
    return out;
  }

  static bool is_full(const window& of, const cell<Plan>& at, const span& open, double now) {
    switch (of.unit) {
    case window_unit::stage:
      return true;
    case window_unit::ticks:
      return static_cast<double>(open.ticks) >= of.amount;
    case window_unit::seconds:
      return now - open.since >= of.amount;
    case window_unit::tokens:
      return static_cast<double>(at.tokens()) >= of.amount;
    case window_unit::sequences:
      return static_cast<double>(at.sequences()) >= of.amount;
    case window_unit::requests:
      return static_cast<double>(at.requests) >= of.amount;
    case window_unit::steps:
      return false;
    }
    return true;
  }

  void evaluate_window(std::size_t which, std::size_t place, double now) {
    span& open = spans_[which][place];
    const bool of_steps = Plan::windows[which].unit == window_unit::steps;
    open.ticks += of_steps ? 0 : 1;
    const bool full = is_full(Plan::windows[which], kept_[which][place].observed, open, now);
    judge_window(which, place, full);
    open.is_news = false;
    if (full)
      open = {now, 0, false};
  }

  void end_step(std::size_t which, std::size_t place) {
    span& open = spans_[which][place];
    if (static_cast<double>(++open.ticks) < Plan::windows[which].amount)
      return;
    judge_window(which, place, true);
    open.ticks = 0;
    open.is_news = true;
  }

  void judge_window(std::size_t which, std::size_t place, bool full) {
    kept<Plan>& at = kept_[which][place];
    for (std::size_t i = 0; i < checks; ++i) {
      const check& each = Plan::checks[i];
      bool is_here = each.window == which && each.on_mixture == (place == mixture) &&
                     (place == mixture || Plan::binds[i][place]);
      if (!is_here)
        continue;
      finding found =
          each.how == estimator::slope ? slope(i, place, at, full) : judge<Plan>(each, at, full)();
      const bool is_news = spans_[which][place].is_news;
      if (full)
        end_window(i, place, found, is_news);
      else
        look(i, place, found, is_news);
    }
    if (full)
      at.clear();
  }

  /// Of several windows that end before anybody looks, one that is violated is told.
  void end_window(std::size_t which, std::size_t place, finding found, bool is_news) {
    finding& shown = findings_[which][place];
    found.is_kept = found.is == verdict::violated && open_[which][place].is_told;
    open_[which][place] = {};
    if (found.is == verdict::violated || !is_news || shown.is != verdict::violated)
      shown = found;
  }

  /// At a window that is not over. What is undecided is never kept: each evaluation that brings no
  /// verdict is one more.
  void look(std::size_t which, std::size_t place, finding found, bool is_news) {
    finding& shown = findings_[which][place];
    open_window& open = open_[which][place];
    const bool came = found.observations != open.seen;
    open.seen = found.observations;
    if (found.is == verdict::violated && (came || is_news)) {
      found.is_kept = open.is_told;
      open.is_told = true;
      shown = found;
    } else if (!is_news && !came) {
      found.is = verdict::undecided;
      shown = found;
    } else if (!is_news) {
      shown.is_kept = shown.is != verdict::undecided;
    }
  }

  /// Whether an evaluation brings news of a clause: a check that is violated anew, or of each check
  /// a window that satisfied it since it last did; none of them need end together.
  bool hears(std::size_t which, std::size_t slice) {
    const clause& at = Plan::clauses[which];
    bool is_whole = true, is_broken = false;
    for (std::size_t i = at.first; i < at.first + std::size_t{at.count}; ++i) {
      if (!Plan::binds[i][slice])
        continue;
      const finding& found = result(i, slice);
      bool& is_heard = heard_[i][slice];
      is_heard = found.is == verdict::satisfied && (is_heard || !found.is_kept);
      is_whole = is_whole && is_heard;
      is_broken = is_broken || (found.is == verdict::violated && !found.is_kept);
    }
    for (std::size_t i = at.first; is_whole && i < at.first + std::size_t{at.count}; ++i)
      heard_[i][slice] = false;
    switch (of(which, slice)) {
    case verdict::satisfied:
      return is_whole;
    case verdict::violated:
      return is_broken;
    default:
      return true;
    }
  }

  /// Least squares over the means of the last windows that had observations.
  finding slope(std::size_t which, std::size_t place, const kept<Plan>& at, bool full) {
    const check& of = Plan::checks[which];
    history& past = histories_[slope_index(which)][place];
    std::uint64_t n = at.seen(of.signal);
    finding out;
    out.observations = n;
    if (!full)
      return out;
    if (n > 0) {
      // No line goes through a mean that is not known.
      const ends total = at.total(Plan::keepers[of.keepers[0]]);
      const bool is_known = total.low == total.high;
      past.means[past.count++ % of.history] =
          is_known ? total.high / static_cast<double>(n) : std::numeric_limits<double>::quiet_NaN();
    }
    std::uint64_t points = past.count < of.history ? past.count : of.history;
    if (n == 0 || points < of.least)
      return out;
    double middle = static_cast<double>(points - 1) / 2, products = 0, squares = 0;
    for (std::uint64_t i = 0; i < points; ++i) {
      double x = static_cast<double>(i) - middle;
      products += x * past.means[(past.count - points + i) % of.history];
      squares += x * x;
    }
    double slope = products / squares;
    out.value = out.low = out.high = of.absolute ? std::abs(slope) : slope;
    // A mean that was infinite has no slope that could meet a bound.
    bool holds = std::isfinite(slope) && detail::holds(of, {out.value, out.value});
    out.is = holds ? verdict::satisfied : verdict::violated;
    return out;
  }

  std::array<std::array<kept<Plan>, places>, windows> kept_;
  std::array<std::array<span, places>, windows> spans_;
  std::array<std::array<finding, places>, checks> findings_;
  std::array<std::array<open_window, places>, checks> open_;
  std::array<std::array<history, places>, slopes()> histories_;
  std::array<std::array<bool, slices>, checks> heard_{};
  std::array<std::array<bool, slices>, clauses> is_kept_{};
  std::array<bool, slices> is_coming_{}, was_busy_{};
  bool started_ = false;
};

namespace detail {
/// Its members, in their order.
constexpr layout checker_layout(const plan_shape& of) {
  const std::size_t places = of.slices + 1;
  const layout history = layout().add<double>(of.history).add<std::uint64_t>();
  return layout()
      .add(layout().add(kept_layout(of), places), of.windows)
      .add<window_span>(places * of.windows)
      .add<finding>(places * of.checks)
      .add<open_window>(places * of.checks)
      .add(layout().add(history, places), of.slopes)
      .add<bool>((of.checks + of.clauses + 2) * of.slices + 1);
}
} // namespace detail

} // namespace tikc
