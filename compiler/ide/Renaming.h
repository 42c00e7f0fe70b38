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

/// "a slice": what a name of the space names.
std::string_view whatIs(sema::NameSpace space);

/// Why a name cannot be renamed, or a new one not be taken; nothing where it can.
std::optional<std::string> unfitToRename(const Families& families, const NamedPlace& name);
std::optional<std::string> unfitAsName(const Families& families, const NamedPlace& name,
                                       std::string_view wanted);

/// What a rename changes, and which texts may notice.
struct Renaming {
  std::map<const Outline*, std::vector<Edit>> edits; // of every text that says the name
  std::map<const Outline*, std::string> texts;       // with the edits
  std::vector<const Outline*> concerned;             // all above and below included, by their ids
  std::string fault;                                 // why the edits cannot be made
};
Renaming renaming(const Families& families, const NamedPlace& name, std::string_view wanted);

// A rename leaves every contract as it was: one that can be read whole, so that what it says is
// known, and in which a check finds the same before and after.

bool isReadWhole(const Analysis& analysis);
/// Why a text that is not cannot be part of a rename.
std::string readingFault(const Outline& outline);
/// What would be found, or found no longer; nothing where it is the same.
std::optional<std::string> changeOfFindings(const Outline& outline, const Analysis& before,
                                            const Analysis& after);

/// Whether a word stands there that a user might take for a name.
bool isWordAt(const Analysis& analysis, std::uint32_t offset);

} // namespace tikc::ide
