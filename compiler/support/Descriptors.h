#pragma once

#include <llvm/Support/Error.h>

#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>

/// What reading and writing files have in common.
namespace tikc {

template <typename Call> auto withoutInterrupts(Call call) {
  for (;;) {
    auto result = call();
    if (result != -1 || errno != EINTR)
      return result;
  }
}

class Descriptor {
public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }

  int number() const { return number_; }
  bool valid() const { return number_ >= 0; }
  /// EINTR is no fault here: Linux has closed the descriptor by then, and another thread may own
  /// its number.
  bool close() {
    int number = std::exchange(number_, -1);
    return number < 0 || ::close(number) == 0 || errno == EINTR;
  }

private:
  int number_;
};

/// "cannot read `x`: No such file or directory", by the number of an error of the system.
llvm::Error systemError(std::string_view what, std::string_view name, int code);

/// The descriptor of this process that a path names.
std::optional<int> descriptorNamed(const std::filesystem::path& path);

/// Waits where a descriptor that this process was given does not block. False: errno tells why. A
/// file that has nothing now, as some of the system's own, is not waited for: it may never have.
bool waitFor(int descriptor, short events);

/// Writes all of a text. False: errno tells why.
bool writeAll(int descriptor, std::string_view text);

/// Opens a file without a name, to write and to read, which disappears with its descriptor.
/// Invalid: errno tells why.
Descriptor openUnnamed(const std::filesystem::path& folder);

/// Reads to the end or to one byte past the limit, whichever comes first. False: errno tells why.
bool readBounded(int descriptor, std::size_t expected, std::size_t limit, std::string& text);

} // namespace tikc
