#pragma once

#include "tikc/detail/snapshot.h"
#include "tikc/detail/text_sink.h"

namespace tikc {

namespace detail {

template <class Plan, class Sink> class json_writer {
public:
  json_writer(const checker<Plan>& judged, const tally<Plan>& observed, Sink& sink)
      : judged_(judged), observed_(observed), out_(sink) {}

  void write() {
    object([&] {
      field("contract", plan().contract);
      field("version", plan().version);
      flag("draft", plan().is_draft);
      field("build", plan().build);
      field("digest", plan().digest);
      list("slices", plan().slices, [&](std::size_t i) { write_slice(i); });
      list("clauses", std::size(plan().clauses), [&](std::size_t i) { write_clause(i); });
      if constexpr (has_assumptions<Plan>::value)
        list("assumptions", std::size(plan().assumptions),
             [&](std::size_t i) { write_assumption(i); });
      if constexpr (has_claims<Plan>::value)
        list("claims", std::size(plan().claims), [&](std::size_t i) { write_claim(i); });
      key("signals");
      array([&] {
        for (std::uint16_t i = 0; i < plan().signals; ++i)
          if (histogram<Plan>::exists(plan(), i))
            item([&] { write_signal(i); });
      });
    });
    out_.put('\n');
  }

private:
  using checked = checker<Plan>;

  decltype(auto) plan() const { return judged_.plan(); }

  void write_slice(std::size_t which) {
    const cell<Plan>& state = observed_.observed(which);
    field("slice", plan().slice_names[which]);
    field("tokens", state.tokens());
    field("sequences", state.sequences());
    field("requests", state.requests);
    if (plan().is_empty[which])
      flag("unexpected", judged_.is_unexpected(which));
  }

  void write_clause(std::size_t which) {
    const clause& group = plan().clauses[which];
    field("clause", group.id);
    key("verdicts");
    array([&] {
      for (std::size_t slice = 0; slice < plan().slices; ++slice)
        if (checked::applies(plan(), which, slice))
          item([&] {
            field("slice", plan().slice_names[slice]);
            field("verdict", name(judged_.of(which, slice)));
            flag("kept", judged_.is_kept(which, slice));
          });
    });
    list("checks", group.count, [&](std::size_t i) { write_check(group.first + i); });
  }

  void write_check(std::size_t which) {
    const check& requirement = plan().checks[which];
    field("check", requirement.text);
    if (requirement.alpha > 0) {
      field("alpha", requirement.alpha);
      field("about", about(plan().signal_table[requirement.signal].from));
    }
    list("limits", requirement.limit_count, [&](std::size_t i) {
      field("comparator", symbol_of(requirement.limits[i].how));
      field("bound", requirement.limits[i].bound);
    });
    key("findings");
    array([&] {
      for (std::size_t slice = 0; slice < (requirement.on_mixture ? 1 : plan().slices); ++slice)
        if (requirement.on_mixture || plan().binds[which][slice])
          item([&] { write_finding(requirement, slice, judged_.result(which, slice)); });
    });
  }

  /// Writes a finding. A check of the mixture has no slice.
  void write_finding(const check& requirement, std::size_t slice, const finding& found) {
    if (!requirement.on_mixture)
      field("slice", plan().slice_names[slice]);
    field("verdict", name(found.is));
    flag("kept", found.is_kept);
    field("value", found.value);
    field("low", found.low);
    field("high", found.high);
    field("observations", found.observations);
    if (requirement.worst != no_keeper)
      list("worst", found.worst.count, [&](std::size_t i) {
        field("value", found.worst.each[i].value);
        field("id", found.worst.each[i].id);
      });
  }

  void write_assumption(std::size_t which) {
    const assumption& premise = plan().assumptions[which];
    const watch_result found = judged_.assumed(which);
    field("assumption", premise.key);
    field("says", premise.says);
    field("state", name(found.is));
    field("observations", found.count);
    field("unknown", found.unknown);
    field("least", found.least);
    field("greatest", found.greatest);
    field("outside", found.outside);
    list("worst", found.worst.count, [&](std::size_t i) {
      field("value", found.worst.each[i].value);
      field("id", found.worst.each[i].id);
    });
  }

  void write_claim(std::size_t which) {
    field("claim", plan().claims[which].id);
    field("says", plan().claims[which].says);
    field("state", name(judged_.claimed(which)));
    if constexpr (has_grounds<Plan>::value) {
      key("checks");
      array([&] {
        for (const claim_ground& each : plan().grounds)
          if (each.claim == which)
            item([&] {
              field("check", plan().checks[each.check].text);
              if (!plan().checks[each.check].on_mixture)
                field("slice", plan().slice_names[each.slice]);
              field("verdict", name(judged_.on(each)));
            });
      });
    }
    if constexpr (has_assumptions<Plan>::value) {
      key("rests_on");
      array([&] {
        for (std::size_t i = 0; i < std::size(plan().assumptions); ++i)
          if (plan().rests_on[which][i])
            item([&] {
              field("assumption", plan().assumptions[i].key);
              field("state", name(judged_.assumed(i).is));
            });
      });
    }
  }

  void write_signal(std::uint16_t which) {
    const signal& observable = plan().signal_table[which];
    const figure_row& words = row_of(observable.what);
    field("signal", words.name);
    field("number", std::uint64_t{which});
    field("stream", std::uint64_t{observable.stream});
    flag("absolute", observable.absolute);
    field("unit", words.unit);
    list("slices", plan().slices, [&](std::size_t slice) {
      const histogram<Plan> shown(observed_, which, slice);
      field("slice", plan().slice_names[slice]);
      field("observations", shown.observations);
      field("sum", shown.sum);
      key("at_most");
      array([&] {
        for (const edge& each : shown)
          item([&] {
            field("edge", each.at);
            field("count", each.count);
          });
      });
    });
  }

  void separate() {
    if (needs_comma_)
      out_.put(',');
  }
  template <class Write> void enclosed(char open, char close, Write&& write) {
    out_.put(open);
    needs_comma_ = false;
    write();
    out_.put(close);
    needs_comma_ = true;
  }
  template <class Write> void object(Write&& write) { enclosed('{', '}', write); }
  template <class Write> void array(Write&& write) { enclosed('[', ']', write); }
  template <class Write> void item(Write&& write) {
    separate();
    object(write);
  }
  template <class Write> void list(const char* name, std::size_t size, Write&& write) {
    key(name);
    array([&] {
      for (std::size_t i = 0; i < size; ++i)
        item([&] { write(i); });
    });
  }

  void key(const char* name) {
    separate();
    value(name);
    out_.put(':');
    needs_comma_ = true;
  }
  template <class Value> void field(const char* name, Value content) {
    key(name);
    value(content);
  }

  void flag(const char* name, bool is_set) {
    key(name);
    out_.text(is_set ? "true" : "false");
  }

  void value(std::uint64_t number) { write_number(out_, number); }
  void value(double number) {
    if (number != number)
      out_.text("\"NaN\"");
    else if (std::isinf(number))
      out_.text(number > 0 ? "\"Infinity\"" : "\"-Infinity\"");
    else
      write_finite(out_, number);
  }
  void value(const char* text) {
    out_.put('"');
    write_text(out_, text, [this](char one) { return escape(one); });
    out_.put('"');
  }
  bool escape(char one) {
    constexpr const char* digits = "0123456789abcdef";
    const auto code = static_cast<unsigned char>(one);
    if (code >= 0x20 && one != '"' && one != '\\')
      return false;
    out_.put('\\');
    if (code >= 0x20) {
      out_.put(one);
      return true;
    }
    out_.text("u00");
    out_.put(digits[code >> 4U]);
    out_.put(digits[code & 15U]);
    return true;
  }

  const checker<Plan>& judged_;
  const tally<Plan>& observed_;
  text_sink<Sink> out_;
  bool needs_comma_ = false;
};

} // namespace detail

/// Writes the verdicts, volumes and histograms of the metrics as one line of JSON. Numbers that are
/// not finite are the strings "NaN", "Infinity" and "-Infinity". Calls sink(const char*,
/// std::size_t) for each piece.
template <class Plan, class Sink>
void write_json(const checker<Plan>& judged, const tally<Plan>& observed, Sink&& sink) {
  detail::json_writer<Plan, std::remove_reference_t<Sink>>(judged, observed, sink).write();
}

} // namespace tikc
