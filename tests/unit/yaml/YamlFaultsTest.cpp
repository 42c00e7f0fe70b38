#include "YamlFixture.h"

namespace tikc::yaml {
namespace {

using namespace std::string_literals;

struct YamlFault {
  std::string text;
  std::vector<std::string> places; // code and place of every finding
  std::string fixed; // the text with the first fixes applied; empty where there is none
};

const std::vector<YamlFault>& yamlFaults() {
  static const std::vector<YamlFault> table = {
      // Bytes.
      {"a: \xC0\xAF b", {"TK0002 1:4-1:5"}, ""},
      {"é: \xED\xA0\x80", {"TK0002 1:4-1:5"}, ""},
      {"a: \xFF", {"TK0002 1:4-1:5"}, ""},
      {"a: é\xE2\x82", {"TK0002 1:5-1:6"}, ""},
      {"a: x\0y\n"s, {"TK0003 1:5-1:6"}, ""},
      {"a: \"x\\0y\"\n", {"TK0003 1:4-1:10"}, ""},
      {"a: \"x\\u0000y\"\n", {"TK0003 1:4-1:14"}, ""},
      {"a: 1\rb: 2\n", {"TK0004 1:5-1:6", "TK1016 1:7-1:8"}, ""},
      {"a: \x1B[0m", {"TK0014 1:4-1:5"}, ""},
      {"\xFF\xFE"
       "a\0:\0"s,
       {"TK0013 1:1-1:5"},
       ""},
      {"\0\0\0a\0\0\0:"s, {"TK0013 1:1-1:5"}, ""},
      {"a\0:\0 \0001\0"s, {"TK0013 1:1-1:5"}, ""},
      // Keys.
      {"a: 1\nb: 2\n'a': 3\na: 4\n", {"TK1002 3:1-3:4", "TK1002 4:1-4:2"}, ""},
      {"x: {é: 1, \"é\": 2}\n", {"TK1002 1:11-1:14"}, ""},
      {"a: {<<: {b: 1}}\n", {"TK1003 1:5-1:7"}, ""},
      {"\"<<\": 1\n", {}, ""},
      {"1: a\ntrue: b\n~: c\n", {"TK1010 1:1-1:2", "TK1010 2:1-2:5", "TK1010 3:1-3:2"}, ""},
      {"true: b\nnull: c\n", {"TK1010 1:1-1:5", "TK1010 2:1-2:5"}, "'true': b\n'null': c\n"},
      {"[a]: 1\nb: 2\n", {"TK1010 1:1-1:4"}, ""},
      {"? a\n: b\n", {"TK1010 1:1-1:2"}, ""},
      {": a\n", {"TK1010 1:1-1:2"}, ""},
      {"x: [{a: b}: c]\n", {"TK1010 1:5-1:11"}, ""},
      // Blanks.
      {"a:\n\tb: 1\n", {"TK1004 2:1-2:2"}, "a:\n  b: 1\n"},
      {"a: |\n  x\n\ty\n", {"TK1004 3:1-3:2"}, "a: |\n  x\n  y\n"},
      {"-\ta: 1\n", {"TK1004 1:2-1:3"}, "-  a: 1\n"},
      {"a: \"x\ty\"\t# tab\nb:\tc\n", {}, ""},
      {"{\n\ta: 1,\n\tb: [\n\t\t2\n\t]\n}\n", {}, ""},
      {"a:1\nb: 2\n", {"TK1018 1:2-1:3"}, "a: 1\nb: 2\n"},
      {"a: 1\nb\n", {"TK1001 2:1-2:2"}, ""},
      {"a:\n~\n", {"TK1001 2:1-2:2"}, ""},
      {"x:\n  a:\n  ~", {"TK1001 3:3-3:4"}, ""},
      {"a:\n  ~\n", {}, ""},
      {"a:\n  b: 1\n  c", {"TK1001 3:3-3:4"}, ""},
      {"a: 1\nb:2\nc: 3\n", {"TK1018 2:2-2:3"}, "a: 1\nb: 2\nc: 3\n"},
      {"{a:1, b:[2], \"c\":3}", {"TK1018 1:3-1:4", "TK1018 1:8-1:9"}, "{a: 1, b: [2], \"c\":3}"},
      {"\"a\":b\n", {"TK1018 1:4-1:5"}, "\"a\": b\n"},
      {"a: [1]#x\n", {"TK1001 1:7-1:8"}, "a: [1] #x\n"},
      // Quotes and brackets.
      {"a: 1\nb: \"foo\nc: 3\n", {"TK1005 2:4-2:5"}, ""},
      {"a: \"foo\nb: \"bar\"\n", {"TK1005 1:4-1:5"}, ""},
      {"a: 'x\n---\nb: 1\n", {"TK1005 1:4-1:5"}, ""},
      {"a: 'it's fine'\n", {"TK1001 1:8-1:15"}, ""},
      {"a: [1, 2\nb: 3\n", {"TK1006 1:4-1:5"}, ""},
      {"a: {x: [1, 2}\nb: 3\n", {"TK1006 1:8-1:9"}, ""},
      {"[1}", {"TK1006 1:1-1:2"}, ""},
      {"{a: [1, 2", {"TK1006 1:5-1:6"}, ""},
      // The bracket is in a comment.
      {"a: { b: see #12 }\nc: 1\n", {"TK1006 1:4-1:5"}, "a: { b: 'see #12' }\nc: 1\n"},
      {"a: [b, #c]\nd: 1\n", {"TK1006 1:4-1:5"}, "a: [b, '#c']\nd: 1\n"},
      {"a: { b: [it's #c, d], e: f } # g\nh: 1\n",
       {"TK1006 1:4-1:5"},
       "a: { b: ['it''s #c', d], e: f } # g\nh: 1\n"},
      {"a: { b: c # a note }\nd: 1\n", {"TK1006 1:4-1:5"}, ""},
      {"a: [b, c #see[1]\nd: 1\n", {"TK1006 1:4-1:5"}, ""},
      {"a: { b: \"c\" #d }\ne: 1\n", {"TK1006 1:4-1:5"}, ""},
      {"a: 1\n]\nb: 2\n", {"TK1001 2:1-2:2"}, "a: 1\n\nb: 2\n"},
      {",", {"TK1001 1:1-1:2"}, ""},
      {"a: 1\n,\n", {"TK1001 2:1-2:2"}, "a: 1\n\n"},
      {"a: 1\n---\n,\n---\nb: 1\n", {"TK1001 3:1-3:2"}, "a: 1\n---\n\n---\nb: 1\n"},
      {"[a,,b]", {"TK1001 1:4-1:5"}, "[a,b]"},
      {"{a: 1 b: 2}", {"TK1001 1:7-1:8"}, ""},
      // Anchors, tags, directives, documents.
      {"a: &abc 1\nb: *abd\n", {"TK1007 2:4-2:8"}, "a: &abc 1\nb: *abc\n"},
      {"because: *very* important\n", {"TK1007 1:10-1:16"}, "because: '*very* important'\n"},
      {"&a [*a]", {"TK1008 1:5-1:7"}, ""},
      {"a: &x\n  b: {c: *x}\n", {"TK1008 2:10-2:12"}, ""},
      {"a: !!python/object:os.system x\n", {"TK1009 1:4-1:29"}, "a: x\n"},
      {"!!map {a: !<tag:x> 1, !b c: !}\n",
       {"TK1009 1:1-1:6", "TK1009 1:11-1:19", "TK1009 1:23-1:25", "TK1009 1:29-1:30"},
       "{a: 1, c: }\n"},
      {"[a] b", {"TK1011 1:5-1:6"}, ""},
      {"\"x\"\ny: 1\n", {"TK1011 2:1-2:2"}, ""},
      {"%YAML 1.1\n---\na: 1\n", {"TK1012 1:1-1:10"}, "---\na: 1\n"},
      {"%YAML 1.2 # ok\n---\na: 1\n", {}, ""},
      {"%YAML 1.2\n# a\na: 1\n", {"TK1001 3:1-3:5"}, "%YAML 1.2\n# a\n---\na: 1\n"},
      {"%YAML 1.2\r\na: 1\r\n", {"TK1001 2:1-2:5"}, "%YAML 1.2\r\n---\r\na: 1\r\n"},
      {"%YAML 1.2\n", {}, ""},
      {"%TAG !e! x\n---\na: 1\n", {"TK1012 1:1-1:11"}, "---\na: 1\n"},
      // Traps of YAML 1.1.
      {"a: on\nNo: 'no'\n", {"TK1013 1:4-1:6", "TK1013 2:1-2:3"}, "a: 'on'\n'No': 'no'\n"},
      {"a: [y, yes, true, nope]\n",
       {"TK1013 1:5-1:6", "TK1013 1:8-1:11"},
       "a: ['y', 'yes', true, nope]\n"},
      {"a: 010\nb: -007\nc: 08\nd: '010'\ne: 0\n",
       {"TK1014 1:4-1:7", "TK1014 2:4-2:8"},
       "a: 10\nb: -7\nc: 08\nd: '010'\ne: 0\n"},
      {"a: 12:30\nb: 1:99\nc: 190:20:30.15\n",
       {"TK1014 1:4-1:9", "TK1014 3:4-3:16"},
       "a: '12:30'\nb: 1:99\nc: '190:20:30.15'\n"},
      // Values that YAML cuts.
      {"r: { do: route(safe, probe=1%), x: é }\n",
       {"TK1015 1:10-1:31"},
       "r: { do: 'route(safe, probe=1%)', x: é }\n"},
      {"r: [alert(\"a, b\"), f(a, g(b, c)) for 2 windows]\n",
       {"TK1015 1:5-1:18", "TK1015 1:20-1:47"},
       "r: ['alert(\"a, b\")', 'f(a, g(b, c)) for 2 windows']\n"},
      {"{when: task in {\"a\", \"b\"}, x: ess in [0, 1]}\n",
       {"TK1015 1:8-1:26", "TK1015 1:31-1:44"},
       "{when: 'task in {\"a\", \"b\"}', x: 'ess in [0, 1]'}\n"},
      {"a: route(safe, probe=1%)\n", {}, ""},
      {"because: note: it's slow # c\nb: 1\n",
       {"TK1016 1:14-1:15"},
       "because: 'note: it''s slow' # c\nb: 1\n"},
      {"a: 1\n  b: 2\nc: 3\n", {"TK1017 2:3-2:4"}, ""},
      {"a:\n    b: 1\n  c: 2\n", {"TK1017 3:3-3:4"}, ""},
      {"a:\n  - b\n - c\n", {"TK1017 3:2-3:3"}, ""},
      {"a: 1\nfoo bar\nb: 2\n", {"TK1001 2:1-2:8"}, ""},
      {"a: - b\n", {"TK1001 1:4-1:5"}, ""},
      {"a: \"x\" y\n", {"TK1001 1:8-1:9"}, ""},
      {"a: @x # c\nb: %d\nc: `d`\nd: [|, @e]\n",
       {"TK1019 1:4-1:5", "TK1019 2:4-2:5", "TK1019 3:4-3:5", "TK1019 4:5-4:6", "TK1019 4:8-4:9"},
       "a: '@x' # c\nb: '%d'\nc: '`d`'\nd: ['|', '@e']\n"},
      {"a: > 5 ms\nb: 1\n", {"TK1019 1:4-1:5"}, "a: '> 5 ms'\nb: 1\n"},
      {"a: \"\\d\"\nb: \"\\ud83d\\ude00\"\n",
       {"TK1020 1:5-1:7", "TK1020 2:5-2:17"},
       "a: \"\\\\d\"\nb: \"\\U0001F600\"\n"},
      {"a: \"\\u12\"\nb: \"\\udc00\"\n", {"TK1020 1:5-1:7", "TK1020 2:5-2:11"}, ""},
  };
  return table;
}

TEST(YamlFaults, EachHasItsPlaceAndItsFix) {
  for (const YamlFault& fault : yamlFaults()) {
    SCOPED_TRACE(fault.text);
    YamlReading r(fault.text);
    EXPECT_EQ(r.places(), fault.places);
    if (fault.fixed.empty())
      continue;
    EXPECT_EQ(r.fixed(), fault.fixed);
    EXPECT_EQ(YamlReading(r.fixed()).places(), std::vector<std::string>{}) << r.fixed();
  }
}

TEST(YamlFaults, OneFaultDoesNotHideTheNext) {
  YamlReading r("a: @x\nb: on\nc: \"\\q\"\nd: !t 1\ne: *f\ng: {h: f(1, 2)}\ng: 010\n");
  std::vector<std::string> codes;
  for (const std::string& place : r.places())
    codes.push_back(place.substr(0, 6));
  EXPECT_EQ(codes, (std::vector<std::string>{"TK1019", "TK1013", "TK1020", "TK1009", "TK1007",
                                             "TK1015", "TK1002", "TK1014"}));
  EXPECT_TRUE(r.tree.documents[0].complete);
}

TEST(YamlFaults, WhatWasReportedIsPassedOver) {
  YamlReading r("a: @x\nb: \"\\q\"\nc: {d: f(1, 2), e: 3}\nd: *no\ne: 1\n");
  EXPECT_TRUE(r.value("a").invalid);
  EXPECT_TRUE(r.value("b").invalid);
  EXPECT_TRUE(r.value("c").find("d")->invalid);
  EXPECT_EQ(r.value("c").find("e")->value, "3");
  EXPECT_TRUE(r.value("d").invalid);
  EXPECT_FALSE(r.value("e").invalid);
}

TEST(YamlFaults, AnUnclosedBracketCostsOnlyItsOwnValue) {
  YamlReading r("a: [1, {x: 2]\nb: 2\nc: {\n  d: 1\ne: 3\n");
  EXPECT_EQ(r.places(), (std::vector<std::string>{"TK1006 1:8-1:9", "TK1006 3:4-3:5"}));
  EXPECT_EQ(r.value("b").value, "2");
  EXPECT_EQ(r.value("e").value, "3");
  EXPECT_FALSE(r.tree.documents[0].complete);
}

TEST(YamlFaults, TheFirstOfDuplicateKeysCounts) {
  YamlReading r("a: 1\na: 2\n");
  EXPECT_EQ(r.value("a").value, "1");
  EXPECT_TRUE(r.root().entries[1].key->invalid);
  ASSERT_EQ(r.findings.at(0).related.size(), 1u);
  EXPECT_EQ(r.findings[0].related[0].span.begin, 0u);
}

TEST(YamlFaults, MessagesShowNoControlCharacters) {
  YamlReading r("a: *\xE2\x80\xAEx\nb: !\xC2\x9B\n");
  for (const auto& found : r.findings)
    for (unsigned char c : found.message)
      EXPECT_NE(c, 0x9B);
  ASSERT_GE(r.findings.size(), 2u);
  EXPECT_EQ(r.findings[0].message, "unknown alias: expected an earlier anchor `\\u{202E}x`");
}

} // namespace
} // namespace tikc::yaml
