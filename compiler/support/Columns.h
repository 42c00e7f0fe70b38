#pragma once

#include <string>
#include <vector>

namespace tikc {

/// Rows of cells as lines in which each column begins below itself; the first row is the heading.
std::string inColumns(const std::vector<std::vector<std::string>>& rows);

} // namespace tikc
