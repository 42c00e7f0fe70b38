#include "support/LineTable.h"

#include <gtest/gtest.h>

#include <string>

namespace tikc {
namespace {

TEST(LineTableTest, LinesEndAtLineFeeds) {
  std::string_view text = "ab\ncd\r\n\r\ne\rf";
  LineTable lines(text);
  ASSERT_EQ(lines.lineCount(), 4u);
  EXPECT_EQ(lines.lineText(text, 0), "ab");
  EXPECT_EQ(lines.lineText(text, 1), "cd");
  EXPECT_EQ(lines.lineText(text, 2), "");
  EXPECT_EQ(lines.lineText(text, 3), "e\rf");
  std::uint32_t expected[] = {0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 3, 3};
  for (std::uint32_t i = 0; i <= text.size(); ++i)
    EXPECT_EQ(lines.lineIndex(i), expected[std::min<std::size_t>(i, 12)]) << i;
}

TEST(LineTableTest, TheLastLineMayBeEmptyOrEndInACarriageReturn) {
  EXPECT_EQ(LineTable("").lineCount(), 1u);
  EXPECT_EQ(LineTable("").lineText("", 0), "");
  EXPECT_EQ(LineTable("a\n").lineCount(), 2u);
  EXPECT_EQ(LineTable("a\n").lineText("a\n", 1), "");
  EXPECT_EQ(LineTable("a\r").lineText("a\r", 0), "a\r");
  EXPECT_EQ(LineTable("a\n").position("a\n", 2), (Position{2, 1}));
}

TEST(LineTableTest, ColumnsAreCharacters) {
  std::string_view text = "\xC3\xBC\xE4\xB8\xAD\xF0\x9F\x98\x80x\n\xFF\xFEy";
  LineTable lines(text);
  EXPECT_EQ(lines.position(text, 0), (Position{1, 1}));
  EXPECT_EQ(lines.position(text, 2), (Position{1, 2}));
  EXPECT_EQ(lines.position(text, 5), (Position{1, 3}));
  EXPECT_EQ(lines.position(text, 9), (Position{1, 4}));
  EXPECT_EQ(lines.position(text, 10), (Position{1, 5}));
  EXPECT_EQ(lines.position(text, 13), (Position{2, 3})) << "a stray byte is a character";
  EXPECT_EQ(lines.byteColumn(9), 10u);
  EXPECT_EQ(lines.byteColumn(13), 3u);
}

TEST(LineTableTest, AByteOrderMarkIsNoColumn) {
  std::string_view text = "\xEF\xBB\xBF"
                          "ab\n\xEF\xBB\xBF"
                          "c";
  LineTable lines(text);
  EXPECT_EQ(lines.position(text, 3), (Position{1, 1}));
  EXPECT_EQ(lines.position(text, 4), (Position{1, 2}));
  EXPECT_EQ(lines.position(text, 9), (Position{2, 2}))
      << "elsewhere it is a character like any other";
}

TEST(LineTableTest, LongLinesCountAsShortOnesDo) {
  // Sequences of every length fall across the marks; the columns are counted here from the start
  // each time.
  std::string text = "short\n\xEF\xBB\xBF";
  const std::string_view pieces[] = {"a", "\xC3\xBC", "\xE4\xB8\xAD", "\xF0\x9F\x98\x80", "\xFF"};
  std::vector<std::pair<std::uint32_t, std::uint32_t>> starts;
  std::uint32_t column = 2;
  for (std::uint32_t i = 0; i < 12'000; ++i) {
    starts.emplace_back(static_cast<std::uint32_t>(text.size()), column++);
    text += pieces[(i * 7 + i / 11) % 5];
  }
  text += "\nnext";
  LineTable lines(text);
  for (auto [offset, expected] : starts)
    ASSERT_EQ(lines.position(text, offset), (Position{2, expected})) << offset;
  EXPECT_EQ(lines.position(text, static_cast<std::uint32_t>(text.size())), (Position{3, 5}));
}

} // namespace
} // namespace tikc
