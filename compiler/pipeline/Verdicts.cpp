#include "pipeline/Verdicts.h"

#include "bounds/prove/Wording.h"

#include <algorithm>

namespace tikc::pipeline {
namespace {

using bounds::Goal;
using bounds::Rounding;

diag::ClaimVerdict verdictOf(FileId file, const model::Contract& contract,
                             const bounds::Proof& proof, const bounds::Proof::Entry& entry) {
  const Goal& goal = entry.decision.goal;
  const auto& facts = proof.factsOf(entry);
  diag::ClaimVerdict out;
  out.file = file;
  out.contract = contract.name.value;
  out.isDraft = contract.draft.has_value();
  out.claim = contract.claims[goal.claim].id.text;
  out.verdict = bounds::verdictName(entry.decision.verdict);
  bounds::Wording wording = bounds::wordingOf(
      contract, goal, entry.decision.fact ? &facts[*entry.decision.fact] : nullptr);
  out.budget = wording.budget();
  out.bound = std::move(wording.bound);
  if (auto slack = entry.decision.slack(facts); slack && *slack >= 0)
    out.slack = bounds::percent(*slack, 3, Rounding::Down);
  const auto& slices = proof.problems[entry.problem].slices;
  if (slices.size() > 1)
    out.slices.push_back(slices[goal.place.slice].name);
  return out;
}

bool isSameOutcome(const diag::ClaimVerdict& a, const diag::ClaimVerdict& b) {
  return a.claim == b.claim && a.verdict == b.verdict && a.bound == b.bound && a.budget == b.budget;
}

} // namespace

std::map<std::size_t, bounds::Verdict> worstVerdicts(const bounds::Proof& proof) {
  auto badness = [](bounds::Verdict verdict) {
    return verdict == bounds::Verdict::Refuted ? 2 : verdict == bounds::Verdict::Proved ? 0 : 1;
  };
  std::map<std::size_t, bounds::Verdict> worst;
  for (const auto& entry : proof.entries) {
    bounds::Verdict verdict = entry.decision.verdict;
    auto [known, fresh] = worst.emplace(entry.decision.goal.claim, verdict);
    if (!fresh && badness(verdict) > badness(known->second))
      known->second = verdict;
  }
  return worst;
}

void countVerdicts(const bounds::Proof& proof, std::map<std::string_view, std::uint64_t>& counts) {
  for (const auto& [claim, verdict] : worstVerdicts(proof))
    ++counts[bounds::verdictName(verdict)];
}

std::vector<diag::ClaimVerdict> verdictsOf(FileId file, const model::Contract& contract,
                                           const bounds::Proof& proof) {
  std::vector<diag::ClaimVerdict> out;
  for (const auto& entry : proof.entries) {
    diag::ClaimVerdict row = verdictOf(file, contract, proof, entry);
    auto same = std::find_if(out.begin(), out.end(),
                             [&](const auto& known) { return isSameOutcome(known, row); });
    if (same == out.end())
      out.push_back(std::move(row));
    else
      same->slices.insert(same->slices.end(), row.slices.begin(), row.slices.end());
  }
  return out;
}

} // namespace tikc::pipeline
