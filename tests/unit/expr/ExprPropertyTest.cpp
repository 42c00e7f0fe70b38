#include "unit/expr/ExprFixture.h"

#include <gtest/gtest.h>

#include <random>

namespace tikc::expr {
namespace {

using model::Comparator;
using model::Expr;

/// Random trees of every form, as deep as a reviewer would stand.
class Generator {
public:
  explicit Generator(unsigned seed) : random_(seed) {}

  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool coin() { return below(2) == 0; }

  model::Amount quantity() {
    model::Amount out;
    switch (below(4)) {
    case 0:
      out.value = Rational(below(100));
      break;
    case 1:
      out.value = Rational(below(100000), 1000);
      break;
    case 2:
      out.value = *parseDecimal(std::to_string(below(999) + 1) + "e" + std::to_string(below(300)));
      break;
    default:
      out.value = *parseDecimal(std::to_string(below(999) + 1) + "e-" + std::to_string(below(300)));
    }
    out.value.canonicalize();
    if (below(5) == 0)
      out.value = -out.value;
    out.unit = static_cast<model::Unit>(below(static_cast<unsigned>(model::units().size())));
    if (below(4) == 0)
      out.per = coin() ? model::Unit::Second : model::Unit::Hour;
    return out;
  }

  std::string name() {
    static constexpr std::string_view names[] = {"tv",        "p99", "min", "_x1",
                                                 "logit_osc", "e5",  "ALL", "any"};
    return std::string(names[below(std::size(names))]);
  }

  std::string string() {
    static constexpr std::string_view parts[] = {"a",     "\"", "'",    "\\", "\n", "\t",
                                                 " and ", "é",  "🙂", "{",  "n",  ""};
    std::string out;
    for (unsigned i = below(5); i > 0; --i)
      out += parts[below(std::size(parts))];
    return out;
  }

  Expr leaf(Expr::Kind kind) {
    Expr out;
    out.kind = kind;
    if (kind == Expr::Kind::Quantity)
      out.quantity = quantity();
    else
      out.text = kind == Expr::Kind::String ? string() : name();
    return out;
  }

  Expr call(unsigned depth, unsigned least) {
    Expr out = leaf(Expr::Kind::Call);
    for (unsigned i = below(3) + least; i > 0; --i) {
      out.arguments.push_back(below(3) == 0 ? condition(depth) : operand(depth));
      if (below(4) == 0)
        out.arguments.back().keyword.text = name();
    }
    return out;
  }

  Expr operand(unsigned depth) {
    switch (below(depth > 0 ? 4 : 3)) {
    case 0:
      return leaf(Expr::Kind::Name);
    case 1:
      return leaf(Expr::Kind::Quantity);
    case 2:
      return leaf(Expr::Kind::String);
    default:
      return call(depth - 1, 0);
    }
  }

  Expr condition(unsigned depth) {
    return joined(depth, [this](unsigned rest) {
      Expr out;
      out.arguments.push_back(operand(rest));
      if (coin()) {
        out.kind = Expr::Kind::Compare;
        out.comparator = static_cast<Comparator>(below(6));
        out.arguments.push_back(operand(rest));
        return out;
      }
      out.kind = Expr::Kind::In;
      Expr set;
      set.kind = Expr::Kind::Set;
      for (unsigned i = below(3) + 1; i > 0; --i)
        set.arguments.push_back(operand(0));
      out.arguments.push_back(std::move(set));
      return out;
    });
  }

  Expr trigger(unsigned depth) {
    return joined(depth, [this](unsigned rest) {
      Expr state = call(rest, 1);
      if (coin())
        return state;
      Expr out;
      out.kind = Expr::Kind::For;
      out.arguments.push_back(std::move(state));
      out.arguments.push_back(leaf(Expr::Kind::Quantity));
      return out;
    });
  }

  model::Requirement requirement() {
    model::Requirement out;
    for (unsigned i = below(3) + 1; i > 0; --i) {
      model::Comparison c;
      c.subject = coin() ? leaf(Expr::Kind::Name) : call(2, 0);
      c.bound = quantity();
      if (below(3) == 0)
        c.upper = quantity();
      else
        c.comparator = static_cast<Comparator>(below(5));
      c.scope.kind = static_cast<model::Scope::Kind>(below(3));
      if (c.scope.kind == model::Scope::Kind::Named)
        for (unsigned n = below(3) + 1; n > 0; --n)
          c.scope.slices.push_back({name(), {}});
      if (coin())
        c.over = quantity();
      if (coin())
        c.confidence = quantity();
      out.comparisons.push_back(std::move(c));
    }
    // What the last one alone says, nobody could read.
    const model::Comparison& last = out.comparisons.back();
    for (model::Comparison& each : out.comparisons) {
      if (last.over && !each.over)
        each.over = quantity();
      if (last.confidence && !each.confidence)
        each.confidence = quantity();
    }
    return out;
  }

private:
  template <typename Leaf> Expr joined(unsigned depth, Leaf leafOf) {
    unsigned choice = depth == 0 ? 0 : below(5);
    if (choice < 2)
      return leafOf(depth > 0 ? depth - 1 : 0);
    Expr out;
    out.kind = choice == 2 ? Expr::Kind::Not : choice == 3 ? Expr::Kind::And : Expr::Kind::Or;
    for (unsigned i = out.kind == Expr::Kind::Not ? 1 : 2 + below(2); i > 0; --i)
      out.arguments.push_back(joined(depth - 1, leafOf));
    return out;
  }

  std::mt19937 random_;
};

TEST(ExprProperty, WhatIsPrintedReadsBackAsTheSameTree) {
  Limits limits;
  limits.expressionBytes = 1u << 20;
  ExprReader reader(limits);
  Generator random(20240);
  for (int i = 0; i < 3000; ++i) {
    model::Requirement requirement = random.requirement();
    Reading read = reader.read(Form::Requirement, print(requirement));
    ASSERT_TRUE(read && same(*read.requirement, requirement)) << print(requirement) << "\n"
                                                              << read.printed();

    Expr predicate = random.condition(4);
    read = reader.read(Form::Predicate, print(predicate));
    ASSERT_TRUE(read && same(*read.expr, predicate)) << print(predicate) << "\n" << read.printed();

    Expr trigger = random.trigger(4);
    read = reader.read(Form::Trigger, print(trigger));
    ASSERT_TRUE(read && same(*read.expr, trigger)) << print(trigger) << "\n" << read.printed();

    Expr call = random.call(3, 0);
    read = reader.read(Form::Call, print(call));
    ASSERT_TRUE(read && same(*read.expr, call)) << print(call) << "\n" << read.printed();

    model::Amount quantity = random.quantity();
    read = reader.read(Form::Quantity, print(quantity));
    ASSERT_TRUE(read && same(*read.quantity, quantity)) << print(quantity) << "\n"
                                                        << read.printed();
  }
}

struct Seed {
  Form form;
  std::string_view text;
};
constexpr Seed seeds[] = {
    {Form::Requirement, "p99(abs(gap)) <= 0.1 nat over 50_000 tokens with confidence 99% on math, "
                        "code and ess in [1e-2, 1]"},
    {Form::Requirement, "rate(abs(gap) > 0.5 and not k in {\"a\", b}) <= 1% on all"},
    {Form::Predicate, "task in {\"mäth\", 'c\\'d'} and not (a >= 8192 or top_p < -1.5)"},
    {Form::Trigger, "violated(any) and not (undecided(gap) for 6 windows or satisfied(x))"},
    {Form::Call, "route(safe, probe=1%, \"x\\n\", 5 per s)"},
    {Form::Quantity, "-200_000.5e3 MiB per s"}};

/// A tree, or one finding inside the text whose edits lie there too.
void expectOneAnswer(ExprReader& reader, Form form, const std::string& text) {
  Reading reading = reader.read(form, text);
  if (reading) {
    ASSERT_TRUE(reading.findings.empty()) << text;
    Reading again = reader.read(form, reading.printed());
    ASSERT_EQ(again.printed(), reading.printed()) << text;
    return;
  }
  ASSERT_EQ(reading.findings.size(), 1u) << text;
  const diag::Diagnostic& finding = reading.findings[0];
  ASSERT_LE(finding.span.begin, finding.span.end) << text;
  ASSERT_LE(finding.span.end, text.size()) << text;
  ASSERT_FALSE(finding.message.empty());
  for (const diag::Fix& fix : finding.fixes)
    for (const diag::Edit& edit : fix.edits)
      ASSERT_LE(edit.span.end, text.size()) << text;
}

TEST(ExprProperty, EveryPrefixAndSlipGetsATreeOrOneFinding) {
  ExprReader reader;
  std::string_view alphabet = "a5_.%-+=<>!()[]{},\"'\\ \n\te&|#:/~\x80\xe2\xff";
  for (const Seed& seed : seeds) {
    std::string text(seed.text);
    ASSERT_TRUE(reader.read(seed.form, text)) << text;
    for (std::size_t i = 0; i <= text.size(); ++i) {
      expectOneAnswer(reader, seed.form, text.substr(0, i));
      expectOneAnswer(reader, seed.form, text.substr(i));
      if (i < text.size()) {
        expectOneAnswer(reader, seed.form, std::string(text).erase(i, 1));
        expectOneAnswer(reader, seed.form, std::string(text).erase(i, 4));
      }
      for (char c : alphabet)
        expectOneAnswer(reader, seed.form, std::string(text).insert(i, 1, c));
      for (std::string_view word : {" and ", " on ", " in ", " for ", " <= 1 ", "(("})
        expectOneAnswer(reader, seed.form, std::string(text).insert(i, word));
    }
  }
}

TEST(ExprProperty, EveryEntryAnswersEveryOtherEntrysText) {
  ExprReader reader;
  for (const Seed& seed : seeds)
    for (Form form : forms)
      expectOneAnswer(reader, form, std::string(seed.text));
}

} // namespace
} // namespace tikc::expr
