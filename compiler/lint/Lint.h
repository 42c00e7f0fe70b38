#pragma once

#include "bounds/prove/ProofCache.h"
#include "diag/Sink.h"
#include "model/Contract.h"
#include "support/Source.h"

namespace tikc::policy {
class Study;
}

namespace tikc::lint {

/// What a family of rules sees: the parts of a contract that are right. What is missing may only
/// have been wrong, so a rule about something absent asks first whether its section is known.
struct LintInput {
  const SourceManager& sources;
  const model::Contract& contract;
  diag::Sink& sink;
  bool observabilityKnown = true;
  bool escalationKnown = true;
  /// Nothing where the contract has errors, so that what it claims is not fully known.
  const bounds::Proof* proof = nullptr;
  bounds::ProofCache* cache = nullptr; // with a proof
  /// The rules as they are run; nothing where the contract has errors, or more than is searched.
  policy::Study* policy = nullptr;
};

#define RULE(function) void function(const LintInput& input);
#include "lint/Rules.def"

/// Runs every family.
void lint(const LintInput& input);

} // namespace tikc::lint
