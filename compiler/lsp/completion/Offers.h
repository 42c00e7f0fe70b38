#pragma once

#include "lsp/Params.h"
#include "lsp/completion/Item.h"
#include "lsp/completion/Names.h"

#include <vector>

/// What is offered where the cursor stands.
namespace tikc::lsp {

/// Keys of the map that are not there yet, those that it needs first.
std::vector<Item> keyItems(const Context& context, const Slot& slot, const Names& names);
/// A contract to begin with, where there is nothing yet; its name is the file's.
std::vector<Item> starterItems(const Context& context, const Document& document);
/// Values that are no expressions: words of a list, names, files.
std::vector<Item> valueItems(const Context& context, const Names& names);
std::vector<Item> parentItems(const Context& context, Session& session, const Document& document);
/// Within a comment that speaks to tikc.
std::vector<Item> commentItems(const Context& context, const Analysis& analysis);

} // namespace tikc::lsp
