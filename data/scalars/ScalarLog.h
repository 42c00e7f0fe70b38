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

/// A log may have millions of them, so a point stores no text.
struct ScalarPoint {
  double step = 0;
  std::optional<double> value; // may be NaN or infinite; nothing for null
  double off = 0;              // the maximal error from printing
  std::uint64_t line = 0;      // 0 if the file has no lines
  std::uint32_t file = 0;      // an index into `ScalarLog::files`
  bool isStepLogged = false;   // otherwise steps are counted
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
  std::vector<std::string> files;
  /// Tables whose last line does not end, as in a file that was truncated.
  std::vector<std::string> open;

  /// Returns a place such as "metrics.jsonl:12, step 40".
  std::string placeOf(const ScalarPoint& point) const;
};

/// Reads JSON lines, JSON, tables with a line of names (.csv), and llama-perplexity's output,
/// compressed or not. Keeps the wanted figures. A fault of one file is a fault of all.
llvm::Expected<ScalarLog> readScalars(std::span<const std::string> paths, const DataLimits& limits,
                                      llvm::function_ref<bool(std::string_view)> isWanted);

} // namespace tikc::data
