#pragma once

#include "yaml/Decode.h"
#include "yaml/Nesting.h"

#include <string>
#include <string_view>
#include <vector>

namespace tikc::ide {

/// A value of a document, as far as indentation and brackets show it.
struct SketchPart {
  enum class Kind : std::uint8_t { Empty, Scalar, Map, List };

  Kind kind = Kind::Empty;
  bool isFlow = false;      // for a collection
  bool hasColon = true;     // after its key
  std::size_t parent = 0;   // the root is its own parent
  std::string key;          // in a map
  Span keySpan;             // empty without a key
  bool isOdd = false;       // a scalar that was already reported
  yaml::RawScalar scalar{}; // for a scalar
};

/// The structure of a document in which any line may be incomplete. YAML parsers stop at the first
/// error. Columns and brackets suffice to locate the cursor, so the sketch is made from tokens.
class Sketch {
public:
  Sketch() = default;
  Sketch(std::string text, const yaml::DocumentText& document);

  const std::vector<SketchPart>& parts() const { return parts_; }
  std::vector<std::size_t> childrenOf(std::size_t part) const;
  /// Returns the child under the key; 0, the root, without one.
  std::size_t find(std::size_t part, std::string_view key) const;
  /// Returns the decoded text of a scalar; empty for other parts.
  std::string textOf(std::size_t part) const;

private:
  void fill(SketchPart& part, yaml::NestingStep::Kind kind, const yaml::Token& token) const;
  std::string decoded(const yaml::Token& token) const;

  std::string text_;
  std::vector<SketchPart> parts_;
};

} // namespace tikc::ide
