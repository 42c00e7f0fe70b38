#pragma once

#include "diag/Diagnostic.h"
#include "syntax/Scanner.h"

#include <string_view>
#include <vector>

namespace tikc::syntax {

/// The words of a text. Unlike the tree, they are there to the end whatever is wrong.
struct Words {
  std::vector<DocumentText> documents;
  std::vector<Comment> comments;
  std::vector<Span> markers; // of documents, directives included
  std::vector<diag::Diagnostic> faults;

  /// The document that holds the offset, a place behind the last one included.
  const DocumentText* documentAt(std::uint32_t offset) const;
};
Words wordsOf(std::string_view text, const Limits& limits = {});

} // namespace tikc::syntax
