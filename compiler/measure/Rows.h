#pragma once

#include "measure/Measurement.h"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tikc::measure {

/// An observation that stands out, and where it is in the data.
struct Offender {
  double value = 0;
  std::string place; // "rank0.jsonl:12, token 34", "rows.npz, row 5"
};

/// What the data say of one comparison of a clause, on one slice. Numbers are in the unit that the
/// contract's author chose.
struct Row {
  std::string clause, says;
  std::string slice; // "*": of all slices together
  verdict is = verdict::undecided;
  std::optional<double> value, low, high; // of the window that is shown
  std::optional<double> bound;            // the one that is nearest to the value
  std::string unit;
  std::uint64_t observations = 0;
  std::uint64_t satisfied = 0, violated = 0, undecided = 0; // windows
  std::uint64_t open = 0; // observations in a window that had not ended when the data did
  std::string why;        // of undecided: what is missing
  std::vector<Offender> worst;
  std::size_t check = 0, sliceAt = 0; // in the plan
};

/// What the data say of something that the contract takes as given.
struct AssumptionRow {
  std::string key, says;
  assumption_state is = assumption_state::unwatched;
  std::optional<double> least, greatest; // that were seen
  std::optional<double> low, high;       // where they are to lie
  std::uint64_t observations = 0;
  std::uint64_t numberless = 0;  // of these, what is no number
  std::optional<double> outside; // the share that may be so, with 95% confidence
  std::vector<Offender> worst;
  std::vector<std::string> claims; // that rest on it
};

/// What follows for a comparison of a claim from what was observed.
struct ObservedBound {
  bool isLower = false;
  std::optional<double> bound; // in the unit that the claim's author chose
  std::string unit, slice;
  std::optional<double> confidence; // in a window; of each bound
  std::vector<std::string> from;    // clauses
  std::uint64_t unjudged = 0;       // observations of one of them in a window that did not end
  bool isBeyond = false;            // it is no longer what is claimed
  std::string why;                  // there is no bound
};

/// A clause that a claim's proof rests on, on one of the slices that the proof uses.
struct ClaimGround {
  std::string clause, says;
  std::string slice;               // "*": of all slices together
  verdict is = verdict::undecided; // unasked: the clause was left out of the measurement
};

struct ClaimRow {
  std::string claim, says;
  claim_state is = claim_state::not_shown;
  bool isProved = false; // by the contract, whatever the data say
  std::vector<ClaimGround> grounds;
  std::vector<std::string> broken;     // assumptions that it rests on
  std::vector<std::string> trusted;    // of these, the ones that nothing watches
  std::vector<std::string> settings;   // that the data have otherwise than the contract
  bool isOfDisprovedLogs = false;      // it rests on log-probs, and the data disprove them
  std::vector<ObservedBound> observed; // of what is suspended none
};

/// Whether the data's log-probs are not those that the tokens were drawn with.
bool areLogsDisproved(const MeasuredPlan& measured, const Measurement& of);
std::vector<AssumptionRow> assumptionRowsOf(const MeasuredPlan& measured, const Measurement& of);
/// By the rows of the clauses that were judged.
std::vector<ClaimRow> claimRowsOf(const MeasuredPlan& measured, const Measurement& of,
                                  std::span<const Row> rows);

/// By clause, then by slice, as the contract has them; of the clauses that are named, or of all.
/// Slices that are asked for nothing and got nothing are left out, and so is what is of sampling.
std::vector<Row> rowsOf(const MeasuredPlan& measured, const Measurement& of,
                        std::span<const std::string> clauses);

/// What is asked of a check on a slice, before anything is known of it.
Row blankRow(const MeasuredPlan& measured, std::size_t clause, std::size_t check,
             std::size_t slice);
/// Of the named clauses, or of all: each check with each slice that it is asked of.
void eachAsked(
    const MeasuredPlan& measured, std::span<const std::string> clauses,
    llvm::function_ref<void(std::size_t clause, std::size_t check, std::size_t slice)> visit);
/// In the author's unit.
std::optional<double> nearestBound(const plan::Check& check, double value);

/// Whether a clause is about how much of what is served is observed, which recorded data do not
/// tell.
bool isOfSampling(const plan::Plan& plan, std::size_t clause);

/// Empty of a check that is about the pair that was measured, or about none.
std::string whyOfAnotherPair(const MeasuredPlan& measured, const plan::Check& check);

/// Where in the data an observation is.
Offender placed(const tikc::offender& from, plan::StreamSource source, double unit,
                const Measurement& of);

/// Violated if one is, else undecided if one is, or if nothing was asked.
verdict verdictOf(const std::vector<Row>& rows);

} // namespace tikc::measure
