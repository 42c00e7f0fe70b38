#pragma once

#include "gate/Decision.h"
#include "gate/Means.h"
#include "measure/Evidence.h"
#include "model/Contract.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

/// The result of all evidence for each clause and slice, about all responses that will be served.
namespace tikc::gate {

/// The error, and what is taken as given.
struct Terms {
  double alpha = 0.01;                  // of the stage, divided among all requirements
  double shared = 1;                    // responses to one prompt, which may be all alike
  std::optional<double> rowsOfOne;      // at most so many rows of one response; empty if unknown
  std::map<std::string, double> ranges; // by clause: the largest absolute value of an observation,
                                        // in the clause's unit
};

/// One comparison of a clause on a slice. Numbers are in the author's unit; for a quantile, the
/// share of observations beyond the bound.
struct GateRow {
  std::string clause, says, slice; // "*" for all slices together
  verdict outcome = verdict::undecided;
  std::optional<double> value, low, high, bound;
  std::string unit;
  std::string basis;       // what it is a mean of, or another description
  std::uint64_t units = 0; // responses
  std::uint64_t observations = 0;
  std::optional<double> needed;  // responses in total, at the values observed so far
  std::optional<double> fewest;  // responses in total, at the best values
  std::string why;               // why it is undecided
  std::string premise;           // what was taken as given
  std::optional<ReasonId> fault; // for a violated row
  bool isUpper = true;           // whether larger values are worse
  bool isShare = false;          // whether the numbers are shares beyond a quantile's bound
  /// For a mean, the sums that it is computed from; accepted runs keep them, too.
  std::optional<measure::UnitSums> sums;
  MeanReading reading;
};

/// Returns "0.062 in [0.055, 0.071], against 0.05 nat".
std::string figureText(const GateRow& row);

struct Judgement {
  std::vector<GateRow> rows;
  std::vector<std::string> unasked; // clauses that recorded data cannot decide
  double alpha = 0;                 // of each row
  std::uint64_t tokens = 0, responses = 0;
  std::optional<double> first, last; // in seconds
  bool isUndated = false;            // some or all data have no times
};

/// Fails if a tally does not match the contract.
llvm::Expected<Judgement> judgedOf(const measure::MeasuredPlan& subject,
                                   const model::Contract& contract,
                                   const measure::Evidence& evidence, const Terms& terms);

} // namespace tikc::gate
