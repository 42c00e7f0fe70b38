#pragma once

#include "tikc/detail/layout.h"
#include "tikc/plan.h"
#include "tikc/sums.h"

#include <array>
#include <limits>

namespace tikc {

/// An observation that stands out, under the name that the caller gave it.
struct offender {
  double value;
  std::uint64_t id;
};

/// The worst first.
struct offenders {
  static constexpr std::size_t capacity = 4;
  offender each[capacity];
  std::size_t count;

  const offender* begin() const { return each; }
  const offender* end() const { return each + count; }
};

/// The few worst, the worst first. Ties go to the smaller id, so that order does not matter.
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

  /// NaN is the worst value there is.
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

template <class Plan> constexpr std::size_t slots_of(fold how) {
  std::size_t out = 0;
  for (const keeper& each : Plan::keepers)
    if (each.signal < Plan::signals && each.how == how && each.from == reading::cell &&
        each.slot >= out)
      out = each.slot + 1U;
  return out;
}

/// Which inputs clauses ask of which streams, of what the server drew.
template <class Plan> constexpr auto find_asked() {
  constexpr std::size_t streams = sizeof(Plan::streams) / sizeof(stream);
  std::array<std::array<bool, streams>, 3> out{};
  for (std::size_t i = 0; i < Plan::signals; ++i) {
    const signal& of = Plan::signal_table[i];
    const bool is_token = of.from == source::tokens || of.from == source::sequences;
    if (of.from == source::requests || of.from == source::replays)
      continue;
    const input what = is_token                  ? input::tokens
                       : of.from == source::rows ? input::rows
                                                 : input::routes;
    out[static_cast<std::size_t>(what)][of.stream] = Plan::streams[of.stream].is_served;
  }
  return out;
}
template <class Plan> inline constexpr auto asked = find_asked<Plan>();

/// What a figure can be: what is observed of it and no number is somewhere in between.
constexpr ends extent_of(const signal& of) {
  constexpr double unbounded = std::numeric_limits<double>::infinity();
  switch (row_of(of.what).range) {
  case figure_range::any:
    return {of.absolute ? 0 : -unbounded, unbounded};
  case figure_range::size:
    return {0, unbounded};
  case figure_range::share:
    return {0, 1};
  case figure_range::log_2:
    return {0, rows::most_js};
  case figure_range::held:
    return {of.low, of.high};
  }
  return {-unbounded, unbounded};
}

/// Two kinds that are kept in one array.
template <class Plan> constexpr std::size_t slots_of(fold one, fold other) {
  std::size_t first = slots_of<Plan>(one), second = slots_of<Plan>(other);
  return first > second ? first : second;
}

} // namespace detail

/// What a stream was shown.
struct passed {
  std::uint64_t tokens = 0, sequences = 0, rows = 0, routes = 0;

  void merge(const passed& other) {
    tokens += other.tokens;
    sequences += other.sequences;
    rows += other.rows;
    routes += other.routes;
  }
};

/// What is kept of one slice over one stretch of time, but for what the tokens' own pass keeps:
/// plain data, merged by addition.
template <class Plan> struct cell {
  static constexpr std::size_t streams = sizeof(Plan::streams) / sizeof(stream);
  static constexpr std::size_t signals = Plan::signals;
  static constexpr std::size_t totals = detail::slots_of<Plan>(fold::total, fold::squares);
  static constexpr std::size_t largest_kept = detail::slots_of<Plan>(fold::largest);
  static constexpr std::size_t smallest_kept = detail::slots_of<Plan>(fold::smallest);
  static constexpr std::size_t counts = detail::slots_of<Plan>(fold::share, fold::nonzero);
  static constexpr std::size_t sketches = detail::slots_of<Plan>(fold::sketch);

  // Observed: by stream, since links of a chain are shown the same tokens again, and in all.
  std::array<passed, streams> through{};
  std::uint64_t requests = 0, batch_replays = 0, request_replays = 0;
  // In all, observed or not, by what the engine says.
  std::uint64_t served_tokens = 0, served_requests = 0;
  std::array<std::uint64_t, signals> seen{};
  std::array<std::uint64_t, signals> unknown{}; // of these, what is no number and in no sum
  std::array<sum, totals> total;
  std::array<worst_few<true>, largest_kept> largest;
  std::array<worst_few<false>, smallest_kept> smallest;
  std::array<std::uint64_t, counts> count{};
  std::array<signed_sketch, sketches> sketch;

  void merge(const cell& other) {
    for (std::size_t i = 0; i < streams; ++i)
      through[i].merge(other.through[i]);
    requests += other.requests;
    batch_replays += other.batch_replays;
    request_replays += other.request_replays;
    serve(other.served_tokens, other.served_requests);
    for (std::size_t i = 0; i < signals; ++i) {
      seen[i] += other.seen[i];
      unknown[i] += other.unknown[i];
    }
    for (std::size_t i = 0; i < totals; ++i)
      total[i].merge(other.total[i]);
    for (std::size_t i = 0; i < largest_kept; ++i)
      largest[i].merge(other.largest[i]);
    for (std::size_t i = 0; i < smallest_kept; ++i)
      smallest[i].merge(other.smallest[i]);
    for (std::size_t i = 0; i < counts; ++i)
      count[i] += other.count[i];
    for (std::size_t i = 0; i < sketches; ++i)
      sketch[i].merge(other.sketch[i]);
  }

  /// The counts are an engine's word, and stay at the most there is: begun anew at 0, what was
  /// observed would be all of it.
  void serve(std::uint64_t more_tokens, std::uint64_t more_requests) {
    auto add = [](std::uint64_t& into, std::uint64_t more) {
      into = more <= ~into ? into + more : ~std::uint64_t{0};
    };
    add(served_tokens, more_tokens);
    add(served_requests, more_requests);
  }

  /// In place: a cell may be larger than a stack has room for.
  void clear() {
    through.fill({});
    requests = batch_replays = request_replays = 0;
    served_tokens = served_requests = 0;
    seen.fill(0);
    unknown.fill(0);
    total.fill({});
    largest.fill({});
    smallest.fill({});
    count.fill(0);
    for (signed_sketch& each : sketch)
      each = {};
  }

  /// What passed, as far as links were shown it: any of them may have been shown the most.
  std::uint64_t tokens() const { return most(&passed::tokens); }
  std::uint64_t sequences() const { return most(&passed::sequences); }
  std::uint64_t rows() const { return most(&passed::rows); }
  std::uint64_t routes() const { return most(&passed::routes); }

  /// How often an input was observed, on the link that clauses ask it of and that was shown the
  /// least, and how often it could have been.
  std::uint64_t observed(input what) const {
    switch (what) {
    case input::rows:
      return fewest(what, &passed::rows, rows());
    case input::routes:
      return fewest(what, &passed::routes, routes());
    case input::tokens:
      return fewest(what, &passed::tokens, tokens());
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

  /// Whether there was anything, served or observed.
  bool is_busy() const {
    bool out = (served_tokens | served_requests | requests | batch_replays | request_replays) != 0;
    for (const passed& each : through)
      out = out || (each.tokens | each.sequences | each.rows | each.routes) != 0;
    return out;
  }

  /// One value of one signal. The loop is over a constant table, so it leaves what the signal
  /// keeps.
  template <std::size_t Signal> void add(double value, std::uint64_t id) {
    const bool is_known = value == value;
    ++seen[Signal];
    unknown[Signal] += is_known ? 0U : 1U;
    for (const keeper& each : Plan::keepers) {
      if (each.signal != Signal || each.from != reading::cell)
        continue;
      switch (each.how) {
      case fold::total:
        total[each.slot].add(is_known ? value : 0);
        break;
      case fold::squares:
        total[each.slot].add(is_known ? value * value : 0);
        break;
      case fold::largest:
        largest[each.slot].add(value, id);
        break;
      case fold::smallest:
        smallest[each.slot].add(value, id);
        break;
      case fold::nonzero:
        count[each.slot] += (is_known ? value != 0 : each.counts_nan) ? 1U : 0U;
        break;
      case fold::share:
        count[each.slot] += is_known ? compare(value, each.than, each.threshold) : each.counts_nan;
        break;
      case fold::sketch:
        sketch[each.slot].add(value);
        break;
      case fold::moments:
        break;
      }
    }
  }

private:
  std::uint64_t most(std::uint64_t passed::*of) const {
    std::uint64_t out = 0;
    for (std::size_t i = 0; i < streams; ++i)
      if (Plan::streams[i].is_served && through[i].*of > out)
        out = through[i].*of;
    return out;
  }
  std::uint64_t fewest(input what, std::uint64_t passed::*of, std::uint64_t otherwise) const {
    std::uint64_t out = otherwise;
    for (std::size_t i = 0; i < streams; ++i)
      if (detail::asked<Plan>[static_cast<std::size_t>(what)][i] && through[i].*of < out)
        out = through[i].*of;
    return out;
  }
};

namespace detail {
/// Its members, in their order.
constexpr layout cell_layout(const plan_shape& of) {
  constexpr std::size_t volumes = 5;
  return layout()
      .add<passed>(of.streams)
      .add<std::uint64_t>(volumes)
      .add<std::uint64_t>(of.signals)
      .add<std::uint64_t>(of.signals)
      .add<sum>(of.totals)
      .add<worst_few<true>>(of.largest)
      .add<worst_few<false>>(of.smallest)
      .add<std::uint64_t>(of.counts)
      .add<signed_sketch>(of.sketches);
}
} // namespace detail

} // namespace tikc
