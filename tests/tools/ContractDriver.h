#pragma once

#include "CheckerDriver.h"
#include "InstructionSets.h"

#include <string>

/// Drives whole contracts: beside what the checker finds it prints the slices of requests that are
/// asked for, and after each evaluation what the rules do.
///
/// A `Contract` has `plan`, `policy` and `request`, slice_of(request), and set(request, field,
/// value) for numbers and for texts.
namespace tikc_test {

template <class Contract> class ContractDriver : public Driver<typename Contract::plan> {
  using Plan = typename Contract::plan;
  using Policy = typename Contract::policy;

public:
  using Driver<Plan>::Driver;

private:
  Input& input() { return Driver<Plan>::input(); }

  std::string text() {
    auto letters = input().template take<char>(input().template take<std::uint8_t>());
    return std::string(letters.begin(), letters.end());
  }

  void other(char kind) override {
    if (kind != 'W')
      std::exit(4);
    typename Contract::request of;
    for (int left = input().template take<std::uint8_t>(); left > 0; --left) {
      std::string name = text();
      Contract::set(of, name, input().template take<double>());
    }
    std::vector<std::string> kept;
    int texts = input().template take<std::uint8_t>();
    kept.reserve(static_cast<std::size_t>(texts));
    for (; texts > 0; --texts) {
      std::string name = text();
      kept.push_back(text());
      Contract::set(of, name, kept.back());
    }
    std::printf("slice %zu\n", Contract::slice_of(of));
  }

  void evaluated(const tikc::checker<Plan>& checker) override {
    checker.verdicts(verdicts_);
    router_.tick(verdicts_, 0);
    for (std::size_t slice = 0; slice < Plan::slices; ++slice) {
      for (std::size_t rule = 0; rule < tikc::router<Policy>::rules; ++rule)
        if (router_.is_active(rule, slice))
          std::printf("active %zu %zu %zu\n", slice, rule, step_of(rule, slice));
      if (auto decided = router_.decide(slice); decided.traffic != nullptr)
        std::printf("decides %zu %zu\n", slice, std::size_t{decided.rule});
    }
    for (const tikc::transition& each : router_)
      steps_[each.rule][each.slice] = each.step;
  }

  /// As the transitions tell.
  std::size_t step_of(std::size_t rule, std::size_t slice) const {
    for (const tikc::transition& each : router_)
      if (each.rule == rule && each.slice == slice)
        return each.step;
    return steps_[rule][slice];
  }

  tikc::router<Policy> router_;
  typename tikc::router<Policy>::verdicts verdicts_ = {};
  std::size_t steps_[tikc::router<Policy>::rules][Policy::slices] = {};
};

/// The set of instructions that rows and tokens are computed with.
inline void print_instruction_set() {
  std::printf("uses %d %d\n", static_cast<int>(tikc::detail::rows::best_instruction_set()),
              static_cast<int>(tikc::detail::best_token_isa()));
}

/// Arguments: the contract's number, how many tallies, and the most that the machine may have.
template <class... Contract> int drive_one_of(int count, char** arguments) {
  if (count != 4)
    return 2;
  auto wanted = static_cast<std::size_t>(std::atoi(arguments[1])), index = std::size_t{0};
  auto tallies = static_cast<std::size_t>(std::atoi(arguments[2]));
  most_allowed = static_cast<InstructionSet>(std::atoi(arguments[3]));
  print_instruction_set();
  ((index++ == wanted ? std::make_unique<ContractDriver<Contract>>(tallies)->run() : void()), ...);
  return 0;
}

} // namespace tikc_test
