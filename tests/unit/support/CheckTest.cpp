#include "support/Check.h"

#include <gtest/gtest.h>

namespace tikc {
namespace {

std::string faultOf(bool condition) {
  try {
    TIKC_CHECK(condition, "a day has hours");
  } catch (const InternalFault& fault) {
    return fault.what();
  }
  return {};
}

TEST(CheckTest, WhatHoldsIsPassedOver) { EXPECT_EQ(faultOf(true), ""); }

TEST(CheckTest, WhatDoesNotHoldIsToldWithItsPlace) {
  EXPECT_EQ(faultOf(false), "it is not so that a day has hours (CheckTest.cpp:10)");
}

TEST(CheckTest, TheConditionIsEvaluatedOnce) {
  int asked = 0;
  TIKC_CHECK(++asked, "it counts");
  EXPECT_EQ(asked, 1);
}

constexpr int half(int number) {
  TIKC_CHECK(number % 2 == 0, "only even numbers are halved");
  return number / 2;
}
static_assert(half(4) == 2);

} // namespace
} // namespace tikc
