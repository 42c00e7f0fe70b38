#include "support/Diff.h"

#include <gtest/gtest.h>

#include <random>
#include <sstream>

namespace tikc {
namespace {

/// Takes what the diff says away from one text or the other: what is left of both must be equal.
std::string patched(const std::string& before, const std::string& diff) {
  std::vector<std::string> lines, out;
  std::istringstream text(before);
  for (std::string line; std::getline(text, line);)
    lines.push_back(line + (text.eof() ? "" : "\n"));
  std::istringstream body(diff);
  std::size_t at = 0;
  std::string line;
  std::getline(body, line);
  std::getline(body, line);
  while (std::getline(body, line)) {
    if (line.starts_with("@@")) {
      std::size_t first = std::stoul(line.substr(4));
      bool none = line.substr(4, line.find(' ', 4) - 4).ends_with(",0");
      for (first -= none ? 0 : 1; at < first; ++at)
        out.push_back(lines.at(at));
    } else if (line.starts_with("\\")) {
      out.back().pop_back();
    } else {
      std::string content = line.substr(1) + "\n";
      if (line[0] != '+') {
        EXPECT_EQ(lines.at(at).substr(0, content.size() - 1) + "\n", content);
        ++at;
      }
      if (line[0] != '-')
        out.push_back(content);
      else
        out.push_back(""); // for the mark of a missing line feed
      if (line[0] == '-' && body.peek() == '\\') {
        std::getline(body, line);
        out.pop_back();
      }
    }
  }
  for (; at < lines.size(); ++at)
    out.push_back(lines[at]);
  std::string joined;
  for (const std::string& each : out)
    joined += each;
  return joined;
}

TEST(DiffTest, EqualTextsHaveNone) {
  EXPECT_EQ(unifiedDiff("a", "", ""), "");
  EXPECT_EQ(unifiedDiff("a", "x\ny", "x\ny"), "");
}

TEST(DiffTest, ALineWithItsContext) {
  EXPECT_EQ(unifiedDiff("a", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n"),
            "--- a\n+++ a\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
}

TEST(DiffTest, FromNothingAndToNothing) {
  EXPECT_EQ(unifiedDiff("a", "", "x\n"), "--- a\n+++ a\n@@ -0,0 +1 @@\n+x\n");
  EXPECT_EQ(unifiedDiff("a", "x\ny\n", ""), "--- a\n+++ a\n@@ -1,2 +0,0 @@\n-x\n-y\n");
}

TEST(DiffTest, AMissingLineFeedIsADifference) {
  EXPECT_EQ(unifiedDiff("a", "x", "x\n"),
            "--- a\n+++ a\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+x\n");
  EXPECT_EQ(unifiedDiff("a", "x\n", "x"),
            "--- a\n+++ a\n@@ -1 +1 @@\n-x\n+x\n\\ No newline at end of file\n");
}

TEST(DiffTest, DistantChangesAreHunksOfTheirOwn) {
  std::string before, after;
  for (int i = 0; i < 30; ++i) {
    before += std::to_string(i) + "\n";
    after += std::to_string(i) + (i == 3 || i == 10 || i == 25 ? "!\n" : "\n");
  }
  std::string diff = unifiedDiff("a", before, after);
  EXPECT_NE(diff.find("@@ -1,14 +1,14 @@"), std::string::npos) << "contexts that touch are one";
  EXPECT_NE(diff.find("@@ -23,7 +23,7 @@"), std::string::npos);
  EXPECT_EQ(patched(before, diff), after);
}

TEST(DiffTest, RandomChangesCanBeApplied) {
  std::mt19937 chance(9);
  for (int run = 0; run < 600; ++run) {
    std::vector<std::string> lines;
    int count = static_cast<int>(chance() % (run % 10 == 0 ? 900 : 40));
    for (int i = 0; i < count; ++i)
      lines.push_back(std::to_string(chance() % (run % 3 == 0 ? 3 : 500)) + "\n");
    auto joined = [&] {
      std::string text;
      for (const std::string& line : lines)
        text += line;
      if (!text.empty() && chance() % 4 == 0)
        text.pop_back();
      return text;
    };
    std::string before = joined();
    for (auto i = chance() % 12; i > 0 && !lines.empty(); --i) {
      auto at = lines.begin() + static_cast<std::ptrdiff_t>(chance() % lines.size());
      if (chance() % 2 == 0)
        lines.erase(at);
      else
        lines.insert(at, std::to_string(chance() % 3) + "\n");
    }
    std::string after = joined();
    ASSERT_EQ(patched(before, unifiedDiff("a", before, after)), after) << before << "---\n"
                                                                       << after;
  }
}

TEST(DiffTest, LongTexts) {
  std::string before, after;
  std::mt19937 chance(1);
  for (int i = 0; i < 200'000; ++i) {
    std::string line = std::to_string(chance() % 50);
    before += line + "\n";
    after += (i % 2 == 0 ? " " : "") + line + "\n";
  }
  EXPECT_EQ(patched(before, unifiedDiff("a", before, after)), after);
}

} // namespace
} // namespace tikc
