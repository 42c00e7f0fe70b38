#pragma once

#include "checker/plan/Plan.h"
#include "data/Source.h"
#include "measure/Evidence.h"
#include "measure/Fragments.h"
#include "measure/Intake.h"
#include "measure/Journal.h"
#include "measure/Judging.h"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

/// The result of checking recorded data against a contract.
namespace tikc::measure {

struct Measurement {
  CheckRecords records;
  Intake intake;
  Activations activations;
  std::vector<PieceOrigin> pieces;
  AssumptionResults assumed;
  std::uint64_t rest = 0;   // tokens and rows after the last round
  std::vector<char> came{}; // by slice: whether it received any data
  Details details{};        // empty unless requested
  ClaimEnds ends{};

  bool hasCome(std::size_t slice) const { return slice < came.size() && came[slice] != 0; }
};

/// Optional observers of a measurement.
struct Witnesses {
  /// Called with the number of finished pieces. `soFar` returns the current result, without places.
  std::function<void(std::size_t pieces, llvm::function_ref<Measurement()> soFar)> tell;
  EvidenceCollector* collected = nullptr;
  Journal* journal = nullptr; // also knows the pieces that an earlier run observed
  /// The folder for contents that are too large for memory, for evidence and journal; by default
  /// that of temporary files.
  std::filesystem::path folder{};
};

/// Measures a dataset. A piece that repeats another's bytes is judged once; fails if it was judged
/// before that was known.
llvm::Expected<Measurement> measure(const MeasuredPlan& subject, const engine::LoadedPolicy& policy,
                                    const data::Source& source, unsigned jobs,
                                    const Witnesses& witnesses = {});

/// Fails if the plan has windows of steps, and only some responses have a step.
llvm::Error whyNotInSteps(const MeasuredPlan& subject, const data::PieceReport& report);

/// Visits the fragments of evidence in the order in which they are judged. Fails if a tally does
/// not match the evidence. A fragment is valid only during its visit.
llvm::Error
eachFragment(const MeasuredPlan& subject, const Evidence& evidence,
             llvm::function_ref<void(const Fragment& fragment, std::size_t piece)> visit);

/// Measures evidence. Fails if a tally does not match it.
llvm::Expected<Measurement> measure(const MeasuredPlan& subject, const engine::LoadedPolicy& policy,
                                    const Evidence& evidence, Judging::Routed routed = nullptr);

} // namespace tikc::measure
