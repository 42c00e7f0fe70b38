#pragma once

#include "syntax/Scanner.h"
#include "syntax/Tree.h"

#include <optional>

namespace tikc::syntax {

/// A step through a document's structure, as TreeBuilder takes it.
struct StructureStep {
  enum class Kind : std::uint8_t { Null, Scalar, Sequence, Mapping, Close };

  Kind kind;
  bool flow;
  std::uint32_t at; // of the token; of a null, where the token before it ends
  std::uint32_t size;
};

/// The structure of a document that its tokens' columns and brackets leave no doubt about, which is
/// nearly every one: told here at a tenth of what the YAML parser takes. Nothing where there is
/// anything more to it: anchors, a fault, a form that is rare or wrong. The YAML parser decides
/// then.
std::optional<std::vector<StructureStep>>
plainStructure(std::string_view text, const DocumentText& document, std::uint32_t depth);

} // namespace tikc::syntax
