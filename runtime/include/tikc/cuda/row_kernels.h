#pragma once

// Included by tikc/cuda/rows.h for device compilers: the kernels, and the functions that launch
// them.

#include "tikc/cuda/row_block.h"

namespace tikc::cuda {
namespace detail {

template <number_format Train, number_format Infer, std::uint32_t Wants, class Spread>
__global__ void __launch_bounds__(Spread::threads, Spread::resident)
    reduce_rows_kernel(const __grid_constant__ row_batch batch,
                       const __grid_constant__ row_workspace workspace) {
  extern __shared__ __align__(128) unsigned char kept[];
  using block = row_block<Train, Infer, Wants, Spread>;
  __shared__ typename block::state shared;
  block(batch, workspace, shared, kept).run();
}

template <number_format Train, number_format Infer, std::uint32_t Wants>
__global__ void __launch_bounds__(finish_threads)
    finish_rows_kernel(const __grid_constant__ row_batch batch,
                       const __grid_constant__ row_workspace workspace, unsigned blocks,
                       row_stats* out) {
  __shared__ row_result results[finish_rows];
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32, from = blockIdx.x * finish_rows;
  static_assert(sums::count <= 32);
  for (unsigned i = warp; i < finish_rows && from + i < batch.rows; i += finish_threads / 32)
    if (lane < sums::count) {
      double total = row_sums::none(lane);
      for (unsigned block = 0; block < blocks; ++block)
        total = row_sums::joined(lane, total,
                                 workspace.shares[(from + i) * blocks + block].values[lane]);
      results[i].sums.values[lane] = total;
    }
  __syncthreads();
  const unsigned row = from + threadIdx.x;
  if (threadIdx.x >= finish_rows || row >= batch.rows)
    return;
  row_result& result = results[threadIdx.x];
  const row_frames frames = workspace.frames[row];
  result.first_offset = static_cast<double>(frames.offset);
  result.first_centre = static_cast<double>(frames.centre);
  result.offset = static_cast<double>(frames.next_offset);
  result.centre = static_cast<double>(frames.next_centre);
  row_stats stats;
  if (row_finish<Train, Infer, Wants>(batch, row, result).report(stats))
    out[row] = stats;
  else
    workspace.left[1 + atomicAdd(workspace.left, 1)] = row;
}

struct exact_block {
  double (*partial)[exact_threads / 32];

  template <unsigned Added, unsigned All, class Visit>
  __device__ void each(int tokens, double (&out)[All], Visit visit) {
    for (unsigned i = 0; i < All; ++i)
      out[i] = i < Added ? 0 : -rows::unbounded;
    for (int token = static_cast<int>(threadIdx.x); token < tokens;
         token += static_cast<int>(exact_threads))
      visit(token, out);
    auto join = [](unsigned i, double a, double b) { return i < Added ? a + b : fmax(a, b); };
    for (unsigned i = 0; i < All; ++i) {
      for (unsigned lanes = 16; lanes != 0; lanes /= 2)
        out[i] = join(i, out[i], __shfl_xor_sync(0xffffffffU, out[i], lanes));
      if (threadIdx.x % 32 == 0)
        partial[i][threadIdx.x / 32] = out[i];
    }
    __syncthreads();
    for (unsigned i = 0; i < All; ++i) {
      out[i] = partial[i][0];
      for (unsigned warp = 1; warp < exact_threads / 32; ++warp)
        out[i] = join(i, out[i], partial[i][warp]);
    }
    __syncthreads();
  }
};

/// `all`: processes every row instead of only the remaining ones.
template <number_format Train, number_format Infer, std::uint32_t Wants>
__global__ void __launch_bounds__(exact_threads)
    exact_rows_kernel(const __grid_constant__ row_batch batch, const unsigned* left, bool all,
                      row_stats* out) {
  __shared__ double partial[16][exact_threads / 32];
  exact_block block{partial};
  const unsigned count = all ? batch.rows : *left;
  for (unsigned i = blockIdx.x; i < count; i += gridDim.x) {
    const unsigned row = all ? i : left[1 + i];
    const row_stats stats = exact_row<exact_block, Train, Infer, Wants>(block, batch, row).run();
    if (threadIdx.x == 0)
      out[row] = stats;
  }
}

#if !defined(__CUDACC_RTC__)

/// CUDA's runtime, for kernels that are compiled with the program.
template <number_format Train, number_format Infer, std::uint32_t Wants, class Spread>
class runtime_api {
public:
  using code = cudaError_t;
  static constexpr code no_cluster = cudaErrorInvalidConfiguration;

  explicit runtime_api(cudaStream_t stream) : stream_(stream) {}

  code zero(unsigned* at) { return cudaMemsetAsync(at, 0, sizeof *at, stream_); }
  code most_shared_bytes(std::size_t& out) {
    return attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, out);
  }
  code multiprocessors(unsigned& out) { return attribute(cudaDevAttrMultiProcessorCount, out); }
  code static_shared_bytes(std::size_t& out) {
    cudaFuncAttributes attributes{};
    const code result = cudaFuncGetAttributes(&attributes, reduce);
    out = attributes.sharedSizeBytes;
    return result;
  }
  code allow(const row_grid& grid) {
    code result = cudaFuncSetAttribute(reduce, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       static_cast<int>(grid.shared_bytes));
    if (result == cudaSuccess && grid.cluster > most_portable)
      result = cudaFuncSetAttribute(reduce, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    return result;
  }
  code active_clusters(const row_grid& grid, int& out) {
    const launch_config config(grid, stream_);
    return cudaOccupancyMaxActiveClusters(&out, reduce, &config.launch);
  }
  template <class... Arguments>
  code launch(row_kernel which, const row_grid& grid, Arguments... arguments) {
    const launch_config config(grid, stream_);
    void* at[] = {&arguments...};
    const void* const kernel =
        which == row_kernel::reduce ? reinterpret_cast<const void*>(reduce)
        : which == row_kernel::finish
            ? reinterpret_cast<const void*>(&finish_rows_kernel<Train, Infer, Wants>)
            : reinterpret_cast<const void*>(&exact_rows_kernel<Train, Infer, Wants>);
    return cudaLaunchKernelExC(&config.launch, kernel, at);
  }

private:
  static constexpr auto reduce = &reduce_rows_kernel<Train, Infer, Wants, Spread>;

  struct launch_config {
    launch_config(const row_grid& grid, cudaStream_t stream) {
      cluster.id = cudaLaunchAttributeClusterDimension;
      cluster.val.clusterDim = {grid.cluster, 1, 1};
      launch.gridDim = {grid.blocks, 1, 1};
      launch.blockDim = {grid.threads, 1, 1};
      launch.dynamicSmemBytes = grid.shared_bytes;
      launch.stream = stream;
      launch.attrs = &cluster;
      launch.numAttrs = grid.cluster != 0;
    }
    launch_config(const launch_config&) = delete;
    launch_config& operator=(const launch_config&) = delete;

    cudaLaunchAttribute cluster{};
    cudaLaunchConfig_t launch{};
  };

  template <class Number> static code attribute(cudaDeviceAttr which, Number& out) {
    int device = 0, value = 0;
    code result = cudaGetDevice(&device);
    if (result == cudaSuccess)
      result = cudaDeviceGetAttribute(&value, which, device);
    out = static_cast<Number>(value);
    return result;
  }

  cudaStream_t stream_;
};

#endif

} // namespace detail

#if !defined(__CUDACC_RTC__)

/// Returns the size of the workspace in bytes for this many rows at once.
template <class Spread = row_spread<>> constexpr std::size_t row_workspace_bytes(std::size_t rows) {
  return detail::workspace_bytes(Spread::blocks, rows);
}

/// Reduces pairs of rows, and writes a `row_stats` for each to device memory. Asynchronous: errors
/// of the kernels show when the stream is synchronised. Requires compute capability 9.0.
template <number_format Train, number_format Infer, std::uint32_t Wants,
          class Spread = usual_spread<Train, Infer>>
cudaError_t reduce_rows(row_batch batch, row_stats* out, void* workspace, cudaStream_t stream) {
  using namespace detail;
  if (batch.vocabulary < 2 || batch.vocabulary > rows::row_tokens_limit)
    return cudaErrorInvalidValue;
  if (batch.rows == 0)
    return cudaSuccess;
  const bool all = prepare(batch, Wants);
  runtime_api<Train, Infer, Wants, Spread> api(stream);
  return launch_rows(api, batch, all, shape_of<Train, Infer, Spread>(batch.vocabulary), workspace,
                     out);
}

#endif

} // namespace tikc::cuda
