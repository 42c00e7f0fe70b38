#pragma once

#include "tikc/c_checker.h"
#include "tikc/c_router.h"
#include "tikc/c_tally.h"

namespace tikc::c {

/// What a contract is. Names that there are none of are null.
template <class Plan, std::size_t Rules, std::size_t Stages> struct contract_calls {
  static std::uint32_t abi() { return TIKC_C_ABI; }
  static const char* name() { return Plan::contract; }
  static const char* version() { return Plan::version; }
  static std::uint32_t is_draft() { return Plan::is_draft ? 1 : 0; }
  static const char* build() { return Plan::build; }
  static const char* digest() { return Plan::digest; }
  static std::uint64_t fingerprint() { return Plan::fingerprint; }

  static tikc_status shape(tikc_shape* out) {
    return when_right(points_to(out), [&] {
      *out = {Plan::vocabulary,
              scratch<Plan>::bytes,
              static_cast<std::uint32_t>(Plan::slices),
              static_cast<std::uint32_t>(tally<Plan>::streams),
              static_cast<std::uint32_t>(checker<Plan>::clauses),
              static_cast<std::uint32_t>(checker<Plan>::checks),
              static_cast<std::uint32_t>(Rules),
              static_cast<std::uint32_t>(Stages)};
    });
  }

  static const char* status_name(std::uint32_t status) {
    constexpr const char* names[] = {"ok",
                                     "null pointer",
                                     "no such object",
                                     "misaligned",
                                     "too little room",
                                     "no such number",
                                     "no such value",
                                     "wrong size",
                                     "unbound",
                                     "out of memory",
                                     "truncated",
                                     "foreign",
                                     "version",
                                     "fingerprint",
                                     "trailing bytes",
                                     "checksum",
                                     "payload"};
    static_assert(sizeof(names) / sizeof(*names) == TIKC_PAYLOAD + 1);
    return status <= TIKC_PAYLOAD ? names[status] : nullptr;
  }
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
    const tikc_status wrong =
        first_wrong(is_below(clause, checker<Plan>::clauses), points_to(first), points_to(count));
    return when_right(wrong, [&] {
      *first = Plan::clauses[clause].first;
      *count = Plan::clauses[clause].count;
    });
  }
};

} // namespace tikc::c
