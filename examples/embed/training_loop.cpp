// A trainer that asks after each step how far its rollouts were from its own policy. It marks the
// end of the step, so that what the contract says `over 1 step` is of that step and no other. The
// numbers are made up; in a trainer the log-probs are those of the rollouts and of its own forward
// pass.
#include "bf16-dense-rollout.tikc.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <random>
#include <vector>

namespace contract = qwen3_4b_bf16_rollout;

namespace {

constexpr auto step_k3 = static_cast<std::size_t>(contract::clause::step_k3);
constexpr std::size_t slice = 0; // the contract has one

class rollouts {
public:
  void observe(contract::tally& tally, float drift) {
    constexpr std::size_t tokens = 4096;
    std::vector<float> train(tokens), infer(tokens);
    for (std::size_t i = 0; i < tokens; ++i) {
      infer[i] = std::min(-1 + normal_(random_), 0.0F);
      train[i] = std::min(infer[i] + drift * normal_(random_), 0.0F);
    }
    tally.observe_tokens(slice, {train.data(), infer.data(), nullptr, tokens, 0});
    tally.serve(slice, tokens);
  }

private:
  std::mt19937 random_;
  std::normal_distribution<float> normal_;
};

void report(int step, const contract::checker& checker, const contract::router& router) {
  const tikc::finding& found = checker.result(contract::plan::clauses[step_k3].first, slice);
  std::printf("step %d: %s, mean(k3) is %.2g of %llu tokens\n", step, tikc::name(found.is),
              found.value, static_cast<unsigned long long>(found.observations));
  if (const tikc::action* traffic = router.decide(slice).traffic)
    std::printf("  rollouts: %s\n", tikc::name(traffic->kind));
}

} // namespace

int main() {
  const auto tally = std::make_unique<contract::tally>();
  const auto checker = std::make_unique<contract::checker>();
  contract::router router;
  rollouts batch;
  checker->start(0);
  for (int step = 1; step <= 5; ++step) {
    batch.observe(*tally, step == 3 || step == 4 ? 0.1F : 0.01F);
    checker->merge(*tally);
    tally->clear();
    checker->end_step();
    checker->evaluate(120.0 * step);
    contract::router::verdicts verdicts;
    checker->verdicts(verdicts);
    router.tick(verdicts, static_cast<std::uint8_t>(contract::stage::full));
    report(step, *checker, router);
  }
}
