#pragma once

#include "EngineLoop.h"

#include <iterator>
#include <memory>

/// An engine that is written once and calls the whole interface, by the names that every contract
/// has: it compiles with whichever contract stands in its place. What a contract does not ask for
/// does nothing.
namespace tikc_test {

template <class Checker, class Tally> void tell(const Checker& judged, const Tally& observed) {
  auto nowhere = [](const char*, std::size_t) {};
  tikc::write_prometheus(judged, observed, nowhere);
  tikc::write_openmetrics(judged, observed, nowhere);
  tikc::write_json(judged, observed, nowhere);
  tikc::visit_trainer_metrics(tikc::trainer::trl, observed, [](const char*, double) {});
}

} // namespace tikc_test

// NOLINTNEXTLINE(cppcoreguidelines-macro-usage)
#define TIKC_ANY_CONTRACT(space, unit)                                                             \
  namespace unit {                                                                                 \
  inline std::size_t names() {                                                                     \
    constexpr std::size_t rules = std::size(space::policy::rules);                                 \
    static_assert(space::router::rules == rules);                                                  \
    static_assert(sizeof(space::rule) + sizeof(space::stage) + sizeof(space::clause) +             \
                      sizeof(space::kernel) + sizeof(space::stream) >                              \
                  0);                                                                              \
    std::size_t out = 0;                                                                           \
    for (const tikc::promotion_stage& each : space::plan::stages)                                  \
      out += each.window.amount > 0;                                                               \
    for (const tikc::action& each : space::policy::actions)                                        \
      out += each.kind == tikc::action_kind::alert;                                                \
    for (const tikc::step& each : space::policy::steps)                                            \
      out += each.windows;                                                                         \
    for (const tikc::clause& each : space::plan::clauses)                                          \
      out += *each.id != 0;                                                                        \
    for (const tikc::check& each : space::plan::checks)                                            \
      out += *each.text != 0;                                                                      \
    return out;                                                                                    \
  }                                                                                                \
  inline space::slice slice_of_one() {                                                             \
    space::request of;                                                                             \
    of.prompt_tokens = of.response_tokens = of.position = of.batch_size = 1;                       \
    of.temperature = of.top_p = 1;                                                                 \
    of.model_version = "v1";                                                                       \
    return space::slice_of(of);                                                                    \
  }                                                                                                \
  inline bool run(space::tally& observed, space::checker& judged, space::router& routed) {         \
    const auto slice = static_cast<std::size_t>(slice_of_one());                                   \
    static_assert(space::tally::slices == space::checker::slices && space::tally::streams > 0);    \
    judged.start(0);                                                                               \
    judged.merge(observed);                                                                        \
    judged.end_step();                                                                             \
    judged.evaluate(1);                                                                            \
    space::router::verdicts now;                                                                   \
    judged.verdicts(now);                                                                          \
    routed.tick(now, 0);                                                                           \
    routed.visit(slice, [](std::size_t, const tikc::action&) {});                                  \
    for (std::size_t rule = 0; rule < space::router::rules; ++rule)                                \
      if (routed.is_active(rule, slice))                                                           \
        routed.reset(rule, slice);                                                                 \
    tikc_test::tell(judged, observed);                                                             \
    return space::checker::applies(0, slice) && judged.open(0, slice).observed.tokens() == 0 &&    \
           judged.result(0, slice).is == judged.of(0, slice) && routed.begin() == routed.end() &&  \
           routed.decide(slice).traffic == nullptr && !routed.is_active() && names() != 0;         \
  }                                                                                                \
  inline bool run_new() {                                                                          \
    const auto observed = std::make_unique<space::tally>();                                        \
    const auto judged = std::make_unique<space::checker>();                                        \
    space::router routed;                                                                          \
    return run(*observed, *judged, routed);                                                        \
  }                                                                                                \
  }
