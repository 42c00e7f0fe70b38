#include "support/Source.h"

#include "support/Check.h"

#include <bit>
#include <cstdint>
#include <limits>
#include <utility>

namespace tikc {
namespace {

struct ChunkPlace {
  std::size_t chunk;
  std::size_t offset;
};

ChunkPlace placeOf(std::size_t index, std::size_t firstChunk) {
  auto chunk = static_cast<std::size_t>(std::bit_width(index / firstChunk + 1)) - 1;
  return {chunk, index - firstChunk * ((std::size_t{1} << chunk) - 1)};
}

} // namespace

FileId SourceManager::add(std::string name, std::filesystem::path path, std::string text) {
  TIKC_CHECK(text.size() <= std::numeric_limits<std::uint32_t>::max(),
             "offsets into a text have 32 bits");
  LineTable lines(text);
  std::lock_guard lock(mutex_);
  ChunkPlace place = placeOf(count_, firstChunk);
  TIKC_CHECK(place.chunk < chunks_.size(), "files have numbers of 32 bits");
  if (!chunks_[place.chunk])
    chunks_[place.chunk] = std::make_unique<Source[]>(firstChunk << place.chunk);
  chunks_[place.chunk][place.offset] = {std::move(name), std::move(path), std::move(text),
                                        std::move(lines)};
  return static_cast<FileId>(count_++);
}

const Source& SourceManager::get(FileId file) const {
  ChunkPlace place = placeOf(static_cast<std::size_t>(file), firstChunk);
  TIKC_CHECK(static_cast<std::size_t>(file) < count_, "a file is asked for that was added");
  return chunks_[place.chunk][place.offset];
}

std::size_t SourceManager::size() const {
  std::lock_guard lock(mutex_);
  return count_;
}

void SourceManager::overlay(const std::filesystem::path& path, std::string text) {
  std::lock_guard lock(mutex_);
  overlays_.insert_or_assign(path, std::move(text));
}

std::optional<std::string> SourceManager::overlaid(const std::filesystem::path& path) const {
  std::lock_guard lock(mutex_);
  auto match = overlays_.find(path);
  return match == overlays_.end() ? std::nullopt : std::optional(match->second);
}

std::string_view SourceManager::text(const Span& span) const {
  return std::string_view(get(span.file).text).substr(span.begin, span.size());
}

Position SourceManager::position(FileId file, std::uint32_t offset) const {
  const Source& source = get(file);
  return source.lines.position(source.text, offset);
}

} // namespace tikc
