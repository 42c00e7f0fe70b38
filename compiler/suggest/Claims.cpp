#include "suggest/Claims.h"

#include "bounds/numbers/Interval.h"
#include "suggest/Trial.h"

#include <fmt/format.h>

#include <optional>

namespace tikc::suggest {
namespace {

struct ClaimQuestion {
  std::string_view id, quantity, unit, wide;
  bool isLower;
};
constexpr ClaimQuestion questions[] = {
    {"token_tv", "tv", "%", "100%", false},
    {"answer_tv", "seq_tv", "%", "100%", false},
    {"weights", "ess", "%", "0.000001%", true},
    {"reward", "reward_drift", "", "1_000_000_000", false},
    {"gradient", "pg_bias", "", "1_000_000_000", false},
};

/// What the quantity is at most whatever the kernels; for a lower bound, at least.
std::optional<Rational> trivial(const ClaimQuestion& question, const SuggestionOptions& options) {
  if (question.quantity == "reward_drift")
    return options.reward ? std::optional(Rational(options.reward->second - options.reward->first))
                          : std::nullopt;
  if (question.quantity == "pg_bias")
    return options.advantage && options.scoreNorm
               ? std::optional(Rational(2 * *options.advantage * *options.scoreNorm))
               : std::nullopt;
  return question.isLower ? 0 : 100;
}

DraftClaim claimOf(const ClaimQuestion& question, const ProposedSlice* slice, std::string limit) {
  std::string id(question.id);
  if (slice != nullptr)
    id += "_" + slice->name;
  return {std::move(id), std::string(question.quantity), std::move(limit), question.isLower,
          slice == nullptr ? std::string() : slice->name};
}

} // namespace

void addClaims(Draft& draft) {
  std::vector<const ProposedSlice*> slices = draft.partition.all();
  if (!draft.partition.isAny())
    slices = {nullptr};
  Draft asking = draft;
  asking.isProbe = true;
  std::vector<std::pair<const ClaimQuestion*, const ProposedSlice*>> openQuestions;
  for (const ClaimQuestion& each : questions)
    for (const ProposedSlice* slice : slices)
      if (trivial(each, draft.options)) {
        asking.claims.push_back(claimOf(each, slice, std::string(each.wide)));
        openQuestions.emplace_back(&each, slice);
      }
  const CheckedDraft checked(asking.text());
  for (std::size_t i = 0; i < openQuestions.size(); ++i)
    for (const diag::ClaimVerdict& verdict : checked.verdicts()) {
      const auto& [question, slice] = openQuestions[i];
      const auto bound = numberIn(verdict.bound);
      if (verdict.claim != asking.claims[i].id || verdict.verdict != "proved" || !bound)
        continue;
      const auto rounding = question->isLower ? bounds::Rounding::Down : bounds::Rounding::Up;
      const std::string limit = bounds::decimal(*bound, 2, rounding);
      const auto stated = parseDecimal(limit);
      const Rational least = *trivial(*question, draft.options);
      if (stated && (question->isLower ? *stated > least : *stated < least))
        draft.claims.push_back(claimOf(*question, slice, limit + std::string(question->unit)));
    }
}

} // namespace tikc::suggest
