#pragma once

#include "model/Contract.h"

#include <set>
#include <string_view>

namespace tikc::lint {

/// The possible verdict of a window on a clause.
enum class Fate : std::uint8_t { Satisfied, Violated, Undecided };

/// Returns the clauses whose `fate` can make a condition true: it would be false if the clause were
/// satisfied, for some verdicts of the others. Includes the clauses that `any` stands for.
/// Durations are ignored.
std::set<std::string_view> causesOf(const model::Expr& condition, const model::Contract& contract,
                                    Fate fate);

/// Whether a condition can become true when all clauses in it are undecided for lack of data,
/// except the `measured` ones.
bool canHoldWithoutData(const model::Expr& condition, const std::set<std::string_view>& measured);

} // namespace tikc::lint
