#pragma once

#include "data/scalars/ScalarLog.h"
#include "data/text/Records.h"

#include <optional>

namespace tikc::data {

/// Collects the log of the last of its files.
class ScalarBuilder {
public:
  ScalarBuilder(ScalarLog& log, llvm::function_ref<bool(std::string_view)> isWanted)
      : log_(log), isWanted_(isWanted) {}

  bool isWanted(std::string_view name) const { return isWanted_(name); }
  /// Records a column that belongs to a wanted figure but is not a figure itself.
  void passOver(std::string_view column) { log_.passedOver.emplace_back(column); }
  /// Records that the last line of a table does not end, so its last number may lack digits.
  void noteOpenEnd() { log_.open.push_back(log_.files.back()); }
  void beginRecord() { ++log_.records; }
  /// Adds a value. A line of 0 means no line; `off` is as in `ScalarPoint`.
  void add(std::string_view name, std::optional<double> step, std::optional<double> value,
           std::uint64_t line, double off = 0);

private:
  ScalarSeries& seriesOf(std::string_view name);

  ScalarLog& log_;
  llvm::function_ref<bool(std::string_view)> isWanted_;
};

/// Returns whether loggers use this name for a record's step.
bool isStepName(std::string_view name);

/// Returns the figure that a TensorBoard file name "run-RUN-tag-NAME" stands for; it has `_` for
/// each `/`.
std::string nameOfFile(std::string_view stem);

/// Returns whether lines are llama-perplexity's output for two kernels.
bool isPrinted(Records lines);

/// Returns why a file is not a log; empty if it was read. `stem` is the file's, which may name a
/// figure.
std::string readScalarJson(Window window, std::string_view stem, const DataLimits& limits,
                           ScalarBuilder& into);
std::string readScalarPrinted(Records lines, ScalarBuilder& into);
std::string readScalarTable(Records lines, std::string_view stem, ScalarBuilder& into);

} // namespace tikc::data
