#pragma once

#include "verifier/Formula.h"

namespace verify {

/// A YAML text, or a JSON text: a scalar, a list or a map. Whoever asks for what is not there, or
/// is of another kind, rejects the certificate.
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
  /// A whole number below 10^9.
  std::int64_t count() const;
  /// "p/q" or "p", in quotes.
  Number number() const;
  /// As it could stand in braces and brackets.
  std::string print() const;
};

struct File {
  std::string name, content;
};

/// The list of a text's documents, in the part of YAML that contracts are written in, and JSON:
/// whatever may mean something else to YAML (tags, anchors, merge keys, complex keys, tabs, keys
/// that stand twice) rejects the text, and so does nesting beyond 32.
Tree parseYaml(std::string_view text, std::size_t file = 0);

} // namespace verify
