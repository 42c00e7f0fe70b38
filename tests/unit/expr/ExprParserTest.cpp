#include "unit/expr/ExprFixture.h"

#include <gtest/gtest.h>

#include <thread>

namespace tikc::expr {
namespace {

using model::Comparator;
using model::Expr;
using model::Scope;
using model::Unit;

struct Written {
  Form form;
  std::string_view text;
  std::string_view printed; // empty: as written
};

// Every expression of the language's own description.
constexpr Written written[] = {
    {Form::Requirement, "max(logit_osc) <= 1", ""},
    {Form::Requirement, "p99(logit_osc) <= 0.25", ""},
    {Form::Requirement, "count(nonfinite) == 0", ""},
    {Form::Requirement, "p99(abs(logprob_gap)) <= 0.1 nat over 50_000 tokens with confidence 99%",
     "p99(abs(logprob_gap)) <= 0.1 nat over 50000 tokens with confidence 99%"},
    {Form::Requirement, "mean(k3) <= 2e-3", "mean(k3) <= 0.002"},
    {Form::Requirement, "mean(seq_tv) <= 40% over 2_000 sequences with confidence 99%",
     "mean(seq_tv) <= 40% over 2000 sequences with confidence 99%"},
    {Form::Requirement, "p99(latency) <= 45 s over 10 min", ""},
    {Form::Requirement, "max(batch_drift) <= 0.05", ""},
    {Form::Requirement, "mean(tv) <= 0.065", ""},
    {Form::Requirement, "ess >= 78%", ""},
    {Form::Requirement, "reward_drift <= 0.40", "reward_drift <= 0.4"},
    {Form::Requirement, "pg_bias <= 4.2", ""},
    {Form::Requirement, "rate(abs(logprob_gap) > 0.5) <= 1% and max(ratio) < 4", ""},
    {Form::Requirement, "mean(clipped(0.8, 1.2)) <= 5%", ""},
    {Form::Requirement, "quantile(latency, 0.9995) <= 1 min", ""},
    {Form::Requirement, "min(ess_sample) >= 0.5 over 10 min", ""},
    {Form::Requirement, "mean(ratio) in [0.98, 1.02] on all", ""},
    {Form::Requirement, "mean(tv) <= 1 on slices", "mean(tv) <= 1"},
    {Form::Requirement, "mean(tv) <= 1 with confidence 95% over 1 h on math,code",
     "mean(tv) <= 1 on math, code over 1 h with confidence 95%"},
    {Form::Predicate, "prompt_tokens >= 8192", ""},
    {Form::Predicate, "task == \"math\"", ""},
    {Form::Predicate, "task in {\"math\", code}", ""},
    {Form::Predicate, "not (task == 'chat' or top_p < 1) and temperature != 0.7",
     "not (task == \"chat\" or top_p < 1) and temperature != 0.7"},
    {Form::Trigger, "violated(finite)", ""},
    {Form::Trigger, "violated(worst_drift) for 2 windows", ""},
    {Form::Trigger, "satisfied(worst_drift) for 10 windows", ""},
    {Form::Trigger, "violated(any) and not undecided(gap) for 6 windows", ""},
    {Form::Call, "sample(logits, 0.2%)", ""},
    {Form::Call, "replay(batch, 0.1%)", ""},
    {Form::Call, "prometheus(prefix=\"tikc\")", ""},
    {Form::Call, "retain(violations, 30 d)", ""},
    {Form::Call, "alert(\"rl-oncall\")", ""},
    {Form::Call, "route(safe, probe=1%)", ""},
    {Form::Call, "rollback", ""},
    {Form::Call, "mis(0.5, 2)", ""},
    {Form::Quantity, "200_000 per s", "200000 per s"},
    {Form::Quantity, "4096 tokens", ""},
    {Form::Quantity, "20%", ""},
    {Form::Quantity, "20 %", "20%"},
    {Form::Quantity, "-1.5 nat", ""},
    {Form::Quantity, "5 MiB per s", ""},
    {Form::Quantity, "10min", "10 min"},
    {Form::Quantity, "1e-4", "0.0001"}};

TEST(ExprParser, ReadsWhatTheLanguageDescribes) {
  ExprReader reader;
  for (const Written& form : written) {
    Reading reading = reader.read(form.form, form.text);
    ASSERT_TRUE(reading) << form.text << ": "
                         << (reading.findings.empty() ? "" : reading.findings[0].message);
    EXPECT_TRUE(reading.findings.empty());
    EXPECT_EQ(reading.printed(), form.printed.empty() ? form.text : form.printed);
    EXPECT_EQ(reader.read(form.form, " " + std::string(form.text) + " ").printed(),
              reading.printed());
  }
}

TEST(ExprParser, EachEntryReadsItsOwnFormOnly) {
  ExprReader reader;
  for (std::string_view text : {"max(logit_osc) <= 1 over 10 min", "ess in [0, 1]"})
    for (Form form : {Form::Predicate, Form::Trigger, Form::Call, Form::Quantity})
      EXPECT_FALSE(reader.read(form, text)) << text;
  for (Form form : {Form::Requirement, Form::Trigger, Form::Call, Form::Quantity})
    EXPECT_FALSE(reader.read(form, "task == \"math\""));
  for (Form form : {Form::Requirement, Form::Predicate, Form::Call, Form::Quantity})
    EXPECT_FALSE(reader.read(form, "violated(gap) for 2 windows"));
  for (Form form : {Form::Requirement, Form::Predicate, Form::Trigger, Form::Quantity})
    EXPECT_FALSE(reader.read(form, "hold"));
  for (Form form : {Form::Requirement, Form::Predicate, Form::Trigger, Form::Call})
    EXPECT_FALSE(reader.read(form, "10 min"));
}

TEST(ExprParser, BuildsTheTreeOfARequirement) {
  ExprReader reader;
  std::string text =
      "p99(abs(logprob_gap)) <= 0.1 nat over 50_000 tokens with confidence 99% on math, code";
  Reading reading = reader.read(Form::Requirement, text);
  ASSERT_TRUE(reading);
  ASSERT_EQ(reading.requirement->comparisons.size(), 1u);
  const model::Comparison& c = reading.requirement->comparisons[0];
  EXPECT_EQ(reader.text(c.span), text);
  EXPECT_EQ(reader.text(c.subject.span), "p99(abs(logprob_gap))");
  EXPECT_EQ(reader.text(c.subject.nameSpan), "p99");
  ASSERT_EQ(c.subject.arguments.size(), 1u);
  EXPECT_EQ(c.subject.arguments[0].kind, Expr::Kind::Call);
  EXPECT_EQ(reader.text(c.subject.arguments[0].arguments[0].span), "logprob_gap");
  EXPECT_EQ(c.comparator, Comparator::LessEqual);
  EXPECT_EQ(reader.text(c.comparatorSpan), "<=");
  EXPECT_EQ(c.bound.value, Rational(1, 10));
  EXPECT_EQ(c.bound.unit, Unit::Nat);
  EXPECT_EQ(reader.text(c.bound.span), "0.1 nat");
  EXPECT_EQ(reader.text(c.bound.numberSpan), "0.1");
  ASSERT_TRUE(c.over);
  EXPECT_EQ(c.over->value, Rational(50000));
  EXPECT_EQ(reader.text(c.over->span), "50_000 tokens");
  ASSERT_TRUE(c.confidence);
  EXPECT_EQ(c.confidence->unit, Unit::Percent);
  EXPECT_EQ(c.scope.kind, Scope::Kind::Named);
  EXPECT_EQ(reader.text(c.scope.span), "on math, code");
  ASSERT_EQ(c.scope.slices.size(), 2u);
  EXPECT_EQ(reader.text(c.scope.slices[1].span), "code");
}

TEST(ExprParser, TellsTheUnitMinFromTheAggregate) {
  ExprReader reader;
  Reading reading = reader.read(Form::Requirement, "min(latency) >= 10 min");
  ASSERT_TRUE(reading);
  EXPECT_EQ(reading.requirement->comparisons[0].subject.text, "min");
  EXPECT_EQ(reading.requirement->comparisons[0].bound.unit, Unit::Minute);
}

TEST(ExprParser, RangeKeepsBothEnds) {
  ExprReader reader;
  Reading reading = reader.read(Form::Requirement, "mean(x) in [-1 nat, 0.5 nat]");
  ASSERT_TRUE(reading);
  const model::Comparison& c = reading.requirement->comparisons[0];
  EXPECT_EQ(reader.text(c.comparatorSpan), "in");
  EXPECT_EQ(c.bound.value, Rational(-1));
  EXPECT_EQ(reader.text(c.bound.numberSpan), "-1");
  ASSERT_TRUE(c.upper);
  EXPECT_EQ(c.upper->value, Rational(1, 2));
}

TEST(ExprParser, NotBindsClosestThenAndThenOr) {
  ExprReader reader;
  Reading reading = reader.read(Form::Predicate, "a > 1 or not b > 2 and (c > 3 or d > 4)");
  ASSERT_TRUE(reading);
  const Expr& top = *reading.expr;
  ASSERT_EQ(top.kind, Expr::Kind::Or);
  ASSERT_EQ(top.arguments.size(), 2u);
  const Expr& both = top.arguments[1];
  ASSERT_EQ(both.kind, Expr::Kind::And);
  EXPECT_EQ(reader.text(both.span), "not b > 2 and (c > 3 or d > 4)");
  EXPECT_EQ(both.arguments[0].kind, Expr::Kind::Not);
  EXPECT_EQ(both.arguments[0].arguments[0].kind, Expr::Kind::Compare);
  EXPECT_EQ(both.arguments[1].kind, Expr::Kind::Or);
  EXPECT_EQ(reader.text(both.arguments[1].arguments[0].nameSpan), ">");
}

TEST(ExprParser, SetsHoldTextsAndNames) {
  ExprReader reader;
  Reading reading = reader.read(Form::Predicate, R"(task in {"ma\"th", 'it\'s', "\\\n\t", code})");
  ASSERT_TRUE(reading);
  const Expr& set = reading.expr->arguments[1];
  EXPECT_EQ(reading.expr->kind, Expr::Kind::In);
  EXPECT_EQ(reader.text(reading.expr->nameSpan), "in");
  ASSERT_EQ(set.kind, Expr::Kind::Set);
  ASSERT_EQ(set.arguments.size(), 4u);
  EXPECT_EQ(set.arguments[0].text, "ma\"th");
  EXPECT_EQ(set.arguments[1].text, "it's");
  EXPECT_EQ(set.arguments[2].text, "\\\n\t");
  EXPECT_EQ(set.arguments[3].kind, Expr::Kind::Name);
}

TEST(ExprParser, EscapedBackslashEndsItsEscape) {
  ExprReader reader;
  Reading reading = reader.read(Form::Call, R"(alert("C:\\new"))");
  ASSERT_TRUE(reading);
  EXPECT_EQ(reading.expr->arguments[0].text, "C:\\new");
}

TEST(ExprParser, ArgumentsMayCarryNames) {
  ExprReader reader;
  Reading reading = reader.read(Form::Call, "route(safe, probe=1%)");
  ASSERT_TRUE(reading);
  ASSERT_EQ(reading.expr->arguments.size(), 2u);
  EXPECT_TRUE(reading.expr->arguments[0].keyword.text.empty());
  EXPECT_EQ(reading.expr->arguments[1].keyword.text, "probe");
  EXPECT_EQ(reader.text(reading.expr->arguments[1].keyword.span), "probe");
  EXPECT_EQ(reader.text(reading.expr->arguments[1].span), "1%");
}

TEST(ExprParser, ForCountsWindowsOfOneState) {
  ExprReader reader;
  Reading reading = reader.read(Form::Trigger, "violated(a) or satisfied(b) for 3 windows");
  ASSERT_TRUE(reading);
  const Expr& held = reading.expr->arguments[1];
  ASSERT_EQ(held.kind, Expr::Kind::For);
  EXPECT_EQ(reader.text(held.arguments[0].span), "satisfied(b)");
  EXPECT_EQ(held.arguments[1].quantity.value, Rational(3));
  EXPECT_EQ(held.arguments[1].quantity.unit, Unit::Windows);
}

TEST(ExprParser, NonAsciiTextsKeepTheirPlaces) {
  ExprReader reader;
  Reading reading = reader.read(Form::Predicate, "task in {\"数学\", \"🙂\"} and top_p < 1");
  ASSERT_TRUE(reading);
  EXPECT_EQ(reading.expr->arguments[0].arguments[1].arguments[1].text, "🙂");
  EXPECT_EQ(reader.text(reading.expr->arguments[1].span), "top_p < 1");
}

TEST(ExprParser, PassesOverWhatWasReportedAlready) {
  ExprReader reader;
  yaml::Node node;
  node.invalid = true;
  Reading reading = reader.read(Form::Requirement, node);
  EXPECT_FALSE(reading);
  EXPECT_TRUE(reading.findings.empty());
}

TEST(ExprParser, AFaultLeavesNothingBehind) {
  ExprReader reader;
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(reader.read(Form::Requirement, "max(("));
    EXPECT_FALSE(reader.read(Form::Trigger, "violated(x) for 2 weeks"));
    EXPECT_EQ(reader.read(Form::Requirement, "max(x) <= 1").printed(), "max(x) <= 1");
  }
}

TEST(ExprParser, LimitsHaveTheirOwnFindings) {
  Limits limits;
  limits.expressionBytes = 100;
  limits.expressionDepth = 4;
  ExprReader reader(limits);
  auto codeOf = [&](Form form, const std::string& text) {
    Reading reading = reader.read(form, text);
    return reading || reading.findings.size() != 1 ? std::string()
                                                   : std::string(info(reading.findings[0].code).id);
  };
  EXPECT_EQ(codeOf(Form::Quantity, std::string(101, ' ')), "TK0010");
  EXPECT_EQ(codeOf(Form::Quantity, std::string(100, ' ')), "TK3013");
  EXPECT_EQ(codeOf(Form::Predicate, "((((a > 1))))"), "");
  EXPECT_EQ(codeOf(Form::Predicate, "(((((a > 1)))))"), "TK0011");
  EXPECT_EQ(codeOf(Form::Predicate, "not not not not a > 1"), "");
  EXPECT_EQ(codeOf(Form::Predicate, "not not not not not a > 1"), "TK0011");
  EXPECT_EQ(codeOf(Form::Predicate, "not (not (not a > 1))"), "TK0011");
  EXPECT_EQ(
      codeOf(Form::Predicate, "not a > 1 and not b > 1 and not c > 1 and not d > 1 and not e > 1"),
      "");
}

TEST(ExprParser, WithstandsTenThousandBrackets) {
  Limits limits;
  limits.expressionBytes = 1u << 20;
  ExprReader reader(limits);
  for (std::string_view unit : {"(", "not ", "f(", "{", "[", "-", "a and ", "\"", "))"}) {
    std::string text;
    for (int i = 0; i < 10'000; ++i)
      text += unit;
    for (Form form : forms) {
      Reading reading = reader.read(form, text);
      EXPECT_FALSE(reading);
      EXPECT_EQ(reading.findings.size(), 1u) << unit;
    }
  }
}

// The automaton that ANTLR builds as it reads is one for all parsers.
TEST(ExprParser, ParsersOfSeveralThreadsAgree) {
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (std::size_t t = 0; t < wrong.size(); ++t)
    threads.emplace_back([&, t] {
      ExprReader reader;
      for (int round = 0; round < 20; ++round)
        for (const Written& form : written)
          wrong[t] += reader.read(form.form, form.text).printed() !=
                      (form.printed.empty() ? form.text : form.printed);
    });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
}

} // namespace
} // namespace tikc::expr
