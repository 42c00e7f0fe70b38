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

/// The text of one file. It never changes once loaded.
struct Source {
  std::string name;           // as the user wrote it, for display
  std::filesystem::path path; // canonical; empty for standard input
  std::string text;
  LineTable lines;
};

/// Owns the texts behind all Spans of one run. Several threads may add and read at once. Sources
/// never move, so a thread can read the source of a FileId without a lock.
class SourceManager {
public:
  FileId add(std::string name, std::filesystem::path path, std::string text);
  const Source& get(FileId file) const;
  std::size_t size() const;

  /// Replaces the text on disk of the file at the canonical path, because an editor has it open.
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
