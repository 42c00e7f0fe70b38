#include "audit/gates/Judge.h"

#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace tikc::audit {
namespace {

using model::Comparator;
using utf8::ticked;

/// What may pass before somebody should be asked.
const Rational mostLetThrough(1, 10);

enum class FixedOutcome : std::uint8_t { Open, AlwaysPasses, AlwaysFails };

/// Whether every number of a range compares so, or none does.
FixedOutcome decidedBy(const trainers::FigureRange& range, Comparator comparator,
                       const Rational& limit) {
  const auto& [low, high] = range;
  auto outcome = [](bool passes, bool fails) {
    return passes  ? FixedOutcome::AlwaysPasses
           : fails ? FixedOutcome::AlwaysFails
                   : FixedOutcome::Open;
  };
  switch (comparator) {
  case Comparator::Less:
    return outcome(high && *high < limit, low && *low >= limit);
  case Comparator::LessEqual:
    return outcome(high && *high <= limit, low && *low > limit);
  case Comparator::Greater:
    return outcome(low && *low > limit, high && *high <= limit);
  case Comparator::GreaterEqual:
    return outcome(low && *low >= limit, high && *high < limit);
  case Comparator::Equal:
    return outcome(false, (low && limit < *low) || (high && limit > *high));
  default:
    return outcome((low && limit < *low) || (high && limit > *high), false);
  }
}

std::string rangeText(const trainers::FigureRange& range) {
  if (range.low && range.high)
    return fmt::format("{} to {}", printRational(*range.low), printRational(*range.high));
  return range.low ? fmt::format("{} and above", printRational(*range.low)) : "any number";
}

trainers::FigureRange sizesOf(const trainers::FigureRange& range) {
  trainers::FigureRange out{Rational(0), {}};
  if (range.low && range.high)
    out.high = std::max(Rational(abs(*range.low)), Rational(abs(*range.high)));
  if (range.low && *range.low > 0)
    out.low = range.low;
  return out;
}

bool isUpper(const Gate& gate) { return model::isBelow(gate.comparator); }

StepsSeen seenBy(const Gate& gate) {
  const StepFold& fold = foldOf(gate.fold);
  return isUpper(gate)                     ? fold.below
         : model::isAbove(gate.comparator) ? fold.above
         : fold.below == fold.above        ? fold.below
                                           : StepsSeen::One;
}

class GateJudge {
public:
  GateJudge(const Gates& gates, const SetCaps& caps, Meanings& meanings, diag::Sink& sink,
            AuditedFile& out)
      : gates_(gates), caps_(caps), meanings_(meanings), sink_(sink), out_(out),
        finite_(gates.finite.begin(), gates.finite.end()) {
    for (const Gate& each : gates.gates) {
      const bool asksForOne =
          each.limit > 0 || (each.limit == 0 && each.comparator == Comparator::Greater);
      asksForTokens_ |= countsTokens(each.series) && model::isAbove(each.comparator) &&
                        asksForOne && seenBy(each) == StepsSeen::All;
      (isUpper(each) ? below_ : above_).insert(each.series);
      if (each.isAbsolute || each.comparator == Comparator::Equal) {
        below_.insert(each.series);
        above_.insert(each.series);
      }
      if (seenBy(each) == StepsSeen::All)
        seen_.emplace(each.series, isUpper(each));
    }
  }

  void run() {
    for (const Misread& each : gates_.misread)
      sink_.report<diag::GateNotUnderstood>(each.place, each.why);
    for (const Closeness& each : gates_.close)
      judge(each);
    for (const Gate& gate : gates_.gates) {
      auto figure = findFigure(gate.series,
                               [&](std::string_view trainer) { return caps_.contains(trainer); });
      if (figure)
        judge(gate, *figure);
      else if (gate.how == JudgingText::How::Expression && !countsTokens(gate.series))
        unknown(gate);
    }
  }

private:
  void tell(const Gate& gate, std::string verdict, const LetThrough& through = {}) {
    out_.judged.push_back({gate.place, gate.text, std::move(verdict), through.tv, through.bias});
  }

  void unknown(const Gate& gate) {
    sink_.report<diag::GateOfOther>(gate.figurePlace, ticked(gate.series));
    tell(gate, "not judged");
  }

  /// |a − b| <= atol + rtol |b|: with log-probs b is the larger the rarer the token is.
  void judge(const Closeness& closeness) {
    if (closeness.isNanClose)
      sink_.report<diag::GatePassesNan>(closeness.place, ticked(closeness.text))
          .note("NaN on both sides counts as close: write `equal_nan=False`");
    static const Rational rare(-20), felt(1, 100);
    LetThrough through;
    const Rational there = closeness.atol - rare * closeness.rtol;
    if (there - closeness.atol >= felt)
      sink_
          .report<diag::ToleranceGrows>(closeness.rtolPlace, ticked(closeness.text),
                                        printRational(there), printRational(rare))
          .note("write `rtol=0` and an `atol`: a log-prob's error does not grow with its size");
    const std::string limit = printRational(closeness.atol);
    const bool isDecimal = limit.find('/') == std::string::npos && limit.size() <= 30;
    const std::string measure = "max(abs(logprob_gap))";
    const std::string require = fmt::format("{} <= {}", measure, limit);
    // With an `rtol`, tokens may differ by more than `atol`, so its bound is not one of the check.
    const bool isBound = closeness.rtol == 0;
    if (closeness.atol > 0 && isDecimal) {
      through = meanings_.of(require);
      if (isBound)
        out_.clauses.push_back({"tolerance", measure, Comparator::LessEqual, require,
                                closeness.atol, closeness.place, "each token"});
    }
    out_.judged.push_back({closeness.place, closeness.text, "bounds each token",
                           isBound ? through.tv : std::string(),
                           isBound ? through.bias : std::string()});
    if (through.tvValue && *through.tvValue >= mostLetThrough)
      sink_.report<diag::GateLetsThrough>(closeness.place, ticked(closeness.text), through.tv);
  }

  static bool hasCap(const KnownFigure& figure) {
    return figure.row && rowOf(figure.row->term).high == "cap";
  }

  /// A cap that is set makes a figure reach further.
  void setRange(KnownFigure& figure) const {
    if (auto cap = caps_.find(figure.trainer); hasCap(figure) && cap != caps_.end())
      figure.range = figure.row->range(Rational(cap->second.high));
  }

  /// What rests on a cap that may be set elsewhere is no error.
  bool isCapUnsaid(const KnownFigure& figure) const {
    return hasCap(figure) && !caps_.contains(figure.trainer);
  }
  /// The measure in its row is of the usual cap, also of a figure that counts what is above it.
  bool hasOtherCap(const KnownFigure& figure) const {
    const auto cap = caps_.find(figure.trainer);
    const bool isOfCap =
        figure.row && rowOf(figure.row->term).formula.find("cap") != std::string_view::npos;
    return isOfCap && cap != caps_.end() &&
           (!cap->second.isAsInRow || cap->second.high != rowOf(figure.row->trainer).cap);
  }
  diag::Severity severityOf(const KnownFigure& figure) const {
    return isCapUnsaid(figure) ? diag::Severity::Warning : diag::Severity::Error;
  }

  void judge(const Gate& gate, KnownFigure figure) {
    setRange(figure);
    trainers::FigureRange range = gate.isAbsolute ? sizesOf(figure.range) : figure.range;
    std::string subject(figure.name);
    if (gate.fold == StepFoldId::ShareAbove) {
      const FixedOutcome level = decidedBy(range, Comparator::GreaterEqual, *gate.level);
      range = {Rational(level == FixedOutcome::AlwaysPasses ? 1 : 0),
               Rational(level == FixedOutcome::AlwaysFails ? 0 : 1)};
      subject = fmt::format("the share of steps at {} or above", printRational(*gate.level));
    }
    switch (decidedBy(range, gate.comparator, gate.limit)) {
    case FixedOutcome::AlwaysPasses:
      decided(
          sink_.reportAs<diag::GateNeverFires>(severityOf(figure), gate.place, ticked(gate.text)),
          gate, figure, subject, range);
      return tell(gate, "never fires");
    case FixedOutcome::AlwaysFails:
      decided(
          sink_.reportAs<diag::GateAlwaysFires>(severityOf(figure), gate.place, ticked(gate.text)),
          gate, figure, subject, range);
      return tell(gate, "always fires");
    case FixedOutcome::Open:
      break;
    }
    checkSteps(gate);
    checkNan(gate);
    checkNothing(gate, figure);
    checkSides(gate, figure);
    checkMeaning(gate, figure);
  }

  void decided(diag::Diagnostic& diagnostic, const Gate& gate, const KnownFigure& figure,
               const std::string& subject, const trainers::FigureRange& range) const {
    diagnostic.note(fmt::format("{} is {} in every batch with a token that counts",
                                figure.name == subject ? ticked(subject) : subject,
                                rangeText(range)));
    if (figure.row)
      diagnostic.note(fmt::format("{} logs the {}", figure.trainer, figure.row->formula()));
    if (isCapUnsaid(figure))
      diagnostic.note(fmt::format("its cap is {} by default, and this file does not set another",
                                  rowOf(figure.row->trainer).cap));
    if (!figure.trap.empty())
      diagnostic.note(std::string(figure.trap));
    diagnostic.relatedTo(gate.limitPlace, "the limit");
  }

  void checkSteps(const Gate& gate) {
    std::string blind;
    switch (seenBy(gate)) {
    case StepsSeen::All:
      break;
    case StepsSeen::One:
      blind = "every step but one";
      break;
    case StepsSeen::Half:
      blind = "half of the steps";
      break;
    case StepsSeen::Average:
      blind = gate.leftOut;
      break;
    case StepsSeen::Share:
      if (isUpper(gate) && gate.limit > 0)
        blind = fmt::format("up to {}% of the steps", printRational(gate.limit * 100));
    }
    if (blind.empty() || seen_.contains({gate.series, isUpper(gate)}))
      return;
    sink_.report<diag::GateBlindToSteps>(gate.place, ticked(gate.text), blind)
        .note(fmt::format("also check every step: {}",
                          ticked(fmt::format("{}(data[\"{}\"]) {} …", isUpper(gate) ? "max" : "min",
                                             gate.series, isUpper(gate) ? '<' : '>'))));
  }

  void checkNan(const Gate& gate) {
    const StepFold& fold = foldOf(gate.fold);
    const bool isAlarm =
        gate.how == JudgingText::How::Alarm || gate.how == JudgingText::How::Failure;
    if ((fold.whereNan.empty() && !isAlarm) || finite_.contains(gate.series))
      return;
    auto& diagnostic = sink_.report<diag::GatePassesNan>(gate.place, ticked(gate.text));
    if (gate.how == JudgingText::How::Failure)
      diagnostic.note("every comparison with NaN is false, so nothing fails: write a "
                      "successCondition instead");
    else if (isAlarm)
      diagnostic.note(
          "every comparison with NaN is false, so the alarm stays silent: test whether the "
          "value is good, and raise the alarm if it is not");
    else
      diagnostic.note(std::string(fold.whereNan))
          .note(fmt::format("also check {}",
                            ticked(fmt::format("all_finite(data[\"{}\"])", gate.series))));
  }

  /// A check that is not asked passes, and so does one of no steps, or of steps without tokens.
  void checkNothing(const Gate& gate, const KnownFigure& figure) {
    const StepFold& fold = foldOf(gate.fold);
    const bool isSkipped = gate.condition.valid() && told_.insert(gate.condition).second;
    const bool isOfNoTokens = passesZero(gate, figure);
    if (!isSkipped && fold.whereNone.empty() && !isOfNoTokens)
      return;
    auto& diagnostic = sink_.report<diag::GatePassesNothing>(gate.place, ticked(gate.text));
    if (isSkipped)
      diagnostic
          .note("the check does not run where the condition before it is false: write `exit 1` in "
                "an `else`")
          .relatedTo(gate.condition, "the condition");
    if (!fold.whereNone.empty())
      diagnostic.note(std::string(fold.whereNone));
    if (!isOfNoTokens)
      return;
    saysOfNothing_ = true;
    diagnostic.note(fmt::format("if no token counts, {} logs 0", figure.trainer));
    const bool isOfResult =
        gate.how == JudgingText::How::Success || gate.how == JudgingText::How::Failure;
    diagnostic.note(isOfResult ? "add a metric that requires tokens to have counted"
                    : gate.how == JudgingText::How::Expression
                        ? "check once per file that any token counted: "
                          "`min(data[\"train/num_valid_samples\"]) > 0`"
                        : "check once per file that any token counted: `assert "
                          "log[\"num_valid_tokens\"] > 0`");
  }

  /// Told of the first in a file.
  bool passesZero(const Gate& gate, const KnownFigure& figure) const {
    const bool isZero =
        figure.row && rowOf(figure.row->trainer).ofNothing == trainers::OfNothing::Zero;
    const Rational zero(0);
    return isZero && !saysOfNothing_ && !asksForTokens_ && gate.fold != StepFoldId::ShareAbove &&
           decidedBy({zero, zero}, gate.comparator, gate.limit) == FixedOutcome::AlwaysPasses;
  }

  /// A figure that is of either sign, held from one side.
  void checkSides(const Gate& gate, const KnownFigure& figure) {
    const bool isSigned = !figure.range.low && !figure.range.high;
    const bool hasOther = below_.contains(gate.series) && above_.contains(gate.series);
    if (!isSigned || gate.isAbsolute || gate.comparator == Comparator::Equal || hasOther)
      return;
    sink_
        .report<diag::GateOfOneSide>(gate.place, ticked(gate.text),
                                     isUpper(gate) ? "below" : "above")
        .note(std::string(figure.trap));
  }

  void checkMeaning(const Gate& gate, const KnownFigure& figure) {
    static constexpr std::string_view words[] = {"each step", "one step", "half of the steps",
                                                 "the average of steps",
                                                 "all but a share of steps"};
    const std::string_view word = words[static_cast<std::size_t>(seenBy(gate))];
    std::string seen = fmt::format("bounds {}", gate.seen.empty() ? word : gate.seen);
    if (!gate.leftOut.empty())
      seen += " without " + gate.leftOut;
    const std::string require = hasOtherCap(figure) ? std::string() : clauseOf(gate, figure);
    if (require.empty())
      return tell(gate, std::move(seen));
    const LetThrough& through = meanings_.of(require);
    tell(gate, std::move(seen), through);
    out_.clauses.push_back({std::string(figure.name), std::string(figure.row->measure),
                            gate.comparator, require,
                            gate.fold == StepFoldId::ShareAbove ? *gate.level : gate.limit,
                            gate.place, gate.seen.empty() ? std::string(word) : gate.seen});
    if (!through.tvValue || *through.tvValue < mostLetThrough)
      return;
    auto& diagnostic =
        sink_.report<diag::GateLetsThrough>(gate.place, ticked(gate.text), through.tv)
            .note(fmt::format("as the clause {}", ticked(require)));
    if (!through.bias.empty())
      diagnostic.note(fmt::format(
          "the gradient of a step may be off by {} of advantage times score norm", through.bias));
  }

  /// What the gate says of the steps that it sees, as a contract says it; empty where no measure is
  /// what the figure is, or nothing is kept from growing.
  static std::string clauseOf(const Gate& gate, const KnownFigure& figure) {
    const bool isMeasure = figure.row && (figure.row->relation == trainers::Relation::Equals ||
                                          figure.row->relation == trainers::Relation::EqualsAsSet);
    const bool isShare = gate.fold == StepFoldId::ShareAbove;
    if (gate.isOfPart || !isMeasure || (isShare && !isUpper(gate)) ||
        gate.comparator == Comparator::NotEqual)
      return {};
    const std::string_view measure = figure.row->measure;
    const std::string limit = printRational(isShare ? *gate.level : gate.limit);
    if (limit.find('/') != std::string::npos || limit.size() > 30) // no decimal says it
      return {};
    if (gate.isAbsolute && isUpper(gate))
      return gate.limit < 0 ? std::string() : fmt::format("{0} in [-{1}, {1}]", measure, limit);
    if (gate.isAbsolute)
      return {};
    return fmt::format("{} {} {}", measure, isShare ? "<" : symbol(gate.comparator), limit);
  }

  const Gates& gates_;
  const SetCaps& caps_;
  Meanings& meanings_;
  diag::Sink& sink_;
  AuditedFile& out_;
  std::set<std::string> finite_;
  std::set<std::string> below_, above_;         // series by the sides that they are held from
  std::set<std::pair<std::string, bool>> seen_; // series and side that are asked of every step
  bool asksForTokens_ = false;
  std::set<Span> told_; // conditions
  bool saysOfNothing_ = false;
};

} // namespace

void judgeGates(const Gates& gates, const SetCaps& caps, Meanings& meanings, diag::Sink& sink,
                AuditedFile& out) {
  GateJudge(gates, caps, meanings, sink, out).run();
}

} // namespace tikc::audit
