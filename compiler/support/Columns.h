#pragma once

#include <string>
#include <vector>

namespace tikc {

/// Returns rows of cells as lines with aligned columns; the first row is the heading.
std::string inColumns(const std::vector<std::vector<std::string>>& rows);

} // namespace tikc
