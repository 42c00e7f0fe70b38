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

/// What a trainer logged of its batches: a number a step under a name.
namespace tikc::data {

struct ScalarPoint {
  double step = 0;
  std::optional<double> value; // NaN or infinite, too; nothing where null stands
  std::string place;           // "metrics.jsonl:12, step 40"
  double off = 0;              // how far it may be from what it was before it was printed
};

struct ScalarSeries {
  std::string name;
  std::vector<ScalarPoint> points; // as they were logged
};

struct ScalarLog {
  std::vector<ScalarSeries> series;
  std::uint64_t records = 0; // objects, or lines of a table
  std::uint64_t figures = 0; // numbers, wanted or not
  /// Columns of extremes beside what is wanted, which are held to nothing.
  std::vector<std::string> passedOver;
};

/// JSON lines, JSON, tables with a line of names (.csv) and what llama-perplexity prints, packed or
/// not. Keeps what is wanted of
/// them; a fault of any of them is one of all.
llvm::Expected<ScalarLog> readScalars(std::span<const std::string> paths, const DataLimits& limits,
                                      llvm::function_ref<bool(std::string_view)> isWanted);

} // namespace tikc::data
