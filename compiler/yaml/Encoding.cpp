#include "yaml/Encoding.h"

#include "support/Utf8.h"

#include <fmt/format.h>

#include <cstring>

namespace tikc::yaml {
namespace {

/// The encoding's name where the first bytes give away that it is not UTF-8.
std::string_view foreignEncoding(std::string_view text) {
  using namespace std::string_view_literals;
  if (text.starts_with("\xFF\xFE\0\0"sv) || text.starts_with("\0\0\xFE\xFF"sv))
    return "UTF-32";
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
    return "UTF-16";
  if (text.size() < 4)
    return {};
  auto nul = [&](std::size_t i) { return text[i] == '\0'; };
  if (nul(0) + nul(1) + nul(2) + nul(3) == 3 && nul(1) && nul(2))
    return "UTF-32";
  if ((nul(0) && nul(2) && !nul(1) && !nul(3)) || (nul(1) && nul(3) && !nul(0) && !nul(2)))
    return "UTF-16";
  return {};
}

/// Faults of one kind come in swarms: the first is reported, the others counted.
struct Swarm {
  std::uint32_t first = 0;
  std::uint32_t size = 0;
  std::uint64_t count = 0;

  void add(std::uint32_t at, std::uint32_t bytes) {
    if (count++ == 0) {
      first = at;
      size = bytes;
    }
  }
  Span span(FileId file) const { return {file, first, first + size}; }
  void tellOthers(diag::Diagnostic& finding) const {
    if (count > 1)
      finding.note(fmt::format("{} more in this file", count - 1));
  }
};

struct EncodingFaults {
  Swarm invalid, nul, control, carriageReturn;
};

/// Reads the byte or character at `i`, which is none of the common ones, and returns how many bytes
/// it takes.
std::uint32_t look(std::string_view text, std::uint32_t i, FeedText& feed, EncodingFaults& found) {
  auto byte = static_cast<unsigned char>(text[i]);
  if (byte == '\r') {
    if (i + 1 < text.size() && text[i + 1] == '\n')
      return 1;
    found.carriageReturn.add(i, 1);
    feed.damage(i, ' ');
    return 1;
  }
  if (byte < 0x80) {
    (byte == 0 ? found.nul : found.control).add(i, 1);
    feed.damage(i, '_');
    return 1;
  }
  auto decoded = utf8::decode(text.substr(i, 4));
  if (!decoded) {
    found.invalid.add(i, 1);
    feed.damage(i, '_');
    return 1;
  }
  bool control = (decoded->character < 0xA0 && decoded->character != 0x85) ||
                 decoded->character == 0xFFFE || decoded->character == 0xFFFF;
  if (control) {
    found.control.add(i, decoded->bytes);
    for (std::uint32_t k = 0; k < decoded->bytes; ++k)
      feed.damage(i + k, '_');
  }
  return decoded->bytes;
}

void report(FileId file, std::string_view text, const EncodingFaults& found, diag::Sink& sink) {
  auto byteAt = [&](const Swarm& swarm) { return static_cast<unsigned char>(text[swarm.first]); };
  if (found.invalid.count)
    found.invalid.tellOthers(sink.report<diag::InvalidUtf8>(
        found.invalid.span(file), fmt::format("0x{:02X}", byteAt(found.invalid))));
  if (found.nul.count)
    found.nul.tellOthers(sink.report<diag::NulByte>(found.nul.span(file), "the file"));
  if (found.control.count) {
    auto decoded = utf8::decode(text.substr(found.control.first, 4));
    found.control.tellOthers(sink.report<diag::ControlCharacter>(
        found.control.span(file),
        fmt::format("U+{:04X}", static_cast<std::uint32_t>(decoded->character))));
  }
  if (found.carriageReturn.count)
    found.carriageReturn.tellOthers(
        sink.report<diag::LoneCarriageReturn>(found.carriageReturn.span(file)));
}

} // namespace

bool checkEncoding(FileId file, FeedText& feed, diag::Sink& sink) {
  std::string_view text = feed.view();
  if (auto name = foreignEncoding(text); !name.empty()) {
    sink.report<diag::NotUtf8>(
        Span{file, 0, std::min<std::uint32_t>(4, static_cast<std::uint32_t>(text.size()))}, name);
    return false;
  }
  EncodingFaults found;
  // damage() may move the copy that view() shows, never the original that is read here.
  for (std::uint32_t i = 0; i < text.size();) {
    auto byte = static_cast<unsigned char>(text[i]);
    if ((byte >= 0x20 && byte < 0x7F) || byte == '\n' || byte == '\t')
      ++i;
    else
      i += look(text, i, feed, found);
  }
  report(file, text, found, sink);
  return true;
}

} // namespace tikc::yaml
