#include "model/Keys.h"
#include "unit/Checked.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <set>

namespace tikc::tests {
namespace {

using model::Form;
using model::KeyInfo;
using model::Map;
using model::Shape;
using model::ShapeInfo;

/// A contract that says everything the language has a key for, made of the list of keys, in which
/// one value can be another, or be left out.
class EveryKey {
public:
  enum class Change : std::uint8_t { None, Other, Left };

  /// `which` counts the scalars in their order.
  explicit EveryKey(bool isChain, std::size_t which = 0, Change change = Change::None)
      : isChain_(isChain), which_(which), change_(change) {
    record(Map::Top, 0);
  }

  const std::string& text() const { return text_; }
  /// The scalars: map.key.
  const std::vector<std::string>& names() const { return names_; }

private:
  void line(int depth, std::string_view text) {
    text_.append(static_cast<std::size_t>(2 * depth), ' ').append(text).append("\n");
  }

  bool isPart(Map map, std::string_view key) const {
    if (key == "extends" || key == "abstract") // of the file, not of the contract that it makes
      return false;
    if (map == Map::Top)
      return key != (isChain_ ? "pair" : "chain");
    if (map == Map::Rule) // it has either
      return key != (hasSteps_ ? "do" : "steps");
    // A directive is about what is sampled, in whichever slice.
    bool isOfRequirement = key == "slices" || key == "over" || key == "confidence";
    return !isDirective_ || !isOfRequirement;
  }

  /// The author's names in a dictionary.
  static std::vector<std::string> entries(std::string_view key) {
    if (key == "kernels")
      return {"trainer", "middle", "rollout"};
    if (key == "labels")
      return {"task"};
    if (key == "slices")
      return {"math", "code"};
    return {fmt::format("{}_a", key), fmt::format("{}_b", key)};
  }

  void record(Map map, int depth) {
    for (const KeyInfo& key : model::keys(map))
      if (isPart(map, key.key))
        entry(map, key.key, key.shape, depth);
  }

  void entry(Map map, std::string_view key, Shape shape, int depth) {
    const ShapeInfo& form = model::info(shape);
    switch (form.form) {
    case Form::Dictionary:
      line(depth, fmt::format("{}:", key));
      for (const std::string& name : entries(key)) {
        hasSteps_ = name.ends_with("_b");
        entry(map, name, *form.element, depth + 1);
      }
      return;
    case Form::Record:
      return nested(key, *form.map, depth);
    case Form::RecordOrText:
      if (*form.map == Map::Support) // it has either of its keys
        return scalar(map, key, "{ missing_mass: 0.1 }", "{ top_p: 0.9 }", depth);
      isDirective_ = shape == Shape::Directive;
      nested(key, *form.map, depth);
      isDirective_ = false;
      return;
    default:
      break;
    }
    if (form.element && model::info(*form.element).form == Form::Record) {
      line(depth, fmt::format("{}:", key));
      line(depth + 1, "-");
      record(*model::info(*form.element).map, depth + 2);
      return;
    }
    auto [one, other] = values(map, key, form);
    scalar(map, key, one, other, depth);
  }

  void nested(std::string_view key, Map map, int depth) {
    line(depth, fmt::format("{}:", key));
    record(map, depth + 1);
  }

  void scalar(Map map, std::string_view key, std::string_view one, std::string_view other,
              int depth) {
    bool isChanged = names_.size() == which_;
    names_.push_back(fmt::format("{}.{}", model::mapName(map), key));
    if (isChanged && change_ == Change::Left)
      return;
    line(depth, fmt::format("{}: {}", key, isChanged && change_ == Change::Other ? other : one));
  }

  std::pair<std::string, std::string> values(Map map, std::string_view key,
                                             const ShapeInfo& form) const {
    if (form.form == Form::String && !form.words.empty())
      return words(form);
    switch (form.shape) {
    case Shape::Text:
      return {"first", "second"};
    case Shape::TextList:
    case Shape::LabelValues:
      return {"[math, code]", "[math, prose]"};
    case Shape::ContractName:
      return {"one", "two"};
    case Shape::SemanticVersion:
      return {"1.0.0", "1.0.1"};
    case Shape::Flag:
      return {"true", "false"};
    case Shape::Setting:
      return {"true", "'true'"};
    case Shape::Count:
      return {"3", "4"};
    case Shape::Number:
      return {"0.5", "0.75"};
    case Shape::Fraction:
      return {"20%", "21%"};
    case Shape::Interval:
      return {"[0, 1]", "[0, 2]"};
    case Shape::Duration:
    case Shape::Window:
      return map == Map::Step ? std::pair{"2 windows", "3 windows"} : std::pair{"10 min", "11 min"};
    case Shape::TokenCount:
      return {"100 tokens", "101 tokens"};
    case Shape::SequenceCount:
      return {"100 sequences", "101 sequences"};
    case Shape::Rate:
      return {"100 per s", "101 per s"};
    case Shape::Identifier:
      return key == "train" ? std::pair{"trainer", "middle"} : std::pair{"rollout", "middle"};
    case Shape::Identifiers:
      return key == "slices"
                 ? std::pair{"[math, code]", "[math]"}
                 : std::pair{"[trainer, middle, rollout]", "[middle, trainer, rollout]"};
    case Shape::Requirement:
      return isDirective_ ? std::pair{"sample(logits, 1%)", "sample(logits, 2%)"}
                          : std::pair{"mean(tv) <= 0.5", "mean(tv) < 0.5"};
    case Shape::Predicate:
      return {"task == \"math\"", "task != \"math\""};
    case Shape::Trigger:
      return {"violated(any)", "undecided(any)"};
    case Shape::Correction:
      return {"tis(2)", "tis(3)"};
    case Shape::Actions:
      return {"hold", "rollback"};
    default:
      ADD_FAILURE() << "no values for " << form.what;
      return {};
    }
  }

  static std::pair<std::string, std::string> words(const ShapeInfo& form) {
    std::size_t bar = form.words.find('|');
    if (bar == std::string_view::npos)
      return {std::string(form.words), std::string(form.words)};
    std::string_view rest = form.words.substr(bar + 1);
    return {std::string(form.words.substr(0, bar)), std::string(rest.substr(0, rest.find('|')))};
  }

  bool isChain_;
  std::size_t which_;
  Change change_;
  bool isDirective_ = false, hasSteps_ = false;
  std::string text_;
  std::vector<std::string> names_;
};

std::string meaningOf(const std::string& text) {
  Checked checked(text);
  EXPECT_EQ(checked.contracts().size(), 1u) << text;
  return checked.contracts().empty() ? std::string() : model::meaning(checked.contracts()[0]);
}

bool isProse(std::string_view name) {
  // How far the author is, is no number's meaning.
  return name.ends_with(".draft") || name.ends_with(".summary") || name.ends_with(".owners") ||
         name.ends_with(".because");
}

TEST(Meaning, ChangesWithTheValueOfEachKey) {
  std::set<std::string> met;
  for (bool isChain : {false, true}) {
    const EveryKey whole(isChain);
    const std::string usual = meaningOf(whole.text());
    for (std::size_t i = 0; i < whole.names().size(); ++i) {
      const std::string& name = whole.names()[i];
      met.insert(name.substr(name.find('.') + 1));
      const EveryKey other(isChain, i, EveryKey::Change::Other),
          left(isChain, i, EveryKey::Change::Left);
      if (other.text() != whole.text()) { // there is one version of the language
        EXPECT_EQ(meaningOf(other.text()) == usual, isProse(name)) << name;
      }
      if (name.find("require") == name.npos && !name.ends_with(".tikc") &&
          !name.ends_with(".contract") && !name.ends_with("severity")) {
        EXPECT_EQ(meaningOf(left.text()) == usual, isProse(name)) << name << " left out";
      }
    }
  }
  for (std::size_t map = 0; map < model::mapCount; ++map)
    for (const KeyInfo& key : model::keys(static_cast<Map>(map)))
      if (model::info(key.shape).form != Form::Record && key.key != "extends" &&
          key.key != "abstract" && static_cast<Map>(map) != Map::Support &&
          !model::info(key.shape).map && !model::info(key.shape).element) {
        EXPECT_TRUE(met.count(std::string(key.key))) << key.key;
      }
}

constexpr std::string_view clauses = R"(labels: {{ task: [math, code] }}
slices: {{ a: {{ when: '{0}' }}, b: {{ when: 'top_p < 0.9' }} }}
statistical:
  c: {1}
  d: mean(k3) <= 1
claims: {{ e: mean(tv) <= 0.5 }}
escalation:
  r: {{ when: '{2}', do: '{3}' }}
)";

std::string withParts(std::string_view predicate, std::string_view requirement,
                      std::string_view trigger, std::string_view action) {
  return meaningOf(head() + fmt::format(clauses, predicate, requirement, trigger, action));
}

/// Each of the rows of a part means something of its own.
template <typename MeaningOf>
void expectDistinct(const std::vector<std::string>& rows, const MeaningOf& meaning) {
  std::set<std::string> seen;
  for (const std::string& row : rows)
    EXPECT_TRUE(seen.insert(meaning(row)).second) << row;
}

constexpr std::string_view predicate = "prompt_tokens >= 8192", trigger = "violated(c)",
                           action = "hold",
                           requirement = "mean(k3) <= 0.1 over 10 min with confidence 99%";

TEST(Meaning, ChangesWithEachPartOfAnExpression) {
  expectDistinct({"mean(k3) <= 0.1 over 10 min with confidence 99%",
                  "max(k3) <= 0.1 over 10 min with confidence 99%",
                  "p99(k3) <= 0.1 over 10 min with confidence 99%",
                  "p999(k3) <= 0.1 over 10 min with confidence 99%",
                  "mean(k2) <= 0.1 over 10 min with confidence 99%",
                  "mean(k3) < 0.1 over 10 min with confidence 99%",
                  "mean(k3) >= 0.1 over 10 min with confidence 99%",
                  "mean(k3) <= 0.11 over 10 min with confidence 99%",
                  "mean(k3) <= 0.1 bit over 10 min with confidence 99%",
                  "mean(k3) in [0.1, 0.2] over 10 min with confidence 99%",
                  "mean(k3) in [0.1, 0.3] over 10 min with confidence 99%",
                  "mean(k3) <= 0.1 on all over 10 min with confidence 99%",
                  "mean(k3) <= 0.1 on a over 10 min with confidence 99%",
                  "mean(k3) <= 0.1 on b over 10 min with confidence 99%",
                  "mean(k3) <= 0.1 on a, b over 10 min with confidence 99%",
                  "mean(k3) <= 0.1 over 11 min with confidence 99%",
                  "mean(k3) <= 0.1 over 600 windows with confidence 99%",
                  "mean(k3) <= 0.1 over 600 tokens with confidence 99%",
                  "mean(k3) <= 0.1 over 600 steps with confidence 99%",
                  "mean(k3) <= 0.1 over 600 sequences with confidence 99%",
                  "mean(k3) <= 0.1 over 10 min with confidence 98%",
                  "mean(k3) <= 0.1 over 10 min",
                  "mean(k3) <= 0.1 with confidence 99%",
                  "mean(k3) <= 0.1 and mean(k2) <= 1",
                  "mean(clipped(0.5, 2)) <= 0.1",
                  "mean(clipped(0.25, 2)) <= 0.1",
                  "rate(ratio > 2) <= 0.1",
                  "rate(ratio >= 2) <= 0.1",
                  "rate(ratio > 3) <= 0.1",
                  "mean(logprob_gap) <= 0.1",
                  "mean(abs(logprob_gap)) <= 0.1"},
                 [](const std::string& row) { return withParts(predicate, row, trigger, action); });
  expectDistinct(
      {"prompt_tokens >= 8192", "prompt_tokens > 8192", "prompt_tokens < 8192",
       "response_tokens >= 8192", "prompt_tokens >= 8193", "not (prompt_tokens >= 8192)",
       "task == \"math\"", "task != \"math\"", "task == \"code\"", "task in {\"math\", \"code\"}",
       "prompt_tokens >= 8192 and task == \"math\"", "prompt_tokens >= 8192 or task == \"math\""},
      [](const std::string& row) { return withParts(row, requirement, trigger, action); });
  expectDistinct(
      {"violated(c)", "undecided(c)", "satisfied(c)", "violated(d)", "violated(any)",
       "violated(c) for 2 windows", "not violated(c)", "violated(c) and violated(d)",
       "violated(c) or violated(d)"},
      [](const std::string& row) { return withParts(predicate, requirement, row, action); });
  expectDistinct(
      {"hold", "rollback", "quarantine", "alert(\"a\")", "alert(\"b\")", "route(trainer, probe=1%)",
       "route(trainer, probe=2%)", "route(trainer)", "correct(tis, 2)", "correct(tis, 3)"},
      [](const std::string& row) { return withParts(predicate, requirement, trigger, row); });
}

TEST(Meaning, IsTheSameForOneThingSaidInTwoWays) {
  const std::string usual = withParts(predicate, requirement, trigger, action);
  for (const char* row :
       {"'mean( k3 )<=0.10 over 600 s with confidence 0.99'",
        "mean(k3) <= 1e-1 nat over 600_000 ms with confidence 99% # why",
        "{ require: mean(k3) <= 0.1, over: 10 min, confidence: 99%, because: x }"})
    EXPECT_EQ(withParts(predicate, row, trigger, action), usual) << row;
  EXPECT_EQ(withParts(predicate, "mean(k3) <= 0.1 over 1 step", trigger, action),
            withParts(predicate, "mean(k3) <= 0.1 over 1 steps", trigger, action));
  EXPECT_EQ(withParts("(prompt_tokens>=8192.0 tokens)", requirement, trigger, action), usual);
  EXPECT_EQ(withParts("task in {\"math\", \"code\"}", requirement, trigger, action),
            withParts("task in {\"code\",\"math\"}", requirement, trigger, action));
  EXPECT_EQ(withParts(predicate, "mean(k3) <= 1 on a, b", trigger, action),
            withParts(predicate, "mean(k3) <= 1 on b, a", trigger, action));
  const std::string tail =
      "labels: { a: [x], b: [y] }\nmodel: { horizon: 10 tokens, temperature: 1 }\n";
  EXPECT_EQ(meaningOf(head() + tail),
            meaningOf("# a comment\nversion: 1.0.0\ntikc: \"v1\"\ncontract: 'test'\nowners: [me]\n"
                      "pair: { infer: rollout, train: trainer }\n"
                      "kernels: { rollout: { engine: vllm }, trainer: { engine: \"fsdp2\" } }\n"
                      "model:\n  temperature: 1.0\n  horizon: 10 tokens\n"
                      "labels: { b: [y], a: [x] }\nsummary: told\n"));
}

/// What a slice takes goes by which comes first, and so do a router's rules.
TEST(Meaning, KeepsTheOrderThatDecides) {
  const std::string slices = "slices: {{ {}, {} }}\n";
  const std::string a = "a: { when: top_p < 0.9 }", b = "b: { when: top_p < 0.8 }";
  EXPECT_NE(meaningOf(head() + fmt::format(fmt::runtime(slices), a, b)),
            meaningOf(head() + fmt::format(fmt::runtime(slices), b, a)));
}

} // namespace
} // namespace tikc::tests
