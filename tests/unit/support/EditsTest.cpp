#include "support/Edits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace tikc {
namespace {

constexpr FileId edited{3};
constexpr FileId elsewhere{4};

Edit edit(std::uint32_t begin, std::uint32_t end, std::string text, FileId in = edited) {
  return {{in, begin, end}, std::move(text)};
}

bool add(EditSet& set, std::vector<Edit> edits) { return set.add(edits); }

TEST(EditsTest, WhatIsNotNamedStays) {
  EditSet set;
  ASSERT_TRUE(add(set, {edit(5, 5, "!"), edit(0, 1, "J")}));
  ASSERT_TRUE(add(set, {edit(2, 4, "")}));
  EXPECT_EQ(set.apply(edited, "hello\r\n"), "Jeo!\r\n");
  EXPECT_EQ(set.apply(elsewhere, "hello"), "hello");
  EXPECT_TRUE(set.touches(edited));
  EXPECT_FALSE(set.touches(elsewhere));
}

TEST(EditsTest, EditsThatMeetAreRefusedWhole) {
  EditSet set;
  ASSERT_TRUE(add(set, {edit(2, 4, "x")}));
  EXPECT_FALSE(add(set, {edit(3, 5, "y")}));
  EXPECT_FALSE(add(set, {edit(8, 9, "y"), edit(0, 3, "y")})) << "one meets, so neither is taken";
  EXPECT_FALSE(add(set, {edit(2, 2, "y")})) << "before or after x?";
  EXPECT_FALSE(add(set, {edit(4, 4, "y")}));
  EXPECT_FALSE(add(set, {edit(3, 3, "y")}));
  EXPECT_FALSE(add(set, {edit(2, 4, "x")})) << "the same edit twice is once too often";
  EXPECT_TRUE(add(set, {edit(4, 5, "z")})) << "neighbours share nothing";
  EXPECT_TRUE(add(set, {edit(2, 4, "w", elsewhere)}));
  EXPECT_EQ(set.apply(edited, "0123456789"), "01xz56789");
}

TEST(EditsTest, InsertionsOfTwoFixesAtOnePlaceHaveNoOrder) {
  EditSet set;
  ASSERT_TRUE(add(set, {edit(1, 1, "a")}));
  EXPECT_FALSE(add(set, {edit(1, 1, "b")}));
  EXPECT_TRUE(add(set, {edit(2, 2, "b")}));
}

TEST(EditsTest, InsertionsOfOneFixKeepTheirOrder) {
  EditSet set;
  ASSERT_TRUE(add(set, {edit(1, 1, "b"), edit(1, 1, "a"), edit(1, 2, "X")}));
  EXPECT_EQ(set.apply(edited, "012"), "0baX2");
}

TEST(EditsTest, AFixThatOverlapsItselfIsNoFix) {
  EditSet set;
  EXPECT_FALSE(add(set, {edit(1, 3, "a"), edit(2, 4, "b")}));
  EXPECT_TRUE(set.empty());
}

/// A byte by byte: what stands before it, and whether it stays.
struct Plain {
  std::vector<std::string> before;
  std::vector<bool> stays;
};

TEST(EditsTest, RandomEditsComeOutAsDoneByHand) {
  std::mt19937 chance(5);
  auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(chance() % n); };
  for (int run = 0; run < 2000; ++run) {
    std::uint32_t size = 1 + below(30);
    std::string text;
    for (std::uint32_t i = 0; i < size; ++i)
      text += static_cast<char>('a' + i % 26);
    EditSet set;
    Plain plain{std::vector<std::string>(size + 1), std::vector<bool>(size, true)};
    std::vector<bool> taken(size + 1), inserted(size + 1), inside(size + 1);
    for (int i = 0; i < 8; ++i) {
      std::uint32_t begin = below(size + 1);
      std::uint32_t end = std::min(size, begin + below(4));
      std::string put(below(3), static_cast<char>('A' + i));
      bool free = true;
      for (std::uint32_t at = begin; at < end; ++at)
        free = free && !taken[at];
      // An insertion may not touch, and nothing may touch an insertion.
      for (std::uint32_t at = begin; at <= end; ++at)
        free = free && !inserted[at];
      if (begin == end)
        free = free && !inside[begin];
      ASSERT_EQ(set.add(std::vector<Edit>{edit(begin, end, put)}), free)
          << text << ' ' << begin << ' ' << end;
      if (!free)
        continue;
      for (std::uint32_t at = begin; at < end; ++at) {
        taken[at] = true;
        plain.stays[at] = false;
      }
      for (std::uint32_t at = begin; at <= end && begin < end; ++at)
        inside[at] = true;
      inserted[begin] = inserted[begin] || begin == end;
      plain.before[begin] = put;
    }
    std::string expected;
    std::vector<std::uint32_t> origins;
    for (std::uint32_t at = 0; at <= size; ++at) {
      expected += plain.before[at];
      origins.insert(origins.end(), plain.before[at].size(), at);
      if (at < size && plain.stays[at]) {
        expected += text[at];
        origins.push_back(at);
      }
    }
    ASSERT_EQ(set.apply(edited, text), expected);
    for (std::uint32_t i = 0; i < origins.size(); ++i)
      ASSERT_EQ(set.origin(edited, i), origins[i]) << expected << " at " << i;
    for (const Span& span : set.written(edited))
      for (std::uint32_t at = span.begin; at < span.end; ++at)
        ASSERT_TRUE(expected[at] >= 'A' && expected[at] <= 'Z') << expected;
  }
}

} // namespace
} // namespace tikc
