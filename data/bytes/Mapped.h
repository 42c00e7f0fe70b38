#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/Support/Error.h>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string_view>

namespace tikc::data {

/// A file that stands in memory as it is on disk.
class MappedFile {
public:
  /// A regular file, or a fault of the world that says why not.
  static llvm::Expected<std::shared_ptr<const MappedFile>> open(const std::filesystem::path& path);
  /// So much of an open file, which may be closed afterwards; null, and errno tells why.
  static std::shared_ptr<const MappedFile> of(int descriptor, std::size_t size);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const { return bytes_; }
  /// Gives the memory of a part back, and of the pages before it that the system mapped along; who
  /// looks at it again reads the file again.
  void forget(std::string_view part) const;
  /// Shows a part in steps, each of which costs memory only while it is looked at.
  void each(std::string_view part, llvm::function_ref<void(std::string_view step)> look) const;
  /// What is behind a reader is forgotten in steps of so much.
  static constexpr std::size_t step = std::size_t{1} << 20;

private:
  explicit MappedFile(std::string_view bytes) : bytes_(bytes) {}

  std::string_view bytes_;
};

/// Shows bytes in steps. If they lie in a mapped file, each step costs memory only while it is
/// looked at; bytes in memory are in none.
void eachStep(std::string_view bytes, const MappedFile* in,
              llvm::function_ref<void(std::string_view step)> look);

} // namespace tikc::data
