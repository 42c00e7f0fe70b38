#pragma once

#include "audit/Meaning.h"
#include "diag/Sink.h"
#include "model/Contract.h"
#include "report/Report.h"
#include "support/Limits.h"
#include "support/Source.h"

#include <optional>
#include <vector>

/// Gates and settings that people have already, judged: which can never fire, which see half of
/// what they should, what passes them, and what a correction takes away.
namespace tikc::audit {

/// What corrections are judged at.
struct Circumstances {
  double noise = 0.012; // the mean size of a token's log-ratio
  double horizon = 4096;
  bool isHorizonSaid = false; // else a length that a file sets is taken
};

struct AuditedFile {
  std::vector<report::JudgedGate> judged;
  std::vector<MeantClause> clauses; // what its gates say, as far as a contract can
  std::size_t compared = 0;         // settings that the contract states, too
};

class Auditor {
public:
  Auditor(const SourceManager& sources, const Limits& limits, Circumstances circumstances)
      : sources_(sources), limits_(limits), circumstances_(circumstances), meanings_(limits) {}

  /// Settings are compared with what the contract says of the same.
  void compareWith(const model::Contract& contract) { contract_ = &contract; }
  /// Findings go to the sink.
  AuditedFile audit(FileId file, diag::Sink& sink);

private:
  const SourceManager& sources_;
  const Limits& limits_;
  Circumstances circumstances_;
  const model::Contract* contract_ = nullptr;
  Meanings meanings_;
};

} // namespace tikc::audit
