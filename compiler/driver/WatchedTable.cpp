#include "driver/WatchedTable.h"

#include "support/Utf8.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace tikc::driver {
namespace {

struct TerminalSize {
  std::size_t lines = 24, columns = 80;
};

TerminalSize sizeOfTerminal() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0)
    return {};
  return {size.ws_row, size.ws_col};
}

/// A line that is wider than the terminal would take two.
std::string withinColumns(std::string_view text, std::size_t most) {
  std::string out;
  std::size_t cells = 0;
  while (auto next = utf8::decode(text)) {
    cells += static_cast<std::size_t>(utf8::displayWidth(next->character));
    if (cells > most)
      break;
    out += text.substr(0, next->bytes);
    text.remove_prefix(next->bytes);
  }
  return out;
}

} // namespace

WatchedTable::WatchedTable(bool isAsked) : isShown_(isAsked && ::isatty(STDERR_FILENO) == 1) {}

WatchedTable::~WatchedTable() { erase(); }

bool WatchedTable::isDue() const {
  constexpr auto pause = std::chrono::milliseconds(200);
  return isShown_ && Clock::now() - last_ >= pause;
}

std::size_t WatchedTable::room() const {
  return std::max<std::size_t>(sizeOfTerminal().lines, 4) - 2;
}

void WatchedTable::show(const std::vector<std::string>& lines) {
  if (!isShown_)
    return;
  last_ = Clock::now();
  erase();
  const std::size_t columns = sizeOfTerminal().columns - 1;
  std::string all;
  for (const std::string& each : lines)
    all += withinColumns(each, columns) + "\n";
  drawn_ = lines.size();
  fmt::print(stderr, "{}", all);
  std::fflush(stderr);
}

void WatchedTable::erase() {
  if (drawn_ != 0)
    fmt::print(stderr, "\x1b[{}A\r\x1b[J", drawn_);
  drawn_ = 0;
}

} // namespace tikc::driver
