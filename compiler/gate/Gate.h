#pragma once

#include "gate/Judged.h"
#include "gate/State.h"

#include <optional>
#include <string>
#include <vector>

/// Whether a kernel may go on to the next stage.
namespace tikc::gate {

struct GateAsked {
  const measure::MeasuredPlan& subject;
  const model::Contract& contract;
  std::string stage;            // one of the contract's
  double now = 0;               // seconds since 1970
  std::optional<double> maxAge; // seconds; by default the stage's window, where it is of time
  Terms terms;                  // but for alpha, which is the stage's
};

/// Something that the stage asks for by number.
struct Quota {
  std::string what; // "tokens", "responses", "seconds"
  double has = 0, wants = 0;
};

/// What is missing, and when it is there if all goes on as it did.
struct Missing {
  std::string what;
  std::optional<double> seconds; // from the last observation on
};

struct GateReport {
  const GateAsked& asked;
  GateOutcome outcome = GateOutcome::Hold;
  std::vector<Reason> reasons{};
  std::vector<GateRow> rows{};
  std::vector<Quota> quotas{};
  std::vector<Missing> missing{};
  double confidence = 0.99, alpha = 0; // of the stage, and what each row has of the error
  std::uint64_t attempt = 1;
  std::size_t pieces = 0; // that were judged
  std::uint64_t tokens = 0, responses = 0;
  std::optional<double> first{}, last{}; // seconds
  std::optional<double> repeats{};       // it was decided then, and is no new decision
  std::string goesTo{};                  // the stage that follows, or that it goes back to
  GateDecision decided{};                // as the state keeps it
};

/// "35 min", "2.5 h"
std::string durationText(double seconds);

/// The contract's stages in their order.
std::vector<std::string> stagesOf(const model::Contract& contract);

/// `evidence` may be none: then it is told what it takes. An error where a tally cannot be what its
/// evidence says.
llvm::Expected<GateReport> gateReport(const GateAsked& asked, const measure::Evidence* evidence,
                                      const GateState& state);

/// Puts a report into the state, unless it is no new decision.
void keep(const GateReport& report, GateState& state);

/// A run that somebody answers for. Nothing of its rows that has no interval.
llvm::Expected<AcceptedRun> acceptedRun(const GateAsked& asked, const measure::Evidence& evidence,
                                        std::string by, std::string because);

} // namespace tikc::gate
