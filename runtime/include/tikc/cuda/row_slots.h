#pragma once

// Included by tikc/cuda/row_block.h: where the warps of a cluster find their shares of a row.

#include "tikc/cuda/row_cluster.h"
#include "tikc/cuda/row_launch.h"

namespace tikc::cuda {
namespace detail {

/// The slots of one warp.
template <number_format Train, number_format Infer, class Spread> class row_slots {
  using layout = slot_layout<Train, Infer, Spread>;
  static constexpr unsigned warps = layout::warps, blocks = Spread::blocks;
  using group = pair_group<Train, Infer>;
  using train_group = typename group::train_group;
  using infer_group = typename group::infer_group;
  using rows_type = pair_rows<Train, Infer>;

  static constexpr int depth = static_cast<int>(Spread::depth);
  static constexpr unsigned slot_groups = layout::groups, slot_bytes = layout::bytes;

public:
  __device__ row_slots(unsigned vocabulary, bool keeps, unsigned char* kept, unsigned worker)
      : count_(layout::count_for(vocabulary)), keeps_(keeps),
        kept_(kept + worker * count_ * slot_bytes),
        barriers_(shared_address(kept + warps * count_ * slot_bytes) + worker * count_ * 8) {}

  __device__ void open() const {
    if (lane() == 0 && keeps_) {
      for (unsigned slot = 0; slot < count_; ++slot)
        open_copies(barriers_ + slot * 8);
      publish_opened();
    }
    __syncwarp();
  }

  /// The groups of a row that belong to a warp of the cluster.
  struct share {
    int begin, count;
  };
  __device__ share share_of(const rows_type& pairs, unsigned worker) const {
    const int each = (pairs.spans + static_cast<int>(blocks * warps) - 1) /
                     static_cast<int>(blocks * warps) * rows_type::groups_of_span;
    const int begin = min(static_cast<int>(worker) * each, pairs.groups());
    return {begin, min(each, pairs.groups() - begin)};
  }
  __device__ bool is_kept(const rows_type& pairs) const {
    return depth != 0 && keeps_ && pairs.is_aligned;
  }

  /// The part of a row that a warp copies.
  struct source {
    const unsigned char *train, *infer;
    int count; // in groups; −1 if the row is not kept
  };
  __device__ source source_of(const rows_type& pairs, const share& mine) const {
    const long long token = pairs.first_of(mine.begin);
    return {pairs.train + token * train_group::size, pairs.infer + token * infer_group::size,
            is_kept(pairs) ? mine.count : -1};
  }
  /// Starts a copy to a slot. Its barrier completes once for each row that is kept, even if the row
  /// has no tokens for it.
  __device__ void fill(const source& from, unsigned slot) const {
    if (lane() != 0 || from.count < 0)
      return;
    const int first = static_cast<int>(slot * slot_groups),
              count = max(0, min(static_cast<int>(slot_groups), from.count - first));
    const std::uint32_t barrier = barriers_ + slot * 8,
                        to = shared_address(kept_) + slot * slot_bytes;
    const unsigned train_bytes = static_cast<unsigned>(count) * sizeof(train_group),
                   infer_bytes = static_cast<unsigned>(count) * sizeof(infer_group);
    expect_copies(barrier, train_bytes + infer_bytes);
    if (count == 0)
      return;
    copy_to_shared(to, from.train + first * sizeof(train_group), train_bytes, barrier);
    copy_to_shared(to + slot_groups * sizeof(train_group), from.infer + first * sizeof(infer_group),
                   infer_bytes, barrier);
  }

  __device__ void fill_all(const source& from) const {
    __syncwarp();
    for (unsigned slot = 0; slot < count_; ++slot)
      fill(from, slot);
  }

  __device__ void wait(unsigned slot, unsigned phase) const {
    wait_for_copies(barriers_ + slot * 8, phase);
  }

  /// Returns one of the warp's groups.
  __device__ group kept(int index) const {
    const auto at = static_cast<unsigned>(index);
    return in_slot(at / slot_groups, at % slot_groups);
  }

  /// Visits this thread's groups in the warp's slots; `begin` and `end` are called per slot.
  template <class Begin, class Visit, class End>
  __device__ void each_kept(const share& mine, Begin begin, Visit visit, End end) const {
    for (unsigned slot = 0; slot < count_; ++slot) {
      begin(slot);
      const int left = mine.count - static_cast<int>(slot * slot_groups + lane());
#pragma unroll
      for (int i = 0; i < depth; ++i)
        if (left > i * 32)
          visit(in_slot(slot, static_cast<unsigned>(i) * 32 + lane()));
      end(slot);
    }
  }
  /// Visits them from memory, loading one group ahead.
  template <class Visit>
  __device__ void each_read(const rows_type& pairs, const share& mine, Visit visit) const {
    int index = static_cast<int>(lane());
    if (index >= mine.count)
      return;
    group now = pairs.load(mine.begin + index);
    while (index + 32 < mine.count) {
      index += 32;
      const group next = pairs.load(mine.begin + index);
      visit(now);
      now = next;
    }
    visit(now);
  }

private:
  __device__ static unsigned lane() { return threadIdx.x % 32; }

  __device__ group in_slot(unsigned slot, unsigned index) const {
    const unsigned char* at = kept_ + slot * slot_bytes;
    return {reinterpret_cast<const train_group*>(at)[index],
            reinterpret_cast<const infer_group*>(at + slot_groups * sizeof(train_group))[index]};
  }

  unsigned count_;
  bool keeps_;
  unsigned char* kept_;
  std::uint32_t barriers_;
};

} // namespace detail
} // namespace tikc::cuda
