// What a pair of full rows costs, beside what reading it does: time a row and share of the read
// bandwidth, measured in turns with it.
//   g++ -std=c++17 -O2 -pthread -Iruntime/include benchmarks/rows.cpp -o rows && ./rows
#include "tikc/row.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace tikc;
using detail::rows::instruction_set;

constexpr std::size_t vocabulary = 152'064;
/// Together they are far larger than any cache.
constexpr std::size_t row_pairs = 96;
constexpr std::uint32_t wants = row_want::logit_linf | row_want::logit_osc | row_want::tv |
                                row_want::hellinger | row_want::kl_train_infer |
                                row_want::kl_infer_train | row_want::js | row_want::top1_flip |
                                row_want::entropy_gap | row_want::sampled_logprobs;

struct rows {
  number_format format;
  std::vector<unsigned char> bytes;

  std::size_t row_bytes() const { return vocabulary * bytes_of(format); }
  row_view row(std::size_t i) const { return {&bytes[i * row_bytes()], format}; }
};

rows make_rows(number_format format, float drift) {
  rows out{format, {}};
  out.bytes.resize(2 * row_pairs * out.row_bytes());
  std::mt19937 words(1);
  std::normal_distribution<float> normal;
  std::vector<float> noise(1U << 20U);
  for (float& value : noise)
    value = normal(words);
  std::size_t at = 0;
  for (std::size_t pair = 0; pair < row_pairs; ++pair)
    for (std::size_t i = 0; i < vocabulary; ++i) {
      float z = 3 * noise[words() % noise.size()];
      for (float value : {z, z + drift * noise[words() % noise.size()]}) {
        std::size_t row = 2 * pair + (at++ % 2);
        unsigned char* to = &out.bytes[row * out.row_bytes() + i * bytes_of(format)];
        std::uint32_t word;
        std::memcpy(&word, &value, sizeof word);
        if (format == number_format::bf16)
          word = (word + 0x7fffU + (word >> 16U & 1U)) >> 16U;
        if (format == number_format::fp16) // normal numbers only
          word =
              (word >> 16U & 0x8000U) | (((word & 0x7fffffffU) + 0x1000U - (112U << 23U)) >> 13U);
        std::memcpy(to, &word, bytes_of(format));
      }
    }
  return out;
}

/// What a run leaves, so that it is not optimised away.
volatile double kept;

double seconds(const std::function<void()>& what) {
  auto start = std::chrono::steady_clock::now();
  what();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

using row_work = std::function<double(std::size_t pair, float* scratch)>;

double one_run(const row_work& work, std::size_t threads) {
  std::vector<std::vector<float>> scratch(threads,
                                          std::vector<float>(row_scratch_floats(vocabulary)));
  return seconds([&] {
           std::vector<std::thread> pool;
           auto share = [&](std::size_t thread) {
             double total = 0;
             for (std::size_t i = thread; i < row_pairs; i += threads)
               total += work(i, scratch[thread].data());
             kept = total;
           };
           for (std::size_t thread = 1; thread < threads; ++thread)
             pool.emplace_back(share, thread);
           share(0);
           for (std::thread& thread : pool)
             thread.join();
         }) /
         static_cast<double>(row_pairs);
}

#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512vl,avx512dq"))),        \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512dq")
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif
double read_bytes(const unsigned char* from, std::size_t bytes) {
  __m512i sums[8] = {};
  for (std::size_t i = 0; i + 512 <= bytes; i += 512)
    for (std::size_t k = 0; k < 8; ++k)
      sums[k] = _mm512_or_si512(sums[k], _mm512_loadu_si512(from + i + 64 * k));
  __m512i all = sums[0];
  for (std::size_t k = 1; k < 8; ++k)
    all = _mm512_or_si512(all, sums[k]);
  return static_cast<double>(_mm512_reduce_or_epi64(all));
}

/// The same statistics as one writes them first: two online softmaxes, then a loop over both rows.
double online_softmax(row_view train, row_view infer) {
  using namespace detail::rows::avx512;
  floats peaks[2] = {all(-1e30F), all(-1e30F)}, totals[2] = {all(0), all(0)};
  for (std::size_t i = 0; i < vocabulary; i += lanes)
    for (std::size_t side = 0; side < 2; ++side) {
      floats z = load(side == 0 ? train : infer, i);
      floats peak = larger(peaks[side], z);
      totals[side] = fused(totals[side], exponential(peaks[side] - peak), exponential(z - peak));
      peaks[side] = peak;
    }
  double logs[2];
  for (std::size_t side = 0; side < 2; ++side) {
    float top = largest(peaks[side]);
    logs[side] = static_cast<double>(top) +
                 std::log(sum(totals[side] * exponential(peaks[side] - all(top))));
  }
  floats train_log = all(static_cast<float>(logs[0])), infer_log = all(static_cast<float>(logs[1]));
  floats tv = all(0), forward = all(0), backward = all(0), roots = all(0), js = all(0);
  floats low = all(1e30F), high = all(-1e30F), train_entropy = all(0), infer_entropy = all(0);
  floats train_top = all(-1e30F), infer_top = all(-1e30F);
  for (std::size_t i = 0; i < vocabulary; i += lanes) {
    floats z = load(train, i), w = load(infer, i);
    floats log_p = z - train_log, log_q = w - infer_log, p = exponential(log_p),
           q = exponential(log_q);
    floats ratio = log_p - log_q;
    tv = tv + magnitude(p - q);
    forward = fused(p, ratio, forward);
    backward = fused(q, -ratio, backward);
    floats root_gap = root(p) - root(q);
    roots = fused(root_gap, root_gap, roots);
    js = js + row_kernels::far_js(p, q, ratio);
    train_entropy = fused(p, log_p, train_entropy);
    infer_entropy = fused(q, log_q, infer_entropy);
    low = smaller(z - w, low);
    high = larger(z - w, high);
    train_top = larger(z, train_top);
    infer_top = larger(w, infer_top);
  }
  return sum(tv) + sum(forward) + sum(backward) + sum(roots) + sum(js) + sum(train_entropy) +
         sum(infer_entropy) +
         static_cast<double>(largest(low) + largest(high) + largest(train_top) +
                             largest(infer_top));
}
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif

struct contender {
  std::string name;
  row_work work;
  double best = 1e9;
};

void table(number_format format, const char* name, float drift, std::size_t threads) {
  rows data = make_rows(format, drift);
  auto pass = [&](instruction_set set) {
    return [&data, set](std::size_t pair, float* scratch) {
      row_stats stats = detail::rows::row_pass_on<wants>(
          set, data.row(2 * pair), data.row(2 * pair + 1), vocabulary, 1, 1, 17, scratch);
      return stats.tv + stats.js;
    };
  };
  std::vector<contender> all = {{"reading", [&](std::size_t pair, float*) {
                                   return read_bytes(
                                       static_cast<const unsigned char*>(data.row(2 * pair).data),
                                       2 * data.row_bytes());
                                 }}};
  if (detail::rows::is_available(instruction_set::avx512)) {
    all.push_back({"avx512", pass(instruction_set::avx512)});
    all.push_back({"avx2", pass(instruction_set::avx2)});
    all.push_back({"online softmax", [&](std::size_t pair, float*) {
                     return online_softmax(data.row(2 * pair), data.row(2 * pair + 1));
                   }});
  }
  all.push_back({"portable", pass(instruction_set::portable)});
  for (int round = 0; round < 12; ++round)
    for (contender& one : all)
      one.best = std::min(one.best, one_run(one.work, threads));
  double bytes = 2 * static_cast<double>(data.row_bytes());
  std::printf("%s, drift %g, %zu thread%s: reading %.1f GB/s\n", name, static_cast<double>(drift),
              threads, threads == 1 ? "" : "s", bytes / all[0].best / 1e9);
  for (const contender& one : all)
    std::printf("  %-16s %7.1f us a row, share %.2f\n", one.name.c_str(), one.best * 1e6,
                all[0].best / one.best);
  std::fflush(stdout);
}

} // namespace

int main(int count, char** words) {
  float drift = count > 1 ? std::strtof(words[1], nullptr) : 1e-2F;
  for (std::size_t threads : {1U, 2U}) {
    table(number_format::fp32, "fp32", drift, threads);
    table(number_format::bf16, "bf16", drift, threads);
    table(number_format::fp16, "fp16", drift, threads);
  }
}
