#pragma once

#include "syntax/Scanner.h"

#include <optional>

namespace tikc::syntax {

/// A step through a document's structure, as TreeBuilder takes it.
struct NestingStep {
  enum class Kind : std::uint8_t { Null, Scalar, Key, Sequence, Mapping, Close };

  Kind kind;
  std::uint32_t token; // its index; of a null or close, that of the one before it
};

/// What the columns and brackets of a document's tokens alone say of its structure. They say
/// something of any text, half typed or wrong as it may be.
struct Nesting {
  std::vector<NestingStep> steps;
  std::uint32_t depth = 0; // of the collections in one another
  bool isCertain = true;   // no step was a guess, nor of a form that is rare
};
Nesting nestingOf(std::string_view text, const DocumentText& document);

/// The steps through a document about which there is no doubt, which is nearly every one: told here
/// at a tenth of what the YAML parser takes. Nothing where there is anything more to it: anchors, a
/// fault, a form that is rare or wrong. The YAML parser decides then.
std::optional<std::vector<NestingStep>>
plainNesting(std::string_view text, const DocumentText& document, std::uint32_t depth);

} // namespace tikc::syntax
