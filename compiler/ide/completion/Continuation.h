#pragma once

#include "ide/completion/Expression.h"
#include "ide/completion/Vocabulary.h"
#include "sema/Subjects.h"

#include <initializer_list>

namespace tikc::ide {

/// Collects the items of an Expression, with one function for each entry of the grammar.
class Continuation {
public:
  Continuation(const Expression& expression, const WordSlot& slot);

  std::vector<CompletionItem> items();

private:
  using Kind = expr::TokenKind;

  // Continuation.cpp: common parts
  void add(CompletionItem item, unsigned group = 0);
  void comparators(bool isOrdered, bool withUnequal);
  void keyword(Kind kind, std::string_view meaning);
  void units(model::Measured measured);
  void amounts(std::initializer_list<model::Dimension> dimensions);
  void texts(const std::vector<std::string>& values, std::string_view what);
  void names(const std::vector<std::string>& names, std::string_view what);
  void rate();
  void quantity();
  void separate();

  Kind previous() const { return count_ > 0 ? expr_.kind(count_ - 1) : Kind::End; }
  bool isBracketed() const { return opener_ < expr_.tokens.size(); }
  /// Returns the name before the bracket around the cursor; empty outside brackets.
  std::string_view callee() const { return calleeAt(opener_); }
  std::string_view calleeAt(std::size_t opener) const;
  /// Returns the index of the argument at the cursor, from 0.
  std::size_t argument() const;

  // Requirements.cpp
  void requirement();
  bool canBegin(const model::AggregateInfo& row);
  void subjects();
  void measures();
  void measureArgument();
  void tails();
  void comparisonUnits();
  std::size_t comparisonBegin() const;
  std::optional<sema::Subject> subject() const;
  std::optional<sema::Subject> typed(std::string_view subject) const;
  bool isFresh(Kind tail) const;

  // Calls.cpp
  void predicate();
  void fields();
  void comparisonOf(std::string_view field);
  void trigger();
  void call();
  void parameter(const model::ParameterInfo& row);

  const Expression& expression_;
  const CursorContext& context_;
  const Names& names_;
  const WordSlot& slot_;
  const expr::ExprText& expr_;
  const expr::TokenSet& next_;
  std::size_t count_; // tokens before the word
  std::size_t opener_;
  bool isClaim_;
  std::vector<CompletionItem> out_;
};

} // namespace tikc::ide
