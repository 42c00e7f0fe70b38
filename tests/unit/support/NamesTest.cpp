#include "support/Names.h"

#include <gtest/gtest.h>

namespace tikc {
namespace {

constexpr std::string_view keys[] = {"horizon", "vocabulary", "temperature", "name",
                                     "weight",  "weights",    "token_weight"};

TEST(NamesTest, FindsWhatWasMeant) {
  EXPECT_EQ(nearestName("hozizon", keys), "horizon");
  EXPECT_EQ(nearestName("Horizon", keys), "horizon");
  EXPECT_EQ(nearestName("horizno", keys), "horizon");
  EXPECT_EQ(nearestName("token-weight", keys), "token_weight");
  EXPECT_EQ(nearestName("wieghts", keys), "weights");
  EXPECT_EQ(nearestName("weight", keys), "weight");
  EXPECT_EQ(nearestName("nmae", keys), "name") << "a swap is one slip";
}

TEST(NamesTest, SuggestsNothingFarFetched) {
  EXPECT_EQ(nearestName("x", keys), std::nullopt);
  EXPECT_EQ(nearestName("", keys), std::nullopt);
  EXPECT_EQ(nearestName("latency", keys), std::nullopt);
  EXPECT_EQ(nearestName("horizon", {}), std::nullopt);
  EXPECT_EQ(nearestName(std::string(1 << 20, 'n'), keys), std::nullopt);
  constexpr std::string_view shortNames[] = {"a", "b"};
  EXPECT_EQ(nearestName("x", shortNames), std::nullopt) << "every letter would differ";
}

TEST(NamesTest, SuggestsNoOpposite) {
  constexpr std::string_view names[] = {"satisfied", "undecided", "finite", "mxfp8", "fp64",
                                        "int8",      "ppl_ratio", "p99",    "k3"};
  for (std::string_view other : {"unsatisfied", "not_satisfied", "nonfinite", "infinite", "mxfp4",
                                 "fp6", "uint8", "kl_ratio", "avg_ratio", "p98", "k4", "kl"})
    EXPECT_EQ(nearestName(other, names), std::nullopt) << other;
  EXPECT_EQ(nearestName("decided", names), std::nullopt);
  EXPECT_EQ(nearestName("k33", names), "k3") << "a digit typed twice";
  EXPECT_EQ(nearestName("pppl_ratio", names), "ppl_ratio");
  EXPECT_EQ(nearestName("satisfeid", names), "satisfied");
  constexpr std::string_view two[] = {"token_weight"};
  EXPECT_EQ(nearestName("tok_weight", two), "token_weight") << "a word cut short";
}

TEST(NamesTest, SaysHowSureAGuessIs) {
  using enum Likeness;
  EXPECT_EQ(likeness("Horizon", "horizon", keys), Spelling);
  EXPECT_EQ(likeness("token-weight", "token_weight", keys), Spelling);
  EXPECT_EQ(likeness("tokenWeight", "token_weight", keys), Spelling);
  EXPECT_EQ(likeness("horzon", "horizon", keys), Slip);
  EXPECT_EQ(likeness("hozizon", "horizon", keys), Guess) << "z may be meant";
  EXPECT_EQ(likeness("nmae", "name", keys), Slip);
  EXPECT_EQ(likeness("weightz", "weights", keys), Guess) << "weight is as near";
  EXPECT_EQ(likeness("hozixon", "horizon", keys), Guess) << "two slips";
  constexpr std::string_view shortNames[] = {"k2", "p50", "max"};
  EXPECT_EQ(likeness("kl", "k2", shortNames), Guess);
  EXPECT_EQ(likeness("mx", "max", shortNames), Guess) << "of three letters, one is a lot";
}

TEST(NamesTest, JoinsAlternatives) {
  constexpr std::string_view names[] = {"a", "b", "c"};
  std::span<const std::string_view> all(names);
  EXPECT_EQ(joinAlternatives(all.first(0)), "");
  EXPECT_EQ(joinAlternatives(all.first(1)), "a");
  EXPECT_EQ(joinAlternatives(all.first(2)), "a or b");
  EXPECT_EQ(joinAlternatives(all), "a, b or c");
}

TEST(NamesTest, Identifiers) {
  for (std::string_view good : {"a", "a1", "a_b", "p99_", "x__y"})
    EXPECT_TRUE(isIdentifier(good)) << good;
  for (std::string_view bad : {"", "_a", "1a", "A", "aB", "a-b", "a b", "a.b", "\xC3\xBC"})
    EXPECT_FALSE(isIdentifier(bad)) << bad;
}

TEST(NamesTest, RewritesIntoIdentifiers) {
  EXPECT_EQ(toIdentifier("WorstDrift"), "worst_drift");
  EXPECT_EQ(toIdentifier("worst-drift"), "worst_drift");
  EXPECT_EQ(toIdentifier("worst drift.2"), "worst_drift_2");
  EXPECT_EQ(toIdentifier("P99"), "p99");
  EXPECT_EQ(toIdentifier("v2Final"), "v2_final");
  EXPECT_EQ(toIdentifier("fine_already"), "fine_already");
  for (std::string_view hopeless : {"", "9lives", "_x", "a/b",
                                    "\xC3\xBC"
                                    "ber",
                                    "..."})
    EXPECT_EQ(toIdentifier(hopeless), "") << hopeless;
}

} // namespace
} // namespace tikc
