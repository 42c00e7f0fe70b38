#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tikc::driver {

/// What the language's tables say of a name, as the editor's hover does: a metric, something to
/// claim, an aggregate, a field, a unit, a call, a key or a word of a list. A name may be several
/// of them. Empty where the language does not have it.
std::vector<std::string> pagesOfName(std::string_view name, bool isMarkdown);
/// Every name that has a page.
std::vector<std::string_view> namesWithPages();

} // namespace tikc::driver
