#include "pipeline/Merge.h"

#include <gtest/gtest.h>

namespace tikc::pipeline {
namespace {

diag::Diagnostic finding(FileId file, std::uint32_t begin, std::string message) {
  diag::Diagnostic out{};
  out.code = diag::Code::UnknownKey;
  out.span = {file, begin, begin + 1};
  out.message = std::move(message);
  return out;
}

TEST(Merge, SharedFindingsAreKeptOnceUnderTheNameThatTheUserGave) {
  SourceManager sources;
  FileId child = sources.add("child", "/p/child", "abc");
  FileId base = sources.add("./base", "/p/base", "abc");
  FileId again = sources.add("base", "/p/base", "abc"); // as another thread read it
  std::vector<pipeline::CheckedFile> results(2);
  results[0].file = child;
  results[0].diagnostics = {finding(again, 1, "shared"), finding(child, 2, "own"),
                            finding(again, 2, "of the merge")};
  results[0].diagnostics[1].relatedTo({again, 0, 1}, "there");
  results[1].file = base;
  results[1].diagnostics = {finding(base, 1, "shared")};

  auto merged = mergeFindings(sources, results);
  ASSERT_EQ(merged.size(), 3u);
  EXPECT_EQ(merged[0].message, "own");
  EXPECT_EQ(merged[0].related[0].span.file, base);
  EXPECT_EQ(merged[1].message, "of the merge");
  EXPECT_EQ(merged[1].span.file, base);
  EXPECT_EQ(merged[2].message, "shared");
}

TEST(Merge, TheOrderDoesNotFollowTheIdsOfParents) {
  auto names = [](bool reversed) {
    SourceManager sources;
    FileId child = sources.add("child", "/p/child", "abc");
    FileId first = sources.add(reversed ? "b" : "a", reversed ? "/p/b" : "/p/a", "abc");
    FileId second = sources.add(reversed ? "a" : "b", reversed ? "/p/a" : "/p/b", "abc");
    std::vector<pipeline::CheckedFile> results(1);
    results[0].file = child;
    results[0].diagnostics = {finding(first, 1, "x"), finding(second, 1, "x")};
    std::string out;
    for (const auto& found : mergeFindings(sources, results))
      out += sources.get(found.span.file).name;
    return out;
  };
  EXPECT_EQ(names(false), "ab");
  EXPECT_EQ(names(true), "ab");
}

TEST(Merge, TwoOfStandardInputAreTwo) {
  SourceManager sources;
  FileId one = sources.add("<stdin>", {}, "abc");
  FileId two = sources.add("other", {}, "abc");
  std::vector<pipeline::CheckedFile> results(2);
  results[0].file = one;
  results[0].diagnostics = {finding(one, 1, "same")};
  results[1].file = two;
  results[1].diagnostics = {finding(two, 1, "same")};
  EXPECT_EQ(mergeFindings(sources, results).size(), 2u);
}

} // namespace
} // namespace tikc::pipeline
