#include "lsp/wire/Framing.h"

#include <llvm/ADT/StringRef.h>

#include <cerrno>
#include <unistd.h>

namespace tikc::lsp {

Read readingFile(int file) {
  return [file](char* to, std::size_t most) {
    ssize_t got = 0;
    do
      got = ::read(file, to, most);
    while (got < 0 && errno == EINTR);
    return static_cast<std::size_t>(got > 0 ? got : 0);
  };
}

std::optional<std::string> Framing::next() {
  auto size = headers();
  if (!size)
    return std::nullopt;
  while (buffer_.size() - at_ < *size)
    if (!fill())
      return fail("the input ends within a message");
  std::string out = buffer_.substr(at_, *size);
  at_ += *size;
  return out;
}

/// More bytes, at the end of what is there; false at the end of the input.
bool Framing::fill() {
  constexpr std::size_t piece = 64 << 10;
  buffer_.erase(0, at_);
  at_ = 0;
  std::size_t before = buffer_.size();
  buffer_.resize(before + piece);
  std::size_t got = read_(buffer_.data() + before, piece);
  buffer_.resize(before + got);
  return got > 0;
}

/// Without its end, which is CRLF; LF alone is accepted.
std::optional<std::string> Framing::line() {
  std::size_t end = 0;
  while ((end = buffer_.find('\n', at_)) == std::string::npos) {
    if (buffer_.size() - at_ > mostHeader)
      return fail("header too long: the limit is 8 KiB");
    if (!fill())
      return std::nullopt;
  }
  std::string out = buffer_.substr(at_, end - at_);
  at_ = end + 1;
  if (out.ends_with('\r'))
    out.pop_back();
  return out;
}

std::optional<std::size_t> Framing::headers() {
  std::optional<std::size_t> size;
  for (std::size_t count = 0;; ++count) {
    auto text = line();
    if (!text)
      return count == 0 && fault_.empty() && at_ == buffer_.size()
                 ? std::nullopt
                 : fail("the input ends within a header");
    if (text->empty())
      break;
    auto [name, value] = llvm::StringRef(*text).split(':');
    if (!name.trim().equals_insensitive("content-length"))
      continue; // others say nothing that is not known
    unsigned long long length = 0;
    if (value.trim().getAsInteger(10, length) || length > mostContent)
      return fail("invalid Content-Length: expected a number of bytes up to 64 MiB");
    size = static_cast<std::size_t>(length);
  }
  return size ? size : fail("missing Content-Length");
}

std::nullopt_t Framing::fail(std::string why) {
  if (fault_.empty())
    fault_ = std::move(why);
  return std::nullopt;
}

} // namespace tikc::lsp
