#pragma once

#include "explain/Explanation.h"

#include <llvm/Support/Error.h>

/// Claims at observed values: a second, weaker statement next to the promise.
namespace tikc::explain {

/// Reads tokens=N,violations=N[,sequences=N][,prompts=N][,confidence=P][,windows=N]. Errors are
/// usage errors.
llvm::Expected<Observations> readObserved(const std::string& text);

/// Repeats the derivation of each chapter, with the observations in place of the clauses.
void weigh(Explanation& explanation, const model::Contract& contract, const bounds::Proof& proof,
           const Observations& observed);

/// Returns the observations and their assumptions, one sentence per line.
std::vector<std::string> observedLines(const Observations& observed);
/// Returns "n fixed beforehand" or "at any time".
std::string_view wayName(bool isAnytime);
/// Returns "mean(tv) <= 0.0712, not enough", or that nothing follows.
std::string weighedText(const WeighedClaim& weighed, const Chapter& chapter);
/// Returns a line for each clause with what its observations show.
std::vector<std::string> statementLines(const WeighedClaim& weighed);

} // namespace tikc::explain
