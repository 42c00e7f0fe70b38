#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace tikc::lsp {

/// Puts up to so many bytes of the input there and says how many; none at its end.
using Read = std::function<std::size_t(char* to, std::size_t most)>;
Read readingFile(int file);

/// Reads messages as the protocol frames them: headers, an empty line, as many bytes as the headers
/// say. What comes is a stranger's: nothing is believed before it is there.
class Framing {
public:
  static constexpr std::size_t mostHeader = 8 << 10;
  static constexpr std::size_t mostContent = 64 << 20;

  explicit Framing(Read read) : read_(std::move(read)) {}

  /// The content of the next message; nothing at the end, and where no message can be found again:
  /// then there is a fault.
  std::optional<std::string> next();

  const std::string& fault() const { return fault_; }

private:
  bool fill();
  std::optional<std::string> line();
  std::optional<std::size_t> headers();
  std::nullopt_t fail(std::string why);

  Read read_;
  std::string buffer_;
  std::size_t at_ = 0; // of the buffer, what is not taken yet
  std::string fault_;
};

} // namespace tikc::lsp
