#include "support/Files.h"

#include "support/Descriptors.h"
#include "support/KnownFiles.h"
#include "support/Utf8.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <string>

namespace tikc {
namespace {

namespace fs = std::filesystem;

llvm::Error unreadable(const fs::path& path, std::errc code, std::string_view why) {
  return llvm::createStringError(
      std::make_error_code(code),
      fmt::format("cannot read {}: {}", utf8::tickedPath(path.native()), why));
}

/// The descriptor of this process that a path names, unless it is of a file or a folder, which have
/// names of their own.
std::optional<int> streamNamed(const fs::path& path) {
  auto number = descriptorNamed(path);
  struct stat status;
  bool isStream = number && ::fstat(*number, &status) == 0 && !S_ISREG(status.st_mode) &&
                  !S_ISDIR(status.st_mode);
  return isStream ? number : std::nullopt;
}

llvm::Expected<FileText> readWhole(int descriptor, std::string_view name, std::uint64_t size,
                                   const Limits& limits) {
  FileText file;
  auto expected = static_cast<std::size_t>(std::min<std::uint64_t>(size, limits.fileBytes));
  if (!readBounded(descriptor, expected, limits.fileBytes, file.text))
    return systemError("read", name, errno);
  file.size = std::max<std::uint64_t>(size, file.text.size());
  if (file.text.size() > limits.fileBytes) {
    file.tooLarge = true;
    file.text.resize(limits.fileBytes);
  } else {
    file.size = file.text.size();
  }
  return file;
}

llvm::Error unlessRegular(const fs::path& path, const struct stat& status) {
  if (S_ISREG(status.st_mode))
    return llvm::Error::success();
  if (S_ISDIR(status.st_mode))
    return unreadable(path, std::errc::is_a_directory, "it is a folder");
  return unreadable(path, std::errc::invalid_argument, "it is not a regular file");
}

} // namespace

bool namesStream(const fs::path& path) { return streamNamed(path).has_value(); }

llvm::Expected<FileText> readFile(const fs::path& path, const Limits& limits) {
  if (auto stream = streamNamed(path))
    return readWhole(*stream, utf8::tickedPath(path.native()), 0, limits);
  // Asked before the file is opened, since opening some devices acts on them, and again after,
  // since the name may have come to mean another file. O_NONBLOCK keeps a FIFO that slips in
  // between from stopping the process.
  struct stat status;
  if (::stat(path.c_str(), &status) != 0)
    return systemError("read", utf8::tickedPath(path.native()), errno);
  if (auto error = unlessRegular(path, status))
    return error;
  Descriptor file(withoutInterrupts(
      [&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY); }));
  if (!file.valid() || ::fstat(file.number(), &status) != 0)
    return systemError("read", utf8::tickedPath(path.native()), errno);
  if (auto error = unlessRegular(path, status))
    return error;
  known_files::add(status);
  return readWhole(file.number(), utf8::tickedPath(path.native()),
                   static_cast<std::uint64_t>(status.st_size), limits);
}

llvm::Expected<FileText> readStandardInput(const Limits& limits) {
  struct stat status;
  bool regular = ::fstat(STDIN_FILENO, &status) == 0 && S_ISREG(status.st_mode);
  if (regular)
    known_files::add(status);
  auto size = regular ? static_cast<std::uint64_t>(status.st_size) : 0;
  return readWhole(STDIN_FILENO, "standard input", size, limits);
}

llvm::Error makeFolder(const fs::path& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (!failed)
    return llvm::Error::success();
  return llvm::createStringError(
      failed,
      fmt::format("cannot make {}: {}", utf8::tickedPath(folder.native()), failed.message()));
}

} // namespace tikc
