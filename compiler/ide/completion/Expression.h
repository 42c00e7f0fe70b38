#pragma once

#include "ide/completion/Item.h"
#include "ide/completion/Names.h"
#include "sema/Context.h"

#include <vector>

namespace tikc::ide {

/// What may come next in the expression that a value is, told by the grammar, the tables and the
/// types of what stands before the cursor.
class Expression {
public:
  /// The value's shape has an entry of the grammar.
  Expression(const CursorContext& context, const Names& names);
  ~Expression();

  /// Where the word at the cursor begins in the scalar's decoded text.
  std::size_t word() const { return word_; }
  /// Whether the text before the word could be the whole.
  bool couldEnd() const;
  std::vector<CompletionItem> items(const WordSlot& slot) const;

private:
  friend class Continuation;

  sema::FileContext checker(diag::Sink& sink) const { return {sources_, limits_, sink, parser_}; }

  const CursorContext& context_;
  const Names& names_;
  // Asking the type checker takes a parser that is warm, and texts for it to read.
  mutable SourceManager sources_;
  Limits limits_;
  mutable syntax::ExprParser parser_;
  std::size_t word_;
  std::optional<syntax::Outlook> outlook_;
};

/// The grammar's entry for the value; nothing where it is no expression.
std::optional<syntax::ExprEntry> entryOf(const CursorContext& context);

} // namespace tikc::ide
