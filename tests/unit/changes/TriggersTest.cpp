#include "changes/Triggers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace tikc::tests {
namespace {

using model::Expr;

constexpr unsigned states = 4;

Expr made(Expr::Kind kind, std::vector<Expr> parts) {
  Expr out;
  out.kind = kind;
  out.arguments = std::move(parts);
  return out;
}

/// violated(a), violated(b) and so on.
Expr state(unsigned number) {
  Expr name;
  name.kind = Expr::Kind::Name;
  name.text = std::string(1, static_cast<char>('a' + number));
  Expr out = made(Expr::Kind::Call, {name});
  out.text = "violated";
  return out;
}

class Triggers : public ::testing::Test {
protected:
  unsigned roll(unsigned sides) {
    return std::uniform_int_distribution<unsigned>(0, sides - 1)(engine_);
  }

  Expr draw(unsigned depth) {
    if (depth == 0 || roll(4) == 0)
      return state(roll(states));
    if (roll(3) == 0)
      return made(Expr::Kind::Not, {draw(depth - 1)});
    std::vector<Expr> parts;
    for (unsigned i = 0, n = 2 + roll(2); i < n; ++i)
      parts.push_back(draw(depth - 1));
    return made(roll(2) == 0 ? Expr::Kind::And : Expr::Kind::Or, std::move(parts));
  }

private:
  std::mt19937 engine_{5};
};

bool isTrue(const Expr& of, unsigned world) {
  auto part = [&](const Expr& each) { return isTrue(each, world); };
  const auto &first = of.arguments.begin(), &last = of.arguments.end();
  switch (of.kind) {
  case Expr::Kind::Not:
    return !part(*first);
  case Expr::Kind::And:
    return std::all_of(first, last, part);
  case Expr::Kind::Or:
    return std::any_of(first, last, part);
  default:
    return (world >> (first->text[0] - 'a') & 1) != 0;
  }
}

TEST_F(Triggers, AreInOneFormWhereTheyAreTrueAtTheSameTimes) {
  unsigned same = 0;
  for (unsigned round = 0; round < 1000; ++round) {
    Expr one = draw(2), other = draw(2);
    unsigned both = 0, ones = 0, others = 0;
    for (unsigned world = 0; world < 1u << states; ++world) {
      ones += isTrue(one, world) ? 1 : 0;
      others += isTrue(other, world) ? 1 : 0;
      both += isTrue(one, world) && isTrue(other, world) ? 1 : 0;
    }
    bool isFixed = ones == 0 || ones == 1u << states; // which no state decides
    bool isSame = ones == both && others == both;
    if (!isFixed) {
      EXPECT_EQ(print(changes::normalTrigger(one)) == print(changes::normalTrigger(other)), isSame)
          << print(one) << " and " << print(other);
    }
    same += isSame && print(one) != print(other) ? 1 : 0;
  }
  EXPECT_GT(same, 5u);
}

TEST_F(Triggers, OfTooManyStatesAreLeftAsTheyAre) {
  std::vector<Expr> many;
  for (unsigned i = 0; i < 9; ++i)
    many.push_back(state(i));
  Expr all = made(Expr::Kind::And, many);
  EXPECT_EQ(print(changes::normalTrigger(all)), print(all));
}

} // namespace
} // namespace tikc::tests
