#include "model/Expr.h"

#include <gtest/gtest.h>

namespace tikc::model {
namespace {

Expr name(std::string text) {
  Expr out;
  out.text = std::move(text);
  return out;
}

Expr node(Expr::Kind kind, std::vector<Expr> arguments) {
  Expr out;
  out.kind = kind;
  out.arguments = std::move(arguments);
  return out;
}

Expr less(std::string left, std::string right) {
  Expr out = node(Expr::Kind::Compare, {name(std::move(left)), name(std::move(right))});
  out.comparator = Comparator::Less;
  return out;
}

TEST(ExprPrint, PutsBracketsWhereTheTreeNeedsThem) {
  Expr both = node(Expr::Kind::And, {less("a", "b"), less("c", "d")});
  Expr either = node(Expr::Kind::Or, {less("a", "b"), less("c", "d")});
  EXPECT_EQ(print(both), "a < b and c < d");
  EXPECT_EQ(print(node(Expr::Kind::Or, {both, less("e", "f")})), "a < b and c < d or e < f");
  EXPECT_EQ(print(node(Expr::Kind::And, {either, less("e", "f")})), "(a < b or c < d) and e < f");
  EXPECT_EQ(print(node(Expr::Kind::And, {both, less("e", "f")})), "(a < b and c < d) and e < f");
  EXPECT_EQ(print(node(Expr::Kind::Or, {either, less("e", "f")})), "(a < b or c < d) or e < f");
  EXPECT_EQ(print(node(Expr::Kind::Not, {both})), "not (a < b and c < d)");
  EXPECT_EQ(print(node(Expr::Kind::Not, {node(Expr::Kind::Not, {less("a", "b")})})),
            "not not a < b");
}

TEST(ExprPrint, EscapesTexts) {
  Expr text;
  text.kind = Expr::Kind::String;
  text.text = "a\"b\\c\nd\te'é";
  EXPECT_EQ(print(text), "\"a\\\"b\\\\c\\nd\\te'é\"");
}

TEST(ExprPrint, NamesArguments) {
  Expr call = node(Expr::Kind::Call, {name("safe"), name("x")});
  call.text = "route";
  call.arguments[1].keyword.text = "probe";
  EXPECT_EQ(print(call), "route(safe, probe=x)");
  EXPECT_EQ(
      print(node(Expr::Kind::In, {name("task"), node(Expr::Kind::Set, {name("a"), name("b")})})),
      "task in {a, b}");
}

TEST(ExprPrint, WritesTailsInOneOrder) {
  Comparison c;
  c.subject = name("ess");
  c.comparator = Comparator::GreaterEqual;
  c.bound.value = Rational(78);
  c.bound.unit = Unit::Percent;
  EXPECT_EQ(print(c), "ess >= 78%");
  c.confidence = c.bound;
  c.over = Amount{Rational(10), Unit::Minute, {}, {}, {}};
  c.scope.kind = Scope::Kind::Named;
  c.scope.slices = {{"math", {}}, {"code", {}}};
  EXPECT_EQ(print(c), "ess >= 78% on math, code over 10 min with confidence 78%");
  c.scope = {Scope::Kind::All, {}, {}};
  c.upper = Amount{Rational(1), Unit::None, {}, {}, {}};
  EXPECT_EQ(print(Requirement{{c, c}, {}}),
            "ess in [78%, 1] on all over 10 min with confidence 78% and "
            "ess in [78%, 1] on all over 10 min with confidence 78%");
}

} // namespace
} // namespace tikc::model
