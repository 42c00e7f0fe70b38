#pragma once

#include "data/Report.h"
#include "data/inspect/Signs.h"
#include "measure/ServedSettings.h"
#include "measure/Slicing.h"

#include <cstddef>
#include <cstdint>

namespace tikc::measure {

class Fragmenting;

/// Counts of the input, and of what was skipped.
struct Intake {
  static constexpr std::size_t mostFaults = 10; // that are reported

  data::PieceReport report;
  std::uint64_t tokens = 0, responses = 0, rows = 0;
  std::uint64_t unpaired = 0;  // responses that only one side has
  std::uint64_t strangers = 0; // rows of another vocabulary
  std::size_t strangeLength = 0;
  Slicing::Missing missing;
  OtherSettings otherSettings;
  std::uint64_t repeated = 0; // pieces with the bytes of an earlier one
  bool namesSteps = false, namesTimes = false;
  data::Signs signs; // of all responses, whatever their slice

  void add(const Intake& other);
};

/// Returns the intake of one piece.
Intake intakeOf(const Fragmenting& piece, const data::PieceReport& report);

} // namespace tikc::measure
