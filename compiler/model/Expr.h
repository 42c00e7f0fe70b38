#pragma once

#include "model/Amount.h"

#include <string>
#include <string_view>
#include <vector>

namespace tikc::model {

struct Name {
  std::string text;
  Span span;
};

enum class Comparator : std::uint8_t { LessEqual, Less, GreaterEqual, Greater, Equal, NotEqual };
std::string_view symbol(Comparator comparator);
constexpr bool isBelow(Comparator comparator) {
  return comparator == Comparator::LessEqual || comparator == Comparator::Less;
}
constexpr bool isAbove(Comparator comparator) {
  return comparator == Comparator::GreaterEqual || comparator == Comparator::Greater;
}
bool meets(const Rational& value, Comparator comparator, const Rational& limit);
/// Whether the bound itself is excluded.
constexpr bool isStrict(Comparator comparator) {
  return comparator == Comparator::Less || comparator == Comparator::Greater;
}

/// An expression before its names are resolved: one tree for metrics, predicates, triggers and
/// calls. Each entry of the grammar accepts only its own forms.
struct Expr {
  enum class Kind : std::uint8_t {
    Name,     // task                       text
    Call,     // route(safe, probe=1%)      text, arguments (each may carry a keyword)
    Quantity, // 8192, 1%, 10 min           quantity
    String,   // "math"                     text, unescaped
    Set,      // {"math", "code"}           arguments
    Compare,  // prompt_tokens >= 8192      comparator, arguments: left, right
    In,       // task in {...}              arguments: left, the set
    Not,      //                            arguments: one
    And,      //                            arguments: two or more
    Or,       //                            arguments: two or more
    For       // violated(x) for 2 windows  arguments: the state, the count as a Quantity
  };

  Kind kind = Kind::Name;
  Comparator comparator = Comparator::LessEqual;
  std::string text;
  Span span;     // of the whole expression
  Span nameSpan; // of the name of a Name or Call, or the operator of a Compare
  Amount quantity;
  Name keyword; // of an argument, such as probe=…; otherwise empty
  std::vector<Expr> arguments;
};

/// The slices that a comparison holds on: each one (the default), the mixture, or the named slices.
struct Scope {
  enum class Kind : std::uint8_t { EachSlice, All, Named };
  Kind kind = Kind::EachSlice;
  std::vector<Name> slices;
  Span span;
};

/// aggregate(metric) op bound [on …] [over …] [with confidence …]
struct Comparison {
  Expr subject;
  Comparator comparator = Comparator::LessEqual; // unused where `upper` is set
  Span comparatorSpan;
  Amount bound;
  std::optional<Amount> upper; // in [bound, upper]
  Scope scope;
  std::optional<Amount> over;
  std::optional<Amount> confidence;
  Span span;
};

/// One or more comparisons joined by `and`.
struct Requirement {
  std::vector<Comparison> comparisons;
  Span span;
};

/// Returns text that the grammar reads back as an equal tree.
std::string print(const Expr& expr);
std::string print(const Comparison& comparison);
std::string print(const Requirement& requirement);

} // namespace tikc::model
