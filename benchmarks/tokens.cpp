// What sampled tokens cost in the runtime, in ns a token and as a share of what reading them costs
// in the same run. It measures; nothing passes or fails.
//
//   g++ -std=c++17 -O2 -I runtime/include benchmarks/tokens.cpp -o tokens -pthread && ./tokens
//   [millions]

#include "tikc/tokens.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <time.h>

namespace {

using namespace tikc;

constexpr int runs = 15;
constexpr std::size_t sequence_length = 1000;

template <std::uint32_t Wants> struct plan : plan_of_nothing {
  static constexpr std::uint32_t wants = Wants;
};
using sums = plan<token_want::everything & ~token_want::sketch & ~token_want::places>;
using sums_and_sketch = plan<token_want::everything & ~token_want::places>;
using sketch_alone = plan<token_want::sketch>;
struct thresholds : plan_of_nothing {
  static constexpr std::array<float, 1> above{0.5F};
  static constexpr std::array<float, 1> below{-0.5F};
  static constexpr std::array<float, 1> beyond{0.1F};
};

/// What examples/qwen3-8b-rl.tikc.yaml asks for, and the same without its worst tokens.
template <std::uint32_t Places> struct example : plan_of_nothing {
  static constexpr std::uint32_t wants =
      token_want::gap | token_want::k3 | token_want::range | token_want::sketch | Places;
  static constexpr std::array<float, 1> beyond{0.1F};
};

struct tokens {
  std::vector<float> train, infer;
  std::vector<std::uint8_t> mask, slice;
  token_batch part(std::size_t from, std::size_t count) const {
    return {train.data() + from, infer.data() + from, mask.data() + from, count, from};
  }
};

/// Responses of a drift that a quantised KV cache shows: most tokens near, a heavy tail, an eighth
/// of the tokens greedy, prompts masked out.
tokens draw(std::size_t count) {
  std::mt19937_64 random(1);
  std::exponential_distribution<float> surprise(1);
  std::normal_distribution<float> gap(0, 0.02F);
  tokens out;
  for (std::size_t i = 0; i < count; ++i) {
    const float infer = random() % 8 == 0 ? 0 : -surprise(random);
    const float scale = random() % 64 == 0 ? 4.0F : 1.0F;
    out.infer.push_back(infer);
    out.train.push_back(std::min(0.0F, infer + scale * gap(random)));
    out.mask.push_back(i % sequence_length >= sequence_length / 10 ? 1 : 0);
    out.slice.push_back(static_cast<std::uint8_t>(random()));
  }
  return out;
}

volatile std::uint64_t sink;

/// Reads nine bytes a token and does as little as can be with them.
#if defined(__x86_64__)
__attribute__((target("avx2"))) void read_all(const token_batch& batch) {
  __m256i seen = _mm256_setzero_si256();
  std::size_t i = 0;
  for (; i + 32 <= batch.size; i += 32) {
    for (std::size_t j = i; j < i + 32; j += 8) {
      __builtin_prefetch(batch.train + j + 512);
      __builtin_prefetch(batch.infer + j + 512);
      const __m256 both =
          _mm256_or_ps(_mm256_loadu_ps(batch.train + j), _mm256_loadu_ps(batch.infer + j));
      seen = _mm256_or_si256(seen, _mm256_castps_si256(both));
    }
    seen =
        _mm256_or_si256(seen, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(batch.mask + i)));
  }
  sink = static_cast<std::uint64_t>(_mm256_extract_epi64(seen, 0));
}
#else
void read_all(const token_batch& batch) {
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < batch.size; ++i) {
    seen += batch.mask[i] + (batch.train[i] < batch.infer[i] ? 1U : 0U);
  }
  sink = seen;
}
#endif

using work = std::function<void(const token_batch&, const std::uint8_t*)>;

struct row {
  std::string name;
  work run;
  double best[2] = {1e30, 1e30}; // on one thread and on two
};

/// Of this thread alone, so that others on the machine count only for what they take of its memory.
double processor_time() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

double time_of(const row& at, const tokens& data, int threads) {
  const std::size_t share = data.train.size() / static_cast<std::size_t>(threads);
  std::vector<double> took(static_cast<std::size_t>(threads));
  const auto run = [&](std::size_t thread) {
    const double begin = processor_time();
    at.run(data.part(thread * share, share), data.slice.data() + thread * share);
    took[thread] = processor_time() - begin;
  };
  std::vector<std::thread> others;
  for (std::size_t thread = 1; thread < took.size(); ++thread) {
    others.emplace_back(run, thread);
  }
  run(0);
  for (std::thread& other : others) {
    other.join();
  }
  return *std::max_element(took.begin(), took.end()) / static_cast<double>(data.train.size());
}

template <class Plan> work on(detail::token_isa isa) {
  return [isa](const token_batch& batch, const std::uint8_t*) {
    const auto stats = std::make_unique<token_stats<Plan>>();
    detail::observe_with<Plan>(isa, *stats, batch, nullptr);
    sink = stats->count;
  };
}

/// What is kept of each slice, one for each thread, there before the tokens are: a checker's first
/// touch of its own memory is not a cost of a token.
template <class Plan> class kept_by_threads {
public:
  explicit kept_by_threads(std::size_t slices) {
    for (std::vector<token_stats<Plan>>& each : *kept_)
      each.resize(slices);
  }
  std::vector<token_stats<Plan>>& of(const token_batch& batch) const {
    return (*kept_)[batch.first == 0 ? 0 : 1];
  }

private:
  using by_thread = std::array<std::vector<token_stats<Plan>>, 2>;
  std::shared_ptr<by_thread> kept_ = std::make_shared<by_thread>();
};

template <class Plan> work by_sequence(std::size_t slices) {
  return [slices, kept = kept_by_threads<Plan>(slices)](const token_batch& batch,
                                                        const std::uint8_t* slice) {
    std::vector<token_stats<Plan>>& stats = kept.of(batch);
    double tv = 0;
    for (std::size_t i = 0; i < batch.size; i += sequence_length) {
      sequence response;
      observe(stats[slice[i] % slices], detail::part_of(batch, i, sequence_length), response);
      tv += response.seq_tv();
    }
    sink = static_cast<std::uint64_t>(tv);
  };
}

template <class Plan> work by_token(std::size_t slices) {
  return [slices, kept = kept_by_threads<Plan>(slices)](const token_batch& batch,
                                                        const std::uint8_t* slice) {
    std::vector<token_stats<Plan>>& stats = kept.of(batch);
    std::vector<std::uint8_t> ids(slice, slice + batch.size);
    const auto scratch = std::make_unique<token_scratch>();
    sink = observe_sliced(stats.data(), slices, batch, ids.data(), *scratch);
  };
}

void print_costs(std::size_t count) {
  const tokens data = draw(count);
  tokens sixteen = data;
  for (std::uint8_t& slice : sixteen.slice) {
    slice = slice % 16;
  }
  const detail::token_isa best = detail::best_token_isa();
  std::vector<row> rows = {
      {"the limit: reading 9 bytes a token",
       [](const token_batch& batch, const std::uint8_t*) { read_all(batch); }},
      {"three thresholds", on<thresholds>(best)},
      {"the sketch alone", on<sketch_alone>(best)},
      {"all sums and mask", on<sums>(best)},
      {"all sums and mask, AVX2", on<sums>(std::min(best, detail::token_isa::avx2))},
      {"all sums and mask, portable", on<sums>(detail::token_isa::portable)},
      {"+ sketch", on<sums_and_sketch>(best)},
      {"+ sketch, AVX2", on<sums_and_sketch>(std::min(best, detail::token_isa::avx2))},
      {"an example's clauses", on<example<token_want::places>>(best)},
      {"an example's clauses, and not which token is worst", on<example<0>>(best)},
      {"16 slices constant in a sequence", by_sequence<sums_and_sketch>(16)},
      {"256 slices constant in a sequence", by_sequence<sums_and_sketch>(256)},
      {"16 slices, another at every token", by_token<sums_and_sketch>(16)},
      {"256 slices, another at every token", by_token<sums_and_sketch>(256)}};
  for (int run = 0; run < runs; ++run) {
    for (row& at : rows) {
      const bool few = at.name.rfind("16 slices, another", 0) == 0;
      for (int threads : {1, 2}) {
        double& fastest = at.best[threads - 1];
        fastest = std::min(fastest, time_of(at, few ? sixteen : data, threads));
      }
    }
  }
  std::printf("%.1fM tokens, best of %d paired runs\n\n", static_cast<double>(count) / 1e6, runs);
  std::printf("| | ns a token | share of the limit | 2 threads | share |\n|---|---|---|---|---|\n");
  for (const row& at : rows) {
    std::printf("| %s | %.2f | %.2f | %.2f | %.2f |\n", at.name.c_str(), at.best[0],
                rows[0].best[0] / at.best[0], at.best[1], rows[0].best[1] / at.best[1]);
  }
}

} // namespace

int main(int count, char** words) {
  const double millions = count > 1 ? std::atof(words[1]) : 16.8;
  print_costs(static_cast<std::size_t>(millions * 1e6) / 64 * 64);
}
