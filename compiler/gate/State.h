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

/// What gates decided of a contract's kernels, and which runs people accepted.
namespace tikc::gate {

/// One look, in the order in which they were.
struct GateDecision {
  GateOutcome outcome = GateOutcome::Hold;
  std::string stage;
  measure::EvidenceOrigin origin;    // of a kernel: without a stage
  double at = 0;                     // seconds since 1970
  std::vector<data::PieceId> pieces; // that no look before had, in their order
  std::uint64_t restsOn = 0;         // pieces in all
  std::vector<Reason> reasons;
};

/// What an accepted run showed of a comparison.
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

/// How far a kernel came.
struct KernelProgress {
  std::size_t stage = 0;                // that it is to pass; behind the last one it passed all
  std::uint64_t attempt = 1;            // one more than it went back
  std::set<data::PieceId> used;         // by the stage that is asked for, in this attempt
  std::set<data::PieceId> closed;       // by attempts that went back
  std::set<data::PieceId> spent;        // by another stage, which was passed by them
  std::optional<double> since;          // the first look at the stage in this attempt
  std::optional<GateDecision> passed;   // that passed the stage in this attempt
  std::optional<GateDecision> sentBack; // the last look at the stage, if that went back
  std::set<data::PieceId> sentBackBy;   // all that it rests on
};

struct GateState {
  std::string contract;
  double latest = -std::numeric_limits<double>::infinity(); // that any clock said
  std::vector<GateDecision> decisions;
  std::vector<AcceptedRun> history;

  /// Of a kernel, by its contract, build and model; `stages` in their order, one of them asked for.
  KernelProgress progressOf(const measure::EvidenceOrigin& kernel,
                            std::span<const std::string> stages, std::size_t asked) const;

  std::string bytes() const;
  static llvm::Expected<GateState> read(std::string_view bytes, std::string_view name);
};

/// Of which kernel evidence is, at whatever stage.
measure::EvidenceOrigin kernelOf(measure::EvidenceOrigin origin);

} // namespace tikc::gate
