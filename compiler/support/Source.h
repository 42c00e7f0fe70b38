#pragma once

#include "support/LineTable.h"
#include "support/Span.h"

#include <array>
#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace tikc {

/// One file's text, never changed once loaded.
struct Source {
  std::string name;           // as the user wrote it, for display
  std::filesystem::path path; // canonical; empty for standard input
  std::string text;
  LineTable lines;
};

/// Owns the text behind every Span of one run. Several threads may add and read at once: a source
/// never moves, so a FileId that a thread was given can be read without a lock.
class SourceManager {
public:
  FileId add(std::string name, std::filesystem::path path, std::string text);
  const Source& get(FileId file) const;
  std::size_t size() const;

  /// From now on the file at the canonical path counts as having this text, whatever is on disk: it
  /// is being edited.
  void overlay(const std::filesystem::path& path, std::string text);
  std::optional<std::string> overlaid(const std::filesystem::path& path) const;

  std::string_view text(const Span& span) const;
  Position position(FileId file, std::uint32_t offset) const;

private:
  // Chunk k holds firstChunk << k sources.
  static constexpr std::size_t firstChunk = 4;
  std::array<std::unique_ptr<Source[]>, 26> chunks_;
  std::atomic<std::size_t> count_ = 0;
  std::map<std::filesystem::path, std::string> overlays_;
  mutable std::mutex mutex_;
};

} // namespace tikc
