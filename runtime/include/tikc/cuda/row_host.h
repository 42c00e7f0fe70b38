#pragma once

// Included by tikc/cuda/rows.h for host compilers: the passes and the exact rows, with loops
// instead of threads.

#include <memory>

namespace tikc::cuda {
namespace detail {

struct host_block {
  template <unsigned Added, unsigned All, class Visit>
  void each(int tokens, double (&out)[All], Visit visit) {
    for (unsigned i = 0; i < All; ++i)
      out[i] = i < Added ? 0 : -rows::unbounded;
    for (int token = 0; token < tokens; ++token)
      visit(token, out);
  }
};

template <number_format Train, number_format Infer, std::uint32_t Wants> class host_row {
  static constexpr int threads = 512;

public:
  host_row(const row_batch& batch, std::uint32_t row)
      : batch_(batch), row_(row), of_(batch.pair<Train, Infer>(row)), frame_(frame_of(batch)) {
    for (unsigned i = 0; i < sums::count; ++i)
      result_.sums.values[i] = row_sums::none(i);
  }

  bool report(row_stats& out) {
    place_frame();
    weigh();
    compare();
    return row_finish<Train, Infer, Wants>(batch_, row_, result_).report(out);
  }

private:
  void place_frame() {
    frame_part<Train, Infer> parts[frame_groups];
    float top = -infinity, weight = 0, drift = 0;
    for (int i = 0; i < frame_groups; ++i) {
      parts[i].find_top(of_, i);
      top = std::max(top, parts[i].top);
    }
    for (int i = 0; i < frame_groups; ++i) {
      parts[i].weigh(of_, i, frame_, top);
      weight += parts[i].weight;
      drift += parts[i].drift;
    }
    place(frame_, top, weight, drift);
    result_.first_offset = static_cast<double>(frame_.offset);
    result_.first_centre = static_cast<double>(frame_.centre);
  }

  void join(unsigned index, float value) {
    double& to = result_.sums.values[index];
    to = row_sums::joined(index, to, static_cast<double>(value));
  }

  void weigh() {
    for (int thread = 0; thread < threads; ++thread) {
      weighing<Train, Infer, Wants>& weigher = weighed_[thread];
      for (int index = thread; index < of_.groups(); index += threads)
        weigher.add(of_.load(index), frame_);
      if (thread < of_.edges())
        weigher.add_any(of_.train_at(of_.edge(thread)), of_.infer_at(of_.edge(thread)), frame_);
      has_masks_ = has_masks_ || (weigher.faults & has_mask) != 0;
      const bool fault = (weigher.faults & has_fault) != 0;
      join(sums::sine, weigher.sine);
      join(sums::cosine, weigher.cosine);
      join(sums::level, weigher.level);
      join(sums::squares, weigher.squares);
      join(sums::minus_low, fault ? infinity : -weigher.low);
      join(sums::high, fault ? infinity : weigher.high);
      join(sums::train_first, weigher.train.value());
      join(sums::infer_first, weigher.infer.value());
      join(sums::relative, weigher.relative);
    }
  }

  void compare() {
    const row_sums& first = result_.sums;
    const first_results found = {first[sums::sine], first[sums::cosine], first[sums::level],
                                 static_cast<float>(-first[sums::minus_low]),
                                 static_cast<float>(first[sums::high])};
    const comparing_frame frame = comparing_frame_of<Wants>(frame_, found);
    result_.offset = static_cast<double>(frame.offset);
    result_.centre = static_cast<double>(frame.centre);
    const bool near = is_near(frame, found) && !has_masks_;
    for (int thread = 0; thread < threads; ++thread) {
      comparing<Train, Infer, Wants> comparer;
      for (int index = thread; index < of_.groups(); index += threads) {
        const pair_group<Train, Infer> group = of_.load(index);
        if (near)
          comparer.template add<true>(group, frame);
        else
          comparer.template add<false>(group, frame);
        for (unsigned i = 0; i < pair_group<Train, Infer>::tokens; ++i)
          find_tops(of_.first_of(index) + static_cast<int>(i), group.train.at(i),
                    group.infer.at(i));
      }
      if (thread < of_.edges()) {
        const int token = of_.edge(thread);
        comparer.add_any(of_.train_at(token), of_.infer_at(token), frame);
        find_tops(token, of_.train_at(token), of_.infer_at(token));
      }
      lead(weighed_[thread]);
      const float values[] = {comparer.distance,     comparer.excess,        comparer.entropy,
                              comparer.second,       comparer.third,         comparer.fourth,
                              comparer.fifth,        comparer.far_entropy,   comparer.far_forward,
                              comparer.far_backward, comparer.far_hellinger, comparer.far_js,
                              comparer.far_chi2};
      for (unsigned i = 0; i < sizeof values / sizeof *values; ++i)
        join(sums::distance + i, values[i]);
    }
  }

  void find_tops(int token, float z, float w) {
    if (static_cast<double>(z) == result_.sums[sums::train_first])
      join(sums::minus_train_top, static_cast<float>(-token));
    if (static_cast<double>(w) == result_.sums[sums::infer_first])
      join(sums::minus_infer_top, static_cast<float>(-token));
  }

  void lead(const weighing<Train, Infer, Wants>& weigher) {
    const float train = weigher.train.value(), infer = weigher.infer.value();
    const bool train_leads = static_cast<double>(train) == result_.sums[sums::train_first],
               infer_leads = static_cast<double>(infer) == result_.sums[sums::infer_first];
    join(sums::train_leaders, train_leads ? 1 : 0);
    join(sums::infer_leaders, infer_leads ? 1 : 0);
    join(sums::train_second, train_leads ? weigher.train_second : train);
    join(sums::infer_second, infer_leads ? weigher.infer_second : infer);
  }

  const row_batch& batch_;
  std::uint32_t row_;
  pair_rows<Train, Infer> of_;
  weighing_frame frame_;
  weighing<Train, Infer, Wants> weighed_[threads];
  bool has_masks_ = false;
  row_result result_{};
};

} // namespace detail

/// Reduces pairs of rows, and writes a `row_stats` for each. Returns the number of rows that took
/// the exact pass.
template <number_format Train, number_format Infer, std::uint32_t Wants>
std::uint32_t reduce_rows(row_batch batch, row_stats* out) {
  using namespace detail;
  const bool all = prepare(batch, Wants);
  std::uint32_t exact = 0;
  for (std::uint32_t row = 0; row < batch.rows; ++row) {
    if (!all && std::make_unique<host_row<Train, Infer, Wants>>(batch, row)->report(out[row]))
      continue;
    host_block block;
    out[row] = exact_row<host_block, Train, Infer, Wants>(block, batch, row).run();
    ++exact;
  }
  return exact;
}

} // namespace tikc::cuda
