#include "project/Starter.h"

#include "yaml/Tree.h"

#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>

namespace tikc::project {
namespace {

constexpr std::string_view before =
    R"(# A contract between a training kernel and the inference kernel that serves its weights.
# `tikc check` checks it; `tikc explain CODE` explains a finding.
tikc: v1
)";

constexpr std::string_view after = R"(version: 0.1.0
summary: vLLM rollouts against a BF16 FSDP2 trainer.
owners: [rl-infra]

# Facts: the programs that evaluate the policy, and their number formats.
kernels:
  trainer: { engine: fsdp2, weights: bf16, compute: bf16, accumulate: fp32, logits: fp32 }
  rollout: { engine: vllm, weights: bf16, compute: bf16, accumulate: fp32, kv_cache: bf16, logits: fp32, logprobs: processed }
pair: { train: trainer, infer: rollout }
model: { vocabulary: 151936, horizon: 4096 tokens, temperature: 1.0 }
load: { tokens: 20_000 per s, requests: 20 per s }

# Assumptions: taken as given, not measured.
assumptions:
  support: full          # the rollout can sample every token; otherwise write { top_p: 0.999 } or { missing_mass: 1e-4 }

# A partition of requests: the first match takes the request, the rest is `other`.
# each clause applies to each slice separately.
slices:
  long: { when: prompt_tokens >= 8192, weight: 20% }

# Clauses: measured on traffic and enforced. State the reason for each number.
numerical:
  drift:
    require: max(logit_osc) <= 1
    because: Replay of last week's rollouts showed 0.6 at worst.
  finite: count(nonfinite) == 0

statistical:
  gap: p99(abs(logprob_gap)) <= 0.1 nat over 50_000 tokens with confidence 99%
  k3: mean(k3) <= 2e-3

runtime:
  latency: p99(latency) <= 45 s over 30 min

# Observability: the data that the clauses need.
observability:
  rows: sample(logits, 0.2%)
  tokens: sample(logprobs, 100%)
  coherent: coherent(logprobs, 99%) # the logged log-probs are those of the sampling distribution
  requests: sample(requests, 100%)
  export: prometheus(prefix="tikc")

# Claims: what the clauses imply. tikc proves or refutes them when it compiles the contract.
claims:
  token_tv: mean(tv) <= 0.25

# Escalation: what happens when a clause is violated.
escalation:
  poison: { when: violated(finite), do: [rollback, alert("rl-oncall")] }
  rest: { when: violated(any) or violated(coherent), do: alert("rl-oncall") }
  stale: { when: undecided(gap) for 6 windows, do: hold, until: not undecided(gap) }

# Promotion: the stages on the way to full traffic.
promotion:
  offline: { tokens: 1_000_000 tokens, data: evals/rl.jsonl }
  canary: { traffic: 5%, window: 10 min, tokens: 500_000 tokens, lasts: 2 h }
  full: { traffic: 100%, window: 10 min }
)";

/// A contract's name from a file's: what the language does not allow in one becomes a dash.
std::string contractName(std::string_view stem) {
  std::string name;
  for (char c : stem) {
    if (llvm::isAlnum(c) || (!name.empty() && (c == '.' || c == '_')))
      name += c;
    else if (!name.empty() && name.back() != '-')
      name += '-';
  }
  while (name.ends_with('-'))
    name.pop_back();
  if (name.empty())
    name = "contract";
  bool readsAsText = yaml::coreType(name) == yaml::ScalarType::String;
  return readsAsText ? name : '"' + name + '"';
}

} // namespace

std::string starterContract(std::string_view stem) {
  return fmt::format("{}contract: {}\n{}", before, contractName(stem), after);
}

} // namespace tikc::project
