#include "YamlFixture.h"

#include <sys/resource.h>

#include <thread>

namespace tikc::yaml {
namespace {

Limits with(auto set) {
  Limits limits;
  set(limits);
  return limits;
}

TEST(YamlLimits, Nesting) {
  for (std::string open : {"[", "{a: ", "- ", "[{a: "}) {
    SCOPED_TRACE(open);
    YamlReading r(repeat(open, 10'000));
    ASSERT_EQ(r.findings.size(), 1u);
    EXPECT_EQ(r.findings[0].code, diag::Code::NestingTooDeep);
    EXPECT_FALSE(r.tree.documents[0].complete);
  }
  EXPECT_EQ(YamlReading(repeat("[", 65)).places(), std::vector<std::string>{"TK0006 1:65-1:66"});
  EXPECT_EQ(YamlReading(repeat("- ", 64) + "x").places(), std::vector<std::string>{});
  EXPECT_EQ(YamlReading(repeat("- ", 65) + "x").places(),
            std::vector<std::string>{"TK0006 1:129-1:130"});
  EXPECT_EQ(YamlReading(repeat("[", 64) + repeat("]", 64)).places(), std::vector<std::string>{});
  // A copy may nest deeper than what it was copied from.
  YamlReading copied("a: &a " + repeat("[", 40) + repeat("]", 40) + "\nb: " + repeat("[", 40) +
                     "*a" + repeat("]", 40) + "\n");
  EXPECT_EQ(copied.places(), std::vector<std::string>{"TK0006 2:44-2:46"});
}

TEST(YamlLimits, NestingNeedsLittleStack) {
  // RUNTIME: threads of the compiler have at least 1 MiB; the parser alone takes that for some 500
  // levels.
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 1 << 20);
  pthread_t thread;
  auto body = [](void*) -> void* {
    YamlReading(repeat("[", 100'000));
    YamlReading(repeat("- ", 64) + "x");
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, body, nullptr), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

TEST(YamlLimits, Documents) {
  auto limits = with([](Limits& l) { l.documents = 3; });
  EXPECT_EQ(YamlReading("a\n---\nb\n---\nc\n", limits).places(), std::vector<std::string>{});
  YamlReading r("a\n---\nb\n---\nc\n---\nd\n", limits);
  EXPECT_EQ(r.places(), std::vector<std::string>{"TK0005 6:1-6:4"});
  EXPECT_EQ(r.tree.documents.size(), 3u);
}

TEST(YamlLimits, Nodes) {
  auto limits = with([](Limits& l) { l.nodes = 5; });
  EXPECT_EQ(YamlReading("[a, b, c, d]", limits).places(), std::vector<std::string>{});
  EXPECT_EQ(YamlReading("[a, b, c, d, e]", limits).places(),
            std::vector<std::string>{"TK0007 1:14-1:15"});
  EXPECT_EQ(YamlReading("a: 1\nb: 2\nc: 3\n", limits).findings.size(), 1u);
  // Over the whole file.
  EXPECT_EQ(YamlReading("[a]\n---\n[b]\n---\n[c]\n", limits).findings.size(), 1u);
}

TEST(YamlLimits, Aliases) {
  std::string bomb = "a: &a [x, x, x, x, x, x, x, x, x, x]\n";
  for (char c = 'b'; c < 'k'; ++c)
    bomb += std::string(1, c) + ": &" + c + " [" +
            repeat(std::string("*") + char(c - 1) + ", ", 10) + "]\n";
  YamlReading r(bomb);
  ASSERT_EQ(r.findings.size(), 1u);
  EXPECT_EQ(r.findings[0].code, diag::Code::AliasExpansion);

  // A few nodes with much text weigh as much as many.
  YamlReading texts("a: &a \"" + std::string(1 << 20, 'x') + "\"\nb:\n" +
                    repeat("- *a\n", 100'000));
  ASSERT_EQ(texts.findings.size(), 1u);
  EXPECT_EQ(texts.findings[0].code, diag::Code::AliasExpansion);

  auto limits = with([](Limits& l) { l.aliasExpansion = 4; });
  EXPECT_EQ(YamlReading("a: &a [x]\nb: *a\nc: *a\n", limits).places(), std::vector<std::string>{});
  EXPECT_EQ(YamlReading("a: &a [x]\nb: *a\nc: *a\nd: *a\ne: *a\n", limits).places(),
            std::vector<std::string>{"TK0008 4:4-4:6"});
}

TEST(YamlLimits, Findings) {
  YamlReading r(repeat(",", 100'000));
  ASSERT_EQ(r.findings.size(), 1001u);
}

// What never comes back, or takes time beyond all measure, runs into the time-out of the test.
TEST(YamlLimits, HostileTextsComeBack) {
  std::string stairs;
  for (int i = 0; i < 1000; ++i)
    stairs += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
  std::string map, duplicates;
  for (int i = 0; i < 10'000; ++i) {
    map += "key" + std::to_string(i) + ": v\n";
    duplicates += "k: v\n";
  }
  std::vector<std::pair<std::string, std::string>> texts = {
      {"brackets", repeat("[", 1 << 18)},
      {"closed brackets", repeat("[]", 1 << 16)},
      {"a sound list on one line", "a: [" + repeat("a,", 1 << 20) + "a]"},
      {"plain", "a: " + std::string(1 << 18, 'x')},
      {"double", "a: \"" + std::string(1 << 18, 'x') + "\""},
      {"unclosed", "a: \"" + std::string(1 << 18, 'x')},
      {"quotes", repeat("'\n", 1 << 16)},
      {"mixed quotes", repeat("- '\n- \"\n", 1 << 18)},
      {"escapes", "\"" + repeat("\\q", 1 << 16) + "\""},
      {"line breaks", repeat("\n", 1 << 18)},
      {"tabs", repeat("\t", 1 << 18) + "x"},
      {"blanks", repeat(" \n", 1 << 16) + "x"},
      {"carriage returns", repeat("\r", 1 << 18)},
      {"no text", repeat("\xFF", 1 << 18)},
      {"zeros", std::string(1 << 18, '\0')},
      {"literal", "a: |\n" + repeat("  x\n", 1 << 16)},
      {"literal of empty lines", "a: |+\n" + repeat("\n", 1 << 16)},
      {"folded", "a: >\n" + repeat("  x\n\n", 1 << 15)},
      {"long plain", "a: x\n" + repeat("  x\n", 1 << 15)},
      {"comments", repeat("# c\n", 1 << 16)},
      {"questions", repeat("? ", 1 << 16)},
      {"colons", "{" + repeat(":,", 1 << 15)},
      {"tags", repeat("!x ", 1 << 16)},
      {"anchors", repeat("&x ", 1 << 15)},
      {"aliases", repeat("*x ", 1 << 16)},
      {"documents", repeat("---\n", 1 << 16)},
      {"percents", repeat("%\n", 1 << 15)},
      {"calls", "[" + repeat("f(a, ", 1 << 15)},
      {"map", map},
      {"duplicates", duplicates},
      {"stairs", stairs},
  };
  for (const auto& [name, text] : texts) {
    SCOPED_TRACE(name);
    YamlReading r(text);
    EXPECT_LE(r.findings.size(), r.limits.findings + 1);
  }
}

TEST(YamlLimits, AWideMapHasItsDuplicatesFound) {
  std::string text;
  for (int i = 0; i < 50'000; ++i)
    text += "key" + std::to_string(i) + ": v\n";
  YamlReading r(text + "key7: again\n");
  EXPECT_EQ(r.places(), std::vector<std::string>{"TK1002 50001:1-50001:5"});
}

} // namespace
} // namespace tikc::yaml
