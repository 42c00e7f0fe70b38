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

/// Helpers for reading and writing files.
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
  /// Closes the descriptor. EINTR is not a failure: Linux has closed the descriptor by then, and
  /// its number may belong to another thread.
  bool close() {
    int number = std::exchange(number_, -1);
    return number < 0 || ::close(number) == 0 || errno == EINTR;
  }

private:
  int number_;
};

/// Returns an error such as "cannot read `x`: No such file or directory"; `code` is an errno.
llvm::Error systemError(std::string_view what, std::string_view name, int code);

/// Returns the descriptor of this process that a path names.
std::optional<int> descriptorNamed(const std::filesystem::path& path);

/// Waits until a non-blocking descriptor is ready. Returns false and sets errno on failure. Never
/// waits for a regular file that has nothing now, such as some in /proc: it may never have.
bool waitFor(int descriptor, short events);

/// Writes the whole text. Returns false and sets errno on failure.
bool writeAll(int descriptor, std::string_view text);

/// Opens a file without a name for reading and writing; it disappears with its descriptor. Returns
/// an invalid descriptor and sets errno on failure.
Descriptor openUnnamed(const std::filesystem::path& folder);

/// Reads to the end, or one byte past the limit. Returns false and sets errno on failure.
bool readBounded(int descriptor, std::size_t expected, std::size_t limit, std::string& text);

} // namespace tikc
