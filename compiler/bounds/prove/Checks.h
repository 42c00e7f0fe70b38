#pragma once

#include <cstdint>
#include <string_view>

/// What the prover asks before a fact is used as one about what a lemma is about. Every question
/// has a name here, so that a suite of tests can have it left out, one after the other, and see
/// whether anybody notices.
namespace tikc::bounds {

enum class Check : std::uint8_t {
#define CHECK(Id, ...) Id,
#include "bounds/prove/Checks.def"
};

#ifdef TIKC_KNOCKOUT
/// The suite's: false for the one that is left out.
bool asks(Check check);
#else
constexpr bool asks(Check) { return true; }
#endif

} // namespace tikc::bounds
