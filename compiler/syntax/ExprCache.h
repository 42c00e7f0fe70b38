#pragma once

#include "model/Expr.h"
#include "support/Limits.h"
#include "syntax/ExprText.h"

#include <array>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>

namespace tikc::syntax {

/// Trees of texts that were read without a fault, whoever had them in whichever file: a text that
/// is being edited has hundreds of expressions, and one of them changes. It stays as small as it
/// is useful. One belongs to one thread.
class ExprCache {
public:
  /// The places in it are bytes of the text.
  using Tree = std::variant<model::Requirement, model::Expr, model::Amount>;

  /// Null where the text is not remembered as what the entry reads.
  const Tree* find(ExprEntry entry, std::string_view text, const Limits& limits);
  void keep(ExprEntry entry, std::string_view text, Tree tree);
  /// Bytes of the texts that are remembered.
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

  /// When the young are many, the old are forgotten and the young are the old: what was not asked
  /// for in the meantime goes.
  Generation young_, old_;
  Limits limits_; // that the texts were read under
};

} // namespace tikc::syntax
