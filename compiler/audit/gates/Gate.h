#pragma once

#include "audit/reading/PythonExpr.h"
#include "audit/reading/Reading.h"
#include "model/Expr.h"
#include "support/Rational.h"
#include "trainers/TrainerFigures.h"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Comparisons of what trainers log with numbers.
namespace tikc::audit {

/// What a bound says of the steps of a run.
enum class StepsSeen : std::uint8_t { All, One, Half, Average, Share };

enum class StepFoldId : std::uint8_t {
#define STEP_FOLD(Id, ...) Id,
#include "audit/gates/StepFolds.def"
  OneStep, // data["figure"]["100"]
  EachStep // of an assertion, which is asked at every step
};
struct StepFold {
  StepFoldId id;
  std::string_view name;
  StepsSeen below, above;
  std::string_view whereNan, whereNone;
};
const StepFold& foldOf(StepFoldId id);
const StepFold* findFold(std::string_view name);

/// What is known of a figure by its name.
struct KnownFigure {
  std::string_view name;
  const trainers::TrainerFigure* row = nullptr; // nothing of one that equals no measure
  trainers::FigureRange range;
  std::string_view trap;
  std::string_view trainer; // empty where several have it
};
/// Of rows with one name the last whose trainer is set, else the first: a row with other settings
/// of a trainer comes after it.
std::optional<KnownFigure> findFigure(
    std::string_view series,
    llvm::function_ref<bool(std::string_view)> isSet = [](std::string_view) { return false; });
/// Whether a series says how many tokens or responses were in a batch, by its name.
inline bool countsTokens(std::string_view series) {
  return series.find("valid") != std::string_view::npos;
}

struct Gate {
  std::string text; // as it is written
  std::string series;
  Span place, figurePlace, limitPlace;
  StepFoldId fold = StepFoldId::EachStep;
  bool isAbsolute = false;
  model::Comparator comparator = model::Comparator::Less; // of what passes
  Rational limit;
  std::optional<Rational> level; // of ratio_above
  /// Why some of the steps are not in it: "the steps outside its range".
  std::string leftOut;
  JudgingText::How how = JudgingText::How::Expression;
  Span condition;
};

/// Arrays of log-probs that are held to be close.
struct Closeness {
  std::string text;
  Span place, rtolPlace;
  Rational rtol, atol;
  bool isNanClose = false;
};

/// What was not understood, with its place.
struct Misread {
  Span place;
  std::string why;
};

struct Gates {
  std::vector<Gate> gates;
  std::vector<Misread> misread;
  std::vector<Closeness> close;
  std::vector<std::string> finite; // figures that are held to be finite: all_finite(…)
};
/// Of a call that compares log-probs; what compares anything else is nobody's gate.
void addCloseness(const JudgingText& of, const PythonExpr& call, const Limits& limits, Gates& out);
/// Numbers, and what is computed of them alone.
std::optional<Rational> numberOf(const PythonExpr& expr, const Limits& limits);
/// Adds the gates of a text.
void addGates(const JudgingText& check, const Limits& limits, Gates& out);

} // namespace tikc::audit
