#include "support/Programs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tikc {
namespace {

using std::chrono::seconds;

std::string faultOf(llvm::Expected<ProgramResult> result) {
  return result ? std::string() : llvm::toString(result.takeError());
}

TEST(Programs, InputOutputAndStatus) {
  auto result = runProgram({"sh", "-c", "cat; echo broken >&2; exit 3"}, "text\n", {});
  ASSERT_TRUE(static_cast<bool>(result));
  EXPECT_EQ(result->status, 3);
  EXPECT_EQ(result->output, "text\n");
  EXPECT_EQ(result->complaint, "broken\n");
}

TEST(Programs, TheEnvironmentAndMore) {
  auto result = runProgram({"sh", "-c", "echo $ADDED ${PATH:+path}"}, "", {}, {"ADDED=so"});
  ASSERT_TRUE(static_cast<bool>(result));
  EXPECT_EQ(result->output, "so path\n");
}

TEST(Programs, MuchGoesInAndOutAtOnce) {
  std::string text(10u << 20, 'x');
  auto result = runProgram({"cat"}, text, {});
  ASSERT_TRUE(static_cast<bool>(result));
  EXPECT_EQ(result->output, text);
}

TEST(Programs, NoneOfThatName) {
  EXPECT_THAT(faultOf(runProgram({"no-such-program-of-tikc"}, "", {})),
              testing::HasSubstr("is not installed"));
}

TEST(Programs, Limits) {
  EXPECT_THAT(faultOf(runProgram({"sleep", "60"}, "", {1024, seconds(0)})),
              testing::HasSubstr("took more than 0 s"));
  EXPECT_THAT(
      faultOf(runProgram({"sh", "-c", "while :; do echo much; done"}, "", {1024, seconds(30)})),
      testing::HasSubstr("wrote more than 1024 bytes"));
}

} // namespace
} // namespace tikc
