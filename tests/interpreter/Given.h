#pragma once

#include "interpreter/Feed.h"

#include <string>
#include <utility>
#include <vector>

namespace tikc::interpreter {

/// What a contract takes as given, and all numbers that were seen of it.
class Given {
public:
  explicit Given(const plan::Plan& plan) : plan_(plan), seen_(plan.assumptions.size()) {}

  void take(const HandedIn& number) { see(number.of, number.value, number.id); }
  void take(const Observation& observation);

  /// As tests/tools/CheckerDriver.h prints it; of ratios with no place.
  std::string line(std::size_t assumption) const;

private:
  using Value = std::pair<Wide, std::uint64_t>;

  void see(plan::Watchable of, Wide value, std::uint64_t id);
  std::vector<Value> beyond(std::size_t assumption, bool isAbove) const;

  const plan::Plan& plan_;
  std::vector<std::vector<Value>> seen_;
};

} // namespace tikc::interpreter
