#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace tikc::driver {

/// Progress on one line of standard error. Prints nothing if that is not a terminal, nor in the
/// first moments.
class ProgressLine {
public:
  /// For a number of parts with a total of bytes.
  ProgressLine(std::size_t parts, std::uint64_t bytes);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(std::size_t done);

private:
  using Clock = std::chrono::steady_clock;

  std::size_t parts_;
  std::uint64_t bytes_;
  bool isTerminal_, isShown_ = false;
  Clock::time_point began_ = Clock::now(), last_ = began_;
};

/// Returns "1.2 GiB of 4.0 GiB, 310 MiB/s, 9 s left".
std::string progressText(double share, std::uint64_t bytes, double seconds);

} // namespace tikc::driver
