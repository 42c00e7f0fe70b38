// The CPU's row pass over many rows, for benchmarks/rows_cuda.py to compare with.
//   g++ -std=c++17 -O2 -pthread -shared -fPIC -Iruntime/include benchmarks/rows_cuda_reference.cpp
#include "tikc/row.h"

#include <algorithm>
#include <thread>
#include <vector>

extern "C" void tikc_bench_reference(const unsigned char* train, const unsigned char* infer,
                                     int train_format, int infer_format, std::size_t stride,
                                     unsigned rows, unsigned vocabulary, double train_temperature,
                                     double infer_temperature, const std::int64_t* sampled,
                                     int lenient, tikc::row_stats* out) {
  using namespace tikc;
  const auto train_as = static_cast<number_format>(train_format),
             infer_as = static_cast<number_format>(infer_format);
  auto part = [&](unsigned first, unsigned step) {
    std::vector<float> scratch(row_scratch_floats(vocabulary));
    for (unsigned i = first; i < rows; i += step)
      out[i] = row_pass<row_want::everything>(
          {train + i * stride * bytes_of(train_as), train_as},
          {infer + i * stride * bytes_of(infer_as), infer_as}, vocabulary, train_temperature,
          infer_temperature, sampled == nullptr ? -1 : sampled[i], scratch.data(),
          lenient != 0 ? mask_rule::lenient : mask_rule::strict);
  };
  const unsigned threads = std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::thread> pool;
  for (unsigned i = 0; i < threads; ++i)
    pool.emplace_back(part, i, threads);
  for (std::thread& each : pool)
    each.join();
}
