#pragma once

#include <filesystem>

namespace tikc {

/// An exclusive lock on a file's folder, for a process that reads a file and then replaces it.
/// Other locks, of this process and others, wait. Leaves no file behind.
class FolderLock {
public:
  explicit FolderLock(const std::filesystem::path& file);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  /// False on network file systems that cannot lock folders.
  bool isHeld() const { return isHeld_; }

private:
  int folder_;
  bool isHeld_ = false;
};

} // namespace tikc
