#pragma once

#include "tikc/detail/checker_parts.h"
#include "tikc/judge.h"
#include "tikc/tally.h"
#include "tikc/text.h"

namespace tikc {

/// Judges clauses on merged tallies. A window ends at the first evaluation at which it is long
/// enough; a window of steps ends with its last step. Until then a check keeps the result of its
/// last window, and reports early only what no later observation can change. If an evaluation has
/// no observations for a check, the check is undecided.
template <class Plan>
class checker : public detail::of_plan<Plan, checker<Plan>>,
                detail::watch_list<Plan, checker<Plan>> {
  using watches = detail::watch_list<Plan, checker<Plan>>;
  static constexpr detail::checker_shape shape = detail::constant_checker_shape<Plan>();

public:
  // Constants of a constant plan.
  static constexpr std::size_t slices = shape.slices;
  static constexpr std::size_t places = slices + 1; // the mixture is the last
  static constexpr std::size_t windows = shape.windows;
  static constexpr std::size_t checks = shape.checks;
  static constexpr std::size_t clauses = shape.clauses;

  using detail::of_plan<Plan, checker<Plan>>::plan;

  checker() = default;
  explicit checker(const Plan& tables)
      : detail::of_plan<Plan, checker<Plan>>(tables), watches(tables) {
    if constexpr (!detail::is_constant<Plan>) {
      const detail::checker_shape size = detail::checker_shape_of(tables);
      const std::size_t rows = size.slices + 1;
      detail::make(kept_, size.windows, rows, tables);
      detail::make(spans_, size.windows, rows);
      detail::make(findings_, size.checks, rows);
      detail::make(open_, size.checks, rows);
      detail::make(histories_, size.slopes, rows);
      for (auto& row : histories_)
        for (history& one : row)
          detail::make(one.means, size.history);
      detail::make(heard_, size.checks, size.slices);
      detail::make(is_kept_, size.clauses, size.slices);
      detail::make(is_coming_, size.slices);
      detail::make(was_busy_, size.slices);
    }
  }

  /// Returns whether the clock accepts `now`: finite seconds since any start, possibly negative,
  /// and not before the last evaluation or start.
  bool clock_takes(double now) const { return std::isfinite(now) && (!started_ || now >= clock_); }

  /// Starts the clock, which otherwise starts at the first evaluation. Does nothing if the clock
  /// does not accept `now`.
  void start(double now) {
    if (!clock_takes(now))
      return;
    for (auto& row : spans_)
      for (span& each : row)
        each.since = now;
    clock_ = now;
    started_ = true;
  }

  void merge(const tally<Plan>& observed) {
    watches::add(observed.watched());
    if (watches::sees(plan(), quantity::ratio))
      see_ratios(observed);
    // Skips idle slices: contracts have many, and a tally of few tokens touches few.
    for (std::size_t slice = 0; slice < plan().slices; ++slice) {
      if (!observed.observed(slice).is_busy())
        continue;
      is_coming_[slice] = true;
      for (std::size_t i = 0; i < kept_.size(); ++i) {
        observed.merge_into(kept_[i][slice], slice);
        if (has_mixture(i))
          observed.merge_into(kept_[i][mixture()], slice);
      }
    }
  }

  /// Ends the trainer's step, which contains everything merged so far. Only this call ends windows
  /// of steps. If several end between two evaluations, the evaluation reports a violated one, else
  /// the last.
  void end_step() {
    for (std::size_t i = 0; i < kept_.size(); ++i)
      if (plan().windows[i].unit == window_unit::steps)
        for (std::size_t place = 0; place <= mixture(); ++place)
          if (place != mixture() || has_mixture(i))
            end_step(i, place);
  }

  /// Evaluates all clauses; call it once per stage window. `now` is in seconds, from any start, and
  /// never goes back. If the clock does not accept it, the last accepted time counts, so that no
  /// window of seconds ends too early or never.
  void evaluate(double now) {
    if (!started_)
      start(now);
    else if (clock_takes(now))
      clock_ = now;
    was_busy_ = is_coming_;
    for (auto& each : is_coming_)
      each = false;
    for (std::size_t i = 0; i < kept_.size(); ++i)
      for (std::size_t place = 0; place <= mixture(); ++place)
        if (place != mixture() || has_mixture(i))
          evaluate_window(i, place);
    for (std::size_t i = 0; i < is_kept_.size(); ++i)
      for (std::size_t slice = 0; slice < plan().slices; ++slice)
        is_kept_[i][slice] = !hears(i, slice);
  }

  /// Returns a check's finding on a slice that the check applies to. A check of the mixture ignores
  /// the slice.
  const finding& result(std::size_t which, std::size_t slice) const {
    return findings_[which][plan().checks[which].on_mixture ? mixture() : slice];
  }

  /// Returns whether observations came to a slice that the contract calls empty, between the last
  /// two evaluations.
  bool is_unexpected(std::size_t slice) const { return plan().is_empty[slice] && was_busy_[slice]; }

  /// Returns the verdict on a clause: violated if one check is, else undecided if one is.
  verdict of(std::size_t which, std::size_t slice) const {
    if (plan().is_empty[slice] && !was_busy_[slice])
      return verdict::unasked;
    const clause& at = plan().clauses[which];
    verdict out = verdict::satisfied;
    for (std::size_t i = at.first; i < at.first + std::size_t{at.count}; ++i) {
      if (!plan().binds[i][slice])
        continue;
      verdict one = result(i, slice).is;
      if (one == verdict::violated)
        return one;
      out = one == verdict::undecided ? one : out;
    }
    return out;
  }

  static constexpr bool applies(std::size_t which, std::size_t slice) {
    return applies(Plan(), which, slice);
  }
  static constexpr bool applies(const Plan& plan, std::size_t which, std::size_t slice) {
    const clause& at = plan.clauses[which];
    for (std::size_t i = at.first; i < at.first + std::size_t{at.count}; ++i)
      if (plan.binds[i][slice])
        return true;
    return false;
  }

  /// Returns whether a satisfied or violated clause keeps an earlier verdict. The last evaluation
  /// had nothing new: the windows that began since have not ended.
  bool is_kept(std::size_t which, std::size_t slice) const { return is_kept_[which][slice]; }

  /// Returns the observations of an assumption since the checker was made, over all windows and
  /// slices.
  watch_result assumed(std::size_t which) const { return watches::result(plan(), which); }

  /// Returns the verdict on a check that a claim rests on. An empty slice that stays empty is not
  /// asked.
  verdict on(const claim_ground& ground) const {
    const bool is_idle = !plan().checks[ground.check].on_mixture && plan().is_empty[ground.slice] &&
                         !was_busy_[ground.slice];
    return is_idle ? verdict::unasked : result(ground.check, ground.slice).is;
  }

  claim_state claimed(std::size_t which) const {
    if (!plan().claims[which].is_proved)
      return claim_state::not_shown;
    claim_state out = claim_state::shown;
    if constexpr (detail::has_grounds<Plan>::value)
      for (const claim_ground& each : plan().grounds)
        if (each.claim == which) {
          if (on(each) == verdict::violated)
            return claim_state::withdrawn;
          if (on(each) == verdict::undecided)
            out = claim_state::not_shown;
        }
    if (out == claim_state::shown && rests_on_logs(which) && are_logs_disproved())
      out = claim_state::not_shown;
    if constexpr (detail::has_assumptions<Plan>::value)
      for (std::size_t i = 0; i < std::size(plan().assumptions); ++i)
        if (plan().rests_on[which][i] && assumed(i).is == assumption_state::broken)
          return claim_state::suspended;
    return out;
  }

  /// Returns whether a `coherent` check is violated, so that the log-probs are not those of the
  /// sampling distribution. Results computed from such log-probs show nothing.
  bool are_logs_disproved() const {
    for (std::size_t i = 0; i < std::size(plan().checks); ++i)
      for (std::size_t slice = 0; slice < plan().slices; ++slice)
        if (plan().checks[i].how == estimator::coherence && plan().binds[i][slice] &&
            result(i, slice).is == verdict::violated)
          return true;
    return false;
  }

  /// Writes the verdicts for a router.
  void verdicts(typename detail::standings<Plan>::type& out) const {
    for (std::size_t i = 0; i < is_kept_.size(); ++i)
      for (std::size_t slice = 0; slice < plan().slices; ++slice)
        out[i][slice] = {of(i, slice), is_kept(i, slice)};
  }

  /// Returns the content of a check's open window.
  const kept<Plan>& open(std::size_t which, std::size_t slice) const {
    const check& at = plan().checks[which];
    return kept_[at.window][at.on_mixture ? mixture() : slice];
  }

private:
  using span = detail::window_span;
  using open_window = detail::open_window;

  using history = detail::slope_history<Plan>;
  template <class T, std::size_t Count> using several = detail::several<Plan, T, Count>;
  template <class T, std::size_t Rows, std::size_t Count>
  using table = several<several<T, Count>, Rows>;

  std::size_t mixture() const { return plan().slices; }

  /// Returns whether a claim rests on a check that reads log-probs.
  bool rests_on_logs(std::size_t claim) const {
    if constexpr (detail::has_grounds<Plan>::value)
      for (const claim_ground& each : plan().grounds) {
        const source from = plan().signal_table[plan().checks[each.check].signal].from;
        if (each.claim == claim && (from == source::tokens || from == source::sequences))
          return true;
      }
    return false;
  }

  void see_ratios(const tally<Plan>& observed) {
    for (std::size_t slice = 0; slice < plan().slices; ++slice)
      if (const auto& stats = observed.tokens(0, slice); stats.count != 0)
        watches::see(plan(), quantity::ratio, detail::seen_of_ratios(stats));
  }

  bool has_mixture(std::size_t which) const {
    for (const check& each : plan().checks)
      if (each.window == which && each.on_mixture)
        return true;
    return false;
  }

  std::size_t slope_index(std::size_t which) const {
    std::size_t out = 0;
    for (std::size_t i = 0; i < which; ++i)
      out += plan().checks[i].how == estimator::slope;
    return out;
  }

  static bool is_full(const window& duration, const cell<Plan>& at, const span& open, double now) {
    switch (duration.unit) {
    case window_unit::stage:
      return true;
    case window_unit::ticks:
      return static_cast<double>(open.ticks) >= duration.amount;
    case window_unit::seconds:
      return now - open.since >= duration.amount;
    case window_unit::tokens:
      return static_cast<double>(at.contexts()) >= duration.amount;
    case window_unit::sequences:
      return static_cast<double>(at.sequences()) >= duration.amount;
    case window_unit::requests:
      return static_cast<double>(at.requests) >= duration.amount;
    case window_unit::steps:
      return false;
    }
    return true;
  }

  void evaluate_window(std::size_t which, std::size_t place) {
    span& open = spans_[which][place];
    const bool of_steps = plan().windows[which].unit == window_unit::steps;
    open.ticks += of_steps ? 0 : 1;
    const bool full = is_full(plan().windows[which], kept_[which][place].observed, open, clock_);
    judge_window(which, place, full);
    open.is_news = false;
    if (full)
      open = {clock_, 0, false};
  }

  void end_step(std::size_t which, std::size_t place) {
    span& open = spans_[which][place];
    if (static_cast<double>(++open.ticks) < plan().windows[which].amount)
      return;
    judge_window(which, place, true);
    open.ticks = 0;
    open.is_news = true;
  }

  void judge_window(std::size_t which, std::size_t place, bool full) {
    kept<Plan>& at = kept_[which][place];
    for (std::size_t i = 0; i < findings_.size(); ++i) {
      const check& each = plan().checks[i];
      bool is_here = each.window == which && each.on_mixture == (place == mixture()) &&
                     (place == mixture() || plan().binds[i][place]);
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

  /// Ends a window. If several end between two evaluations, a violated one is reported.
  void end_window(std::size_t which, std::size_t place, finding found, bool is_news) {
    finding& shown = findings_[which][place];
    found.is_kept = found.is == verdict::violated && open_[which][place].is_told;
    open_[which][place] = {};
    if (found.is == verdict::violated || !is_news || shown.is != verdict::violated)
      shown = found;
  }

  /// Judges a window that has not ended. Undecided verdicts are never kept: each evaluation without
  /// a verdict counts as one more.
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

  /// Returns whether an evaluation has news of a clause: a new violation, or a new satisfied window
  /// for each of its checks since the last such news. The windows of the checks need not end
  /// together.
  bool hears(std::size_t which, std::size_t slice) {
    const clause& at = plan().clauses[which];
    bool is_whole = true, is_broken = false;
    for (std::size_t i = at.first; i < at.first + std::size_t{at.count}; ++i) {
      if (!plan().binds[i][slice])
        continue;
      const finding& found = result(i, slice);
      auto& is_heard = heard_[i][slice];
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

  /// Fits a line by least squares to the means of the last windows with observations.
  finding slope(std::size_t which, std::size_t place, const kept<Plan>& at, bool full) {
    const check& requirement = plan().checks[which];
    history& past = histories_[slope_index(which)][place];
    std::uint64_t n = at.seen(requirement.signal);
    finding out;
    out.observations = n;
    if (!full)
      return out;
    if (n > 0) {
      // A mean that is not known exactly allows no fit.
      const ends total = at.total(plan().keepers[requirement.keepers[0]]);
      const bool is_known = total.low == total.high;
      past.means[past.count++ % requirement.history] =
          is_known ? total.high / static_cast<double>(n) : std::numeric_limits<double>::quiet_NaN();
    }
    std::uint64_t points = past.count < requirement.history ? past.count : requirement.history;
    if (n == 0 || points < requirement.least)
      return out;
    double middle = static_cast<double>(points - 1) / 2, products = 0, squares = 0;
    for (std::uint64_t i = 0; i < points; ++i) {
      double x = static_cast<double>(i) - middle;
      products += x * past.means[(past.count - points + i) % requirement.history];
      squares += x * x;
    }
    double slope = products / squares;
    out.value = out.low = out.high = requirement.absolute ? std::abs(slope) : slope;
    // A mean that was infinite gives a slope that meets no bound.
    bool holds = std::isfinite(slope) && detail::holds(requirement, {out.value, out.value});
    out.is = holds ? verdict::satisfied : verdict::violated;
    return out;
  }

  table<kept<Plan>, windows, places> kept_;
  table<span, windows, places> spans_;
  table<finding, checks, places> findings_;
  table<open_window, checks, places> open_;
  double clock_ = 0;
  table<history, shape.slopes, places> histories_;
  table<bool, checks, slices> heard_{};
  table<bool, clauses, slices> is_kept_{};
  several<bool, slices> is_coming_{}, was_busy_{};
  bool started_ = false;
};

namespace detail {
/// The layout of a checker's members, in order.
constexpr layout checker_layout(const plan_shape& sizes) {
  const std::size_t places = sizes.slices + 1;
  const layout history = layout().add<double>(sizes.history).add<std::uint64_t>();
  return watch_layout(sizes)
      .add(layout().add(kept_layout(sizes), places), sizes.windows)
      .add<window_span>(places * sizes.windows)
      .add<finding>(places * sizes.checks)
      .add<open_window>(places * sizes.checks)
      .add<double>()
      .add(layout().add(history, places), sizes.slopes)
      .add<bool>((sizes.checks + sizes.clauses + 2) * sizes.slices + 1);
}
} // namespace detail

} // namespace tikc
