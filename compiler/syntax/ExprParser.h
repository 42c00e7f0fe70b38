#pragma once

#include "diag/Sink.h"
#include "model/Expr.h"
#include "model/Keys.h"
#include "support/Limits.h"
#include "syntax/ExprCache.h"
#include "syntax/ExprText.h"
#include "syntax/Tree.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tikc::syntax {

/// The tokens of a text that is not finished, and what the grammar has for what comes next. Inside
/// the arguments of a call it may know of fewer kinds than there are.
struct Outlook {
  ExprText read;
  TokenSet next;
};

/// Reads the expressions inside scalars. One parser serves a thread and keeps its warmed-up tables.
/// Each call reports at most one syntax error, on the bytes of the file that caused it, and then
/// returns nothing.
class ExprParser {
public:
  /// Who reads many texts that differ little keeps the cache.
  ExprParser(const SourceManager& sources, const Limits& limits, ExprCache* cache = nullptr);
  ~ExprParser();

  std::optional<model::Requirement> requirement(const Node& scalar, diag::Sink& sink);
  std::optional<model::Expr> predicate(const Node& scalar, diag::Sink& sink);
  std::optional<model::Expr> trigger(const Node& scalar, diag::Sink& sink);
  /// An action, an observability directive, a correction: a name or name(arguments).
  std::optional<model::Expr> call(const Node& scalar, diag::Sink& sink);
  std::optional<model::Amount> quantity(const Node& scalar, diag::Sink& sink);
  /// Nothing where the text is wrong before its end.
  std::optional<Outlook> outlook(std::string_view text, ExprEntry entry);
  /// The text as it is written by convention; nothing where it cannot be read.
  std::optional<std::string> spaced(std::string_view text, model::GrammarEntry entry);

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

} // namespace tikc::syntax
