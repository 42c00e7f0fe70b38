#pragma once

#include "explain/Explanation.h"

#include <llvm/Support/Error.h>

/// What claims are worth after so many observations: a second, weaker statement beside the promise.
namespace tikc::explain {

/// Reads tokens=N,violations=N[,sequences=N][,prompts=N][,confidence=P][,windows=N]. An error is
/// the user's.
llvm::Expected<Observed> readObserved(const std::string& text);

/// Repeats the derivation of every chapter with what the observations show in the place of clauses.
void weigh(Explanation& explanation, const model::Contract& contract, const bounds::Proof& proof,
           const Observed& observed);

/// The observations and what is taken of them, a sentence a line.
std::vector<std::string> observedLines(const Observed& observed);
/// "n fixed beforehand" or "at any time".
std::string_view wayName(bool isAnytime);
/// "mean(tv) <= 0.0712, not enough", or that nothing follows.
std::string weighedText(const Weighed& weighed, const Chapter& chapter);
/// What each clause's observations show, a line each.
std::vector<std::string> statementLines(const Weighed& weighed);

} // namespace tikc::explain
