#pragma once

#include "changes/Overlap.h"
#include "changes/ReactionChanges.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tikc::changes {

/// Rules of two editions by their indices, of which one took the place of the other.
struct PairedRules {
  std::optional<std::size_t> was, is;
  bool saySame = false; // by themselves
};

/// What the whole policy does otherwise by what became of one rule.
struct RuleFate {
  bool isKnown = true; // that nothing is lost or doubtful, where nothing is told
  /// "after { gap: violated*2 }: route(safe, probe=1%) of `drift`, and now hold of `stale`"
  struct Told {
    std::string text; // empty where there is none
    std::size_t ticks = 0;
  };
  Told loss, doubtful, gain;
  /// Why it may do less as the new edition's clauses are decided otherwise; empty where it may not.
  std::string otherVerdicts = {};
};

/// Of each pair, on all slices that share a request. First the rules hear the same of the clauses
/// that both editions have, and whatever there is of those that are new; what one says that is gone
/// is told of the clause. Then the new edition hears what its own clauses say instead.
std::vector<RuleFate> fatesOf(const model::Contract& was, const model::Contract& is,
                              const Overlap& overlap, const Renamings& renamings,
                              const std::vector<PairedRules>& pairs);

} // namespace tikc::changes
