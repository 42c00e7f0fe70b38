#pragma once

#include "sema/Symbols.h"
#include "yaml/Tree.h"

#include <string>
#include <vector>

namespace tikc::sema {

/// A mention of a name in a text.
struct Mention {
  enum class Role : std::uint8_t {
    Definition,
    Removal, // the child's `name: null`
    Use
  };

  NameSpace space = NameSpace::Statement;
  Role role = Role::Use;
  std::string name;
  std::string of;           // of a label's value, the label; of a parent, its file
  std::string_view section; // of a definition: the key above it
  Span span;                // the name alone, without quotes
  Span whole;               // of a definition, its whole entry; of a parent, the reference
};

/// Returns every name that a document defines or uses, in the order of the text. It needs no other
/// analysis: half-typed text is read as far as its tokens go. Names under an alias are reported
/// once, at the anchor.
std::vector<Mention> mentionsIn(const SourceManager& sources, const yaml::YamlDocument& document);

} // namespace tikc::sema
