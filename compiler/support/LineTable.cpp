#include "support/LineTable.h"

#include "support/Utf8.h"

#include <algorithm>
#include <iterator>

namespace tikc {

LineTable::LineTable(std::string_view text) {
  starts_.push_back(0);
  for (std::size_t i = text.find('\n'); i != std::string_view::npos; i = text.find('\n', i + 1)) {
    markLongLine(text, starts_.back(), static_cast<std::uint32_t>(i));
    starts_.push_back(static_cast<std::uint32_t>(i + 1));
  }
  markLongLine(text, starts_.back(), static_cast<std::uint32_t>(text.size()));
}

void LineTable::markLongLine(std::string_view text, std::uint32_t begin, std::uint32_t end) {
  std::uint32_t characters = 0;
  while (end - begin > markEvery) {
    std::uint32_t next = begin + markEvery;
    while (next > begin + markEvery - 3 && (static_cast<unsigned char>(text[next]) & 0xC0) == 0x80)
      --next;
    characters += static_cast<std::uint32_t>(utf8::length(text.substr(begin, next - begin)));
    marks_.push_back({next, characters});
    begin = next;
  }
}

std::uint32_t LineTable::lineIndex(std::uint32_t offset) const {
  auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
  return static_cast<std::uint32_t>(after - starts_.begin()) - 1;
}

std::string_view LineTable::lineText(std::string_view text, std::uint32_t index) const {
  std::size_t begin = starts_[index];
  std::size_t end = index + 1 < starts_.size() ? starts_[index + 1] - 1 : text.size();
  if (index + 1 < starts_.size() && end > begin && text[end - 1] == '\r')
    --end;
  return text.substr(begin, end - begin);
}

Position LineTable::position(std::string_view text, std::uint32_t offset) const {
  std::uint32_t index = lineIndex(offset);
  std::uint32_t from = starts_[index];
  std::uint32_t characters = 0;
  auto mark =
      std::upper_bound(marks_.begin(), marks_.end(), offset,
                       [](std::uint32_t wanted, const Mark& m) { return wanted < m.offset; });
  if (mark != marks_.begin() && std::prev(mark)->offset > from) {
    --mark;
    from = mark->offset;
    characters = mark->charactersBefore;
  }
  characters += static_cast<std::uint32_t>(utf8::length(text.substr(from, offset - from)));
  if (index == 0 && offset >= utf8::byteOrderMark.size() && text.starts_with(utf8::byteOrderMark))
    --characters;
  return {index + 1, characters + 1};
}

std::uint32_t LineTable::byteColumn(std::uint32_t offset) const {
  return offset - starts_[lineIndex(offset)] + 1;
}

} // namespace tikc
