#pragma once

#include "expr/ExprText.h"
#include "model/Expr.h"
#include "support/Limits.h"

#include <array>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>

namespace tikc::expr {

/// A cache of the trees of valid expressions, from any file. An edited text has hundreds of
/// expressions, one of which changes. The cache stays small. It belongs to one thread.
class ExprCache {
public:
  /// A tree; its places are bytes of the text.
  using Tree = std::variant<model::Requirement, model::Expr, model::Amount>;

  /// Returns null if the text is not cached for this entry.
  const Tree* find(ExprEntry entry, std::string_view text, const Limits& limits);
  void keep(ExprEntry entry, std::string_view text, Tree tree);
  /// Returns the size of the cached texts in bytes.
  std::size_t bytes() const { return young_.bytes + old_.bytes; }

private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  struct Generation {
    std::array<std::unordered_map<std::string, Tree, Hash, std::equal_to<>>, exprEntries> trees;
    std::size_t bytes = 0;
  };

  void makeRoom(std::size_t bytes);

  /// Two generations. If the young one is full, it replaces the old one, so entries without recent
  /// use are dropped.
  Generation young_, old_;
  Limits limits_; // for which the texts were read
};

} // namespace tikc::expr
