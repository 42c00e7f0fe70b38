#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/Support/Error.h>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string_view>

namespace tikc::data {

/// A read-only mapped file.
class MappedFile {
public:
  /// Maps a regular file, or returns an error of the environment.
  static llvm::Expected<std::shared_ptr<const MappedFile>> open(const std::filesystem::path& path);
  /// Maps the first bytes of an open file, which may be closed afterwards. Returns null and sets
  /// errno on failure.
  static std::shared_ptr<const MappedFile> of(int descriptor, std::size_t size);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const { return bytes_; }
  /// Releases the memory of a part, and of earlier pages that the system mapped with it. Access
  /// reads the file again.
  void forget(std::string_view part) const;
  /// Passes a part in steps, each of which needs memory only during its call.
  void each(std::string_view part, llvm::function_ref<void(std::string_view step)> look) const;
  /// The size of the steps in which memory behind a reader is released.
  static constexpr std::size_t step = std::size_t{1} << 20;

private:
  explicit MappedFile(std::string_view bytes) : bytes_(bytes) {}

  std::string_view bytes_;
};

/// Passes bytes in steps. If they are in a mapped file, each step needs memory only during its
/// call; `in` is null for bytes in memory.
void eachStep(std::string_view bytes, const MappedFile* in,
              llvm::function_ref<void(std::string_view step)> look);

} // namespace tikc::data
