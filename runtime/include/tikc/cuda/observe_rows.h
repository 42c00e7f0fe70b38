#pragma once

#include "tikc/cuda/row_observer.h"
#include "tikc/cuda/rows.h"

/// What tikc/cuda/row_observer.h declares. Without a device compiler, the rows are in the host's
/// memory, and reduce() reduces them at once.
namespace tikc::cuda {
namespace detail {

#if defined(__CUDACC__)
using result_code = cudaError_t;
inline constexpr result_code no_error = cudaSuccess, invalid_value = cudaErrorInvalidValue;
inline status described(result_code code) {
  return {static_cast<int>(code), code == no_error ? nullptr : cudaGetErrorString(code)};
}
#else
using result_code = int;
inline constexpr result_code no_error = 0, invalid_value = 1;
inline status described(result_code code) {
  return {code, code == no_error ? nullptr : "invalid argument"};
}
#endif

} // namespace detail

template <class Plan, std::size_t Stream, number_format Train, number_format Infer>
row_observer<Plan, Stream, Train, Infer>::~row_observer() {
  static_cast<void>(release());
}

template <class Plan, std::size_t Stream, number_format Train, number_format Infer>
status row_observer<Plan, Stream, Train, Infer>::reduce(const device_rows& rows,
                                                        CUstream_st* stream) {
  constexpr auto link = Plan::streams[Stream];
  const status waited = wait();
  count_ = 0;
  if (!waited.is_ok())
    return waited;
  if (rows.count > std::numeric_limits<std::uint32_t>::max())
    return detail::described(detail::invalid_value);
  if (const status reserved = reserve(rows.count); !reserved.is_ok())
    return reserved;
  const row_batch batch{rows.train,
                        rows.infer,
                        rows.train_stride,
                        rows.infer_stride,
                        static_cast<std::uint32_t>(rows.count),
                        static_cast<std::uint32_t>(Plan::vocabulary),
                        link.train_temperature,
                        link.infer_temperature,
                        rows.sampled,
                        link.masks};
#if defined(__CUDACC__)
  cudaError_t code =
      reduce_rows<Train, Infer, link.row_wants>(batch, device_results_, workspace_, stream);
  if (code == cudaSuccess && rows.count != 0)
    code = cudaMemcpyAsync(results_, device_results_, rows.count * sizeof(row_stats),
                           cudaMemcpyDeviceToHost, stream);
  if (code == cudaSuccess)
    code = cudaEventRecord(reduced_, stream);
  if (code != cudaSuccess)
    return detail::described(code);
  is_pending_ = true;
#else
  static_cast<void>(stream);
  reduce_rows<Train, Infer, link.row_wants>(batch, results_);
#endif
  count_ = rows.count;
  return {};
}

#if defined(__CUDACC__)

template <class Plan, std::size_t Stream, number_format Train, number_format Infer>
status row_observer<Plan, Stream, Train, Infer>::wait() {
  if (!std::exchange(is_pending_, false))
    return {};
  const cudaError_t code = cudaEventSynchronize(reduced_);
  if (code != cudaSuccess)
    count_ = 0;
  return detail::described(code);
}

template <class Plan, std::size_t Stream, number_format Train, number_format Infer>
status row_observer<Plan, Stream, Train, Infer>::reserve(std::size_t count) {
  int device = 0;
  cudaError_t code = cudaGetDevice(&device);
  if (code != cudaSuccess)
    return detail::described(code);
  if (device == device_ && count <= room_)
    return {};
  if (const status released = release(); !released.is_ok())
    return released;
  device_ = device;
  code = cudaMallocHost(&results_, count * sizeof(row_stats));
  if (code == cudaSuccess)
    code = cudaMalloc(&device_results_, count * sizeof(row_stats));
  if (code == cudaSuccess)
    code = cudaMalloc(&workspace_, row_workspace_bytes<usual_spread<Train, Infer>>(count));
  if (code == cudaSuccess)
    code = cudaEventCreateWithFlags(&reduced_, cudaEventDisableTiming);
  if (code != cudaSuccess) {
    static_cast<void>(release());
    return detail::described(code);
  }
  room_ = count;
  return {};
}

template <class Plan, std::size_t Stream, number_format Train, number_format Infer>
status row_observer<Plan, Stream, Train, Infer>::release() {
  status out = wait();
  auto keep_first = [&](cudaError_t code) {
    if (out.is_ok())
      out = detail::described(code);
  };
  if (reduced_ != nullptr)
    keep_first(cudaEventDestroy(std::exchange(reduced_, nullptr)));
  keep_first(cudaFree(std::exchange(workspace_, nullptr)));
  keep_first(cudaFree(std::exchange(device_results_, nullptr)));
  keep_first(cudaFreeHost(std::exchange(results_, nullptr)));
  room_ = count_ = 0;
  device_ = -1;
  return out;
}

#else

template <class Plan, std::size_t Stream, number_format Train, number_format Infer>
status row_observer<Plan, Stream, Train, Infer>::wait() {
  return {};
}

template <class Plan, std::size_t Stream, number_format Train, number_format Infer>
status row_observer<Plan, Stream, Train, Infer>::reserve(std::size_t count) {
  if (count > room_) {
    static_cast<void>(release());
    results_ = new row_stats[count];
    room_ = count;
  }
  return {};
}

template <class Plan, std::size_t Stream, number_format Train, number_format Infer>
status row_observer<Plan, Stream, Train, Infer>::release() {
  delete[] std::exchange(results_, nullptr);
  room_ = count_ = 0;
  return {};
}

#endif

} // namespace tikc::cuda
