#pragma once

#include "tikc/detail/wire_code.h"
#include "tikc/router.h"
#include "tikc/tally.h"

#include <cstdint>
#include <cstring>
#include <limits>

/// Serialises tallies and routers. All is little-endian:
///   "TIKC", u16 version, u16 kind, u64 fingerprint, u32 size of the payload, payload, u32 CRC-32C.
/// The fingerprint is the contract's: FNV-1a of its canonical text without descriptive parts, and
/// of the tables that determine the order of the payload.
/// The payload is every number in a fixed order. Numbers that equal those of an empty tally are
/// runs: 0, then a varint of the run's length minus 1. Other integers are a varint of their
/// difference from the empty tally's; other floats are 1, then their bits. Each state has one
/// serialised form, and parsing accepts no other.
namespace tikc {

enum class wire_error : std::uint8_t {
  none,
  truncated,   // the bytes end too early
  foreign,     // not the bytes of a tally or router
  version,     // an unknown format version
  fingerprint, // serialised under another contract
  size,        // more bytes than the object
  checksum,
  payload // the checksum is right, but the contents are impossible
};

inline const char* name(wire_error value) {
  constexpr const char* names[] = {"none",        "truncated", "foreign",  "version",
                                   "fingerprint", "size",      "checksum", "payload"};
  return names[static_cast<std::size_t>(value)];
}

namespace detail {

inline constexpr char wire_magic[4] = {'T', 'I', 'K', 'C'};
inline constexpr std::uint16_t wire_version = 7;
enum class wire_kind : std::uint16_t { tally = 1, router = 2 };
inline constexpr std::size_t wire_header = 20, wire_trailer = 4;

/// Walks all serialised members, for writing and reading. The order is part of the format.
struct wire_access {
  template <class Visit, class Tally> static void walk_tally(Visit& visit, Tally& state) {
    walk_watches(visit, watches_of(state));
    for (auto& each : state.cells_)
      walk_cell(visit, each);
    for (auto& row : state.tokens_)
      for (auto& each : row)
        walk_tokens(visit, each);
  }

  template <class Visit, class Router> static void walk_router(Visit& visit, Router& state) {
    visit(state.ticks_);
    for (auto& row : state.machines_)
      for (auto& each : row)
        walk_machine(visit, each);
    for (auto& row : state.runs_)
      walk_each(visit, row);
    for (auto& row : state.satisfied_)
      walk_each(visit, row);
  }

  /// Forgets the last transitions, which belong to the previous state.
  template <class Router> static void forget_changes(Router& state) { state.changes_ = 0; }

  /// Walks states that are checked against the policy and then discarded.
  template <class Policy> static void try_router(decoder& read, const Policy& policy) {
    std::uint64_t ticks = 0;
    read(ticks);
    for (std::size_t i = 0; i < std::size(policy.rules); ++i)
      for (std::size_t slice = 0; slice < policy.slices; ++slice) {
        typename router<Policy>::machine at;
        walk_machine(read, at);
        read.require(can_be(policy, policy.rules[i], policy.acts_on[i][slice], at));
      }
    for (const trigger& each : policy.triggers)
      for (std::size_t slice = 0; slice < policy.slices; ++slice) {
        std::uint32_t run = 0;
        read(run);
        read.require(run <= (each.kind < trigger_kind::satisfied ? each.windows : 0));
      }
    for (std::size_t i = 0; i < policy.clauses * policy.slices; ++i) {
      std::uint32_t run = 0;
      read(run);
    }
  }

private:
  template <class Policy, class Machine>
  static bool can_be(const Policy& policy, const rule& definition, bool acts, const Machine& at) {
    if (!at.active)
      return at.step == 0 && at.windows == 0;
    if (!acts || at.step >= definition.steps)
      return false;
    return at.windows == 0 || at.windows < policy.steps[definition.first_step + at.step].windows;
  }

  // The bindings name every member, so that a new one does not compile until it is serialised.
  template <class Visit, class Machine> static void walk_machine(Visit& visit, Machine& state) {
    auto& [active, step, windows] = state;
    visit(active);
    visit(step);
    visit(windows);
  }

  template <class Tally> static typename Tally::watches& watches_of(Tally& state) { return state; }
  template <class Tally> static const typename Tally::watches& watches_of(const Tally& state) {
    return state;
  }
  template <class Visit, class Watches> static void walk_watches(Visit& visit, Watches& state) {
    for (auto& each : state) {
      auto& [count, unknown, largest, smallest] = each;
      visit(count);
      visit(unknown);
      visit(largest);
      visit(smallest);
    }
  }

  template <class Visit, class Counts> static void walk_counts(Visit& visit, Counts& state) {
    auto& [tokens, sequences, rows, routes] = state;
    visit(tokens);
    visit(sequences);
    visit(rows);
    visit(routes);
  }

  template <class Visit, class Cell> static void walk_cell(Visit& visit, Cell& state) {
    auto& [through, requests, batch_replays, request_replays, served_tokens, served_requests, seen,
           unknown, total, largest, smallest, count, sketch] = numbers_of(state);
    for (auto& each : through)
      walk_counts(visit, each);
    visit(requests);
    visit(batch_replays);
    visit(request_replays);
    visit(served_tokens);
    visit(served_requests);
    walk_each(visit, seen);
    walk_each(visit, unknown);
    for (auto& each : total)
      walk_sum(visit, each);
    walk_each(visit, largest);
    walk_each(visit, smallest);
    walk_each(visit, count);
    for (auto& each : sketch)
      walk_sketch(visit, each);
  }

  template <class Visit, class Stats> static void walk_tokens(Visit& visit, Stats& stats) {
    auto& [count, bad, sums, least, greatest, least_at, greatest_at, above, below, beyond, centre,
           sketch] = numbers_of(stats);
    visit(count);
    visit(bad);
    for (auto& each : sums)
      walk_sum(visit, each);
    visit(least, infinity);
    visit(greatest, -infinity);
    visit(least_at, nowhere);
    visit(greatest_at, nowhere);
    walk_each(visit, above);
    walk_each(visit, below);
    walk_each(visit, beyond);
    visit(centre);
    walk_token_sketch(visit, sketch);
  }

  /// The numbers of an object, without its plan.
  template <class T> static typename T::numbers& numbers_of(T& state) { return state; }
  template <class T> static const typename T::numbers& numbers_of(const T& state) { return state; }

  template <class Visit, class Sketch> static void walk_token_sketch(Visit& visit, Sketch& state) {
    if constexpr (is_optional<std::remove_const_t<Sketch>>::value) {
      if (state.is_kept())
        walk_sketch(visit, state.kept());
    } else {
      walk_sketch(visit, state);
    }
  }
  template <class T, class = void> struct is_optional : std::false_type {};
  template <class T>
  struct is_optional<T, std::void_t<decltype(std::declval<const T&>().is_kept())>>
      : std::true_type {};

  template <class Visit> static void walk_sketch(Visit&, no_sketch&) {}
  template <class Visit> static void walk_sketch(Visit&, const no_sketch&) {}
  template <class Visit> static void walk_sketch(Visit& visit, token_sketch& sketch) {
    walk_sketch(visit, sketch.settle());
  }
  template <class Visit> static void walk_sketch(Visit& visit, const token_sketch& sketch) {
    const signed_sketch whole = sketch.whole();
    walk_sketch(visit, whole);
  }
  template <class Visit, class Sketch> static void walk_sketch(Visit& visit, Sketch& state) {
    auto& [counts, huge, tiny, nans, least, greatest] = state;
    walk_each(visit, counts);
    walk_each(visit, huge);
    visit(tiny);
    visit(nans);
    visit(least, infinity);
    visit(greatest, -infinity);
  }

  template <class Visit, class Sum> static void walk_sum(Visit& visit, Sum& total) {
    auto& [high, low] = total;
    visit(high);
    visit(low);
  }

  template <class Visit, class Array> static void walk_each(Visit& visit, Array& state) {
    for (auto& each : state)
      visit(each);
  }
};

template <class Plan> struct tally_form {
  static constexpr wire_kind kind = wire_kind::tally;
  template <class Visit, class Tally> static void walk(Visit& visit, Tally& state) {
    wire_access::walk_tally(visit, state);
  }
};

template <class Policy> struct router_form {
  static constexpr wire_kind kind = wire_kind::router;
  template <class Visit, class Router> static void walk(Visit& visit, Router& state) {
    wire_access::walk_router(visit, state);
  }
};

template <class Form, class T> std::size_t payload_size(const T& state) {
  byte_count out;
  encoder<byte_count> encode(out);
  Form::walk(encode, state);
  encode.finish();
  return out.size;
}

template <class Form, class T, class Sink> void write_wire(const T& state, Sink& sink) {
  static_assert(sizeof(T) / 4 * 5 <= std::numeric_limits<std::uint32_t>::max());
  checked_bytes<Sink> out(sink);
  for (char each : wire_magic)
    out.put(static_cast<unsigned char>(each));
  put_little(out, wire_version, 2);
  put_little(out, static_cast<std::uint16_t>(Form::kind), 2);
  put_little(out, state.plan().fingerprint, 8);
  put_little(out, payload_size<Form>(state), 4);
  encoder<checked_bytes<Sink>> encode(out);
  Form::walk(encode, state);
  encode.finish();
  put_little(out, out.crc.value(), 4);
}

template <class Form>
wire_error check_envelope(const unsigned char* bytes, std::size_t size, std::uint64_t fingerprint) {
  if (size < wire_header + wire_trailer)
    return wire_error::truncated;
  if (std::memcmp(bytes, wire_magic, sizeof wire_magic) != 0)
    return wire_error::foreign;
  if (get_little(bytes + 4, 2) != wire_version)
    return wire_error::version;
  if (get_little(bytes + 6, 2) != static_cast<std::uint16_t>(Form::kind))
    return wire_error::foreign;
  if (get_little(bytes + 8, 8) != fingerprint)
    return wire_error::fingerprint;
  const std::uint64_t payload = get_little(bytes + 16, 4);
  const std::size_t held = size - wire_header - wire_trailer;
  if (payload != held)
    return payload > held ? wire_error::truncated : wire_error::size;
  crc32c crc;
  for (std::size_t i = 0; i < size - wire_trailer; ++i)
    crc.add(bytes[i]);
  return get_little(bytes + size - wire_trailer, 4) == crc.value() ? wire_error::none
                                                                   : wire_error::checksum;
}

template <class Form, class T, class Check>
wire_error read_wire(const void* from, std::size_t size, T& into, Check&& check) {
  const auto* bytes = static_cast<const unsigned char*>(from);
  const wire_error envelope = check_envelope<Form>(bytes, size, into.plan().fingerprint);
  if (envelope != wire_error::none)
    return envelope;
  const std::size_t payload = size - wire_header - wire_trailer;
  decoder trial(bytes + wire_header, payload);
  check(trial);
  if (!trial.is_done())
    return wire_error::payload;
  decoder read(bytes + wire_header, payload);
  Form::walk(read, into);
  return wire_error::none;
}

} // namespace detail

/// The most bytes that an object takes: no number takes more than 5/4 of its own size.
template <class T>
inline constexpr std::size_t most_wire_bytes = detail::wire_header + sizeof(T) +
                                               sizeof(T) / 4 + detail::wire_trailer;

/// Returns the number of bytes that serialise would write.
template <class Plan> std::size_t wire_size(const tally<Plan>& observations) {
  return detail::wire_header + detail::payload_size<detail::tally_form<Plan>>(observations) +
         detail::wire_trailer;
}
template <class Policy> std::size_t wire_size(const router<Policy>& state) {
  return detail::wire_header + detail::payload_size<detail::router_form<Policy>>(state) +
         detail::wire_trailer;
}

/// Serialises a tally. Calls sink(const char*, std::size_t) for each piece.
template <class Plan, class Sink> void serialise(const tally<Plan>& observations, Sink&& sink) {
  detail::write_wire<detail::tally_form<Plan>>(observations, sink);
}

/// Serialises a router, without the transitions of its last tick, so that another process can
/// continue it.
template <class Policy, class Sink> void serialise(const router<Policy>& state, Sink&& sink) {
  detail::write_wire<detail::router_form<Policy>>(state, sink);
}

/// Serialises into a buffer. Returns the size; or 0, with nothing written, if the buffer is too
/// small.
template <class T> std::size_t serialise(const T& state, void* to, std::size_t room) {
  const std::size_t size = wire_size(state);
  if (size > room)
    return 0;
  auto* at = static_cast<char*>(to);
  serialise(state, [&at](const char* piece, std::size_t length) {
    std::memcpy(at, piece, length);
    at += length;
  });
  return size;
}

/// Restores what was serialised. It accepts any bytes; on an error, `into` is unchanged.
template <class Plan>
[[nodiscard]] wire_error parse(const void* bytes, std::size_t size, tally<Plan>& into) {
  using form = detail::tally_form<Plan>;
  return detail::read_wire<form>(bytes, size, into, [&into](detail::decoder& read) {
    form::walk(read, static_cast<const tally<Plan>&>(into));
  });
}

template <class Policy>
[[nodiscard]] wire_error parse(const void* bytes, std::size_t size, router<Policy>& into) {
  const wire_error out = detail::read_wire<detail::router_form<Policy>>(
      bytes, size, into,
      [&into](detail::decoder& read) { detail::wire_access::try_router(read, into.plan()); });
  if (out == wire_error::none)
    detail::wire_access::forget_changes(into);
  return out;
}

} // namespace tikc
