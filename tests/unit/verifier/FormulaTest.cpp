#include "unit/verifier/Certificate.h"

#include "tools/Rounds.h"
#include "verifier/Tree.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace verify::tests {
namespace {

Number decimal(const std::string& text) {
  bool isNegative = text.starts_with('-');
  Tokens in(std::string_view(text).substr(isNegative ? 1 : 0));
  Number out = in.number();
  return isNegative ? -out : out;
}

std::string formulaOf(const std::string& id) {
  const std::string row = lemmaRow(id);
  std::string_view formula = row;
  take(formula, " = ");
  return std::string(formula);
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
  Precision precision(1024);
  unsigned compared = 0, place = 0;
  Tree vectors = parseYaml("vectors: " + withTexts(text)).items.at(0)["vectors"];
  for (const Tree& vector : vectors.list()) {
    const std::string& id = vector["lemma"].quoted();
    if (lemmaRow(id).empty() || !tikc::tests::isTried(place++))
      continue;
    std::vector<Number> arguments;
    for (const Tree& value : vector["inputs"].items)
      arguments.push_back(decimal(value.quoted()));
    Value value = evaluate(formulaOf(id), arguments);
    ASSERT_TRUE(value) << id;
    Number low = decimal(vector["lower"].quoted()), high = decimal(vector["upper"].quoted()),
           room = high - low;
    EXPECT_LE(low - room, *value) << id;
    EXPECT_LE(*value, high + room) << id;
    ++compared;
  }
  EXPECT_GT(compared, tikc::tests::rounds(180));
}

// Whatever stands in a row: each use of each lemma is about quantities that are known, and each
// formula can be read to its end.
TEST(Formulas, HaveRowsThatCanBeRead) {
  std::ifstream file(TIKC_SOURCE_DIR "/verifier/Tables.cpp");
  std::string source{std::istreambuf_iterator<char>(file), {}};
  std::size_t from = source.find("L-CAP: "), end = source.find(")\"", from);
  std::string_view table = std::string_view(source).substr(from, end - from);
  int lemmas = 0;
  for (; !table.empty(); ++lemmas) {
    const std::string row = nextRow(table);
    std::string_view formula = row, id = take(formula, ": "), words = take(formula, " = "),
                     uses = take(words, " [");
    EXPECT_EQ(lemmaRow(id).size(), row.size() - id.size() - 2) << id;
    const bool isCurve = isOneOf(words, "concave") || isOneOf(words, "convex");
    for (std::string_view word = take(words, "]"); !word.empty();)
      EXPECT_TRUE(isOneOf("full drawn served kept concave convex strict", take(word, " "))) << id;
    while (!uses.empty()) {
      std::string_view under = take(uses, "; "), premises = take(under, " -> "), concludes = under;
      EXPECT_FALSE(concludes.empty()) << id;
      int each = 0, sup = 0;
      while (!premises.empty()) {
        std::string_view names = take(premises, ", "), need = "given";
        if (names.find(' ') != std::string_view::npos || isOneOf("chosen asked", names))
          need = take(names, " ");
        EXPECT_TRUE(isOneOf("each sup mean given within at chosen asked", need)) << id << need;
        if (names.starts_with('@')) {
          EXPECT_TRUE(isOneOf("@rows @whole @kept @unmasked", take(names, " "))) << id;
        }
        EXPECT_TRUE(!isCurve || isOneOf("each sup given chosen", need)) << id << need;
        sup += need == "sup" ? 1 : 0;
        each += need == "each" ? 1 : 0;
        EXPECT_EQ(names.empty(), need == "chosen" || need == "asked") << id;
        for (names = take(names, " "); !names.empty();) {
          std::string name(take(names, "|"));
          EXPECT_TRUE(name == "Q" || name == "S" || name == "P" || !kindOf(name).empty())
              << id << name;
        }
      }
      // What is no curve is only about suprema.
      EXPECT_TRUE(!isCurve || (each + sup == 1 && !isLower(concludes))) << id;
      if (concludes.find(' ') != std::string_view::npos) {
        EXPECT_TRUE(isOneOf("sup mean given quantile", take(concludes, " "))) << id;
      }
      for (std::string_view names = concludes; !names.empty();) {
        std::string name(take(names, "|"));
        EXPECT_TRUE(name == "Q" || name == "S" || name == "P" || !kindOf(name).empty())
            << id << name;
      }
    }
    EXPECT_NO_THROW(
        try { evaluate(formula, std::vector<Number>(5, Number(1, 2))); } catch (const Undecided&){})
        << id;
  }
  EXPECT_GT(lemmas, 110);
}

TEST(Formulas, RefuseWhatTheirHypothesesDoNotCover) {
  auto gives = [](const char* id, const std::vector<Number>& arguments) {
    try {
      return evaluate(formulaOf(id), arguments).has_value();
    } catch (const Undecided&) {
      return false;
    }
  };
  EXPECT_FALSE(gives("L-TOP1-BOTH", {2, 1}));
  EXPECT_TRUE(gives("L-TOP1-BOTH", {Number(1999, 1000), 1}));
  EXPECT_FALSE(gives("L-TV-VAJDA-LAM", {Number(1, 10), 0}));
  EXPECT_FALSE(gives("L-PG-MASK-TV", {Number(1, 10), 1, 2}));
  EXPECT_FALSE(gives("L-R-DISC", {1, Number(1, 10), 1}));
  EXPECT_FALSE(gives("L-REVPINSKER-KL", {Number(1, 10), Number(3, 2), 2}));
  EXPECT_FALSE(gives("L-TV-MALP-B-W", {Number(1, 10), 1, Number(1, 100)})); // the root is above
  EXPECT_TRUE(gives("L-TV-MALP-B-W", {Number(1, 10), 1, Number(1, 10)}));
  EXPECT_FALSE(gives("L-HS-SEQ-MOMENT", {Number(1, 100), 2, 1000, 1}));
  EXPECT_TRUE(gives("L-HS-SEQ-MOMENT", {Number(1, 100), 2, 1000, Number(11, 10)}));
  EXPECT_FALSE(gives("L-CLIP-SEQ-MOMENT", {Number(1, 100), 2, 1000, Number(1, 2)}));
  EXPECT_FALSE(gives("L-MASK-SEQ-MOMENT", {Number(1, 100), 1, 2, 1000, 4}));
  EXPECT_TRUE(gives("L-MASK-SEQ-MOMENT", {Number(1, 100), 0, 2, 1000, 4}));
  EXPECT_FALSE(gives("L-TV-JS-W", {Number(1, 10), Number(1, 100)}));
  EXPECT_TRUE(gives("L-TV-JS-W", {Number(1, 10), Number(1, 2)}));
  EXPECT_FALSE(gives("L-ENT-LIN-W", {Number(1, 10), 1000, Number(1, 2)}));
  EXPECT_FALSE(gives("L-ENT-LIN-W", {Number(1, 10), 1000, 0}));
  EXPECT_TRUE(gives("L-ENT-LIN-W", {Number(1, 10), 1000, Number(1, 10)}));
}

// Two ways of one number: many steps, one step or no drift.
TEST(Formulas, AgreeAtTheirEnds) {
  auto at = [](const char* id, const std::vector<Number>& arguments) {
    return *evaluate(formulaOf(id), arguments);
  };
  const Number omega(1, 10), narrow(1, 1'000'000'000);
  Number oneByOne = 0, all = at("L-PG-SEQNAIVE-HEL", {1, omega, 50});
  for (int i = 1; i <= 50; ++i)
    oneByOne = oneByOne + 2 * at("L-SEQ-HEL", {omega, i});
  EXPECT_TRUE(oneByOne < all + narrow && all < oneByOne + narrow);
  EXPECT_LE(at("L-SEQ-RR", {Number(1, 100), 1001}), at("L-SEQ-HEL", {Number(1, 50), 1001}));
  EXPECT_LE(at("L-SEQ-RR", {Number(1, 100), 99'999}), at("L-SEQ-HEL", {Number(1, 50), 99'999}));
  EXPECT_TRUE(at("L-SEQ-RR", {0, 7}) == 0);
  EXPECT_TRUE(at("L-R-DISC-T", {1, Number(1, 10), 1, 3}) == Number(561, 1000));
}

} // namespace
} // namespace verify::tests
