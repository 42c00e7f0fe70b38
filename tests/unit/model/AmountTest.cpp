#include "model/Amount.h"

#include <gtest/gtest.h>

#include <set>

namespace tikc::model {
namespace {

Amount quantity(Rational value, Unit unit, std::optional<Unit> per = {}) {
  return {std::move(value), unit, per, {}, {}};
}

TEST(Amount, UnitsAreFoundByTheirSymbolOnly) {
  std::set<std::string_view> symbols;
  for (const UnitInfo& row : units()) {
    EXPECT_TRUE(symbols.insert(row.symbol).second) << row.symbol;
    EXPECT_EQ(&info(row.unit), &row);
    EXPECT_EQ(findUnit(row.symbol),
              row.unit == Unit::None ? std::nullopt : std::optional(row.unit));
  }
  EXPECT_EQ(findUnit("min"), Unit::Minute);
  EXPECT_FALSE(findUnit(""));
  EXPECT_FALSE(findUnit("MIN"));
  EXPECT_FALSE(findUnit("sec"));
}

TEST(Amount, ScalesToTheBaseUnitExactly) {
  EXPECT_EQ(quantity(Rational(1, 5), Unit::Percent).scaled(), Rational(1, 500));
  EXPECT_EQ(quantity(90, Unit::Minute).scaled(), Rational(5400));
  EXPECT_EQ(quantity(3, Unit::Day).scaled(), Rational(259200));
  EXPECT_EQ(quantity(1, Unit::Nanosecond).scaled(), Rational(1, 1000000000));
  EXPECT_EQ(quantity(2, Unit::Gibibyte).scaled(), Rational(2147483648));
  EXPECT_EQ(quantity(36, Unit::Tokens, Unit::Hour).scaled(), Rational(1, 100));
  EXPECT_EQ(quantity(3, Unit::Bit).scaled(), Rational(3));
}

TEST(Amount, PrintsAsItIsWritten) {
  EXPECT_EQ(print(quantity(Rational(1, 10), Unit::Nat)), "0.1 nat");
  EXPECT_EQ(print(quantity(20, Unit::Percent)), "20%");
  EXPECT_EQ(print(quantity(200000, Unit::None, Unit::Second)), "200000 per s");
  EXPECT_EQ(print(quantity(Rational(-3, 2), Unit::Mebibyte, Unit::Second)), "-1.5 MiB per s");
}

} // namespace
} // namespace tikc::model
