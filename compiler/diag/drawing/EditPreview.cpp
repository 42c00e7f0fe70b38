#include "diag/drawing/EditPreview.h"

#include "support/Utf8.h"

#include <algorithm>
#include <span>
#include <string_view>

namespace tikc::diag::drawing {
namespace {

constexpr std::size_t mostBytes = 4096;
constexpr std::size_t mostLines = 16;

std::vector<std::string> splitLines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r'))
      line.remove_suffix(1);
    lines.emplace_back(line);
  }
  return lines;
}

/// Edits of one file whose lines touch, applied to those lines. False where they are too long.
bool previewRun(const Source& source, std::span<const Edit> edits, std::vector<ChangedLine>& out) {
  const LineTable& lines = source.lines;
  std::uint32_t first = lines.lineIndex(edits.front().span.begin);
  std::uint32_t last = lines.lineIndex(edits.back().span.end);
  std::uint32_t begin = lines.lineStart(first);
  std::uint32_t end = last + 1 < lines.lineCount() ? lines.lineStart(last + 1)
                                                   : static_cast<std::uint32_t>(source.text.size());
  if (end - begin > mostBytes)
    return false;

  std::string after;
  std::uint32_t at = begin;
  for (const Edit& edit : edits) {
    if (edit.span.begin < at)
      return false;
    after.append(source.text, at, edit.span.begin - at).append(edit.text);
    at = edit.span.end;
  }
  after.append(source.text, at, end - at);
  if (after.size() > mostBytes)
    return false;

  std::string_view beforeText = std::string_view(source.text).substr(begin, end - begin);
  std::string_view afterText = after;
  if (begin == 0) {
    beforeText = utf8::withoutByteOrderMark(beforeText);
    afterText = utf8::withoutByteOrderMark(afterText);
  }
  std::vector<std::string> old = splitLines(beforeText);
  std::vector<std::string> fresh = splitLines(afterText);
  std::size_t same = static_cast<std::size_t>(
      std::mismatch(old.begin(), old.end(), fresh.begin(), fresh.end()).first - old.begin());
  std::size_t tail = 0;
  while (tail < std::min(old.size(), fresh.size()) - same &&
         old[old.size() - 1 - tail] == fresh[fresh.size() - 1 - tail])
    ++tail;

  auto changed = [&](bool added, std::vector<std::string>& mine,
                     const std::vector<std::string>& other) {
    for (std::size_t i = same; i + tail < mine.size(); ++i) {
      std::size_t differs = 0;
      if (i + tail < other.size())
        differs = static_cast<std::size_t>(
            std::mismatch(mine[i].begin(), mine[i].end(), other[i].begin(), other[i].end()).first -
            mine[i].begin());
      out.push_back({added, edits.front().span.file, first + static_cast<std::uint32_t>(i) + 1,
                     mine[i], differs});
    }
  };
  changed(false, old, fresh);
  changed(true, fresh, old);
  return true;
}

} // namespace

std::optional<std::vector<ChangedLine>> previewEdits(const SourceManager& sources,
                                                     std::vector<Edit> edits) {
  std::stable_sort(edits.begin(), edits.end(),
                   [](const Edit& a, const Edit& b) { return a.span < b.span; });
  std::vector<ChangedLine> lines;
  for (std::size_t i = 0; i < edits.size();) {
    const Source& source = sources.get(edits[i].span.file);
    std::size_t end = i + 1;
    while (end < edits.size() && edits[end].span.file == edits[i].span.file &&
           source.lines.lineIndex(edits[end].span.begin) <=
               source.lines.lineIndex(edits[end - 1].span.end) + 1)
      ++end;
    if (!previewRun(source, std::span(edits).subspan(i, end - i), lines) ||
        lines.size() > mostLines)
      return std::nullopt;
    i = end;
  }
  if (lines.empty())
    return std::nullopt;
  return lines;
}

} // namespace tikc::diag::drawing
