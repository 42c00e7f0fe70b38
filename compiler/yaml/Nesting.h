#pragma once

#include "yaml/Scanner.h"

#include <optional>

namespace tikc::yaml {

/// A step through a document's structure, as TreeBuilder takes it.
struct NestingStep {
  enum class Kind : std::uint8_t { Null, Scalar, Key, Sequence, Mapping, Close };

  Kind kind;
  std::uint32_t token; // its index; for a null or a close, that of the token before it
};

/// The structure that columns and brackets alone suggest. It exists for any text, unfinished or
/// wrong.
struct Nesting {
  std::vector<NestingStep> steps;
  std::uint32_t depth = 0; // the deepest nesting of collections
  bool isCertain = true;   // no step was a guess, or of a rare form
};
Nesting nestingOf(std::string_view text, const DocumentText& document);

/// Returns the steps through a document without doubtful forms, as nearly all are. It takes a tenth
/// of the YAML parser's time. Returns nothing for anchors, faults, and rare or wrong forms; the
/// YAML parser decides then.
std::optional<std::vector<NestingStep>>
plainNesting(std::string_view text, const DocumentText& document, std::uint32_t depth);

} // namespace tikc::yaml
