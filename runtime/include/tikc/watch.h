#pragma once

#include "tikc/cell.h"
#include "tikc/detail/layout.h"
#include "tikc/kinds.h"

#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

/// Checks observations against the assumptions of proofs. An assumption that a number contradicts
/// is broken for good, and claims that rest on it are suspended.
namespace tikc {

inline constexpr std::size_t handed_quantities = 5;

/// A range that contains all values of a quantity, according to the contract.
struct assumption {
  const char* key;  // reward
  const char* says; // reward: [0, 1]
  quantity subject;
  double low, high;
};

/// A claim of a contract. Its proof rests on clauses and assumptions, and fails if one of them
/// fails.
struct claim {
  const char* id;
  const char* says;
  bool is_proved; // a draft may have unproved claims
};

enum class assumption_state : std::uint8_t { unwatched, held, broken };

/// A check that a claim's proof rests on, on a slice that the proof uses. The slice is 0 for a
/// check of the mixture.
struct claim_ground {
  std::uint32_t claim, check, slice;
};

/// Whether the observations show a claim. The last state that applies is reported.
enum class claim_state : std::uint8_t {
  shown,     // every check that the proof rests on is satisfied, and no assumption is broken
  not_shown, // a check is undecided or was not asked, the contract does not prove the claim, or
             // it rests on log-probs that a `coherent` disproves
  suspended, // an assumption is broken
  withdrawn  // a check that its proof uses is violated, so nothing follows
};

inline const char* name(assumption_state value) {
  constexpr const char* names[] = {"unwatched", "held", "broken"};
  return names[static_cast<std::size_t>(value)];
}
inline const char* name(claim_state value) {
  constexpr const char* names[] = {"shown", "not shown", "suspended", "withdrawn"};
  return names[static_cast<std::size_t>(value)];
}

/// The observations of a quantity, which do not depend on their order.
struct watch_counts {
  std::uint64_t count = 0;
  std::uint64_t unknown = 0; // how many of these are NaN, which is outside every range
  worst_few<true> largest;
  worst_few<false> smallest;

  /// Adds an observation with known bounds, such as a list by token.
  void add(double least, double greatest, std::uint64_t id) {
    ++count;
    unknown += least == least && greatest == greatest ? 0U : 1U;
    largest.add(greatest, id);
    smallest.add(least, id);
  }
  void add(double value, std::uint64_t id) { add(value, value, id); }
  void merge(const watch_counts& other) {
    count += other.count;
    unknown += other.unknown;
    largest.merge(other.largest);
    smallest.merge(other.smallest);
  }
};

/// The result of an assumption so far.
struct watch_result {
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();
  assumption_state is = assumption_state::unwatched;
  std::uint64_t count = 0, unknown = 0;
  double least = none, greatest = none;
  /// For an assumption that held: if values are independent, at most this share of future values is
  /// out of range, with 95% confidence.
  double outside = none;
  offenders worst{}; // for a broken assumption: on the side that is further out
};

namespace detail {

/// Maps the fp32 rounding of an end of the range to that end, so that computations in fp32 can meet
/// it.
inline double settled(double value, const assumption& in) {
  for (double end : {in.low, in.high})
    if (std::abs(end) <= static_cast<double>(std::numeric_limits<float>::max()) &&
        value == static_cast<double>(static_cast<float>(end)))
      return end;
  return value;
}

/// Returns the outliers of a side that are out of range.
inline offenders outside(const assumption& premise, const watch_counts& seen, bool is_above) {
  offenders out = is_above ? seen.largest.few() : seen.smallest.few();
  while (out.count != 0 && (is_above ? out.each[out.count - 1].value <= premise.high
                                     : out.each[out.count - 1].value >= premise.low))
    --out.count;
  return out;
}

inline watch_result result_of(const assumption& premise, const watch_counts& seen) {
  watch_result out;
  if (seen.count == 0)
    return out;
  out.count = seen.count;
  out.unknown = seen.unknown;
  out.least = seen.smallest.kept[0].value;
  out.greatest = seen.largest.kept[0].value;
  const bool is_above = !(premise.low - out.least > out.greatest - premise.high);
  out.worst = outside(premise, seen, is_above);
  if (out.worst.count == 0)
    out.worst = outside(premise, seen, !is_above);
  // Tallies keep one token: the second worst would depend on how tokens were distributed.
  if (premise.subject == quantity::ratio && out.worst.count > 1)
    out.worst.count = 1;
  out.is =
      out.worst.count == 0 && seen.unknown == 0 ? assumption_state::held : assumption_state::broken;
  if (out.is == assumption_state::held)
    out.outside = -std::expm1(std::log(0.05) / static_cast<double>(seen.count));
  return out;
}

/// Returns the observed ratios of sampled tokens, from the range of x = log p - log q in the
/// tokens' pass.
template <class Stats> watch_counts seen_of_ratios(const Stats& stats) {
  watch_counts out;
  out.count = stats.count;
  out.unknown = stats.bad;
  out.largest.add(std::exp(static_cast<double>(stats.greatest)), stats.greatest_at);
  out.smallest.add(std::exp(static_cast<double>(stats.least)), stats.least_at);
  return out;
}

template <class Plan, class = void> struct has_assumptions : std::false_type {};
template <class Plan>
struct has_assumptions<Plan, std::void_t<decltype(std::declval<const Plan&>().assumptions)>>
    : std::true_type {};

template <class Plan, class = void> struct has_claims : std::false_type {};
template <class Plan>
struct has_claims<Plan, std::void_t<decltype(std::declval<const Plan&>().claims)>>
    : std::true_type {};

template <class Plan, class = void> struct has_grounds : std::false_type {};
template <class Plan>
struct has_grounds<Plan, std::void_t<decltype(std::declval<const Plan&>().grounds)>>
    : std::true_type {};

template <class Plan> constexpr std::size_t assumptions_in(const Plan& plan) {
  if constexpr (has_assumptions<Plan>::value)
    return std::size(plan.assumptions);
  else
    return 0;
}
template <class Plan> constexpr std::size_t claims_in(const Plan& plan) {
  if constexpr (has_claims<Plan>::value)
    return std::size(plan.claims);
  else
    return 0;
}

/// Whether a plan watches assumptions. Its first assumptions are about the watched quantities.
template <class Plan, class = void> struct has_watches : std::false_type {};
template <class Plan>
struct has_watches<Plan, std::void_t<decltype(std::declval<const Plan&>().watched)>>
    : std::true_type {};

/// Returns the number of watched quantities if it is constant.
template <class Plan> constexpr std::size_t watch_count() {
  if constexpr (has_watches<Plan>::value && is_constant<Plan>)
    return std::size(Plan::watched);
  else
    return 0;
}

/// The observations of watched quantities in an object; empty if nothing is watched. `Owner` is as
/// in of_plan.
template <class Plan, class Owner, bool = has_watches<Plan>::value> class watch_list {
public:
  watch_list() = default;
  explicit watch_list(const Plan&) {}
  void see(const Plan&, quantity, double, double, std::uint64_t) {}
  void see(const Plan&, quantity, double, std::uint64_t) {}
  void see(const Plan&, quantity, const watch_counts&) {}
  static watch_result result(const Plan&, std::size_t) { return {}; }
  static constexpr bool sees(const Plan&, quantity) { return false; }
  template <class Other> void add(const Other&) {}
  void clear() {}
  static constexpr watch_counts* begin() { return nullptr; }
  static constexpr watch_counts* end() { return nullptr; }
};
template <class Plan, class Owner> class watch_list<Plan, Owner, true> {
public:
  watch_list() = default;
  explicit watch_list(const Plan& tables) {
    if constexpr (!is_constant<Plan>)
      make(each_, std::size(tables.watched));
  }

  void see(const Plan& plan, quantity what, double least, double greatest, std::uint64_t id) {
    for (std::size_t i = 0; i < each_.size(); ++i)
      if (plan.watched[i] == what)
        each_[i].add(settled(least, plan.assumptions[i]), settled(greatest, plan.assumptions[i]),
                     id);
  }
  void see(const Plan& plan, quantity what, double value, std::uint64_t id) {
    see(plan, what, value, value, id);
  }
  void see(const Plan& plan, quantity what, const watch_counts& those) {
    for (std::size_t i = 0; i < each_.size(); ++i)
      if (plan.watched[i] == what)
        each_[i].merge(those);
  }
  static constexpr bool sees(const Plan& plan, quantity what) {
    for (quantity each : plan.watched)
      if (each == what)
        return true;
    return false;
  }
  template <class Other> void add(const watch_list<Plan, Other, true>& other) {
    for (std::size_t i = 0; i < each_.size(); ++i)
      each_[i].merge(other[i]);
  }
  void clear() {
    for (watch_counts& each : each_)
      each = {};
  }

  watch_result result(const Plan& plan, std::size_t which) const {
    return which < each_.size() ? result_of(plan.assumptions[which], each_[which]) : watch_result{};
  }
  const watch_counts& operator[](std::size_t which) const { return each_[which]; }
  auto begin() { return each_.begin(); }
  auto end() { return each_.end(); }
  auto begin() const { return each_.begin(); }
  auto end() const { return each_.end(); }

private:
  several<Plan, watch_counts, watch_count<Plan>()> each_;
};

/// The layout of the base that an object begins with. An empty base takes no space.
constexpr layout watch_layout(const plan_shape& sizes) {
  return sizes.assumptions == 0 ? layout() : layout().add<watch_counts>(sizes.assumptions);
}

} // namespace detail
} // namespace tikc
