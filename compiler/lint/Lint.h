#pragma once

#include "diag/Sink.h"
#include "model/Contract.h"
#include "support/Source.h"

namespace tikc::lint {

/// What a family of rules sees: a contract without type errors.
struct Input {
  const SourceManager& sources;
  const model::Contract& contract;
  diag::Sink& sink;
};

#define RULE(function) void function(const Input& input);
#include "lint/Rules.def"

/// Runs every family. A contract that has errors, or is abstract, is passed over: what it lacks would only repeat them.
void lint(const SourceManager& sources, const model::Contract& contract, diag::Sink& sink);

} // namespace tikc::lint
