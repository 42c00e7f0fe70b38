#pragma once

#include "tikc/checker.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>

/// Draws windows of requests of which it is known how they are, has a checker look after every few,
/// and prints for each clause in how many runs it was ever violated, ever satisfied, and either.
namespace tikc_test {

template <class Plan> class Coverage {
public:
  static constexpr int requests = 400, between_looks = 20;
  static constexpr std::size_t clauses = tikc::checker<Plan>::clauses;

  /// What is drawn is beyond each clause's bound with this probability.
  explicit Coverage(double worse) : worse_(worse) {}

  void run(unsigned seed) {
    random_.seed(seed);
    auto judged = std::make_unique<tikc::checker<Plan>>();
    bool violated[clauses] = {}, satisfied[clauses] = {};
    judged->start(0);
    for (int i = 1; i <= requests; ++i) {
      observe();
      if (i % between_looks != 0)
        continue;
      judged->merge(*tally_);
      tally_->clear();
      judged->evaluate(i);
      for (std::size_t at = 0; at < clauses; ++at) {
        violated[at] |= judged->of(at, 0) == tikc::verdict::violated;
        satisfied[at] |= judged->of(at, 0) == tikc::verdict::satisfied;
      }
    }
    for (std::size_t at = 0; at < clauses; ++at) {
      violated_[at] += violated[at];
      satisfied_[at] += satisfied[at];
      both_[at] += violated[at] || satisfied[at];
    }
  }

  void print() const {
    for (std::size_t at = 0; at < clauses; ++at)
      std::printf("%s %d %d %d\n", Plan::clauses[at].id, violated_[at], satisfied_[at], both_[at]);
  }

private:
  bool chance(double of) { return std::uniform_real_distribution<double>()(random_) < of; }

  void observe() {
    tikc::request_times times;
    times.failed = chance(worse_);
    // Some are just at the bound, which meets it.
    times.latency = chance(worse_) ? 2.5 : chance(0.5) ? 2 : 1;
    times.throughput = chance(worse_) ? 4 : chance(0.5) ? 5 : 9;
    tally_->observe_request(0, times);
    // Its mean is the probability, too.
    const double rest = worse_ / 8 / (1 - worse_);
    tally_->observe_routes(0, !chance(worse_) ? rest : chance(0.5) ? 0.75 : 1);
  }

  double worse_;
  std::mt19937_64 random_;
  std::unique_ptr<tikc::tally<Plan>> tally_ = std::make_unique<tikc::tally<Plan>>();
  int violated_[clauses] = {}, satisfied_[clauses] = {}, both_[clauses] = {};
};

/// Arguments: how many runs, the probability.
template <class Plan> int cover(char** arguments) {
  Coverage<Plan> coverage(std::atof(arguments[2]));
  for (int i = 0; i < std::atoi(arguments[1]); ++i)
    coverage.run(static_cast<unsigned>(i));
  coverage.print();
  return 0;
}

} // namespace tikc_test
