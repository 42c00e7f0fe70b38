#include "driver/ProgressLine.h"

#include "data/Fault.h"

#include <unistd.h>

#include <fmt/format.h>

#include <cmath>
#include <cstdio>

namespace tikc::driver {

std::string progressText(double share, std::uint64_t bytes, double seconds) {
  const double done = share * static_cast<double>(bytes);
  const double rate = seconds > 0 ? done / seconds : 0;
  const double left = rate > 0 ? (static_cast<double>(bytes) - done) / rate : 0;
  return fmt::format("{} of {}, {}/s, {:.0f} s left",
                     data::inBytes(static_cast<std::uint64_t>(done)), data::inBytes(bytes),
                     data::inBytes(static_cast<std::uint64_t>(rate)), std::ceil(left));
}

ProgressLine::ProgressLine(std::size_t parts, std::uint64_t bytes)
    : parts_(parts), bytes_(bytes), isTerminal_(::isatty(STDERR_FILENO) == 1) {}

void ProgressLine::show(std::size_t done) {
  constexpr auto pause = std::chrono::milliseconds(200);
  const Clock::time_point now = Clock::now();
  if (!isTerminal_ || parts_ == 0 || now - last_ < pause)
    return;
  last_ = now;
  isShown_ = true;
  const double seconds = std::chrono::duration<double>(now - began_).count();
  fmt::print(
      stderr, "\r\x1b[K{}",
      progressText(static_cast<double>(done) / static_cast<double>(parts_), bytes_, seconds));
  std::fflush(stderr);
}

ProgressLine::~ProgressLine() {
  if (isShown_)
    fmt::print(stderr, "\r\x1b[K");
}

} // namespace tikc::driver
