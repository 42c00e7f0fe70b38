#pragma once

#include "sema/Symbols.h"
#include "syntax/Tree.h"

#include <string>
#include <vector>

namespace tikc::sema {

/// A name where a text says it.
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
  Span span;                // the name alone, within its quotes
  Span whole;               // of a definition, what it defines; of a parent, the reference
};

/// Every name that a document defines or uses by itself, in the order of the text. It asks nothing
/// of the rest: what is half typed is read as far as its words tell. What stands at an alias is
/// told of its anchor, once.
std::vector<Mention> mentionsIn(const SourceManager& sources, const syntax::YamlDocument& document);

} // namespace tikc::sema
