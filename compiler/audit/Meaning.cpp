#include "audit/Meaning.h"

#include "pipeline/Pipeline.h"
#include "project/Settings.h"
#include "support/Names.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

namespace tikc::audit {
namespace {

constexpr std::string_view parties = R"(kernels:
  trainer: { engine: trainer, logprobs: processed }
  rollout: { engine: server, logprobs: processed }
pair: { train: trainer, infer: rollout }
)";

/// The clause with claims that nothing breaks: what is proved of them is the bound.
std::string questionOf(const std::string& require) {
  return fmt::format(R"(tikc: v1
contract: gate
version: 0.1.0
draft: true
summary: What a gate lets through.
{}assumptions: {{ support: full, advantage: 1, score_norm: 1, estimator: step, correction: none }}
statistical:
  gate: {}
claims:
  tv: mean(tv) <= 1
  bias: pg_bias <= 1_000_000
)",
                     parties, require);
}

pipeline::CheckedFile checked(const std::string& text, const Limits& limits) {
  SourceManager sources;
  const project::Settings settings;
  return pipeline::Checker(sources, settings, limits)
      .check(sources.add("gate.tikc.yaml", {}, text));
}

/// Of each measure and side the gate that asks for most; each figure's own name is its clause's.
std::vector<const MeantClause*> narrowest(std::span<const MeantClause> clauses) {
  std::vector<const MeantClause*> out;
  for (const MeantClause& each : clauses) {
    const bool isUpper = model::isBelow(each.comparator);
    auto same = std::find_if(out.begin(), out.end(), [&](const MeantClause* other) {
      return other->measure == each.measure && model::isBelow(other->comparator) == isUpper &&
             (other->comparator == model::Comparator::Equal) ==
                 (each.comparator == model::Comparator::Equal);
    });
    if (same == out.end())
      out.push_back(&each);
    else if (isUpper ? each.limit < (*same)->limit : each.limit > (*same)->limit)
      *same = &each;
  }
  return out;
}

std::string clauseLines(const SourceManager& sources, std::span<const MeantClause* const> clauses) {
  std::string out;
  std::set<std::string> names;
  for (const MeantClause* each : clauses) {
    std::string name = toIdentifier(each->figure.substr(each->figure.find_last_of('/') + 1));
    if (name.empty() || !names.insert(name).second) {
      name = fmt::format("{}_{}", name.empty() ? "gate" : name, names.size() + 1);
      names.insert(name);
    }
    const Position at = sources.position(each->place.file, each->place.begin);
    out += fmt::format("  # {}:{}:{}, of {}\n  {}: {}\n",
                       utf8::printable(sources.get(each->place.file).name), at.line, at.column,
                       utf8::printable(each->seen), name, each->require);
  }
  return out;
}

std::string wholeContract(const std::string& clauses) {
  return fmt::format(
      R"(# What gates say that were there already, of the steps that each of them sees. Written by `tikc audit`:
# name the kernels, and say what follows and what happens.
tikc: v1
contract: audited-gates
version: 0.1.0
summary: What gates say of each step that they see.
{}# Assumed; no gate states it.
assumptions: {{ support: full }}
statistical:
{}observability:
  tokens: sample(logprobs, 100%)
  coherent: coherent(logprobs, 99%)
escalation:
  broken: {{ when: violated(any) or violated(coherent), do: alert("on-call") }}
  silent: {{ when: undecided(any) for 6 windows, do: alert("on-call") }}
)",
      parties, clauses);
}

} // namespace

const LetThrough& Meanings::of(const std::string& require) {
  auto [known, fresh] = known_.try_emplace(require);
  LetThrough& out = known->second;
  if (!fresh)
    return out;
  for (const diag::ClaimVerdict& row : checked(questionOf(require), limits_).verdicts)
    (row.claim == "tv" ? out.tv : out.bias) = row.bound;
  out.tvValue = parseDecimal(out.tv);
  if (out.tvValue && *out.tvValue >= 1)
    out = {};
  if (const auto bias = parseDecimal(out.bias); bias && *bias >= 2) // of any two kernels
    out.bias.clear();
  return out;
}

/// What follows from other clauses, or says nothing, is left out until nothing is found any more.
std::string contractOf(const SourceManager& sources, std::span<const MeantClause> clauses,
                       const Limits& limits) {
  std::vector<const MeantClause*> kept = narrowest(clauses);
  while (!kept.empty()) {
    std::string text = wholeContract(clauseLines(sources, kept));
    const pipeline::CheckedFile file = checked(text, limits);
    if (file.diagnostics.empty())
      return text;
    // Each clause has two lines.
    const auto head = text.substr(0, text.find("statistical:\n"));
    const auto before = static_cast<std::uint32_t>(std::count(head.begin(), head.end(), '\n')) + 1;
    const auto at = file.diagnostics.front().span.begin;
    const auto line = static_cast<std::uint32_t>(
        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    const std::size_t which = line >= before ? (line - before) / 2 : 0;
    kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(std::min(which, kept.size() - 1)));
  }
  return {};
}

} // namespace tikc::audit
