#pragma once

#include "CheckerDriver.h"
#include "InstructionSets.h"

#if __has_include("tikc/wire.h") // not beside a header that stands alone
#include "tikc/wire.h"
#endif

#include <string>

/// Drives whole contracts: beside what the checker finds it prints the slices of requests that are
/// asked for, and after each evaluation what the rules do.
///
/// A `Contract` has `plan` and `policy`, fresh(), a request, slice_of(request), and set(request,
/// field, value) for numbers and for texts.
namespace tikc_test {

template <class Contract> class ContractDriver : public Driver<typename Contract::plan> {
  using Plan = typename Contract::plan;
  using Policy = typename Contract::policy;

public:
  explicit ContractDriver(std::size_t tallies, const Plan& plan = Plan(),
                          const Policy& policy = Policy())
      : Driver<Plan>(tallies, plan), router_(policy) {
    if constexpr (tikc::detail::is_constant<Plan>) {
      verdicts_ = std::make_unique<Verdicts>();
    } else {
      verdicts_ = std::make_unique<Verdicts>(plan.clauses.size(), plan.slices);
    }
    steps_.assign(std::size(policy.rules), std::vector<std::size_t>(policy.slices));
  }

private:
  Input& input() { return Driver<Plan>::input(); }

  std::string text() {
    auto letters = input().template take<char>(input().template take<std::uint8_t>());
    return std::string(letters.begin(), letters.end());
  }

  void other(char kind) override {
    if (kind != 'W')
      std::exit(4);
    auto of = Contract::fresh();
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

  /// What a tally would send, which is the same however its plan is run.
  void handing([[maybe_unused]] const tikc::tally<Plan>& of) override {
#if __has_include("tikc/wire.h")
    std::uint64_t hash = 0xcbf29ce484222325U;
    tikc::serialise(of, [&](const char* piece, std::size_t size) {
      for (std::size_t i = 0; i < size; ++i)
        hash = (hash ^ static_cast<unsigned char>(piece[i])) * 0x100000001b3U;
    });
    std::printf("bytes %zu %llx\n", tikc::wire_size(of), static_cast<unsigned long long>(hash));
#endif
  }

  void evaluated(const tikc::checker<Plan>& checker) override {
    checker.verdicts(verdicts_->now);
    router_.tick(verdicts_->now, 0);
    for (std::size_t slice = 0; slice < checker.plan().slices; ++slice) {
      for (std::size_t rule = 0; rule < steps_.size(); ++rule)
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

  struct Verdicts {
    typename tikc::router<Policy>::verdicts now = {};
    Verdicts() = default;
    Verdicts(std::size_t clauses, std::size_t slices) { now.make(clauses, slices); }
  };

  tikc::router<Policy> router_;
  std::unique_ptr<Verdicts> verdicts_;
  std::vector<std::vector<std::size_t>> steps_;
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
  allow_at_most(static_cast<InstructionSet>(std::atoi(arguments[3])));
  print_instruction_set();
  ((index++ == wanted ? std::make_unique<ContractDriver<Contract>>(tallies)->run() : void()), ...);
  return 0;
}

} // namespace tikc_test
