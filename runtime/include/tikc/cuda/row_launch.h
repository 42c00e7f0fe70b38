#pragma once

// Included by tikc/cuda/rows.h: how the kernels are laid out, and how a host launches them through
// either of CUDA's interfaces.

#include "tikc/cuda/row_finish.h"

#include <type_traits>

namespace tikc::cuda {

/// How the kernel distributes rows. A cluster of blocks processes one row at a time. Each warp
/// keeps its share of the row in shared memory between the passes, and copies its share of the next
/// row during the second pass. A share that does not fit is read from memory twice.
template <unsigned Blocks = 8, unsigned Threads = 384, unsigned Resident = 2, unsigned Depth = 4,
          bool Prefetches = true>
struct row_spread {
  static constexpr unsigned blocks = Blocks, threads = Threads;
  static constexpr unsigned resident = Resident; // blocks at once on a multiprocessor
  static constexpr unsigned depth = Depth;       // groups per thread and copy; 0: rows are not kept
  static constexpr bool prefetches = Prefetches; // prefetches the next row into L2
};

/// The fastest distribution on an H200 for rows of these formats with about 150,000 tokens.
template <number_format Train, number_format Infer>
using usual_spread =
    std::conditional_t<Train == number_format::fp32 || Infer == number_format::fp32,
                       row_spread<8, 768, 1, 2, false>, row_spread<>>;

namespace detail {

/// The first pass's offset and centre of a row, and the second's.
struct alignas(16) row_frames {
  float offset, centre, next_offset, next_centre;
};

/// What an earlier launch, or the other blocks, computed for a batch.
struct row_workspace {
  row_sums* shares;   // one per block, for each row
  row_frames* frames; // one for each row
  unsigned* left;     // the number of rows for the exact pass, then their indices
  bool keeps;         // whether shared memory holds the shares
};

/// The shared memory of one warp, in slots. A copy fills a slot per side. A slot has a barrier,
/// which completes once for each row that is kept.
template <number_format Train, number_format Infer, class Spread> struct slot_layout {
  /// The first warp of a block has no slots.
  static constexpr unsigned warps = Spread::threads / 32 - 1;
  static constexpr unsigned groups = Spread::depth == 0 ? 32 : Spread::depth * 32;
  static constexpr unsigned bytes = groups * sizeof(pair_group<Train, Infer>);

  TIKC_ON_BOTH static constexpr unsigned count_for(unsigned vocabulary) {
    using rows_type = pair_rows<Train, Infer>;
    constexpr unsigned all_warps = Spread::blocks * warps;
    const unsigned spans = vocabulary / rows_type::span,
                   each = (spans + all_warps - 1) / all_warps * rows_type::groups_of_span;
    return (each + groups - 1) / groups;
  }
};

inline constexpr unsigned finish_threads = 256, finish_rows = 32;
inline constexpr unsigned exact_threads = 256;

/// Returns whether all rows take the exact pass: temperatures differ, or are not between 1e-6 and
/// 1e6.
inline bool prepare(row_batch& batch, std::uint32_t wants) {
  if ((wants & rows::row_weighed) == 0) // raw logits know no temperature
    batch.train_temperature = batch.infer_temperature = 1;
  return !(batch.is_alike() && batch.train_temperature > 1e-6 && batch.train_temperature < 1e6);
}

enum class row_kernel : unsigned char { reduce, finish, exact };

/// The sizes that a launch depends on, besides those of its batch.
struct row_shape {
  unsigned blocks, threads; // of a cluster, and of a block
  std::size_t kept_bytes;   // of a block's shared memory, if it keeps rows
};

template <number_format Train, number_format Infer, class Spread = usual_spread<Train, Infer>>
constexpr row_shape shape_of(unsigned vocabulary) {
  using slots = slot_layout<Train, Infer, Spread>;
  return {Spread::blocks, Spread::threads,
          Spread::depth == 0
              ? 0
              : std::size_t{slots::warps} * slots::count_for(vocabulary) * (slots::bytes + 8)};
}

/// `blocks`: of a cluster.
constexpr std::size_t workspace_bytes(unsigned blocks, std::size_t rows) {
  return rows * (blocks * sizeof(row_sums) + sizeof(row_frames) + sizeof(unsigned)) +
         sizeof(row_frames);
}

inline row_workspace workspace_in(void* memory, unsigned blocks, std::size_t rows) {
  row_workspace out{};
  out.frames = static_cast<row_frames*>(memory);
  out.shares = reinterpret_cast<row_sums*>(out.frames + rows);
  out.left = reinterpret_cast<unsigned*>(out.shares + rows * blocks);
  return out;
}

/// The largest cluster that every device with clusters can run.
inline constexpr unsigned most_portable = 8;

/// The dimensions of a launch.
struct row_grid {
  unsigned blocks, threads;
  unsigned cluster = 0; // blocks; 0: no clusters
  std::size_t shared_bytes = 0;
};

/// Launches the kernels on a batch of at least one row. `all`: by the exact pass alone.
///
/// An Api is one of CUDA's interfaces. Its functions return its `code`, which is `code{}` on
/// success: zero(unsigned*), most_shared_bytes(std::size_t&), static_shared_bytes(std::size_t&),
/// multiprocessors(unsigned&), allow(const row_grid&), active_clusters(const row_grid&, int&) and
/// launch(row_kernel, const row_grid&, arguments…). `no_cluster` says that none fits on the device.
template <class Api>
typename Api::code launch_rows(Api& api, const row_batch& batch, bool all, const row_shape& shape,
                               void* memory, row_stats* out) {
  using code = typename Api::code;
  row_workspace space = workspace_in(memory, shape.blocks, batch.rows);
  code result = api.zero(space.left);
  if (!all) {
    std::size_t most_bytes = 0, static_bytes = 0;
    if (result == code{})
      result = api.most_shared_bytes(most_bytes);
    if (result == code{})
      result = api.static_shared_bytes(static_bytes);
    space.keeps = shape.kept_bytes != 0 && shape.kept_bytes + static_bytes <= most_bytes;
    row_grid grid{shape.blocks, shape.threads, shape.blocks, space.keeps ? shape.kept_bytes : 0};
    if (result == code{})
      result = api.allow(grid);
    int clusters = 0;
    if (result == code{})
      result = api.active_clusters(grid, clusters);
    if (result == code{} && clusters <= 0)
      result = Api::no_cluster;
    grid.blocks *=
        static_cast<unsigned>(clusters) < batch.rows ? static_cast<unsigned>(clusters) : batch.rows;
    if (result == code{})
      result = api.launch(row_kernel::reduce, grid, batch, space);
    if (result == code{})
      result = api.launch(row_kernel::finish,
                          row_grid{(batch.rows + finish_rows - 1) / finish_rows, finish_threads},
                          batch, space, shape.blocks, out);
  }
  unsigned multiprocessors = 0;
  if (result == code{})
    result = api.multiprocessors(multiprocessors);
  const unsigned most = 4 * multiprocessors;
  if (result == code{})
    result = api.launch(row_kernel::exact,
                        row_grid{batch.rows < most ? batch.rows : most, exact_threads}, batch,
                        static_cast<const unsigned*>(space.left), all, out);
  return result;
}

} // namespace detail
} // namespace tikc::cuda
