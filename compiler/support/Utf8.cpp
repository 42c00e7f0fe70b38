#include "support/Utf8.h"

#include <fmt/format.h>
#include <llvm/Support/Unicode.h>

#include <iterator>

namespace tikc::utf8 {

std::optional<DecodedCharacter> decode(std::string_view text) {
  if (text.empty())
    return std::nullopt;
  auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  unsigned char lead = byte(0);
  if (lead < 0x80)
    return DecodedCharacter{lead, 1};
  std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < size)
    return std::nullopt;
  char32_t value = lead & (0x7Fu >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80)
      return std::nullopt;
    value = value << 6 | (byte(i) & 0x3Fu);
  }
  static constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (value < least[size] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF))
    return std::nullopt;
  return DecodedCharacter{value, static_cast<std::uint8_t>(size)};
}

std::optional<std::size_t> firstInvalid(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    if (static_cast<unsigned char>(text[i]) < 0x80) {
      ++i;
      continue;
    }
    auto decoded = decode(text.substr(i));
    if (!decoded)
      return i;
    i += decoded->bytes;
  }
  return std::nullopt;
}

std::size_t length(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++count) {
    auto decoded = decode(text.substr(i));
    i += decoded ? decoded->bytes : 1;
  }
  return count;
}

void append(std::string& out, char32_t c) {
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | c >> 6);
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0 | c >> 12);
    out += static_cast<char>(0x80 | (c >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | c >> 18);
    out += static_cast<char>(0x80 | (c >> 12 & 0x3F));
    out += static_cast<char>(0x80 | (c >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  }
}

namespace {

// Letters that draw nothing: the fillers of Hangul.
bool isFiller(char32_t c) { return c == 0x115F || c == 0x1160 || c == 0x3164 || c == 0xFFA0; }

// Every space but U+0020 passes for it: a pasted U+00A0 is a fault that nobody can see.
bool isOddSpace(char32_t c) {
  return c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x202F || c == 0x205F ||
         c == 0x3000;
}

bool misleads(char32_t c) {
  if (c >= 0x20 && c < 0x7F)
    return false;
  // LLVM counts the soft hyphen as printable.
  return c == 0xAD || isOddSpace(c) || isFiller(c) ||
         !llvm::sys::unicode::isPrintable(static_cast<int>(c));
}

} // namespace

bool isBidirectional(char32_t c) {
  return c == 0x061C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069);
}

int displayWidth(char32_t c) {
  if (c < 0x300)
    return 1;
  std::string encoded;
  append(encoded, c);
  int width = llvm::sys::unicode::columnWidthUTF8(encoded);
  return width < 0 ? 1 : width;
}

std::size_t cells(std::string_view text) {
  std::size_t out = 0;
  while (auto next = decode(text)) {
    out += static_cast<std::size_t>(displayWidth(next->character));
    text.remove_prefix(next->bytes);
  }
  return out;
}

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    auto decoded = decode(text.substr(i));
    if (!decoded)
      fmt::format_to(std::back_inserter(out), "\\x{:02X}", static_cast<unsigned char>(text[i]));
    else if (misleads(decoded->character))
      fmt::format_to(std::back_inserter(out), "\\u{{{:X}}}",
                     static_cast<std::uint32_t>(decoded->character));
    else
      out += text.substr(i, decoded->bytes);
    i += decoded ? decoded->bytes : 1;
  }
  return out;
}

std::string printableJson(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (std::size_t i = 0; i < json.size();) {
    const auto decoded = decode(json.substr(i));
    const std::size_t bytes = decoded ? decoded->bytes : 1;
    const char32_t c = decoded ? decoded->character : 0;
    // Characters below 0x20 occur only between texts: the writer escapes them within.
    if (c < 0x7F || !misleads(c))
      out += json.substr(i, bytes);
    else if (c < 0x10000)
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<std::uint32_t>(c));
    else
      fmt::format_to(std::back_inserter(out), "\\u{:04x}\\u{:04x}",
                     static_cast<std::uint32_t>(0xD7C0 + (c >> 10)),
                     static_cast<std::uint32_t>(0xDC00 + (c & 0x3FF)));
    i += bytes;
  }
  return out;
}

std::string tickedPath(std::string_view path) { return "`" + printable(path) + "`"; }

std::string ticked(std::string_view text) {
  static constexpr std::size_t longest = 60;
  std::size_t cut = 0;
  for (std::size_t characters = 0; cut < text.size() && characters < longest; ++characters) {
    auto decoded = decode(text.substr(cut));
    cut += decoded ? decoded->bytes : 1;
  }
  return "`" + printable(text.substr(0, cut)) + (cut < text.size() ? "…`" : "`");
}

} // namespace tikc::utf8
