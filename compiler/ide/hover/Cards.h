#pragma once

#include "ide/Grounds.h"
#include "ide/hover/Card.h"
#include "metrics/Metrics.h"
#include "syntax/NodePath.h"

/// What a hover says of each kind of thing.
namespace tikc::ide {

using syntax::NodePath;
using syntax::NodeStep;

// Of the language's tables.

void tellKey(Card& card, const model::KeyInfo& row);
void tellMetric(Card& card, const metrics::MetricInfo& row);
void tellClaimQuantity(Card& card, const metrics::ClaimInfo& row);
void tellAggregate(Card& card, const metrics::AggregateInfo& row);
void tellField(Card& card, const metrics::FieldInfo& row);
void tellUnit(Card& card, const model::UnitInfo& row);
void tellCall(Card& card, const metrics::CallInfo& row);
void tellParameter(Card& card, const metrics::CallInfo& call, const metrics::ParameterInfo& row);
void tellCode(Card& card, const diag::CodeInfo& row);

// Of a contract's own parts.

void tellContract(Card& card, const model::Contract& contract);
void tellKernel(Card& card, const model::Contract& contract, const model::Kernel& kernel);
void tellSlice(Card& card, const model::Contract& contract, const model::Slice& slice);
void tellLabel(Card& card, const model::Label& label);
void tellRule(Card& card, const Proven& proven, const model::Rule& rule);
/// By which verdicts it starts and ends, or why it never does, which is searched for.
void tellProspect(Card& card, const Proven& proven, const model::Rule& rule);
/// What a clause implies.
void tellClause(Card& card, const Proven& proven, const model::Clause& clause);
/// Whether a claim follows, and why.
void tellClaim(Card& card, const SourceManager& sources, const std::string& file,
               const Proven& proven, std::size_t claim);
/// What the number of a clause's comparison buys.
void tellLimit(Card& card, const Proven& proven, const model::Clause& clause,
               const model::Bound& bound);
/// Which claims rest on a number of the contract; nothing is added where none does.
void tellUses(Card& card, const Proven& proven, const Span& span);
/// What is defined under a name: a kernel, a slice, a clause, a claim, a rule or a label. False
/// where there is none.
bool tellName(Card& card, const SourceManager& sources, const std::string& file,
              const Proven& proven, std::string_view section, std::string_view name);

} // namespace tikc::ide
