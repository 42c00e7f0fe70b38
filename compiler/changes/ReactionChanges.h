#pragma once

#include "changes/StatementChanges.h"

#include <set>
#include <string>

namespace tikc::changes {

/// New names by old names.
using Successors = std::map<std::string, std::string>;

struct Renamings {
  Successors clauses, slices, kernels;
  std::set<std::string> heardOf = {}; // new names of the clauses whose effect on rules is reported
};

/// Return the changes of directives, rules and stages.
std::vector<PartChange> directiveChanges(const model::Contract& old, const model::Contract& fresh);
std::vector<PartChange> ruleChanges(const model::Contract& old, const model::Contract& fresh,
                                    const Overlap& overlap, const Renamings& renamings);
std::vector<PartChange> stageChanges(const model::Contract& old, const model::Contract& fresh);

} // namespace tikc::changes
