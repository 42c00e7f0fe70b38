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
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const { return bytes_; }
  /// Gives the memory of a part back; who looks at it again reads the file again.
  void forget(std::string_view part) const;
  /// Shows a part in steps, each of which costs memory only while it is looked at.
  void each(std::string_view part, llvm::function_ref<void(std::string_view step)> look) const;
  /// What is behind a reader is forgotten in steps of so much.
  static constexpr std::size_t step = std::size_t{1} << 20;

private:
  explicit MappedFile(std::string_view bytes) : bytes_(bytes) {}

  std::string_view bytes_;
};

} // namespace tikc::data
