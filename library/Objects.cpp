#include "checker/engine/RowPass.h"
#include "data/Impossible.h"
#include "library/Handles.h"
#include "tikc/c_checker.h"
#include "tikc/c_router.h"
#include "tikc/c_tally.h"

#include <fmt/format.h>

using namespace tikc;
using namespace tikc::library;

// The runtime's own checks and calls, of plans that were read.
using Tallies = c::tally_calls<engine::LoadedPlan>;
using Checkers = c::checker_calls<engine::LoadedPlan>;
using Routers = c::router_calls<engine::LoadedPlan, engine::LoadedPolicy, 0>;

namespace {

tikc_status areResponses(const tikc_tally* tally, std::uint32_t stream, const std::uint32_t* places,
                         const tikc_tokens* responses, const std::uint64_t* ids, std::size_t size) {
  tikc_status wrong = c::is_object<engine::LoadedTally>(tally);
  if (wrong == TIKC_OK)
    wrong = c::first_wrong(
        c::is_below(stream, c::plan_of<engine::LoadedTally>(tally).streams.size()),
        c::points_to(places, size), c::points_to(responses, size), c::points_to(ids, size));
  for (std::size_t i = 0; i < size && wrong == TIKC_OK; ++i)
    wrong = c::first_wrong(c::is_below(places[i], c::plan_of<engine::LoadedTally>(tally).slices),
                           c::is_batch(responses + i));
  return wrong;
}

tikc_status areFigures(const tikc_tally* tally, std::uint32_t stream, const std::uint32_t* places,
                       const double* figures, const std::uint64_t* ids, std::size_t size) {
  tikc_status wrong = c::is_object<engine::LoadedTally>(tally);
  if (wrong != TIKC_OK)
    return wrong;
  const engine::LoadedPlan& plan = c::plan_of<engine::LoadedTally>(tally);
  wrong = c::first_wrong(c::is_below(stream, plan.streams.size()), c::points_to(places, size),
                         c::points_to(figures, size), c::points_to(ids, size));
  if (wrong == TIKC_OK && plan.streams[stream].misses_by_cuts())
    wrong = TIKC_VALUE;
  for (std::size_t i = 0; i < size && wrong == TIKC_OK; ++i)
    wrong = c::is_below(places[i], plan.slices);
  return wrong;
}

tikc_status areDeviceRows(const tikc_tally* tally, std::uint32_t stream,
                          const std::uint32_t* places, const tikc_device_rows* rows,
                          const std::uint64_t* ids, std::size_t size) {
  tikc_status wrong = c::is_object<engine::LoadedTally>(tally);
  if (wrong != TIKC_OK)
    return wrong;
  const engine::LoadedPlan& plan = c::plan_of<engine::LoadedTally>(tally);
  wrong = c::first_wrong(c::is_below(stream, plan.streams.size()), c::points_to(places, size),
                         c::points_to(rows), c::points_to(ids, size));
  if (wrong == TIKC_OK &&
      (plan.streams[stream].misses_by_cuts() || rows->train_format > TIKC_FP8_E5M2 ||
       rows->infer_format > TIKC_FP8_E5M2 || rows->device > INT32_MAX))
    wrong = TIKC_VALUE;
  if (wrong == TIKC_OK && plan.vocabulary != 0 && rows->tokens != plan.vocabulary)
    wrong = TIKC_SIZE;
  if (wrong == TIKC_OK)
    wrong = c::first_wrong(c::has_bytes(rows->train, size), c::has_bytes(rows->infer, size));
  auto isAligned = [](const void* at, std::uint32_t format) {
    return reinterpret_cast<std::uintptr_t>(at) % bytes_of(static_cast<number_format>(format)) == 0;
  };
  if (wrong == TIKC_OK &&
      !(isAligned(rows->train, rows->train_format) && isAligned(rows->infer, rows->infer_format)))
    wrong = TIKC_ALIGNMENT;
  for (std::size_t i = 0; i < size && wrong == TIKC_OK; ++i)
    wrong = c::is_below(places[i], plan.slices);
  return wrong;
}

engine::DeviceBatch batchOf(const tikc_device_rows& rows, std::size_t size) {
  return {rows.train,
          rows.infer,
          rows.train_stride,
          rows.infer_stride,
          static_cast<number_format>(rows.train_format),
          static_cast<number_format>(rows.infer_format),
          size,
          rows.tokens,
          static_cast<int>(rows.device),
          rows.stream};
}

/// A number out of a figure's range is unknown.
row_stats rowOf(const double* figures) {
  row_stats out;
  const auto set = [&](figure what, double& into) {
    signal observable{};
    observable.what = what;
    const auto at = static_cast<unsigned>(what);
    into = detail::within(figures[at], detail::extent_of(observable).high);
    if (into != into)
      out.unknown |= 1U << at;
  };
#define TIKC_ROW(Id, name, ...) set(figure::name, out.name);
#include "tikc/figures.def"
  return out;
}

constexpr int indexOf(figure what) { return static_cast<int>(what); }
static_assert(indexOf(figure::logit_linf) == TIKC_ROW_LOGIT_LINF);
static_assert(indexOf(figure::logit_osc) == TIKC_ROW_LOGIT_OSC);
static_assert(indexOf(figure::logit_l2) == TIKC_ROW_LOGIT_L2);
static_assert(indexOf(figure::logit_rel) == TIKC_ROW_LOGIT_REL);
static_assert(indexOf(figure::logprob_linf) == TIKC_ROW_LOGPROB_LINF);
static_assert(indexOf(figure::tv) == TIKC_ROW_TV);
static_assert(indexOf(figure::hellinger) == TIKC_ROW_HELLINGER);
static_assert(indexOf(figure::kl_train_infer) == TIKC_ROW_KL_TRAIN_INFER);
static_assert(indexOf(figure::kl_infer_train) == TIKC_ROW_KL_INFER_TRAIN);
static_assert(indexOf(figure::js) == TIKC_ROW_JS);
static_assert(indexOf(figure::chi2) == TIKC_ROW_CHI2);
static_assert(indexOf(figure::top1_flip) == TIKC_ROW_TOP1_FLIP);
static_assert(indexOf(figure::top1_margin) == TIKC_ROW_TOP1_MARGIN);
static_assert(indexOf(figure::entropy_gap) == TIKC_ROW_ENTROPY_GAP);
static_assert(indexOf(figure::missing_mass) == TIKC_ROW_MISSING_MASS);
static_assert(indexOf(figure::nonfinite) == TIKC_ROW_NONFINITE);
static_assert(indexOf(figure::route_flip) == TIKC_ROW_FIGURES, "rows of logits come first");

} // namespace

extern "C" {

tikc_status tikc_tally_create(const tikc_contract* from, tikc_tally** out) noexcept {
  return createOf<engine::LoadedTally>(from, out);
}
tikc_status tikc_tally_destroy(tikc_tally* tally) noexcept {
  return destroy<engine::LoadedTally>(tally);
}
tikc_status tikc_tally_clear(tikc_tally* tally) noexcept {
  return guarded([&] { return Tallies::clear(tally); });
}
tikc_status tikc_tally_merge(tikc_tally* into, const tikc_tally* other) noexcept {
  return guarded([&] { return Tallies::merge(into, other); });
}
tikc_status tikc_tally_serve(tikc_tally* tally, uint32_t slice, uint64_t tokens,
                             uint64_t requests) noexcept {
  return guarded([&] { return Tallies::serve(tally, slice, tokens, requests); });
}
tikc_status tikc_tally_hand_in(tikc_tally* tally, uint32_t quantity,
                               const tikc_numbers* numbers) noexcept {
  return guarded([&] { return Tallies::hand_in(tally, quantity, numbers); });
}
tikc_status tikc_tally_observe_row(tikc_tally* tally, uint32_t stream, uint32_t slice,
                                   const tikc_row* train, const tikc_row* infer, void* scratch,
                                   size_t scratch_bytes, uint64_t id) noexcept {
  return guarded([&] {
    return Tallies::observe_row(tally, stream, slice, train, infer, scratch, scratch_bytes, id);
  });
}
tikc_status tikc_tally_observe_tokens(tikc_tally* tally, uint32_t stream, uint32_t slice,
                                      const tikc_tokens* tokens) noexcept {
  return guarded([&] { return Tallies::observe_tokens(tally, stream, slice, tokens); });
}
tikc_status tikc_tally_observe_mixed_tokens(tikc_tally* tally, uint32_t stream,
                                            const uint8_t* slices, const tikc_tokens* tokens,
                                            void* scratch, size_t scratch_bytes,
                                            uint64_t* strays) noexcept {
  return guarded([&] {
    return Tallies::observe_mixed_tokens(tally, stream, slices, tokens, scratch, scratch_bytes,
                                         strays);
  });
}
tikc_status tikc_tally_observe_response(tikc_tally* tally, uint32_t stream, uint32_t slice,
                                        const tikc_tokens* tokens,
                                        tikc_sequence* response) noexcept {
  return guarded([&] { return Tallies::observe_response(tally, stream, slice, tokens, response); });
}
tikc_status tikc_tally_end_response(tikc_tally* tally, uint32_t stream, uint32_t slice,
                                    tikc_sequence* response, uint64_t id) noexcept {
  return guarded([&] { return Tallies::end_response(tally, stream, slice, response, id); });
}
tikc_status tikc_observe_responses(tikc_tally* tally, uint32_t stream, const uint32_t* places,
                                   const tikc_tokens* responses, const uint64_t* ids,
                                   size_t size) noexcept {
  return guarded([&] {
    return c::when_right(areResponses(tally, stream, places, responses, ids, size), [&] {
      auto& into = c::object<engine::LoadedTally>(tally);
      for (std::size_t i = 0; i < size; ++i) {
        sequence response;
        into.observe_tokens(stream, places[i], c::batch_of(responses[i]), response);
        into.end_sequence(stream, places[i], response, ids[i]);
      }
    });
  });
}
tikc_status tikc_observe_row_figures(tikc_tally* tally, uint32_t stream, const uint32_t* places,
                                     const double* figures, const uint64_t* ids,
                                     size_t size) noexcept {
  return guarded([&] {
    const tikc_status wrong = areFigures(tally, stream, places, figures, ids, size);
    return c::when_right(wrong, [&] {
      for (std::size_t i = 0; i < size; ++i)
        c::object<engine::LoadedTally>(tally).observe_row_figures(
            stream, places[i], rowOf(figures + i * TIKC_ROW_FIGURES), ids[i]);
    });
  });
}
tikc_status tikc_observe_device_rows(tikc_tally* tally, uint32_t stream, const uint32_t* places,
                                     const tikc_device_rows* rows, const uint64_t* ids, size_t size,
                                     tikc_sink reason, void* context) noexcept {
  return guarded([&] {
    const tikc_status wrong = c::first_wrong(areDeviceRows(tally, stream, places, rows, ids, size),
                                             c::calls_back(reason != nullptr));
    if (wrong != TIKC_OK || size == 0)
      return wrong;
    const auto* box = reinterpret_cast<const c::boxed<engine::LoadedTally>*>(tally);
    const RunnableContract& contract = *box->contract;
    auto reduced =
        contract.deviceRows.reduce(contract.tables.streams[stream], batchOf(*rows, size));
    if (!reduced) {
      const std::string text = llvm::toString(reduced.takeError());
      reason(text.data(), text.size(), context);
      return TIKC_UNSUPPORTED;
    }
    for (std::size_t i = 0; i < size; ++i)
      c::object<engine::LoadedTally>(tally).observe_row_figures(stream, places[i], (*reduced)[i],
                                                                ids[i]);
    return TIKC_OK;
  });
}
tikc_status tikc_tokens_refused(const tikc_tokens* tokens, tikc_sink sink, void* context) noexcept {
  return guarded([&] {
    return c::when_right(
        c::first_wrong(c::are_tokens(tokens), c::calls_back(sink != nullptr)), [&] {
          if (const auto fault = data::impossibleIn(responseOf(*tokens))) {
            const std::string text = fmt::format("`{}`: {}", fault->field, fault->message);
            sink(text.data(), text.size(), context);
          }
        });
  });
}
tikc_status tikc_tally_observe_request(tikc_tally* tally, uint32_t slice,
                                       const tikc_request_times* times, uint64_t id) noexcept {
  return guarded([&] { return Tallies::observe_request(tally, slice, times, id); });
}
tikc_status tikc_tally_observe_batch_replay(tikc_tally* tally, uint32_t slice, double drift,
                                            uint64_t id) noexcept {
  return guarded([&] { return Tallies::observe_batch_replay(tally, slice, drift, id); });
}
tikc_status tikc_tally_observe_request_replay(tikc_tally* tally, uint32_t slice, double drift,
                                              uint64_t id) noexcept {
  return guarded([&] { return Tallies::observe_request_replay(tally, slice, drift, id); });
}
tikc_status tikc_tally_observe_routes(tikc_tally* tally, uint32_t stream, uint32_t slice,
                                      double share, uint64_t id) noexcept {
  return guarded([&] { return Tallies::observe_routes(tally, stream, slice, share, id); });
}
tikc_status tikc_tally_volume(const tikc_tally* tally, uint32_t slice, tikc_volume* out) noexcept {
  return guarded([&] { return Tallies::volume(tally, slice, out); });
}
tikc_status tikc_tally_wire_size(const tikc_tally* tally, size_t* bytes) noexcept {
  return guarded([&] { return Tallies::wire_size(tally, bytes); });
}
tikc_status tikc_tally_serialise(const tikc_tally* tally, void* to, size_t room,
                                 size_t* bytes) noexcept {
  return guarded([&] { return Tallies::serialise(tally, to, room, bytes); });
}
tikc_status tikc_tally_parse(tikc_tally* into, const void* bytes, size_t size) noexcept {
  return guarded([&] { return Tallies::parse(into, bytes, size); });
}
tikc_status tikc_checker_create(const tikc_contract* from, tikc_checker** out) noexcept {
  return createOf<engine::LoadedChecker>(from, out);
}
tikc_status tikc_checker_destroy(tikc_checker* checker) noexcept {
  return destroy<engine::LoadedChecker>(checker);
}
tikc_status tikc_checker_start(tikc_checker* checker, double now) noexcept {
  return guarded([&] { return Checkers::start(checker, now); });
}
tikc_status tikc_checker_merge(tikc_checker* into, const tikc_tally* other) noexcept {
  return guarded([&] { return Checkers::merge(into, other); });
}
tikc_status tikc_checker_evaluate(tikc_checker* checker, double now) noexcept {
  return guarded([&] { return Checkers::evaluate(checker, now); });
}
tikc_status tikc_checker_end_step(tikc_checker* checker) noexcept {
  return guarded([&] { return Checkers::end_step(checker); });
}
tikc_status tikc_checker_verdict(const tikc_checker* checker, uint32_t clause, uint32_t slice,
                                 uint32_t* verdict) noexcept {
  return guarded([&] { return Checkers::verdict(checker, clause, slice, verdict); });
}
tikc_status tikc_checker_is_kept(const tikc_checker* checker, uint32_t clause, uint32_t slice,
                                 uint32_t* out) noexcept {
  return guarded([&] { return Checkers::is_kept(checker, clause, slice, out); });
}
tikc_status tikc_checker_is_unexpected(const tikc_checker* checker, uint32_t slice,
                                       uint32_t* out) noexcept {
  return guarded([&] { return Checkers::is_unexpected(checker, slice, out); });
}
tikc_status tikc_checker_finding(const tikc_checker* checker, uint32_t check, uint32_t slice,
                                 tikc_finding* out) noexcept {
  return guarded([&] { return Checkers::finding(checker, check, slice, out); });
}
tikc_status tikc_checker_assumption(const tikc_checker* checker, uint32_t assumption,
                                    tikc_watched* out) noexcept {
  return guarded([&] { return Checkers::assumption(checker, assumption, out); });
}
tikc_status tikc_checker_claim(const tikc_checker* checker, uint32_t claim,
                               uint32_t* state) noexcept {
  return guarded([&] { return Checkers::claim(checker, claim, state); });
}
tikc_status tikc_checker_write_json(const tikc_checker* checker, const tikc_tally* observed,
                                    tikc_sink sink, void* context) noexcept {
  return guarded([&] { return Checkers::write_json(checker, observed, sink, context); });
}
tikc_status tikc_checker_write_prometheus(const tikc_checker* checker, const tikc_tally* observed,
                                          tikc_sink sink, void* context) noexcept {
  return guarded([&] { return Checkers::write_prometheus(checker, observed, sink, context); });
}
tikc_status tikc_checker_write_openmetrics(const tikc_checker* checker, const tikc_tally* observed,
                                           tikc_sink sink, void* context) noexcept {
  return guarded([&] { return Checkers::write_openmetrics(checker, observed, sink, context); });
}
tikc_status tikc_router_create(const tikc_contract* from, tikc_router** out) noexcept {
  return createOf<engine::LoadedRouter>(from, out);
}
tikc_status tikc_router_destroy(tikc_router* router) noexcept {
  return destroy<engine::LoadedRouter>(router);
}
tikc_status tikc_router_tick(tikc_router* router, const tikc_checker* judged,
                             uint32_t stage) noexcept {
  return guarded([&] { return Routers::tick(router, judged, stage); });
}
tikc_status tikc_router_tick_verdicts(tikc_router* router, const uint8_t* verdicts, size_t count,
                                      uint32_t stage) noexcept {
  return guarded([&] { return Routers::tick_verdicts(router, verdicts, count, stage); });
}
tikc_status tikc_router_transitions(const tikc_router* router, tikc_transition* out, size_t room,
                                    size_t* count) noexcept {
  return guarded([&] { return Routers::transitions(router, out, room, count); });
}
tikc_status tikc_router_decide(const tikc_router* router, uint32_t slice,
                               tikc_action* out) noexcept {
  return guarded([&] { return Routers::decide(router, slice, out); });
}
tikc_status tikc_router_visit(const tikc_router* router, uint32_t slice, tikc_visit visit,
                              void* context) noexcept {
  return guarded([&] { return Routers::visit(router, slice, visit, context); });
}
tikc_status tikc_router_is_active(const tikc_router* router, uint32_t rule, uint32_t slice,
                                  uint32_t* out) noexcept {
  return guarded([&] { return Routers::is_active(router, rule, slice, out); });
}
tikc_status tikc_router_reset(tikc_router* router, uint32_t rule, uint32_t slice) noexcept {
  return guarded([&] { return Routers::reset(router, rule, slice); });
}
tikc_status tikc_router_wire_size(const tikc_router* router, size_t* bytes) noexcept {
  return guarded([&] { return Routers::wire_size(router, bytes); });
}
tikc_status tikc_router_serialise(const tikc_router* router, void* to, size_t room,
                                  size_t* bytes) noexcept {
  return guarded([&] { return Routers::serialise(router, to, room, bytes); });
}
tikc_status tikc_router_parse(tikc_router* into, const void* bytes, size_t size) noexcept {
  return guarded([&] { return Routers::parse(into, bytes, size); });
}

} // extern "C"
