#pragma once

#include "driver/ComparedSides.h"
#include "driver/DiffSides.h"

#include <vector>

namespace tikc::driver {

/// All that a repository has beside what is compared with one of its revisions: what has no partner
/// there may have moved, from here or to here.
class Elsewhere {
public:
  Elsewhere(SourceManager& sources, const Limits& limits)
      : was_(sources, limits), is_(sources, limits), sources_(sources) {}

  /// Reads and checks those files which are others on both sides, or which one of them lacks. The
  /// sides are of the whole repository where their operands name no path.
  llvm::Error read(const SidesAsked& asked, const DiffSide& was, const DiffSide& is,
                   const DiffOperand& old, const DiffOperand& fresh);

  /// What the sides themselves lack.
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
