#pragma once

#include "measure/Evidence.h"

#include <functional>

namespace tikc::measure {

/// Evidence in the order in which it is judged: of a run that of its data, and of several runs the
/// earlier step or time first; what has neither comes run after run, by the names of their files.
class EvidenceOrder {
public:
  /// Where steps are judged they go before times.
  EvidenceOrder(const Evidence& evidence, bool isBySteps);

  /// The pieces in the order of runs, which numbers them: ties go to the smaller number.
  const std::vector<const EvidencePiece*>& pieces() const { return pieces_; }

  using Take = std::function<llvm::Error(std::size_t piece, const EvidenceFragment&)>;
  llvm::Error each(const Take& take) const;

private:
  bool isBySteps_;
  std::vector<const EvidencePiece*> pieces_;
  std::vector<std::size_t> runs_; // where each begins, and the end
};

} // namespace tikc::measure
