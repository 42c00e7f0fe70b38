#pragma once

#include "tikc/kept.h"
#include "tikc/row.h"
#include "tikc/watch.h"

namespace tikc {

/// An engine's measurements of a finished request, in seconds and tokens per second. A field that
/// was not measured stays `absent`, and does not count as an observation.
struct request_times {
  static constexpr double absent = -1;
  double latency = absent;
  double first_token_latency = absent;
  double inter_token_latency = absent;
  double throughput = absent;
  bool failed = false;
};

namespace detail {

// The figures of requests and of responses, with an overload for each.

inline double value_of(which<figure::latency>, const request_times& times) { return times.latency; }
inline double value_of(which<figure::first_token_latency>, const request_times& times) {
  return times.first_token_latency;
}
inline double value_of(which<figure::inter_token_latency>, const request_times& times) {
  return times.inter_token_latency;
}
inline double value_of(which<figure::throughput>, const request_times& times) {
  return times.throughput;
}
inline double value_of(which<figure::errors>, const request_times& times) {
  return times.failed ? 1 : 0;
}

inline double request_value(figure what, const request_times& times) {
  switch (what) {
#define TIKC_REQUEST(Id, name, ...)                                                                \
  case figure::name:                                                                               \
    return value_of(which<figure::name>(), times);
#include "tikc/figures.def"
  default:
    return request_times::absent;
  }
}

inline double value_of(which<figure::seq_log_ratio>, const signal&, const sequence& response) {
  return response.seq_log_ratio();
}
inline double value_of(which<figure::seq_geo_ratio>, const signal&, const sequence& response) {
  return response.seq_geo_ratio();
}
inline double value_of(which<figure::seq_ratio>, const signal&, const sequence& response) {
  return std::exp(response.seq_log_ratio());
}
inline double value_of(which<figure::seq_capped_ratio>, const signal& observable,
                       const sequence& response) {
  return capped(observable, std::exp(response.seq_log_ratio()));
}
inline double value_of(which<figure::seq_tv>, const signal&, const sequence& response) {
  return response.seq_tv();
}
inline double value_of(which<figure::seq_clipped>, const signal& observable,
                       const sequence& response) {
  return outside(observable, response.seq_log_ratio());
}
inline double value_of(which<figure::seq_geo_clipped>, const signal& observable,
                       const sequence& response) {
  return outside(observable, response.seq_log_geo_ratio());
}
inline double value_of(which<figure::seq_veto>, const signal& observable,
                       const sequence& response) {
  return static_cast<double>(response.least) < observable.low ? 1 : 0;
}

inline double sequence_value(const signal& observable, const sequence& response) {
  if (std::isnan(response.seq_log_ratio()))
    return std::numeric_limits<double>::quiet_NaN();
  switch (observable.what) {
#define TIKC_SEQUENCE(Id, name, ...)                                                               \
  case figure::name:                                                                               \
    return value_of(which<figure::name>(), observable, response);
#include "tikc/figures.def"
  default:
    return std::numeric_limits<double>::quiet_NaN();
  }
}

inline double row_value(figure what, const row_stats& row) {
  if ((row.unknown >> static_cast<unsigned>(what) & 1U) != 0)
    return std::numeric_limits<double>::quiet_NaN();
  switch (what) {
#define TIKC_ROW(Id, name, ...)                                                                    \
  case figure::name:                                                                               \
    return row.name;
#include "tikc/figures.def"
  default:
    return std::numeric_limits<double>::quiet_NaN();
  }
}

/// Returns NaN for impossible values. They are errors of measurement, such as from a clock that was
/// set back.
inline double within(double value, double most) {
  return value >= 0 && value <= most ? value : std::numeric_limits<double>::quiet_NaN();
}

struct wire_access;

template <class Plan> constexpr auto find_singles() {
  std::array<bool, Plan::signals> out{};
  for (const keeper& each : Plan::keepers)
    if (each.signal < Plan::signals && each.from == reading::cell)
      out[each.signal] = Plan::signal_table[each.signal].from == source::tokens;
  return out;
}
/// The indices of token figures that the tokens' pass does not keep. Computed once: a plan may have
/// thousands.
template <class Plan> inline constexpr auto singles = find_singles<Plan>();
} // namespace detail

/// The observations of one worker since the last clear, by slice. A tally belongs to one thread;
/// tallies of several threads merge in any order. Ids are the caller's, and name the worst
/// observations.
template <class Plan>
class tally : public detail::of_plan<Plan, tally<Plan>>, detail::watch_list<Plan, tally<Plan>> {
  using watches = detail::watch_list<Plan, tally<Plan>>;

public:
  tally() = default;
  explicit tally(const Plan& tables)
      : detail::of_plan<Plan, tally<Plan>>(tables), watches(tables) {}

  static constexpr std::size_t slices = Plan::slices;
  static constexpr std::size_t streams = sizeof(Plan::streams) / sizeof(stream);
  using token_plan = typename Plan::token_plan;
  using tokens_of = token_stats<token_plan>;

  /// Counts served tokens and requests, observed or not. Sampling clauses require a share of them.
  void serve(std::size_t slice, std::uint64_t tokens, std::uint64_t requests = 1) {
    cells_[slice].serve(tokens, requests);
  }

  /// Adds a number that assumptions may be about, such as a response's reward. Omit unknown
  /// numbers: NaN is outside every range.
  void hand_in(quantity subject, double value, std::uint64_t id = 0) {
    watches::see(Plan(), subject, value, id);
  }

  /// Observes the rows of logits for one context, before any temperature. `scratch` has
  /// row_scratch_floats(Plan::vocabulary) floats, owned by the caller, one buffer per thread.
  template <std::size_t Stream = 0>
  void observe_row(std::size_t slice, row_view train, row_view infer, float* scratch,
                   std::uint64_t id = 0) {
    constexpr stream link = Plan::streams[Stream];
    row_stats row;
    if constexpr (link.row_wants != 0) {
      constexpr bool greedy = link.train_temperature == 0 || link.infer_temperature == 0;
      row = detail::rows::row_pass_at<link.row_wants, greedy>(
          detail::rows::best_instruction_set(), train, infer, std::size_t{Plan::vocabulary},
          link.train_temperature, link.infer_temperature, std::int64_t{-1}, scratch, link.masks);
      // A greedy row has no cut, and a spoilt row misses all mass already.
      if constexpr (Plan::streams[Stream].misses_by_cuts())
        if (row.missing_mass < 1)
          row.missing_mass = missing_mass(train, infer, Plan::vocabulary, link.train_temperature,
                                          link.infer_temperature, link.cut, scratch);
    }
    add_row<Stream>(slice, row, id);
  }

  /// Adds figures of rows that were reduced elsewhere, such as on a GPU by tikc/cuda/rows.h. They
  /// must use the stream's temperatures and mask rule, and include its `row_wants`. They lack the
  /// mass that cuts remove.
  template <std::size_t Stream = 0>
  void observe_row_figures(std::size_t slice, const row_stats& row, std::uint64_t id = 0) {
    static_assert(!Plan::streams[Stream].misses_by_cuts(),
                  "the mass that cuts remove is not among a row's figures: call observe_row");
    add_row<Stream>(slice, row, id);
  }

  /// Observes tokens of one slice.
  template <std::size_t Stream = 0>
  void observe_tokens(std::size_t slice, const token_batch& batch) {
    count_tokens<Stream>(slice, [&](tokens_of& stats) { observe<token_plan>(stats, batch); });
    observe_singly<Stream>(batch, [&](std::size_t) { return slice; });
  }

  /// Observes tokens of one response, which may come in several batches; end_sequence ends it. If
  /// no clause is about responses, the tokens count as tokens, and the response keeps at most its
  /// length.
  template <std::size_t Stream = 0>
  void observe_tokens(std::size_t slice, const token_batch& batch, sequence& response) {
    count_tokens<Stream>(slice, [&](tokens_of& stats) {
      if constexpr (asks_of_responses)
        observe<token_plan>(stats, batch, response);
      else
        observe_length(stats, batch, response);
    });
    add_to_response<Stream>(batch, response, std::make_index_sequence<response_sums>());
    observe_singly<Stream>(batch, [&](std::size_t) { return slice; });
  }

  /// Observes tokens with a slice for each. Returns the number of tokens whose slice is out of
  /// range.
  template <std::size_t Stream = 0>
  [[nodiscard]] std::uint64_t observe_tokens(const std::uint8_t* slice, const token_batch& batch,
                                             token_scratch& scratch) {
    std::uint64_t before[slices];
    for (std::size_t i = 0; i < slices; ++i)
      before[i] = tokens_[Stream][i].count;
    std::uint64_t strays =
        observe_sliced<token_plan>(tokens_[Stream].data(), slices, batch, slice, scratch);
    for (std::size_t i = 0; i < slices; ++i)
      cells_[i].through[Stream].tokens += tokens_[Stream][i].count - before[i];
    observe_singly<Stream>(batch, [&](std::size_t i) { return std::size_t{slice[i]}; });
    return strays;
  }

  template <std::size_t Stream = 0>
  void end_sequence(std::size_t slice, const sequence& response, std::uint64_t id = 0) {
    ++cells_[slice].through[Stream].sequences;
    if (response.tokens == 0)
      return; // a response without tokens shows nothing about how the kernels differ
    if constexpr (Stream == 0)
      watches::see(Plan(), quantity::length, static_cast<double>(response.tokens), id);
    each_signal<source::sequences, Stream>([&](auto which) {
      constexpr signal one = Plan::signal_table[which];
      const double value = detail::is_by_response(one) ? detail::mean_by_response(one, response)
                                                       : detail::sequence_value(one, response);
      cells_[slice].template add<which>(one.absolute ? std::abs(value) : value, id);
    });
  }

  void observe_request(std::size_t slice, const request_times& times, std::uint64_t id = 0) {
    ++cells_[slice].requests;
    each_signal<source::requests, 0>([&](auto which) {
      double value = detail::request_value(Plan::signal_table[which].what, times);
      if (value != request_times::absent)
        cells_[slice].template add<which>(detail::within(value, std::numeric_limits<double>::max()),
                                          id);
    });
  }

  /// Adds the largest log-prob change of a request's tokens, in another batch or on a second run.
  void observe_batch_replay(std::size_t slice, double drift, std::uint64_t id = 0) {
    ++cells_[slice].batch_replays;
    replay(slice, figure::batch_drift, drift, id);
  }
  void observe_request_replay(std::size_t slice, double drift, std::uint64_t id = 0) {
    ++cells_[slice].request_replays;
    replay(slice, figure::replay_drift, drift, id);
  }

  /// Adds the share of layers that selected different experts.
  template <std::size_t Stream = 0>
  void observe_routes(std::size_t slice, double share, std::uint64_t id = 0) {
    ++cells_[slice].through[Stream].routes;
    each_signal<source::routes, Stream>(
        [&](auto which) { cells_[slice].template add<which>(detail::within(share, 1), id); });
  }

  void merge(const tally& other) {
    watches::add(other.watched());
    for (std::size_t i = 0; i < slices; ++i) {
      cells_[i].merge(other.cells_[i]);
      for (std::size_t j = 0; j < streams; ++j)
        tokens_[j][i].merge(other.tokens_[j][i]);
    }
  }

  void clear() {
    watches::clear();
    for (std::size_t i = 0; i < slices; ++i) {
      cells_[i].clear();
      for (std::size_t j = 0; j < streams; ++j)
        tokens_[j][i].clear();
    }
  }

  const watches& watched() const { return *this; }
  const cell<Plan>& observed(std::size_t slice) const { return cells_[slice]; }
  const tokens_of& tokens(std::size_t stream, std::size_t slice) const {
    return tokens_[stream][slice];
  }

  void merge_into(kept<Plan>& into, std::size_t slice) const {
    into.observed.merge(cells_[slice]);
    for (std::size_t j = 0; j < streams; ++j)
      into.tokens[j].merge(tokens_[j][slice]);
  }

private:
  friend struct detail::wire_access;

  static constexpr std::uint32_t of_responses = token_want::gap | token_want::range;
  static constexpr bool asks_of_responses = (token_plan::wants & of_responses) == of_responses;

  template <std::size_t At> using index = std::integral_constant<std::size_t, At>;

  template <source From, std::size_t Stream, class Visit> static void each_signal(Visit&& visit) {
    visit_signals<From, Stream, 0, Plan::signals>(visit);
  }
  /// Visits signals by halves, because compilers limit the nesting of templates.
  template <source From, std::size_t Stream, std::size_t First, std::size_t End, class Visit>
  static void visit_signals(Visit& visit) {
    if constexpr (End - First > 1) {
      visit_signals<From, Stream, First, First + (End - First) / 2>(visit);
      visit_signals<From, Stream, First + (End - First) / 2, End>(visit);
    } else if constexpr (First < End) {
      if constexpr (Plan::signal_table[First].from == From &&
                    Plan::signal_table[First].stream == Stream)
        visit(index<First>());
    }
  }

  template <std::size_t Stream>
  void add_row(std::size_t slice, const row_stats& row, std::uint64_t id) {
    constexpr std::uint32_t wants = Plan::streams[Stream].row_wants;
    ++cells_[slice].through[Stream].rows;
    if constexpr (Stream == 0 && (wants & row_want::missing_mass) != 0)
      if (const double missing = detail::row_value(figure::missing_mass, row); missing == missing)
        watches::see(Plan(), quantity::missing_mass, missing, id);
    if constexpr (wants != 0)
      each_signal<source::rows, Stream>([&](auto which) {
        cells_[slice].template add<which>(detail::row_value(Plan::signal_table[which].what, row),
                                          id);
      });
  }

  /// Counts the length of a response that no clause is about: an assumption may still be.
  static void observe_length(tokens_of& stats, const token_batch& batch, sequence& response) {
    const std::uint64_t before = stats.count;
    observe<token_plan>(stats, batch);
    if constexpr (watches::sees(Plan(), quantity::length))
      response.tokens += stats.count - before;
  }

  template <std::size_t Stream, class Observe>
  void count_tokens(std::size_t slice, Observe&& observe) {
    tokens_of& stats = tokens_[Stream][slice];
    std::uint64_t before = stats.count;
    observe(stats);
    cells_[slice].through[Stream].tokens += stats.count - before;
  }

  template <std::size_t Stream, class SliceOf>
  void observe_singly(const token_batch& batch, SliceOf&& slice_of) {
    each_signal<source::tokens, Stream>([&](auto which) {
      if constexpr (detail::singles<Plan>[which]) {
        constexpr signal one = Plan::signal_table[which];
        for (std::size_t i = 0; i < batch.size; ++i) {
          std::size_t slice = slice_of(i);
          if ((batch.mask == nullptr || batch.mask[i] != 0) && slice < slices)
            cells_[slice].template add<which>(detail::token_value(one, batch, i), batch.first + i);
        }
      }
    });
  }

  /// Returns the first signal whose mean over a response uses this sum, or Plan::signals.
  template <std::size_t Stream> static constexpr std::size_t averaged(std::size_t sum) {
    std::size_t out = 0;
    while (out < Plan::signals &&
           !(Plan::signal_table[out].from == source::sequences &&
             Plan::signal_table[out].stream == Stream &&
             detail::response_sum_of(Plan::signal_table[out]) == static_cast<int>(sum)))
      ++out;
    return out;
  }
  template <std::size_t Stream, std::size_t... At>
  static void add_to_response(const token_batch& batch, sequence& response,
                              std::index_sequence<At...>) {
    (add_figure<At, averaged<Stream>(At)>(batch, response), ...);
  }
  /// Adds the tokens' values to a sum of their response. One NaN makes the sum NaN.
  template <std::size_t Sum, std::size_t Signal>
  static void add_figure(const token_batch& batch, sequence& response) {
    if constexpr (Signal < Plan::signals) {
      constexpr signal one = Plan::signal_table[Signal];
      for (std::size_t i = 0; i < batch.size; ++i)
        if (batch.mask == nullptr || batch.mask[i] != 0)
          response.figures[Sum] += detail::token_value(one, batch, i);
    }
  }

  void replay(std::size_t slice, figure what, double drift, std::uint64_t id) {
    each_signal<source::replays, 0>([&](auto which) {
      if (Plan::signal_table[which].what == what)
        cells_[slice].template add<which>(
            detail::within(drift, std::numeric_limits<double>::infinity()), id);
    });
  }

  std::array<cell<Plan>, slices> cells_;
  std::array<std::array<tokens_of, slices>, streams> tokens_;
};

namespace detail {
/// The layout of a tally's members, in order.
constexpr layout tally_layout(const plan_shape& sizes) {
  return watch_layout(sizes)
      .add(cell_layout(sizes), sizes.slices)
      .add(layout().add(tokens_layout(sizes), sizes.slices), sizes.streams);
}
} // namespace detail

} // namespace tikc
