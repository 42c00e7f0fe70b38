#pragma once

#include "data/Limits.h"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/Support/Error.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Figures that a trainer logged per batch: a number per step under a name.
namespace tikc::data {

struct ScalarPoint {
  double step = 0;
  std::optional<double> value; // may be NaN or infinite; nothing for null
  std::string place;           // such as "metrics.jsonl:12, step 40"
  double off = 0;              // the maximal error from printing
};

struct ScalarSeries {
  std::string name;
  std::vector<ScalarPoint> points; // in the order of the log
};

struct ScalarLog {
  std::vector<ScalarSeries> series;
  std::uint64_t records = 0; // objects, or lines of a table
  std::uint64_t figures = 0; // numbers, wanted or not
  /// Columns of extremes next to wanted figures; they are not compared.
  std::vector<std::string> passedOver;
};

/// Reads JSON lines, JSON, tables with a line of names (.csv), and llama-perplexity's output,
/// compressed or not. Keeps the wanted figures. A fault of one file is a fault of all.
llvm::Expected<ScalarLog> readScalars(std::span<const std::string> paths, const DataLimits& limits,
                                      llvm::function_ref<bool(std::string_view)> isWanted);

} // namespace tikc::data
