// The kernels of tikc/cuda/rows.h for benchmarks/rows_cuda.py, as functions of a shared library;
// by itself, a program that reduces a few rows twice, for compute-sanitizer.
//   nvcc -std=c++17 -O3 -arch=native -Iruntime/include -DTIKC_BENCH_FORMAT=bf16
//     -DTIKC_BENCH_WANTS=usual [-shared -Xcompiler -fPIC] benchmarks/rows_cuda.cu
#include "tikc/cuda/rows.h"

#include <cstdio>
#include <cstring>
#include <vector>

namespace {

using namespace tikc;
using cuda::row_spread;
using cuda::usual_spread;

[[maybe_unused]] constexpr std::uint32_t usual =
    row_want::logit_osc | row_want::tv | row_want::kl_train_infer | row_want::kl_infer_train;
[[maybe_unused]] constexpr std::uint32_t most =
    usual | row_want::logit_linf | row_want::hellinger | row_want::js | row_want::entropy_gap |
    row_want::top1_flip | row_want::logprob_linf | row_want::sampled_logprobs;
[[maybe_unused]] constexpr std::uint32_t everything = row_want::everything;

constexpr number_format format = number_format::TIKC_BENCH_FORMAT;
#if defined(TIKC_BENCH_INFER)
constexpr number_format infer_format = number_format::TIKC_BENCH_INFER;
#else
constexpr number_format infer_format = format;
#endif
constexpr std::uint32_t wants = TIKC_BENCH_WANTS;

using reduce = cudaError_t (*)(cuda::row_batch, row_stats*, void*, cudaStream_t);
struct variant {
  const char* name;
  reduce run;
  unsigned blocks;
};

template <class Spread> constexpr variant named(const char* name) {
  return {name, &cuda::reduce_rows<format, infer_format, wants, Spread>, Spread::blocks};
}

const variant variants[] = {
#if !defined(TIKC_BENCH_ONLY)
    named<usual_spread<format, infer_format>>("default"),
#endif
#if defined(TIKC_BENCH_VARIANTS)
#define TIKC_VARIANT(...) named<row_spread<__VA_ARGS__>>(#__VA_ARGS__),
    TIKC_BENCH_VARIANTS
#endif
};

/// Reads all of it once, as fast as the device does.
__global__ void __launch_bounds__(512)
    read_all(const uint4* from, std::size_t count, unsigned* to) {
  unsigned all = 0;
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x * 4;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x * 4 + threadIdx.x; i < count; i += step)
    for (std::size_t k = 0; k < 4; ++k)
      if (const std::size_t at = i + k * blockDim.x; at < count) {
        uint4 word;
        asm volatile("ld.global.nc.L1::no_allocate.v4.b32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(word.x), "=r"(word.y), "=r"(word.z), "=r"(word.w)
                     : "l"(from + at));
        all |= word.x | word.y | word.z | word.w;
      }
  if (all == 0x12345678U) // else it would not be read
    *to = all;
}

} // namespace

extern "C" {

unsigned tikc_bench_variants() { return sizeof variants / sizeof *variants; }
const char* tikc_bench_name(unsigned which) { return variants[which].name; }
std::size_t tikc_bench_workspace(std::size_t rows) {
  return cuda::row_workspace_bytes<row_spread<16>>(rows);
}
/// Where the workspace has the number of rows that took the exact pass.
std::size_t tikc_bench_left(unsigned which, std::size_t rows) {
  return rows * (sizeof(float4) + variants[which].blocks * sizeof(cuda::detail::row_sums));
}

int tikc_bench_reduce(unsigned which, const void* train, const void* infer, std::size_t stride,
                      std::size_t infer_stride, unsigned rows, unsigned vocabulary,
                      double train_temperature, double infer_temperature,
                      const std::int64_t* sampled, int lenient, void* out, void* workspace,
                      void* stream) {
  cuda::row_batch batch{train,
                        infer,
                        stride,
                        infer_stride,
                        rows,
                        vocabulary,
                        train_temperature,
                        infer_temperature,
                        sampled,
                        lenient != 0 ? mask_rule::lenient : mask_rule::strict};
  return variants[which].run(batch, static_cast<row_stats*>(out), workspace,
                             static_cast<cudaStream_t>(stream));
}

int tikc_bench_read(const void* from, std::size_t bytes, void* to, unsigned blocks, void* stream) {
  read_all<<<blocks, 512, 0, static_cast<cudaStream_t>(stream)>>>(
      static_cast<const uint4*>(from), bytes / sizeof(uint4), static_cast<unsigned*>(to));
  return cudaGetLastError();
}
}

namespace {

bool succeeded(cudaError_t status) {
  if (status != cudaSuccess)
    std::fprintf(stderr, "rows_cuda: %s\n", cudaGetErrorString(status));
  return status == cudaSuccess;
}

} // namespace

/// A few rows, some with masks and a NaN, whose results have to be the same bits twice.
int main() {
  constexpr unsigned rows = 40, vocabulary = 20'011;
  constexpr std::size_t size = bytes_of(format), bytes = rows * vocabulary * size;
  std::vector<unsigned char> host(2 * bytes);
  std::uint32_t state = 1;
  for (std::size_t i = 0; i < rows * vocabulary; ++i) {
    state = state * 1664525U + 1013904223U;
    const float z = static_cast<float>(state >> 16U) / 4096 - 8;
    for (std::size_t side = 0; side < 2; ++side) {
      const float value = z + (side == 0 ? 0 : static_cast<float>(state & 255U) / 8192);
      std::uint32_t word;
      std::memcpy(&word, &value, sizeof word);
      if (i % 977 == 5)
        word = i % (vocabulary * 7) == 5 ? 0x7fc00000U : 0xff800000U;
      if (size == 2)
        word >>= 16U;
      std::memcpy(&host[side * bytes + i * size], &word, size);
    }
  }
  unsigned char* logits = nullptr;
  row_stats* stats = nullptr;
  void* workspace = nullptr;
  if (!succeeded(cudaMalloc(&logits, 2 * bytes)) ||
      !succeeded(cudaMalloc(&stats, rows * sizeof(row_stats))) ||
      !succeeded(cudaMalloc(&workspace, tikc_bench_workspace(rows))) ||
      !succeeded(cudaMemcpy(logits, host.data(), 2 * bytes, cudaMemcpyHostToDevice)))
    return 1;
  int worst = 0;
  for (unsigned which = 0; which < tikc_bench_variants(); ++which) {
    std::vector<unsigned char> results[2];
    for (std::vector<unsigned char>& each : results) {
      each.resize(rows * sizeof(row_stats));
      if (!succeeded(cudaMemset(stats, 0xee, each.size())) ||
          !succeeded(static_cast<cudaError_t>(
              tikc_bench_reduce(which, logits, logits + bytes, vocabulary, vocabulary, rows,
                                vocabulary, 1, 1, nullptr, 0, stats, workspace, nullptr))) ||
          !succeeded(cudaDeviceSynchronize()) ||
          !succeeded(cudaMemcpy(each.data(), stats, each.size(), cudaMemcpyDeviceToHost)))
        return 1;
    }
    const bool same = results[0] == results[1];
    const auto* first = reinterpret_cast<const row_stats*>(results[0].data());
    std::printf("%s: tv %g of row 1, %s\n", variants[which].name, first[1].tv,
                same ? "the same bits twice" : "DIFFERENT BITS");
    worst |= same ? 0 : 1;
  }
  return worst;
}
