#include "diag/Sink.h"

#include <gtest/gtest.h>

namespace tikc::diag {
namespace {

constexpr FileId one{0};
constexpr FileId two{1};

TEST(SinkTest, SortsBySourceAndKeepsEachFindingOnce) {
  Limits limits;
  Sink sink(limits);
  sink.report<MissingKey>({two, 0, 1}, "m", "k");
  sink.report<MissingKey>({one, 9, 10}, "m", "k");
  sink.report<MissingKey>({one, 3, 5}, "m", "second");
  sink.report<MissingKey>({one, 3, 5}, "m", "first");
  sink.report<MissingKey>({one, 9, 10}, "m", "k").note("said again");
  sink.report<MissingKey>({one, 3, 4}, "m", "k");
  EXPECT_TRUE(sink.hasErrors());

  std::vector<std::pair<Span, std::string>> order;
  for (const Diagnostic& d : sink.take())
    order.emplace_back(d.span, d.message);
  std::vector<std::pair<Span, std::string>> expected = {
      {{one, 3, 4}, MissingKey::message("m", "k")},
      {{one, 3, 5}, MissingKey::message("m", "first")},
      {{one, 3, 5}, MissingKey::message("m", "second")},
      {{one, 9, 10}, MissingKey::message("m", "k")},
      {{two, 0, 1}, MissingKey::message("m", "k")}};
  EXPECT_EQ(order, expected);
  EXPECT_FALSE(sink.hasErrors());
  EXPECT_TRUE(sink.take().empty());
}

TEST(SinkTest, TheFirstReportOfADuplicateIsTheOneKept) {
  Limits limits;
  Sink sink(limits);
  sink.report<MissingKey>({one, 1, 2}, "m", "k").withLabel("first");
  sink.report<MissingKey>({one, 1, 2}, "m", "k").withLabel("second");
  auto found = sink.take();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].label, "first");
}

TEST(SinkTest, TheLimitHoldsForEachFileAndIsSaid) {
  Limits limits;
  limits.findings = 3;
  Sink sink(limits);
  for (std::uint32_t i = 0; i < 10; ++i)
    sink.report<MissingKey>({one, i, i + 1}, "m", "k").note("kept with its finding");
  for (std::uint32_t i = 0; i < 3; ++i)
    sink.report<MissingKey>({two, i, i + 1}, "m", "k");
  EXPECT_EQ(sink.errorCount(), 13u);

  auto found = sink.take();
  std::size_t ofOne = 0;
  std::size_t ofTwo = 0;
  std::size_t announced = 0;
  for (const Diagnostic& d : found) {
    if (d.code == Code::TooManyFindings) {
      ++announced;
      EXPECT_EQ(d.span.file, one);
      EXPECT_EQ(d.message, TooManyFindings::message(7, 3));
    } else {
      ++(d.span.file == one ? ofOne : ofTwo);
    }
  }
  EXPECT_EQ(announced, 1u);
  EXPECT_EQ(ofOne, 3u);
  EXPECT_EQ(ofTwo, 3u);
}

TEST(CatalogueTest, RowsAreFoundByCodeAndById) {
  ASSERT_FALSE(catalogue().empty());
  for (const CodeInfo& row : catalogue()) {
    EXPECT_EQ(&info(row.code), &row);
    EXPECT_EQ(findCode(row.id), row.code);
    EXPECT_EQ(row.id.size(), 6u) << row.id;
    EXPECT_EQ(std::stoi(std::string(row.id.substr(2))), static_cast<int>(row.code));
    EXPECT_TRUE(row.summary.ends_with('.')) << row.id;
    EXPECT_TRUE(row.why.ends_with('.') || row.why.ends_with('`')) << row.id;
    EXPECT_NE(row.severity, Severity::Off) << row.id;
  }
  EXPECT_EQ(findCode("TK999"), std::nullopt);
  EXPECT_EQ(findCode(""), std::nullopt);
}

TEST(CatalogueTest, SeveritiesHaveNames) {
  for (Severity severity : {Severity::Off, Severity::Note, Severity::Warning, Severity::Error})
    EXPECT_EQ(findSeverity(severityName(severity)), severity);
  EXPECT_EQ(findSeverity("Error"), std::nullopt);
}

} // namespace
} // namespace tikc::diag
