#pragma once

#include "driver/ComparedSides.h"
#include "driver/DiffSides.h"

#include <vector>

namespace tikc::driver {

/// The rest of a repository, outside the compared paths. A contract without a partner may have
/// moved from or to there.
class Elsewhere {
public:
  Elsewhere(SourceManager& sources, const Limits& limits)
      : oldSide_(sources, limits), newSide_(sources, limits), sources_(sources) {}

  /// Reads and checks files that differ between the sides or are missing on one. Sides whose
  /// operands have no path cover the whole repository.
  llvm::Error read(const SidesRequest& request, const DiffSide& oldSide, const DiffSide& newSide,
                   const DiffOperand& old, const DiffOperand& fresh);

  /// Return the contracts that the sides themselves do not have.
  std::vector<DiffSide::Entry> oldOnes() const { return beside(oldSide_.contracts(), knownOld_); }
  std::vector<DiffSide::Entry> newOnes() const { return beside(newSide_.contracts(), knownNew_); }
  std::vector<DiffSide::Entry> newBases() const { return beside(newSide_.bases(), knownNew_); }

private:
  using Files = std::map<std::string, FileId>;
  static std::vector<DiffSide::Entry> beside(std::vector<DiffSide::Entry> held, const Files& known);
  std::set<std::string> changedPlaces() const;

  DiffSide oldSide_, newSide_;
  const SourceManager& sources_;
  Files knownOld_, knownNew_;
};

} // namespace tikc::driver
