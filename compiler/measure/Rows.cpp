#include "measure/Rows.h"

#include "measure/Deciding.h"
#include "measure/ObservationId.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tikc::measure {
namespace {

std::string_view nounOf(tikc::source source) {
  switch (source) {
  case source::rows:
    return "rows of logits";
  case source::routes:
    return "routes of experts";
  case source::tokens:
    return "tokens";
  case source::sequences:
    return "responses";
  case source::requests:
    return "times of requests";
  case source::replays:
    return "replays";
  }
  return {};
}

class RowWriter {
public:
  RowWriter(const MeasuredPlan& measured, const Measurement& measurement)
      : measured_(measured), of_(measurement) {}

  Row row(std::size_t clause, std::size_t check, std::size_t slice) const {
    const plan::Check& planned = measured_.plan.checks[check];
    const CheckRecord& record = of_.records.of(check, slice);
    Row out = blankRow(measured_, clause, check, slice);
    out.outcome = record.is();
    out.value = known(record.shown.value, planned.unit);
    out.isOfBucket = planned.estimator == estimator::quantile;
    out.low = known(record.shown.low, planned.unit);
    out.high = known(record.shown.high, planned.unit);
    out.observations = record.shown.observations;
    out.satisfied = record.satisfied;
    out.violated = record.violated;
    out.undecided = record.undecided;
    out.open = record.open;
    out.bound = nearestBound(planned, record.shown.value);
    if (out.outcome == verdict::undecided)
      out.why = whyUndecided(planned, check, record);
    for (std::size_t i = 0; i < record.shown.worst.count; ++i)
      out.worst.push_back(placed(record.shown.worst.each[i], sourceOf(planned), planned.unit, of_));
    return out;
  }

private:
  source sourceOf(const plan::Check& check) const {
    return plan::sourceOf(measured_.plan.signals[check.signal]);
  }

  std::string whyUndecided(const plan::Check& planned, std::size_t check,
                           const CheckRecord& record) const {
    const tikc::source source = sourceOf(planned);
    if (std::string why = whyOfAnotherPair(measured_, planned); !why.empty())
      return why;
    const bool isHere = source == source::rows ? of_.intake.rows != 0
                                               : isOfStream(source) && of_.intake.responses != 0;
    if (!isHere)
      return fmt::format("the data have no {}", nounOf(source));
    if (record.shown.observations == 0 && record.open == 0)
      return "no observations";
    if (record.windows() == 0)
      return unended(planned, record.open);
    return planned.estimator == estimator::coherence ? unshown(record.shown)
                                                     : straddling(planned, check, record.shown);
  }

  /// Limits near with the root of what is observed.
  static std::string unshown(const finding& shown) {
    const double room = shown.value - shown.value / coherence_drift;
    const double needed = std::pow((shown.value - shown.low) / room, 2);
    std::string out = "a drift of 3% would not have been detected";
    if (!(needed > 1) || !std::isfinite(needed))
      return out;
    return out + fmt::format(": about {:.0f} more observations",
                             static_cast<double>(shown.observations) * (needed - 1));
  }

  std::string unended(const plan::Check& planned, std::uint64_t open) const {
    const plan::Window& window = measured_.plan.windows[planned.window];
    switch (window.unit) {
    case window_unit::tokens:
      return fmt::format("its window has {} of {:.0f} tokens", open, window.amount);
    case window_unit::sequences:
      return fmt::format("its window has {} of {:.0f} responses", open, window.amount);
    case window_unit::steps:
      return "no step ended: the data have no steps";
    case window_unit::seconds:
      return "its window did not end: the data span less time, or have no times";
    case window_unit::requests:
      return "the data have no requests";
    case window_unit::stage:
    case window_unit::ticks:
      return of_.rest == 0
                 ? fmt::format("{} observation{}, which is too few", open, open == 1 ? "" : "s")
                 : fmt::format("no window ended: it is judged {}, with {} observation{}",
                               measured_.rounds.text(), open, open == 1 ? "" : "s");
    }
    return {};
  }

  std::string straddling(const plan::Check& planned, std::size_t check,
                         const finding& shown) const {
    if (shown.observations < planned.least)
      return fmt::format("expected at least {1} observations, found {0}", shown.observations,
                         planned.least);
    const auto more = observationsToDecide(measured_.loaded.checks[check], shown);
    if (!more)
      return "the bound is within its interval";
    return fmt::format("the bound is within its interval; about {:.0f} more observations would "
                       "decide at this value",
                       *more);
  }

  const MeasuredPlan& measured_;
  const Measurement& of_;
};

} // namespace

std::optional<double> known(double value, double unit) {
  return std::isnan(value) ? std::nullopt : std::optional(value / unit);
}

bool isOfStream(tikc::source source) {
  return source == source::rows || source == source::tokens || source == source::sequences;
}

Offender placed(const tikc::offender& from, tikc::source source, double unit,
                const Measurement& measurement) {
  const ObservationId id = ObservationId::of(from.id);
  // What is further on than is counted, and what a hostile tally names.
  if (id.piece >= measurement.pieces.size() || id.piece >= ObservationId::lastPiece)
    return {from.value / unit, "beyond the counted places"};
  const PieceOrigin& origin = measurement.pieces[id.piece];
  std::string place = origin.file;
  if (!id.isTold())
    place += ", beyond the counted places";
  else if (origin.isOfLines)
    place += fmt::format(":{}", id.record + origin.linesBefore);
  else
    place += fmt::format(", {} {}", source == source::rows ? "row" : "response", id.record);
  if (id.isTold() && id.response != 0)
    place += fmt::format(", response {}", id.response);
  if (id.isTold() && source == source::tokens)
    place += fmt::format(", token {}", id.token);
  return {from.value / unit, std::move(place)};
}

std::string whyOfAnotherPair(const MeasuredPlan& measured, const plan::Check& check) {
  const plan::Signal& signal = measured.plan.signals[check.signal];
  if (!isOfStream(plan::sourceOf(signal)) || signal.stream == measured.stream)
    return {};
  return fmt::format(
      "it is about {0}, but the data are taken for {1}; use --pair={0} if they are not",
      plan::streamName(measured.plan.streams[signal.stream]),
      plan::streamName(measured.plan.streams[measured.stream]));
}

Row blankRow(const MeasuredPlan& measured, std::size_t clause, std::size_t check,
             std::size_t slice) {
  const plan::Check& planned = measured.plan.checks[check];
  Row out;
  out.clause = measured.plan.clauses[clause].id;
  out.says = planned.text;
  out.slice = planned.onMixture ? "*" : measured.plan.slices[slice].name;
  out.unit = planned.symbol;
  out.check = check;
  out.sliceAt = slice;
  return out;
}

std::optional<double> nearestBound(const plan::Check& check, double value) {
  std::optional<double> out;
  for (const plan::Limit& each : check.limits)
    if (!out || std::abs(each.bound - value) < std::abs(*out - value))
      out = each.bound;
  if (out)
    *out /= check.unit;
  return out;
}

void eachAsked(const MeasuredPlan& measured, std::span<const std::string> clauses,
               llvm::function_ref<void(std::size_t, std::size_t, std::size_t)> visit) {
  const engine::LoadedPlan& plan = measured.loaded;
  for (std::size_t clause = 0; clause < plan.clauses.size(); ++clause) {
    const tikc::clause& at = plan.clauses[clause];
    if (isOfSampling(measured.plan, clause))
      continue;
    if (!clauses.empty() && std::find(clauses.begin(), clauses.end(), at.id) == clauses.end())
      continue;
    for (std::size_t check = at.first; check < at.first + std::size_t{at.count}; ++check)
      for (std::size_t slice = 0; slice < plan.slices; ++slice)
        if (plan.checks[check].on_mixture ? slice == 0 : plan.binds[check][slice])
          visit(clause, check, slice);
  }
}

std::vector<Row> rowsOf(const MeasuredPlan& measured, const Measurement& measurement,
                        std::span<const std::string> clauses) {
  const RowWriter writer(measured, measurement);
  const engine::LoadedPlan& plan = measured.loaded;
  std::vector<Row> out;
  eachAsked(measured, clauses, [&](std::size_t clause, std::size_t check, std::size_t slice) {
    Row row = writer.row(clause, check, slice);
    // Nothing is asked of a slice that the contract says to be empty, and that is.
    if (!plan.checks[check].on_mixture && plan.is_empty[slice] && row.observations == 0 &&
        !measurement.hasCome(slice))
      return;
    out.push_back(std::move(row));
  });
  return out;
}

bool isOfSampling(const plan::Plan& plan, std::size_t clause) {
  const std::vector<std::uint32_t>& checks = plan.clauses[clause].checks;
  return std::all_of(checks.begin(), checks.end(), [&](std::uint32_t each) {
    return plan.checks[each].estimator == estimator::sampled;
  });
}

verdict verdictOf(const std::vector<Row>& rows) {
  auto isAny = [&](verdict sought) {
    return std::any_of(rows.begin(), rows.end(),
                       [&](const Row& row) { return row.outcome == sought; });
  };
  return isAny(verdict::violated)                    ? verdict::violated
         : isAny(verdict::undecided) || rows.empty() ? verdict::undecided
                                                     : verdict::satisfied;
}

} // namespace tikc::measure
