#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tikc {

enum class PaintStyle : std::uint8_t {
  Plain,
  Strong,
  Error,
  Warning,
  Note,
  Help,
  Frame,
  Removed,
  Added
};

/// Adds ANSI colours to text, if they are on.
class Painter {
public:
  explicit Painter(bool on) : on_(on) {}
  std::string operator()(PaintStyle style, std::string_view text) const {
    static constexpr std::string_view codes[] = {"",     "1",    "1;31", "1;33", "1;36",
                                                 "1;32", "1;34", "31",   "32"};
    std::string out(text);
    if (!on_ || style == PaintStyle::Plain || text.empty())
      return out;
    return "\x1b[" + std::string(codes[static_cast<std::size_t>(style)]) + "m" + out + "\x1b[0m";
  }

private:
  bool on_;
};

} // namespace tikc
