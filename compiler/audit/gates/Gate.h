#pragma once

#include "audit/reading/PythonExpr.h"
#include "audit/reading/Reading.h"
#include "diag/Sink.h"
#include "diag/report/Report.h"
#include "model/Expr.h"
#include "support/Rational.h"
#include "trainers/TrainerFigures.h"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Gates: comparisons of logged figures with numbers.
namespace tikc::audit {

/// The steps of a run that a bound constrains.
enum class StepsSeen : std::uint8_t { All, One, Half, Average, Share };

enum class StepFoldId : std::uint8_t {
#define STEP_FOLD(Id, ...) Id,
#include "audit/gates/StepFolds.def"
  OneStep, // data["figure"]["100"]
  EachStep // of an assertion, which runs at every step
};
struct StepFold {
  StepFoldId id;
  std::string_view name;
  StepsSeen below, above;
  std::string_view whereNan, whereNone;
};
const StepFold& foldOf(StepFoldId id);
const StepFold* findFold(std::string_view name);

/// The known properties of a figure's name.
struct KnownFigure {
  std::string_view name;
  const trainers::TrainerFigure* row = nullptr; // null for a figure that equals no measure
  trainers::FigureRange range;
  std::string_view trap;
  std::string_view trainer; // empty if several trainers log it
};
/// Returns the last of the rows with this name whose trainer is set, otherwise the first: rows for
/// other settings of a trainer come later.
std::optional<KnownFigure> findFigure(
    std::string_view series,
    llvm::function_ref<bool(std::string_view)> isSet = [](std::string_view) { return false; });
/// Whether the series counts tokens or responses of a batch, judged by its name.
inline bool countsTokens(std::string_view series) {
  return series.find("valid") != std::string_view::npos;
}

struct Gate {
  std::string text; // as written
  std::string series;
  Span place, figurePlace, limitPlace;
  StepFoldId fold = StepFoldId::EachStep;
  bool isAbsolute = false;
  model::Comparator comparator = model::Comparator::Less; // that passes
  Rational limit;
  std::optional<Rational> level; // for ratio_above
  /// Why the gate misses some steps: "the steps outside its range".
  std::string leftOut;
  JudgingText::How how = JudgingText::How::Expression;
  Span condition;
  bool isOfOneResult = false;        // result[0] of a query
  std::optional<Rational> ofNothing; // the value that stands for no result
  std::string seen = {};             // what it limits, if not steps
  bool isOfPart = false;             // of an average, for one: no clause says the same
};

/// A comparison of two arrays of log-probs.
struct Closeness {
  std::string text;
  Span place, rtolPlace;
  Rational rtol, atol;
  bool isNanClose = false;
};

/// A part that was not understood.
struct Misread {
  Span place;
  std::string why;
};

struct Gates {
  std::vector<Gate> gates;
  std::vector<Misread> misread;
  std::vector<Closeness> close;
  std::vector<std::string> finite;  // figures that all_finite(…) requires to be finite
  std::vector<RolloutFault> faults; // of conditions on `result`
};
/// Adds a call that compares log-probs; ignores comparisons of anything else.
void addCloseness(const JudgingText& text, const PythonExpr& call, const Limits& limits,
                  Gates& out);
/// Returns the value of a number, or of arithmetic on numbers.
std::optional<Rational> numberOf(const PythonExpr& expr, const Limits& limits);
/// Adds the gates of metrics that decide rollouts, and reports what is wrong with the rest of them.
void addRollouts(std::span<const RolloutMetric> metrics, const Limits& limits, diag::Sink& sink,
                 Gates& out, std::vector<diag::JudgedGate>& judged);
/// Adds the gates of an expression.
void addGates(const JudgingText& check, const Limits& limits, Gates& out);

} // namespace tikc::audit
