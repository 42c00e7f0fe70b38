#pragma once

#include "data/Report.h"
#include "data/inspect/Signs.h"
#include "measure/ServedSettings.h"
#include "measure/Slicing.h"

#include <cstddef>
#include <cstdint>

namespace tikc::measure {

class Fragmenting;

/// What came in, and what of it was judged by nobody.
struct Intake {
  static constexpr std::size_t mostFaults = 10; // that are told

  data::PieceReport report;
  std::uint64_t tokens = 0, responses = 0, rows = 0;
  std::uint64_t unpaired = 0;  // responses of one side alone
  std::uint64_t strangers = 0; // rows of another vocabulary
  std::size_t strangeLength = 0;
  Slicing::Missing missing;
  OtherSettings otherSettings;
  std::uint64_t repeated = 0; // pieces with the bytes of one before them
  bool namesSteps = false, namesTimes = false;
  data::Signs signs; // of all responses, whatever slice they are of

  void add(const Intake& other);
};

/// Of what a piece brought.
Intake intakeOf(const Fragmenting& piece, const data::PieceReport& report);

} // namespace tikc::measure
