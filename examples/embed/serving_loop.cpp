// An inference engine that enforces its contract: each worker observes into a tally of its own, and
// once a window the tallies are merged, judged, and turned into routing. The numbers are made up;
// in an engine the rows come from the sampler, and the trainer's log-probs from a replay.
#include "qwen3-8b-rl.tikc.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <random>
#include <vector>

namespace contract = qwen3_8b_rl_rollout;

namespace {

constexpr int workers = 2;
constexpr contract::stage stage = contract::stage::canary;
constexpr tikc::window stage_window =
    contract::plan::stages[static_cast<std::size_t>(stage)].window;
static_assert(stage_window.unit == tikc::window_unit::seconds, "others end by what was observed");

class worker {
public:
  explicit worker(unsigned seed) : random_(seed) {
    for (float& each : noise_)
      each = normal_(random_);
  }

  contract::tally& tally() { return *tally_; }

  void serve(std::uint64_t id, float drift) {
    contract::request request;
    request.prompt_tokens = id % 5 == 0 ? 16384 : 512;
    request.task = id % 2 == 0 ? contract::task_label::math : contract::task_label::code;
    const auto slice = static_cast<std::size_t>(contract::slice_of(request));

    constexpr std::size_t tokens = 256;
    std::vector<float> train(tokens), infer(tokens);
    for (std::size_t i = 0; i < tokens; ++i) {
      infer[i] = -std::abs(normal_(random_));
      train[i] = std::min(infer[i] + drift * normal_(random_), 0.0F);
    }
    tikc::sequence response;
    const tikc::token_batch batch{train.data(), infer.data(), nullptr, tokens, id * tokens};
    tally_->observe_tokens(slice, batch, response);
    tally_->end_sequence(slice, response, id);
    tally_->serve(slice, tokens);

    tikc::request_times times;
    times.latency = 4 + std::abs(normal_(random_));
    tally_->observe_request(slice, times, id);
    if (id / 2 % 2 == 0) { // of 512 tokens one: what the contract wants observed
      observe_row(slice, drift, id);
      tally_->observe_batch_replay(slice, static_cast<double>(drift) / 10, id);
    }
  }

private:
  void observe_row(std::size_t slice, float drift, std::uint64_t id) {
    for (std::size_t i = 0; i < train_row_.size(); ++i) {
      infer_row_[i] = 3 * noise_[i];
      train_row_[i] = infer_row_[i] + drift * noise_[(i + id) % noise_.size()];
    }
    tally_->observe_row(slice, {train_row_.data(), tikc::number_format::fp32},
                        {infer_row_.data(), tikc::number_format::fp32}, scratch_.data(), id);
  }

  std::unique_ptr<contract::tally> tally_ = std::make_unique<contract::tally>();
  std::mt19937 random_;
  std::normal_distribution<float> normal_;
  std::vector<float> noise_ = std::vector<float>(contract::plan::vocabulary);
  std::vector<float> train_row_ = std::vector<float>(contract::plan::vocabulary);
  std::vector<float> infer_row_ = std::vector<float>(contract::plan::vocabulary);
  std::vector<float> scratch_ =
      std::vector<float>(tikc::row_scratch_floats(contract::plan::vocabulary));
};

void report(const char* slice, const char* text, const tikc::finding& found) {
  std::printf("  violated on %s: %s, it is %.4g of %llu", slice, text, found.value,
              static_cast<unsigned long long>(found.observations));
  for (const tikc::offender& each : found.worst)
    std::printf("%s%.4g in %llu", &each == found.worst.begin() ? "; worst " : ", ", each.value,
                static_cast<unsigned long long>(each.id));
  std::printf("\n");
}

void report(const contract::checker& checker) {
  for (std::size_t slice = 0; slice < contract::checker::slices; ++slice)
    if (checker.is_unexpected(slice))
      std::printf("  traffic on %s, whose weight is 0\n", contract::plan::slice_names[slice]);
  for (std::size_t i = 0; i < contract::checker::checks; ++i)
    for (std::size_t slice = 0; slice < contract::checker::slices; ++slice) {
      const tikc::finding& found = checker.result(i, slice);
      if (found.is == tikc::verdict::violated)
        report(contract::plan::slice_names[slice], contract::plan::checks[i].text, found);
    }
}

void report(const contract::router& router) {
  static constexpr const char* changes[] = {"activated", "stepped", "released", "reset"};
  for (const tikc::transition& each : router)
    std::printf("  rule %s %s on %s\n", contract::policy::rules[each.rule].id,
                changes[static_cast<std::size_t>(each.what)],
                contract::plan::slice_names[each.slice]);
  for (std::size_t slice = 0; slice < contract::router::slices; ++slice)
    if (const tikc::action* traffic = router.decide(slice).traffic)
      std::printf("  traffic of %s: %s %s\n", contract::plan::slice_names[slice],
                  tikc::name(traffic->kind), traffic->text);
}

} // namespace

int main() {
  auto checker = std::make_unique<contract::checker>();
  contract::router router;
  std::vector<worker> pool;
  for (unsigned i = 0; i < workers; ++i)
    pool.emplace_back(i);

  std::uint64_t id = 0;
  checker->start(0);
  for (int window = 1; window <= 6; ++window) {
    // A kernel that is fine, and from the fourth window on one that is not.
    const float drift = window < 4 ? 0.01F : 0.2F;
    for (int i = 0; i < 600; ++i, ++id)
      pool[id % workers].serve(id, drift);

    for (worker& each : pool) { // in an engine: serialised, and merged at the edge
      checker->merge(each.tally());
      each.tally().clear();
    }
    checker->evaluate(window * stage_window.amount);
    contract::router::verdicts verdicts;
    checker->verdicts(verdicts);
    router.tick(verdicts, static_cast<std::uint8_t>(stage));

    std::printf("window %d\n", window);
    report(*checker);
    report(router);
  }
}
