#pragma once

#include "data/scalars/ScalarLog.h"

#include <optional>

namespace tikc::data {

/// Gathers what one file logs.
class ScalarBuilder {
public:
  ScalarBuilder(ScalarLog& log, std::string_view file,
                llvm::function_ref<bool(std::string_view)> isWanted)
      : log_(log), file_(file), isWanted_(isWanted) {}

  bool isWanted(std::string_view name) const { return isWanted_(name); }
  /// What a table has of a wanted figure and is no figure of its own.
  void passOver(std::string_view column) { log_.passedOver.emplace_back(column); }
  void beginRecord() { ++log_.records; }
  /// A line of 0 is of what has none; `off` is as in `ScalarPoint`.
  void add(std::string_view name, std::optional<double> step, std::optional<double> value,
           std::uint64_t line, double off = 0);

private:
  ScalarSeries& seriesOf(std::string_view name);

  ScalarLog& log_;
  std::string_view file_;
  llvm::function_ref<bool(std::string_view)> isWanted_;
};

/// Whether this is what loggers call the step of a record.
bool isStepName(std::string_view name);

/// TensorBoard has a file for each name, as "run-RUN-tag-NAME", with `_` for each `/`.
std::string nameOfFile(std::string_view stem);

/// Whether it is what llama-perplexity prints of two kernels.
bool isPrinted(std::string_view text);

/// Why a file is no log; empty where it was read. `stem` is the file's, where that names a figure.
std::string readScalarJson(std::string_view text, std::string_view stem, const DataLimits& limits,
                           ScalarBuilder& into);
std::string readScalarPrinted(std::string_view text, ScalarBuilder& into);
std::string readScalarTable(std::string_view text, std::string_view stem, ScalarBuilder& into);

} // namespace tikc::data
