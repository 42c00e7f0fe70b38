#pragma once

#include "tikc/cuda/row_exact.h"
#include "tikc/cuda/row_launch.h"

/// The statistics of many pairs of rows, reduced on a GPU; `tikc::row_pass` defines them. The
/// header has no dependencies. Without a device compiler, it runs the same code on the host, thread
/// by thread.
namespace tikc::cuda {

using row_batch = detail::row_batch;

namespace detail {

/// The number of groups that are sampled before the first pass, to place a row's frame: one group
/// and one edge for each thread of a warp.
inline constexpr int frame_groups = 32;

/// One thread's part of the frame.
template <number_format Train, number_format Infer> struct frame_part {
  float top = -infinity;
  float weight = 0, drift = 0; // Σ b, Σ b·(z′ − z)

  TIKC_ON_BOTH void find_top(const pair_rows<Train, Infer>& pairs, int index) {
    each(pairs, index, [this](float z, float) { top = top < z ? z : top; });
  }
  TIKC_ON_BOTH void weigh(const pair_rows<Train, Infer>& pairs, int index,
                          const weighing_frame& frame, float highest) {
    each(pairs, index, [&, this](float z, float w) {
      const float one = power_of_two((z - highest) * frame.log2_scale);
      weight += one;
      drift += one * (w - z);
    });
  }

private:
  template <class Visit>
  TIKC_ON_BOTH static void each(const pair_rows<Train, Infer>& pairs, int index, Visit visit) {
    auto visit_finite = [&](float z, float w) {
      if (z > -infinity && z < infinity && w > -infinity && w < infinity)
        visit(z, w);
    };
    if (index < pairs.edges())
      visit_finite(pairs.train_at(pairs.edge(index)), pairs.infer_at(pairs.edge(index)));
    if (index >= pairs.groups())
      return;
    const pair_group<Train, Infer> group = pairs.load(index);
    for (unsigned i = 0; i < pair_group<Train, Infer>::tokens; ++i)
      visit_finite(group.train.at(i), group.infer.at(i));
  }
};

TIKC_ON_BOTH inline void place(weighing_frame& frame, float top, float weight, float drift) {
  const float centre = frame.scale * (drift / weight);
  frame.place(top > -infinity ? top : 0, centre > -infinity && centre < infinity ? centre : 0);
}

} // namespace detail
} // namespace tikc::cuda

#if defined(__CUDACC__)
#include "tikc/cuda/row_kernels.h"
#else
#include "tikc/cuda/row_host.h"
#endif
