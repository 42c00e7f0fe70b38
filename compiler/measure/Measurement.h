#pragma once

#include "data/Source.h"
#include "measure/CheckRecords.h"
#include "measure/Fragments.h"
#include "plan/Plan.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

/// A contract held against recorded data.
namespace tikc::measure {

/// What came in, and what of it was judged by nobody.
struct Intake {
  data::PieceReport report;
  std::uint64_t tokens = 0, responses = 0, rows = 0;
  std::uint64_t unpaired = 0;  // responses of one side alone
  std::uint64_t strangers = 0; // rows of another vocabulary
  std::size_t strangeLength = 0;
  Slicing::Missing missing;
  std::uint64_t repeated = 0; // pieces with the bytes of one before them
  bool namesSteps = false, namesTimes = false;
};

/// What a rule of the escalation would have done, had these data been served.
struct Activation {
  std::size_t rule = 0, slice = 0;
  std::uint64_t evaluation = 0; // from 1
  bool starts = true;
};

struct Measurement {
  CheckRecords records;
  Intake intake;
  std::vector<Activation> activations;
  std::vector<PieceOrigin> pieces;
};

/// A piece that has the bytes of another is judged once. `tell` hears how many are done.
Measurement measure(const MeasuredPlan& subject, const engine::LoadedPolicy& policy,
                    const data::Source& source, unsigned jobs,
                    const std::function<void(std::size_t pieces)>& tell = {});

} // namespace tikc::measure
