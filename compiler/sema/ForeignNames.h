#pragma once

#include "sema/Symbols.h"

/// Names that people bring from elsewhere, answered with what stands for them here.
namespace tikc::sema {

/// Says of names that people bring what stands for them here.
void explainAliases(diag::Diagnostic& found, const Span& span,
                    std::span<const metrics::AliasInfo> names);

/// Reports a name that nothing declares, and that other tools may use.
template <typename Kind>
diag::Diagnostic& reportUnknown(FileContext& context, std::string_view name, const Span& span,
                                std::span<const std::string_view> candidates, metrics::AliasOf of) {
  auto names = metrics::findAliases(of, name);
  if (names.empty())
    return reportUnknown<Kind>(context, name, span, candidates);
  diag::Diagnostic& found = context.sink.report<Kind>(span, utf8::ticked(name));
  explainAliases(found, span, names);
  return found;
}

/// Reports a name that says its aggregate, too, as trainers' do: rollout_probs_diff_max,
/// p99_latency. False where it is none.
bool reportMeasure(FileContext& context, const model::Expr& name);

void reportUnknownMetric(FileContext& context, const model::Expr& named, bool isInAbs);
void reportUnknownAggregate(FileContext& context, const model::Expr& call);
void reportUnknownClaim(FileContext& context, const model::Expr& named);
/// Of what only claims are about.
void reportNotMeasured(FileContext& context, const model::Expr& named);
/// Of a metric that no claim is about.
void reportNotClaimed(FileContext& context, const model::Expr& named);

} // namespace tikc::sema
