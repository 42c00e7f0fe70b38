#include "support/Yaml.h"

#include "support/Utf8.h"

#include <fmt/format.h>

#include <iterator>

namespace tikc {

std::string quoteYaml(std::string_view text) {
  std::string out = "\"";
  for (std::size_t i = 0; i < text.size();) {
    auto decoded = utf8::decode(text.substr(i));
    std::size_t bytes = decoded ? decoded->bytes : 1;
    char32_t c = decoded ? decoded->character : 0xFFFD;
    if (c == '"' || c == '\\')
      out.append("\\").append(1, static_cast<char>(c));
    else if (c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x2028 || c == 0x2029 || c == 0xFEFF ||
             utf8::isBidirectional(c))
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<std::uint32_t>(c));
    else
      out += text.substr(i, bytes);
    i += bytes;
  }
  return out + "\"";
}

} // namespace tikc
