#pragma once

#include "diag/Sink.h"
#include "expr/ExprCache.h"
#include "expr/ExprText.h"
#include "model/Expr.h"
#include "model/Keys.h"
#include "support/Limits.h"
#include "yaml/Tree.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tikc::expr {

/// The tokens of an unfinished text, and the tokens that the grammar allows next. Inside the
/// arguments of a call, it may know fewer kinds than there are.
struct Outlook {
  ExprText read;
  TokenSet next;
};

/// Parses the expressions in scalars. A parser belongs to one thread and keeps its warmed-up
/// tables. Each call reports at most one syntax error, on the bytes of the file that caused it, and
/// then returns nothing.
class ExprParser {
public:
  /// Keep the cache if you parse many similar texts.
  ExprParser(const SourceManager& sources, const Limits& limits, ExprCache* cache = nullptr);
  ~ExprParser();

  std::optional<model::Requirement> requirement(const yaml::Node& scalar, diag::Sink& sink);
  std::optional<model::Expr> predicate(const yaml::Node& scalar, diag::Sink& sink);
  std::optional<model::Expr> trigger(const yaml::Node& scalar, diag::Sink& sink);
  /// Parses an action, an observability directive or a correction: a name or name(arguments).
  std::optional<model::Expr> call(const yaml::Node& scalar, diag::Sink& sink);
  std::optional<model::Amount> quantity(const yaml::Node& scalar, diag::Sink& sink);
  /// Returns nothing if the text is wrong before its end.
  std::optional<Outlook> outlook(std::string_view text, ExprEntry entry);
  /// Returns the text with conventional spacing; nothing if it is invalid.
  std::optional<std::string> spaced(std::string_view text, model::GrammarEntry entry);

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

} // namespace tikc::expr
