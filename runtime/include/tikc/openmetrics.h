#pragma once

#include "tikc/detail/snapshot.h"
#include "tikc/detail/text_sink.h"

namespace tikc {

inline constexpr const char* prometheus_content_type = "text/plain; version=0.0.4; charset=utf-8";
inline constexpr const char* openmetrics_content_type =
    "application/openmetrics-text; version=1.0.0; charset=utf-8";

namespace detail {

enum class metrics_format : std::uint8_t { prometheus, openmetrics };

/// Writes both formats. OpenMetrics also names a family without its samples' suffix, states units,
/// ends with an EOF, and ties `_count` to `_sum`.
template <class Plan, class Sink> class metrics_writer {
public:
  metrics_writer(const checker<Plan>& judged, const tally<Plan>& observed, Sink& sink,
                 metrics_format format)
      : judged_(judged), observed_(observed), out_(sink),
        is_open_(format != metrics_format::prometheus) {}

  void write() {
    write_contract();
    write_verdicts("verdict", "Of a clause: 0 undecided, 1 satisfied, 2 violated, 3 unasked.",
                   [&](std::size_t clause, std::size_t slice) {
                     return static_cast<std::uint64_t>(judged_.of(clause, slice));
                   });
    write_verdicts("verdict_kept", "Whether a clause's verdict is that of a window before.",
                   [&](std::size_t clause, std::size_t slice) {
                     return std::uint64_t{judged_.is_kept(clause, slice)};
                   });
    write_findings("check_value", "What a check's last window showed, in the unit of the check.",
                   [](const finding& outcome) { return outcome.value; });
    write_findings("check_low", "The lower end of where a check's value lies.",
                   [](const finding& outcome) { return outcome.low; });
    write_findings("check_high", "The upper end of where a check's value lies.",
                   [](const finding& outcome) { return outcome.high; });
    write_bounds();
    write_findings("check_observations", "Observations in a check's last window.",
                   [](const finding& outcome) { return outcome.observations; });
    using observed = const cell<Plan>;
    write_volume("tokens", "Sampled tokens observed.",
                 [](observed& state) { return state.tokens(); });
    write_volume("sequences", "Responses observed.",
                 [](observed& state) { return state.sequences(); });
    write_volume("requests", "Requests observed.", [](observed& state) { return state.requests; });
    write_unexpected();
    if constexpr (has_assumptions<Plan>::value)
      write_states("assumption_state", "assumption",
                   "Of what claims take as given: 0 unwatched, 1 held so far, 2 broken.",
                   plan().assumptions, &assumption::says, [&](std::size_t i) {
                     return static_cast<std::uint64_t>(judged_.assumed(i).is);
                   });
    if constexpr (has_claims<Plan>::value)
      write_states("claim_state", "claim",
                   "State of a claim: 0 shown, 1 not shown, 2 suspended (an assumption is broken), "
                   "3 withdrawn (a clause that its proof uses is violated).",
                   plan().claims, &claim::id,
                   [&](std::size_t i) { return static_cast<std::uint64_t>(judged_.claimed(i)); });
    for (std::uint16_t i = 0; i < plan().signals; ++i)
      write_histograms(i);
    if (is_open_)
      out_.text("# EOF\n");
  }

private:
  using checked = checker<Plan>;

  decltype(auto) plan() const { return judged_.plan(); }

  /// Writes the prefix in lower case, as is Prometheus's convention. Colons are reserved for users'
  /// recording rules.
  void put_prefix() {
    const char* text = plan().metric_prefix;
    if (*text == 0)
      out_.text("tikc");
    if (*text >= '0' && *text <= '9')
      out_.put('_');
    for (; *text != 0; ++text) {
      const bool is_upper = *text >= 'A' && *text <= 'Z';
      const bool is_plain = (*text >= 'a' && *text <= 'z') || (*text >= '0' && *text <= '9');
      out_.put(is_upper ? static_cast<char>(*text - 'A' + 'a') : is_plain ? *text : '_');
    }
  }

  struct metric {
    const char* name;
    const char* unit = "";
    bool absolute = false;
  };
  void put_name(const metric& family, const char* suffix) {
    put_prefix();
    out_.text(family.absolute ? "_absolute_" : "_");
    out_.text(family.name);
    if (*family.unit != 0) {
      out_.put('_');
      out_.text(family.unit);
    }
    out_.text(suffix);
  }

  void put_about(const char* what, const metric& family, const char* suffix, const char* text) {
    out_.text(what);
    put_name(family, is_open_ ? "" : suffix);
    out_.put(' ');
    out_.text(text);
    out_.put('\n');
  }
  void put_family(const metric& family, const char* suffix, const char* type, const char* help) {
    put_about("# HELP ", family, suffix, help);
    put_about("# TYPE ", family, suffix, type);
    if (is_open_ && *family.unit != 0)
      put_about("# UNIT ", family, suffix, family.unit);
  }

  void begin_sample(const metric& family, const char* suffix) {
    put_name(family, suffix);
    out_.text("{contract=");
    put_quoted(plan().contract);
  }
  void put_label(const char* name, const char* value) {
    out_.put(',');
    out_.text(name);
    out_.put('=');
    put_quoted(value);
  }
  void put_label(const char* name, std::uint64_t value) {
    out_.put(',');
    out_.text(name);
    out_.text("=\"");
    write_number(out_, value);
    out_.put('"');
  }
  template <class Value> void end_sample(Value value) {
    out_.text("} ");
    put_value(value);
    out_.put('\n');
  }

  void put_quoted(const char* text) {
    out_.put('"');
    write_text(out_, text, [this](char one) {
      if (one != '"' && one != '\\' && one != '\n')
        return false;
      out_.put('\\');
      out_.put(one == '\n' ? 'n' : one);
      return true;
    });
    out_.put('"');
  }

  void put_value(std::uint64_t value) { write_number(out_, value); }
  void put_value(double value) {
    if (value != value)
      out_.text("NaN");
    else if (std::isinf(value))
      out_.text(value > 0 ? "+Inf" : "-Inf");
    else
      write_finite(out_, value);
  }

  void write_contract() {
    const metric family{"contract"};
    put_family(family, "_info", is_open_ ? "info" : "gauge", "The contract that is checked.");
    begin_sample(family, "_info");
    put_label("version", plan().version);
    put_label("draft", plan().is_draft ? "true" : "false");
    put_label("build", plan().build);
    put_label("digest", plan().digest);
    end_sample(std::uint64_t{1});
  }

  template <class Read> void write_verdicts(const char* name, const char* help, Read&& read) {
    const metric family{name};
    put_family(family, "", "gauge", help);
    for (std::size_t i = 0; i < std::size(plan().clauses); ++i)
      for (std::size_t slice = 0; slice < plan().slices; ++slice) {
        if (!checked::applies(plan(), i, slice))
          continue;
        begin_sample(family, "");
        put_label("clause", plan().clauses[i].id);
        put_label("slice", plan().slice_names[slice]);
        end_sample(read(i, slice));
      }
  }

  /// Begins a sample of a check. The index distinguishes checks with equal texts.
  void begin_check(const metric& family, std::size_t clause, std::size_t check) {
    begin_sample(family, "");
    put_label("clause", plan().clauses[clause].id);
    put_label("check", plan().checks[check].text);
    put_label("number", check - plan().clauses[clause].first);
  }

  template <class Visit> void each_check(Visit&& visit) {
    for (std::size_t i = 0; i < std::size(plan().clauses); ++i)
      for (std::size_t j = 0; j < plan().clauses[i].count; ++j)
        visit(i, plan().clauses[i].first + j);
  }

  /// Writes a value for each finding. A check of the mixture has no slice.
  template <class Read> void write_findings(const char* name, const char* help, Read&& read) {
    const metric family{name};
    put_family(family, "", "gauge", help);
    each_check([&](std::size_t clause, std::size_t check) {
      const bool on_mixture = plan().checks[check].on_mixture;
      for (std::size_t slice = 0; slice < (on_mixture ? 1 : plan().slices); ++slice) {
        if (!on_mixture && !plan().binds[check][slice])
          continue;
        begin_check(family, clause, check);
        if (!on_mixture)
          put_label("slice", plan().slice_names[slice]);
        end_sample(read(judged_.result(check, slice)));
      }
    });
  }

  void write_bounds() {
    const metric family{"check_bound"};
    put_family(family, "", "gauge", "What a check's value is held against.");
    each_check([&](std::size_t clause, std::size_t check) {
      for (std::size_t i = 0; i < plan().checks[check].limit_count; ++i) {
        const limit& at = plan().checks[check].limits[i];
        begin_check(family, clause, check);
        put_label("limit", i);
        put_label("comparator", symbol_of(at.how));
        end_sample(at.bound);
      }
    });
  }

  template <class Read> void write_volume(const char* name, const char* help, Read&& volume_of) {
    const metric family{name};
    put_family(family, "_total", "counter", help);
    for (std::size_t slice = 0; slice < plan().slices; ++slice) {
      begin_sample(family, "_total");
      put_label("slice", plan().slice_names[slice]);
      end_sample(volume_of(observed_.observed(slice)));
    }
  }

  void write_unexpected() {
    const metric family{"unexpected_traffic"};
    bool has_empty = false;
    for (bool each : plan().is_empty)
      has_empty = has_empty || each;
    if (has_empty)
      put_family(family, "", "gauge",
                 "Whether something came to a slice whose declared weight is 0.");
    for (std::size_t slice = 0; slice < plan().slices; ++slice)
      if (plan().is_empty[slice]) {
        begin_sample(family, "");
        put_label("slice", plan().slice_names[slice]);
        end_sample(std::uint64_t{judged_.is_unexpected(slice)});
      }
  }

  template <class Rows, class Name, class Read>
  void write_states(const char* name, const char* label, const char* help, const Rows& rows,
                    Name named, Read&& read) {
    if (std::size(rows) == 0)
      return;
    const metric family{name};
    put_family(family, "", "gauge", help);
    for (std::size_t i = 0; i < std::size(rows); ++i) {
      begin_sample(family, "");
      put_label(label, rows[i].*named);
      end_sample(read(i));
    }
  }

  static constexpr bool is_same_family(const signal& a, const signal& b) {
    return a.what == b.what && a.absolute == b.absolute;
  }

  /// Writes one family for all signals of a figure, at the first of them.
  void write_histograms(std::uint16_t first) {
    const signal& observable = plan().signal_table[first];
    if (!histogram<Plan>::exists(plan(), first))
      return;
    for (std::size_t i = 0; i < first; ++i)
      if (histogram<Plan>::exists(plan(), i) && is_same_family(plan().signal_table[i], observable))
        return;
    const figure_row& words = row_of(observable.what);
    const metric family{words.name, words.unit, observable.absolute};
    put_family(family, "", "histogram", words.says);
    for (std::uint16_t i = first; i < plan().signals; ++i)
      if (histogram<Plan>::exists(plan(), i) && is_same_family(plan().signal_table[i], observable))
        for (std::size_t slice = 0; slice < plan().slices; ++slice)
          write_histogram(family, i, slice);
  }

  void begin_signal(const metric& family, const char* suffix, std::uint16_t which,
                    std::size_t slice) {
    begin_sample(family, suffix);
    put_label("signal", which);
    put_label("stream", plan().signal_table[which].stream);
    put_label("slice", plan().slice_names[slice]);
  }

  void write_histogram(const metric& family, std::uint16_t which, std::size_t slice) {
    const histogram<Plan> shown(observed_, which, slice);
    for (const edge& each : shown) {
      begin_signal(family, "_bucket", which, slice);
      out_.text(",le=\"");
      put_value(each.at);
      out_.put('"');
      end_sample(each.count);
    }
    begin_signal(family, "_bucket", which, slice);
    put_label("le", "+Inf");
    end_sample(shown.observations);
    const bool is_known = shown.sum == shown.sum;
    const bool has_sum = is_known && !(is_open_ && is_signed(plan().signal_table[which]));
    if (has_sum) {
      begin_signal(family, "_sum", which, slice);
      end_sample(shown.sum);
    }
    if (has_sum || !is_open_) {
      begin_signal(family, "_count", which, slice);
      end_sample(shown.observations);
    }
  }

  const checker<Plan>& judged_;
  const tally<Plan>& observed_;
  text_sink<Sink> out_;
  bool is_open_;
};

} // namespace detail

/// Writes a checker's verdicts, and a tally's volumes and histograms, as text for Prometheus.
/// Counters must only grow, so pass a tally that is merged into and never cleared. Calls sink(const
/// char*, std::size_t) for each piece. Metric names begin with `Plan::metric_prefix`.
template <class Plan, class Sink>
void write_prometheus(const checker<Plan>& judged, const tally<Plan>& observed, Sink&& sink) {
  detail::metrics_writer<Plan, std::remove_reference_t<Sink>>(judged, observed, sink,
                                                              detail::metrics_format::prometheus)
      .write();
}

/// Writes the content of `write_prometheus` as OpenMetrics.
template <class Plan, class Sink>
void write_openmetrics(const checker<Plan>& judged, const tally<Plan>& observed, Sink&& sink) {
  detail::metrics_writer<Plan, std::remove_reference_t<Sink>>(judged, observed, sink,
                                                              detail::metrics_format::openmetrics)
      .write();
}

} // namespace tikc
