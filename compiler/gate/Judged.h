#pragma once

#include "gate/Decision.h"
#include "gate/Means.h"
#include "measure/Evidence.h"
#include "model/Contract.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

/// What evidence as a whole says of each clause on each slice, for all that will be served.
namespace tikc::gate {

/// How sure of what, and what is taken as given for it.
struct Terms {
  double alpha = 0.01;                  // of the stage, shared among all that is asked
  double shared = 1;                    // responses to one prompt, which may be all alike
  std::optional<double> rowsOfOne;      // rows of one response at most; nothing: not known
  std::map<std::string, double> ranges; // by clause: no observation is further from 0, in its unit
};

/// One comparison of a clause on a slice. Numbers are in the author's unit, of a quantile the share
/// of observations beyond the bound.
struct GateRow {
  std::string clause, says, slice; // "*": of all slices together
  verdict is = verdict::undecided;
  std::optional<double> value, low, high, bound;
  std::string unit;
  std::string of;          // what it is a mean of, or what else it is
  std::uint64_t units = 0; // responses
  std::uint64_t observations = 0;
  std::optional<double> needed;  // responses in all, at what was observed so far
  std::string why;               // it is undecided
  std::string given;             // what was taken as given
  std::optional<ReasonId> fault; // of what is violated
  bool isUpper = true;           // the worse is larger
  /// Of a mean: what it is read off, for accepted runs are read alike.
  std::optional<measure::UnitSums> sums;
  MeanReading reading;
};

/// "0.062 in [0.055, 0.071], against 0.05 nat"
std::string figureText(const GateRow& row);

struct Judged {
  std::vector<GateRow> rows;
  std::vector<std::string> unasked; // clauses that recorded data are not asked for
  double alpha = 0;                 // of each row
  std::uint64_t tokens = 0, responses = 0;
  std::optional<double> first, last; // seconds
};

/// An error where a tally is none of this contract.
llvm::Expected<Judged> judgedOf(const measure::MeasuredPlan& subject,
                                const model::Contract& contract, const measure::Evidence& evidence,
                                const Terms& terms);

} // namespace tikc::gate
