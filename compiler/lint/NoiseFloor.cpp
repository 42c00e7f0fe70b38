#include "bounds/facts/Evaluate.h"
#include "lint/Actions.h"
#include "lint/Lint.h"
#include "lint/Reactions.h"
#include "model/Metrics.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace tikc::lint {

using namespace model;
using bounds::Real;
using utf8::ticked;

namespace {

constexpr unsigned floorBits = 256;
constexpr unsigned shownDigits = 4;

/// What storing alone can do to a logit's drift, of some logits within the bound.
struct Storage {
  Rational bound; // Z
  Rational top;   // 2^k, above the largest binade that the bound leaves room in
  const Text* train = nullptr;
  const Text* infer = nullptr;
  Rational trainStep, inferStep; // half of a unit in the last place there
  Rational reach;                // a logit's drift, on either side of 0
};

const Kernel* findKernel(const Contract& contract, std::string_view name) {
  for (const Kernel& kernel : contract.kernels)
    if (kernel.name.text == name)
      return &kernel;
  return nullptr;
}

const Text* logitFormat(const Contract& contract, std::string_view kernel) {
  const Kernel* declared = findKernel(contract, kernel);
  if (!declared)
    return nullptr;
  const auto& format = declared->formats[static_cast<std::size_t>(KernelPart::Logits)];
  return format ? &*format : nullptr;
}

/// Formats with a largest number so small that logits can overflow.
bool holds(std::string_view format, const Rational& logit) {
  if (format == "fp8_e4m3")
    return logit <= 448;
  if (format == "fp8_e5m2")
    return logit <= 57344;
  return format != "fp16" || logit <= 65504;
}

/// The largest binade [2^(k − 1), 2^k) in which both neighbours of a midpoint are within the bound.
std::optional<unsigned> usedBinade(const Rational& bound, const Rational& roundoff) {
  constexpr unsigned most = 64;
  for (unsigned k = most; k >= 1; --k)
    if (Rational(mpz_class(1) << (k - 1)) * (1 + 2 * roundoff) <= bound)
      return k;
  return std::nullopt;
}

Rational halfStep(const Rational& roundoff, unsigned k) {
  return bounds::lemmas::fpLogit
      .evaluate(std::array{Real(Rational(k), floorBits), Real(roundoff, floorBits)})
      ->lower();
}

/// One logit stored twice lies at most half a step of the coarser format apart from itself. In one
/// and the same format two logits on two sides of a midpoint, however near, lie a whole step apart.
std::optional<Storage> storageOf(const Contract& contract, const Clause& clause,
                                 std::string_view server) {
  if (contract.chain.size() < 2 || !contract.policy.logitBound)
    return std::nullopt;
  Storage out;
  out.bound = contract.policy.logitBound->value;
  out.train =
      logitFormat(contract, clause.link ? clause.link->from.text : contract.chain.front().text);
  out.infer = logitFormat(contract, clause.link ? clause.link->to.text : server);
  if (!out.train || !out.infer)
    return std::nullopt;
  auto train = bounds::unitRoundoff(out.train->value),
       infer = bounds::unitRoundoff(out.infer->value);
  if (!train || !infer || !holds(out.train->value, out.bound) ||
      !holds(out.infer->value, out.bound))
    return std::nullopt;
  auto k = usedBinade(out.bound, std::max(*train, *infer));
  if (!k)
    return std::nullopt;
  out.top = mpz_class(1) << *k;
  out.trainStep = halfStep(*train, *k);
  out.inferStep = halfStep(*infer, *k);
  out.reach = *train == *infer ? Rational(out.trainStep + out.inferStep)
                               : std::max(out.trainStep, out.inferStep);
  return out;
}

bool samplesAtOne(const Contract& contract) {
  auto isOne = [](const std::optional<Number>& number) { return !number || number->value == 1; };
  return isOne(contract.policy.temperature) &&
         std::all_of(contract.kernels.begin(), contract.kernels.end(),
                     [&](const Kernel& kernel) { return isOne(kernel.sampling.temperature); });
}

/// The largest value that is shown to be reached, and how.
struct Floor {
  Rational value;
  std::string_view how;
};

/// All of them by two tokens whose drifts are +reach and −reach, every other token masked.
std::optional<Floor> floorOf(const Contract& contract, MetricId metric, const Storage& storage) {
  const Rational& reach = storage.reach;
  Real e(reach, floorBits);
  bool isSameGrid = storage.trainStep == storage.inferStep;
  switch (metric) {
  case MetricId::LogitLinf:
    return Floor{reach, "one logit next to a midpoint of the format"};
  case MetricId::LogitOsc:
    return Floor{2 * reach, "two logits next to midpoints of the format that are rounded apart"};
  case MetricId::LogitL2:
    return Floor{(e * sqrt(Real(2))).lower(), "two logits next to midpoints of the format"};
  case MetricId::LogprobLinf: {
    if (!samplesAtOne(contract))
      return std::nullopt;
    // Logits near 2^(k − 1) and −2^(k − 1): the second token's probability is at most exp(−2^k).
    Real rare = exp(-Real(storage.top, floorBits));
    return Floor{(2 * e - log1p(rare * expm1(2 * e))).lower(),
                 "a rare token and a likely one that are rounded apart: 2·eps, less the weight of "
                 "the rare one"};
  }
  case MetricId::Tv:
    if (!samplesAtOne(contract))
      return std::nullopt;
    // Both at one midpoint: in one format ±reach/2 each, else one kernel's logits are equal.
    return Floor{
        isSameGrid ? tanh(e / 2).lower() : (tanh(e) / 2).lower(),
        isSameGrid
            ? "two tokens at one midpoint that the kernels round apart: tanh(eps/2)"
            : "two tokens at one midpoint that the coarser format rounds apart: tanh(eps)/2"};
  default:
    return std::nullopt;
  }
}

/// The comparison's upper limit. One of exactly 0 asks for equal bits, which equal kernels keep.
const Amount* tolerance(const Bound& bound) {
  if (bound.upper)
    return &*bound.upper;
  return isBelow(bound.comparator) && bound.limit.value > 0 ? &bound.limit : nullptr;
}

/// In nats, rounded up where the unit is a bit.
Rational nats(const Amount& quantity) {
  Rational value = quantity.scaled();
  return quantity.unit == Unit::Bit
             ? (Real(value, floorBits) * log(Real(Rational(2), floorBits))).upper()
             : value;
}

std::string number(const Rational& value, bounds::Rounding rounding) {
  std::string exact = printRational(value);
  return exact.size() <= 8 ? exact : bounds::decimal(value, shownDigits, rounding);
}

void addModel(diag::Diagnostic& diagnostic, const Contract& contract, const Storage& storage,
              const Floor& floor) {
  auto half = [](const Text& format, const Rational& step) {
    return fmt::format("{} {}", format.value, number(step, bounds::Rounding::Up));
  };
  diagnostic.note(fmt::format(
      "L-FP-LOGIT: half a unit in the last place of logits from {} to {}: {}, {}",
      printRational(storage.top / 2), printRational(std::min(storage.bound, storage.top)),
      half(*storage.train, storage.trainStep), half(*storage.infer, storage.inferStep)));
  std::string_view why =
      storage.trainStep == storage.inferStep
          ? "two logits that differ before they are stored, however little, can be stored a whole "
            "unit apart"
          : "the coarser format moves a logit by half a unit, and the finer one keeps it";
  diagnostic.note(fmt::format("{}: eps = {}", why, number(storage.reach, bounds::Rounding::Down)));
  diagnostic.note(fmt::format("it takes {}", floor.how));
  diagnostic.relatedTo(contract.policy.logitBound->span, "the logits may be as large as this");
}

bool isStrictlyBelow(const Bound& bound) {
  return bound.comparator == Comparator::Less && !bound.upper;
}

/// How storing its logits alone breaks a clause, by whichever kernel serves.
struct Breach {
  Storage storage;
  Floor floor;
};
std::optional<Breach> breachOf(const Contract& contract, const Clause& clause, const Bound& bound,
                               std::string_view server) {
  const Amount* limit = tolerance(bound);
  if (bound.measure.aggregate != Aggregate::Max || !limit)
    return std::nullopt;
  auto storage = storageOf(contract, clause, server);
  auto floor = storage ? floorOf(contract, bound.measure.metric, *storage) : std::nullopt;
  if (!floor)
    return std::nullopt;
  Rational room = nats(*limit) - floor->value;
  if (room > 0 || (room == 0 && !isStrictlyBelow(bound)))
    return std::nullopt;
  return Breach{*storage, *floor};
}

void checkBound(const LintInput& input, const Clause& clause, const Bound& bound) {
  if (input.contract.chain.size() < 2)
    return;
  auto breach = breachOf(input.contract, clause, bound, input.contract.chain.back().text);
  if (!breach)
    return;
  const Amount* limit = tolerance(bound);
  const auto& [storage, floor] = *breach;
  auto& diagnostic = input.sink.report<diag::BelowNoiseFloor>(
      bound.span, ticked(clause.id.text), model::info(bound.measure.metric).symbol,
      number(floor.value, bounds::Rounding::Down));
  addModel(diagnostic, input.contract, storage, floor);
  // In the unit that the author wrote; bits become nats, since they are not rational.
  Amount least = *limit;
  least.unit = limit->unit == Unit::Bit ? Unit::Nat : limit->unit;
  Rational scale = Amount{1, least.unit, {}, {}, {}}.scaled();
  auto value = parseDecimal(number(floor.value / scale, bounds::Rounding::Up));
  if (isStrictlyBelow(bound) || !value)
    return;
  least.value = *value;
  diagnostic.unsafeFix(
      fmt::format("set it to {}, the least bound that this does not break", print(least)),
      {{limit->span, print(least)}});
}

/// Where a rule sends the traffic of a kernel that broke a clause, the clause should be kept.
void checkFallbackFloor(const LintInput& input, const Rule& rule, const Call& route) {
  const Contract& contract = input.contract;
  if (route.id != CallId::Route || !rule.when || contract.chain.size() < 2)
    return;
  const Expr& target = route.expr.arguments[0];
  const std::set<std::string_view> causes = causesOf(*rule.when, contract, Fate::Violated);
  for (const Clause& clause : contract.clauses)
    for (const Bound& bound : clause.bounds) {
      if (clause.link || !causes.contains(clause.id.text) ||
          breachOf(contract, clause, bound, contract.chain.back().text))
        continue;
      auto breach = breachOf(contract, clause, bound, target.text);
      if (!breach)
        continue;
      auto& diagnostic = input.sink.report<diag::FallbackBelowFloor>(
          target.span, ticked(target.text), ticked(clause.id.text),
          model::info(bound.measure.metric).symbol,
          number(breach->floor.value, bounds::Rounding::Down));
      addModel(diagnostic, contract, breach->storage, breach->floor);
      diagnostic.relatedTo(bound.span, "the clause that the route reacts to");
      return;
    }
}

} // namespace

void lintNoiseFloor(const LintInput& input) {
  for (const Rule& rule : input.contract.rules)
    if (!input.sink.hasErrorWithin(rule.span))
      forEachAction(rule, [&](const Call& action) { checkFallbackFloor(input, rule, action); });
  for (const Clause& clause : input.contract.clauses)
    for (const Bound& bound : clause.bounds)
      checkBound(input, clause, bound);
}

} // namespace tikc::lint
