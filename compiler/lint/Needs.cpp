#include "lint/Needs.h"

#include "bounds/facts/Lemma.h"
#include "model/Metrics.h"
#include "tikc/confidence.h"

#include <fmt/format.h>

#include <array>

namespace tikc::lint {

using namespace model;
using model::Level;

namespace {

constexpr unsigned bits = 256;

bool isOpenShare(const Rational& share) { return share > 0 && share < 1; }

std::optional<Need> more(std::optional<Need> a, std::optional<Need> b) {
  if (!a || !b)
    return a ? a : b;
  return a->count < b->count ? b : a;
}

/// Nothing, so many times in a row, brings the checker's interval below the bound.
Need neededByChecker(const Rational& bound, const Rational& alpha, knows_spread knows) {
  return {Rational(mpz_class(mean_needs(bound.get_d(), alpha.get_d(), knows))), {}};
}

/// What lies beyond a quantile is a share like any other.
std::optional<Need> neededForShareBeyond(const Bound& bound, const Rational& alpha) {
  const Rational& level = bound.measure.level;
  if (!isOpenShare(level))
    return std::nullopt;
  std::optional<Need> out;
  if (limitsAbove(bound))
    out = neededByChecker(1 - level, alpha, knows_spread::no);
  if (limitsBelow(bound))
    out = more(out, neededByChecker(level, alpha, knows_spread::no));
  return out;
}

std::optional<Need> neededForMean(const Bound& bound, const Rational& alpha) {
  const model::MetricInfo& metric = model::info(bound.measure.metric);
  bool isShare = bound.measure.aggregate == Aggregate::Rate ||
                 (metric.range.low == "0" && metric.range.high == "1");
  if (!isShare)
    return std::nullopt;
  const bool isSquared = bound.measure.aggregate == Aggregate::RootMeanSquare;
  const knows_spread knows =
      isSquared || model::isShareOfFlags(bound.measure) ? knows_spread::no : knows_spread::yes;
  std::optional<Need> out;
  auto meanAt = [&](const Amount& limit) {
    Rational value = limit.scaled();
    return isSquared ? Rational(value * value) : value;
  };
  Rational top = meanAt(bound.upper ? *bound.upper : bound.limit);
  if (limitsAbove(bound) && isOpenShare(top))
    out = neededByChecker(top, alpha, knows);
  Rational bottom = 1 - meanAt(bound.limit);
  if (limitsBelow(bound) && isOpenShare(bottom))
    out = more(out, neededByChecker(bottom, alpha, knows));
  return out;
}

std::optional<Need> neededByInterval(const Bound& bound) {
  Rational alpha = 1 - bound.confidence->scaled();
  if (!isOpenShare(alpha))
    return std::nullopt;
  switch (bound.measure.aggregate) {
  case Aggregate::Quantile:
    return neededForShareBeyond(bound, alpha);
  case Aggregate::Mean:
  case Aggregate::MeanByResponse:
  case Aggregate::RootMeanSquare:
  case Aggregate::Rate:
    return neededForMean(bound, alpha);
  default:
    return std::nullopt;
  }
}

bool isCounted(const model::MetricInfo& metric) {
  return metric.level != Level::Window && metric.level != Level::Gradient;
}

} // namespace

std::optional<Need> Needs::of(const Bound& bound) {
  if (!isCounted(model::info(bound.measure.metric)))
    return std::nullopt;
  if (bound.confidence)
    return neededByInterval(bound);
  return bound.measure.aggregate == Aggregate::Quantile ? ofQuantile(bound) : std::nullopt;
}

/// The maximum of n bounds a quantile from above, the minimum from below.
std::optional<Need> Needs::ofQuantile(const Bound& bound) {
  const Rational& level = bound.measure.level;
  if (!isOpenShare(level))
    return std::nullopt;
  std::optional<Need> out;
  if (limitsAbove(bound))
    out = ofLevel(level);
  if (limitsBelow(bound))
    out = more(out, ofLevel(1 - level));
  return out;
}

/// The least of what the lemma encloses: no more is asked than is certain.
const Need& Needs::ofLevel(const Rational& level) {
  auto [known, fresh] = ofLevels_.try_emplace(level);
  if (fresh) {
    const bounds::Lemma& lemma = bounds::lemmas::statOrderCount;
    std::array arguments = {bounds::Real(level, bits), bounds::Real(Rational(5, 100), bits)};
    known->second = {lemma.evaluate(arguments)->lower(), lemma.id};
  }
  return known->second;
}

std::string grouped(const mpz_class& count) {
  std::string out = count.get_str();
  for (auto at = static_cast<std::ptrdiff_t>(out.size()) - 3; at > 0; at -= 3)
    out.insert(static_cast<std::size_t>(at), ",");
  return out;
}

std::string reasonOf(const Need& need, const Bound& bound) {
  return bound.confidence
             ? fmt::format("a verdict holds at any time with confidence {}: with fewer "
                           "observations, the interval always reaches beyond the bound",
                           print(*bound.confidence))
             : fmt::format("{}: with fewer observations, no sample bounds the quantile with "
                           "confidence 95%",
                           need.lemma);
}

} // namespace tikc::lint
