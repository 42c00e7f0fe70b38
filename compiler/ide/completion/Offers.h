#pragma once

#include "ide/Surroundings.h"
#include "ide/completion/Item.h"
#include "ide/completion/Names.h"

#include <vector>

/// What is offered where the cursor stands.
namespace tikc::ide {

/// Keys of the map that are not there yet, those that it needs first.
std::vector<CompletionItem> keyItems(const CursorContext& context, const WordSlot& slot,
                                     const Names& names);
/// A contract to begin with, where there is nothing yet; its name is the file's.
std::vector<CompletionItem> starterItems(const CursorContext& context,
                                         const std::filesystem::path& path);
/// Values that are no expressions: words of a list, names, files.
std::vector<CompletionItem> valueItems(const CursorContext& context, const Names& names);
/// What the contract of a file could extend; `path` is empty where the text is no file.
std::vector<CompletionItem> parentItems(const CursorContext& context, Surroundings& around,
                                        const std::filesystem::path& path);
/// Within a comment that speaks to tikc.
std::vector<CompletionItem> commentItems(const CursorContext& context, const Analysis& analysis);

} // namespace tikc::ide
