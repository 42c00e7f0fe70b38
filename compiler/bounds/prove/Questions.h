#pragma once

#include <cstdint>
#include <string_view>

/// The checks of whether a fact may be used for a lemma. Each has a name, so that the knockout
/// tests can disable one at a time and see whether other tests notice.
namespace tikc::bounds {

enum class Question : std::uint8_t {
#define QUESTION(Id, ...) Id,
#include "bounds/prove/Questions.def"
};

#ifdef TIKC_KNOCKOUT
/// False for the check that a knockout test disables.
bool asks(Question question);
#else
constexpr bool asks(Question) { return true; }
#endif

} // namespace tikc::bounds
