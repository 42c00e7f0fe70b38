#include "verifier/Contract.h"

#include <gtest/gtest.h>

namespace verify::tests {
namespace {

constexpr const char* head = "tikc: v1\ncontract: test\n";

std::string printPlaces(const Fact& fact) {
  std::string out = fact.quantifier + " " + fact.quantity;
  for (const std::string* place : {&fact.scope, &fact.link, &fact.laws, &fact.drawn})
    out += " | " + *place;
  return out;
}

/// What the entry that begins with a text states, of a contract whose first file's text it is.
std::string stated(const std::vector<File>& files, const std::string& entry, std::size_t file = 0,
                   const std::string& link = "a>b") {
  const Contract contract(files, "test");
  std::vector<const Tree*> path;
  if (!entry.empty())
    path = contract.find(file, files[file].content.find(entry));
  if (path.empty() && !entry.empty())
    return "none";
  std::string out;
  for (const Fact& fact : contract.stated(path, link))
    out += (out.empty() ? "" : "; ") + printPlaces(fact);
  return out;
}

struct Kernels {
  std::string a, b, rest = "assumptions: { support: full }";

  std::vector<File> with(const std::string& clause) const {
    return {{"x", head + ("kernels: { a: { " + a + " }, b: { " + b + " } }\n") +
                      "pair: { train: a, infer: b }\n" + rest + "\nnumerical:\n  c: " + clause +
                      "\n"}};
  }
  std::string laws(const std::string& clause) const {
    const std::string fact = stated(with(clause), "c: " + clause);
    const std::size_t from = fact.rfind("a>b | ");
    return from == std::string::npos ? fact : fact.substr(from + 6, fact.rfind(" | ") - from - 6);
  }
};

TEST(Contract, KnowsWhichLawsTextsCompare) {
  const std::string rows = "max(logit_osc) <= 1", tokens = "mean(tv_sampled) <= 1%";
  auto expect = [&](const Kernels& kernels, const std::string& ofRows,
                    const std::string& ofTokens) {
    EXPECT_EQ(kernels.laws(rows), ofRows) << kernels.a << kernels.b << kernels.rest;
    EXPECT_EQ(kernels.laws(tokens), ofTokens) << kernels.a << kernels.b << kernels.rest;
  };
  const std::string cut = "sampling: { top_p: 0.9 }", raw = "logprobs: raw",
                    hot = "sampling: { temperature: 2 }",
                    topP = "assumptions: { support: { top_p: 0.9 } }";
  expect({"", ""}, "served served", "served served");
  expect({"", "", ""}, "served whole", "served served");
  expect({"", "", topP}, "served whole", "served served");
  expect({"", "", "assumptions: { support: { missing_mass: 1% } }"}, "kept whole", "served served");
  expect({cut, "", "assumptions: { support: { missing_mass: 1% } }"}, "kept-whole whole",
         "served served");
  expect({cut, ""}, "whole served", "served served");
  expect({"", cut}, "served whole", "served served");
  expect({"", "sampling: { top_k: 5 }", ""}, "served whole", "served served");
  expect({"", "sampling: { min_p: 0 }"}, "served served", "served served");
  expect({raw, ""}, "served served", "served served");
  expect({raw + ", " + hot, raw}, "served served", "raw served");
  expect({raw, raw, topP}, "served whole", "served whole");
  expect({raw + ", " + hot, raw + ", " + cut, topP}, "served whole", "raw whole");
  expect({"", "", "slices: { s: { when: temperature > 1 } }\nassumptions: { support: full }"},
         "served nominal", "served served");
  expect({"", "", "slices: { s: { when: x == 'temperature' } }\nassumptions: { support: full }"},
         "served served", "served served");
  // What is missing is measured after the cut, if it is that of every request.
  auto missing = [](const Kernels& of) { return of.laws("max(missing_mass) <= 1%"); };
  const std::string slices = "slices: { s: { when: ";
  EXPECT_EQ(missing({"", cut, topP}), "served served");
  EXPECT_EQ(missing({"", "sampling: { top_k: 9 }", ""}), "served served");
  EXPECT_EQ(missing({"", "sampling: { min_p: 1% }", ""}), "served served");
  EXPECT_EQ(missing({"", "sampling: { top_p: 1 }", ""}), "served whole");
  EXPECT_EQ(missing({"", "", ""}), "served whole");
  EXPECT_EQ(missing({cut, cut, ""}), "whole served");
  EXPECT_EQ(missing({"", cut, slices + "top_p < 1 } }"}), "served whole");
  EXPECT_EQ(missing({"", cut, slices + "temperature < 1 } }"}), "served nominal");
  EXPECT_EQ(missing({"", cut, slices + "x == 1 } }"}), "served served");
  EXPECT_EQ(missing({"", "sampling: { top_p: 0.9, temperature: 0 }", ""}), "");
  // Rows of whole softmaxes say nothing of a kernel that takes the largest logit.
  const Kernels greedy{"sampling: { temperature: 0 }", "sampling: { temperature: 0 }", ""};
  EXPECT_EQ(greedy.laws("max(tv) <= 1%"), "");
  EXPECT_EQ(greedy.laws(rows), "served whole");
  EXPECT_EQ(greedy.laws("mean(top1_flip) <= 1%"), "served whole");
}

TEST(Contract, KnowsWhatTemperaturesAreOf) {
  auto of = [](const std::string& a, const std::string& b, const std::string& rest) {
    const Kernels kernels{"sampling: { " + a + " }", "sampling: { " + b + " }", rest};
    std::string out;
    for (const char* entry : {"temperature: 1}", "temperature: 2}", "temperature: 0}", ""})
      out += stated(kernels.with("x"), entry) + " ";
    return out;
  };
  EXPECT_EQ(of("", "", ""), "none none none given temperature |  | a>b |  |  ");
  EXPECT_EQ(of("", "", "model: {temperature: 1}"), "given temperature |  | a>b |  |  none none  ");
  EXPECT_EQ(of("temperature: 1.0", "", "model: {temperature: 2}"),
            "none given infer_temperature |  | a>b |  |  none  ");
  EXPECT_EQ(of("", "", "model: {temperature: 0}"), "none none given greedy |  | a>b |  |   ");
  EXPECT_EQ(of("temperature: 1.0", "", "model: {temperature: 0}"), "none none   ");
  EXPECT_EQ(of("", "", "model: {temperature: 1}\nslices: {s: {when: temperature < 1}}"),
            " none none  ");
}

TEST(Contract, KnowsWhatGivensAreAbout) {
  const std::vector<File> files = {
      {"x", std::string(head) +
                "kernels: { a: {}, b: { sampling: { top_k: 4 } }, c: {} }\n"
                "chain: [a, b, c]\n"
                "model: { horizon: 9 tokens }\nslices: { s: { when: x == 1, weight: "
                "20%, mean_length: 3 tokens } }\n"
                "assumptions:\n  support: full\n  mean_length: 4 tokens\n"
                "  advantage: 2\n  head_norm: 3\n  reward: [0, 1]\n"
                "  estimator: sequence\n  correction: is\n  group: 4\n"}};
  const std::string ends = " | a>c | served served | c";
  EXPECT_EQ(stated(files, "horizon"), "given horizon |  |  |  | ");
  EXPECT_EQ(stated(files, "reward: "), "given reward_range |  |  |  | ");
  EXPECT_EQ(stated(files, "support"),
            "given full_support | " + ends + "; sup missing_mass | " + ends);
  EXPECT_EQ(stated(files, "advantage"), "given advantage | " + ends);
  EXPECT_EQ(stated(files, "head_norm"), "given head_norm |  | a>b | served whole | c");
  EXPECT_EQ(stated(files, "mean_length: 4"), "mean mean_length | *" + ends);
  EXPECT_EQ(stated(files, "mean_length: 3"), "mean mean_length | s" + ends);
  EXPECT_EQ(stated(files, "s: { when"), "given weight | s |  |  | ");
  EXPECT_EQ(stated(files, "estimator"), "given group_whole | " + ends);
  EXPECT_EQ(stated(files, "correction"), "mean pg_cut | " + ends + "; mean pg_token_cut | " + ends +
                                             "; given weight_mean | " + ends);
}

TEST(Contract, PutsNewerWeightsInFrontOfTheChain) {
  const std::vector<File> files = {
      {"x", std::string(head) + "kernels: { a: {}, b: { sampling: { top_k: 4 } } }\n"
                                "pair: { train: a, infer: b }\n"
                                "assumptions:\n  staleness: { steps: 2, logit_osc: 0.1 }\n"
                                "  advantage: 2\n  head_norm: 3\n  support: { missing_mass: 0.1 }\n"
                                "numerical:\n  d: max(logit_osc) <= 1\nclaims:\n  t: tv <= 1\n"}};
  const std::string age = " |  | newest a>a | served served | b";
  EXPECT_EQ(stated(files, "staleness"), "given stale_steps" + age + "; given step_drift" + age);
  EXPECT_EQ(stated(files, "advantage"), "given advantage |  | newest a>b | served served | b");
  EXPECT_EQ(stated(files, "head_norm"), "given head_norm |  | a>b | served whole | b");
  EXPECT_EQ(stated(files, "missing_mass"), "sup missing_mass |  | newest a>b | served served | b");
  EXPECT_EQ(stated(files, "d: "), "sup logit_osc | * | a>b | kept whole | b");
  EXPECT_EQ(printPlaces(Contract(files, "test").goals().front().fact),
            "mean tv | * | newest a>b | served served | b");
}

std::string claims(const std::string& text) {
  const Contract contract(
      {{"x", std::string(head) + "kernels: { a: {}, b: {}, c: {} }\nchain: [a, b, c]\n" + text}},
      "test");
  std::string out;
  for (const Contract::Goal& goal : contract.goals())
    out += goal.claim->key + " " + printPlaces(goal.fact) + " " + goal.op + "\n";
  return out;
}

TEST(Contract, ListsEveryPartOfAClaim) {
  EXPECT_EQ(claims("claims:\n  t: tv in [0.1, 0.2] and ess >= 0"),
            "t   | * | a>c | served served | c >=\nt mean tv | * | a>c | served served | c <=\n");
  const std::string slices =
      "slices: { s: { when: x == 1, weight: 60% }, t: { when: x == 2, weight: 30% } }\n";
  EXPECT_EQ(
      claims(slices + "claims: { t: { require: seq_tv < 0.1, slices: [other, s], link: [a, b] } }"),
      "t mean seq_tv | s | a>b | served served | b <\nt mean seq_tv | other | a>b | served served "
      "| b <\n");
  EXPECT_EQ(claims(slices + "claims: { t: { require: tv <= 0.1 on all, link: [a, b] } }"),
            "t mean tv | * | a>b | served served | c <=\n");
  for (const char* text :
       {"claims: { t: tv <= 0.1 on u }", "claims: { t: { require: tv <= 0.1, link: [b, a] } }",
        "claims: { t: { require: tv <= 0.1, drawn: b } }", "claims: { t: tv != 0.1 }",
        "slices: { s: { when: x == 1, weight: 101% } }", "slices: { all: { when: x == 1 } }"})
    EXPECT_THROW(claims(text), Rejection) << text;
}

TEST(Contract, LaysChildrenOverTheirParents) {
  const std::string parent =
      "tikc: v1\ncontract: up\nkernels:\n  a: { engine: x, sampling: { top_p: 0.9, min_p: 0.1 } "
      "}\n  b: {}\n"
      "pair: { train: a, infer: b }\nmodel: { horizon: 4 tokens, vocabulary: 9 }\n"
      "slices: { s: { when: x == 1, weight: 10% } }\n"
      "numerical: { one: max(tv) <= 1%, two: { require: max(chi2) <= 1, drawn: text } }\n"
      "claims: { z: tv <= 0.1 }\n";
  const std::string child =
      "tikc: v1\ncontract: test\nextends: down/../y#up\n"
      "kernels: { a: { sampling: { min_p: null } } }\nmodel: { horizon: 8 tokens }\n"
      "slices: { t: { when: x == 2 }, s: { weight: 20% } }\n"
      "numerical: { two: max(chi2) <= 2, one: null }\nclaims: { y: tv <= 0.2 }\n";
  const Contract contract({{"/f/x", child}, {"/f/y", "contract: other\n---\n" + parent}}, "test");
  const Tree& tree = contract.tree();
  EXPECT_EQ(tree["kernels"].print(), "{ a: { engine: x, sampling: { top_p: 0.9 } }, b: {  } }");
  EXPECT_EQ(tree["model"].print(), "{ horizon: 8 tokens, vocabulary: 9 }");
  EXPECT_EQ(tree["slices"].print(), "{ s: { when: x == 1, weight: 20% }, t: { when: x == 2 } }");
  EXPECT_EQ(tree["numerical"].print(), "{ two: max(chi2) <= 2 }");
  EXPECT_EQ(tree["claims"].print(), "{ z: tv <= 0.1, y: tv <= 0.2 }");
  auto at = [&](std::size_t file, const std::string& key) {
    const std::string& text = file == 0 ? child : "contract: other\n---\n" + parent;
    return contract.find(file, text.find(key)).size();
  };
  EXPECT_EQ(at(0, "two:"), 2U);
  EXPECT_EQ(at(1, "two:"), 0U);
  EXPECT_EQ(at(1, "one:"), 0U);
  EXPECT_EQ(at(1, "vocabulary"), 2U);
  EXPECT_EQ(at(1, "horizon"), 0U);
  EXPECT_EQ(at(0, "contract: test"), 1U);
  EXPECT_EQ(at(1, "contract: up"), 0U);
}

TEST(Contract, RefusesFilesThatDoNotBelongTogether) {
  const std::string whole =
      "tikc: v1\ncontract: test\nkernels: { a: {}, b: {} }\npair: { train: a, infer: b }\n";
  auto extends = [](const std::string& what) {
    return "tikc: v1\ncontract: test\nextends: '" + what + "'\n";
  };
  auto tries = [](const std::vector<File>& files) { Contract(files, "test"); };
  EXPECT_NO_THROW(tries({{"x", whole}}));
  EXPECT_NO_THROW(tries({{"x", extends("y")}, {"y", whole}}));
  EXPECT_NO_THROW(tries({{"f/x", extends("../y")}, {"y", whole}}));
  EXPECT_NO_THROW(
      tries({{"x", extends("#up") + "---\n" + whole.substr(0, 19) + "up" + whole.substr(23)}}));
  for (const std::vector<File>& files : {std::vector<File>{},
                                         {{"x", extends("y")}},
                                         {{"x", extends("y")}, {"f/y", whole}},
                                         {{"x", extends("f/y")}, {"y", whole}},
                                         {{"x", extends("/y")}, {"/y", whole}},
                                         {{"x", extends("#test")}},
                                         {{"x", extends("y")}, {"y", extends("x")}},
                                         {{"x", extends("y#z")}, {"y", whole}},
                                         {{"x", extends("y")}, {"y", whole + "---\n" + whole}},
                                         {{"x", whole + "---\n" + whole}},
                                         {{"x", "contract: test"}},
                                         {{"y", "contract: y"}, {"x", whole}}})
    EXPECT_THROW(tries(files), Rejection);
}

} // namespace
} // namespace verify::tests
