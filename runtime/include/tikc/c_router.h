#pragma once

#include "tikc/c_objects.h"

namespace tikc::c {

static_assert(TIKC_ALERT == static_cast<int>(action_kind::alert) + 1 &&
              TIKC_ROLLBACK == static_cast<int>(action_kind::rollback) + 1);
static_assert(TIKC_ACTIVATED == static_cast<int>(change::activated) &&
              TIKC_RESET == static_cast<int>(change::reset));

/// `Stages` is the number of stages where it is a constant. A contract without stages has only
/// stage 0.
template <class Plan, class Policy, std::size_t Stages>
struct router_calls : object_calls<router<Policy>>, wire_calls<router<Policy>> {
  using routed = router<Policy>;
  using checked = checker<Plan>;

  static const char* rule_name(std::uint32_t rule) {
    return rule < std::size(Policy::rules) ? Policy::rules[rule].id : nullptr;
  }

  static tikc_status tick(void* at, const void* judged, std::uint32_t stage) {
    tikc_status wrong = are_together<routed, checked>(at, judged);
    if (wrong == TIKC_OK)
      wrong = is_stage(at, stage);
    return when_right(wrong, [&] {
      typename routed::verdicts now;
      make_room(now, at);
      object<checked>(judged).verdicts(now);
      of(at).tick(now, static_cast<std::uint8_t>(stage));
    });
  }

  static tikc_status tick_verdicts(void* at, const std::uint8_t* verdicts, std::size_t count,
                                   std::uint32_t stage) {
    tikc_status wrong = is_object<routed>(at);
    if (wrong != TIKC_OK)
      return wrong;
    const std::size_t slices = plan_of<routed>(at).slices;
    const std::size_t needed = plan_of<routed>(at).clauses * slices;
    wrong = first_wrong(points_to(verdicts), count == needed ? TIKC_OK : TIKC_ROOM,
                        is_stage(at, stage));
    for (std::size_t i = 0; i < needed && wrong == TIKC_OK; ++i)
      wrong = is_standing(verdicts[i]);
    return when_right(wrong, [&] {
      typename routed::verdicts now;
      make_room(now, at);
      for (std::size_t i = 0; i < needed; ++i)
        now[i / slices][i % slices] = {static_cast<verdict>(verdicts[i] & TIKC_UNASKED),
                                       (verdicts[i] & TIKC_KEPT) != 0};
      of(at).tick(now, static_cast<std::uint8_t>(stage));
    });
  }

  static tikc_status transitions(const void* at, tikc_transition* out, std::size_t room,
                                 std::size_t* count) {
    const tikc_status wrong =
        first_wrong(is_object<routed>(at), points_to(out, room), points_to(count));
    if (wrong != TIKC_OK)
      return wrong;
    const routed& from = object<routed>(at);
    *count = static_cast<std::size_t>(from.end() - from.begin());
    if (*count > room)
      return TIKC_ROOM;
    for (const transition& each : from)
      *out++ = as_c(each);
    return TIKC_OK;
  }

  static tikc_status decide(const void* at, std::uint32_t slice, tikc_action* out) {
    const tikc_status wrong = first_wrong(is_slice(at, slice), points_to(out));
    return when_right(wrong, [&] {
      const decision chosen = object<routed>(at).decide(slice);
      *out = chosen.traffic == nullptr ? tikc_action{TIKC_AS_USUAL, 0, "", 0, 0}
                                       : as_c(chosen.rule, *chosen.traffic);
    });
  }

  static tikc_status visit(const void* at, std::uint32_t slice, tikc_visit visit, void* context) {
    const tikc_status wrong = first_wrong(is_slice(at, slice), calls_back(visit != nullptr));
    return when_right(wrong, [&] {
      object<routed>(at).visit(slice, [&](std::size_t rule, const action& each) {
        const tikc_action shown = as_c(rule, each);
        visit(&shown, context);
      });
    });
  }

  static tikc_status is_active(const void* at, std::uint32_t rule, std::uint32_t slice,
                               std::uint32_t* out) {
    return when_right(first_wrong(is_machine(at, rule, slice), points_to(out)),
                      [&] { *out = object<routed>(at).is_active(rule, slice) ? 1 : 0; });
  }

  static tikc_status reset(void* at, std::uint32_t rule, std::uint32_t slice) {
    return when_right(is_machine(at, rule, slice), [&] { of(at).reset(rule, slice); });
  }

private:
  /// Accepts TIKC_KEPT only for satisfied and violated clauses.
  static tikc_status is_standing(std::uint8_t value) {
    const bool is_known = value <= TIKC_UNASKED || value == (TIKC_SATISFIED | TIKC_KEPT) ||
                          value == (TIKC_VIOLATED | TIKC_KEPT);
    return is_known ? TIKC_OK : TIKC_VALUE;
  }

  static routed& of(void* at) { return object<routed>(at); }

  static tikc_status is_slice(const void* at, std::uint32_t slice) {
    const tikc_status wrong = is_object<routed>(at);
    return wrong != TIKC_OK ? wrong : is_below(slice, plan_of<routed>(at).slices);
  }
  static tikc_status is_stage(const void* at, std::uint32_t stage) {
    std::size_t stages = Stages;
    if constexpr (!detail::is_constant<Policy>)
      stages = static_cast<const boxed<routed>*>(at)->stages();
    return is_below(stage, stages == 0 ? 1 : stages);
  }

  static void make_room([[maybe_unused]] typename routed::verdicts& now,
                        [[maybe_unused]] const void* at) {
    if constexpr (!detail::is_constant<Policy>)
      now.make(plan_of<routed>(at).clauses, plan_of<routed>(at).slices);
  }

  static tikc_status is_machine(const void* at, std::uint32_t rule, std::uint32_t slice) {
    const tikc_status wrong = is_object<routed>(at);
    return wrong != TIKC_OK ? wrong
                            : first_wrong(is_below(rule, std::size(plan_of<routed>(at).rules)),
                                          is_slice(at, slice));
  }

  static tikc_action as_c(std::size_t rule, const action& effect) {
    return {static_cast<std::uint32_t>(effect.kind) + 1, static_cast<std::uint32_t>(rule),
            effect.text, effect.first, effect.second};
  }

  static tikc_transition as_c(const transition& event) {
    return {event.tick, event.rule,  event.slice,  static_cast<std::uint32_t>(event.what),
            event.step, event.stage, event.clause, static_cast<std::uint32_t>(event.seen)};
  }
};

} // namespace tikc::c
