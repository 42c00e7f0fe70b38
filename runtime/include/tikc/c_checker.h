#pragma once

#include "tikc/c_objects.h"
#include "tikc/json.h"
#include "tikc/openmetrics.h"

namespace tikc::c {

static_assert(TIKC_UNDECIDED == static_cast<int>(verdict::undecided) &&
              TIKC_SATISFIED == static_cast<int>(verdict::satisfied) &&
              TIKC_VIOLATED == static_cast<int>(verdict::violated) &&
              TIKC_UNASKED == static_cast<int>(verdict::unasked));
static_assert(std::size_t{TIKC_WORST} == offenders::capacity);
static_assert(TIKC_BROKEN == static_cast<int>(assumption_state::broken) &&
              TIKC_WITHDRAWN == static_cast<int>(claim_state::withdrawn));

template <class Plan> struct checker_calls : object_calls<checker<Plan>> {
  using checked = checker<Plan>;
  using observed = tally<Plan>;

  static tikc_status start(void* at, double now) {
    return when_right(is_time(at, now), [&] { of(at).start(now); });
  }

  static tikc_status merge(void* at, const void* from) {
    return when_right(are_together<checked, observed>(at, from),
                      [&] { of(at).merge(object<observed>(from)); });
  }

  static tikc_status evaluate(void* at, double now) {
    return when_right(is_time(at, now), [&] { of(at).evaluate(now); });
  }

  static tikc_status end_step(void* at) {
    return when_right(is_object<checked>(at), [&] { of(at).end_step(); });
  }

  static tikc_status verdict(const void* at, std::uint32_t clause, std::uint32_t slice,
                             std::uint32_t* out) {
    return when_right(first_wrong(is_bound(at, clause, slice), points_to(out)), [&] {
      *out = static_cast<std::uint32_t>(object<checked>(at).of(clause, slice));
    });
  }

  static tikc_status is_kept(const void* at, std::uint32_t clause, std::uint32_t slice,
                             std::uint32_t* out) {
    return when_right(first_wrong(is_bound(at, clause, slice), points_to(out)),
                      [&] { *out = object<checked>(at).is_kept(clause, slice) ? 1 : 0; });
  }

  static tikc_status is_unexpected(const void* at, std::uint32_t slice, std::uint32_t* out) {
    tikc_status wrong = is_object<checked>(at);
    if (wrong == TIKC_OK)
      wrong = first_wrong(is_below(slice, plan_of<checked>(at).slices), points_to(out));
    return when_right(wrong, [&] { *out = object<checked>(at).is_unexpected(slice) ? 1 : 0; });
  }

  static tikc_status finding(const void* at, std::uint32_t check, std::uint32_t slice,
                             tikc_finding* out) {
    tikc_status wrong = is_object<checked>(at);
    if (wrong == TIKC_OK)
      wrong = first_wrong(is_below(check, std::size(plan_of<checked>(at).checks)),
                          is_below(slice, plan_of<checked>(at).slices), points_to(out));
    if (wrong == TIKC_OK && !plan_of<checked>(at).checks[check].on_mixture &&
        !plan_of<checked>(at).binds[check][slice])
      wrong = TIKC_UNBOUND;
    return when_right(wrong, [&] { *out = as_c(object<checked>(at).result(check, slice)); });
  }

  static tikc_status assumption(const void* at, std::uint32_t assumption, tikc_watched* out) {
    tikc_status wrong = is_object<checked>(at);
    if (wrong == TIKC_OK)
      wrong = first_wrong(is_below(assumption, detail::assumptions_in(plan_of<checked>(at))),
                          points_to(out));
    return when_right(wrong, [&] {
      if constexpr (detail::has_assumptions<Plan>::value)
        *out = as_c(object<checked>(at).assumed(assumption));
    });
  }

  static tikc_status claim(const void* at, std::uint32_t claim, std::uint32_t* state) {
    tikc_status wrong = is_object<checked>(at);
    if (wrong == TIKC_OK)
      wrong =
          first_wrong(is_below(claim, detail::claims_in(plan_of<checked>(at))), points_to(state));
    return when_right(wrong, [&] {
      if constexpr (detail::has_claims<Plan>::value)
        *state = static_cast<std::uint32_t>(object<checked>(at).claimed(claim));
    });
  }

  static tikc_status write_json(const void* at, const void* from, tikc_sink sink, void* context) {
    return write(at, from, sink, context, [](auto&&... each) { tikc::write_json(each...); });
  }
  static tikc_status write_prometheus(const void* at, const void* from, tikc_sink sink,
                                      void* context) {
    return write(at, from, sink, context, [](auto&&... each) { tikc::write_prometheus(each...); });
  }
  static tikc_status write_openmetrics(const void* at, const void* from, tikc_sink sink,
                                       void* context) {
    return write(at, from, sink, context, [](auto&&... each) { tikc::write_openmetrics(each...); });
  }

private:
  static checked& of(void* at) { return object<checked>(at); }

  static tikc_status is_bound(const void* at, std::uint32_t clause, std::uint32_t slice) {
    tikc_status wrong = is_object<checked>(at);
    if (wrong == TIKC_OK)
      wrong = first_wrong(is_below(clause, std::size(plan_of<checked>(at).clauses)),
                          is_below(slice, plan_of<checked>(at).slices));
    return wrong != TIKC_OK || checked::applies(plan_of<checked>(at), clause, slice) ? wrong
                                                                                     : TIKC_UNBOUND;
  }

  static tikc_status is_time(const void* at, double now) {
    const tikc_status wrong = is_object<checked>(at);
    if (wrong != TIKC_OK)
      return wrong;
    return object<checked>(at).clock_takes(now) ? TIKC_OK : TIKC_VALUE;
  }

  static tikc_finding as_c(const tikc::finding& from) {
    tikc_finding out{from.value,
                     from.low,
                     from.high,
                     from.observations,
                     static_cast<std::uint32_t>(from.is),
                     from.is_kept ? 1U : 0U,
                     static_cast<std::uint32_t>(from.worst.count),
                     {}};
    for (std::size_t i = 0; i < from.worst.count; ++i)
      out.worst[i] = {from.worst.each[i].value, from.worst.each[i].id};
    return out;
  }

  static tikc_watched as_c(const watch_result& from) {
    tikc_watched out{from.least,
                     from.greatest,
                     from.outside,
                     from.count,
                     from.unknown,
                     static_cast<std::uint32_t>(from.is),
                     static_cast<std::uint32_t>(from.worst.count),
                     {}};
    for (std::size_t i = 0; i < from.worst.count; ++i)
      out.worst[i] = {from.worst.each[i].value, from.worst.each[i].id};
    return out;
  }

  template <class Write>
  static tikc_status write(const void* at, const void* from, tikc_sink sink, void* context,
                           Write&& write) {
    const tikc_status wrong =
        first_wrong(are_together<checked, observed>(at, from), calls_back(sink != nullptr));
    return when_right(wrong, [&] {
      auto take = [&](const char* piece, std::size_t size) { sink(piece, size, context); };
      write(object<checked>(at), object<observed>(from), take);
    });
  }
};

} // namespace tikc::c
