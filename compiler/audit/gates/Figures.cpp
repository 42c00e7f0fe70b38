#include "audit/gates/Gate.h"

#include "support/Check.h"

#include <algorithm>

namespace tikc::audit {
namespace {

constexpr StepFold folds[] = {
#define STEP_FOLD(Id, name, below, above, nan, none)                                               \
  {StepFoldId::Id, name, StepsSeen::below, StepsSeen::above, nan, none},
#include "audit/gates/StepFolds.def"
    {StepFoldId::OneStep, "", StepsSeen::One, StepsSeen::One, "", ""},
    {StepFoldId::EachStep, "", StepsSeen::All, StepsSeen::All, "", ""},
};

bool isLast(std::string_view name, std::string_view series) {
  return series == name ||
         (series.ends_with(name) && series[series.size() - name.size() - 1] == '/');
}

/// People also write the last word alone.
bool names(const trainers::TrainerFigure& figure, std::string_view series) {
  if (figure.isLoggedAs(series))
    return true;
  const std::size_t slash = figure.name.find('/');
  const std::string_view last =
      slash == std::string_view::npos ? figure.name : figure.name.substr(slash + 1);
  // "mean" alone is anybody's.
  return last.find('_') != std::string_view::npos && isLast(last, series);
}

} // namespace

const StepFold& foldOf(StepFoldId id) { return folds[static_cast<std::size_t>(id)]; }

const StepFold* findFold(std::string_view name) {
  auto match = std::find_if(std::begin(folds), std::end(folds), [&](const StepFold& each) {
    return !each.name.empty() && each.name == name;
  });
  return match == std::end(folds) ? nullptr : match;
}

std::optional<KnownFigure> findFigure(std::string_view series,
                                      llvm::function_ref<bool(std::string_view)> isSet) {
  const trainers::TrainerFigure* row = nullptr;
  for (const trainers::TrainerFigure& each : trainers::trainerFigures())
    if (names(each, series) && (!row || isSet(rowOf(each.trainer).name)))
      row = &each;
  if (row) {
    const trainers::TrainerRow& trainer = rowOf(row->trainer);
    return KnownFigure{row->name, row, row->range(Rational(trainer.cap)), row->trap, trainer.name};
  }
  for (const trainers::OtherFigure& each : trainers::otherFigures())
    if (each.isLoggedAs(series))
      return KnownFigure{each.name, nullptr, each.range(), each.trap, {}};
  return std::nullopt;
}

} // namespace tikc::audit
