#pragma once

#include "tikc/detail/layout.h"
#include "tikc/detail/of_plan.h"
#include "tikc/plan.h"
#include "tikc/sums.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>

namespace tikc {

/// An outlier, under the id that the caller gave it.
struct offender {
  double value;
  std::uint64_t id;
};

/// Outliers, the worst first.
struct offenders {
  static constexpr std::size_t capacity = 4;
  offender each[capacity];
  std::size_t count;

  const offender* begin() const { return each; }
  const offender* end() const { return each + count; }
};

/// Keeps the few worst values, the worst first. Ties go to the smaller id, so order does not
/// matter.
template <bool Largest> struct worst_few {
  static constexpr std::size_t capacity = offenders::capacity;
  static constexpr double none =
      Largest ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  offender kept[capacity] = {{none, 0}, {none, 0}, {none, 0}, {none, 0}};
  std::uint8_t count = 0;

  static bool is_worse(const offender& a, const offender& b) {
    if (a.value != b.value)
      return Largest ? a.value > b.value : a.value < b.value;
    return a.id < b.id;
  }

  /// Adds a value. NaN is the worst.
  void add(double value, std::uint64_t id) {
    offender next{value != value ? -none : value, id};
    if (count == capacity && !is_worse(next, kept[capacity - 1]))
      return;
    std::size_t at = count < capacity ? count++ : capacity - 1;
    for (; at > 0 && is_worse(next, kept[at - 1]); --at)
      kept[at] = kept[at - 1];
    kept[at] = next;
  }

  void merge(const worst_few& other) {
    for (std::size_t i = 0; i < other.count; ++i)
      add(other.kept[i].value, other.kept[i].id);
  }

  offenders few() const {
    offenders out{};
    for (; out.count < count; ++out.count)
      out.each[out.count] = kept[out.count];
    return out;
  }
};

namespace detail {

template <class Plan> constexpr std::size_t slots_of(const Plan& plan, fold how) {
  std::size_t out = 0;
  for (const keeper& each : plan.keepers)
    if (each.signal < plan.signals && each.how == how && each.from == reading::cell &&
        each.slot >= out)
      out = each.slot + 1U;
  return out;
}

/// Returns whether clauses read an input of a stream that the server sampled.
template <class Plan> constexpr bool is_asked_of(const Plan& plan, input what, std::size_t stream) {
  for (std::size_t i = 0; i < plan.signals; ++i) {
    const signal& observable = plan.signal_table[i];
    const bool is_token = observable.from == source::tokens || observable.from == source::sequences;
    const bool is_other = observable.from == source::requests || observable.from == source::replays;
    const input from = is_token                          ? input::tokens
                       : observable.from == source::rows ? input::rows
                                                         : input::routes;
    if (!is_other && from == what && observable.stream == stream)
      return plan.streams[stream].is_served;
  }
  return false;
}

/// Returns the range of a figure. A NaN observation is somewhere in this range.
constexpr ends extent_of(const signal& observable) {
  constexpr double unbounded = std::numeric_limits<double>::infinity();
  switch (row_of(observable.what).range) {
  case figure_range::any:
    return {observable.absolute ? 0 : -unbounded, unbounded};
  case figure_range::size:
    return {0, unbounded};
  case figure_range::share:
    return {0, 1};
  case figure_range::log_2:
    return {0, rows::most_js};
  case figure_range::times:
    return {1, unbounded};
  case figure_range::held:
    return {observable.low, observable.high};
  }
  return {-unbounded, unbounded};
}

/// Counts the slots of two kinds that share one array.
template <class Plan> constexpr std::size_t slots_of(const Plan& plan, fold one, fold other) {
  std::size_t first = slots_of(plan, one), second = slots_of(plan, other);
  return first > second ? first : second;
}

/// The sizes of a cell's tables.
struct cell_shape {
  std::size_t streams = 0, signals = 0, totals = 0, largest = 0, smallest = 0, counts = 0,
              sketches = 0;
};
template <class Plan> constexpr cell_shape cell_shape_of(const Plan& plan) {
  return {std::size(plan.streams),
          plan.signals,
          slots_of(plan, fold::total, fold::squares),
          slots_of(plan, fold::largest),
          slots_of(plan, fold::smallest),
          slots_of(plan, fold::share, fold::nonzero),
          slots_of(plan, fold::sketch)};
}
template <class Plan> constexpr cell_shape constant_cell_shape() {
  if constexpr (is_constant<Plan>)
    return cell_shape_of(Plan());
  else
    return {};
}

} // namespace detail

/// The observations of a stream.
struct stream_counts {
  std::uint64_t tokens = 0, sequences = 0, rows = 0, routes = 0;

  void merge(const stream_counts& other) {
    tokens += other.tokens;
    sequences += other.sequences;
    rows += other.rows;
    routes += other.routes;
  }
};

/// The numbers of a cell.
template <class Plan> struct cell_numbers {
  template <class T, std::size_t Count> using several = detail::several<Plan, T, Count>;
  static constexpr detail::cell_shape shape = detail::constant_cell_shape<Plan>();

  // Observed, by stream, since the links of a chain see the same tokens again; and in total.
  several<stream_counts, shape.streams> through{};
  std::uint64_t requests = 0, batch_replays = 0, request_replays = 0;
  // Served in total, observed or not, as the engine counts it.
  std::uint64_t served_tokens = 0, served_requests = 0;
  several<std::uint64_t, shape.signals> seen{};
  several<std::uint64_t, shape.signals>
      unknown{}; // how many of these are NaN, which no sum contains
  several<sum, shape.totals> total;
  several<worst_few<true>, shape.largest> largest;
  several<worst_few<false>, shape.smallest> smallest;
  several<std::uint64_t, shape.counts> count{};
  several<signed_sketch, shape.sketches> sketch;
};

/// The observations of one slice over one period, except what the tokens' pass keeps. Plain data,
/// merged by addition.
template <class Plan> struct cell : detail::of_plan<Plan, cell<Plan>>, cell_numbers<Plan> {
  using numbers = cell_numbers<Plan>;
  using detail::of_plan<Plan, cell<Plan>>::plan;
  using numbers::batch_replays, numbers::count, numbers::largest, numbers::request_replays,
      numbers::requests, numbers::seen, numbers::served_requests, numbers::served_tokens,
      numbers::sketch, numbers::smallest, numbers::through, numbers::total, numbers::unknown;

  cell() = default;
  explicit cell(const Plan& tables) : detail::of_plan<Plan, cell<Plan>>(tables) {
    if constexpr (!detail::is_constant<Plan>) {
      const detail::cell_shape size = detail::cell_shape_of(tables);
      detail::make(through, size.streams);
      detail::make(seen, size.signals);
      detail::make(unknown, size.signals);
      detail::make(total, size.totals);
      detail::make(largest, size.largest);
      detail::make(smallest, size.smallest);
      detail::make(count, size.counts);
      detail::make(sketch, size.sketches);
    }
  }

  void merge(const cell& other) {
    merge_each(through, other.through);
    requests += other.requests;
    batch_replays += other.batch_replays;
    request_replays += other.request_replays;
    serve(other.served_tokens, other.served_requests);
    add_each(seen, other.seen);
    add_each(unknown, other.unknown);
    merge_each(total, other.total);
    merge_each(largest, other.largest);
    merge_each(smallest, other.smallest);
    add_each(count, other.count);
    merge_each(sketch, other.sketch);
  }

  /// Adds to the engine's counts, which saturate: if they wrapped to 0, the observed share would
  /// appear to be 1.
  void serve(std::uint64_t more_tokens, std::uint64_t more_requests) {
    auto add = [](std::uint64_t& into, std::uint64_t more) {
      into = more <= ~into ? into + more : ~std::uint64_t{0};
    };
    add(served_tokens, more_tokens);
    add(served_requests, more_requests);
  }

  /// Clears in place: a cell may be larger than the stack.
  void clear() {
    clear_each(through);
    requests = batch_replays = request_replays = 0;
    served_tokens = served_requests = 0;
    clear_each(seen);
    clear_each(unknown);
    clear_each(total);
    clear_each(largest);
    clear_each(smallest);
    clear_each(count);
    clear_each(sketch);
  }

  /// The number of tokens: the most that any link of a chain was shown.
  std::uint64_t tokens() const { return most(&stream_counts::tokens); }
  /// The number of contexts with log-probs or rows: either may come without the other.
  std::uint64_t contexts() const { return std::max(tokens(), rows()); }
  std::uint64_t sequences() const { return most(&stream_counts::sequences); }
  std::uint64_t rows() const { return most(&stream_counts::rows); }
  std::uint64_t routes() const { return most(&stream_counts::routes); }

  /// Returns how often an input was observed, on the link with the fewest observations among the
  /// links that clauses read it from. `served` is how often it could have been.
  std::uint64_t observed(input what) const {
    switch (what) {
    case input::rows:
      return fewest(what, &stream_counts::rows, rows());
    case input::routes:
      return fewest(what, &stream_counts::routes, routes());
    case input::tokens:
      return fewest(what, &stream_counts::tokens, tokens());
    case input::requests:
      return requests;
    case input::batch_replays:
      return batch_replays;
    case input::request_replays:
      return request_replays;
    }
    return 0;
  }
  std::uint64_t served(input what) const {
    bool is_by_token = what == input::rows || what == input::routes || what == input::tokens;
    return is_by_token ? served_tokens : served_requests;
  }

  /// Returns whether anything was served or observed.
  bool is_busy() const {
    bool out = (served_tokens | served_requests | requests | batch_replays | request_replays) != 0;
    for (const stream_counts& each : through)
      out = out || (each.tokens | each.sequences | each.rows | each.routes) != 0;
    return out;
  }

  /// Adds one value of one signal. The loop runs over a constant table, so only the signal's
  /// keepers remain.
  template <std::size_t Signal> void add(double value, std::uint64_t id) {
    const bool is_known = observe(Signal, value);
    for (const keeper& each : plan().keepers)
      if (each.signal == Signal && each.from == reading::cell)
        keep(each, value, is_known, id);
  }

  /// Adds one value of one signal of a table read at run time.
  void add(std::size_t which, double value, std::uint64_t id) {
    const bool is_known = observe(which, value);
    for (const keeper& each : plan().keepers_of(which))
      if (each.from == reading::cell)
        keep(each, value, is_known, id);
  }

private:
  bool observe(std::size_t which, double value) {
    const bool is_known = value == value;
    ++seen[which];
    unknown[which] += is_known ? 0U : 1U;
    return is_known;
  }

  void keep(const keeper& in, double value, bool is_known, std::uint64_t id) {
    switch (in.how) {
    case fold::total:
      total[in.slot].add(is_known ? value : 0);
      break;
    case fold::squares:
      total[in.slot].add(is_known ? value * value : 0);
      break;
    case fold::largest:
      largest[in.slot].add(value, id);
      break;
    case fold::smallest:
      smallest[in.slot].add(value, id);
      break;
    case fold::nonzero:
      count[in.slot] += (is_known ? value != 0 : in.counts_nan) ? 1U : 0U;
      break;
    case fold::share:
      count[in.slot] += is_known ? compare(value, in.than, in.threshold) : in.counts_nan;
      break;
    case fold::sketch:
      sketch[in.slot].add(value);
      break;
    case fold::moments:
      break;
    }
  }

  std::uint64_t most(std::uint64_t stream_counts::*member) const {
    std::uint64_t out = 0;
    for (std::size_t i = 0; i < through.size(); ++i)
      if (plan().streams[i].is_served && through[i].*member > out)
        out = through[i].*member;
    return out;
  }
  std::uint64_t fewest(input what, std::uint64_t stream_counts::*member,
                       std::uint64_t otherwise) const {
    std::uint64_t out = otherwise;
    for (std::size_t i = 0; i < through.size(); ++i)
      if (detail::is_asked_of(plan(), what, i) && through[i].*member < out)
        out = through[i].*member;
    return out;
  }

  template <class Several> static void add_each(Several& into, const Several& from) {
    for (std::size_t i = 0; i < into.size(); ++i)
      into[i] += from[i];
  }
  template <class Several> static void merge_each(Several& into, const Several& from) {
    for (std::size_t i = 0; i < into.size(); ++i)
      into[i].merge(from[i]);
  }
  template <class Several> static void clear_each(Several& state) {
    for (auto& each : state)
      each = {};
  }
};

namespace detail {
/// The layout of a cell's members, in order.
constexpr layout cell_layout(const plan_shape& sizes) {
  constexpr std::size_t volumes = 5;
  return layout()
      .add<stream_counts>(sizes.streams)
      .add<std::uint64_t>(volumes)
      .add<std::uint64_t>(sizes.signals)
      .add<std::uint64_t>(sizes.signals)
      .add<sum>(sizes.totals)
      .add<worst_few<true>>(sizes.largest)
      .add<worst_few<false>>(sizes.smallest)
      .add<std::uint64_t>(sizes.counts)
      .add<signed_sketch>(sizes.sketches);
}
} // namespace detail

} // namespace tikc
