#pragma once

#include "ide/completion/Item.h"
#include "ide/completion/Names.h"
#include "sema/Context.h"

#include <vector>

namespace tikc::ide {

/// The possible continuations of an expression, from the grammar, the tables and the types of the
/// text before the cursor.
class Expression {
public:
  /// The value's shape must have an entry of the grammar.
  Expression(const CursorContext& context, const Names& names);
  ~Expression();

  /// Returns the start of the word at the cursor, in the scalar's decoded text.
  std::size_t word() const { return word_; }
  /// Whether the text before the word could be a complete expression.
  bool couldEnd() const;
  std::vector<CompletionItem> items(const WordSlot& slot) const;

private:
  friend class Continuation;

  sema::FileContext checker(diag::Sink& sink) const { return {sources_, limits_, sink, parser_}; }

  const CursorContext& context_;
  const Names& names_;
  // The type checker needs a parser, which is expensive to create, and sources for its texts.
  mutable SourceManager sources_;
  Limits limits_;
  mutable expr::ExprParser parser_;
  std::size_t word_;
  std::optional<expr::Outlook> outlook_;
};

/// Returns the value's entry of the grammar; nothing if it is not an expression.
std::optional<expr::ExprEntry> entryOf(const CursorContext& context);

} // namespace tikc::ide
