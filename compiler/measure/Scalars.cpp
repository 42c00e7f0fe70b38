#include "measure/Scalars.h"

#include "support/Rational.h"
#include "support/Utf8.h"
#include "trainers/TrainerFigures.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

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
  std::string_view text = measure.substr(open + 1, measure.size() - open - 2);
  std::optional<Rational> level;
  if (aggregate == "median") {
    level = Rational(1, 2);
  } else if (aggregate.starts_with('p')) {
    if ((level = parseDecimal(aggregate.substr(1))))
      *level /= 100;
  } else if (aggregate == "quantile" && comma != std::string_view::npos) {
    level = parseDecimal(measure.substr(comma + 2, measure.size() - comma - 3));
    text = measure.substr(open + 1, comma - open - 1);
  }
  return level ? fmt::format("quantile({}, {})", text, printRational(*level))
               : std::string(measure);
}

/// "mean(k1)" of "mean(k1) <= 0.1 nat", and "rate(k2 > 1)" of "rate(k2 > 1) <= 1%".
std::string measureOf(std::string_view check) {
  std::size_t end = 0;
  for (int open = 0; end < check.size(); ++end) {
    open += check[end] == '(' ? 1 : check[end] == ')' ? -1 : 0;
    const std::string_view rest = check.substr(end);
    constexpr std::string_view comparators[] = {" <", " >", " =", " !", " in "};
    if (open == 0 && std::any_of(std::begin(comparators), std::end(comparators),
                                 [&](std::string_view each) { return rest.starts_with(each); }))
      break;
  }
  return withOneSpelling(check.substr(0, end));
}

bool isRelated(std::string_view series) {
  const auto all = trainers::trainerFigures();
  return std::any_of(all.begin(), all.end(), [&](const TrainerFigure& each) {
    return each.relation != Relation::Nothing && each.isLoggedAs(series);
  });
}

/// Whether a point is below or above all that a figure can be. Sums of floats may be off by a
/// little.
bool isBelow(const std::optional<Rational>& low, const data::ScalarPoint& point) {
  const double slack = point.off + 1e-5 * (1 + std::abs(*point.value));
  return low && *point.value < low->get_d() - slack;
}
bool isAbove(const std::optional<Rational>& high, const data::ScalarPoint& point) {
  const double slack = point.off + 1e-5 * (1 + std::abs(*point.value));
  return high && *point.value > high->get_d() + slack;
}

/// What is known of a series by its name. Where several trainers log it, it can be what it can be
/// of any of them.
struct NamedSeries {
  trainers::FigureRange range;
  const trainers::EstimateRow* estimate = nullptr;
  const trainers::OtherFigure* other = nullptr;
  bool isKnown = false;

  void add(const trainers::FigureRange& limits) {
    if (!isKnown)
      range = limits;
    else
      range = {range.low && limits.low ? std::optional(std::min(*range.low, *limits.low))
                                       : std::nullopt,
               range.high && limits.high ? std::optional(std::max(*range.high, *limits.high))
                                         : std::nullopt};
    isKnown = true;
  }
};

NamedSeries namedBy(std::string_view series, std::optional<trainers::Trainer> asSet) {
  NamedSeries out;
  const auto all = trainers::trainerFigures();
  auto isAsSet = [&](const TrainerFigure& each) { return asSet && holdsAsSet(each, *asSet); };
  const bool hasSet = std::any_of(all.begin(), all.end(), [&](const TrainerFigure& each) {
    return isAsSet(each) && each.isLoggedAs(series);
  });
  for (const TrainerFigure& each : all)
    if (each.isLoggedAs(series) && hasSet == isAsSet(each)) {
      // A cap is known only of settings that are.
      out.add(each.range(hasSet ? std::optional(Rational(rowOf(each.trainer).cap)) : std::nullopt));
      out.estimate = trainers::estimateOf(each);
    }
  if (out.isKnown)
    return out;
  for (const trainers::OtherFigure& each : trainers::otherFigures())
    if (each.isLoggedAs(series)) {
      out.add(each.range());
      out.other = &each;
      return out;
    }
  return out;
}

/// The first of the points that one is so of, and how many there are.
struct OddPoints {
  const data::ScalarPoint* first = nullptr;
  std::uint64_t count = 0;

  void add(const data::ScalarPoint& point) {
    if (count++ == 0)
      first = &point;
  }
  std::string line(const data::ScalarLog& log, const std::string& name,
                   std::string_view rest) const {
    return fmt::format("{}: {} is {:g}{}, but {}", log.placeOf(*first), name, *first->value,
                       count == 1 ? "" : fmt::format(" (the first of {} such steps)", count), rest);
  }
};

/// What a series has that its figure cannot be, or that no divergence can be.
void addOddities(const data::ScalarLog& log, const data::ScalarSeries& series,
                 const NamedSeries& named, std::vector<std::string>& out) {
  OddPoints below, above, estimates;
  std::optional<Rational> least;
  if (named.estimate != nullptr)
    least = parseDecimal(named.estimate->least);
  for (const data::ScalarPoint& each : series.points)
    if (each.value && std::isfinite(*each.value)) {
      if (isBelow(named.range.low, each))
        below.add(each);
      else if (isAbove(named.range.high, each))
        above.add(each);
      else if (isBelow(least, each))
        estimates.add(each);
    }
  if (below.count > 0)
    out.push_back(below.line(
        log, series.name,
        fmt::format("this metric is never below {}; another number was logged under its name",
                    printRational(*named.range.low))));
  if (above.count > 0)
    out.push_back(above.line(
        log, series.name,
        fmt::format("this metric is never above {}; another number was logged under its name",
                    printRational(*named.range.high))));
  if (estimates.count > 0)
    out.push_back(estimates.line(log, series.name,
                                 fmt::format("what it estimates is never below {}: {}",
                                             named.estimate->least, named.estimate->meaning)));
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
    if (figure.relation == Relation::EqualsAsSet && !(asSet_ && holdsAsSet(figure, *asSet_)))
      unsure = fmt::format("`{}` equals it only if {} runs with {}; use --as-set={} to state that",
                           series.name, rowOf(figure.trainer).name, rowOf(figure.trainer).assumed,
                           rowOf(figure.trainer).name);
    else
      for (const data::ScalarPoint& each : series.points)
        if (!each.value)
          isEqual_ = true, ++out_.undecided, ++numberless_;
        else if (!std::isfinite(*each.value))
          breaks(each);
        else if (isOutside(figure.range(Rational(rowOf(figure.trainer).cap)), each))
          impossible_.add(each), ++out_.undecided;
        else if (figure.relation == Relation::AtMost)
          refute(each);
        else
          hold(each);
  }

  /// What was logged there is not the figure.
  static bool isOutside(const trainers::FigureRange& range, const data::ScalarPoint& point) {
    return isBelow(range.low, point) || isAbove(range.high, point);
  }

  void hold(const data::ScalarPoint& point) {
    isEqual_ = true;
    double room = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < judged_.limit_count; ++i)
      room = std::min(room, std::abs(*point.value - judged_.limits[i].bound));
    const verdict outcome =
        detail::judge_interval(judged_, *point.value - point.off, *point.value + point.off);
    ++(outcome == verdict::satisfied  ? out_.satisfied
       : outcome == verdict::violated ? out_.violated
                                      : out_.undecided);
    show(point, outcome == verdict::satisfied ? room : -room);
    if (outcome == verdict::violated)
      offend(point, room);
    isRounded_ = isRounded_ || outcome == verdict::undecided;
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
    offend(point, std::abs(*point.value));
  }

  /// NaN and infinity are the worst values, as in tallies.
  void breaks(const data::ScalarPoint& point) {
    isEqual_ = true;
    ++out_.violated;
    show(point, -std::numeric_limits<double>::infinity());
    offend(point, std::numeric_limits<double>::infinity());
  }

  void show(const data::ScalarPoint& point, double room) {
    if (out_.value && room >= least_)
      return;
    least_ = room;
    out_.value = *point.value / planned_.unit;
    out_.bound = nearestBound(planned_, *point.value);
  }

  /// Keeps the points that are furthest beyond the bound; of equal ones the first.
  void offend(const data::ScalarPoint& point, double beyond) {
    const auto at =
        std::find_if(beyond_.begin(), beyond_.end(), [&](double other) { return beyond > other; });
    const auto place = at - beyond_.begin();
    if (place == static_cast<std::ptrdiff_t>(mostOffenders))
      return;
    beyond_.insert(at, beyond);
    out_.worst.insert(out_.worst.begin() + place,
                      {*point.value / planned_.unit, log_.placeOf(point)});
    beyond_.resize(std::min(beyond_.size(), mostOffenders));
    out_.worst.resize(beyond_.size());
  }

  void finish(const std::vector<std::string>& names, const std::string& unsure) {
    if (planned_.alpha && (isEqual_ || isBelow_)) {
      out_.why = fmt::format("it requires a confidence of {:g}%, but a scalar has none",
                             100 * (1 - *planned_.alpha));
      return;
    }
    if (out_.violated != 0)
      out_.outcome = verdict::violated;
    else if (isEqual_ && out_.undecided == 0)
      out_.outcome = verdict::satisfied;
    else if (impossible_.count != 0)
      out_.why = fmt::format(
          "the value logged at {} of {} steps is outside the range of the metric: {:g} at {}",
          impossible_.count, out_.undecided + out_.satisfied, *impossible_.first->value,
          log_.placeOf(*impossible_.first));
    else if (numberless_ != 0)
      out_.why = fmt::format("no number was logged at {} of {} steps", numberless_,
                             numberless_ + out_.satisfied);
    else if (isRounded_)
      out_.why = "it was printed with so few digits that it may be on either side of the bound";
    else if (isBelow_)
      out_.why =
          "the logged value is never above it, which can violate the bound but not satisfy it";
    else if (!unsure.empty())
      out_.why = unsure;
    else if (names.empty() && !otherwise_.empty())
      out_.why = fmt::format(
          "{} is about {}", fmt::join(otherwise_, ", "),
          isOfText_ ? "tokens that the server sampled, but `drawn: text` requires others"
                    : "a given text, which requires `drawn: text`");
    else if (names.empty())
      out_.why = "no trainer logs a metric that equals it";
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
  std::uint64_t numberless_ = 0;
  OddPoints impossible_;
  double least_ = 0;
  std::vector<double> beyond_; // of the worst points, by how much
};

} // namespace

bool FigureNames::operator()(std::string_view name) {
  const llvm::StringRef key(name.data(), name.size());
  if (const auto known = known_.find(key); known != known_.end())
    return known->second;
  auto isIt = [&](const auto& each) { return each.isLoggedAs(name); };
  const auto figures = trainers::trainerFigures();
  const auto others = trainers::otherFigures();
  const bool isKnown = std::any_of(figures.begin(), figures.end(), isIt) ||
                       std::any_of(others.begin(), others.end(), isIt);
  if (known_.size() < mostRemembered)
    known_.try_emplace(key, isKnown);
  return isKnown;
}

std::vector<Row> rowsOfScalars(const MeasuredPlan& measured, const data::ScalarLog& log,
                               const ScalarsRequest& request) {
  std::vector<Row> out;
  eachAsked(measured, request.clauses,
            [&](std::size_t clause, std::size_t check, std::size_t slice) {
              Row row = blankRow(measured, clause, check, slice);
              if (!measured.plan.checks[check].onMixture && measured.plan.slices.size() > 1)
                row.why = "a scalar covers all traffic, not one slice";
              else if (std::string why = whyOfAnotherPair(measured, measured.plan.checks[check]);
                       !why.empty())
                row.why = std::move(why);
              else
                ScalarRow(measured.loaded.checks[check], measured.plan.checks[check],
                          measured.plan.streams[measured.stream].drawer == "text", log,
                          request.asSet, row)
                    .judge();
              out.push_back(std::move(row));
            });
  return out;
}

std::vector<std::string> scalarLines(const data::ScalarLog& log, const ScalarsRequest& request) {
  std::size_t count = 0;
  std::string names;
  std::vector<std::string> oddities;
  std::map<const trainers::OtherFigure*, std::string> others;
  for (const data::ScalarSeries& each : log.series) {
    const NamedSeries named = namedBy(each.name, request.asSet);
    addOddities(log, each, named, oddities);
    if (isRelated(each.name)) {
      count += each.points.size();
      names += (names.empty() ? "" : ", ") + each.name;
    } else if (named.other != nullptr) {
      std::string& into = others[named.other];
      into += (into.empty() ? "" : ", ") + each.name;
    }
  }
  std::vector<std::string> out{fmt::format("logged numbers that clauses may be about: {} of {}{}",
                                           count, log.figures,
                                           names.empty() ? "" : " (" + names + ")"),
                               "each is judged as one window, whatever the contract's windows are; "
                               "the number of its observations is not logged"};
  for (const std::string& each : log.passedOver)
    out.push_back(fmt::format("{} is an extreme within a step, and is skipped", each));
  for (const std::string& each : log.open)
    out.push_back(fmt::format("{}: the last line does not end; if the file is truncated, its last "
                              "number may lack digits",
                              utf8::tickedPath(each)));
  for (const auto& [other, logged] : others)
    out.push_back(fmt::format("{}: no clause is about it: {}", logged, other->trap));
  out.insert(out.end(), oddities.begin(), oddities.end());
  if (request.asSet)
    out.push_back(fmt::format("assuming that {} ran with {}", rowOf(*request.asSet).name,
                              rowOf(*request.asSet).assumed));
  return out;
}

} // namespace tikc::measure
