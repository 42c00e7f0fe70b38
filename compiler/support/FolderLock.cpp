#include "support/FolderLock.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <system_error>
#include <unistd.h>

namespace tikc {

FolderLock::FolderLock(const std::filesystem::path& file) {
  // Through links, as what is written goes.
  std::error_code error;
  std::filesystem::path target = std::filesystem::weakly_canonical(file, error);
  target = (error ? file : target).parent_path();
  folder_ = ::open(target.empty() ? "." : target.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  int status = -1;
  while (folder_ >= 0 && (status = ::flock(folder_, LOCK_EX)) != 0 && errno == EINTR) {
  }
  isHeld_ = status == 0;
}

FolderLock::~FolderLock() {
  if (folder_ >= 0)
    ::close(folder_);
}

} // namespace tikc
