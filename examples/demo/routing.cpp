// What an engine does with a generated checker, in little: it observes what its kernel served, asks
// once a window, and routes as the contract says. `make demo` compiles and runs it. The numbers are
// made up: a kernel whose log-probs drift further from the trainer's in each window.
//
//   tikc emit cpp examples/demo/rollout.tikc.yaml -o generated
//   c++ -std=c++17 -O1 -Igenerated -Iruntime/include examples/demo/routing.cpp -o routing
#include "rollout.tikc.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <random>
#include <vector>

namespace contract = qwen3_8b_rollout;

namespace {

constexpr std::size_t slice = 0; // the contract has one
constexpr std::size_t vocabulary = contract::plan::vocabulary;

class kernel {
public:
  void serve(contract::tally& tally, std::uint64_t id, float drift) {
    constexpr std::size_t tokens = 100;
    float train[tokens], infer[tokens];
    for (std::size_t i = 0; i < tokens; ++i) {
      infer[i] = -std::abs(normal_(random_));
      train[i] = std::min(infer[i] + drift * normal_(random_), 0.0F);
    }
    tally.observe_tokens(slice, {train, infer, nullptr, tokens, id * tokens});
    tally.serve(slice, tokens);
    tikc::request_times times;
    times.latency = 4 + std::abs(normal_(random_));
    tally.observe_request(slice, times, id);
    if (id % 2 == 0)
      observe_row(tally, id, drift);
  }

private:
  void observe_row(contract::tally& tally, std::uint64_t id, float drift) {
    for (std::size_t i = 0; i < vocabulary; ++i) {
      infer_[i] = static_cast<float>((i * 31 + id) % 101) / 10;
      train_[i] = infer_[i] + (i % 2 == 0 ? drift : -drift);
    }
    tally.observe_row(slice, {train_.data(), tikc::number_format::fp32},
                      {infer_.data(), tikc::number_format::fp32}, scratch_.data(), id);
  }

  std::mt19937 random_;
  std::normal_distribution<float> normal_;
  std::vector<float> train_ = std::vector<float>(vocabulary);
  std::vector<float> infer_ = std::vector<float>(vocabulary);
  std::vector<float> scratch_ = std::vector<float>(tikc::row_scratch_floats(vocabulary));
};

const tikc::finding& result(const contract::checker& checker, contract::clause of) {
  return checker.result(contract::plan::clauses[static_cast<std::size_t>(of)].first, slice);
}

} // namespace

int main() {
  const auto tally = std::make_unique<contract::tally>();
  const auto checker = std::make_unique<contract::checker>();
  contract::router router;
  kernel rollout;
  std::uint64_t id = 0;
  float drift = 0.01F;
  checker->start(0);
  std::printf("window  p99 of logit_osc  mean of |logprob_gap|  traffic goes\n");
  for (int window = 1; window <= 7; ++window, drift *= 1.75F) {
    for (int request = 0; request < 800; ++request)
      rollout.serve(*tally, id++, drift);
    checker->merge(*tally);
    tally->clear();
    checker->evaluate(600.0 * window);
    contract::router::verdicts verdicts;
    checker->verdicts(verdicts);
    router.tick(verdicts, 0); // the contract has no stages

    const tikc::finding& osc = result(*checker, contract::clause::usual_drift);
    const tikc::finding& gap = result(*checker, contract::clause::gap);
    std::printf("%6d  %5.3f %-10s  %5.3f %-15s  ", window, osc.value, tikc::name(osc.is), gap.value,
                tikc::name(gap.is));
    if (const tikc::action* action = router.decide(slice).traffic)
      std::printf("%s, all but %g%%\n", action->text, 100 * action->first);
    else
      std::printf("rollout\n");
  }
}
