#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <set>
#include <utility>
#include <vector>

namespace tikc::measure {

/// What a rule of the escalation would have done, had these data been served.
struct Activation {
  std::size_t rule = 0, slice = 0;
  std::uint64_t evaluation = 0; // from 1
  bool starts = true;
};

/// What all rules would have done, in their order. A rule may come and go as often as it is
/// evaluated, so the first and the last changes are kept and those between them are counted.
class Activations {
public:
  static constexpr std::size_t mostAtAnEnd = 64;

  void add(const Activation& each);

  /// The first changes and then the last ones.
  std::vector<Activation> kept() const;
  /// Changes that are not kept.
  std::uint64_t leftOut() const { return count_ - first_.size() - last_.size(); }
  std::uint64_t count() const { return count_; }
  /// Rules, and the slices on which they are active after all changes.
  const std::set<std::pair<std::size_t, std::size_t>>& active() const { return active_; }

private:
  std::vector<Activation> first_;
  std::deque<Activation> last_;
  std::set<std::pair<std::size_t, std::size_t>> active_;
  std::uint64_t count_ = 0;
};

} // namespace tikc::measure
