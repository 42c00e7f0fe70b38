#include "yaml/Decode.h"

#include <algorithm>

namespace tikc::yaml {

void ScalarMap::copy(std::uint32_t decoded, std::uint32_t raw) {
  if (!runs_.empty()) {
    const Run& last = runs_.back();
    if (last.copied && raw - last.raw == decoded - last.decoded)
      return;
  }
  runs_.push_back({decoded, raw, 1, true});
}

std::uint32_t ScalarMap::rawBegin(std::uint32_t decoded) const {
  if (decoded >= decodedSize_)
    return rawEnd_;
  const Run& run = runOf(decoded);
  return run.copied ? run.raw + (decoded - run.decoded) : run.raw;
}

std::uint32_t ScalarMap::rawEndOf(std::uint32_t decoded) const {
  const Run& run = runOf(decoded);
  return run.copied ? run.raw + (decoded - run.decoded) + 1 : run.raw + run.rawSize;
}

const ScalarMap::Run& ScalarMap::runOf(std::uint32_t decoded) const {
  auto after =
      std::upper_bound(runs_.begin(), runs_.end(), decoded,
                       [](std::uint32_t offset, const Run& run) { return offset < run.decoded; });
  return *std::prev(after);
}

Span ScalarMap::map(FileId file, std::uint32_t begin, std::uint32_t end) const {
  begin = std::min(begin, decodedSize_);
  end = std::clamp(end, begin, decodedSize_);
  std::uint32_t first = rawBegin(begin);
  return {file, first, begin == end ? first : rawEndOf(end - 1)};
}

ScalarMap scalarMap(const Source& source, const Node& scalar) {
  ScalarMap map;
  decode(source.text, {scalar.span.begin, scalar.span.end, scalar.style, scalar.indent}, &map);
  return map;
}

} // namespace tikc::yaml
