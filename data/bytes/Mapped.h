#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/Support/Error.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace tikc::data {

/// A read-only mapped file.
class MappedFile {
public:
  /// Maps a regular file, or returns an error of the environment.
  static llvm::Expected<std::shared_ptr<const MappedFile>> open(const std::filesystem::path& path);
  /// Maps the first bytes of an open file, which may be closed afterwards. Returns null and sets
  /// errno on failure.
  static std::shared_ptr<MappedFile> of(int descriptor, std::size_t size);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const { return bytes_; }
  /// Returns whether the file was rewritten since it was opened, so that what was read may be of
  /// two versions. A file that only grew still has its bytes, and so has one that lost its name.
  bool isRewritten() const;
  llvm::Error whyRewritten() const;
  /// The device and inode of an opened file, which identify it whatever its name.
  std::pair<std::uint64_t, std::uint64_t> identity() const;
  /// The name of the open file that is mapped at an address, or empty. For signal handlers, too.
  static std::string_view nameAt(const void* address);
  /// Releases the memory of a part, and of earlier pages that the system mapped with it. Access
  /// reads the file again.
  void forget(std::string_view part) const;
  /// Releases the memory around one place that was looked at, on both sides.
  void forgetAround(std::size_t at) const;
  /// Releases the memory of a part whose reading ends, and what the system mapped behind it.
  void leave(std::string_view part) const;
  /// Passes a part in steps, each of which needs memory only during its call.
  void each(std::string_view part, llvm::function_ref<void(std::string_view step)> look) const;
  /// The size of the steps in which memory behind a reader is released.
  static constexpr std::size_t step = std::size_t{1} << 20;

  struct Mapping;

private:
  explicit MappedFile(std::string_view bytes) : bytes_(bytes) {}

  struct Opened {
    std::filesystem::path path;
    int descriptor = -1; // leads to the file whatever its name does; of many files, some have none
    std::uint64_t device = 0, inode = 0;
    std::int64_t seconds = 0, nanoseconds = 0;             // of the last write
    std::int64_t changeSeconds = 0, changeNanoseconds = 0; // of that, or of another change
    std::uint64_t samples = 0;
    Mapping* mapping = nullptr;
  };
  /// A hash of pages at both ends and between them, which a writer that appends leaves alone.
  std::uint64_t hashOfSamples() const;

  std::string_view bytes_;
  std::optional<Opened> opened_;
};

/// Passes bytes in steps. If they are in a mapped file, each step needs memory only during its
/// call; `in` is null for bytes in memory.
void eachStep(std::string_view bytes, const MappedFile* in,
              llvm::function_ref<void(std::string_view step)> look);

} // namespace tikc::data
