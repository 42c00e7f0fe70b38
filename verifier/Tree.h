#pragma once

#include "verifier/Formula.h"

namespace verify {

/// A scalar, list or map of a YAML or JSON text. Accessors reject the certificate if the value is
/// missing or of another kind.
struct Tree {
  char kind = 0;         // '[' a list, '{' a map, '"' a quoted scalar, 'a' a plain one, 0 nothing
  std::string key, text; // key: of an item of a map; text: of a scalar
  std::size_t at = 0;    // where the key begins …
  std::size_t file = 0;  // … and in which file
  std::vector<Tree> items;

  const Tree* find(std::string_view name) const;
  const Tree& operator[](std::string_view name) const;
  const std::string& quoted() const;
  const std::vector<Tree>& list() const;
  /// Returns a whole number below 10^9.
  std::int64_t count() const;
  /// Returns a number written as "p/q" or "p" in quotes.
  Number number() const;
  /// Returns the text in flow style, with braces and brackets.
  std::string print() const;
};

struct File {
  std::string name, content;
};

/// Parses a text into the list of its documents. It accepts the subset of YAML that contracts use,
/// and JSON. It rejects text that another reader could read differently (tags, anchors, merge keys,
/// complex keys, tabs, duplicate keys), and nesting beyond 32.
Tree parseYaml(std::string_view text, std::size_t file = 0);

} // namespace verify
