#include "ProverFixture.h"

#include "model/Metrics.h"
#include "tools/Rounds.h"

namespace tikc::tests {
namespace {

/// A fact about one law, kernel or population that would do for another. `near` is the same with
/// the fact about what the claim is about.
struct Scope {
  const char* name;
  Written of;
  std::string wrong;
  Written nearby;
};

void PrintTo(const Scope& scope, std::ostream* out) { *out << scope.name; }

class ProverScope : public testing::TestWithParam<Scope> {};

TEST_P(ProverScope, IsNotAnothers) {
  const Scope& scope = GetParam();
  EXPECT_FALSE(proves(scope.of, scope.wrong)) << scope.wrong;
  EXPECT_TRUE(proves(scope.nearby, scope.wrong)) << scope.wrong;
}

Written kernels(std::string clauses, const std::string& trainer, const std::string& server,
                std::string assumptions = "support: full") {
  Written out;
  out.clauses = "  it_is: " + std::move(clauses) + "\n";
  out.kernels =
      "  trainer: { engine: fsdp2" + trainer + " }\n  rollout: { engine: vllm" + server + " }\n";
  out.assumptions = std::move(assumptions);
  return out;
}

Written chained(std::string clauses, std::string assumptions = "support: full",
                const std::string& middle = "") {
  Written out;
  out.kernels = "  a: { engine: fsdp2 }\n  b: { engine: transformers" + middle +
                " }\n  c: { engine: vllm }\n";
  out.pair = "chain: [a, b, c]\n";
  out.clauses = std::move(clauses);
  out.assumptions = std::move(assumptions);
  return out;
}

Written sliced(std::string slices, std::string clauses, std::string assumptions) {
  Written out;
  out.slices = std::move(slices);
  out.clauses = std::move(clauses);
  out.assumptions = std::move(assumptions);
  return out;
}

const std::string hot = ", sampling: { temperature: 0.7 }";
const std::string raw = ", logprobs: raw";
const std::string drawnByTrainer = "{ require: mean(tv_sampled) <= 1%, drawn: trainer }";

const std::string nucleus = ", sampling: { top_p: 0.9 }";

/// A drift of whole laws, and what is missing of those that are served.
Written missingOf(const std::string& trainer, const std::string& server,
                  const std::string& when = "") {
  Written out = kernels("max(logit_osc) <= 0.1\n  m: max(missing_mass) <= 1%", trainer, server,
                        "advantage: 1");
  if (!when.empty())
    out.slices = "  s: { when: " + when + ", weight: 50% }\n";
  return out;
}

INSTANTIATE_TEST_SUITE_P(
    Laws, ProverScope,
    testing::Values(
        Scope{"TrainersRawLogs", kernels("mean(tv_sampled) <= 1%", raw + hot, hot), "tv <= 0.9",
              kernels("mean(tv_sampled) <= 1%", hot, hot)},
        Scope{
            "CorrectionOfRawLogs",
            kernels("max(logit_osc) <= 0.1", hot, raw + hot,
                    "support: full, advantage: 1, score_norm: 1, estimator: step, correction: is"),
            "pg_bias <= 0.001",
            kernels("max(logit_osc) <= 0.1", hot, hot,
                    "support: full, advantage: 1, score_norm: 1, estimator: step, correction: is")},
        Scope{"TrainersCut",
              kernels("max(logit_osc) <= 0.1", ", sampling: { top_k: 1 }", "",
                      "support: { missing_mass: 1% }"),
              "tv <= 0.9",
              kernels("max(logit_osc) <= 0.1", "", "", "support: { missing_mass: 1% }")},
        Scope{"RowsOfATrainerThatCuts", kernels("max(tv) <= 1%", ", sampling: { top_p: 0.5 }", ""),
              "tv <= 0.9", kernels("max(tv) <= 1%", "", "")},
        Scope{"NucleusThatIsAssumedLarger",
              kernels("max(logit_osc) <= 0.1", "", ", sampling: { top_p: 0.5 }",
                      "support: { top_p: 0.999 }"),
              "tv <= 0.1", kernels("max(logit_osc) <= 0.1", "", "", "support: { top_p: 0.999 }")},
        Scope{"MissingMassOfUndeclaredCuts", missingOf("", ""), "tv <= 0.1",
              missingOf("", nucleus)},
        Scope{"MissingMassOfATrainerThatCuts", missingOf(nucleus, nucleus), "tv <= 0.1",
              missingOf("", nucleus)},
        Scope{"MissingMassOfRequestsNuclei", missingOf("", nucleus, "top_p > 0.5"), "tv <= 0.1",
              missingOf("", nucleus, "prompt_tokens > 5")},
        Scope{"MissingMassOfRequestsTemperatures",
              missingOf("", ", sampling: { top_k: 9 }", "temperature > 0.5"), "tv <= 0.1",
              missingOf("", ", sampling: { min_p: 0.1 }", "prompt_tokens > 5")},
        Scope{"LayersWithoutMasks",
              kernels("max(tv) <= 1", "", "",
                      "support: { top_p: 0.999 }, head_norm: 1, layers: [{ error: 0.1 }]"),
              "tv <= 0.1",
              kernels("max(tv) <= 1", "", "",
                      "support: full, head_norm: 1, layers: [{ error: 0.1 }]")}),
    nameOf);

INSTANTIATE_TEST_SUITE_P(
    Draws, ProverScope,
    testing::Values(Scope{"SamplesOfTheTrainer", kernels(drawnByTrainer, "", ""), "tv <= 0.9",
                          kernels("mean(tv_sampled) <= 1%", "", "")},
                    Scope{"TeacherForcedRows",
                          kernels("{ require: mean(tv) <= 1%, drawn: text }", "", ""), "tv <= 0.9",
                          kernels("mean(tv) <= 1%", "", "")},
                    Scope{"TeacherForcedExtremes",
                          kernels("{ require: max(logit_osc) <= 0.1, drawn: text }", "", ""),
                          "max(tv) <= 0.9", kernels("max(logit_osc) <= 0.1", "", "")}),
    nameOf);

INSTANTIATE_TEST_SUITE_P(
    Chains, ProverScope,
    testing::Values(Scope{"QuantilesOfResponses",
                          chained("  x: { require: max(logit_osc) <= 0.01, link: [a, b] }\n"
                                  "  y: { require: max(logit_osc) <= 0.01, link: [b, c] }\n"),
                          "quantile(seq_ratio, 0.01) >= 0.82",
                          chained("  x: { require: max(logit_osc) <= 0.005, link: [a, b] }\n"
                                  "  y: { require: max(logit_osc) <= 0.005, link: [b, c] }\n")},
                    Scope{"CapOfTheEnds",
                          chained("  x: { require: mean(tv) <= 0.1, link: [a, b] }\n",
                                  "support: full, ratio_cap: 2"),
                          "{ require: max(ratio) <= 2, link: [a, b] }",
                          chained("  x: { require: max(logprob_linf) <= 0.1, link: [a, b] }\n",
                                  "support: full, ratio_cap: 2")},
                    Scope{"MissingMassOfTheEnds",
                          chained("  x: { require: max(logit_osc) <= 0.1, link: [a, b] }\n",
                                  "support: { missing_mass: 1% }", ", sampling: { top_k: 1 }"),
                          "{ require: tv <= 0.05, link: [a, b] }",
                          chained("  x: { require: max(logit_osc) <= 0.1, link: [a, b] }\n",
                                  "support: { missing_mass: 1% }")}),
    nameOf);

const std::string half = "  math: { when: task == \"a\", weight: 50% }\n";
const std::string twoLengths =
    "  math: { when: task == \"a\", weight: 50%, mean_length: 10 tokens }\n";
const std::string atLeast =
    "  math: { when: task == \"a\", weight: 50%, least_mean_length: 10 tokens }\n";
const std::string gradientOfBatches =
    "loss: token_mean, advantage: 2, score_norm: 4, estimator: token, correction: none";

INSTANTIATE_TEST_SUITE_P(
    Populations, ProverScope,
    testing::Values(
        Scope{"MeanLengthOfTheMixture",
              sliced(half, "  d: mean(tv) <= 0.1%\n", "support: full, mean_length: 10 tokens"),
              "seq_tv <= 1% on math",
              sliced(twoLengths, "  d: mean(tv) <= 0.1%\n", "support: full")},
        Scope{
            "LeastLengthOfTheMixture",
            sliced(half, "  d: mean(seq_tv) <= 0.1%\n",
                   "support: full, least_mean_length: 10 tokens, " + gradientOfBatches),
            "pg_bias <= 0.5 on math",
            sliced(atLeast, "  d: mean(seq_tv) <= 0.1%\n", "support: full, " + gradientOfBatches)},
        Scope{"BatchesOfSlices",
              sliced(atLeast, "  d: mean(seq_tv) <= 0.1%\n", "support: full, " + gradientOfBatches),
              "pg_bias <= 0.5 on all",
              sliced(atLeast, "  d: mean(seq_tv) <= 0.1%\n",
                     "support: full, least_mean_length: 10 tokens, " + gradientOfBatches)},
        Scope{"TemperaturesOfRequests",
              sliced("  hot: { when: temperature > 1, weight: 50% }\n", "  d: max(tv) <= 1%\n",
                     "support: full"),
              "tv <= 0.9", sliced(half, "  d: max(tv) <= 1%\n", "support: full")},
        Scope{"NucleiOfRequests",
              sliced("  wide: { when: top_p > 0.9, weight: 50% }\n", "  d: max(logit_osc) <= 0.1\n",
                     "support: full"),
              "ess >= 10%", sliced(half, "  d: max(logit_osc) <= 0.1\n", "support: full")},
        Scope{"ResponsesOfPositions",
              sliced("  math: { when: position >= 32, weight: 50%, mean_length: 10 tokens }\n",
                     "  d: mean(tv) <= 0.1%\n", "support: full"),
              "seq_tv <= 1% on math",
              sliced(twoLengths, "  d: mean(tv) <= 0.1%\n", "support: full")}),
    nameOf);

TEST(ProverScopes, TakeADriftFromWhicheverSectionItStandsIn) {
  Written of = kernels("count(nonfinite) == 0", "", "");
  of.assumptions += "}\nruntime: { drift: max(logit_osc) <= 0.1";
  EXPECT_TRUE(proves(of, "max(tv) <= 0.03"));
}

TEST(ProverScopes, TakeSharesOfTokensAsTheServers) {
  auto drawn = [](const char* by) {
    Written of =
        chained(fmt::format("  near: {{ require: mean(tv) <= 0.1% on math, link: [a, b]{0} }}\n"
                            "  far: {{ require: mean(tv) <= 10% on other, link: [a, b]{0} }}\n",
                            by));
    of.slices = "  math: { when: task == \"a\", weight: 50%, token_weight: 99% }\n";
    return of;
  };
  EXPECT_TRUE(proves(drawn(""), "{ require: tv <= 0.2% on all, link: [a, b] }"));
  EXPECT_FALSE(proves(drawn(", drawn: b"), "{ require: seq_tv <= 50% on all, link: [a, b] }"))
      << "b may answer the other slice at length";
}

class ProverConflict : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(ProverConflict, ProvesNothing) {
  auto [kept, broken] = GetParam();
  for (const char* claim : {"tv <= 0.9", "max(tv) <= 1", "seq_tv <= 0.9"}) {
    Decided both(kernels(fmt::format("{}\n  beside: {}", kept, broken), "", "", "advantage: 1"),
                 claim);
    EXPECT_FALSE(both.isProved()) << kept << ", " << broken;
    ASSERT_FALSE(both.proof().conflicts.empty()) << kept << ", " << broken;
    EXPECT_LE(both.proof().conflicts.front().parts.size(), 2u);
  }
  EXPECT_TRUE(Decided(kernels(kept, "", ""), "tv <= 1").proof().conflicts.empty()) << kept;
}

INSTANTIATE_TEST_SUITE_P(
    Clauses, ProverConflict,
    testing::Values(std::pair("max(tv) <= 0.1", "mean(tv) >= 0.2"),
                    std::pair("max(logit_osc) <= 0.1", "p90(tv) >= 0.2"),
                    std::pair("mean(tv_sampled) <= 0.1", "mean(k1) <= -0.1"),
                    std::pair("mean(tv_sampled) <= 0.1", "mean(logprob_gap) >= 0.1"),
                    std::pair("mean(tv_sampled) <= 0.1", "min(ratio) >= 1.5"),
                    std::pair("mean(tv_sampled) <= 0.1", "quantile(ratio, 0.1) >= 1.2"),
                    std::pair("p99(hellinger) <= 0.1", "p50(hellinger) >= 0.3"),
                    std::pair("min(top1_margin) >= 1", "max(top1_margin) <= 0.5")));

TEST(ProverScopes, AnswerForChainsOfManyKernels) {
  // Every path through a ladder of steps by one and by two; the best takes the steps by two.
  Written of;
  of.kernels.clear();
  std::string chain;
  constexpr int kernelCount = isSanitized ? 21 : 61;
  for (int i = 0; i < kernelCount; ++i) {
    of.kernels += fmt::format("  k{}: {{ engine: vllm }}\n", i);
    chain += fmt::format("{}k{}", i ? ", " : "", i);
    for (int step = 1; step <= 2 && i >= step; ++step)
      of.clauses += fmt::format("  c{}_{}: {{ require: max(tv) <= {}, link: [k{}, k{}] }}\n", i,
                                step, step == 1 ? "0.002" : "0.003", i - step, i);
  }
  of.pair = "chain: [" + chain + "]\n";
  constexpr double least = 0.003 * (kernelCount / 2);
  EXPECT_TRUE(proves(of, fmt::format("max(tv) <= {:.4f}", least)));
  EXPECT_FALSE(proves(of, fmt::format("max(tv) <= {:.4f}", least - 1e-4)));
}

/// An assumption about the ends says of an inner link's rows no more than that the server cuts
/// nothing; a proof from them rests on it all the same.
TEST(ProverScopes, RestOnSupportWhereRowsAreOfWhatIsServed) {
  Decided decided(chained("  c: { require: max(logit_osc) <= 0.5, link: [b, c] }\n"),
                  "{ require: tv <= 0.13, link: [b, c] }");
  ASSERT_TRUE(decided.isProved());
  const auto& entry = decided.entries()[0];
  const bounds::Derivation& facts = decided.proof().factsOf(entry);
  std::vector<bounds::FactId> inputs = bounds::inputsOf(facts, *entry.decision.fact);
  EXPECT_TRUE(std::any_of(inputs.begin(), inputs.end(), [&](bounds::FactId id) {
    return facts[id].key.quantity == bounds::Quantity::FullSupport;
  }));
}

/// What a slice may ask of a request is asked of one of a group's: only the prompt is all theirs.
TEST(ProverScopes, AGroupIsInOneSliceOnlyWhereThePromptSays) {
  for (const model::FieldInfo& field : model::fields()) {
    bool isText = field.dimension == model::Measured::Text;
    Written of{
        "vocabulary: 1000, horizon: 4 tokens",
        "support: full, group: 4, score_norm: 1, estimator: sequence, correction: none",
        "  d: max(tv) <= 0.001\n",
        fmt::format("  some: {{ when: {} {} }}\n", field.symbol, isText ? "== \"x\"" : ">= 1")};
    EXPECT_EQ(Decided(of, "pg_bias <= 1000 on some").hasBound(), field.symbol == "prompt_tokens")
        << field.symbol;
  }
}

TEST(ProverScopes, AnswerForAnyNumberOfLayers) {
  auto layers = [](const char* layer) {
    return kernels("max(tv) <= 1", "", "",
                   fmt::format("support: full, head_norm: 1, layers: [{}]", layer));
  };
  EXPECT_TRUE(proves(layers("{ error: 0.0000000001, repeat: 1000000000 }"), "max(tv) <= 0.025"));
  EXPECT_FALSE(proves(layers("{ error: 1, gain: 2, repeat: 1000000000 }"), "max(tv) <= 0.9"));
  EXPECT_TRUE(
      proves(layers("{ error: 0.001, gain: 0.9, repeat: 1000000000 }"), "max(tv) <= 0.0026"));
}

} // namespace
} // namespace tikc::tests
