#pragma once

#include "tikc/c_checker.h"
#include "tikc/c_router.h"
#include "tikc/c_tally.h"

namespace tikc::c {

template <class Plan> tikc_shape shape_of(const Plan& plan, std::size_t rules, std::size_t stages) {
  const auto number = [](std::size_t count) { return static_cast<std::uint32_t>(count); };
  return {static_cast<std::size_t>(plan.vocabulary),
          scratch_bytes(plan.vocabulary),
          number(plan.slices),
          number(std::size(plan.streams)),
          number(std::size(plan.clauses)),
          number(std::size(plan.checks)),
          number(rules),
          number(stages)};
}

template <class Plan>
tikc_status checks_of(const Plan& plan, std::uint32_t clause, std::uint32_t* first,
                      std::uint32_t* count) {
  const tikc_status wrong =
      first_wrong(is_below(clause, std::size(plan.clauses)), points_to(first), points_to(count));
  return when_right(wrong, [&] {
    *first = plan.clauses[clause].first;
    *count = plan.clauses[clause].count;
  });
}

template <class Plan>
tikc_status assumption_of(const Plan& plan, std::uint32_t assumption, tikc_assumption* out) {
  const tikc_status wrong =
      first_wrong(is_below(assumption, detail::assumptions_in(plan)), points_to(out));
  return when_right(wrong, [&] {
    if constexpr (detail::has_assumptions<Plan>::value) {
      const tikc::assumption& premise = plan.assumptions[assumption];
      *out = {premise.key, premise.says, premise.low, premise.high,
              static_cast<std::uint32_t>(premise.subject)};
    }
  });
}

/// Returns a text of a claim, or null if `claim` is out of range.
template <class Plan>
const char* claim_of(const Plan& plan, std::uint32_t claim, const char* tikc::claim::*what) {
  if constexpr (detail::has_claims<Plan>::value)
    return claim < std::size(plan.claims) ? plan.claims[claim].*what : nullptr;
  else
    return nullptr;
}

template <class Plan>
tikc_status rests_on(const Plan& plan, std::uint32_t claim, std::uint32_t assumption,
                     std::uint32_t* out) {
  const tikc_status wrong =
      first_wrong(is_below(claim, detail::claims_in(plan)),
                  is_below(assumption, detail::assumptions_in(plan)), points_to(out));
  return when_right(wrong, [&] {
    if constexpr (detail::has_claims<Plan>::value && detail::has_assumptions<Plan>::value)
      *out = plan.rests_on[claim][assumption] ? 1 : 0;
  });
}

/// Finds the `place`-th check that a claim's proof rests on. Returns TIKC_RANGE past the last.
template <class Plan>
tikc_status ground_of(const Plan& plan, std::uint32_t claim, std::uint32_t place,
                      std::uint32_t* check, std::uint32_t* slice) {
  tikc_status wrong =
      first_wrong(is_below(claim, detail::claims_in(plan)), points_to(check), points_to(slice));
  if (wrong != TIKC_OK)
    return wrong;
  if constexpr (detail::has_grounds<Plan>::value)
    for (const claim_ground& each : plan.grounds)
      if (each.claim == claim && place-- == 0) {
        *check = each.check;
        *slice = each.slice;
        return TIKC_OK;
      }
  return TIKC_RANGE;
}

/// Describes a contract. Returns null for names that are out of range.
template <class Plan, std::size_t Rules, std::size_t Stages> struct contract_calls {
  static std::uint32_t abi() { return TIKC_C_ABI; }
  static const char* name() { return Plan::contract; }
  static const char* version() { return Plan::version; }
  static std::uint32_t is_draft() { return Plan::is_draft ? 1 : 0; }
  static const char* build() { return Plan::build; }
  static const char* digest() { return Plan::digest; }
  static std::uint64_t fingerprint() { return Plan::fingerprint; }

  static tikc_status shape(tikc_shape* out) {
    return when_right(points_to(out), [&] { *out = shape_of(Plan(), Rules, Stages); });
  }

  static const char* status_name(std::uint32_t status) { return c::status_name(status); }
  static const char* slice_name(std::uint32_t slice) {
    return slice < Plan::slices ? Plan::slice_names[slice] : nullptr;
  }
  static const char* clause_name(std::uint32_t clause) {
    return clause < checker<Plan>::clauses ? Plan::clauses[clause].id : nullptr;
  }
  static const char* check_text(std::uint32_t check) {
    return check < checker<Plan>::checks ? Plan::checks[check].text : nullptr;
  }

  static tikc_status clause_checks(std::uint32_t clause, std::uint32_t* first,
                                   std::uint32_t* count) {
    return checks_of(Plan(), clause, first, count);
  }

  static tikc_status assumption(std::uint32_t assumption, tikc_assumption* out) {
    return assumption_of(Plan(), assumption, out);
  }
  static const char* claim_name(std::uint32_t claim) {
    return claim_of(Plan(), claim, &tikc::claim::id);
  }
  static const char* claim_text(std::uint32_t claim) {
    return claim_of(Plan(), claim, &tikc::claim::says);
  }
  static tikc_status claim_rests_on(std::uint32_t claim, std::uint32_t assumption,
                                    std::uint32_t* out) {
    return rests_on(Plan(), claim, assumption, out);
  }
  static tikc_status claim_ground(std::uint32_t claim, std::uint32_t place, std::uint32_t* check,
                                  std::uint32_t* slice) {
    return ground_of(Plan(), claim, place, check, slice);
  }
};

} // namespace tikc::c
