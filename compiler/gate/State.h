#pragma once

#include "gate/Decision.h"
#include "measure/Evidence.h"
#include "measure/UnitSums.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

/// Past decisions of gates on a contract's kernels, and the runs that people accepted.
namespace tikc::gate {

/// One look at a kernel; looks are kept in order.
struct GateDecision {
  GateOutcome outcome = GateOutcome::Hold;
  std::string stage;
  measure::EvidenceOrigin origin;    // of the kernel, without a stage
  double at = 0;                     // seconds since 1970
  std::vector<data::PieceId> pieces; // that no earlier look had, sorted
  std::uint64_t restsOn = 0;         // pieces in total
  std::vector<Reason> reasons;
};

/// The value of a comparison in an accepted run.
struct AcceptedRow {
  std::string clause, says, slice;
  measure::UnitSums sums;
};

struct AcceptedRun {
  std::string stage;
  measure::EvidenceOrigin origin;
  double at = 0;
  std::string by, because;
  std::vector<data::PieceId> pieces;
  std::vector<AcceptedRow> rows;
};

/// The progress of a kernel through the stages.
struct KernelProgress {
  std::size_t stage = 0;                // the stage to pass; one past the last after all
  std::uint64_t attempt = 1;            // one more than the number of times it went back
  std::set<data::PieceId> used;         // pieces used by the requested stage in this attempt
  std::set<data::PieceId> closed;       // pieces of attempts that went back
  std::set<data::PieceId> spent;        // pieces of other stages that they helped to pass
  std::optional<double> since;          // the first look at the stage in this attempt
  std::optional<GateDecision> passed;   // the look that passed the stage in this attempt
  std::optional<GateDecision> sentBack; // the last look at the stage, if it sent the kernel back
  std::set<data::PieceId> sentBackBy;   // all pieces that this look rests on
};

struct GateState {
  std::string contract;
  double latest = -std::numeric_limits<double>::infinity(); // the latest time of any look
  std::vector<GateDecision> decisions;
  std::vector<AcceptedRun> history;

  /// Returns the progress of a kernel: a contract, build and model. `stages` are in order;
  /// `requested` is the index of one.
  KernelProgress progressOf(const measure::EvidenceOrigin& kernel,
                            std::span<const std::string> stages, std::size_t requested) const;

  std::string bytes() const;
  static llvm::Expected<GateState> read(std::string_view bytes, std::string_view name);
};

/// Returns the kernel that the evidence is of, without its stage.
measure::EvidenceOrigin kernelOf(measure::EvidenceOrigin origin);

} // namespace tikc::gate
