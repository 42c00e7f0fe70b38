#pragma once

#include "support/Source.h"
#include "support/Span.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tikc::yaml {

enum class Style : std::uint8_t { Plain, SingleQuoted, DoubleQuoted, Literal, Folded, Empty };

/// The source of each byte of a decoded scalar. A run of copied bytes is one entry; an escape, a
/// fold or a doubled quote starts another. Both offsets increase.
class ScalarMap {
public:
  struct Run {
    std::uint32_t decoded; // offset in the decoded value
    std::uint32_t raw;     // offset in the file
    std::uint32_t
        rawSize; // of the first decoded byte's source: 1 for a copied byte, 6 for \u00e9, …
    bool copied; // further bytes correspond one to one
  };

  void add(Run run) { runs_.push_back(run); }
  /// Adds a run: the bytes from `decoded` on are those from `raw` on.
  void copy(std::uint32_t decoded, std::uint32_t raw);
  void finish(std::uint32_t decodedSize, std::uint32_t rawEnd) {
    decodedSize_ = decodedSize;
    rawEnd_ = rawEnd;
  }
  /// Returns the bytes of the file for the decoded range [begin, end). An empty range maps to an
  /// empty one.
  Span map(FileId file, std::uint32_t begin, std::uint32_t end) const;

private:
  std::uint32_t rawBegin(std::uint32_t decoded) const;
  std::uint32_t rawEndOf(std::uint32_t decoded) const;
  const Run& runOf(std::uint32_t decoded) const;

  std::vector<Run> runs_;
  std::uint32_t decodedSize_ = 0;
  std::uint32_t rawEnd_ = 0;
};

/// The type of a value in YAML 1.2's core schema.
enum class ScalarType : std::uint8_t { Null, Bool, Int, Float, String };

struct Node;

struct Entry {
  std::unique_ptr<Node> key;
  std::unique_ptr<Node> value;
  Span span; // from the key's first byte to the value's last
};

/// A node of a YAML document, with aliases expanded and exact places.
struct Node {
  enum class Kind : std::uint8_t { Scalar, Sequence, Mapping };

  Kind kind = Kind::Scalar;
  Style style = Style::Plain;
  ScalarType type = ScalarType::Null; // for scalars
  bool flow = false;                  // for collections: [ … ] or { … }
  bool inFlow = false;                // inside a flow collection
  bool invalid = false;               // already reported, and ignored later
  Span span; // the value's text with its quotes or brackets, without anchor and tag; a block scalar
             // ends with its last line's text, before the line breaks that it keeps
  std::uint32_t indent = 0; // for a block scalar: the spaces removed from each line
  std::string value;        // for scalars, decoded
  std::vector<std::unique_ptr<Node>> items;
  std::vector<Entry> entries;
  Span aliasSpan; // the alias that this node was copied for; otherwise invalid

  const Node* find(std::string_view key) const;
  const Entry* findEntry(std::string_view key) const;
  bool isNull() const { return kind == Kind::Scalar && type == ScalarType::Null; }
  bool isText() const {
    return kind == Kind::Scalar && type == ScalarType::String && !value.empty();
  }
  bool isTrue() const {
    return kind == Kind::Scalar && type == ScalarType::Bool &&
           (value.front() == 't' || value.front() == 'T');
  }
};

/// Returns a deep copy. With `alias`, the copies are marked as belonging to it; otherwise they keep
/// their marks.
std::unique_ptr<Node> copyOf(const Node& node, const Span& alias = {});

struct Comment {
  Span span;    // from the # to the end of the line
  bool ownLine; // only whitespace precedes it
};

struct YamlDocument {
  std::unique_ptr<Node> root; // never null; an empty document is a Null scalar
  Span span;
  bool complete = true; // false if a syntax error cut it short: missing keys are not reported then
  std::vector<FileId> ancestors; // files of merged parents, the nearest first
};

/// A whole file: its documents, comments and anchors in order.
struct Tree {
  FileId file = FileId::None;
  std::vector<YamlDocument> documents;
  std::vector<Comment> comments;
  std::vector<Span> anchors; // and aliases, each with its sign
};

/// Returns the map of a scalar from decoded to raw offsets, computed from the text on errors only.
ScalarMap scalarMap(const Source& source, const Node& scalar);

/// Returns the type that a scalar's text has in YAML 1.2's core schema if it is plain.
ScalarType coreType(std::string_view text);

} // namespace tikc::yaml
