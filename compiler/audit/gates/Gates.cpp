#include "audit/gates/Gate.h"

#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tikc::audit {
namespace {

using model::Comparator;
using utf8::ticked;

std::optional<Comparator> comparatorOf(std::string_view written) {
  for (Comparator each : {Comparator::LessEqual, Comparator::Less, Comparator::GreaterEqual,
                          Comparator::Greater, Comparator::Equal, Comparator::NotEqual})
    if (symbol(each) == written)
      return each;
  return std::nullopt;
}

/// With its sides exchanged.
Comparator mirrored(Comparator comparator) {
  switch (comparator) {
  case Comparator::Less:
    return Comparator::Greater;
  case Comparator::LessEqual:
    return Comparator::GreaterEqual;
  case Comparator::Greater:
    return Comparator::Less;
  case Comparator::GreaterEqual:
    return Comparator::LessEqual;
  default:
    return comparator;
  }
}

/// What holds where the other does not.
Comparator opposite(Comparator comparator) {
  switch (comparator) {
  case Comparator::Less:
    return Comparator::GreaterEqual;
  case Comparator::LessEqual:
    return Comparator::Greater;
  case Comparator::Greater:
    return Comparator::LessEqual;
  case Comparator::GreaterEqual:
    return Comparator::Less;
  case Comparator::Equal:
    return Comparator::NotEqual;
  default:
    return Comparator::Equal;
  }
}

/// data["figure"], whatever the name of the data.
const PythonExpr* seriesOf(const PythonExpr& expr) {
  const bool isSeries = expr.kind == PythonExprKind::Subscript &&
                        (expr.parts[0].kind == PythonExprKind::Name ||
                         expr.parts[0].kind == PythonExprKind::Member) &&
                        expr.parts[1].kind == PythonExprKind::String;
  return isSeries ? &expr.parts[1] : nullptr;
}

class GateReader {
public:
  GateReader(const JudgingText& check, const Limits& limits, Gates& out)
      : check_(check), limits_(limits), out_(out) {}

  void read(const PythonExpr& expr) {
    switch (expr.kind) {
    case PythonExprKind::And:
    case PythonExprKind::Or:
      return several(expr);
    case PythonExprKind::Compare:
      return compare(expr);
    case PythonExprKind::Call:
      return call(expr);
    default:
      misread(expr, "a comparison of a logged value with a number");
    }
  }

private:
  Span place(const PythonExpr& expr) const { return check_.text.span(expr.from, expr.to); }

  void misread(const PythonExpr& expr, std::string_view wanted) {
    out_.misread.push_back({place(expr), fmt::format("tikc understands only {} here", wanted)});
  }
  bool isOfResult() const { return !check_.result.empty(); }
  bool isAlarm() const {
    return check_.how == JudgingText::How::Alarm || check_.how == JudgingText::How::Failure;
  }

  /// Each of them is a gate if one that fails decides. Otherwise it is open which one passed, but
  /// for conditions that only ask whether there is a result.
  void several(const PythonExpr& expr) {
    const bool decidesAlone = (expr.kind == PythonExprKind::Or) == isAlarm();
    std::vector<const PythonExpr*> gates;
    for (const PythonExpr& each : expr.parts)
      if (!isOfResult() || !asksForResult(each, decidesAlone))
        gates.push_back(&each);
    if (!decidesAlone && gates.size() != 1)
      return misread(expr, fmt::format("comparisons joined by `{}`", isAlarm() ? "or" : "and"));
    for (const PythonExpr* each : gates)
      read(*each);
  }

  /// What a part of a condition asks of the result itself: that there is none, or that it is NaN
  /// or infinite; or that it is not.
  enum class Asks : std::uint8_t { Nothing, Empty, Nan, Infinite };
  struct AsksForResult {
    Asks what = Asks::Nothing;
    bool isNegated = false;
  };
  static AsksForResult askedBy(const PythonExpr& expr) {
    if (expr.kind == PythonExprKind::Not) {
      AsksForResult out = askedBy(expr.parts[0]);
      out.isNegated = !out.isNegated;
      return out;
    }
    if (expr.kind == PythonExprKind::Call && expr.parts.size() == 2)
      return {expr.parts[0].isName("isNaN")   ? Asks::Nan
              : expr.parts[0].isName("isInf") ? Asks::Infinite
                                              : Asks::Nothing,
              false};
    if (expr.kind != PythonExprKind::Compare || expr.parts.size() != 2)
      return {};
    const PythonExpr &left = expr.parts[0], &right = expr.parts[1];
    const std::string& written = expr.operators[0];
    if (left.isName("result") && right.isName("nil") && (written == "==" || written == "!="))
      return {Asks::Empty, written == "!="};
    if (left.kind != PythonExprKind::Call || !left.parts[0].isName("len") ||
        left.parts.size() != 2 || !left.parts[1].isName("result") ||
        right.kind != PythonExprKind::Number)
      return {};
    if (right.text == "0" && (written == "==" || written == "!=" || written == ">"))
      return {Asks::Empty, written != "=="};
    return right.text == "1" && written == ">=" ? AsksForResult{Asks::Empty, true}
                                                : AsksForResult{};
  }

  /// If a part decides alone, it catches what it asks for; otherwise that passes. Only this way
  /// round: `len(result) > 0 || …` passes every result.
  bool asksForResult(const PythonExpr& expr, bool decidesAlone) {
    const AsksForResult asked = askedBy(expr);
    if (asked.what == Asks::Nothing || asked.isNegated == (isAlarm() == decidesAlone) ||
        (asked.what == Asks::Infinite && !decidesAlone))
      return false;
    if (asked.what == Asks::Nan && decidesAlone)
      out_.finite.push_back(check_.result);
    if (!decidesAlone)
      passes(asked.what == Asks::Nan ? RolloutFault::Kind::PassesNan
                                     : RolloutFault::Kind::PassesNothing,
             expr,
             asked.what == Asks::Nan ? "its condition passes NaN"
                                     : "its condition passes an empty result");
    return true;
  }
  void passes(RolloutFault::Kind kind, const PythonExpr& expr, std::string note) {
    out_.faults.push_back({kind, place(expr), {}, std::move(note)});
  }

  /// `all(result, {# < 0.05})`, and `any(…)` of what fails.
  bool ofEachResult(const PythonExpr& expr) {
    if (!isOfResult() || expr.parts.size() != 3 || !expr.parts[1].isName("result") ||
        !expr.parts[0].isName(isAlarm() ? "any" : "all"))
      return false;
    passes(RolloutFault::Kind::PassesNothing, expr,
           fmt::format("`{}` of an empty result is {}", expr.parts[0].text,
                       isAlarm() ? "false" : "true"));
    isOfEach_ = true;
    read(expr.parts[2]);
    isOfEach_ = false;
    return true;
  }

  void call(const PythonExpr& expr) {
    if (ofEachResult(expr))
      return;
    if (isOfResult())
      return misread(expr, "all(result, …) and a comparison of the result with a number");
    const bool isFinite =
        expr.parts[0].isName("all_finite") && expr.parts.size() == 2 && seriesOf(expr.parts[1]);
    if (!isFinite)
      return misread(expr, "all_finite(…) and a comparison of a logged value with a number");
    out_.finite.push_back(seriesOf(expr.parts[1])->text);
  }

  /// Reads `a < x < b` as two comparisons. An alarm fires only if both hold, so neither bounds x.
  void compare(const PythonExpr& expr) {
    if (isAlarm() && expr.operators.size() > 1)
      return misread(expr, "comparisons joined by `or`");
    for (std::size_t i = 0; i < expr.operators.size(); ++i)
      pair(expr, expr.parts[i], expr.operators[i], expr.parts[i + 1]);
  }

  void pair(const PythonExpr& whole, const PythonExpr& left, const std::string& written,
            const PythonExpr& right) {
    auto comparator = comparatorOf(written);
    if (!comparator) {
      if (check_.how == JudgingText::How::Expression || isOfResult()) // elsewhere of no number
        misread(whole, "<, <=, >, >= and ==");
      return;
    }
    auto limit = numberOf(right, limits_);
    const PythonExpr* figure = &left;
    const PythonExpr* limitAt = &right;
    if (!limit) {
      limit = numberOf(left, limits_);
      figure = &right;
      limitAt = &left;
      *comparator = mirrored(*comparator);
    }
    if (!limit)
      return misread(whole, "a comparison with a literal number");
    Gate gate;
    gate.text = check_.text.text.substr(whole.from, whole.to - whole.from);
    gate.place = place(whole);
    gate.limitPlace = place(*limitAt);
    gate.limit = *limit;
    gate.comparator = isAlarm() ? opposite(*comparator) : *comparator;
    gate.how = check_.how;
    gate.condition = check_.condition;
    if (side(*figure, gate))
      out_.gates.push_back(std::move(gate));
  }

  /// What is compared: abs(…), a fold of a series, a step of one.
  bool side(const PythonExpr& expr, Gate& gate) {
    if (expr.kind == PythonExprKind::Call && expr.parts[0].isName("abs") &&
        expr.parts.size() == 2 && !gate.isAbsolute) {
      gate.isAbsolute = true;
      return side(expr.parts[1], gate);
    }
    if (isOfResult())
      return resultOf(expr, gate);
    if (expr.kind == PythonExprKind::Call && check_.how == JudgingText::How::Expression)
      return folded(expr, gate);
    if (const PythonExpr* series = seriesOf(expr);
        series && check_.how != JudgingText::How::Expression)
      return take(*series, StepFoldId::EachStep, gate);
    if (expr.kind == PythonExprKind::Subscript && check_.how == JudgingText::How::Expression)
      if (const PythonExpr* series = seriesOf(expr.parts[0])) {
        const PythonExpr& step = expr.parts[1];
        if (step.kind == PythonExprKind::String || step.kind == PythonExprKind::Variable ||
            step.kind == PythonExprKind::Number)
          return take(*series, StepFoldId::OneStep, gate);
      }
    misread(expr, check_.how == JudgingText::How::Expression
                      ? "data[\"name\"][\"step\"] and a function of data[\"name\"]"
                      : "a logged value");
    return false;
  }

  /// `result`, `result[0]`, `asFloat(…)`, and `default(…, 0)`.
  bool resultOf(const PythonExpr& expr, Gate& gate) {
    const auto isCallOf = [&](std::string_view name, std::size_t arguments) {
      return expr.kind == PythonExprKind::Call && expr.parts[0].isName(name) &&
             expr.parts.size() == arguments + 1;
    };
    if (isCallOf("default", 2))
      if (auto value = numberOf(expr.parts[2], limits_)) {
        gate.ofNothing = value;
        return side(expr.parts[1], gate);
      }
    if (isCallOf("asFloat", 1) || isCallOf("float", 1))
      return side(expr.parts[1], gate);
    const bool isOne = !isOfEach_ && expr.kind == PythonExprKind::Subscript &&
                       expr.parts[0].isName("result") &&
                       expr.parts[1].kind == PythonExprKind::Number && expr.parts[1].text == "0";
    if (!isOne && !expr.isName("result")) {
      misread(expr, isOfEach_ ? "# in all(…) and any(…)" : "result and result[0]");
      return false;
    }
    gate.isOfOneResult = isOne;
    gate.series = check_.result;
    gate.figurePlace = place(expr);
    gate.fold = StepFoldId::EachStep;
    return true;
  }

  bool take(const PythonExpr& series, StepFoldId fold, Gate& gate) {
    gate.series = series.text;
    gate.figurePlace = place(series);
    gate.fold = fold;
    return true;
  }

  bool folded(const PythonExpr& expr, Gate& gate) {
    const PythonExpr& called = expr.parts[0];
    const StepFold* fold = called.kind == PythonExprKind::Name ? findFold(called.text) : nullptr;
    const PythonExpr* series = expr.parts.size() > 1 ? seriesOf(expr.parts[1]) : nullptr;
    if (!fold || !series) {
      misread(expr, "max, min, mean, median and ratio_above of data[\"name\"]");
      return false;
    }
    for (std::size_t i = 2; i < expr.parts.size(); ++i)
      if (!argument(*fold, expr.parts[i], i, gate))
        return false;
    if (fold->id == StepFoldId::ShareAbove && !gate.level) {
      misread(expr, "ratio_above with a threshold");
      return false;
    }
    return take(*series, fold->id, gate);
  }

  bool argument(const StepFold& fold, const PythonExpr& expr, std::size_t index, Gate& gate) {
    const bool isNamed = expr.kind == PythonExprKind::Keyword;
    auto value = numberOf(isNamed ? expr.parts[0] : expr, limits_);
    if (fold.id == StepFoldId::ShareAbove && index == 2 && (!isNamed || expr.text == "threshold") &&
        value) {
      gate.level = value;
      return true;
    }
    static constexpr std::string_view ofMean[] = {"range_start", "range_end", "ignore_top_p"};
    std::string_view name = isNamed                         ? std::string_view(expr.text)
                            : index - 2 < std::size(ofMean) ? ofMean[index - 2]
                                                            : std::string_view();
    if (fold.id == StepFoldId::Mean && value) {
      if (name == "ignore_top_p" || name == "exclude_outliers") {
        if (*value > 0)
          gate.leftOut =
              name == "ignore_top_p"
                  ? fmt::format("the worst {}% of the steps", printRational(*value * 100))
                  : fmt::format("the worst {} of the steps", printRational(*value));
        return true;
      }
      if (name == "range_start" || name == "range_end") {
        const bool isWhole = *value == (name == "range_start" ? 1 : 0);
        if (!isWhole && gate.leftOut.empty())
          gate.leftOut = "the steps outside its range";
        return true;
      }
    }
    misread(expr,
            "range_start, range_end, ignore_top_p and exclude_outliers of mean with numbers, and "
            "the threshold of ratio_above,");
    return false;
  }

  const JudgingText& check_;
  const Limits& limits_;
  Gates& out_;
  bool isOfEach_ = false; // within all(result, …)
};

} // namespace

std::optional<Rational> numberOf(const PythonExpr& expr, const Limits& limits) {
  if (expr.kind == PythonExprKind::Number) {
    std::string digits = expr.text;
    std::erase(digits, '_');
    return parseDecimal(digits, limits);
  }
  if (expr.kind == PythonExprKind::Unary) {
    auto value = numberOf(expr.parts[0], limits);
    return value && expr.text == "-" ? std::optional(Rational(-*value)) : value;
  }
  if (expr.kind != PythonExprKind::Binary)
    return std::nullopt;
  auto left = numberOf(expr.parts[0], limits), right = numberOf(expr.parts[1], limits);
  if (!left || !right)
    return std::nullopt;
  if (expr.text == "+")
    return *left + *right;
  if (expr.text == "-")
    return *left - *right;
  if (expr.text == "*")
    return *left * *right;
  return expr.text == "/" && *right != 0 ? std::optional(Rational(*left / *right)) : std::nullopt;
}

void addGates(const JudgingText& check, const Limits& limits, Gates& out) {
  const std::string& text = check.text.text;
  if (text.size() > limits.expressionBytes) {
    out.misread.push_back({check.text.whole(), fmt::format("the expression has {} bytes, but tikc "
                                                           "reads at most {}",
                                                           text.size(), limits.expressionBytes)});
    return;
  }
  const bool mayHaveVariables = check.how == JudgingText::How::Expression;
  const auto tokens = pythonTokens(text, mayHaveVariables, limits.expressionBytes + 1);
  // Most comparisons in a source are not about figures, and a single word may be the value of an
  // option, such as "tis".
  const bool isOfFigure = std::any_of(tokens.begin(), tokens.end(), [](const PythonToken& each) {
    return each.kind == PythonToken::Kind::String &&
           ((each.text.find_first_of("_/ ") != std::string::npos && findFigure(each.text)) ||
            countsTokens(each.text));
  });
  const bool isOfArrays = check.how == JudgingText::How::Closeness;
  const bool isOfResult = !check.result.empty();
  if (check.how != JudgingText::How::Expression && !isOfFigure && !isOfArrays && !isOfResult)
    return;
  std::vector<PythonToken> inOneLine;
  for (const PythonToken& each : tokens)
    if (each.kind != PythonToken::Kind::NewLine)
      inOneLine.push_back(each);
  std::size_t used = 0;
  auto read = readPython(inOneLine, limits.expressionDepth, used);
  if (const auto* fault = std::get_if<PythonFault>(&read)) {
    if (isOfArrays) // of what else is compared in it nobody knows
      return;
    out.misread.push_back(
        {check.text.span(fault->from, std::max(fault->from, fault->to)), fault->why});
    return;
  }
  if (const PythonToken& rest = inOneLine[std::min(used, inOneLine.size() - 1)];
      rest.kind != PythonToken::Kind::End) {
    out.misread.push_back({check.text.span(rest.from, rest.to), "unexpected text after the "
                                                                "expression"});
    return;
  }
  const PythonExpr& whole = std::get<PythonExpr>(read);
  isOfArrays ? addCloseness(check, whole, limits, out) : GateReader(check, limits, out).read(whole);
}

} // namespace tikc::audit
