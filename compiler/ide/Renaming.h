#pragma once

#include "ide/Analysis.h"
#include "ide/Family.h"
#include "support/Edits.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tikc::ide {

/// Returns "a slice": the kind of thing that a name of the space names.
std::string_view whatIs(sema::NameSpace space);

/// Return why a name cannot be renamed, or cannot become the new one; nothing if it can.
std::optional<std::string> unfitToRename(const Families& families, const NamedPlace& name);
std::optional<std::string> unfitAsName(const Families& families, const NamedPlace& name,
                                       std::string_view wanted);

/// The edits of a rename, and the texts that it affects.
struct Renaming {
  std::map<const Outline*, std::vector<Edit>> edits; // of every text that mentions the name
  std::map<const Outline*, std::string> texts;       // after the edits
  std::vector<const Outline*> concerned; // including all parents and children, sorted by id
  std::string fault;                     // why the edits cannot be made
};
Renaming renaming(const Families& families, const NamedPlace& name, std::string_view wanted);

// A rename must not change the meaning of any contract. So all of them must be fully readable, and
// checks must have equal findings before and after.

bool isReadWhole(const Analysis& analysis);
/// Returns why a text that is not fully readable cannot be part of a rename.
std::string readingFault(const Outline& outline);
/// Returns the findings that would appear or disappear; nothing if there are none.
std::optional<std::string> changeOfFindings(const Outline& outline, const Analysis& before,
                                            const Analysis& after);

/// Whether the place has a word that a user could take for a name.
bool isWordAt(const Analysis& analysis, std::uint32_t offset);

} // namespace tikc::ide
