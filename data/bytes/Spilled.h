#pragma once

#include "data/bytes/Mapped.h"
#include "support/Descriptors.h"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/Support/Error.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace tikc::data {

/// Bytes that are appended and then read as a whole. Few bytes stay in memory. More go to an
/// unlinked file, which disappears with its last user even if the process crashes.
class SpilledBytes {
public:
  /// The size up to which bytes stay in memory, unless another is given.
  static constexpr std::size_t mostInMemory = std::size_t{4} << 20;

  /// Uses a file in this folder, or in the folder of temporary files if the folder is not writable.
  explicit SpilledBytes(std::filesystem::path folder = {}, std::size_t most = mostInMemory)
      : folder_(std::move(folder)), most_(most) {}

  void append(std::string_view bytes);
  /// Moves the bytes to the file if they exceed the size for memory. If writing fails, later reads
  /// return the error.
  void settle();

  std::uint64_t size() const { return size_; }
  bool isInMemory() const { return !file_.valid() && fault_ == 0; }

  /// Passes all bytes in steps. In memory, no step ends within one append.
  llvm::Error each(llvm::function_ref<void(std::string_view step)> show) const;

  /// All bytes in one contiguous view.
  struct Whole {
    std::string_view bytes;
    std::shared_ptr<const void> kept;       // keeps the bytes alive
    std::shared_ptr<const MappedFile> file; // the file, if the bytes are in it
  };
  /// Returns all bytes; append nothing afterwards.
  llvm::Expected<Whole> finish();

private:
  void spill();
  bool open();
  llvm::Error failure(int code) const;

  std::filesystem::path folder_;
  std::size_t most_;
  std::deque<std::string> blocks_; // after those in the file
  std::size_t inMemory_ = 0;
  std::uint64_t size_ = 0;
  Descriptor file_{-1}; // invalid while all bytes are in memory
  int fault_ = 0;       // errno of the first failed write
};

} // namespace tikc::data
