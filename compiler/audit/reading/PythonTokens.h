#pragma once

#include "audit/reading/Snippet.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tikc::audit {

/// A token of Python's, or of what shells put into it. Of a text that is cut, the last is what is
/// left.
struct PythonToken {
  enum class Kind : std::uint8_t {
    Number,
    String,
    Formatted, // f"…": what it is nobody knows before it runs
    Name,
    Variable, // a shell's $NAME or ${NAME}
    Operator,
    NewLine, // outside of brackets
    Wrong,   // nothing of Python's
    End
  };

  Kind kind = Kind::End;
  std::string text;                   // of a string its value, else as written
  std::size_t from = 0, to = 0;       // of the snippet
  std::size_t inner = 0, innerTo = 0; // of a string, without its quotes
  bool isRaw = true;                  // of a string: no escapes, so that its inside is its value

  bool is(std::string_view written) const {
    return (kind == Kind::Operator || kind == Kind::Name) && text == written;
  }
};

using PythonTokenKind = PythonToken::Kind;

/// One after the other, up to `most`: the last is an End, or Wrong where there are more. Comments
/// and blanks are left out. What is a shell's may stand in it where it `mayHaveVariables`.
std::vector<PythonToken> pythonTokens(std::string_view text, bool mayHaveVariables,
                                      std::size_t most);

} // namespace tikc::audit
