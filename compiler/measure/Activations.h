#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <set>
#include <utility>
#include <vector>

namespace tikc::measure {

/// A change of an escalation rule, if these data had been served.
struct Activation {
  std::size_t rule = 0, slice = 0;
  std::uint64_t evaluation = 0; // from 1
  bool starts = true;
};

/// The changes of all rules, in order. A rule may change at every evaluation, so only the first and
/// last changes are kept; those between are counted.
class Activations {
public:
  static constexpr std::size_t mostAtAnEnd = 64;

  void add(const Activation& each);

  /// Returns the first changes, then the last ones.
  std::vector<Activation> kept() const;
  /// Returns the number of changes that are not kept.
  std::uint64_t leftOut() const { return count_ - first_.size() - last_.size(); }
  std::uint64_t count() const { return count_; }
  /// Returns pairs of a rule and a slice on which it is active after all changes.
  const std::set<std::pair<std::size_t, std::size_t>>& active() const { return active_; }

private:
  std::vector<Activation> first_;
  std::deque<Activation> last_;
  std::set<std::pair<std::size_t, std::size_t>> active_;
  std::uint64_t count_ = 0;
};

} // namespace tikc::measure
