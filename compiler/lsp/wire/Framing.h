#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace tikc::lsp {

/// Reads up to `most` bytes and returns how many; 0 at the end of the input.
using Read = std::function<std::size_t(char* to, std::size_t most)>;
Read readingFile(int file);

/// Reads framed messages of the protocol: headers, an empty line, and as many bytes as the headers
/// announce. Input is untrusted: memory grows only with bytes that arrived.
class Framing {
public:
  static constexpr std::size_t mostHeader = 8 << 10;
  static constexpr std::size_t mostContent = 64 << 20;

  explicit Framing(Read read) : read_(std::move(read)) {}

  /// Returns the content of the next message; nothing at the end, or with a fault if no message can
  /// be found any more.
  std::optional<std::string> next();

  const std::string& fault() const { return fault_; }

private:
  bool fill();
  std::optional<std::string> line();
  std::optional<std::size_t> headers();
  std::nullopt_t fail(std::string why);

  Read read_;
  std::string buffer_;
  std::size_t at_ = 0; // start of the unread part of the buffer
  std::string fault_;
};

} // namespace tikc::lsp
