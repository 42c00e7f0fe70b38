#pragma once

#include "syntax/Decode.h"

#include <string>
#include <string_view>
#include <vector>

namespace tikc::syntax {
struct Token;
struct DocumentText;
} // namespace tikc::syntax

namespace tikc::ide {

/// A value of a document: what its indentation and brackets alone say of it.
struct SketchPart {
  enum class Kind : std::uint8_t { Empty, Scalar, Map, List };

  Kind kind = Kind::Empty;
  bool isFlow = false;        // of a collection
  bool hasColon = true;       // after its key
  std::size_t parent = 0;     // of the root: itself
  std::string key;            // in a map
  Span keySpan;               // empty where there is none
  bool isOdd = false;         // a scalar that was reported already
  syntax::RawScalar scalar{}; // of a scalar
};

/// A document of which any line may be half typed. Events of a YAML parser end at the first fault;
/// to say where a cursor stands, columns and brackets are enough, and they are read from the words.
class Sketch {
public:
  Sketch() = default;
  Sketch(std::string text, const syntax::DocumentText& document);

  const std::vector<SketchPart>& parts() const { return parts_; }
  std::vector<std::size_t> childrenOf(std::size_t part) const;
  /// The child under the key; 0, the root, where there is none.
  std::size_t find(std::size_t part, std::string_view key) const;
  /// The decoded text of a scalar; empty for other parts.
  std::string textOf(std::size_t part) const;

private:
  struct Frame {
    std::size_t part;
    std::int64_t column; // -1 within brackets
  };

  void take(const syntax::Token& token);
  void scalar(const syntax::Token& token);
  void flowScalar(const syntax::Token& token);
  void value(const syntax::Token& token);
  void open(bool isMap);
  void close();
  void dash(const syntax::Token& token);
  void key(const syntax::Token& token, bool hasColon);

  void popTo(std::int64_t column);
  bool inFlow() const { return !frames_.empty() && frames_.back().column < 0; }
  std::int64_t columnOf(std::uint32_t offset) const;
  bool isFirstOnLine(std::uint32_t offset) const;
  std::string decoded(const syntax::Token& token) const;
  std::size_t add(std::size_t parent);
  /// The part that the next value is of; a new item of a list where none waits.
  std::size_t waiting();

  std::string text_;
  std::vector<SketchPart> parts_;
  std::vector<Frame> frames_;
  std::size_t waiting_ = 0; // a part that is still empty
  bool isWaiting_ = true;
};

} // namespace tikc::ide
