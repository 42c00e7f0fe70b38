#include "model/Spans.h"
#include "unit/expr/ExprFixture.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace tikc::expr {
namespace {

/// The tree and all its places, or the findings and theirs.
template <typename Tree> void addTree(const std::optional<Tree>& tree, std::string& out) {
  if (!tree)
    return;
  out += print(*tree);
  model::forEachSpan(const_cast<Tree&>(*tree), [&](const Span& span) {
    out += fmt::format(" {}:{}-{}", static_cast<std::uint32_t>(span.file), span.begin, span.end);
  });
}

std::string saidOf(const Reading& reading) {
  std::string out;
  addTree(reading.requirement, out);
  addTree(reading.expr, out);
  addTree(reading.quantity, out);
  for (const diag::Diagnostic& found : reading.findings) {
    out += fmt::format("{} {}-{}", found.message, found.span.begin, found.span.end);
    for (const diag::Fix& fix : found.fixes)
      for (const Edit& edit : fix.edits)
        out += fmt::format(" {}-{} {}", edit.span.begin, edit.span.end, edit.text);
  }
  return out;
}

constexpr std::string_view cachedTexts[] = {
    "p99(abs(gap)) <= 0.1 nat over 50_000 tokens with confidence 99% on math, code",
    "ess in [1e-2, 1] and rate(abs(gap) > 0.5 and not k in {\"a\", b}) <= 1% on all",
    "task in {\"mäth\", 'c\\'d'} and not (a >= 8192 or top_p < -1.5)",
    "violated(any) and not (undecided(gap) for 6 windows or satisfied(x))",
    "route(safe, probe=1%, \"x\\n\", 5 per s)",
    "-200_000.5e3 MiB per s",
    "mean(tv)",
    "p99(tv) =< 1",
    "5 bananas"};

std::string singleQuoted(std::string text) {
  for (std::size_t i = 0; (i = text.find('\'', i)) != std::string::npos; i += 2)
    text.insert(i, 1, '\'');
  return "'" + text + "'";
}

std::string doubleQuoted(std::string_view text) {
  std::string out = "\"";
  for (char c : text)
    out += c == '"' || c == '\\' ? std::string{'\\', c} : c == ' ' ? "\\x20" : std::string{c};
  return out + "\"";
}

/// The same text in every style, and further down in its file.
std::vector<std::string> filesWith(std::string_view text) {
  std::vector<std::string> out;
  for (const std::string& scalar :
       {std::string(text), singleQuoted(std::string(text)), doubleQuoted(text),
        ">-\n  " + std::string(text), "|-\n  " + std::string(text)})
    for (std::string_view above : {"", "# a line above\na: b\n"})
      out.push_back(std::string(above) + "k: " + scalar + "\n");
  return out;
}

TEST(ExprCache, ChangesNeitherATreeNorAPlaceNorAFinding) {
  ExprReader remembering;
  std::size_t trees = 0;
  for (int round = 0; round < 2; ++round)
    for (std::string_view text : cachedTexts)
      for (const std::string& file : filesWith(text))
        for (Form form : forms) {
          ExprReader fresh;
          // Files count from 0 in each.
          while (fresh.sources.size() < remembering.sources.size())
            fresh.sources.add("before", {}, "");
          Reading expected = fresh.readKey(form, file);
          ASSERT_EQ(saidOf(remembering.readKey(form, file)), saidOf(expected)) << file;
          trees += expected ? 1 : 0;
        }
  EXPECT_GT(trees, 100u);
}

/// A place that is passed over would stay one of the text.
TEST(ExprCache, MovesEveryPlace) {
  ExprReader reader;
  std::string key = "k: ", requirement = "rate(f(x, w=y) > 5 s) in [1 ms, 2 per h] on a, b over 3 "
                                         "h with confidence 4%";
  reader.readKey(Form::Requirement, key + requirement);
  key = "above: 1\n" + key;
  Reading reading = reader.readKey(Form::Requirement, key + requirement);
  ASSERT_TRUE(reading);
  const model::Comparison& comparison = reading.requirement->comparisons[0];
  const model::Expr& compare = comparison.subject.arguments[0];
  const model::Expr& call = compare.arguments[0];
  const std::pair<Span, std::string_view> places[] = {
      {reading.requirement->span, requirement},
      {comparison.span, requirement},
      {comparison.comparatorSpan, "in"},
      {comparison.subject.span, "rate(f(x, w=y) > 5 s)"},
      {comparison.subject.nameSpan, "rate"},
      {compare.span, "f(x, w=y) > 5 s"},
      {compare.nameSpan, ">"},
      {call.arguments[1].span, "y"},
      {call.arguments[1].keyword.span, "w"},
      {compare.arguments[1].quantity.span, "5 s"},
      {compare.arguments[1].quantity.numberSpan, "5"},
      {comparison.bound.span, "1 ms"},
      {comparison.bound.numberSpan, "1"},
      {comparison.upper->span, "2 per h"},
      {comparison.scope.span, "on a, b"},
      {comparison.scope.slices[1].span, "b"},
      {comparison.over->span, "3 h"},
      {comparison.confidence->numberSpan, "4"}};
  for (const auto& [span, text] : places)
    EXPECT_EQ(span.file == reader.file ? reader.text(span) : "another file", text);
}

TEST(ExprCache, KnowsWhatReadTheTextAndUnderWhichLimits) {
  ExprCache memory;
  Limits limits, strict;
  strict.expressionDepth = 1;
  auto keep = [&] { memory.keep(ExprEntry::Call, "f(x)", model::Expr()); };
  keep();
  EXPECT_TRUE(memory.find(ExprEntry::Call, "f(x)", limits));
  EXPECT_FALSE(memory.find(ExprEntry::Predicate, "f(x)", limits));
  EXPECT_FALSE(memory.find(ExprEntry::Call, "f(y)", limits));
  EXPECT_FALSE(memory.find(ExprEntry::Call, "f(x)", strict));
}

TEST(ExprCache, StaysSmallAndKeepsWhatIsAskedFor) {
  ExprCache memory;
  Limits limits;
  std::size_t most = 0;
  for (int i = 0; i < 30'000; ++i) {
    std::string text = "route(safe" + std::to_string(i) + ")";
    memory.keep(ExprEntry::Call, text, model::Expr());
    // Asked for each time, and more of them than there is room for at last.
    for (int usual = 0; usual <= i / 10; usual += 10)
      if (std::string name = "usual" + std::to_string(usual);
          !memory.find(ExprEntry::Call, name, limits)) {
        EXPECT_TRUE(usual == i / 10 || i > 10'000) << usual << " " << i;
        memory.keep(ExprEntry::Call, name, model::Expr());
      }
    most = std::max(most, memory.bytes());
  }
  EXPECT_GT(most, 100u << 10);
  EXPECT_LE(most, 256u << 10);
}

} // namespace
} // namespace tikc::expr
