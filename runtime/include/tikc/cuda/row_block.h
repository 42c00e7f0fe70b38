#pragma once

// Included by tikc/cuda/rows.h for device compilers.

#include "tikc/cuda/row_slots.h"

namespace tikc::cuda {

namespace detail {

template <number_format Train, number_format Infer, std::uint32_t Wants, class Spread>
class row_block {
  /// The first warp serves the others, which reduce the tokens.
  static constexpr unsigned warps = Spread::threads / 32 - 1, blocks = Spread::blocks;
  static constexpr bool compares = (Wants & rows::row_compared) != 0;
  static constexpr bool has_tops = compares || (Wants & row_want::top1_flip) != 0;
  static constexpr bool has_margin = (Wants & row_want::top1_margin) != 0;
  static constexpr unsigned first_values = 8, second_values = 20;

  using group = pair_group<Train, Infer>;
  using train_group = typename group::train_group;
  using infer_group = typename group::infer_group;
  using rows_type = pair_rows<Train, Infer>;
  using slots_type = row_slots<Train, Infer, Spread>;
  using share = typename slots_type::share;
  using first_pass = weighing<Train, Infer, Wants>;
  using second_pass = comparing<Train, Infer, Wants>;

public:
  struct state {
    double received[2][first_values][blocks];
    mailbox boxes[2];
    weighing_frame frames[2];
    comparing_frame comparing;
    float first[first_values][warps], second[2][second_values][warps];
    bool has_masks[warps];
    float train_first, infer_first;
    int train_top[2], infer_top[2];
    bool is_near;
  };

  __device__ row_block(const row_batch& batch, const row_workspace& workspace, state& shared,
                       unsigned char* kept)
      : batch_(batch), workspace_(workspace), shared_(shared), rank_(rank_in_cluster()),
        warp_(threadIdx.x / 32), lane_(threadIdx.x % 32),
        slots_(batch.vocabulary, workspace.keeps, kept, warp_ == 0 ? 0 : warp_ - 1) {}

  __device__ void run() {
    const unsigned clusters = gridDim.x / blocks, first = blockIdx.x / blocks;
    open();
    synchronise_cluster();
    if (warp_ == 0)
      place_frame(first, 0);
    else
      slots_.fill_all(source_of(first));
    synchronise_block();
    unsigned turn = 0;
    for (unsigned row = first; row < batch_.rows; row += clusters, ++turn) {
      if (warp_ == 0)
        serve(row, clusters, turn);
      else
        reduce(row, clusters, turn);
    }
    synchronise_block();
    if (warp_ == 0 && turn != 0)
      publish_second(first + (turn - 1) * clusters, turn - 1);
    synchronise_cluster(); // the writes of other blocks have arrived
  }

private:
  static constexpr int no_token = 0x7fffffff;

  __device__ void open() {
    if (threadIdx.x == 0) {
      for (mailbox& box : shared_.boxes)
        box.open();
      for (int turn : {0, 1})
        shared_.train_top[turn] = shared_.infer_top[turn] = no_token;
    }
    if (warp_ != 0)
      slots_.open();
  }

  /// Returns this warp's part of a later row.
  __device__ typename slots_type::source source_of(unsigned row) const {
    if (row >= batch_.rows)
      return {nullptr, nullptr, -1};
    const rows_type pairs = batch_.pair<Train, Infer>(row);
    return slots_.source_of(pairs, slots_.share_of(pairs, rank_ * warps + warp_ - 1));
  }

  /// The work of the first warp while the others reduce a row.
  __device__ void serve(unsigned row, unsigned clusters, unsigned turn) {
    prefetch(row + clusters);
    place_frame(row + clusters, turn + 1);
    synchronise_block();
    exchange(row, turn);
    synchronise_block();
    if (turn != 0)
      publish_second(row - clusters, turn - 1);
  }

  __device__ void reduce(unsigned row, unsigned clusters, unsigned turn) {
    const rows_type pairs = batch_.pair<Train, Infer>(row);
    const bool keeps = slots_.is_kept(pairs);
    const share mine = slots_.share_of(pairs, rank_ * warps + warp_ - 1);
    // The edges belong to the cluster's first token warp.
    const bool has_edge = rank_ == 0 && warp_ == 1 && static_cast<int>(lane_) < pairs.edges();
    const int edge = has_edge ? pairs.edge(static_cast<int>(lane_)) : 0;

    first_pass first;
    weigh(pairs, mine, keeps, first, shared_.frames[turn % 2]);
    if (has_edge)
      first.add_any(pairs.train_at(edge), pairs.infer_at(edge), shared_.frames[turn % 2]);
    leave_first(first);
    synchronise_block();
    synchronise_block();
    if constexpr (has_tops) // before its slots are filled again
      find_tops(pairs, mine, keeps, has_edge ? edge : -1, first, turn % 2);

    second_pass second;
    compare(pairs, mine, keeps, second, shared_.comparing, row + clusters);
    if (compares && has_edge)
      second.add_any(pairs.train_at(edge), pairs.infer_at(edge), shared_.comparing);
    leave_second(first, second, turn % 2, !shared_.is_near || has_edge);
  }

  __device__ void weigh(const rows_type& pairs, const share& mine, bool keeps, first_pass& to,
                        const weighing_frame& shared_frame) {
    const weighing_frame frame = shared_frame;
    auto visit = [&](const group& each) { to.add(each, frame); };
    if (keeps) {
      const unsigned phase = kept_rows_++ % 2;
      slots_.each_kept(
          mine, [&](unsigned slot) { slots_.wait(slot, phase); }, visit, [](unsigned) {});
    } else {
      slots_.each_read(pairs, mine, visit);
    }
  }

  __device__ void compare(const rows_type& pairs, const share& mine, bool keeps, second_pass& to,
                          const comparing_frame& shared_frame, unsigned next_row) {
    const comparing_frame frame = shared_frame;
    const auto next = source_of(next_row);
    auto refill = [&](unsigned slot) {
      __syncwarp();
      slots_.fill(next, slot);
    };
    auto look = [&](const group& each) { to.template add<false>(each, frame); };
    if (!compares || !keeps) {
      if (compares)
        slots_.each_read(pairs, mine, look);
      slots_.fill_all(next);
    } else if (shared_.is_near) {
      slots_.each_kept(
          mine, [](unsigned) {}, [&](const group& each) { to.template add<true>(each, frame); },
          refill);
    } else {
      slots_.each_kept(
          mine, [](unsigned) {}, look, refill);
    }
  }

  __device__ void leave_first(const first_pass& first) {
    const bool fault = (first.faults & has_fault) != 0;
    const float added = reduce_four<true>(first.sine, first.cosine, first.level, first.squares);
    const float most =
        reduce_four<false>(fault ? infinity : -first.low, fault ? infinity : first.high,
                           first.train.value(), first.infer.value());
    const bool masks = __any_sync(0xffffffffU, (first.faults & has_mask) != 0) != 0;
    if (lane_ == 0)
      shared_.has_masks[warp_ - 1] = masks;
    if (lane_ % 8 == 0) {
      shared_.first[lane_ / 8][warp_ - 1] = added;
      shared_.first[4 + lane_ / 8][warp_ - 1] = most;
    }
  }

  __device__ static unsigned first_index(unsigned value) {
    return value < 4 ? sums::sine + value : sums::minus_low + (value - 4);
  }

  /// Adds the warps' sums, and then the blocks'. Runs on one warp; four threads share a number.
  __device__ void exchange(unsigned row, unsigned turn) {
    const unsigned value = lane_ / 4, part = lane_ % 4, index = first_index(value);
    double mine = row_sums::none(index);
    for (unsigned i = part; i < warps; i += 4)
      mine = row_sums::joined(index, mine, static_cast<double>(shared_.first[value][i]));
    mine = join_as(index, join_as(index, mine, 1), 2);
    if (part == 0)
      workspace_.shares[row * blocks + rank_].values[index] = mine;
    mailbox& box = shared_.boxes[turn % 2];
    double(&received)[first_values][blocks] = shared_.received[turn % 2];
    if (lane_ == 0)
      box.expect(sizeof received);
    __syncwarp();
    for (unsigned block = part; block < blocks; block += 4)
      box.send(&received[value][rank_], mine, block);
    box.wait(turn / 2 % 2);
    double total = row_sums::none(index);
    for (unsigned block = part; block < blocks; block += 4)
      total = row_sums::joined(index, total, received[value][block]);
    total = join_as(index, join_as(index, total, 1), 2);
    auto value_of = [&](unsigned number) { return __shfl_sync(0xffffffffU, total, number * 4); };
    const first_results found = {value_of(0), value_of(1), value_of(2),
                                 static_cast<float>(-value_of(4)), static_cast<float>(value_of(5))};
    const float train_first = static_cast<float>(value_of(6)),
                infer_first = static_cast<float>(value_of(7));
    const bool masks = __any_sync(0xffffffffU, lane_ < warps && shared_.has_masks[lane_]) != 0;
    if (lane_ != 0)
      return;
    const weighing_frame& frame = shared_.frames[turn % 2];
    const comparing_frame next = comparing_frame_of<Wants>(frame, found);
    shared_.comparing = next;
    shared_.is_near = is_near(next, found) && !masks;
    shared_.train_first = train_first;
    shared_.infer_first = infer_first;
    if (rank_ == 0)
      workspace_.frames[row] = {frame.offset, frame.centre, next.offset, next.centre};
  }

  /// Runs on one warp.
  __device__ void place_frame(unsigned row, unsigned turn) {
    if (row >= batch_.rows)
      return;
    const rows_type pairs = batch_.pair<Train, Infer>(row);
    weighing_frame frame = frame_of(batch_);
    frame_part<Train, Infer> part;
    part.find_top(pairs, static_cast<int>(lane_));
    float top = part.top;
    for (unsigned lanes = 16; lanes != 0; lanes /= 2)
      top = fmaxf(top, __shfl_xor_sync(0xffffffffU, top, lanes));
    part.weigh(pairs, static_cast<int>(lane_), frame, top);
    float weight = part.weight, drift = part.drift;
    for (unsigned lanes = 16; lanes != 0; lanes /= 2) {
      weight += __shfl_xor_sync(0xffffffffU, weight, lanes);
      drift += __shfl_xor_sync(0xffffffffU, drift, lanes);
    }
    place(frame, top, weight, drift);
    if (lane_ == 0)
      shared_.frames[turn % 2] = frame;
  }

  __device__ void prefetch(unsigned row) const {
    if constexpr (Spread::prefetches) {
      if (row >= batch_.rows || lane_ > 1)
        return;
      const rows_type pairs = batch_.pair<Train, Infer>(row);
      const share first = slots_.share_of(pairs, rank_ * warps),
                  last = slots_.share_of(pairs, rank_ * warps + warps - 1);
      const unsigned char* side = lane_ == 0 ? pairs.train : pairs.infer;
      const long long size = lane_ == 0 ? train_group::size : infer_group::size;
      const auto at = reinterpret_cast<std::uintptr_t>(side);
      const auto begin = (at + pairs.first_of(first.begin) * size + 15) / 16 * 16,
                 end = (at + pairs.first_of(last.begin + last.count) * size) / 16 * 16;
      if (begin < end)
        asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(begin),
                     "r"(static_cast<unsigned>(end - begin))
                     : "memory");
    }
  }

  /// Finds the first positions of the row's largest logits. `edge` is −1 if this thread has none.
  __device__ void find_tops(const rows_type& pairs, const share& mine, bool keeps, int edge,
                            const first_pass& first, unsigned turn) {
    const float train = shared_.train_first, infer = shared_.infer_first;
    if (first.train.value() == train) {
      find<Train>(pairs, mine, keeps, train, &shared_.train_top[turn],
                  [](const group& in) { return in.train; });
      if (edge >= 0 && pairs.train_at(edge) == train)
        atomicMin(&shared_.train_top[turn], edge);
    }
    if ((Wants & row_want::top1_flip) != 0 && first.infer.value() == infer) {
      find<Infer>(pairs, mine, keeps, infer, &shared_.infer_top[turn],
                  [](const group& in) { return in.infer; });
      if (edge >= 0 && pairs.infer_at(edge) == infer)
        atomicMin(&shared_.infer_top[turn], edge);
    }
    __syncwarp();
  }

  template <number_format Format, class Side>
  __device__ void find(const rows_type& pairs, const share& mine, bool keeps, float top,
                       int* lowest, Side side) {
    for (int index = static_cast<int>(lane_); index < mine.count; index += 32) {
      const auto in = side(keeps ? slots_.kept(index) : pairs.load(mine.begin + index));
      peak<Format> most;
      most.add(in);
      if (!(most.value() >= top)) // belongs to another group
        continue;
      for (unsigned i = 0; i < group::tokens; ++i)
        if (in.at(i) == top) {
          atomicMin(lowest, pairs.first_of(mine.begin + index) + static_cast<int>(i));
          return;
        }
    }
  }

  /// `has_far`: some of this thread's tokens may be beyond the smallest series.
  __device__ void leave_second(const first_pass& first, const second_pass& second, unsigned turn,
                               bool has_far) {
    has_far = __any_sync(0xffffffffU, has_far) != 0;
    const bool leads = first.train.value() == shared_.train_first,
               infer_leads = first.infer.value() == shared_.infer_first;
    float values[5] = {0, 0, 0, 0, 0};
    if constexpr (compares) {
      values[0] = reduce_four<true>(second.distance, second.excess, second.entropy, second.second);
      values[1] = reduce_four<true>(second.third, second.fourth, second.fifth, second.far_entropy);
      if (has_far)
        values[2] = reduce_four<true>(second.far_forward, second.far_backward, second.far_hellinger,
                                      second.far_js);
    }
    if (has_margin || (compares && (Wants & row_want::chi2) != 0 && has_far))
      values[3] = reduce_four<true>(second.far_chi2, leads ? 1 : 0, infer_leads ? 1 : 0, 0);
    if constexpr (has_margin || (Wants & row_want::logit_rel) != 0)
      values[4] =
          reduce_four<false>(first.relative, leads ? first.train_second : first.train.value(),
                             infer_leads ? first.infer_second : first.infer.value(), 0);
    if (lane_ % 8 == 0)
      for (unsigned i = 0; i < 5; ++i)
        shared_.second[turn][4 * i + lane_ / 8][warp_ - 1] = values[i];
  }

  __device__ static unsigned second_index(unsigned value) {
    constexpr unsigned largest[] = {sums::relative, sums::train_second, sums::infer_second};
    return value < 16 ? sums::distance + value : largest[value - 16];
  }

  /// Runs on one warp, with one value per thread.
  __device__ void publish_second(unsigned row, unsigned turn) {
    row_sums& to = workspace_.shares[row * blocks + rank_];
    if (lane_ < 19 && lane_ != 15) {
      const unsigned index = second_index(lane_);
      double out = row_sums::none(index);
      for (float value : shared_.second[turn % 2][lane_])
        out = row_sums::joined(index, out, static_cast<double>(value));
      to.values[index] = out;
    }
    if (lane_ == 0) {
      int &train_top = shared_.train_top[turn % 2], &infer_top = shared_.infer_top[turn % 2];
      to.values[sums::minus_train_top] = -train_top;
      to.values[sums::minus_infer_top] = -infer_top;
      train_top = infer_top = no_token;
    }
  }

  const row_batch& batch_;
  const row_workspace& workspace_;
  state& shared_;
  const unsigned rank_, warp_, lane_;
  const slots_type slots_;
  unsigned kept_rows_ = 0; // rows so far
};

} // namespace detail
} // namespace tikc::cuda
