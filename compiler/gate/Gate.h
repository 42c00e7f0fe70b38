#pragma once

#include "gate/Judged.h"
#include "gate/State.h"

#include <optional>
#include <string>
#include <vector>

/// The request of whether a kernel may enter the next stage.
namespace tikc::gate {

struct GateRequest {
  const measure::MeasuredPlan& subject;
  const model::Contract& contract;
  std::string stage;            // of the contract
  double now = 0;               // seconds since 1970
  std::optional<double> maxAge; // in seconds; by default the stage's window, if it is a duration
  Terms terms;                  // alpha comes from the stage
};

/// A number that the stage requires.
struct Quota {
  std::string what; // "tokens", "responses", "seconds"
  double has = 0, wants = 0;
};

/// Something that is missing, and when it is complete at the present rate.
struct Missing {
  std::string what;
  std::optional<double> seconds; // after the last observation
};

struct GateReport {
  const GateRequest& request;
  GateOutcome outcome = GateOutcome::Hold;
  std::vector<Reason> reasons{};
  std::vector<GateRow> rows{};
  std::vector<Quota> quotas{};
  std::vector<Missing> missing{};
  double confidence = 0.99, alpha = 0; // of the stage; and the share of the error for each row
  std::uint64_t attempt = 1;
  std::size_t pieces = 0; // judged
  std::uint64_t tokens = 0, responses = 0;
  std::optional<double> first{}, last{}; // in seconds, if all data have times
  bool isPartlyDated = false;            // only some data have times
  std::optional<double> repeats{};       // when it was decided, if this is not a new decision
  std::string goesTo{};                  // the next stage, or the stage that the kernel returns to
  GateDecision decided{};                // for the state
};

/// Returns "35 min", "2.5 h".
std::string durationText(double seconds);

/// Returns the contract's stages in order.
std::vector<std::string> stagesOf(const model::Contract& contract);

/// Returns the report. Without `evidence`, it lists what the stage needs. Fails if a tally does not
/// match the evidence.
llvm::Expected<GateReport> gateReport(const GateRequest& request, const measure::Evidence* evidence,
                                      const GateState& state);

/// Adds a report to the state if it is a new decision.
void keep(const GateReport& report, GateState& state);

/// Returns a run that a person accepts. Rows without an interval are left out.
llvm::Expected<AcceptedRun> acceptedRun(const GateRequest& request,
                                        const measure::Evidence& evidence, std::string by,
                                        std::string because);

} // namespace tikc::gate
