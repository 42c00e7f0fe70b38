#pragma once

#include "measure/Measurement.h"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tikc::measure {

/// Whether recorded log-probs and rows bring values of this source.
bool isOfStream(tikc::source source);

/// An outlier and its place in the data.
struct Offender {
  double value = 0;
  std::string place; // "rank0.jsonl:12, token 34", "rows.npz, row 5"
};

/// The result of one comparison of a clause on one slice. Numbers are in the author's unit.
struct Row {
  std::string clause, says;
  std::string slice; // "*" for all slices together
  verdict outcome = verdict::undecided;
  std::optional<double> value, low, high; // of the displayed window
  bool isOfBucket = false;                // low and high are the ends of a quantile's bucket
  std::optional<double> bound;            // the one nearest to the value
  std::string unit;
  std::uint64_t observations = 0;
  std::uint64_t satisfied = 0, violated = 0, undecided = 0; // windows
  std::uint64_t open = 0; // observations in a window that had not ended at the end of the data
  std::string why;        // why it is undecided: what is missing
  std::vector<Offender> worst;
  std::size_t check = 0, sliceAt = 0; // in the plan
};

/// The observations of an assumption.
struct AssumptionRow {
  std::string key, says;
  assumption_state state = assumption_state::unwatched;
  std::optional<double> least, greatest; // observed
  std::optional<double> low, high;       // allowed
  std::uint64_t observations = 0;
  std::uint64_t numberless = 0;  // NaN observations among them
  std::optional<double> outside; // upper limit of the share outside, with 95% confidence
  std::vector<Offender> worst;
  std::vector<std::string> claims; // that rest on the assumption
};

/// The bound of a claim's comparison at the observed values.
struct ObservedBound {
  bool isLower = false;
  std::optional<double> bound; // in the author's unit
  std::string unit, slice;
  std::optional<double> confidence; // in a window, for each bound
  std::vector<std::string> from;    // the clauses it follows from
  std::uint64_t unjudged = 0;       // observations of one of them in a window that did not end
  bool isBeyond = false;            // exceeds the claim's limit
  std::string why;                  // why there is no bound
};

/// A clause on a slice that a claim's proof rests on.
struct ClaimGround {
  std::string clause, says;
  std::string slice;                    // "*" for all slices together
  verdict outcome = verdict::undecided; // unasked: the clause was not measured
};

struct ClaimRow {
  std::string claim, says;
  claim_state state = claim_state::not_shown;
  bool isProved = false; // by the contract, whatever the data
  std::vector<ClaimGround> grounds;
  std::vector<std::string> broken;     // broken assumptions that it rests on
  std::vector<std::string> trusted;    // assumptions that it rests on and nothing watches
  std::vector<std::string> settings;   // that differ between data and contract
  bool isOfDisprovedLogs = false;      // rests on log-probs that the data disprove
  std::vector<ObservedBound> observed; // empty if suspended
};

/// Whether the data disprove that the log-probs are of the distribution that was sampled.
bool areLogsDisproved(const MeasuredPlan& measured, const Measurement& measurement);
std::vector<AssumptionRow> assumptionRowsOf(const MeasuredPlan& measured,
                                            const Measurement& measurement);
/// Returns the states of the claims, from the rows of all judged clauses.
std::vector<ClaimRow> claimRowsOf(const MeasuredPlan& measured, const Measurement& measurement,
                                  std::span<const Row> rows);

/// Returns the rows of the named clauses, or of all, by clause and slice in the contract's order.
/// Slices without requirements and data are left out, and so are clauses about sampling.
std::vector<Row> rowsOf(const MeasuredPlan& measured, const Measurement& measurement,
                        std::span<const std::string> clauses);

/// Returns a row with a check's requirements on a slice, without results.
Row blankRow(const MeasuredPlan& measured, std::size_t clause, std::size_t check,
             std::size_t slice);
/// Calls `visit` with each check and slice of the named clauses, or of all.
void eachAsked(
    const MeasuredPlan& measured, std::span<const std::string> clauses,
    llvm::function_ref<void(std::size_t clause, std::size_t check, std::size_t slice)> visit);
/// Returns a value in the author's unit; nothing for NaN.
std::optional<double> known(double value, double unit);
/// Returns the bound in the author's unit.
std::optional<double> nearestBound(const plan::Check& check, double value);

/// Whether a clause is about the share of traffic that is observed, which recorded data cannot
/// show.
bool isOfSampling(const plan::Plan& plan, std::size_t clause);

/// Returns why a check of another pair is not decided; empty for the measured pair and for checks
/// without a pair.
std::string whyOfAnotherPair(const MeasuredPlan& measured, const plan::Check& check);

/// Returns the place of an observation in the data.
Offender placed(const tikc::offender& from, tikc::source source, double unit,
                const Measurement& measurement);

/// Returns violated if any row is, otherwise undecided if any row is or there are no rows,
/// otherwise satisfied.
verdict verdictOf(const std::vector<Row>& rows);

} // namespace tikc::measure
