#pragma once

#include "tikc/checker.h"

#include <array>
#include <cmath>
#include <limits>

/// What exporters read from a checker and a tally, before it is text.
namespace tikc::detail {

/// Returns whether a figure may be negative, so that its sum does not only grow.
constexpr bool is_signed(const signal& observable) {
  return !observable.absolute && row_of(observable.what).range == figure_range::any;
}

/// Returns the population of a confidence in a mean or a share: the observed values. It does not
/// extend to future ones, about which the tokens of a few responses say little.
constexpr const char* about(source from) {
  switch (from) {
  case source::rows:
  case source::routes:
  case source::tokens:
    return "contexts served";
  case source::sequences:
    return "responses served";
  case source::requests:
  case source::replays:
    return "requests served";
  }
  return "";
}

constexpr const char* symbol_of(comparator how) {
  constexpr const char* symbols[] = {"<=", "<", ">=", ">", "==", "!="};
  return symbols[static_cast<std::size_t>(how)];
}

/// The number of values that are at most `at`.
struct edge {
  double at;
  std::uint64_t count;
};

/// The thresholds of a signal as the edges of a histogram's buckets, from a tally's cell of a
/// slice. NaN is above every edge if its number is known or the counts omit it, and below every
/// edge if each count includes it.
template <class Plan> class histogram : of_plan<Plan, histogram<Plan>> {
  using of_plan<Plan, histogram<Plan>>::plan;

public:
  histogram(const tally<Plan>& from, std::uint16_t which, std::size_t slice)
      : of_plan<Plan, histogram<Plan>>(from.plan()), signal_(plan().signal_table[which]),
        tokens_(from.tokens(signal_.stream, slice)), cell_(from.observed(slice)) {
    if constexpr (!is_constant<Plan>)
      make(edges_, std::size(plan().keepers));
    observations = signal_.from == source::tokens ? tokens_.count : cell_.seen[which];
    for (const keeper& each : plan().keepers)
      if (each.signal == which && each.how == fold::total)
        sum = each.from == reading::tokens ? total_of(signal_, each, tokens_)
              : cell_.unknown[which] == 0  ? cell_.total[each.slot].value()
                                           : sum;
    bool all_with_nan = true;
    for (const keeper& each : plan().keepers)
      all_with_nan = all_with_nan && (!is_edge(each, which) || has_nan(each));
    for (const keeper& each : plan().keepers)
      if (is_edge(each, which) && (knows_nans(each) || has_nan(each) == all_with_nan))
        insert(each);
  }

  /// Returns whether a threshold is an edge; other thresholds are points.
  static constexpr bool is_edge(const keeper& entry, std::size_t which) {
    constexpr double most = std::numeric_limits<double>::max();
    return entry.signal == which && entry.how == fold::share && entry.than != comparator::equal &&
           entry.than != comparator::not_equal && entry.threshold < most && entry.threshold > -most;
  }
  static constexpr bool exists(const Plan& plan, std::size_t which) {
    for (const keeper& each : plan.keepers)
      if (is_edge(each, which))
        return true;
    return false;
  }

  const edge* begin() const { return edges_.data(); }
  const edge* end() const { return edges_.data() + size_; }

  std::uint64_t observations = 0;
  double sum = std::numeric_limits<double>::quiet_NaN(); // if it is known

private:
  /// Returns whether it counts values beyond the edge.
  static constexpr bool is_above(const keeper& entry) {
    return entry.than == comparator::above || entry.than == comparator::at_least;
  }
  /// Returns whether the count of values within the edge includes NaN.
  static constexpr bool has_nan(const keeper& entry) { return entry.counts_nan != is_above(entry); }

  const keeper* sketch_of(const keeper& entry) const {
    for (const keeper& each : plan().keepers)
      if (each.signal == entry.signal && each.how == fold::sketch && each.from == reading::cell)
        return &each;
    return nullptr;
  }
  bool knows_nans(const keeper& entry) const {
    return entry.from == reading::tokens || sketch_of(entry) != nullptr;
  }
  std::uint64_t nans(const keeper& entry) const {
    if (entry.from == reading::tokens)
      return tokens_.bad;
    const keeper* sketch = sketch_of(entry);
    return sketch == nullptr ? 0 : cell_.sketch[sketch->slot].nans;
  }

  void insert(const keeper& entry) {
    constexpr double lowest = -std::numeric_limits<double>::infinity();
    const bool excludes = entry.than == comparator::at_least || entry.than == comparator::below;
    const std::uint64_t counted =
        entry.from == reading::cell ? cell_.count[entry.slot] : count_of(entry, tokens_);
    edge next{excludes ? std::nextafter(entry.threshold, lowest) : entry.threshold,
              is_above(entry) ? observations - counted : counted};
    if (has_nan(entry))
      next.count -= nans(entry);
    std::size_t at = size_;
    for (; at > 0 && edges_[at - 1].at >= next.at; --at)
      if (edges_[at - 1].at == next.at)
        return;
    for (std::size_t i = size_++; i > at; --i)
      edges_[i] = edges_[i - 1];
    edges_[at] = next;
  }

  static constexpr std::size_t keepers() {
    if constexpr (is_constant<Plan>)
      return std::size(Plan::keepers);
    else
      return 0;
  }

  const signal& signal_;
  const typename tally<Plan>::tokens_of& tokens_;
  const cell<Plan>& cell_;
  several<Plan, edge, keepers()> edges_{};
  std::size_t size_ = 0;
};

} // namespace tikc::detail
