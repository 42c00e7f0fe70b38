#pragma once

#include "model/Contract.h"
#include "sema/Context.h"
#include "sema/Symbols.h"
#include "sema/Values.h"

#include <optional>

namespace tikc::sema {

/// Types one comparison of a clause: aggregate, metric, unit, range, scope. Returns nothing on
/// failure.
std::optional<model::Bound> typeClauseBound(FileContext& context, const Symbols& symbols,
                                            const model::Comparison& comparison,
                                            model::Family family);
std::optional<model::Bound> typeClaimBound(FileContext& context, const Symbols& symbols,
                                           const model::Comparison& comparison);

/// Resolves a call, and checks its arguments against the parameters.
bool typeCall(FileContext& context, const Symbols& symbols, model::Call& call,
              model::CallPlace place);

bool typePredicate(FileContext& context, const Symbols& symbols, const model::Expr& predicate);
bool typeTrigger(FileContext& context, const Symbols& symbols, const model::Expr& trigger);

/// Checks kernels, pair or chain, policy, load, assumptions, shares of slices, and promotion
/// stages.
void checkFacts(FileContext& context, const Symbols& symbols, model::Contract& contract);

/// Resolves and types a whole contract in place.
void typeContract(FileContext& context, model::Contract& contract);

} // namespace tikc::sema
