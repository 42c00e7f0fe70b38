#pragma once

#include "audit/reading/PythonTokens.h"

#include <cstddef>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace tikc::audit {

/// An expression of Python's, as far as gates are made of it. It is read and never run.
struct PythonExpr {
  enum class Kind : std::uint8_t {
    Number,
    String,
    Formatted,
    Name,
    Variable,  // of a shell
    Call,      // parts: what is called, arguments
    Keyword,   // text=parts[0], an argument
    Subscript, // parts: of what, which
    Member,    // parts[0].text
    Unary,     // text parts[0]
    Binary,    // parts[0] text parts[1]
    Compare,   // parts and between them `operators`
    And,
    Or,
    Not,
    List // of brackets or braces, and of what else holds several
  };

  Kind kind = Kind::Name;
  std::string text;
  std::vector<PythonExpr> parts;
  std::vector<std::string> operators;
  std::size_t from = 0, to = 0; // of the snippet

  bool isName(std::string_view name) const { return kind == Kind::Name && text == name; }
};

using PythonExprKind = PythonExpr::Kind;

/// What stands where it could not be read on, and why.
struct PythonFault {
  std::size_t from = 0, to = 0;
  std::string why;
};

/// Reads one expression off the front, nested `depth` deep at most; `used` says how many tokens it
/// took.
std::variant<PythonExpr, PythonFault> readPython(std::span<const PythonToken> tokens,
                                                 std::size_t depth, std::size_t& used);

} // namespace tikc::audit
