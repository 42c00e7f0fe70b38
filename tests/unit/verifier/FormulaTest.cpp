#include "verifier/Lemmas.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace verify {
namespace {

Rational decimal(std::string text) {
  bool isNegative = text.starts_with('-');
  text.erase(0, isNegative ? 1 : 0);
  int scale = 0;
  if (std::size_t power = text.find_first_of("eE"); power != std::string::npos) {
    scale = std::atoi(text.c_str() + power + 1);
    text.erase(power);
  }
  if (std::size_t point = text.find('.'); point != std::string::npos) {
    scale -= static_cast<int>(text.size() - point - 1);
    text.erase(point, 1);
  }
  Integer ten = 1, top = Integer::parse(text);
  for (int i = 0; i < std::abs(scale); ++i)
    ten = ten * 10;
  return scale < 0 ? Rational(isNegative ? -top : top, ten)
                   : Rational((isNegative ? -top : top) * ten, 1);
}

/// The oracle's numbers are texts or plain JSON numbers.
std::string withTexts(const std::string& json) {
  std::string out;
  for (std::size_t i = 0; i < json.size(); ++i) {
    bool starts =
        std::string_view(" :").find(out.empty() ? 'x' : out.back()) != std::string_view::npos;
    if (!starts || std::string_view("-0123456789").find(json[i]) == std::string_view::npos) {
      out += json[i];
      continue;
    }
    std::size_t end = json.find_first_of(",}\n ", i);
    out += "\"" + json.substr(i, end - i) + "\"";
    i = end - 1;
  }
  return out;
}

TEST(Formulas, MeetTheOracle) {
  std::ifstream file(TIKC_SOURCE_DIR "/tests/oracle/vectors.json");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  Precision precision(640);
  int compared = 0;
  Json vectors = Json::parse(withTexts(text));
  for (const Json& vector : vectors.list()) {
    const std::string& id = vector["lemma"].text();
    const Lemma* lemma = findLemma(id);
    if (lemma == nullptr)
      continue;
    std::vector<Number> arguments;
    for (const auto& [name, value] : vector["inputs"].members())
      arguments.emplace_back(decimal(value.text()));
    Value value = lemma->formula(arguments);
    ASSERT_TRUE(value) << id;
    Rational low = decimal(vector["lower"].text()), high = decimal(vector["upper"].text()),
             room = high - low;
    EXPECT_LE(Number(low - room), *value) << id;
    EXPECT_LE(*value, Number(high + room)) << id;
    ++compared;
  }
  EXPECT_GT(compared, 180);
}

TEST(Formulas, HaveUsesOfKnownQuantities) {
  for (const char* id : {"L-TV-OSC", "L-PG-CUT-SUM", "L-SEQ-VILLE", "L-PG-RETURN"}) {
    std::vector<Use> uses = usesOf(*findLemma(id));
    ASSERT_FALSE(uses.empty());
    for (const Use& use : uses) {
      EXPECT_NE(use.concludes, nullptr) << id;
      for (const Premise& premise : use.premises)
        EXPECT_TRUE(premise.quantity != nullptr || premise.need == "chosen" ||
                    premise.need == "asked")
            << id << premise.need;
    }
  }
  EXPECT_EQ(usesOf(*findLemma("L-PG-CUT-SUM")).size(), 15u);
  EXPECT_EQ(usesOf(*findLemma("L-PG-RETURN"))[2].under, "causal_weighted");
}

TEST(Formulas, RefuseWhatTheirHypothesesDoNotCover) {
  auto gives = [](const char* id, std::vector<Number> arguments) {
    return findLemma(id)->formula(arguments).has_value();
  };
  EXPECT_FALSE(gives("L-TOP1", {1, 1}));
  EXPECT_TRUE(gives("L-TOP1", {Rational(999, 1000), 1}));
  EXPECT_FALSE(gives("L-TV-VAJDA-LAM", {Rational(1, 10), 0}));
  EXPECT_FALSE(gives("L-PG-MASK-TV", {Rational(1, 10), 1, 2}));
  EXPECT_FALSE(gives("L-R-DISC", {1, Rational(1, 10), 1}));
  EXPECT_FALSE(gives("L-REVPINSKER-KL", {Rational(1, 10), Rational(3, 2), 2}));
  EXPECT_FALSE(gives("L-TV-MALP-B-W", {Rational(1, 10), 1, Rational(1, 100)})); // the root is above
  EXPECT_TRUE(gives("L-TV-MALP-B-W", {Rational(1, 10), 1, Rational(1, 10)}));
  EXPECT_FALSE(gives("L-TV-JS-W", {Rational(1, 10), Rational(1, 100)}));
  EXPECT_TRUE(gives("L-TV-JS-W", {Rational(1, 10), Rational(1, 2)}));
  EXPECT_FALSE(gives("L-ENT-LIN-W", {Rational(1, 10), 1000, Rational(1, 2)}));
  EXPECT_TRUE(gives("L-ENT-LIN-W", {Rational(1, 10), 1000, Rational(1, 10)}));
}

// Two ways of one number: many steps, one step or no drift.
TEST(Formulas, AgreeAtTheirEnds) {
  auto at = [](const char* id, std::vector<Number> arguments) {
    return *findLemma(id)->formula(arguments);
  };
  Number omega = Rational(1, 10), t = 50;
  Number oneByOne = 0, all = at("L-PG-SEQNAIVE-HEL", {1, omega, t});
  for (int i = 1; i <= 50; ++i)
    oneByOne = oneByOne + 2 * at("L-SEQ-HEL", {omega, i});
  EXPECT_LT((oneByOne - all) * (oneByOne - all), Number(Rational(1, 1'000'000'000)));
  EXPECT_LE(at("L-SEQ-RR", {Rational(1, 100), 1001}), at("L-SEQ-HEL", {Rational(1, 50), 1001}));
  EXPECT_EQ(*at("L-SEQ-RR", {0, 7}).exact(), Rational(0));
  EXPECT_EQ(*at("L-R-DISC-T", {1, Rational(1, 10), 1, 3}).exact(), Rational(561, 1000));
}

} // namespace
} // namespace verify
