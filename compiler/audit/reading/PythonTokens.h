#pragma once

#include "audit/reading/Snippet.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tikc::audit {

/// A token of Python, or a shell variable in it.
struct PythonToken {
  enum class Kind : std::uint8_t {
    Number,
    String,
    Formatted, // f"…": unknown before it runs
    Name,
    Variable, // $NAME or ${NAME} of a shell
    Operator,
    NewLine, // outside brackets
    Wrong,   // not a token of Python
    End
  };

  Kind kind = Kind::End;
  std::string text;                   // the value of a string; otherwise as written
  std::size_t from = 0, to = 0;       // in the snippet
  std::size_t inner = 0, innerTo = 0; // of a string, without its quotes
  bool isRaw = true; // of a string: without escapes, so that its content is its value

  bool is(std::string_view written) const {
    return (kind == Kind::Operator || kind == Kind::Name) && text == written;
  }
};

using PythonTokenKind = PythonToken::Kind;

/// Returns at most `most` tokens, without comments and whitespace. The last one is End, or Wrong if
/// there are more. With `mayHaveVariables`, the text may contain shell variables.
std::vector<PythonToken> pythonTokens(std::string_view text, bool mayHaveVariables,
                                      std::size_t most);

} // namespace tikc::audit
