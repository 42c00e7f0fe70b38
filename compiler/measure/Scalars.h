#pragma once

#include "data/scalars/ScalarLog.h"
#include "measure/Rows.h"
#include "trainers/TrainerFigures.h"

#include <llvm/ADT/StringMap.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

/// A contract held against what a trainer logged of its batches.
namespace tikc::measure {

/// Whether a name is that of a figure of the catalogue: of one that some clause could be about, or
/// of one whose numbers are checked against what it can be. Remembers the first names, as each step
/// has the same; a log that has new names in each record is looked up and not kept.
class FigureNames {
public:
  bool operator()(std::string_view name);

private:
  static constexpr std::size_t mostRemembered = 4096;
  llvm::StringMap<bool> known_;
};

/// What is asked of logged figures.
struct ScalarsAsked {
  std::span<const std::string> clauses;
  /// The trainer whose settings are known to be those of its row.
  std::optional<trainers::Trainer> asSet;
};

/// As `rowsOf()`. A figure that a clause's measure equals is held to its bounds, step by step; one
/// that is never above it can break it. Of a scalar neither a confidence follows nor a slice.
std::vector<Row> rowsOfScalars(const MeasuredPlan& measured, const data::ScalarLog& log,
                               const ScalarsAsked& asked);

/// What every form tells of them.
std::vector<std::string> scalarLines(const data::ScalarLog& log, const ScalarsAsked& asked);

} // namespace tikc::measure
