#include "unit/expr/ExprFixture.h"

#include <gtest/gtest.h>

namespace tikc::expr {
namespace {

struct Fault {
  Form form;
  std::string_view text; // « » around what the finding points at
  std::string_view code;
  std::string_view message; // a part of it; empty: any
  std::string_view fixed;   // what the first fix makes of the text; empty: no fix
};

constexpr Form R = Form::Requirement, P = Form::Predicate, T = Form::Trigger, C = Form::Call,
               Q = Form::Quantity;

constexpr Fault faults[] = {
    // What stands where something else was expected.
    {R, "p99(logit_osc)«»", "TK3001",
     "expected a comparison such as `<= 0.1` after `p99(logit_osc)`, found the end", ""},
    {R, "p99(logit_osc) «0.1»", "TK3001", "found `0.1`", ""},
    {R, "p99(logit_osc) <=«»", "TK3001", "expected a number after `<=`, found the end", ""},
    {R, "p99 «logit_osc» <= 0.1", "TK3001", "expected `(` after `p99`, found `logit_osc`",
     "p99(logit_osc) <= 0.1"},
    {R, "p99(x «y») <= 0.1", "TK3001", "expected `,` or `)` after `x`, found `y`", ""},
    {R, "p99(x,«)» <= 0.1", "TK3001", "expected an argument after `,`", ""},
    {R, "mean(tv) <= 1 and«»", "TK3001",
     "expected a requirement such as `mean(tv) <= 0.05` after `and`", ""},
    {R, "mean(tv) <= 0.1 nat «5»", "TK3001",
     "expected `on`, `over`, `with confidence`, `and` or the end after `0.1 nat`", ""},
    {R, "mean(tv) <= 1 on«»", "TK3001",
     "expected `all`, `slices` or the names of slices after `on`", ""},
    {R, "mean(tv) <= 1 on all «slices»", "TK3001", "after `all`", ""},
    {R, "mean(tv) <= 1 with «99»%", "TK3001", "expected `confidence` after `with`",
     "mean(tv) <= 1 with confidence 99%"},
    {R, "mean(tv) <= 1 «confidence» 99%", "TK3001", "", "mean(tv) <= 1 with confidence 99%"},
    {R, "mean(tv) <= 1 «for» 10 min", "TK3001", "", "mean(tv) <= 1 over 10 min"},
    {R, "mean(tv) <= 1 over «step»", "TK3001", "", "mean(tv) <= 1 over 1 step"},
    {R, "mean(tv) <= 1 over «a» window", "TK3001", "", "mean(tv) <= 1 over 1 windows"},
    {R, "mean(tv) <= 1 over «week»", "TK3001", "", ""},
    {T, "violated(a) for «window»", "TK3001", "", "violated(a) for 1 windows"},
    {R, "mean(x) <= 0.1 nat«/»token", "TK3002", "the metric, not the unit,", "mean(x) <= 0.1 nat"},
    {R, "mean(x) <= 5 ms «/» response over 1 h", "TK3002", "", "mean(x) <= 5 ms over 1 h"},
    {R, "mean(x) <= 5 tokens«/»s", "TK3002", "expected `per`", "mean(x) <= 5 tokens per s"},
    {R, "mean(x) <= 0.1 nat per «token»", "TK3006", "a rate is per time", "mean(x) <= 0.1 nat"},
    {T, "violated(a) «over» 2 windows", "TK3001", "", "violated(a) for 2 windows"},
    {R, "mean(tv) in «(»0, 1)", "TK3001", "expected a range such as `[0, 1]`",
     "mean(tv) in [0, 1]"},
    {R, "mean(tv) in [0 «1»]", "TK3001", "expected a unit or `,` after `0`", ""},
    {R, "max(x) <= 0«,»1", "TK3001", "", "max(x) <= 0.1"},
    {R, "max(x) <= 1«,»000 tokens", "TK3001", "", "max(x) <= 1_000 tokens"},
    {Q, "1 «000» tokens", "TK3001", "", "1_000 tokens"},
    {P, "task in «(»\"math\", \"code\")", "TK3001", "expected a set",
     "task in {\"math\", \"code\"}"},
    {P, "not x in «[»1, 5]", "TK3001", "expected a set", "not (x >= 1 and x <= 5)"},
    {P, "task «not» in {\"math\"}", "TK3001", "", "not task in {\"math\"}"},
    {P, "task == math«-»hard", "TK3001", "", "task == \"math-hard\""},
    {P, "top_p > 1 and task«»", "TK3001",
     "expected a comparison such as `>= 8192` after `task`, found the end", ""},
    {P, "(a > 1) «>» 2", "TK3001", "expected `and`, `or` or the end after `(a > 1)`", ""},
    {P, "task in {«}»", "TK3001", "expected a quoted text or a name after `{`", ""},
    {T, "violated«»", "TK3001", "expected `(` after `violated`", ""},
    {T, "violated(«)»", "TK3001", "expected an argument", ""},
    {T, "(violated(a)) «for» 2 windows", "TK3001", "", ""},
    {C, "alert «\"x\"»", "TK3001", "expected `(` or the end after `alert`", ""},
    {C, "«5»", "TK3001", "expected a call such as", ""},
    {Q, "«ten» min", "TK3001", "expected a number with its unit", ""},
    {Q, "5 tokens per«»", "TK3001", "expected a unit such as `s` after `per`", ""},
    // Characters from elsewhere.
    {R, "max(x) «≤» 0.1", "TK3002", "unexpected `≤` in an expression: expected `<=`",
     "max(x) <= 0.1"},
    {P, "task == «“»math”", "TK3002", "expected `\"`", "task == \"math\""},
    {R, "max(x) <= «–»0.1", "TK3002", "expected `-`", "max(x) <= -0.1"},
    {R, "max(x)«\u00A0»<= 0.1", "TK3002", "expected an ordinary space", "max(x) <= 0.1"},
    {R, "max(x«\u200B») <= 0.1", "TK3002", "it is invisible", "max(x) <= 0.1"},
    {R, "m«\u0430»x(x) <= 0.1", "TK3002", "expected `a`", "max(x) <= 0.1"},
    {Q, "10 «µ»s", "TK3002", "expected `u`", "10 us"},
    {Q, "200«/»s", "TK3002", "expected `per`", "200 per s"},
    {R, "max(x) <= «+»0.1", "TK3002", "", "max(x) <= 0.1"},
    {Q, "10 «м»ин", "TK3002", "", ""},
    {R, "max(x) <= 1«;»", "TK3002", "", ""},
    // Brackets and quotes.
    {R, "p99«(»logit_osc <= 0.1", "TK3003", "", "p99(logit_osc) <= 0.1"},
    {R, "p99«(»logit_osc] <= 0.1", "TK3003", "", "p99(logit_osc) <= 0.1"},
    {P, "«(»a > 1 and b > 2", "TK3003", "", "(a > 1 and b > 2)"},
    {P, "task in «{»\"math\"", "TK3003", "", "task in {\"math\"}"},
    {R, "p99(x)«)» <= 0.1", "TK3018", "", "p99(x) <= 0.1"},
    {P, "task == «\"»math", "TK3004", "", "task == \"math\""},
    {P, "task == \"ma«\\q»th\"", "TK3012", "", "task == \"ma\\\\qth\""},
    // Numbers and units.
    {R, "max(x) <= «0.5_2»", "TK3005", "`_` may group thousands only before the point",
     "max(x) <= 0.52"},
    {Q, "«1__000» tokens", "TK3005", "three digits after it", "1000 tokens"},
    {Q, "«10_00» tokens", "TK3005", "three digits after it", "1000 tokens"},
    {Q, "«1_000_» tokens", "TK3005", "", "1000 tokens"},
    {Q, "«1e1_0» tokens", "TK3005", "an exponent cannot contain `_`", "1e10 tokens"},
    {R, "max(x) <= «.5»", "TK3005", "before the point", "max(x) <= 0.5"},
    {R, "max(x) <= «5.» nat", "TK3005", "after the point", "max(x) <= 5 nat"},
    {R, "max(x) <= «1.2.3»", "TK3005", "more than one point", ""},
    {R, "max(x) <= «0x1F»", "TK3005", "decimal", ""},
    {R, "max(x) <= «1e»", "TK3005", "no digits", ""},
    {Q, "10 «sec»", "TK3006", "expected `s`", "10 s"},
    {Q, "10 «minutes»", "TK3006", "expected `min`", "10 min"},
    {Q, "10«m»", "TK3006", "did you mean `min`?", "10min"},
    {Q, "10 «token»", "TK3006", "expected `tokens`", "10 tokens"},
    {Q, "10 «rows»", "TK3006", "did you mean `tokens`?", "10 tokens"},
    {Q, "10 «MB»", "TK3006", "did you mean `MiB`?", "10 MiB"},
    {Q, "10 «seqences»", "TK3006", "did you mean `sequences`?", "10 sequences"},
    {Q, "99 «percent»", "TK3006", "expected `%`", "99 %"},
    {R, "max(x) <= 10 «S» over 5 min", "TK3006", "did you mean `s`?", "max(x) <= 10 s over 5 min"},
    {R, "max(x) <= 1 over 2«M» tokens", "TK3006", "", "max(x) <= 1 over 2_000_000 tokens"},
    {Q, "5 per «second»", "TK3006", "expected `s`", "5 per s"},
    {Q, "5 per «tokens»", "TK3006", "", ""},
    {Q, "5 «parsecs»", "TK3006", "", ""},
    {Q, "«1e999»", "TK3007", "", ""},
    {Q, "«1e-401»", "TK3007", "", ""},
    {Q, "«1e99999999999999999999» s", "TK3007", "", ""},
    // Signs and words of other languages.
    {P, "task «=» \"math\"", "TK3008", "", "task == \"math\""},
    {R, "max(x) «=» 1", "TK3008", "", "max(x) == 1"},
    {R, "max(x) «=<» 1", "TK3009", "expected `<=`", "max(x) <= 1"},
    {R, "max(x) «=>» 1", "TK3009", "expected `>=`", "max(x) >= 1"},
    {P, "a «<>» 1", "TK3009", "expected `!=`", "a != 1"},
    {P, "a «===» 1", "TK3009", "expected `==`", "a == 1"},
    {R, "0 <= mean(x) «<=» 0.1", "TK3010", "", "mean(x) in [0, 0.1]"},
    {R, "0 < mean(x) «<=» 0.1 nat", "TK3010", "", "mean(x) > 0 and mean(x) <= 0.1 nat"},
    {R, "0 < mean(x) «<=» 0.1 nat over 1 h", "TK3010", "",
     "mean(x) > 0 over 1 h and mean(x) <= 0.1 nat over 1 h"},
    {P, "1 < x «<» 5", "TK3010", "", "x > 1 and x < 5"},
    {R, "max(x) <= 1 over 10 min «over 5 min»", "TK3011", "already has a window",
     "max(x) <= 1 over 10 min"},
    {R, "max(x) <= 1 on all with confidence 9% «on math»", "TK3011", "a scope",
     "max(x) <= 1 on all with confidence 9%"},
    {R, "max(x) <= 1 with confidence 9% «with confidence 8%»", "TK3011", "a confidence level",
     "max(x) <= 1 with confidence 9%"},
    {R, "max(x) <= 1 and min(x) >= 0 «on math»", "TK3019", "to `min(x) >= 0` alone",
     "max(x) <= 1 on math and min(x) >= 0 on math"},
    {R, "max(x) <= 1 on math and min(x) >= 0 on math «over 1 h»", "TK3019", "",
     "max(x) <= 1 on math over 1 h and min(x) >= 0 on math over 1 h"},
    {R, "a(x) <= 1 and b(x) >= 0 with confidence 9% and c(x) >= 0 «with confidence 9%»", "TK3019",
     "",
     "a(x) <= 1 with confidence 9% and b(x) >= 0 with confidence 9% and c(x) >= 0 with confidence "
     "9%"},
    {T, "violated(«over»)", "TK3014", "", ""},
    {R, "«over» <= 1", "TK3014", "", ""},
    {C, "retain(violations, «for»=30 d)", "TK3014", "", ""},
    {P, "a > 1 «&&» b > 1", "TK3015", "unexpected `&&`: expected `and`", "a > 1 and b > 1"},
    {P, "a > 1«||»b > 1", "TK3015", "unexpected `||`: expected `or`", "a > 1 or b > 1"},
    {P, "«!»task == \"x\"", "TK3015", "", "not task == \"x\""},
    {P, "a > 1 «AND» b > 1", "TK3015", "unexpected `AND`: expected `and`", "a > 1 and b > 1"},
    {P, "«Not» a > 1", "TK3015", "", "not a > 1"},
    {R, "max(x) <= 1 «OVER» 10 min", "TK3015", "", "max(x) <= 1 over 10 min"},
    {R, "max(x) «!=» 1", "TK3016", "", ""},
    {R, "«0.1» >= p99(x)", "TK3017", "", "p99(x) <= 0.1"},
};

struct Marked {
  std::string text;
  std::size_t begin = 0, end = 0;
};

Marked marked(std::string_view source) {
  Marked out;
  static constexpr std::string_view opening = "«", closing = "»";
  std::size_t open = source.find(opening), close = source.find(closing);
  std::size_t inside = open + opening.size();
  out.begin = open;
  out.end = open + (close - inside);
  out.text = source.substr(0, open);
  out.text += source.substr(inside, close - inside);
  out.text += source.substr(close + closing.size());
  return out;
}

enum class Quoting { Plain, Single, Double, Escaped, Folded, Literal };
constexpr Quoting ways[] = {Quoting::Plain,   Quoting::Single, Quoting::Double,
                            Quoting::Escaped, Quoting::Folded, Quoting::Literal};

/// A YAML file whose key `k` holds the text, and where the marked bytes then stand: worked out
/// apart from the code under test.
struct Embedded {
  std::string file;
  std::size_t begin = 0, end = 0;
};

Embedded embed(const Marked& m, Quoting way, std::string_view eol) {
  Embedded out;
  out.file = "# ünïcödé" + std::string(eol) + "k: ";
  bool block = way == Quoting::Folded || way == Quoting::Literal;
  if (block)
    out.file += (way == Quoting::Folded ? ">-" : "|-") + std::string(eol) + "  ";
  if (way == Quoting::Single)
    out.file += '\'';
  if (way == Quoting::Double || way == Quoting::Escaped)
    out.file += '"';
  for (std::size_t i = 0; i <= m.text.size(); ++i) {
    if (i == m.begin)
      out.begin = out.end = out.file.size();
    if (i == m.end && m.end > m.begin)
      out.end = out.file.size();
    if (i == m.text.size())
      break;
    char c = m.text[i];
    bool foldable = c == ' ' && i > 0 && i + 1 < m.text.size() && m.text[i - 1] != ' ' &&
                    m.text[i + 1] != ' ' && (i < m.begin || i >= m.end);
    if (way == Quoting::Single && c == '\'')
      out.file += "''";
    else if ((way == Quoting::Double || way == Quoting::Escaped) && (c == '"' || c == '\\'))
      out.file.append("\\").append(1, c);
    else if (way == Quoting::Escaped && (c == 'a' || c == '(' || c == '='))
      out.file += c == 'a' ? "\\x61" : c == '(' ? "\\u0028" : "\\U0000003d";
    else if ((way == Quoting::Folded || way == Quoting::Literal) && foldable)
      out.file += std::string(eol) + "  ";
    else
      out.file += c;
  }
  if (way == Quoting::Single)
    out.file += '\'';
  if (way == Quoting::Double || way == Quoting::Escaped)
    out.file += '"';
  out.file += eol;
  return out;
}

/// Whether a plain scalar could not hold the text, or would mean other YAML.
bool isPlain(std::string_view text) {
  return std::string_view("[{\"'!&*%@`,>|#-?:").find(text.front()) == std::string_view::npos &&
         text != "~";
}

TEST(ExprFault, EachIsFoundAtItsPlaceInEveryStyle) {
  for (const Fault& fault : faults) {
    Marked m = marked(fault.text);
    for (Quoting way : ways)
      for (std::string_view eol : {"\n", "\r\n"}) {
        if (way == Quoting::Plain && !isPlain(m.text))
          continue;
        SCOPED_TRACE(std::string(fault.text) + " written in way " +
                     std::to_string(static_cast<int>(way)) + (eol == "\n" ? "" : " with CRLF"));
        ExprReader reader;
        Embedded e = embed(m, way, eol);
        Reading reading = reader.readKey(fault.form, e.file);
        ASSERT_FALSE(reading);
        ASSERT_EQ(reading.findings.size(), 1u);
        const diag::Diagnostic& found = reading.findings[0];
        EXPECT_EQ(info(found.code).id, fault.code) << found.message;
        EXPECT_EQ(found.span.begin, e.begin) << e.file << found.message;
        EXPECT_EQ(found.span.end, e.end) << e.file << found.message;
        EXPECT_NE(found.message.find(fault.message), std::string::npos) << found.message;
      }
  }
}

TEST(ExprFault, FixesMakeTheFileReadInEveryStyle) {
  for (const Fault& fault : faults) {
    Marked m = marked(fault.text);
    for (Quoting way : ways) {
      if (way == Quoting::Plain && !isPlain(m.text))
        continue;
      SCOPED_TRACE(std::string(fault.text) + " written in way " +
                   std::to_string(static_cast<int>(way)));
      ExprReader reader;
      Embedded e = embed(m, way, "\n");
      Reading reading = reader.readKey(fault.form, e.file);
      ASSERT_EQ(reading.findings.size(), 1u);
      const auto& fixes = reading.findings[0].fixes;
      ASSERT_EQ(fixes.empty(), fault.fixed.empty()) << reading.findings[0].message;
      if (fixes.empty())
        continue;
      Reading repaired = reader.readKey(fault.form, applied(e.file, fixes[0]));
      Reading wanted = reader.read(fault.form, fault.fixed);
      ASSERT_TRUE(wanted) << fault.fixed;
      EXPECT_EQ(repaired.printed(), wanted.printed()) << applied(e.file, fixes[0]);
    }
  }
}

TEST(ExprFault, EveryCodeOfExpressionsIsCovered) {
  for (const diag::CodeInfo& row : diag::catalogue()) {
    if (row.id < "TK3000" || row.id >= "TK4000" || row.code == diag::Code::EmptyExpression)
      continue;
    bool covered = false;
    for (const Fault& fault : faults)
      covered |= fault.code == row.id;
    EXPECT_TRUE(covered) << row.id;
  }
}

TEST(ExprFault, NothingIsEmpty) {
  ExprReader reader;
  for (std::string_view value : {"", "''", "\"  \"", "~", "null", "|\n  \n", ">-\n"})
    for (Form form : forms) {
      Reading reading = reader.readKey(form, "k: " + std::string(value) + "\n");
      ASSERT_EQ(reading.findings.size(), 1u) << value;
      EXPECT_EQ(reading.findings[0].code, diag::Code::EmptyExpression) << value;
    }
}

// In flow style a comma or a bracket would end the plain scalar, so the fix quotes it.
TEST(ExprFault, FixesThatTheStyleCannotHoldQuoteTheScalar) {
  ExprReader reader;
  Reading block = reader.readKey(Form::Requirement, "k: 0 <= mean(x) <= 1\n");
  ASSERT_EQ(block.findings.size(), 1u);
  EXPECT_EQ(block.findings[0].fixes.size(), 1u);
  Reading flow = reader.readKey(Form::Requirement, "{ k: 0 <= mean(x) <= 1 }\n");
  ASSERT_EQ(flow.findings.size(), 1u);
  ASSERT_EQ(flow.findings[0].fixes.size(), 1u);
  EXPECT_EQ(flow.findings[0].fixes[0].edits[0].text, "'mean(x) in [0, 1]'");
  Reading quoted = reader.readKey(Form::Requirement, "{ k: '0 <= mean(x) <= 1' }\n");
  ASSERT_EQ(quoted.findings.size(), 1u);
  EXPECT_EQ(quoted.findings[0].fixes.size(), 1u);
}

TEST(ExprFault, GuessesAreNotSafe) {
  ExprReader reader;
  for (std::string_view text :
       {"max(x) <= 0,1", "max(x) <= 10_00 tokens", "max(x) <= 1 on all on math"}) {
    Reading reading = reader.read(Form::Requirement, text);
    ASSERT_EQ(reading.findings.size(), 1u);
    ASSERT_EQ(reading.findings[0].fixes.size(), 1u);
    EXPECT_FALSE(reading.findings[0].fixes[0].safe) << text;
  }
  for (std::string_view text : {"max(x) =< 1", "max(x) <= 0.5_2", "max(x) <= 1 sec", "max(x) ≤ 1"})
    EXPECT_TRUE(reader.read(Form::Requirement, text).findings[0].fixes[0].safe) << text;
}

TEST(ExprFault, PointsAtLineAndColumnInCharacters) {
  ExprReader reader;
  Reading reading =
      reader.readKey(Form::Predicate, "k: >-\r\n  task == \"数学\"\r\n  or lang == “é”\r\n");
  ASSERT_EQ(reading.findings.size(), 1u);
  Position at = reader.sources.position(reader.file, reading.findings[0].span.begin);
  EXPECT_EQ(at.line, 3u);
  EXPECT_EQ(at.column, 14u);

  reading =
      reader.readKey(Form::Predicate, "k: \"task == \\\"\\u00e9\\U0001F642\\\" and a => 1\"\n");
  ASSERT_EQ(reading.findings.size(), 1u);
  at = reader.sources.position(reader.file, reading.findings[0].span.begin);
  EXPECT_EQ(at.line, 1u);
  EXPECT_EQ(at.column, 40u);
  EXPECT_EQ(reader.text(reading.findings[0].span), "=>");
}

} // namespace
} // namespace tikc::expr
