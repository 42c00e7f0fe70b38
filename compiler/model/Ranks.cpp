#include "model/Ranks.h"

namespace tikc::model {

std::optional<Rank> rankOf(const model::Measure& measure) {
  switch (measure.aggregate) {
  case Aggregate::Min:
    return Rank{Rank::Kind::Level, 0};
  case Aggregate::Max:
    return Rank{Rank::Kind::Level, 1};
  case Aggregate::Quantile:
    return Rank{Rank::Kind::Level, measure.level};
  case Aggregate::Mean:
    return Rank{Rank::Kind::Mean, 0};
  case Aggregate::MeanByResponse:
    return Rank{Rank::Kind::MeanByResponse, 0};
  default:
    return std::nullopt;
  }
}

bool dominates(const Rank& a, const Rank& b) {
  if (a.isMean() && b.isMean())
    return a.kind == b.kind;
  if (a.isMean())
    return b.level == 0;
  if (b.isMean())
    return a.level == 1;
  return a.level >= b.level;
}

} // namespace tikc::model
