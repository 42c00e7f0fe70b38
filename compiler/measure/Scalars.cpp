#include "measure/Scalars.h"

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

/// "mean(k1)" of "mean(k1) <= 0.1 nat".
std::string_view measureOf(std::string_view check) {
  std::size_t end = check.size();
  for (std::string_view comparator : {" <", " >", " =", " !", " in "})
    end = std::min(end, check.find(comparator));
  return check.substr(0, end);
}

/// Judges one check by the figures of all traffic.
class ScalarRow {
public:
  ScalarRow(const tikc::check& judged, const plan::Check& planned, const data::ScalarLog& log,
            std::optional<trainers::Trainer> asSet, Row& out)
      : judged_(judged), planned_(planned), log_(log), asSet_(asSet), out_(out) {}

  void judge() {
    std::vector<std::string> names;
    std::string unsure;
    for (const TrainerFigure& each : trainers::trainerFigures()) {
      if (each.relation == Relation::Nothing || each.measure != measureOf(planned_.text))
        continue;
      names.push_back(fmt::format("{}'s {}", rowOf(each.trainer).name, each.name));
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
    else if (figure.relation == Relation::AtMost)
      for (const data::ScalarPoint& each : series.points)
        refute(each);
    else
      for (const data::ScalarPoint& each : series.points)
        hold(each);
  }

  void hold(const data::ScalarPoint& point) {
    isEqual_ = true;
    if (std::isnan(point.value)) {
      ++out_.undecided;
      ++numberless_;
      return;
    }
    double room = std::numeric_limits<double>::infinity();
    bool holds = true;
    for (std::size_t i = 0; i < judged_.limit_count; ++i) {
      const tikc::limit& each = judged_.limits[i];
      holds = holds && compare(point.value, each.how, each.bound);
      room = std::min(room, std::abs(point.value - each.bound));
    }
    ++(holds ? out_.satisfied : out_.violated);
    show(point, holds ? room : -room);
    if (!holds)
      offend(point);
  }

  /// The measure is at least this: that may be above a bound that it has to be below.
  void refute(const data::ScalarPoint& point) {
    isBelow_ = true;
    const bool breaks = std::any_of(judged_.limits, judged_.limits + judged_.limit_count,
                                    [&](const tikc::limit& each) {
                                      return is_upper(each.how) && !std::isnan(point.value) &&
                                             !compare(point.value, each.how, each.bound);
                                    });
    if (!breaks)
      return;
    ++out_.violated;
    show(point, -std::abs(point.value));
    offend(point);
  }

  void show(const data::ScalarPoint& point, double room) {
    if (out_.value && room >= least_)
      return;
    least_ = room;
    out_.value = point.value / planned_.unit;
    out_.bound = nearestBound(planned_, point.value);
  }

  void offend(const data::ScalarPoint& point) {
    if (out_.worst.size() < mostOffenders)
      out_.worst.push_back({point.value / planned_.unit, point.place});
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
    else if (numberless_ != 0)
      out_.why = fmt::format("no number was logged at {} of {} steps", numberless_,
                             numberless_ + out_.satisfied);
    else if (isBelow_)
      out_.why = "what is logged is never above it, which can break the bound and not keep it";
    else if (!unsure.empty())
      out_.why = unsure;
    else if (names.empty())
      out_.why = "no trainer logs a figure that equals it";
    else
      out_.why = fmt::format("the log has no {}", fmt::join(names, ", no "));
  }

  const tikc::check& judged_;
  const plan::Check& planned_;
  const data::ScalarLog& log_;
  std::optional<trainers::Trainer> asSet_;
  Row& out_;
  bool isEqual_ = false, isBelow_ = false;
  std::uint64_t numberless_ = 0;
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
    else
      ScalarRow(measured.loaded.checks[check], measured.plan.checks[check], log, asked.asSet, row)
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
