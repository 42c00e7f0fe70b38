#pragma once

#include "ide/completion/Sketch.h"
#include "model/Keys.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tikc::ide {

/// What may stand where the cursor is, told from the text before it: the rest of its line is what
/// the user is about to change.
struct CursorContext {
  std::string_view text;
  std::uint32_t cursor = 0;

  /// From the `#` to the cursor, where it stands in a comment; nothing else is known then.
  std::optional<std::string_view> comment;

  /// Keys of the map may stand here, a value of the shape, or either.
  std::optional<model::Shape> map, value;
  /// The key that the value stands under, or the map is the value of; null below the author's own.
  const model::KeyInfo* key = nullptr;
  std::string section; // of the contract
  std::vector<std::string> siblings;
  bool inFlow = false;
  bool isListItem = false;

  /// The scalar up to the cursor, and where its bytes are.
  syntax::RawScalar scalar{};
  std::string before;
  syntax::ScalarMap places;
  /// A comma or bracket inside the scalar was taken for YAML's: it wants quotes.
  bool wantsQuotes = false;

  /// The contract with the cursor's line made whole, and what bytes of the text it takes.
  Sketch sketch;
  std::uint32_t begin = 0, end = 0;
  /// All contracts' names in the file.
  std::vector<std::string> contracts;

  bool isAnywhere() const { return comment || map || value; }
};

/// Documents are of the shape.
CursorContext contextAt(std::string_view text, std::uint32_t cursor,
                        model::Shape root = model::Shape::Contract);

} // namespace tikc::ide
