#pragma once

#include <llvm/Support/Error.h>

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

private:
  explicit MappedFile(std::string_view bytes) : bytes_(bytes) {}

  std::string_view bytes_;
};

} // namespace tikc::data
