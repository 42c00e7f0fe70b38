#pragma once

#include "bounds/prove/ProofCache.h"
#include "diag/Sink.h"
#include "model/Contract.h"
#include "support/Source.h"

namespace tikc::policy {
class Study;
}

namespace tikc::lint {

/// The input of the rules: the valid parts of a contract. A missing section may only have been
/// invalid, so a rule about something absent first asks whether its section is known.
struct LintInput {
  const SourceManager& sources;
  const model::Contract& contract;
  diag::Sink& sink;
  bool observabilityKnown = true;
  bool escalationKnown = true;
  /// Null if the contract has errors, so that its claims are not fully known.
  const bounds::Proof* proof = nullptr;
  bounds::ProofCache* cache = nullptr; // only with a proof
  /// The rules in executable form; null if the contract has errors or is too large to search.
  policy::Study* policy = nullptr;
};

#define RULE(function) void function(const LintInput& input);
#include "lint/Rules.def"

/// Runs every family of rules.
void lint(const LintInput& input);

} // namespace tikc::lint
