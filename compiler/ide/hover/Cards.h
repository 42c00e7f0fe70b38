#pragma once

#include "ide/Grounds.h"
#include "ide/hover/Card.h"
#include "model/Metrics.h"
#include "yaml/NodePath.h"

/// The hover text for each kind of thing.
namespace tikc::ide {

using yaml::NodePath;
using yaml::NodeStep;

// Rows of the language's tables.

void tellKey(Card& card, const model::KeyInfo& row);
void tellMetric(Card& card, const model::MetricInfo& row);
void tellClaimQuantity(Card& card, const model::ClaimInfo& row);
void tellAggregate(Card& card, const model::AggregateInfo& row);
void tellField(Card& card, const model::FieldInfo& row);
void tellUnit(Card& card, const model::UnitInfo& row);
void tellCall(Card& card, const model::CallInfo& row);
void tellParameter(Card& card, const model::CallInfo& call, const model::ParameterInfo& row);
void tellCode(Card& card, const diag::CodeInfo& row);

// Parts of a contract.

void tellContract(Card& card, const model::Contract& contract);
void tellKernel(Card& card, const model::Contract& contract, const model::Kernel& kernel);
void tellSlice(Card& card, const model::Contract& contract, const model::Slice& slice);
void tellLabel(Card& card, const model::Label& label);
void tellRule(Card& card, const ProvenContract& proven, const model::Rule& rule);
/// Adds the verdicts after which the rule starts and ends, or why it never does; this needs a
/// search.
void tellProspect(Card& card, const ProvenContract& proven, const model::Rule& rule);
/// Adds what a clause implies.
void tellClause(Card& card, const ProvenContract& proven, const model::Clause& clause);
/// Adds whether a claim follows, and why.
void tellClaim(Card& card, const SourceManager& sources, const std::string& file,
               const ProvenContract& proven, std::size_t claim);
/// Adds the effect of the number in a clause's comparison on claims.
void tellLimit(Card& card, const ProvenContract& proven, const model::Clause& clause,
               const model::Bound& bound);
/// Adds the claims that rest on a number of the contract, if there are any.
void tellUses(Card& card, const ProvenContract& proven, const Span& span);
/// Describes the kernel, slice, clause, claim, rule or label of a name. Returns false if there is
/// none.
bool tellName(Card& card, const SourceManager& sources, const std::string& file,
              const ProvenContract& proven, std::string_view section, std::string_view name);

} // namespace tikc::ide
