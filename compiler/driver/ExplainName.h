#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tikc::driver {

/// Returns what the language's tables say about a name, as the editor's hover does: a metric, a
/// quantity of claims, an aggregate, a field, a unit, a call, a key, a word of a list or a term of
/// the glossary. A name may be several of them. Empty if no table has it.
std::vector<std::string> pagesOfName(std::string_view name, bool isMarkdown);
/// Returns every name that has a page.
std::vector<std::string_view> namesWithPages();

} // namespace tikc::driver
