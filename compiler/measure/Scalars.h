#pragma once

#include "data/scalars/ScalarLog.h"
#include "measure/Rows.h"
#include "trainers/TrainerFigures.h"

#include <llvm/ADT/StringMap.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

/// Checks what a trainer logged about its batches against a contract.
namespace tikc::measure {

/// Whether a name is a figure of the catalogue that a clause could be about, or whose values have a
/// known range. Caches the first names, because each step repeats them; a log with new names in
/// each record is looked up without a cache.
class FigureNames {
public:
  bool operator()(std::string_view name);

private:
  static constexpr std::size_t mostRemembered = 4096;
  llvm::StringMap<bool> known_;
};

/// The request for checking logged figures.
struct ScalarsRequest {
  std::span<const std::string> clauses;
  /// The trainer whose settings are known to equal those of its row.
  std::optional<trainers::Trainer> asSet;
};

/// Returns rows like `rowsOf()`. A figure that equals a clause's measure is checked against its
/// bounds, step by step; one that never exceeds the measure can only violate it. Scalars have no
/// confidence and no slices.
std::vector<Row> rowsOfScalars(const MeasuredPlan& measured, const data::ScalarLog& log,
                               const ScalarsRequest& request);

/// Returns the lines about scalars that every format reports.
std::vector<std::string> scalarLines(const data::ScalarLog& log, const ScalarsRequest& request);

} // namespace tikc::measure
