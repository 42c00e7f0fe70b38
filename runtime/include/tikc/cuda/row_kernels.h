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

inline constexpr unsigned finish_threads = 256, finish_rows = 32;

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
  const float4 frame = workspace.frames[row];
  result.first_offset = static_cast<double>(frame.x);
  result.first_centre = static_cast<double>(frame.y);
  result.offset = static_cast<double>(frame.z);
  result.centre = static_cast<double>(frame.w);
  row_stats stats;
  if (row_finish<Train, Infer, Wants>(batch, row, result).report(stats))
    out[row] = stats;
  else
    workspace.left[1 + atomicAdd(workspace.left, 1)] = row;
}

inline constexpr unsigned exact_threads = 256;

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

} // namespace detail

/// Returns the size of the workspace in bytes for this many rows at once.
template <class Spread = row_spread<>> constexpr std::size_t row_workspace_bytes(std::size_t rows) {
  return rows * (Spread::blocks * sizeof(detail::row_sums) + sizeof(float4) + sizeof(unsigned)) +
         sizeof(float4);
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
  const bool all = prepare<Wants>(batch);
  int device = 0, multiprocessors = 0;
  cudaError_t status = cudaGetDevice(&device);
  if (status == cudaSuccess)
    status = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  if (status != cudaSuccess)
    return status;

  row_workspace space{};
  space.frames = static_cast<float4*>(workspace);
  space.shares = reinterpret_cast<row_sums*>(space.frames + batch.rows);
  space.left = reinterpret_cast<unsigned*>(space.shares + std::size_t{batch.rows} * Spread::blocks);
  status = cudaMemsetAsync(space.left, 0, sizeof(unsigned), stream);
  if (status != cudaSuccess)
    return status;

  if (!all) {
    auto* const kernel = &reduce_rows_kernel<Train, Infer, Wants, Spread>;
    cudaLaunchAttribute cluster{};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {Spread::blocks, 1, 1};
    cudaLaunchConfig_t config{};
    config.gridDim = {Spread::blocks, 1, 1};
    config.blockDim = {Spread::threads, 1, 1};
    config.dynamicSmemBytes = row_slots<Train, Infer, Spread>::bytes_of_block(batch.vocabulary);
    cudaFuncAttributes attributes{};
    int most_shared = 0;
    status = cudaFuncGetAttributes(&attributes, kernel);
    if (status == cudaSuccess)
      status =
          cudaDeviceGetAttribute(&most_shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    if (status != cudaSuccess)
      return status;
    space.keeps =
        config.dynamicSmemBytes != 0 && config.dynamicSmemBytes + attributes.sharedSizeBytes <=
                                            static_cast<std::size_t>(most_shared);
    if (!space.keeps)
      config.dynamicSmemBytes = 0;
    config.stream = stream;
    config.attrs = &cluster;
    config.numAttrs = 1;
    status = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  static_cast<int>(config.dynamicSmemBytes));
    if (status == cudaSuccess && Spread::blocks > 8)
      status = cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    int clusters = 0;
    if (status == cudaSuccess)
      status = cudaOccupancyMaxActiveClusters(&clusters, kernel, &config);
    if (status != cudaSuccess)
      return status;
    if (clusters == 0)
      return cudaErrorInvalidConfiguration;
    const unsigned count =
        static_cast<unsigned>(clusters) < batch.rows ? static_cast<unsigned>(clusters) : batch.rows;
    config.gridDim.x = count * Spread::blocks;
    status = cudaLaunchKernelEx(&config, kernel, batch, space);
    if (status != cudaSuccess)
      return status;
    cudaLaunchConfig_t finish{};
    finish.gridDim.x = (batch.rows + finish_rows - 1) / finish_rows;
    finish.blockDim.x = finish_threads;
    finish.stream = stream;
    status = cudaLaunchKernelEx(&finish, &finish_rows_kernel<Train, Infer, Wants>, batch, space,
                                Spread::blocks, out);
    if (status != cudaSuccess)
      return status;
  }
  const unsigned most_exact = static_cast<unsigned>(4 * multiprocessors),
                 exact = batch.rows < most_exact ? batch.rows : most_exact;
  cudaLaunchConfig_t config{};
  config.gridDim.x = exact;
  config.blockDim.x = exact_threads;
  config.stream = stream;
  return cudaLaunchKernelEx(&config, &exact_rows_kernel<Train, Infer, Wants>, batch, space.left,
                            all, out);
}

} // namespace tikc::cuda
