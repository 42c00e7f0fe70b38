#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace tikc::lsp {

/// Reads messages as the protocol frames them: headers, an empty line, as many bytes as the headers
/// say. What comes is a stranger's: nothing is believed before it is there.
class Framing {
public:
  static constexpr std::size_t mostHeader = 8 << 10;
  static constexpr std::size_t mostContent = 64 << 20;

  explicit Framing(int file) : file_(file) {}

  /// The content of the next message; nothing at the end, and where no message can be found again:
  /// then there is a fault.
  std::optional<std::string> next();

  const std::string& fault() const { return fault_; }

private:
  bool fill();
  std::optional<std::string> line();
  std::optional<std::size_t> headers();
  std::nullopt_t fail(std::string why);

  int file_;
  std::string buffer_;
  std::size_t at_ = 0; // of the buffer, what is not taken yet
  std::string fault_;
};

} // namespace tikc::lsp
