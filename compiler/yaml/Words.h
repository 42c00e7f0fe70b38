#pragma once

#include "diag/Diagnostic.h"
#include "yaml/Scanner.h"

#include <string_view>
#include <vector>

namespace tikc::yaml {

/// The tokens of a text. Unlike the tree, they are complete for any text.
struct Words {
  std::vector<DocumentText> documents;
  std::vector<Comment> comments;
  std::vector<Span> markers; // of documents, including directives
  std::vector<diag::Diagnostic> faults;

  /// Returns the document at the offset, also behind the last one.
  const DocumentText* documentAt(std::uint32_t offset) const;
};
Words wordsOf(std::string_view text, const Limits& limits = {});

} // namespace tikc::yaml
