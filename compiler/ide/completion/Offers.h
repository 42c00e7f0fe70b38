#pragma once

#include "ide/Surroundings.h"
#include "ide/completion/Item.h"
#include "ide/completion/Names.h"

#include <vector>

/// The completions at a cursor, by kind.
namespace tikc::ide {

/// Returns keys that the map does not have yet, the required ones first.
std::vector<CompletionItem> keyItems(const CursorContext& context, const WordSlot& slot,
                                     const Names& names);
/// Returns a contract for an empty text, named after its file.
std::vector<CompletionItem> starterItems(const CursorContext& context,
                                         const std::filesystem::path& path);
/// Returns values that are not expressions: words of a list, names, files.
std::vector<CompletionItem> valueItems(const CursorContext& context, const Names& names);
/// Returns the contracts that a file could extend; `path` is empty for a text that is not a file.
std::vector<CompletionItem> parentItems(const CursorContext& context, Surroundings& around,
                                        const std::filesystem::path& path);
/// Returns the items in a comment with tikc directives.
std::vector<CompletionItem> commentItems(const CursorContext& context, const Analysis& analysis);

} // namespace tikc::ide
