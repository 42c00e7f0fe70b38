#pragma once

#include "ide/completion/Sketch.h"
#include "model/Keys.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tikc::ide {

/// What can be written at the cursor, judged by the text before it: the user is about to change the
/// rest of its line.
struct CursorContext {
  std::string_view text;
  std::uint32_t cursor = 0;

  /// The text from `#` to the cursor, in a comment; then everything else is empty.
  std::optional<std::string_view> comment;

  /// The map whose keys are possible here, and the shape of a possible value.
  std::optional<model::Shape> map, value;
  /// The key of the value or of the map; null below an author's own keys.
  const model::KeyInfo* key = nullptr;
  std::string section; // of the contract
  std::vector<std::string> siblings;
  bool inFlow = false;
  bool isListItem = false;

  /// The scalar up to the cursor, and the places of its bytes.
  yaml::RawScalar scalar{};
  std::string before;
  yaml::ScalarMap places;
  /// Whether a comma or bracket in the scalar was read as YAML, so that it needs quotes.
  bool wantsQuotes = false;

  /// The contract with the cursor's line completed, and its range of bytes in the text.
  Sketch sketch;
  std::uint32_t begin = 0, end = 0;
  /// The names of all contracts in the file.
  std::vector<std::string> contracts;

  bool isAnywhere() const { return comment || map || value; }
};

/// `root` is the shape of the documents.
CursorContext contextAt(std::string_view text, std::uint32_t cursor,
                        model::Shape root = model::Shape::Contract);

} // namespace tikc::ide
