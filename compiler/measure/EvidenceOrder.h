#pragma once

#include "measure/Evidence.h"

#include <functional>

namespace tikc::measure {

/// The order in which evidence is judged. Pieces of one run keep the order of its data. Several
/// runs are merged by step or time; runs without either follow one another, by the names of their
/// files.
class EvidenceOrder {
public:
  /// With `isBySteps`, steps count before times.
  EvidenceOrder(const Evidence& evidence, bool isBySteps);

  /// Returns the pieces run by run; their indices number them, and the smaller index wins ties.
  const std::vector<const EvidencePiece*>& pieces() const { return pieces_; }

  using Take = std::function<llvm::Error(std::size_t piece, const EvidenceFragment&)>;
  llvm::Error each(const Take& take) const;

private:
  bool isBySteps_;
  std::vector<const EvidencePiece*> pieces_;
  std::vector<std::size_t> runs_; // the index at which each run begins, then the end
};

} // namespace tikc::measure
