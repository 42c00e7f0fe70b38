#include "support/Descriptors.h"

#include "support/Utf8.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <system_error>

namespace tikc {

llvm::Error systemError(std::string_view what, std::string_view name, int code) {
  std::error_code error(code, std::generic_category());
  return llvm::createStringError(error,
                                 fmt::format("cannot {} {}: {}", what, name, error.message()));
}

std::optional<int> descriptorNamed(const std::filesystem::path& path) {
  static constexpr std::string_view standard[] = {"/dev/stdin", "/dev/stdout", "/dev/stderr"};
  std::string_view name = path.native();
  for (int number = 0; number < 3; ++number)
    if (name == standard[number])
      return number;
  for (std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!name.starts_with(folder))
      continue;
    int number = -1;
    auto [end, error] =
        std::from_chars(name.data() + folder.size(), name.data() + name.size(), number);
    if (error == std::errc() && end == name.data() + name.size())
      return number;
  }
  return std::nullopt;
}

bool waitFor(int descriptor, short events) {
  struct stat status;
  if (::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode)) {
    errno = EAGAIN;
    return false;
  }
  pollfd entry{descriptor, events, 0};
  return withoutInterrupts([&] { return ::poll(&entry, 1, -1); }) >= 0;
}

bool writeAll(int descriptor, std::string_view text) {
  while (!text.empty()) {
    ssize_t put = withoutInterrupts([&] { return ::write(descriptor, text.data(), text.size()); });
    if (put >= 0)
      text.remove_prefix(static_cast<std::size_t>(put));
    else if ((errno != EAGAIN && errno != EWOULDBLOCK) || !waitFor(descriptor, POLLOUT))
      return false;
  }
  return true;
}

bool readBounded(int descriptor, std::size_t expected, std::size_t limit, std::string& text) {
  static constexpr std::size_t step = 64 << 10;
  std::size_t size = 0;
  text.resize(std::min(expected, limit) + 1);
  for (;;) {
    if (size == text.size()) {
      if (size > limit)
        break;
      text.resize(std::min(limit + 1, size + std::max(size, step)));
    }
    ssize_t got = withoutInterrupts(
        [&] { return ::read(descriptor, text.data() + size, text.size() - size); });
    if (got == 0)
      break;
    if (got > 0)
      size += static_cast<std::size_t>(got);
    else if ((errno != EAGAIN && errno != EWOULDBLOCK) || !waitFor(descriptor, POLLIN))
      return false;
  }
  text.resize(size);
  return true;
}

} // namespace tikc
