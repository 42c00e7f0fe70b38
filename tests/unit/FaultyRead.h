#pragma once

#include "support/Check.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

/// Stands in the place of the system's in one test's executable: as long as it is so, the program
/// is at fault wherever it reads a file.
inline std::atomic<bool> isReadingAtFault = false;
extern "C" ssize_t read(int file, void* to, std::size_t most) {
  TIKC_CHECK(!isReadingAtFault, "files are read well");
  return ::syscall(SYS_read, file, to, most);
}
