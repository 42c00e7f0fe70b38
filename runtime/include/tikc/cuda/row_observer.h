#pragma once

#include "tikc/detail/row_statistics.h"
#include "tikc/formats.h"

#include <utility>

struct CUstream_st; // what CUDA's cudaStream_t and cudaEvent_t point to
struct CUevent_st;

namespace tikc::cuda {

/// Pairs of rows in device memory, as wide as the contract's vocabulary. Strides are in elements.
struct device_rows {
  const void *train, *infer;
  std::size_t count;
  std::size_t train_stride, infer_stride;
  const std::int64_t* sampled = nullptr; // in device memory: a token for each row, or −1
};

/// The result of a call: CUDA's error code, and its description.
struct status {
  int code = 0;
  const char* text = nullptr; // static

  bool is_ok() const { return code == 0; }
};

/// Reduces rows of a contract's stream on a GPU, and observes the results. It owns the memory that
/// this needs on the device and the host. It keeps one batch at a time; use two for overlap.
///
/// Any C++17 source may use this class. One that a device compiler compiles includes
/// tikc/cuda/observe_rows.h and instantiates it.
template <class Plan, std::size_t Stream, number_format Train, number_format Infer = Train>
class row_observer {
public:
  row_observer() = default;
  row_observer(row_observer&& other) noexcept { swap(other); }
  row_observer& operator=(row_observer&& other) noexcept {
    swap(other);
    return *this;
  }
  ~row_observer();

  /// Starts to reduce rows on the caller's stream, and returns at once. The rows must remain
  /// unchanged until wait() or observe() returns. Allocates when a batch is larger than all before
  /// it. An unfinished batch is waited for and dropped.
  status reduce(const device_rows& rows, CUstream_st* stream);

  /// Waits until the rows are reduced.
  status wait();

  /// Waits, and observes all rows in a slice. `ids`: one for each row, or null.
  template <class Tally>
  status observe(Tally& to, std::size_t slice, const std::uint64_t* ids = nullptr) {
    return observe(
        to, [slice](std::size_t) { return slice; }, ids);
  }

  /// Waits, and observes each row in the slice that `slice_of(index)` returns.
  template <class Tally, class SliceOf, class = decltype(std::declval<SliceOf>()(std::size_t{}))>
  status observe(Tally& to, SliceOf slice_of, const std::uint64_t* ids = nullptr) {
    const status waited = wait();
    if (waited.is_ok())
      for (std::size_t i = 0; i < count_; ++i)
        to.template observe_row_figures<Stream>(slice_of(i), results_[i],
                                                ids == nullptr ? 0 : ids[i]);
    count_ = 0; // each row counts once
    return waited;
  }

  /// The results of the batch, from wait() until the next reduce() or observe().
  const row_stats* begin() const { return results_; }
  const row_stats* end() const { return results_ + count_; }

private:
  status reserve(std::size_t count);
  status release();

  void swap(row_observer& other) noexcept {
    std::swap(results_, other.results_);
    std::swap(device_results_, other.device_results_);
    std::swap(workspace_, other.workspace_);
    std::swap(reduced_, other.reduced_);
    std::swap(room_, other.room_);
    std::swap(count_, other.count_);
    std::swap(device_, other.device_);
    std::swap(is_pending_, other.is_pending_);
  }

  row_stats* results_ = nullptr; // page-locked
  row_stats* device_results_ = nullptr;
  void* workspace_ = nullptr;
  CUevent_st* reduced_ = nullptr;
  std::size_t room_ = 0, count_ = 0;
  int device_ = -1; // where the memory is
  bool is_pending_ = false;
};

} // namespace tikc::cuda
