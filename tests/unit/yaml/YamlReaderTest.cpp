#include "YamlFixture.h"

namespace tikc::yaml {
namespace {

struct ScalarCase {
  const char* name;
  std::string text;  // the value of the key `k`, as written behind `k: `
  std::string span;  // the bytes that the node covers
  std::string value; // decoded
  Style style;
};

// Literal examples of the YAML 1.2.2 specification (chapters 7 and 8), and what it says they mean.
const std::vector<ScalarCase>& scalarCases() {
  static const std::vector<ScalarCase> cases = {
      {"plain", "two words # c", "two words", "two words", Style::Plain},
      {"plain folded", "a\n  b\n\n  c", "a\n  b\n\n  c", "a b\nc", Style::Plain},
      {"plain with quotes", "say \"hi\", it's", "say \"hi\", it's", "say \"hi\", it's",
       Style::Plain},
      {"plain colon", "a:b http://x", "a:b http://x", "a:b http://x", Style::Plain},
      {"plain hash", "a#b", "a#b", "a#b", Style::Plain},
      {"plain non-ASCII", "größe 日本 🙂", "größe 日本 🙂", "größe 日本 🙂",
       Style::Plain},
      {"single", "'it''s'", "'it''s'", "it's", Style::SingleQuoted},
      {"single folded", "' 1st\n\n  2nd \n  3rd '", "' 1st\n\n  2nd \n  3rd '", " 1st\n2nd 3rd ",
       Style::SingleQuoted},
      {"single keeps backslash", "'a\\nb'", "'a\\nb'", "a\\nb", Style::SingleQuoted},
      {"double", R"("\x41\u00e9\U0001F600\n\"\\\/")", R"("\x41\u00e9\U0001F600\n\"\\\/")",
       "A\u00e9\U0001F600\n\"\\/", Style::DoubleQuoted},
      {"double all escapes but one", R"("\a\b\t\n\v\f\r\e\ \N\_\L\P")",
       R"("\a\b\t\n\v\f\r\e\ \N\_\L\P")",
       std::string("\a\b\t\n\v\f\r\x1b \u0085\u00a0\u2028\u2029", 19), Style::DoubleQuoted},
      {"double folded",
       "\"folded \n  to a space,\t\n   \n  to a line feed, or \t\\\n   \\ \tnon-content\"",
       "\"folded \n  to a space,\t\n   \n  to a line feed, or \t\\\n   \\ \tnon-content\"",
       "folded to a space,\nto a line feed, or \t \tnon-content", Style::DoubleQuoted},
      {"double ends with breaks", "\"a\n\n\n  \"", "\"a\n\n\n  \"", "a\n\n", Style::DoubleQuoted},
      {"literal", "|\n  literal\n  \ttext\n\n\n", "|\n  literal\n  \ttext", "literal\n\ttext\n",
       Style::Literal},
      {"literal strip", "|-\n  text\n\n", "|-\n  text", "text", Style::Literal},
      {"literal keep", "|+\n  text\n\n", "|+\n  text", "text\n\n", Style::Literal},
      {"literal indicator", "|2 # c\n   x\n  y\n", "|2 # c\n   x\n  y", " x\ny\n", Style::Literal},
      {"literal first lines empty", "|\n\n    \n  a\n", "|\n\n    \n  a", "\n\na\n",
       Style::Literal},
      {"literal with marks", "|\n  # no comment\n  - \"x: [\n", "|\n  # no comment\n  - \"x: [",
       "# no comment\n- \"x: [\n", Style::Literal},
      {"literal nothing", "|\n", "|", "", Style::Literal},
      {"literal at end of file", "|\n  x", "|\n  x", "x", Style::Literal},
      {"folded",
       ">\n\n folded\n line\n\n next\n line\n   * bullet\n\n   * list\n   * lines\n\n last\n "
       "line\n\n",
       ">\n\n folded\n line\n\n next\n line\n   * bullet\n\n   * list\n   * lines\n\n last\n line",
       "\nfolded line\nnext line\n  * bullet\n\n  * list\n  * lines\n\nlast line\n", Style::Folded},
      {"folded strip", ">-\n  a\n  b\n", ">-\n  a\n  b", "a b", Style::Folded},
      {"folded keep", ">+\n  a\n\n\n", ">+\n  a", "a\n\n\n", Style::Folded},
  };
  return cases;
}

std::string withCrlf(std::string_view text) {
  std::string out;
  for (char c : text)
    out += c == '\n' ? std::string("\r\n") : std::string(1, c);
  return out;
}

void check(const ScalarCase& item, bool crlf, bool mark, const std::string& before) {
  SCOPED_TRACE(std::string(item.name) + (crlf ? ", CRLF" : "") + (mark ? ", byte-order mark" : ""));
  std::string text = before + "k: " + item.text;
  bool more = text.ends_with('\n');
  if (more)
    text += "z: 1\n";
  if (crlf)
    text = withCrlf(text);
  if (mark)
    text = "\xEF\xBB\xBF" + text;
  YamlReading r(text);
  EXPECT_EQ(r.places(), std::vector<std::string>{});
  const Node& node = r.value("k");
  EXPECT_EQ(r.at(node.span), crlf ? withCrlf(item.span) : item.span);
  EXPECT_EQ(node.value, item.value);
  EXPECT_EQ(node.style, item.style);
  EXPECT_EQ(node.type, ScalarType::String);
  if (more) {
    EXPECT_EQ(r.at(r.value("z").span), "1");
  }
}

TEST(YamlReader, EveryScalarStyle) {
  for (const ScalarCase& item : scalarCases())
    for (bool crlf : {false, true})
      for (bool mark : {false, true})
        check(item, crlf, mark, crlf ? "größe: 🙂 # é\n" : "");
}

TEST(YamlReader, PlacesOfCollections) {
  YamlReading r("m:\n  a: [1, {b: c}, ]  # x\n  d:\n  - e\n  -\n  - f: g\no: {\"h\":1, i: , j}\n");
  EXPECT_EQ(r.places(), std::vector<std::string>{});
  const Node& m = r.value("m");
  EXPECT_EQ(r.at(m.span), "a: [1, {b: c}, ]  # x\n  d:\n  - e\n  -\n  - f: g");
  EXPECT_EQ(r.at(m.entries[0].span), "a: [1, {b: c}, ]");
  EXPECT_TRUE(m.entries[0].value->flow);
  EXPECT_TRUE(m.entries[0].value->items[1]->entries[0].value->inFlow);
  EXPECT_FALSE(m.inFlow);
  const Node& d = *m.entries[1].value;
  EXPECT_EQ(r.at(d.span), "- e\n  -\n  - f: g");
  EXPECT_EQ(d.items[1]->style, Style::Empty);
  EXPECT_TRUE(d.items[1]->isNull());
  EXPECT_EQ(d.items[1]->span.begin, r.sources.get(r.file).text.find("-\n  - f") + 1);
  const Node& o = r.value("o");
  EXPECT_EQ(r.at(o.span), "{\"h\":1, i: , j}");
  EXPECT_EQ(r.at(o.entries[0].span), "\"h\":1");
  EXPECT_EQ(r.at(o.entries[2].key->span), "j");
  EXPECT_EQ(r.at(r.root().span),
            "m:\n  a: [1, {b: c}, ]  # x\n  d:\n  - e\n  -\n  - f: g\no: {\"h\":1, i: , j}");
}

TEST(YamlReader, SinglePairInAList) {
  YamlReading r("[a: b, \"c\": d, e]");
  ASSERT_EQ(r.root().items.size(), 3u);
  EXPECT_EQ(r.root().items[0]->kind, Node::Kind::Mapping);
  EXPECT_EQ(r.at(r.root().items[0]->span), "a: b");
  EXPECT_EQ(r.at(r.root().items[1]->span), "\"c\": d");
  EXPECT_EQ(r.at(r.root().items[2]->span), "e");
}

TEST(YamlReader, ANullIsEmptyOrWritten) {
  // The parser marks an empty value at the next token, which may itself be a null.
  YamlReading r("- &x\n- null\n- &y ~\n- a:\n  b: null\n- {c: , d: ~}\n- \n- [null, x]\n");
  const auto& items = r.root().items;
  ASSERT_EQ(items.size(), 7u);
  EXPECT_EQ(items[0]->style, Style::Empty);
  EXPECT_EQ(r.at(items[1]->span), "null");
  EXPECT_EQ(r.at(items[2]->span), "~");
  EXPECT_EQ(items[3]->entries[0].value->style, Style::Empty);
  EXPECT_EQ(r.at(items[3]->entries[1].value->span), "null");
  EXPECT_EQ(items[4]->entries[0].value->style, Style::Empty);
  EXPECT_EQ(r.at(items[4]->entries[1].value->span), "~");
  EXPECT_EQ(items[5]->style, Style::Empty);
  EXPECT_EQ(r.at(items[6]->items[0]->span), "null");
}

TEST(YamlReader, QuestionMarksInsideBrackets) {
  YamlReading r("{a: why? yes, b?: what?, c: [?d, e?]}");
  EXPECT_EQ(r.places(), std::vector<std::string>{});
  EXPECT_EQ(r.value("a").value, "why? yes");
  EXPECT_EQ(r.value("b?").value, "what?");
  EXPECT_EQ(r.value("c").items[0]->value, "?d");
}

TEST(YamlReader, CommentsNeverComeFromScalars) {
  YamlReading r(
      "# own\na: 'x # no' # yes\nb: |  # head\n  # no\n  text\n   # own too\nc: [ # in\n  "
      "\"# no\", d#no ]\n--- # mark\ne: >\n  x\n# last");
  std::vector<std::pair<std::string, bool>> got;
  for (const Comment& comment : r.tree.comments)
    got.emplace_back(std::string(r.at(comment.span)), comment.ownLine);
  std::vector<std::pair<std::string, bool>> want = {{"# own", true},   {"# yes", false},
                                                    {"# head", false}, {"# in", false},
                                                    {"# mark", false}, {"# last", true}};
  EXPECT_EQ(got, want);
}

TEST(YamlReader, AliasesAreCopiesThatRememberBothPlaces) {
  YamlReading r("a: &n {x: [1]}\nb: *n\n*k : 1\n");
  EXPECT_EQ(r.places(), std::vector<std::string>{"TK1007 3:1-3:3"});
  const Node& b = r.value("b");
  EXPECT_EQ(r.at(b.aliasSpan), "*n");
  EXPECT_EQ(r.at(b.span), "{x: [1]}");
  EXPECT_EQ(r.at(b.entries[0].value->items[0]->span), "1");
  EXPECT_EQ(r.at(b.entries[0].value->items[0]->aliasSpan), "*n");
  EXPECT_FALSE(r.value("a").aliasSpan.valid());
}

TEST(YamlReader, AnAnchorDoesNotMoveTheIndentation) {
  YamlReading r("- &a |\n  text\n   more\n- &b folded\n  on\n- [*a, *b]\n");
  EXPECT_EQ(r.places(), std::vector<std::string>{});
  EXPECT_EQ(r.root().items[2]->items[0]->value, "text\n more\n");
  EXPECT_EQ(r.root().items[2]->items[1]->value, "folded on");
}

TEST(YamlReader, Documents) {
  YamlReading r(
      "a: 1\n---\n---  # empty\n--- [x]\n--- |\n  text\n...\n# between\n%YAML 1.2\n---\nb: "
      "2\n...\n");
  EXPECT_EQ(r.places(), std::vector<std::string>{});
  ASSERT_EQ(r.tree.documents.size(), 6u);
  EXPECT_EQ(r.root(1).style, Style::Empty);
  EXPECT_EQ(r.root(2).style, Style::Empty);
  EXPECT_EQ(r.root(3).kind, Node::Kind::Sequence);
  EXPECT_EQ(r.root(4).value, "text\n");
  EXPECT_EQ(r.root(5).entries.size(), 1u);
  for (std::size_t i = 1; i < 6; ++i)
    EXPECT_EQ(r.tree.documents[i].span.begin, r.tree.documents[i - 1].span.end);
  EXPECT_TRUE(YamlReading("").tree.documents.empty());
  EXPECT_TRUE(YamlReading("# nothing\n\n").tree.documents.empty());
}

TEST(YamlReader, CoreSchema) {
  auto is = [](ScalarType type, std::initializer_list<std::string_view> texts) {
    for (auto text : texts)
      EXPECT_EQ(coreType(text), type) << text;
  };
  is(ScalarType::Null, {"", "~", "null", "Null", "NULL"});
  is(ScalarType::Bool, {"true", "True", "TRUE", "false", "False", "FALSE"});
  is(ScalarType::Int, {"0", "-1", "+12", "010", "0o17", "0xFf", "123456789012345678901234567890"});
  is(ScalarType::Float,
     {"1.", ".5", "-.5", "1e-4", "1.5E+3", "+1.0", ".inf", "-.Inf", "+.INF", ".nan", ".NaN"});
  is(ScalarType::String,
     {"nULL", "yes", "on",  "1_000", "0.5_2", "1e",    "e1",  ".",  "-",     "+", "--1",
      "0o8",  "0x",  "0xg", "-0x1",  "1.2.3", "-.nan", "inf", "1 ", "12:30", "."});
  YamlReading r("a: \"1\"\nb: 'true'\nc: !x\n");
  EXPECT_EQ(r.value("a").type, ScalarType::String);
  EXPECT_EQ(r.value("b").type, ScalarType::String);
}

TEST(YamlReader, AFaultKeepsWhatStandsBeforeItAndTheNextDocument) {
  YamlReading r("a: 1\nb: {c: 2}\n  d: 3\n---\ne: 4\n");
  EXPECT_EQ(r.places().size(), 1u);
  ASSERT_EQ(r.tree.documents.size(), 2u);
  EXPECT_FALSE(r.tree.documents[0].complete);
  EXPECT_EQ(r.value("a").value, "1");
  EXPECT_EQ(r.value("b").entries[0].value->value, "2");
  EXPECT_TRUE(r.tree.documents[1].complete);
  EXPECT_EQ(r.root(1).find("e")->value, "4");
}

} // namespace
} // namespace tikc::yaml
