#pragma once

#include "ide/ExprAt.h"
#include "ide/hover/Cards.h"

namespace tikc::ide {

/// Where a hover stands.
struct HoverPlace {
  const Analysis& analysis;
  const NodePath& path;
  Proven proven; // empty where the document's contract could not be built

  const SourceManager& sources() const { return *analysis.sources; }
};

/// What a token of an expression means; nothing is added where nothing is known of it.
void tellWord(Card& card, const HoverPlace& place, const ExprAt& expr);

/// The grammar entry that reads the scalar at the end of the path.
model::GrammarEntry entryOf(const NodePath& path);

} // namespace tikc::ide
