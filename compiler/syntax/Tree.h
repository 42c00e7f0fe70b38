#pragma once

#include "support/Source.h"
#include "support/Span.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tikc::syntax {

enum class Style : std::uint8_t { Plain, SingleQuoted, DoubleQuoted, Literal, Folded, Empty };

/// Where each byte of a decoded scalar came from. Runs that were copied byte for byte take one
/// entry; an escape, a fold or a doubled quote starts another. Monotone in both offsets.
class ScalarMap {
public:
  struct Run {
    std::uint32_t decoded; // offset in the decoded value
    std::uint32_t raw;     // offset in the file
    std::uint32_t
        rawSize; // of the first decoded byte's source: 1 for a copied byte, 6 for \u00e9, …
    bool copied; // bytes after the first follow one for one
  };

  void add(Run run) { runs_.push_back(run); }
  /// The bytes from `decoded` on are those from `raw` on, until the next run.
  void copy(std::uint32_t decoded, std::uint32_t raw);
  void finish(std::uint32_t decodedSize, std::uint32_t rawEnd) {
    decodedSize_ = decodedSize;
    rawEnd_ = rawEnd;
  }
  /// The bytes of the file that the decoded range [begin, end) was read from. An empty range maps
  /// to an empty one.
  Span map(FileId file, std::uint32_t begin, std::uint32_t end) const;

private:
  std::uint32_t rawBegin(std::uint32_t decoded) const;
  std::uint32_t rawEndOf(std::uint32_t decoded) const;
  const Run& runOf(std::uint32_t decoded) const;

  std::vector<Run> runs_;
  std::uint32_t decodedSize_ = 0;
  std::uint32_t rawEnd_ = 0;
};

/// A value under the YAML 1.2 core schema.
enum class ScalarType : std::uint8_t { Null, Bool, Int, Float, String };

struct Node;

struct Entry {
  std::unique_ptr<Node> key;
  std::unique_ptr<Node> value;
  Span span; // from the key's first byte to the value's last
};

/// A node of one YAML document, aliases expanded, each with its exact bytes.
struct Node {
  enum class Kind : std::uint8_t { Scalar, Sequence, Mapping };

  Kind kind = Kind::Scalar;
  Style style = Style::Plain;
  ScalarType type = ScalarType::Null; // of a scalar
  bool flow = false;                  // of a collection: [ … ] or { … }
  bool inFlow = false;                // somewhere inside a flow collection
  bool invalid = false;               // already reported: whoever reads on passes over it
  Span span; // the value's text with its quotes or brackets, without anchor and tag; a block scalar
             // ends with its last line's text, before the line breaks that it keeps
  std::uint32_t indent = 0; // of a block scalar: blanks that each line loses
  std::string value;        // of a scalar, decoded
  std::vector<std::unique_ptr<Node>> items;
  std::vector<Entry> entries;
  Span aliasSpan; // where an alias stands that this node was copied for; otherwise invalid

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

/// A deep copy. With an alias, its nodes are marked as standing there; else they keep their marks.
std::unique_ptr<Node> copyOf(const Node& node, const Span& alias = {});

struct Comment {
  Span span;    // from the # to the end of the line
  bool ownLine; // nothing but blanks stands before it
};

struct YamlDocument {
  std::unique_ptr<Node> root; // never null; an empty document is a Null scalar
  Span span;
  bool complete =
      true; // false when a syntax error cut it short: what is missing then is not reported
  std::vector<FileId> ancestors; // files of what was merged in, the nearest first
};

/// A whole file as read: its documents, its comments and its anchors in order.
struct Tree {
  FileId file = FileId::None;
  std::vector<YamlDocument> documents;
  std::vector<Comment> comments;
  std::vector<Span> anchors; // and aliases, each with its sign
};

/// The map of a scalar from decoded to raw offsets, made anew from the text: needed for errors
/// only.
ScalarMap scalarMap(const Source& source, const Node& scalar);

/// Type of a scalar's text under the YAML 1.2 core schema, as if it were plain.
ScalarType coreType(std::string_view text);

} // namespace tikc::syntax
