#pragma once

#include "sema/Symbols.h"

/// Suggests equivalents of names from other tools.
namespace tikc::sema {

/// Adds the equivalents of a name to a finding.
void explainAliases(diag::Diagnostic& finding, const Span& span,
                    std::span<const model::AliasInfo> names);

/// Reports an undeclared name that other tools may use.
template <typename Kind>
diag::Diagnostic& reportUnknown(FileContext& context, std::string_view name, const Span& span,
                                std::span<const std::string_view> candidates, model::AliasOf kind) {
  auto names = model::findAliases(kind, name);
  if (names.empty())
    return reportUnknown<Kind>(context, name, span, candidates);
  diag::Diagnostic& finding = context.sink.report<Kind>(span, utf8::ticked(name));
  explainAliases(finding, span, names);
  return finding;
}

/// Reports a name that includes its aggregate, as trainers' names do: rollout_probs_diff_max,
/// p99_latency. Returns false if it is not such a name.
bool reportMeasure(FileContext& context, const model::Expr& name);

void reportUnknownMetric(FileContext& context, const model::Expr& named, bool isInAbs);
void reportUnknownAggregate(FileContext& context, const model::Expr& call);
void reportUnknownClaim(FileContext& context, const model::Expr& named);
/// Reports a quantity that only claims can bound.
void reportNotMeasured(FileContext& context, const model::Expr& named);
/// Reports a metric that claims cannot bound.
void reportNotClaimed(FileContext& context, const model::Expr& named);

} // namespace tikc::sema
