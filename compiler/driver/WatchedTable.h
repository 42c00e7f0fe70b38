#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace tikc::driver {

/// Lines on standard error that are redrawn during a run, and erased at its end. Draws nothing if
/// standard error is not a terminal.
class WatchedTable {
public:
  explicit WatchedTable(bool isAsked);
  ~WatchedTable();
  WatchedTable(const WatchedTable&) = delete;
  WatchedTable& operator=(const WatchedTable&) = delete;

  bool isShown() const { return isShown_; }
  /// Whether enough time has passed for the next drawing to be readable.
  bool isDue() const;
  /// Returns how many lines fit.
  std::size_t room() const;
  void show(const std::vector<std::string>& lines);

private:
  using Clock = std::chrono::steady_clock;

  void erase();

  bool isShown_;
  std::size_t drawn_ = 0;
  Clock::time_point last_{};
};

} // namespace tikc::driver
