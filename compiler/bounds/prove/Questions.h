#pragma once

#include <cstdint>
#include <string_view>

/// What the prover asks before a fact is used as one about what a lemma is about. Every question
/// has a name here, so that a suite of tests can have it left out, one after the other, and see
/// whether anybody notices.
namespace tikc::bounds {

enum class Question : std::uint8_t {
#define QUESTION(Id, ...) Id,
#include "bounds/prove/Questions.def"
};

#ifdef TIKC_KNOCKOUT
/// The suite's: false for the one that is left out.
bool asks(Question question);
#else
constexpr bool asks(Question) { return true; }
#endif

} // namespace tikc::bounds
