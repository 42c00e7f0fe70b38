#pragma once

#include "ide/ExprAt.h"
#include "ide/hover/Cards.h"

namespace tikc::ide {

/// The place of a hover.
struct HoverPlace {
  const Analysis& analysis;
  const NodePath& path;
  ProvenContract proven; // empty if the document's contract could not be built

  const SourceManager& sources() const { return *analysis.sources; }
};

/// Describes a token of an expression; adds nothing for an unknown one.
void tellWord(Card& card, const HoverPlace& place, const ExprAt& expr);

/// Returns the grammar's entry for the scalar at the end of the path.
model::GrammarEntry entryOf(const NodePath& path);

} // namespace tikc::ide
