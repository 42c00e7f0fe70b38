#pragma once

#include "tikc/router.h"
#include "tikc/tally.h"

#include <array>
#include <cstdint>
#include <type_traits>

namespace tikc {

namespace detail {

/// FNV-1a, over bytes that are the same on any machine.
class fingerprinter {
public:
  constexpr void add(const char* text) {
    do
      byte(static_cast<unsigned char>(*text));
    while (*text++ != 0);
  }
  constexpr void add(double value) { add(__builtin_bit_cast(std::uint64_t, value)); }
  constexpr void add(float value) { add(__builtin_bit_cast(std::uint32_t, value)); }
  template <class T>
  constexpr std::enable_if_t<std::is_integral_v<T> || std::is_enum_v<T>> add(T value) {
    const auto bits = static_cast<std::uint64_t>(value);
    for (unsigned i = 0; i < sizeof value; ++i)
      byte(static_cast<unsigned char>(bits >> (8 * i)));
  }
  template <class T, std::size_t N> constexpr void add(const T (&table)[N]) {
    add(static_cast<std::uint32_t>(N));
    for (const T& each : table)
      add(each);
  }
  template <class T, std::size_t N> constexpr void add(const std::array<T, N>& table) {
    add(static_cast<std::uint32_t>(N));
    for (const T& each : table)
      add(each);
  }
  template <class First, class Second, class... Rest>
  constexpr void add(const First& first, const Second& second, const Rest&... rest) {
    add(first);
    add(second);
    (add(rest), ...);
  }

  constexpr void add(const stream& of) {
    add(of.train_temperature, of.infer_temperature, of.row_wants, of.masks);
  }
  constexpr void add(const signal& of) {
    add(of.from, of.what, of.stream, of.absolute, of.low, of.high);
  }
  constexpr void add(const keeper& of) {
    add(of.signal, of.from, of.how, of.than, of.counts_nan, of.threshold, of.slot);
    add(of.above, of.below, of.beyond);
  }
  constexpr void add(const window& of) { add(of.unit, of.amount); }
  constexpr void add(const limit& of) { add(of.how, of.bound); }
  constexpr void add(const check& of) {
    add(of.text, of.how, of.signal, of.keepers, of.level.part, of.level.whole, of.limits);
    add(of.limit_count, of.alpha, of.least, of.low, of.high, of.window, of.history, of.absolute);
    add(of.on_mixture, of.worst, of.sampled);
  }
  constexpr void add(const clause& of) { add(of.id, of.first, of.count); }
  constexpr void add(const trigger& of) { add(of.kind, of.clause, of.windows, of.first, of.count); }
  constexpr void add(const action& of) { add(of.kind, of.text, of.first, of.second); }
  constexpr void add(const step& of) { add(of.windows, of.first_action, of.actions); }
  constexpr void add(const rule& of) { add(of.id, of.when, of.until, of.first_step, of.steps); }

  constexpr std::uint64_t value() const { return hash_; }

private:
  constexpr void byte(unsigned char one) { hash_ = (hash_ ^ one) * 0x100000001b3U; }
  std::uint64_t hash_ = 0xcbf29ce484222325U;
};

template <class Plan> constexpr std::uint64_t fingerprint_of_plan() {
  using tokens = typename Plan::token_plan;
  fingerprinter out;
  out.add(Plan::contract, Plan::version, std::uint64_t{Plan::slices}, std::uint64_t{Plan::signals});
  out.add(std::uint64_t{Plan::vocabulary}, Plan::slice_names, Plan::streams, Plan::signal_table);
  out.add(Plan::keepers, tokens::wants, tokens::above, tokens::below, tokens::beyond);
  out.add(Plan::windows, Plan::checks, Plan::binds, Plan::clauses);
  return out.value();
}

template <class Policy> constexpr std::uint64_t fingerprint_of_policy() {
  fingerprinter out;
  out.add(std::uint64_t{Policy::slices}, std::uint64_t{Policy::clauses}, Policy::applies,
          Policy::in_any);
  out.add(Policy::triggers, Policy::actions, Policy::steps, Policy::rules, Policy::acts_on);
  return out.value();
}

} // namespace detail

/// The same for any build of a contract, and another once its version or any of its tables changes.
template <class Plan>
inline constexpr std::uint64_t plan_fingerprint = detail::fingerprint_of_plan<Plan>();
template <class Policy>
inline constexpr std::uint64_t policy_fingerprint = detail::fingerprint_of_policy<Policy>();

} // namespace tikc
