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
      : was_(sources, limits), is_(sources, limits), sources_(sources) {}

  /// Reads and checks files that differ between the sides or are missing on one. Sides whose
  /// operands have no path cover the whole repository.
  llvm::Error read(const SidesAsked& asked, const DiffSide& was, const DiffSide& is,
                   const DiffOperand& old, const DiffOperand& fresh);

  /// Return the contracts that the sides themselves do not have.
  std::vector<DiffSide::Held> oldOnes() const { return beside(was_.contracts(), knownOld_); }
  std::vector<DiffSide::Held> newOnes() const { return beside(is_.contracts(), knownNew_); }
  std::vector<DiffSide::Held> newBases() const { return beside(is_.bases(), knownNew_); }

private:
  using Files = std::map<std::string, FileId>;
  static std::vector<DiffSide::Held> beside(std::vector<DiffSide::Held> held, const Files& known);
  std::set<std::string> changedPlaces() const;

  DiffSide was_, is_;
  const SourceManager& sources_;
  Files knownOld_, knownNew_;
};

} // namespace tikc::driver
