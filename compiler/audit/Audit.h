#pragma once

#include "audit/Meaning.h"
#include "diag/Sink.h"
#include "diag/report/Report.h"
#include "model/Contract.h"
#include "support/Limits.h"
#include "support/Source.h"

#include <optional>
#include <vector>

/// Judges existing gates and settings: gates that can never fire, gates that miss half of the
/// faults, drift that passes them, and what corrections remove.
namespace tikc::audit {

/// The conditions under which corrections are judged.
struct Circumstances {
  double noise = 0.012; // the mean absolute log-ratio of a token
  double horizon = 4096;
  bool isHorizonSaid = false; // otherwise a length in the file takes precedence
};

struct AuditedFile {
  std::vector<diag::JudgedGate> judged;
  std::vector<MeantClause> clauses; // the promises of its gates that a contract can state
  std::size_t compared = 0;         // settings that the contract states, too
};

class Auditor {
public:
  Auditor(const SourceManager& sources, const Limits& limits, Circumstances circumstances)
      : sources_(sources), limits_(limits), circumstances_(circumstances), meanings_(limits) {}

  /// Compares settings with the contract from now on.
  void compareWith(const model::Contract& contract) { contract_ = &contract; }
  /// Reports findings to the sink.
  AuditedFile audit(FileId file, diag::Sink& sink);

private:
  const SourceManager& sources_;
  const Limits& limits_;
  Circumstances circumstances_;
  const model::Contract* contract_ = nullptr;
  Meanings meanings_;
};

} // namespace tikc::audit
