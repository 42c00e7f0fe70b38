#include "unit/Checked.h"

#include <gmock/gmock.h>

namespace tikc::tests {
namespace {

using testing::Contains;
using testing::Not;
using testing::StartsWith;

/// A contract whose rule leads from a kernel to another.
std::vector<std::string> findings(const std::string& server, const std::string& safe,
                                  const std::string& rule, const std::string& more = "",
                                  const std::string& clauses = "drift: max(logit_osc) <= 0.1") {
  return Checked("tikc: v1\ncontract: rollout\nversion: 1.0.0\nkernels:\n"
                 "  trainer: { engine: fsdp2, weights: bf16, logits: fp32 }\n"
                 "  rollout: { " +
                 server + " }\n  safe: { " + safe +
                 " }\npair: { train: trainer, infer: rollout }\n" + more + "numerical:\n  " +
                 clauses + "\nobservability:\n  rows: sample(logits, 1%)\nescalation:\n  away: { " +
                 rule +
                 " }\n  rest: { when: violated(any) or undecided(any), do: alert(\"us\") }\n")
      .findings();
}

constexpr const char* vllm = "engine: vllm, version: 0.9.1, weights: bf16, logits: fp32";
constexpr const char* otherEngine = "engine: sglang, weights: bf16, logits: fp32";
constexpr const char* away =
    "when: violated(drift), do: 'route(safe, probe=1%)', until: satisfied(drift) for 9 windows";

TEST(Fallback, IsNoTwin) {
  const auto twin = Contains(StartsWith("TK7021"));
  const std::string same = vllm;
  EXPECT_THAT(findings(same, same, away), twin);
  EXPECT_THAT(findings(same + ", flags: { a: 1 }", same + ", flags: { a: 1 }", away), twin);
  for (const char* more : {", flags: { a: 1 }", ", kv_cache: bf16", ", sampling: { top_p: 0.9 }",
                           ", parallel: { tp: 8 }", ", batch_invariant: true"})
    EXPECT_THAT(findings(same, same + more, away), Not(twin)) << more;
  // Who does not say which software it is may mean another one.
  EXPECT_THAT(findings(otherEngine, otherEngine, away), Not(twin));
}

TEST(Fallback, KeepsWhatWasBroken) {
  const auto below = Contains(StartsWith("TK7022"));
  const std::string model = "model: { vocabulary: 1000, logit_bound: 30 }\n";
  const std::string coarse = "engine: sglang, weights: bf16, logits: bf16";
  EXPECT_THAT(findings(vllm, coarse, away, model), below);
  EXPECT_THAT(findings(vllm, otherEngine, away, model), Not(below));
  // What the serving kernel cannot keep either is told of the clause.
  EXPECT_THAT(findings(coarse, "engine: sglang, weights: fp16, logits: bf16", away, model),
              Not(below));
  EXPECT_THAT(findings(vllm, coarse,
                       "when: violated(flip), do: 'route(safe, probe=1%)', until: satisfied(flip) "
                       "for 9 windows",
                       model, "drift: max(logit_osc) <= 0.1\n  flip: rate(top1_flip) <= 1%"),
              Not(below));
}

TEST(Fallback, IsNotGoneToForGoodForWantOfData) {
  const auto stuck = Contains(StartsWith("TK7020"));
  auto of = [](const std::string& rule, const std::string& clause = "drift: max(tv) <= 0.1") {
    return findings(vllm, otherEngine, rule, "", clause);
  };
  for (const char* when : {"undecided(drift) for 6 windows", "undecided(any)",
                           "violated(drift) or undecided(drift)", "not satisfied(drift)"})
    EXPECT_THAT(of(std::string("when: ") + when + ", do: route(safe)"), stuck) << when;
  for (const char* rule :
       {"when: violated(drift), do: route(safe)",
        "when: undecided(drift) and violated(drift), do: route(safe)",
        "when: undecided(drift), do: 'route(safe, probe=1%)'",
        "when: undecided(drift), do: rollback",
        "when: undecided(drift), do: [route(safe), hold], until: satisfied(drift) for 9 windows"})
    EXPECT_THAT(of(rule), Not(stuck)) << rule;
  EXPECT_THAT(of("when: undecided(drift), do: route(safe)",
                 "drift: { require: max(tv) <= 0.1, drawn: text }"),
              Not(stuck));
}

TEST(Fallback, LeavesAProbeThatVerdictsCanComeFrom) {
  const auto small = Contains(StartsWith("TK7023"));
  auto of = [](const std::string& probe, const std::string& window, const std::string& clause,
               const std::string& until = "satisfied(drift) for 6 windows") {
    return findings(
        vllm, otherEngine,
        "when: violated(drift), do: 'route(safe, probe=" + probe + ")', until: " + until,
        "load: { tokens: 10_000 per s }\npromotion: { canary: { traffic: 5%, window: " + window +
            " }, full: { traffic: 100%, window: " + window + " } }\n",
        "drift: " + clause);
  };
  // 10,000 × 600 s × 1% × probe
  EXPECT_THAT(of("0.4%", "10 min", "p99(tv) <= 0.1"), small);
  EXPECT_THAT(of("0.5%", "10 min", "p99(tv) <= 0.1"), Not(small));
  EXPECT_THAT(of("0.4%", "20 min", "p99(tv) <= 0.1"), Not(small));
  EXPECT_THAT(of("0.4%", "10 min", "max(tv) <= 0.1"), Not(small));
  EXPECT_THAT(of("0.4%", "10 min", "p99(tv) <= 0.1 over 5_000 tokens"), Not(small));
  EXPECT_THAT(of("0.4%", "10 min", "p99(tv) <= 0.1", "satisfied(any)"), small);
  EXPECT_THAT(of("0.4%", "10 min", "p99(tv) <= 0.1", "not violated(drift)"), Not(small));
  // What all traffic is too little for is told of the clause.
  EXPECT_THAT(of("1%", "10 s", "p999(tv) <= 0.1"), Not(small));
}

} // namespace
} // namespace tikc::tests
