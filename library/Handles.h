#pragma once

#include "checker/engine/LoadedTally.h"
#include "checker/engine/Slices.h"
#include "data/inspect/Signs.h"
#include "library/Document.h"
#include "measure/Evidence.h"
#include "tikc.h"
#include "tikc/c_objects.h"
#include "trainers/BatchTally.h"

#include <cstdlib>
#include <memory>
#include <new>
#include <optional>
#include <utility>

/// The objects behind C handles, and the stamps that identify them.
namespace tikc::library {

using DocumentRef = std::unique_ptr<const Document>;

struct OpenRequest {
  ContractRef contract;
  std::optional<engine::Request> asked;
};

struct OpenEvidence {
  measure::NamedEvidence named;
};

/// An object of a plan that was read at run time. It keeps the plan alive.
template <class T> struct OfContract {
  OfContract(std::uint64_t stamp, bool isAllocated, ContractRef from)
      : stamped(stamp), is_allocated(isAllocated), contract(std::move(from)), held(tables()) {}

  std::uint64_t stamped;
  bool is_allocated;
  ContractRef contract;
  T held;

  std::size_t stages() const { return contract->plan.stages.size(); }
  template <class Other> bool goes_with(const OfContract<Other>& other) const {
    return contract->isOneWith(*other.contract);
  }

private:
  const auto& tables() const {
    if constexpr (std::is_same_v<T, engine::LoadedRouter>)
      return contract->policy;
    else
      return contract->tables;
  }
};

/// Calls `act`, and converts every exception to a status.
template <class Act> tikc_status guarded(Act&& act) noexcept {
  try {
    return act();
  } catch (const std::bad_alloc&) {
    return TIKC_MEMORY;
  } catch (...) {
    return TIKC_FAULT;
  }
}

/// Returns tokens as a response of recorded data.
inline data::Response responseOf(const tikc_tokens& tokens) {
  data::Response out;
  out.train = {tokens.train, tokens.size};
  out.infer = {tokens.infer, tokens.size};
  out.mask = {tokens.mask, tokens.mask == nullptr ? 0 : tokens.size};
  return out;
}

} // namespace tikc::library

namespace tikc::c {

template <> struct stamp<library::DocumentRef> {
  static constexpr std::uint64_t value = 0x746e656d75636f64;
};
template <> struct stamp<library::ContractRef> {
  static constexpr std::uint64_t value = 0x7463617274636f63;
};
template <> struct stamp<library::OpenRequest> {
  static constexpr std::uint64_t value = 0x0074736575716572;
};
template <> struct stamp<engine::LoadedTally> {
  static constexpr std::uint64_t value = 0x0000796c6c61746c;
};
template <> struct stamp<engine::LoadedChecker> {
  static constexpr std::uint64_t value = 0x6c72656b63656863;
};
template <> struct stamp<engine::LoadedRouter> {
  static constexpr std::uint64_t value = 0x006c726574756f72;
};

template <> struct stamp<trainers::BatchTally> {
  static constexpr std::uint64_t value = 0x0000006863746162;
};

template <> struct stamp<data::Signs> {
  static constexpr std::uint64_t value = 0x000000736e676973;
};

template <> struct stamp<library::OpenEvidence> {
  static constexpr std::uint64_t value = 0x65636e6564697665;
};

template <> struct boxed<engine::LoadedTally> : library::OfContract<engine::LoadedTally> {
  using OfContract::OfContract;
};
template <> struct boxed<engine::LoadedChecker> : library::OfContract<engine::LoadedChecker> {
  using OfContract::OfContract;
};
template <> struct boxed<engine::LoadedRouter> : library::OfContract<engine::LoadedRouter> {
  using OfContract::OfContract;
};

} // namespace tikc::c

namespace tikc::library {

template <class T, class Opaque, class... From> tikc_status create(Opaque** out, From&&... from) {
  using Box = c::boxed<T>;
  std::unique_ptr<void, decltype(&std::free)> memory(std::aligned_alloc(alignof(Box), sizeof(Box)),
                                                     &std::free);
  if (!memory)
    return TIKC_MEMORY;
  auto* box = new (memory.get()) Box{c::stamp<T>::value, true, std::forward<From>(from)...};
  static_cast<void>(memory.release());
  *out = reinterpret_cast<Opaque*>(box);
  return TIKC_OK;
}

/// Creates an object from a contract.
template <class T, class Opaque>
tikc_status createOf(const tikc_contract* from, Opaque** out) noexcept {
  return guarded([&] {
    const tikc_status wrong = c::first_wrong(c::is_object<ContractRef>(from), c::points_to(out));
    return wrong != TIKC_OK ? wrong : create<T>(out, c::object<ContractRef>(from));
  });
}

template <class T> tikc_status destroy(void* handle) noexcept {
  return guarded([&] { return c::object_calls<T>::destroy(handle); });
}

} // namespace tikc::library
