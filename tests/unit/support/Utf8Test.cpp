#include "support/Utf8.h"

#include <gtest/gtest.h>

namespace tikc::utf8 {
namespace {

TEST(Utf8Test, EveryCharacterSurvivesTheRoundTrip) {
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (c == 0xD800)
      c = 0xE000;
    std::string encoded;
    append(encoded, c);
    auto decoded = decode(encoded);
    ASSERT_TRUE(decoded && decoded->character == c && decoded->bytes == encoded.size())
        << std::hex << std::uint32_t{c};
  }
}

TEST(Utf8Test, RefusesWhatIsNoCharacter) {
  for (std::string_view text :
       {"\x80", "\xBF", "\xC0\x80", "\xC1\xBF", "\xC3", "\xC3(", "\xE0\x80\x80", "\xE0\x9F\xBF",
        "\xE4\xB8", "\xED\xA0\x80", "\xED\xBF\xBF", "\xF0\x80\x80\x80", "\xF0\x8F\xBF\xBF",
        "\xF0\x9F\x98", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFE", "\xFF"}) {
    EXPECT_FALSE(decode(text).has_value()) << printable(text);
    EXPECT_EQ(firstInvalid(text), 0u) << printable(text);
    EXPECT_EQ(firstInvalid("a\xC3\xBC" + std::string(text)), 3u) << printable(text);
  }
  EXPECT_FALSE(decode("").has_value());
  EXPECT_EQ(firstInvalid("\xC3\xBC\xF4\x8F\xBF\xBF"), std::nullopt);
}

TEST(Utf8Test, Lengths) {
  EXPECT_EQ(length("a\xC3\xBC\xF0\x9F\x98\x80"), 3u);
  EXPECT_EQ(length("\xF0\x9F\x98"), 3u);
  EXPECT_EQ(length(""), 0u);
}

TEST(Utf8Test, WidthsInCells) {
  for (char32_t narrow : {U'a', U'\u00FC', U'\u05D0', U'\u2026'})
    EXPECT_EQ(displayWidth(narrow), 1) << std::uint32_t{narrow};
  for (char32_t wide : {U'\u4E2D', U'\uAC00', U'\uFF01', U'\u3042', U'\U0001F600', U'\U0001F680'})
    EXPECT_EQ(displayWidth(wide), 2) << std::uint32_t{wide};
  for (char32_t none : {U'\u0301', U'\u0591', U'\u064B', U'\uFE0F', U'\u0E31'})
    EXPECT_EQ(displayWidth(none), 0) << std::uint32_t{none};
}

TEST(Utf8Test, JsonSpellsOutWhatHides) {
  EXPECT_EQ(printableJson("{\n  \"a\": \"\xC3\xBC \\n \xE4\xB8\xAD \xF0\x9F\x98\x80\"\n}\n"),
            "{\n  \"a\": \"\xC3\xBC \\n \xE4\xB8\xAD \xF0\x9F\x98\x80\"\n}\n");
  EXPECT_EQ(printableJson("\"\x7F \xC2\x9B \xE2\x80\xAE \xE2\x81\xA6 \xF3\xA0\x80\x81\""),
            R"("\u007f \u009b \u202e \u2066 \udb40\udc01")");
}

TEST(Utf8Test, PrintableSpellsOutWhatHides) {
  EXPECT_EQ(printable("plain \xC3\xBC \xE4\xB8\xAD \xF0\x9F\x98\x80 ~"),
            "plain \xC3\xBC \xE4\xB8\xAD \xF0\x9F\x98\x80 ~");
  struct Case {
    char32_t character;
    std::string_view shown;
  };
  for (auto [character, shown] :
       {Case{0, "\\u{0}"},        {0x1B, "\\u{1B}"},     {0x7F, "\\u{7F}"},
        {0x85, "\\u{85}"},        {0x9B, "\\u{9B}"},     {0xA0, "\\u{A0}"},
        {0xAD, "\\u{AD}"},        {0x61C, "\\u{61C}"},   {0x115F, "\\u{115F}"},
        {0x180E, "\\u{180E}"},    {0x2003, "\\u{2003}"}, {0x200B, "\\u{200B}"},
        {0x200D, "\\u{200D}"},    {0x2028, "\\u{2028}"}, {0x202E, "\\u{202E}"},
        {0x2066, "\\u{2066}"},    {0x3000, "\\u{3000}"}, {0x3164, "\\u{3164}"},
        {0xFEFF, "\\u{FEFF}"},    {0xFFFE, "\\u{FFFE}"}, {0xE0041, "\\u{E0041}"},
        {0x10FFFF, "\\u{10FFFF}"}}) {
    std::string text;
    append(text, character);
    EXPECT_EQ(printable(text), shown);
  }
  EXPECT_EQ(printable("a\xFF"
                      "b\xC3"),
            "a\\xFFb\\xC3");
}

TEST(Utf8Test, PrintableTextStaysAsItIs) {
  std::string all;
  for (char32_t c = 0; c < 0x3000; ++c)
    append(all, c);
  EXPECT_EQ(printable(printable(all)), printable(all));
}

TEST(Utf8Test, TickedIsShortAndQuoted) {
  EXPECT_EQ(ticked("a b"), "`a b`");
  EXPECT_EQ(ticked(""), "``");
  EXPECT_EQ(ticked("\n"), "`\\u{A}`");
  EXPECT_EQ(ticked(std::string(60, 'x')), "`" + std::string(60, 'x') + "`");
  std::string umlauts;
  for (int i = 0; i < 61; ++i)
    umlauts += "\xC3\xBC";
  EXPECT_EQ(ticked(umlauts), "`" + umlauts.substr(2) + "\xE2\x80\xA6`");
}

} // namespace
} // namespace tikc::utf8
