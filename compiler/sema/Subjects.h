#pragma once

#include "sema/Symbols.h"
#include "sema/Values.h"

#include <optional>
#include <string>

namespace tikc::sema {

/// The typed subject of a comparison: the measure and the range of its values, which suffice to
/// judge the bound.
struct Subject {
  model::Measure measure;
  model::Measured measured = model::Measured::None;
  ValueRange domain;
  std::string name; // as written, for messages
};

/// Type the left side of a clause's or a claim's comparison: aggregate, metric, arguments. They
/// return nothing on failure.
std::optional<Subject> typeClauseSubject(FileContext& context, const model::Expr& expr);
std::optional<Subject> typeClaimSubject(FileContext& context, const model::Expr& expr);

/// Returns why a measure allows no confidence, with an alternative to bound; empty if it does.
std::string_view whyUncertain(const Subject& subject);

/// Returns the section for clauses about a metric.
model::Family familyOf(model::Level level);

} // namespace tikc::sema
