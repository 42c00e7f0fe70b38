#pragma once

#include "unit/Checked.h"

#include "bounds/prove/Prover.h"
#include "bounds/prove/WhatIf.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

namespace tikc::tests {

/// The parts of a contract that the prover reads, as YAML.
struct Written {
  std::string model = "vocabulary: 1000, horizon: 64 tokens"; // in flow style
  std::string assumptions = "support: full";                  // in flow style
  std::string clauses;                                        // "  id: …\n" each
  std::string slices = {};                                    // "  name: { … }\n" each
  std::string kernels = "  trainer: { engine: fsdp2 }\n  rollout: { engine: vllm }\n";
  std::string pair = "pair: { train: trainer, infer: rollout }\n";
};

inline std::string textOf(const Written& of, const std::string& claim) {
  std::string slices = of.slices.empty() ? "" : "slices:\n" + of.slices;
  return fmt::format("tikc: v1\ncontract: test\nversion: 1.0.0\nkernels:\n{}{}labels: {{ task: [a, "
                     "b, c] }}\n"
                     "model: {{ {} }}\nassumptions: {{ {} }}\n{}numerical:\n{}claims:\n  it: {}\n",
                     of.kernels, of.pair, of.model, of.assumptions, slices, of.clauses, claim) +
         observed();
}

/// A contract with one claim, and what the prover makes of it.
class Decided {
public:
  Decided(const Written& of, const std::string& claim) : checked_(textOf(of, claim)) {
    if (checked_.contracts().size() != 1 || checked_.contracts()[0].claims.size() != 1) {
      ADD_FAILURE() << textOf(of, claim) << testing::PrintToString(checked_.findings());
      return;
    }
    for (const diag::Diagnostic& found : checked_.diagnostics())
      if (found.severity == diag::Severity::Error && !isAboutProofs(found.code))
        ADD_FAILURE() << "a fault of the test: " << found.message << "\n" << textOf(of, claim);
    proof_ = bounds::prove(contract());
  }

  const model::Contract& contract() const { return checked_.contracts()[0]; }
  const bounds::Proof& proof() const { return proof_; }
  const std::vector<bounds::Proof::Entry>& entries() const { return proof_.entries; }

  bool isProved() const {
    for (const auto& entry : proof_.entries)
      if (entry.decision.verdict != bounds::Verdict::Proved)
        return false;
    return !proof_.entries.empty();
  }
  bool isRefuted() const { return has(bounds::Verdict::Refuted); }
  bool hasBound() const {
    for (const auto& entry : proof_.entries)
      if (!entry.decision.fact)
        return false;
    return !proof_.entries.empty();
  }
  const bounds::Fact& fact(std::size_t goal = 0) const {
    const auto& entry = proof_.entries.at(goal);
    return proof_.factsOf(entry)[*entry.decision.fact];
  }
  std::string wishes() const {
    std::string out;
    for (const auto& entry : proof_.entries)
      for (const bounds::Wish& wish : entry.decision.missing)
        out += std::string(wish.says) + "\n";
    return out;
  }
  std::vector<std::string> findings() const { return checked_.findings(); }

private:
  static bool isAboutProofs(diag::Code code) {
    return code == diag::Code::ClaimRefuted || code == diag::Code::ClaimUnproved ||
           code == diag::Code::ClaimUnbounded || code == diag::Code::SupportContradicted ||
           code == diag::Code::ClausesContradict;
  }
  bool has(bounds::Verdict verdict) const {
    for (const auto& entry : proof_.entries)
      if (entry.decision.verdict == verdict)
        return true;
    return false;
  }

  Checked checked_;
  bounds::Proof proof_;
};

inline bool proves(const Written& of, const std::string& claim) {
  return Decided(of, claim).isProved();
}
inline bool refutes(const Written& of, const std::string& claim) {
  return Decided(of, claim).isRefuted();
}

/// What a case of a suite is called.
inline constexpr auto nameOf = [](const auto& of) -> std::string { return of.param.name; };

/// A claim whose place for its number is {}, and the number that just follows.
struct Edge {
  const char* name;
  Written of;
  const char* claim;
  double bound;
  bool lower = false;
};

inline void PrintTo(const Edge& edge, std::ostream* out) { *out << edge.name; }

/// Proved with a hair to spare, and not with a hair less.
inline void expectEdge(const Edge& edge) {
  constexpr double hair = 1e-9;
  auto claim = [&](double share) {
    return fmt::format(fmt::runtime(edge.claim), fmt::format("{:.13g}", edge.bound * share));
  };
  double loose = edge.lower ? 1 - hair : 1 + hair, tight = edge.lower ? 1 + hair : 1 - hair;
  EXPECT_TRUE(proves(edge.of, claim(loose))) << claim(loose);
  Decided beyond(edge.of, claim(tight));
  EXPECT_FALSE(beyond.isProved()) << claim(tight);
  EXPECT_TRUE(beyond.hasBound()) << claim(tight);
}

} // namespace tikc::tests
