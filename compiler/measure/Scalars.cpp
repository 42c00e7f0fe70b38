#include "measure/Scalars.h"

#include "support/Rational.h"
#include "trainers/TrainerFigures.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace tikc::measure {
namespace {

using trainers::Relation;
using trainers::TrainerFigure;

constexpr std::size_t mostOffenders = 3;

/// "quantile(k2, 0.5)" of "median(k2)", and so of p50 and of other digits.
std::string withOneSpelling(std::string_view measure) {
  const std::size_t open = measure.find('('), comma = measure.rfind(", ");
  if (open == std::string_view::npos || !measure.ends_with(')'))
    return std::string(measure);
  const std::string_view aggregate = measure.substr(0, open);
  std::string_view of = measure.substr(open + 1, measure.size() - open - 2);
  std::optional<Rational> level;
  if (aggregate == "median") {
    level = Rational(1, 2);
  } else if (aggregate.starts_with('p')) {
    if ((level = parseDecimal(aggregate.substr(1))))
      *level /= 100;
  } else if (aggregate == "quantile" && comma != std::string_view::npos) {
    level = parseDecimal(measure.substr(comma + 2, measure.size() - comma - 3));
    of = measure.substr(open + 1, comma - open - 1);
  }
  return level ? fmt::format("quantile({}, {})", of, printRational(*level)) : std::string(measure);
}

/// "mean(k1)" of "mean(k1) <= 0.1 nat".
std::string measureOf(std::string_view check) {
  std::size_t end = check.size();
  for (std::string_view comparator : {" <", " >", " =", " !", " in "})
    end = std::min(end, check.find(comparator));
  return withOneSpelling(check.substr(0, end));
}

/// Judges one check by the figures of all traffic.
class ScalarRow {
public:
  /// `isOfText`: of prefixes and tokens that nobody drew.
  ScalarRow(const tikc::check& judged, const plan::Check& planned, bool isOfText,
            const data::ScalarLog& log, std::optional<trainers::Trainer> asSet, Row& out)
      : judged_(judged), planned_(planned), isOfText_(isOfText), log_(log), asSet_(asSet),
        out_(out) {}

  void judge() {
    std::vector<std::string> names;
    std::string unsure;
    const std::string measure = measureOf(planned_.text);
    for (const TrainerFigure& each : trainers::trainerFigures()) {
      if (each.relation == Relation::Nothing || each.measure != measure)
        continue;
      const std::string name = fmt::format("{}'s {}", rowOf(each.trainer).name, each.name);
      if (trainers::isOfRows(each.trainer) != isOfText_) {
        otherwise_.push_back(name);
        continue;
      }
      names.push_back(name);
      for (const data::ScalarSeries& series : log_.series)
        if (each.isLoggedAs(series.name))
          take(each, series, unsure);
    }
    finish(names, unsure);
  }

private:
  void take(const TrainerFigure& figure, const data::ScalarSeries& series, std::string& unsure) {
    if (figure.relation == Relation::EqualsAsSet && figure.trainer != asSet_)
      unsure = fmt::format("`{}` is that where {} runs with {}: --as-set={} says that it did",
                           series.name, rowOf(figure.trainer).name, rowOf(figure.trainer).assumed,
                           rowOf(figure.trainer).name);
    else
      for (const data::ScalarPoint& each : series.points)
        if (!each.value)
          isEqual_ = true, ++out_.undecided, ++numberless_;
        else if (!std::isfinite(*each.value))
          breaks(each);
        else if (isOutside(figure.range(Rational(rowOf(figure.trainer).cap)), each))
          ++impossible_, ++out_.undecided;
        else if (figure.relation == Relation::AtMost)
          refute(each);
        else
          hold(each);
  }

  /// Whatever was logged there is not the figure. Sums of floats may be off by a little.
  static bool isOutside(const trainers::FigureRange& range, const data::ScalarPoint& point) {
    const double slack = point.off + 1e-5 * (1 + std::abs(*point.value));
    return (range.low && *point.value < range.low->get_d() - slack) ||
           (range.high && *point.value > range.high->get_d() + slack);
  }

  void hold(const data::ScalarPoint& point) {
    isEqual_ = true;
    double room = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < judged_.limit_count; ++i)
      room = std::min(room, std::abs(*point.value - judged_.limits[i].bound));
    const verdict is =
        detail::judge_interval(judged_, *point.value - point.off, *point.value + point.off);
    ++(is == verdict::satisfied  ? out_.satisfied
       : is == verdict::violated ? out_.violated
                                 : out_.undecided);
    show(point, is == verdict::satisfied ? room : -room);
    if (is == verdict::violated)
      offend(point);
    isRounded_ = isRounded_ || is == verdict::undecided;
  }

  /// The measure is at least this: that may be above a bound that it has to be below.
  void refute(const data::ScalarPoint& point) {
    isBelow_ = true;
    const bool breaks = std::any_of(
        judged_.limits, judged_.limits + judged_.limit_count, [&](const tikc::limit& each) {
          return is_upper(each.how) && !compare(*point.value - point.off, each.how, each.bound);
        });
    if (!breaks)
      return;
    ++out_.violated;
    show(point, -std::abs(*point.value));
    offend(point);
  }

  /// NaN and infinity are the worst values, as in tallies.
  void breaks(const data::ScalarPoint& point) {
    isEqual_ = true;
    ++out_.violated;
    show(point, -std::numeric_limits<double>::infinity());
    offend(point);
  }

  void show(const data::ScalarPoint& point, double room) {
    if (out_.value && room >= least_)
      return;
    least_ = room;
    out_.value = *point.value / planned_.unit;
    out_.bound = nearestBound(planned_, *point.value);
  }

  void offend(const data::ScalarPoint& point) {
    if (out_.worst.size() < mostOffenders)
      out_.worst.push_back({*point.value / planned_.unit, point.place});
  }

  void finish(const std::vector<std::string>& names, const std::string& unsure) {
    if (planned_.alpha && (isEqual_ || isBelow_)) {
      out_.why = fmt::format("it asks for a confidence of {:g}%, and a scalar carries none",
                             100 * (1 - *planned_.alpha));
      return;
    }
    if (out_.violated != 0)
      out_.is = verdict::violated;
    else if (isEqual_ && out_.undecided == 0)
      out_.is = verdict::satisfied;
    else if (impossible_ != 0)
      out_.why =
          fmt::format("what was logged at {} of {} steps is no value that the figure can have",
                      impossible_, out_.undecided + out_.satisfied);
    else if (numberless_ != 0)
      out_.why = fmt::format("no number was logged at {} of {} steps", numberless_,
                             numberless_ + out_.satisfied);
    else if (isRounded_)
      out_.why = "it was printed with so few digits that it may be on either side of the bound";
    else if (isBelow_)
      out_.why = "what is logged is never above it, which can break the bound and not keep it";
    else if (!unsure.empty())
      out_.why = unsure;
    else if (names.empty() && !otherwise_.empty())
      out_.why = fmt::format(
          "{} is of {}", fmt::join(otherwise_, ", "),
          isOfText_ ? "tokens that the server drew, and `drawn: text` asks of others"
                    : "a text that nobody drew: a clause that is held to it has `drawn: text`");
    else if (names.empty())
      out_.why = "no trainer logs a figure that equals it";
    else
      out_.why = fmt::format("the log has no {}", fmt::join(names, ", no "));
  }

  const tikc::check& judged_;
  const plan::Check& planned_;
  bool isOfText_;
  const data::ScalarLog& log_;
  std::optional<trainers::Trainer> asSet_;
  Row& out_;
  std::vector<std::string> otherwise_; // what equals it, of tokens that others drew
  bool isEqual_ = false, isBelow_ = false, isRounded_ = false;
  std::uint64_t numberless_ = 0, impossible_ = 0;
  double least_ = 0;
};

} // namespace

bool isKnownFigure(std::string_view name) {
  const auto all = trainers::trainerFigures();
  return std::any_of(all.begin(), all.end(), [&](const TrainerFigure& each) {
    return each.relation != Relation::Nothing && each.isLoggedAs(name);
  });
}

std::vector<Row> rowsOfScalars(const MeasuredPlan& measured, const data::ScalarLog& log,
                               const ScalarsAsked& asked) {
  std::vector<Row> out;
  eachAsked(measured, asked.clauses, [&](std::size_t clause, std::size_t check, std::size_t slice) {
    Row row = blankRow(measured, clause, check, slice);
    if (!measured.plan.checks[check].onMixture && measured.plan.slices.size() > 1)
      row.why = "a scalar is of all traffic, and not of one slice";
    else if (std::string why = whyOfAnotherPair(measured, measured.plan.checks[check]);
             !why.empty())
      row.why = std::move(why);
    else
      ScalarRow(measured.loaded.checks[check], measured.plan.checks[check],
                measured.plan.streams[measured.stream].drawer == "text", log, asked.asSet, row)
          .judge();
    out.push_back(std::move(row));
  });
  return out;
}

std::vector<std::string> scalarLines(const data::ScalarLog& log, const ScalarsAsked& asked) {
  std::size_t count = 0;
  std::string names;
  for (const data::ScalarSeries& each : log.series) {
    count += each.points.size();
    names += (names.empty() ? "" : ", ") + each.name;
  }
  std::vector<std::string> out{
      fmt::format("{} of {} logged numbers are of figures that clauses may be about{}", count,
                  log.figures, names.empty() ? "" : ": " + names),
      "each is judged as one window, whatever the contract's windows are; how many observations it "
      "is of is not logged"};
  for (const std::string& each : log.passedOver)
    out.push_back(fmt::format("{} is of extremes within a step, and held to nothing", each));
  if (asked.asSet)
    out.push_back(fmt::format("it is taken that {} ran with {}", rowOf(*asked.asSet).name,
                              rowOf(*asked.asSet).assumed));
  return out;
}

} // namespace tikc::measure
