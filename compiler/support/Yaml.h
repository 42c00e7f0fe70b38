#pragma once

#include <string>
#include <string_view>

namespace tikc {

/// Returns a double-quoted scalar, the one style that holds any text on one line.
std::string quoteYaml(std::string_view text);

} // namespace tikc
