#include "support/Descriptors.h"
#include "support/Files.h"
#include "support/KnownFiles.h"
#include "support/UsageError.h"
#include "support/Utf8.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>

#include <atomic>
#include <csignal>

namespace tikc {
namespace {

namespace fs = std::filesystem;

llvm::Error unwritable(const fs::path& path, std::string_view why) {
  return usageError(fmt::format("cannot write {}: {}", utf8::tickedPath(path.native()), why));
}

/// Gathers small steps, so that each write is worth its call. False: errno tells why.
bool writeSteps(int descriptor, TextInSteps text) {
  constexpr std::size_t mostGathered = 64 << 10;
  std::string gathered;
  const bool isWritten = text([&](std::string_view step) {
    if (gathered.size() + step.size() > mostGathered) {
      if (!writeAll(descriptor, gathered))
        return false;
      gathered.clear();
    }
    if (step.size() > mostGathered)
      return writeAll(descriptor, step);
    gathered += step;
    return true;
  });
  return isWritten && writeAll(descriptor, gathered);
}

/// Where a write to path ends up; the last link may dangle. An endless chain is left for the system
/// to report.
fs::path followLinks(fs::path path) {
  for (int hops = 0; hops < 40; ++hops) {
    std::error_code error;
    fs::path target = fs::read_symlink(path, error);
    if (error)
      break;
    path = target.is_absolute() ? target : path.parent_path() / target;
  }
  return path;
}

/// Finds a name that no other writer in the folder uses, and `take`s it. On failure, errno says
/// why.
template <class Take> bool nameTemporary(const fs::path& folder, fs::path& path, Take take) {
  static std::atomic<unsigned> serial = 0;
  for (int attempt = 0; attempt < 1000; ++attempt) {
    path = folder / fmt::format(".tikc-{}-{}.tmp", ::getpid(), serial++);
    if (take(path))
      return true;
    if (errno != EEXIST)
      break;
  }
  path.clear();
  return false;
}

std::string linkTo(int descriptor) { return fmt::format("/proc/self/fd/{}", descriptor); }

/// Opens a file without a name, which disappears if the process is killed. Returns -1 if the system
/// has no such files.
int openNameless(const fs::path& folder, mode_t mode) {
  const int number = withoutInterrupts(
      [&] { return ::open(folder.c_str(), O_RDWR | O_TMPFILE | O_CLOEXEC, mode); });
  if (number < 0 || ::access(linkTo(number).c_str(), F_OK) == 0)
    return number;
  ::close(number);
  return -1;
}

/// Some network file systems cannot be flushed; they report at the close. False: errno tells why.
bool isFlushed(int descriptor) {
  return withoutInterrupts([&] { return ::fsync(descriptor); }) == 0 || errno == EINVAL ||
         errno == ENOTSUP;
}

/// Writes a file that will replace another. On failure, errno says why.
bool fill(Descriptor& file, TextInSteps text, const struct stat* replaced) {
  if (replaced) {
    // The owner can be kept by root alone; a user who may not is the owner of what they write.
    [[maybe_unused]] int ignored = ::fchown(file.number(), replaced->st_uid, replaced->st_gid);
    if (::fchmod(file.number(), replaced->st_mode & 07777) != 0)
      return false;
  }
  return writeSteps(file.number(), text) && isFlushed(file.number());
}

/// Keeps signals that end the process waiting, so that they find no half of a write.
class HeldSignals {
public:
  HeldSignals() {
    sigset_t ending;
    ::sigemptyset(&ending);
    for (int signal : {SIGHUP, SIGINT, SIGTERM})
      ::sigaddset(&ending, signal);
    ::pthread_sigmask(SIG_BLOCK, &ending, &before_);
  }
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
  ~HeldSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

private:
  sigset_t before_;
};

/// False: errno tells why, and as far as the disk allows the file says what it said.
bool writeInPlace(const fs::path& path, TextInSteps steps, const struct stat& before) {
  // The text may lie in the file itself, which changes under it.
  std::string text;
  steps([&](std::string_view step) {
    text += step;
    return true;
  });
  Descriptor file(
      withoutInterrupts([&] { return ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW); }));
  std::string old;
  auto size = static_cast<std::size_t>(before.st_size);
  if (!file.valid() || !readBounded(file.number(), size, size, old))
    return false;
  auto fill = [&](std::string_view with) {
    return ::lseek(file.number(), 0, SEEK_SET) == 0 && writeAll(file.number(), with) &&
           ::ftruncate(file.number(), static_cast<off_t>(with.size())) == 0 &&
           isFlushed(file.number());
  };
  // Where there is no room, that shows before a byte is overwritten.
  int why = text.size() <= size
                ? 0
                : ::posix_fallocate(file.number(), 0, static_cast<off_t>(text.size()));
  if (why == 0 && fill(text) && file.close())
    return true;
  why = why ? why : errno;
  fill(old);
  errno = why;
  return false;
}

/// False: errno tells why, and what was there is still there.
bool replaceWhole(const fs::path& target, const fs::path& folder, TextInSteps text,
                  const struct stat* replaced) {
  const mode_t mode = replaced ? replaced->st_mode & 0666 : 0666;
  fs::path temporary;
  int number = openNameless(folder, mode);
  if (number < 0)
    nameTemporary(folder, temporary, [&](const fs::path& name) {
      number = withoutInterrupts([&] {
        return ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
      });
      return number >= 0;
    });
  Descriptor file(number);
  if (!file.valid())
    return false;
  auto hasName = [&] {
    return !temporary.empty() || nameTemporary(folder, temporary, [&](const fs::path& name) {
      return ::linkat(AT_FDCWD, linkTo(file.number()).c_str(), AT_FDCWD, name.c_str(),
                      AT_SYMLINK_FOLLOW) == 0;
    });
  };
  if (fill(file, text, replaced) && hasName() && file.close() &&
      ::rename(temporary.c_str(), target.c_str()) == 0)
    return true;
  int why = errno;
  if (!temporary.empty())
    ::unlink(temporary.c_str());
  errno = why;
  return false;
}

/// Writes to an open descriptor, a pipe or a device, and replaces nothing. Waits for a slow reader
/// of a pipe; fails if a named pipe has no reader.
llvm::Error writeStream(const fs::path& path, TextInSteps text) {
  auto descriptor = descriptorNamed(path);
  Descriptor file(withoutInterrupts([&] {
    return descriptor ? ::fcntl(*descriptor, F_DUPFD_CLOEXEC, 3)
                      : ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  }));
  if (!file.valid() && errno == ENXIO)
    return unwritable(path, "no process reads from this pipe");
  if (file.valid() && !descriptor) // wait for a slow reader
    ::fcntl(file.number(), F_SETFL, ::fcntl(file.number(), F_GETFL) & ~O_NONBLOCK);
  if (file.valid() && writeSteps(file.number(), text) && file.close())
    return llvm::Error::success();
  return systemError("write", utf8::tickedPath(path.native()), errno);
}

} // namespace

Descriptor openUnnamed(const fs::path& folder) {
  constexpr mode_t mode = 0600;
  int number = openNameless(folder, mode);
  fs::path path;
  if (number < 0) {
    HeldSignals signals; // between the two calls the file has a name
    nameTemporary(folder, path, [&](const fs::path& name) {
      number = withoutInterrupts([&] {
        return ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
      });
      return number >= 0 && ::unlink(name.c_str()) == 0;
    });
  }
  return Descriptor(number);
}

fs::path folderOfOutput(const fs::path& path) {
  struct stat status;
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
    return {};
  const fs::path folder = followLinks(path).parent_path();
  return folder.empty() ? fs::path(".") : folder;
}

llvm::Error writeFile(const fs::path& path, std::string_view text) {
  return writeFileInSteps(path, [&](TakeText take) { return take(text); });
}

llvm::Error writeFileInSteps(const fs::path& path, TextInSteps text) {
  if (descriptorNamed(path))
    return writeStream(path, text);
  struct stat status;
  bool exists = ::stat(path.c_str(), &status) == 0;
  if (!exists && errno != ENOENT)
    return systemError("write", utf8::tickedPath(path.native()), errno);
  if (exists && S_ISDIR(status.st_mode))
    return unwritable(path, "it is a folder");
  if (exists && !S_ISREG(status.st_mode))
    return writeStream(path, text);
  fs::path target = followLinks(path);
  if (!target.has_filename())
    return unwritable(path, "it names no file");
  // A rename would replace a file that its owner has protected.
  if (exists && ::faccessat(AT_FDCWD, target.c_str(), W_OK, AT_EACCESS) != 0)
    return systemError("write", utf8::tickedPath(path.native()), errno);
  fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  Descriptor opened(withoutInterrupts(
      [&] { return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }));
  if (!opened.valid() && errno == ENOENT)
    return unwritable(path,
                      fmt::format("folder {} does not exist", utf8::tickedPath(folder.native())));

  HeldSignals signals;
  bool hasOneName = !exists || status.st_nlink <= 1; // 0: it was just replaced
  if (!(hasOneName ? replaceWhole(target, folder, text, exists ? &status : nullptr)
                   : writeInPlace(target, text, status)))
    return systemError("write", utf8::tickedPath(path.native()), errno);
  // Makes the rename itself last through a power cut, where the folder can be flushed at all.
  if (opened.valid())
    ::fsync(opened.number());
  known_files::add(target);
  return llvm::Error::success();
}

char ClosedPipe::ID = 0;

void ClosedPipe::log(llvm::raw_ostream& out) const {
  out << "standard output was closed by its reader";
}

std::error_code ClosedPipe::convertToErrorCode() const {
  return std::make_error_code(std::errc::broken_pipe);
}

llvm::Error writeStandardOutput(std::string_view text) {
  struct stat status = {};
  if (::fstat(STDOUT_FILENO, &status) == 0 && known_files::has(status))
    return usageError("refusing to write to standard output: it is a file that this command reads "
                      "or has written");
  bool written = writeAll(STDOUT_FILENO, text);
  if (!written && errno == EPIPE)
    return llvm::make_error<ClosedPipe>();
  // A network file system or a quota may refuse only when a descriptor is closed; closing a copy
  // asks it.
  if (written) {
    Descriptor copy(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3));
    written = text.empty() || (copy.valid() && copy.close());
  }
  return written ? llvm::Error::success() : systemError("write", "standard output", errno);
}

} // namespace tikc
