#include "support/Columns.h"

#include "support/Utf8.h"

#include <algorithm>

namespace tikc {

std::string inColumns(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths.resize(std::max(widths.size(), i + 1));
      widths[i] = std::max(widths[i], utf8::cells(row[i]));
    }
  std::string out;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i)
      out += row[i] + std::string(widths[i] - utf8::cells(row[i]) + 2, ' ');
    out.erase(out.find_last_not_of(' ') + 1);
    out += '\n';
  }
  return out;
}

} // namespace tikc
