#pragma once

#include "data/Source.h"
#include "measure/Evidence.h"
#include "measure/Fragments.h"
#include "measure/Intake.h"
#include "measure/Judging.h"
#include "plan/Plan.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// A contract held against recorded data.
namespace tikc::measure {

struct Measurement {
  CheckRecords records;
  Intake intake;
  std::vector<Activation> activations;
  std::vector<PieceOrigin> pieces;
  Assumed assumed;
  std::uint64_t rest = 0; // tokens and rows after the last round
};

/// A piece that has the bytes of another is judged once. `tell` hears how many are done;
/// `collected` takes what is observed, where it is wanted.
Measurement measure(const MeasuredPlan& subject, const engine::LoadedPolicy& policy,
                    const data::Source& source, unsigned jobs,
                    const std::function<void(std::size_t pieces)>& tell = {},
                    EvidenceCollector* collected = nullptr);

/// The same of what was collected; an error where a tally cannot be what its evidence says.
llvm::Expected<Measurement> measure(const MeasuredPlan& subject, const engine::LoadedPolicy& policy,
                                    const Evidence& evidence);

} // namespace tikc::measure
