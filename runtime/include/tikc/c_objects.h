#pragma once

#include "tikc/c_types.h"
#include "tikc/checker.h"
#include "tikc/wire.h"

#include <cstdlib>
#include <new>
#include <type_traits>

/// The functions behind the C interface of a contract. They check every argument, whatever its
/// value.
namespace tikc::c {

/// Returns the first status that is an error, in the order of the arguments.
template <class... Rest> tikc_status first_wrong(Rest... each) {
  tikc_status out = TIKC_OK;
  static_cast<void>(((out = each, out != TIKC_OK) || ...));
  return out;
}

template <class T> tikc_status points_to(const T* at) {
  if (at == nullptr)
    return TIKC_NULL;
  return reinterpret_cast<std::uintptr_t>(at) % alignof(T) == 0 ? TIKC_OK : TIKC_ALIGNMENT;
}

/// Accepts any pointer to zero elements: it is not read.
template <class T> tikc_status points_to(const T* at, std::size_t count) {
  return count == 0 ? TIKC_OK : points_to(at);
}
inline tikc_status has_bytes(const void* at, std::size_t size) {
  return size != 0 && at == nullptr ? TIKC_NULL : TIKC_OK;
}
inline tikc_status calls_back(bool callback) { return callback ? TIKC_OK : TIKC_NULL; }

inline tikc_status is_below(std::size_t which, std::size_t count) {
  return which < count ? TIKC_OK : TIKC_RANGE;
}

/// Calls `act` if the arguments are right. Returns their status.
template <class Act> tikc_status when_right(tikc_status wrong, Act&& act) {
  if (wrong == TIKC_OK)
    act();
  return wrong;
}

/// Identifies an object's kind and contract; with a plan read at run time, its kind alone.
template <class T> struct stamp;
template <class Plan> struct stamp<tally<Plan>> {
  static constexpr std::uint64_t value = Plan::fingerprint ^ 0x796c6c6174U;
};
template <class Plan> struct stamp<checker<Plan>> {
  static constexpr std::uint64_t value = Plan::fingerprint ^ 0x72656b63656863U;
};
template <class Policy> struct stamp<router<Policy>> {
  static constexpr std::uint64_t value = Policy::fingerprint ^ 0x726574756f72U;
};

/// An object with a stamp, which distinguishes a tally from a checker and one contract's objects
/// from another's: C has no types for that.
template <class T> struct boxed {
  std::uint64_t stamped;
  bool is_allocated;
  T held;

  /// Returns whether another object belongs to the same contract. Constant plans return true:
  /// there, the stamp has identified the contract.
  template <class Other> static constexpr bool goes_with(const boxed<Other>&) { return true; }
};

template <class T> tikc_status is_object(const void* at) {
  const auto* box = static_cast<const boxed<T>*>(at);
  const tikc_status out = points_to(box);
  return out == TIKC_OK && box->stamped != stamp<T>::value ? TIKC_OBJECT : out;
}

/// Returns TIKC_OK if each object has the expected kind and both belong to one contract.
template <class One, class Other> tikc_status are_together(const void* one, const void* other) {
  const tikc_status wrong = first_wrong(is_object<One>(one), is_object<Other>(other));
  if (wrong != TIKC_OK)
    return wrong;
  const auto& first = *static_cast<const boxed<One>*>(one);
  return first.goes_with(*static_cast<const boxed<Other>*>(other)) ? TIKC_OK : TIKC_OBJECT;
}

template <class T> T& object(void* at) { return static_cast<boxed<T>*>(at)->held; }
template <class T> const T& object(const void* at) {
  return static_cast<const boxed<T>*>(at)->held;
}

/// Returns the tables of an object: its plan, or a router's policy. `at` must be an object.
template <class T> decltype(auto) plan_of(const void* at) { return object<T>(at).plan(); }

/// Creates and destroys objects of a kind.
template <class T> struct object_calls {
  using box = boxed<T>;

  static std::size_t size() { return sizeof(box); }
  static std::size_t alignment() { return alignof(box); }

  template <class Opaque>
  static tikc_status construct(void* memory, std::size_t bytes, Opaque** out) {
    const tikc_status wrong = first_wrong(points_to(static_cast<box*>(memory)), points_to(out),
                                          bytes < sizeof(box) ? TIKC_ROOM : TIKC_OK);
    return when_right(wrong, [&] { *out = make<Opaque>(memory, false); });
  }

  template <class Opaque> static tikc_status create(Opaque** out) {
    const tikc_status wrong = points_to(out);
    if (wrong != TIKC_OK)
      return wrong;
    void* memory = std::aligned_alloc(alignof(box), sizeof(box));
    if (memory == nullptr)
      return TIKC_MEMORY;
    *out = make<Opaque>(memory, true);
    return TIKC_OK;
  }

  static tikc_status destroy(void* at) {
    return when_right(is_object<T>(at), [&] {
      auto* owner = static_cast<box*>(at);
      const bool is_allocated = owner->is_allocated;
      // Volatile, so that this is not a dead store: callers may pass the dead pointer again.
      *static_cast<volatile std::uint64_t*>(&owner->stamped) = 0;
      if constexpr (!std::is_trivially_destructible_v<box>)
        owner->~box();
      if (is_allocated)
        std::free(at);
    });
  }

private:
  template <class Opaque> static Opaque* make(void* memory, bool is_allocated) {
    auto* out = new (memory) box();
    out->stamped = stamp<T>::value;
    out->is_allocated = is_allocated;
    return reinterpret_cast<Opaque*>(out);
  }
};

inline const char* status_name(std::uint32_t status) {
  constexpr const char* names[] = {"ok",
                                   "null pointer",
                                   "no such object",
                                   "misaligned",
                                   "too little room",
                                   "no such number",
                                   "no such value",
                                   "wrong size",
                                   "unbound",
                                   "out of memory",
                                   "truncated",
                                   "foreign",
                                   "version",
                                   "fingerprint",
                                   "trailing bytes",
                                   "checksum",
                                   "payload",
                                   "unreadable file",
                                   "refused contract",
                                   "fault of tikc",
                                   "unsupported"};
  static_assert(sizeof(names) / sizeof(*names) == TIKC_UNSUPPORTED + 1);
  return status <= TIKC_UNSUPPORTED ? names[status] : nullptr;
}

inline tikc_status status_of(wire_error error) {
  constexpr tikc_status statuses[] = {TIKC_OK,       TIKC_TRUNCATED,   TIKC_FOREIGN,
                                      TIKC_VERSION,  TIKC_FINGERPRINT, TIKC_TRAILING,
                                      TIKC_CHECKSUM, TIKC_PAYLOAD};
  return statuses[static_cast<std::size_t>(error)];
}

/// Converts objects to bytes and back.
template <class T> struct wire_calls {
  static tikc_status wire_size(const void* at, std::size_t* bytes) {
    return when_right(first_wrong(is_object<T>(at), points_to(bytes)),
                      [&] { *bytes = tikc::wire_size(object<T>(at)); });
  }

  static tikc_status serialise(const void* at, void* to, std::size_t room, std::size_t* bytes) {
    const tikc_status wrong = first_wrong(is_object<T>(at), has_bytes(to, room), points_to(bytes));
    if (wrong != TIKC_OK)
      return wrong;
    const T& state = object<T>(at);
    *bytes = tikc::serialise(state, to, room);
    if (*bytes != 0)
      return TIKC_OK;
    *bytes = tikc::wire_size(state);
    return TIKC_ROOM;
  }

  static tikc_status parse(void* into, const void* bytes, std::size_t size) {
    const tikc_status wrong = first_wrong(is_object<T>(into), has_bytes(bytes, size));
    return wrong != TIKC_OK ? wrong : status_of(tikc::parse(bytes, size, object<T>(into)));
  }
};

} // namespace tikc::c
