#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/Support/Error.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

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
  /// Returns an error if the file was rewritten in place since it was opened: what was read may be
  /// of two versions. A file that grew, or whose name now leads to another, still has its bytes.
  llvm::Error whyRewritten() const;
  /// Releases the memory of a part, and of earlier pages that the system mapped with it. Access
  /// reads the file again.
  void forget(std::string_view part) const;
  /// Passes a part in steps, each of which needs memory only during its call.
  void each(std::string_view part, llvm::function_ref<void(std::string_view step)> look) const;
  /// The size of the steps in which memory behind a reader is released.
  static constexpr std::size_t step = std::size_t{1} << 20;

private:
  explicit MappedFile(std::string_view bytes) : bytes_(bytes) {}

  struct Version {
    std::filesystem::path path;
    std::uint64_t device = 0, inode = 0;
    std::int64_t seconds = 0, nanoseconds = 0; // of the last change
  };

  std::string_view bytes_;
  std::optional<Version> opened_; // where it has a name
};

/// Passes bytes in steps. If they are in a mapped file, each step needs memory only during its
/// call; `in` is null for bytes in memory.
void eachStep(std::string_view bytes, const MappedFile* in,
              llvm::function_ref<void(std::string_view step)> look);

} // namespace tikc::data
