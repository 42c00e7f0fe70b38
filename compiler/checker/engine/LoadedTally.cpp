#include "checker/engine/LoadedTally.h"

#include "checker/engine/RowPass.h"

#include <algorithm>

namespace tikc {

using engine::LoadedPlan;

tally<LoadedPlan>::tally(const Plan& loaded)
    : detail::of_plan<Plan, tally<Plan>>(loaded), watches(loaded), cells_(loaded.slices, loaded),
      tokens_(loaded.streams.size(), loaded.slices, loaded.asked_of_tokens),
      sources_(loaded.streams.size()) {
  constexpr std::uint32_t of_responses = token_want::gap | token_want::range;
  asksOfResponses_ = (loaded.asked_of_tokens.wants & of_responses) == of_responses;
  for (std::uint16_t i = 0; i < loaded.signals; ++i) {
    const signal& each = loaded.signal_table[i];
    Sources& at = sources_[each.stream];
    if (each.from == source::rows)
      at.rows.push_back(i);
    else if (each.from == source::routes)
      at.routes.push_back(i);
    else if (each.from == source::sequences)
      at.sequences.push_back(i);
    else if (each.from == source::tokens && loaded.isSingle(i))
      at.singles.push_back(i);
    if (each.from != source::sequences)
      continue;
    const int sum = detail::response_sum_of(each);
    const auto isSame = [&](const auto& known) { return static_cast<int>(known.first) == sum; };
    if (sum >= 0 && std::none_of(at.sums.begin(), at.sums.end(), isSame))
      at.sums.emplace_back(static_cast<std::size_t>(sum), i);
  }
}

void tally<LoadedPlan>::observe_row(std::size_t stream, std::size_t slice, row_view train,
                                    row_view infer, float* scratch, std::uint64_t id) {
  const tikc::stream& pair = plan().streams[stream];
  row_stats row;
  if (pair.row_wants != 0)
    row = engine::passRow(pair, train, infer, plan().vocabulary, scratch);
  // One that takes the largest logit has nothing to cut, and a row that is spoilt misses all.
  if (pair.misses_by_cuts() && row.missing_mass < 1)
    row.missing_mass = missing_mass(train, infer, plan().vocabulary, pair.train_temperature,
                                    pair.infer_temperature, pair.cut, scratch);
  observe_row_figures(stream, slice, row, id);
}

void tally<LoadedPlan>::observe_row_figures(std::size_t stream, std::size_t slice,
                                            const row_stats& row, std::uint64_t id) {
  ++cells_[slice].through[stream].rows;
  const tikc::stream& pair = plan().streams[stream];
  if (stream == 0 && (pair.row_wants & row_want::missing_mass) != 0)
    if (const double missing = detail::row_value(figure::missing_mass, row); missing == missing)
      watches::see(plan(), quantity::missing_mass, missing, id);
  for (std::uint16_t which : sources_[stream].rows)
    cells_[slice].add(which, detail::row_value(plan().signal_table[which].what, row), id);
}

void tally<LoadedPlan>::observe_tokens(std::size_t stream, std::size_t slice,
                                       const token_batch& batch) {
  tokens_of& stats = tokens_[stream][slice];
  const std::uint64_t before = stats.count;
  observe(stats, batch);
  cells_[slice].through[stream].tokens += stats.count - before;
  observe_singly(stream, batch, [&](std::size_t) { return slice; });
}

template <class Batch>
void tally<LoadedPlan>::observe_response(std::size_t stream, std::size_t slice, const Batch& batch,
                                         sequence& response) {
  tokens_of& stats = tokens_[stream][slice];
  const std::uint64_t before = stats.count;
  if (asksOfResponses_)
    observe(stats, batch, response);
  else
    observe(stats, batch);
  if (!asksOfResponses_ && watches::sees(plan(), quantity::length))
    response.tokens += stats.count - before;
  cells_[slice].through[stream].tokens += stats.count - before;
  for (const auto& [sum, which] : sources_[stream].sums)
    for (std::size_t i = 0; i < batch.size; ++i)
      if (batch.mask == nullptr || batch.mask[i] != 0)
        response.figures[sum] += detail::token_value(plan().signal_table[which], batch, i);
  observe_singly(stream, batch, [&](std::size_t) { return slice; });
}

void tally<LoadedPlan>::observe_tokens(std::size_t stream, std::size_t slice,
                                       const token_batch& batch, sequence& response) {
  observe_response(stream, slice, batch, response);
}
void tally<LoadedPlan>::observe_tokens(std::size_t stream, std::size_t slice,
                                       const gapped_batch& batch, sequence& response) {
  observe_response(stream, slice, batch, response);
}

std::uint64_t tally<LoadedPlan>::observe_tokens(std::size_t stream, const std::uint8_t* slice,
                                                const token_batch& batch, token_scratch& scratch) {
  engine::Several<tokens_of>& stats = tokens_[stream];
  std::vector<std::uint64_t> before;
  for (const tokens_of& each : stats)
    before.push_back(each.count);
  const std::uint64_t strays = observe_sliced(stats.data(), stats.size(), batch, slice, scratch);
  for (std::size_t i = 0; i < stats.size(); ++i)
    cells_[i].through[stream].tokens += stats[i].count - before[i];
  observe_singly(stream, batch, [&](std::size_t i) { return std::size_t{slice[i]}; });
  return strays;
}

void tally<LoadedPlan>::end_sequence(std::size_t stream, std::size_t slice,
                                     const sequence& response, std::uint64_t id) {
  ++cells_[slice].through[stream].sequences;
  if (response.tokens == 0)
    return; // nothing was said by either kernel, so that nothing is known of how they differ
  if (stream == 0)
    watches::see(plan(), quantity::length, static_cast<double>(response.tokens), id);
  for (std::uint16_t which : sources_[stream].sequences) {
    const signal& one = plan().signal_table[which];
    const double value = detail::is_by_response(one) ? detail::mean_by_response(one, response)
                                                     : detail::sequence_value(one, response);
    cells_[slice].add(which, one.absolute ? std::abs(value) : value, id);
  }
}

void tally<LoadedPlan>::observe_request(std::size_t slice, const request_times& times,
                                        std::uint64_t id) {
  ++cells_[slice].requests;
  for (std::uint16_t i = 0; i < plan().signals; ++i) {
    if (plan().signal_table[i].from != source::requests || plan().signal_table[i].stream != 0)
      continue;
    const double value = detail::request_value(plan().signal_table[i].what, times);
    if (value != request_times::absent)
      cells_[slice].add(i, detail::within(value, std::numeric_limits<double>::max()), id);
  }
}

void tally<LoadedPlan>::observe_batch_replay(std::size_t slice, double drift, std::uint64_t id) {
  ++cells_[slice].batch_replays;
  replay(slice, figure::batch_drift, drift, id);
}
void tally<LoadedPlan>::observe_request_replay(std::size_t slice, double drift, std::uint64_t id) {
  ++cells_[slice].request_replays;
  replay(slice, figure::replay_drift, drift, id);
}
void tally<LoadedPlan>::replay(std::size_t slice, figure what, double drift, std::uint64_t id) {
  for (std::uint16_t i = 0; i < plan().signals; ++i) {
    const signal& subject = plan().signal_table[i];
    if (subject.from == source::replays && subject.stream == 0 && subject.what == what)
      cells_[slice].add(i, detail::within(drift, std::numeric_limits<double>::infinity()), id);
  }
}

void tally<LoadedPlan>::observe_routes(std::size_t stream, std::size_t slice, double share,
                                       std::uint64_t id) {
  ++cells_[slice].through[stream].routes;
  for (std::uint16_t which : sources_[stream].routes)
    cells_[slice].add(which, detail::within(share, 1), id);
}

void tally<LoadedPlan>::merge(const tally& other) {
  watches::add(other.watched());
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    cells_[i].merge(other.cells_[i]);
    for (std::size_t j = 0; j < tokens_.size(); ++j)
      tokens_[j][i].merge(other.tokens_[j][i]);
  }
}

void tally<LoadedPlan>::clear() {
  watches::clear();
  for (cell<Plan>& each : cells_)
    each.clear();
  for (auto& row : tokens_)
    for (tokens_of& each : row)
      each.clear();
}

template <class Batch, class SliceOf>
void tally<LoadedPlan>::observe_singly(std::size_t stream, const Batch& batch, SliceOf&& slice_of) {
  for (std::uint16_t which : sources_[stream].singles)
    for (std::size_t i = 0; i < batch.size; ++i) {
      const std::size_t slice = slice_of(i);
      if ((batch.mask == nullptr || batch.mask[i] != 0) && slice < cells_.size())
        cells_[slice].add(which, detail::token_value(plan().signal_table[which], batch, i),
                          batch.first + i);
    }
}

} // namespace tikc
