#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace tikc::driver {

/// Lines on a terminal's standard error that are drawn over one another while something goes on,
/// and go with it. Where that is no terminal nothing is drawn.
class WatchedTable {
public:
  explicit WatchedTable(bool isAsked);
  ~WatchedTable();
  WatchedTable(const WatchedTable&) = delete;
  WatchedTable& operator=(const WatchedTable&) = delete;

  bool isShown() const { return isShown_; }
  /// Not so often that nobody could read it.
  bool isDue() const;
  /// How many lines there is room for.
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
