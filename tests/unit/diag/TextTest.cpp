#include "Fixture.h"

namespace tikc::diag::testing {
namespace {

using TextTest = Fixture;

TEST_F(TextTest, PointsAtTheCharacters) {
  add("tikc: v1\nmodel:\n  hozizon: 4096 tokens\n");
  EXPECT_EQ(drawn(error(at("hozizon"), "unknown key `hozizon` in `model`")
                      .withLabel("did you mean `horizon`?")),
            R"(error[TK2001]: unknown key `hozizon` in `model`
 --> a.tikc.yaml:3:3
  |
3 |   hozizon: 4096 tokens
  |   ^^^^^^^ did you mean `horizon`?
)");
}

TEST_F(TextTest, AlignsNumbersOfDifferentLength) {
  add("first: 1\n2:\n3:\n4:\n5:\n6:\n7:\n8:\n9:\nlast: 2\n");
  EXPECT_EQ(drawn(error(at("last")).relatedTo(at("first"), "the other")), R"(error[TK2001]: wrong
  --> a.tikc.yaml:10:1
   |
10 | last: 2
   | ^^^^
   |
  ::: a.tikc.yaml:1:1
   |
 1 | first: 1
   | ----- the other
)");
}

TEST_F(TextTest, TabsAreFourCells) {
  add("a:\t[b,\tc]\n");
  EXPECT_EQ(drawn(error(at("b,\tc"))), "error[TK2001]: wrong\n"
                                       " --> a.tikc.yaml:1:5\n"
                                       "  |\n"
                                       "1 | a:    [b,    c]\n"
                                       "  |        ^^^^^^^\n");
  EXPECT_EQ(drawn(error(at("\t"))), "error[TK2001]: wrong\n"
                                    " --> a.tikc.yaml:1:3\n"
                                    "  |\n"
                                    "1 | a:    [b,    c]\n"
                                    "  |   ^^^^\n");
}

TEST_F(TextTest, WideAndCombiningCharactersTakeTheirCells) {
  // Two ideographs, e with a combining acute, an emoji.
  add("s: \xE4\xB8\xAD\xE6\x96\x87 e\xCC\x81 \xF0\x9F\x98\x80 x\n");
  EXPECT_EQ(drawn(error(at("\xE6\x96\x87"))),
            "error[TK2001]: wrong\n"
            " --> a.tikc.yaml:1:5\n"
            "  |\n"
            "1 | s: \xE4\xB8\xAD\xE6\x96\x87 e\xCC\x81 \xF0\x9F\x98\x80 x\n"
            "  |      ^^\n");
  EXPECT_EQ(drawn(error(at("x"))), "error[TK2001]: wrong\n"
                                   " --> a.tikc.yaml:1:12\n"
                                   "  |\n"
                                   "1 | s: \xE4\xB8\xAD\xE6\x96\x87 e\xCC\x81 \xF0\x9F\x98\x80 x\n"
                                   "  |              ^\n");
}

TEST_F(TextTest, SpellsOutWhatCouldMislead) {
  add("a: \xE2\x80\xAE\x1B[31m\xC2\xA0z\xFF\n", "ev\x1Bil.yaml");
  EXPECT_EQ(drawn(error(at("z"), "mess\x07"
                                 "age")),
            "error[TK2001]: mess\\u{7}age\n"
            " --> ev\\u{1B}il.yaml:1:11\n"
            "  |\n"
            "1 | a: \\u{202E}\\u{1B}[31m\\u{A0}z\\xFF\n"
            "  |                            ^\n");
}

TEST_F(TextTest, CarriageReturnsOfLineEndsAreNotDrawn) {
  add("a: 1\r\nb: 2\r\n");
  EXPECT_EQ(drawn(error(at("2"))), "error[TK2001]: wrong\n"
                                   " --> a.tikc.yaml:2:4\n"
                                   "  |\n"
                                   "2 | b: 2\n"
                                   "  |    ^\n");
  EXPECT_EQ(drawn(error(at("1\r\n"))), "error[TK2001]: wrong\n"
                                       " --> a.tikc.yaml:1:4\n"
                                       "  |\n"
                                       "1 | a: 1\n"
                                       "  |    ^\n");
}

TEST_F(TextTest, ALoneCarriageReturnIsDrawn) {
  add("a: 1\rb: 2\r");
  EXPECT_EQ(drawn(error(at("\r"))), "error[TK2001]: wrong\n"
                                    " --> a.tikc.yaml:1:5\n"
                                    "  |\n"
                                    "1 | a: 1\\u{D}b: 2\\u{D}\n"
                                    "  |     ^^^^^\n");
}

TEST_F(TextTest, AByteOrderMarkTakesNoPlace) {
  add("\xEF\xBB\xBF"
      "tikc: v1\n");
  EXPECT_EQ(drawn(error(at("tikc"))), "error[TK2001]: wrong\n"
                                      " --> a.tikc.yaml:1:1\n"
                                      "  |\n"
                                      "1 | tikc: v1\n"
                                      "  | ^^^^\n");
  EXPECT_EQ(drawn(error(bytes(0, 3))), drawn(error(bytes(0, 0))));
}

TEST_F(TextTest, EndsOfLinesAndOfTheFileHaveACaret) {
  add("ab\ncd\n");
  EXPECT_EQ(drawn(error(bytes(2, 2))), "error[TK2001]: wrong\n"
                                       " --> a.tikc.yaml:1:3\n"
                                       "  |\n"
                                       "1 | ab\n"
                                       "  |   ^\n");
  EXPECT_EQ(drawn(error(bytes(2, 3))), drawn(error(bytes(2, 2))));
  EXPECT_EQ(drawn(error(endOfFile())), "error[TK2001]: wrong\n"
                                       " --> a.tikc.yaml:3:1\n"
                                       "  |\n"
                                       "3 |\n"
                                       "  | ^\n");
  add("");
  EXPECT_EQ(drawn(error(endOfFile())), "error[TK2001]: wrong\n"
                                       " --> a.tikc.yaml:1:1\n"
                                       "  |\n"
                                       "1 |\n"
                                       "  | ^\n");
}

TEST_F(TextTest, ASpanOfSeveralLinesIsTiedTogether) {
  add("model:\n  a: 1\n  b: 2\nnext: 3\n");
  EXPECT_EQ(drawn(error(at("model:\n  a: 1\n  b: 2\n")).withLabel("this map")),
            R"(error[TK2001]: wrong
 --> a.tikc.yaml:1:1
  |
1 | / model:
2 | |   a: 1
3 | |   b: 2
  | |______^ this map
)");
  EXPECT_EQ(drawn(error(at("1\n  b: 2\nnext"))), R"(error[TK2001]: wrong
 --> a.tikc.yaml:2:6
  |
2 |     a: 1
  |  ______^
3 | |   b: 2
4 | | next: 3
  | |____^
)");
}

TEST_F(TextTest, TheMiddleOfALongSpanIsLeftOut) {
  std::string text = "all:\n";
  for (int i = 0; i < 30; ++i)
    text += "  k" + std::to_string(i) + ": 1\n";
  add(text);
  EXPECT_EQ(drawn(error(bytes(0, text.size()))), R"(error[TK2001]: wrong
  --> a.tikc.yaml:1:1
   |
 1 | / all:
 2 | |   k0: 1
 3 | |   k1: 1
 4 | |   k2: 1
...
30 | |   k28: 1
31 | |   k29: 1
   | |________^
)");
}

TEST_F(TextTest, ALongLineIsAWindowAroundThePlace) {
  std::string text = "a: " + std::string(40, '-') + "MARK" + std::string(40, '+') + "\n";
  add(text);
  EXPECT_EQ(drawn(error(at("MARK")), 34),
            "error[TK2001]: wrong\n"
            " --> a.tikc.yaml:1:44\n"
            "  |\n"
            "1 | \xE2\x80\xA6---------MARK+++++++++++++++\xE2\x80\xA6\n"
            "  |           ^^^^\n");
  // A span longer than the window shows its start.
  EXPECT_EQ(drawn(error(bytes(1, text.size() - 1)), 34),
            "error[TK2001]: wrong\n"
            " --> a.tikc.yaml:1:2\n"
            "  |\n"
            "1 | a: -------------------------\xE2\x80\xA6\n"
            "  |  ^^^^^^^^^^^^^^^^^^^^^^^^^^^\n");
  EXPECT_EQ(drawn(error(bytes(text.size() - 1, text.size() - 1)), 34),
            "error[TK2001]: wrong\n"
            " --> a.tikc.yaml:1:88\n"
            "  |\n"
            "1 | \xE2\x80\xA6++++++++++++++++++++++++++++\n"
            "  |                              ^\n");
}

TEST_F(TextTest, NotesAndFixesFollow) {
  add("a: 1\nb: 2\nc: 3\n");
  Diagnostic d = error(at("b"));
  d.note("first").note("second");
  d.fix("rename it", {{at("b"), "beta"}});
  d.unsafeFix("drop it", {{at("b: 2\n"), ""}});
  EXPECT_EQ(drawn(d), R"(error[TK2001]: wrong
 --> a.tikc.yaml:2:1
  |
2 | b: 2
  | ^
  |
  = note: first
  = note: second
  = help: rename it
2 - b: 2
2 + beta: 2
  |
  = help: drop it (this may change what the contract means)
2 - b: 2
)");
}

TEST_F(TextTest, AFixOfSeveralPlacesIsOneDiff) {
  add("a: 1\nb: 2\nc: 3\nd: 4\n");
  Diagnostic d = error(at("d"));
  d.fix("swap", {{at("d: 4"), "a: 1"}, {at("a: 1"), "d: 4\ne: 5"}});
  EXPECT_EQ(drawn(d), R"(error[TK2001]: wrong
 --> a.tikc.yaml:4:1
  |
4 | d: 4
  | ^
  |
  = help: swap
1 - a: 1
1 + d: 4
2 + e: 5
4 - d: 4
4 + a: 1
)");
}

TEST_F(TextTest, InsertedAndJoinedLines) {
  add("a: 1\nb: 2\n");
  Diagnostic d = error(at("a"));
  d.fix("insert", {{bytes(5, 5), "x: 0\n"}});
  d.fix("append", {{endOfFile(), "x: 0\n"}});
  d.fix("join", {{at("\n"), ", "}});
  EXPECT_EQ(drawn(d), R"(error[TK2001]: wrong
 --> a.tikc.yaml:1:1
  |
1 | a: 1
  | ^
  |
  = help: insert
2 + x: 0
  |
  = help: append
3 + x: 0
  |
  = help: join
1 - a: 1
2 - b: 2
1 + a: 1, b: 2
)");
}

TEST_F(TextTest, AFixTooLongToShowIsNamedAlone) {
  std::string text = "a: " + std::string(10'000, 'x') + "\n";
  add(text);
  Diagnostic d = error(bytes(0, 1));
  d.fix("shorten", {{bytes(3, 10'003), "1"}});
  EXPECT_TRUE(drawn(d, 34).ends_with("  = help: shorten\n")) << drawn(d, 34);
}

TEST_F(TextTest, ColoursWrapAndNeverSpill) {
  add("a: 1\n");
  DrawingOptions options;
  options.color = true;
  Diagnostic d = error(at("a"));
  d.fix("rename", {{at("a"), "b"}});
  std::string text = renderText(sources_, d, options);
  EXPECT_TRUE(text.starts_with("\x1b[1;31merror[TK2001]\x1b[0m\x1b[1m: wrong\x1b[0m\n")) << text;
  EXPECT_NE(text.find("\x1b[31ma: 1\x1b[0m\n"), std::string::npos) << text;
  std::string plain;
  bool open = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\x1b') {
      EXPECT_FALSE(open && text[i] == '\n');
      plain += text[i];
      continue;
    }
    std::size_t end = text.find('m', i);
    open = text.substr(i, end - i) != "\x1b[0";
    i = end;
  }
  EXPECT_EQ(plain, drawn(d));
}

TEST_F(TextTest, AHugeLineCostsNoMoreThanItsWindow) {
  std::string text(8 << 20, 'x');
  add(text);
  std::string all;
  // Each of these would walk megabytes if the line were drawn or counted from its start.
  for (std::size_t i = 0; i < 2000; ++i)
    all += drawn(error(bytes(i * 4000, i * 4000 + 3)));
  EXPECT_NE(all.find(":1:7996001\n"), std::string::npos);
  EXPECT_LT(all.size(), 2000u * 400u);
}

} // namespace
} // namespace tikc::diag::testing
