#pragma once

#include "model/Contract.h"

#include <set>
#include <string_view>

namespace tikc::lint {

/// What a window can show of a clause.
enum class Fate : std::uint8_t { Satisfied, Violated, Undecided };

/// The clauses since whose fate a condition comes true: it would not if the clause were satisfied,
/// for some of what becomes of the others; with `any` for those that it does not name, if they are
/// among them. How long it has to be so is not asked.
std::set<std::string_view> causesOf(const model::Expr& condition, const model::Contract& contract,
                                    Fate fate);

/// Whether a condition can still come true in some window once all that it asks about is undecided
/// for want of data. `measured` are clauses that have data all the same.
bool canHoldWithoutData(const model::Expr& condition, const std::set<std::string_view>& measured);

} // namespace tikc::lint
