#pragma once

#include "expr/ExprText.h"
#include "support/Source.h"
#include "yaml/Tree.h"

#include <optional>

namespace tikc::ide {

/// The tokens of a scalar's expression, and the token at a place.
struct ExprAt {
  expr::ExprText text; // views the scalar
  std::size_t token = 0;
  Span span; // of the token, in the file

  std::string_view word() const { return text.of(token); }
  expr::TokenKind kind(std::size_t index) const { return text.kind(index); }
  /// The call that the token is an argument of, as the name before the innermost bracket and the
  /// number of commas between. Empty outside calls.
  struct Argument {
    std::string_view call;
    std::size_t index = 0;
  };
  std::optional<Argument> argument() const;
};

/// Returns nothing between tokens. Where two tokens touch, a word takes precedence.
std::optional<ExprAt> exprAt(const SourceManager& sources, const yaml::Node& scalar,
                             std::uint32_t offset);

} // namespace tikc::ide
