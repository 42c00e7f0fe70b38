#pragma once

#include <string_view>

namespace tikc::model {

/// A word of the documentation and its meaning.
struct GlossaryTerm {
  std::string_view term, meaning;
};

inline constexpr GlossaryTerm glossary[] = {
#define TERM(term, meaning) {term, meaning},
#include "model/Glossary.def"
};

} // namespace tikc::model
