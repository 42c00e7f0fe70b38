// What rows and tokens cost that the fast paths are not made for, as multiples of those that they
// are: large drifts, dead and masked tokens, numbers of any size and none at all. It measures;
// nothing passes or fails.
//
//   g++ -std=c++17 -O2 -I runtime/include benchmarks/offpath.cpp -o offpath && ./offpath [wide]
#include "tikc/row.h"
#include "tikc/tokens.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <time.h>

namespace {

using namespace tikc;
using detail::token_isa;
using detail::rows::instruction_set;

constexpr float masked = -std::numeric_limits<float>::infinity();
constexpr float none = std::numeric_limits<float>::quiet_NaN();
constexpr float lowest = std::numeric_limits<float>::lowest();
constexpr int rounds = 7;

/// Of this thread alone.
double processor_time() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

volatile double kept;

double best_of(const std::function<double()>& work) {
  double best = 1e9;
  for (int i = 0; i < rounds; ++i) {
    double begin = processor_time();
    kept = work();
    best = std::min(best, processor_time() - begin);
  }
  return best;
}

// Rows.

constexpr std::size_t vocabulary = 152'064, pairs = 4;
constexpr std::uint32_t wants = row_want::everything & ~row_want::sampled_logprobs;

struct pair_of_rows {
  std::vector<float> train, infer;
};
using spoiler = std::function<void(pair_of_rows&, std::size_t)>;

struct row_case {
  const char* name;
  double train_temperature, infer_temperature;
  float drift;
  spoiler change;
};

void keep_all(pair_of_rows&, std::size_t) {}

const row_case row_cases[] = {
    {"the fast path", 1, 1, 1e-2F, keep_all},
    {"drifts of 0.3", 1, 1, 0.3F, keep_all},
    {"drifts of 3", 1, 1, 3, keep_all},
    {"drifts of 30", 1, 1, 30, keep_all},
    {"drifts of 1e30", 1, 1, 1e30F, keep_all},
    {"two temperatures", 0.7, 1, 1e-2F, keep_all},
    {"temperatures of 0", 0, 0, 1e-2F, keep_all},
    {"a temperature of 0", 1, 0, 1e-2F, keep_all},
    {"one side 20 lower", 1, 1, 1e-2F, [](auto& of, std::size_t i) { of.infer[i] -= 20; }},
    {"one side all at -1e9", 1, 1, 0, [](auto& of, std::size_t i) { of.infer[i] = -1e9F; }},
    {"half at the lowest float", 0.7, 0.7, 1e-2F,
     [](auto& of, std::size_t i) {
       if (i % 2 == 0)
         of.train[i] = of.infer[i] = lowest;
     }},
    {"half at -1e9 in the server", 1, 1, 1e-2F,
     [](auto& of, std::size_t i) {
       if (i % 2 == 0)
         of.infer[i] = -1e9F;
     }},
    {"half at the lowest float in the server", 1, 1, 1e-2F,
     [](auto& of, std::size_t i) {
       if (i % 2 == 0)
         of.infer[i] = lowest;
     }},
    {"half masked", 1, 1, 1e-2F,
     [](auto& of, std::size_t i) {
       if (i % 2 == 0)
         of.train[i] = of.infer[i] = masked;
     }},
    {"half masked in the server", 1, 1, 1e-2F,
     [](auto& of, std::size_t i) {
       if (i % 2 == 0)
         of.infer[i] = masked;
     }},
    {"half NaN", 1, 1, 1e-2F,
     [](auto& of, std::size_t i) {
       if (i % 2 == 0)
         of.infer[i] = none;
     }},
    {"denormal logits", 1, 1, 0,
     [](auto& of, std::size_t i) {
       of.train[i] *= 1e-40F;
       of.infer[i] = of.train[i] * 2;
     }},
    {"a blockwise change of drift", 1, 1, 1e-2F,
     [](auto& of, std::size_t i) {
       if (i % 2048 == 0)
         of.infer[i] += 5;
     }},
};

std::vector<pair_of_rows> make(const row_case& of) {
  std::vector<pair_of_rows> out(pairs);
  std::mt19937 words(1);
  std::normal_distribution<float> normal;
  std::vector<float> noise(1U << 16U);
  for (float& value : noise)
    value = normal(words);
  for (pair_of_rows& row : out)
    for (std::size_t i = 0; i < vocabulary; ++i) {
      row.train.push_back(3 * noise[words() % noise.size()]);
      row.infer.push_back(row.train[i] + of.drift * noise[words() % noise.size()]);
      of.change(row, i);
    }
  return out;
}

void rows_on(instruction_set set, const char* name) {
  std::printf("rows of %zu tokens, %s\n", vocabulary, name);
  std::vector<float> scratch(row_scratch_floats(vocabulary));
  double usual = 0;
  for (const row_case& of : row_cases) {
    std::vector<pair_of_rows> data = make(of);
    double took = best_of([&] {
      double total = 0;
      for (const pair_of_rows& row : data)
        total += detail::rows::row_pass_on<wants>(set, {row.train.data(), number_format::fp32},
                                                  {row.infer.data(), number_format::fp32},
                                                  vocabulary, of.train_temperature,
                                                  of.infer_temperature, -1, scratch.data())
                     .tv;
      return total;
    });
    usual = usual == 0 ? took : usual;
    std::printf("  %-40s %8.1f us a row, %5.1f x\n", of.name,
                took * 1e6 / static_cast<double>(pairs), took / usual);
  }
}

// Tokens.

constexpr std::size_t count = 1U << 18U;

struct everything : plan_of_nothing {
  static constexpr std::uint32_t wants = token_want::everything & ~token_want::places;
  static constexpr std::array<float, 1> beyond{0.1F};
};
/// What examples/qwen3-8b-rl.tikc.yaml asks for.
struct example : plan_of_nothing {
  static constexpr std::uint32_t wants = token_want::gap | token_want::k3 | token_want::range |
                                         token_want::sketch | token_want::places;
  static constexpr std::array<float, 1> beyond{0.1F};
};

struct token_case {
  const char* name;
  std::function<void(float& train, float& infer)> change;
};

const token_case token_cases[] = {
    {"the fast path", [](float&, float&) {}},
    {"x of about 1", [](float& p, float& q) { p = q - 1; }},
    {"x = -30", [](float& p, float& q) { p = q - 30; }},
    {"x = 30", [](float& p, float& q) { q = p - 30; }},
    {"x = -700", [](float& p, float& q) { p = q - 700; }},
    {"x = 700", [](float& p, float& q) { q = p - 700; }},
    {"x = -1e30", [](float& p, float&) { p = -1e30F; }},
    {"x = 1e30", [](float&, float& q) { q = -1e30F; }},
    {"log-probs of -100", [](float& p, float& q) { p -= 100, q -= 100; }},
    {"a trainer's -inf", [](float& p, float&) { p = masked; }},
    {"a server's -inf", [](float&, float& q) { q = masked; }},
    {"NaN", [](float& p, float&) { p = none; }},
    {"denormals", [](float& p, float& q) { p *= 1e-40F, q *= 1e-40F; }},
};

template <class Plan> void tokens_on(token_isa isa, const char* plan, const char* name) {
  std::printf("tokens, %s, %s\n", plan, name);
  double usual = 0;
  for (const token_case& of : token_cases)
    for (unsigned every : {1U, 16U}) {
      std::mt19937 random(1);
      std::exponential_distribution<float> surprise(1);
      std::normal_distribution<float> gap(0, 0.02F);
      std::vector<float> train, infer;
      for (std::size_t i = 0; i < count; ++i) {
        infer.push_back(-surprise(random));
        train.push_back(infer.back() + gap(random));
        if (i % every == 0)
          of.change(train.back(), infer.back());
      }
      const auto stats = std::make_unique<token_stats<Plan>>();
      double took = best_of([&] {
        *stats = {};
        detail::observe_with<Plan>(isa, *stats, {train.data(), infer.data(), nullptr, count},
                                   nullptr);
        return static_cast<double>(stats->count);
      });
      usual = usual == 0 ? took : usual;
      if (every == 1 || usual != took)
        std::printf("  %-24s%s %8.2f ns a token, %5.1f x\n", of.name,
                    every == 1 ? "          " : " one of 16",
                    took * 1e9 / static_cast<double>(count), took / usual);
    }
}

} // namespace

int main(int words, char**) {
  const bool wide = words > 1; // every instruction set, not only the best
  constexpr const char* names[] = {"portable", "avx2", "avx512"};
  for (int i = 2; i >= 0; --i) {
    auto set = static_cast<instruction_set>(i);
    if (!detail::rows::is_available(set))
      continue;
    rows_on(set, names[i]);
    tokens_on<everything>(static_cast<token_isa>(i), "all sums and sketch", names[i]);
    tokens_on<example>(static_cast<token_isa>(i), "as in qwen3-8b-rl.tikc.yaml", names[i]);
    if (!wide)
      break;
  }
}
