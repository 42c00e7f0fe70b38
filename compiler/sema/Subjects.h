#pragma once

#include "sema/Symbols.h"
#include "sema/Values.h"

#include <optional>
#include <string>

namespace tikc::sema {

/// What a comparison is about, typed: the measure, and what its values can be. Enough to judge the
/// bound by.
struct Subject {
  model::Measure measure;
  metrics::Measured measured = metrics::Measured::None;
  ValueRange domain;
  std::string name; // as written, for messages
};

/// Types the left side of a clause's or a claim's comparison: aggregate, metric, arguments. Nothing
/// where that failed.
std::optional<Subject> typeClauseSubject(FileContext& context, const model::Expr& expr);
std::optional<Subject> typeClaimSubject(FileContext& context, const model::Expr& expr);

/// Why no confidence can be had in a measure, with what could be bounded instead; empty where one
/// can.
std::string_view whyUncertain(const Subject& subject);

/// The section that a metric's clauses belong to.
model::Family familyOf(metrics::Level level);

} // namespace tikc::sema
