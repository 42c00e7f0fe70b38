#pragma once

#include "changes/StatementChanges.h"

#include <set>
#include <string>

namespace tikc::changes {

/// New names of what an edition calls by old ones.
using Successors = std::map<std::string, std::string>;

struct Renamings {
  Successors clauses, slices, kernels;
  std::set<std::string> heardOf =
      {}; // clauses of which is told what rules hear, by their new names
};

/// What is sampled and kept, what rules do, what stages ask for.
std::vector<PartChange> directiveChanges(const model::Contract& was, const model::Contract& is);
std::vector<PartChange> ruleChanges(const model::Contract& was, const model::Contract& is,
                                    const Overlap& overlap, const Renamings& renamings);
std::vector<PartChange> stageChanges(const model::Contract& was, const model::Contract& is);

} // namespace tikc::changes
