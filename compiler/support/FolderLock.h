#pragma once

#include <filesystem>

namespace tikc {

/// Keeps other locks of a file's folder waiting, of this process and others, for one that reads the
/// file and replaces it. Nothing is left behind in the folder.
class FolderLock {
public:
  explicit FolderLock(const std::filesystem::path& file);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  /// Some network file systems lock no folders.
  bool isHeld() const { return isHeld_; }

private:
  int folder_;
  bool isHeld_ = false;
};

} // namespace tikc
