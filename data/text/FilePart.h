#pragma once

#include "data/bytes/Digest.h"
#include "data/bytes/Mapped.h"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

namespace tikc::data {

/// A part of a file that needs memory only where it is read, and is digested as it is read.
class PartOfFile {
public:
  PartOfFile(std::shared_ptr<const MappedFile> file, std::string_view part, Digest& digest)
      : file_(std::move(file)), rest_(part), digest_(digest) {}
  ~PartOfFile() { file_->leave(rest_); }
  PartOfFile(const PartOfFile&) = delete;
  PartOfFile& operator=(const PartOfFile&) = delete;

  void readUpTo(std::size_t end) {
    while (end >= read_ + MappedFile::step)
      take(MappedFile::step);
  }
  void finish() {
    while (!rest_.empty())
      take(std::min(rest_.size(), MappedFile::step));
  }

private:
  void take(std::size_t size) {
    digest_.add(rest_.substr(0, size));
    file_->forget(rest_.substr(0, size));
    rest_.remove_prefix(size);
    read_ += size;
  }

  std::shared_ptr<const MappedFile> file_;
  std::string_view rest_;
  Digest& digest_;
  std::size_t read_ = 0;
};

/// The numbers of lines of a file's pieces, as they become known.
class LineCounts {
public:
  explicit LineCounts(std::size_t pieces) : lines_(pieces) {}

  void set(std::size_t piece, std::uint64_t lines) {
    const std::lock_guard lock(mutex_);
    lines_[piece] = lines;
  }
  /// Returns the lines before a piece. `count` counts the lines of pieces that were not read to
  /// their end.
  std::uint64_t before(std::size_t piece,
                       llvm::function_ref<std::uint64_t(std::size_t piece)> count) {
    const std::lock_guard lock(mutex_);
    while (summed_.size() <= piece) {
      const std::size_t last = summed_.size() - 1;
      if (!lines_[last])
        lines_[last] = count(last);
      summed_.push_back(summed_.back() + *lines_[last]);
    }
    return summed_[piece];
  }

private:
  std::mutex mutex_;
  std::vector<std::optional<std::uint64_t>> lines_;
  std::vector<std::uint64_t> summed_{0};
};

} // namespace tikc::data
