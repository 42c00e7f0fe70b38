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

/// Bytes that are appended and then read as a whole: in memory while they are few, and otherwise in
/// a file without a name, which disappears with its last user however the process ends.
class SpilledBytes {
public:
  /// The file is in this folder, or in that of temporary files where the folder takes none.
  explicit SpilledBytes(std::filesystem::path folder = {}) : folder_(std::move(folder)) {}

  /// What stays in memory when the rest is moved to the file.
  static constexpr std::size_t mostInMemory = std::size_t{4} << 20;

  void append(std::string_view bytes);
  /// Moves what is in memory to the file if it is more than memory should keep. A file that cannot
  /// be written is a fault of everything that reads the bytes afterwards.
  void settle();

  std::uint64_t size() const { return size_; }
  bool isInMemory() const { return !file_.valid() && fault_ == 0; }

  /// Shows all bytes in steps. In memory, no step ends within what was appended at once.
  llvm::Error each(llvm::function_ref<void(std::string_view step)> show) const;

  /// All bytes, one behind the other.
  struct Whole {
    std::string_view bytes;
    std::shared_ptr<const void> kept;       // what they lie in
    std::shared_ptr<const MappedFile> file; // the same where it is a file
  };
  /// Nothing is appended afterwards.
  llvm::Expected<Whole> finish();

private:
  void spill();
  bool open();
  llvm::Error failure(int code) const;

  std::filesystem::path folder_;
  std::deque<std::string> blocks_; // behind what is in the file
  std::size_t inMemory_ = 0;
  std::uint64_t size_ = 0;
  Descriptor file_{-1}; // not valid while all is in memory
  int fault_ = 0;       // errno of the first write that failed
};

} // namespace tikc::data
