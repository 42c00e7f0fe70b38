#pragma once

#include "syntax/Decode.h"
#include "syntax/Nesting.h"

#include <string>
#include <string_view>
#include <vector>

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
  void fill(SketchPart& part, syntax::NestingStep::Kind kind, const syntax::Token& token) const;
  std::string decoded(const syntax::Token& token) const;

  std::string text_;
  std::vector<SketchPart> parts_;
};

} // namespace tikc::ide
