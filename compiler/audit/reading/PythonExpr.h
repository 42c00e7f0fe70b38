#pragma once

#include "audit/reading/PythonTokens.h"

#include <cstddef>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace tikc::audit {

/// A Python expression, to the extent that gates need. It is read and never run.
struct PythonExpr {
  enum class Kind : std::uint8_t {
    Number,
    String,
    Formatted,
    Name,
    Variable,  // of a shell
    Call,      // parts: the function, the arguments
    Keyword,   // text=parts[0], an argument
    Subscript, // parts: the object, the index
    Member,    // parts[0].text
    Unary,     // text parts[0]
    Binary,    // parts[0] text parts[1]
    Compare,   // parts, with `operators` between them
    And,
    Or,
    Not,
    List // in brackets or braces, and other sequences
  };

  Kind kind = Kind::Name;
  std::string text;
  std::vector<PythonExpr> parts;
  std::vector<std::string> operators;
  std::size_t from = 0, to = 0; // in the snippet

  bool isName(std::string_view name) const { return kind == Kind::Name && text == name; }
};

using PythonExprKind = PythonExpr::Kind;

/// The place where an expression cannot be read further, and why.
struct PythonFault {
  std::size_t from = 0, to = 0;
  std::string why;
};

/// Reads one expression at the front, nested at most `depth` deep. `used` is the number of tokens
/// that it took.
std::variant<PythonExpr, PythonFault> readPython(std::span<const PythonToken> tokens,
                                                 std::size_t depth, std::size_t& used);

} // namespace tikc::audit
