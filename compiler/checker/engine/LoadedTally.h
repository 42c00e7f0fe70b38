#pragma once

#include "checker/engine/LoadedPlan.h"
#include "tikc/tally.h"

#include <cstdint>
#include <vector>

namespace tikc {

/// The observations of one worker for a loaded plan: like the runtime's tally of generated code,
/// with streams as numbers.
template <>
class tally<engine::LoadedPlan>
    : public detail::of_plan<engine::LoadedPlan, tally<engine::LoadedPlan>>,
      detail::watch_list<engine::LoadedPlan, tally<engine::LoadedPlan>> {
  using Plan = engine::LoadedPlan;
  using watches = detail::watch_list<Plan, tally<Plan>>;

public:
  using token_plan = engine::LoadedTokens;
  using tokens_of = token_stats<token_plan>;

  explicit tally(const Plan& loaded);

  void serve(std::size_t slice, std::uint64_t tokens, std::uint64_t requests = 1) {
    cells_[slice].serve(tokens, requests);
  }

  void hand_in(quantity kind, double value, std::uint64_t id = 0) {
    watches::see(plan(), kind, value, id);
  }
  /// For a list with a value per token.
  void hand_in(quantity kind, double least, double greatest, std::uint64_t id) {
    watches::see(plan(), kind, least, greatest, id);
  }

  /// `scratch` has row_scratch_floats(vocabulary) floats.
  void observe_row(std::size_t stream, std::size_t slice, row_view train, row_view infer,
                   float* scratch, std::uint64_t id = 0);
  /// Adds figures of a row that was reduced elsewhere, with the stream's temperatures and mask
  /// rule. They lack the mass that cuts remove.
  void observe_row_figures(std::size_t stream, std::size_t slice, const row_stats& row,
                           std::uint64_t id = 0);

  void observe_tokens(std::size_t stream, std::size_t slice, const token_batch& batch);
  void observe_tokens(std::size_t stream, std::size_t slice, const token_batch& batch,
                      sequence& response);
  void observe_tokens(std::size_t stream, std::size_t slice, const gapped_batch& batch,
                      sequence& response);
  [[nodiscard]] std::uint64_t observe_tokens(std::size_t stream, const std::uint8_t* slice,
                                             const token_batch& batch, token_scratch& scratch);
  void end_sequence(std::size_t stream, std::size_t slice, const sequence& response,
                    std::uint64_t id = 0);

  void observe_request(std::size_t slice, const request_times& times, std::uint64_t id = 0);
  void observe_batch_replay(std::size_t slice, double drift, std::uint64_t id = 0);
  void observe_request_replay(std::size_t slice, double drift, std::uint64_t id = 0);
  void observe_routes(std::size_t stream, std::size_t slice, double share, std::uint64_t id = 0);

  void merge(const tally& other);
  void clear();

  const watches& watched() const { return *this; }
  const cell<Plan>& observed(std::size_t slice) const { return cells_[slice]; }
  const tokens_of& tokens(std::size_t stream, std::size_t slice) const {
    return tokens_[stream][slice];
  }
  void merge_into(kept<Plan>& into, std::size_t slice) const {
    into.observed.merge(cells_[slice]);
    for (std::size_t j = 0; j < tokens_.size(); ++j)
      into.tokens[j].merge(tokens_[j][slice]);
  }

private:
  friend struct detail::wire_access;

  /// The signals of a stream, found once.
  struct Sources {
    std::vector<std::uint16_t> rows, routes, singles, sequences;
    /// The sums of a response, and the first signal that takes its mean from each.
    std::vector<std::pair<std::size_t, std::uint16_t>> sums;
  };

  template <class Batch>
  void observe_response(std::size_t stream, std::size_t slice, const Batch& batch,
                        sequence& response);
  template <class Batch, class SliceOf>
  void observe_singly(std::size_t stream, const Batch& batch, SliceOf&& slice_of);
  void replay(std::size_t slice, figure what, double drift, std::uint64_t id);

  engine::Several<cell<Plan>> cells_;
  engine::Several<engine::Several<tokens_of>> tokens_;
  std::vector<Sources> sources_; // by stream
  bool asksOfResponses_;
};

} // namespace tikc

namespace tikc::engine {
using LoadedTally = tally<LoadedPlan>;
using LoadedChecker = checker<LoadedPlan>;
using LoadedRouter = router<LoadedPolicy>;
} // namespace tikc::engine
