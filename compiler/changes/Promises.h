#pragma once

#include "changes/Overlap.h"
#include "logic/Order.h"

#include <span>
#include <string>
#include <vector>

namespace tikc::changes {

using Statements = std::vector<const model::Statement*>;

/// Whether the statements of one edition imply those of another, slice by slice. For the reverse,
/// exchange editions and overlap.
class Implication {
public:
  Implication(const model::Contract& old, const model::Contract& fresh, const Overlap& overlap,
              logic::Stands stands);

  /// Whether kernels that satisfy `strong`, of the new edition, satisfy all of `weak`, of the old
  /// one.
  bool holds(const Statements& strong, const model::Statement& weak);

  /// Returns where the last implication failed: "on math"; empty if nothing there was comparable.
  const std::string& gap() const { return gap_; }
  /// Whether there were too many pairs of bounds to compare all.
  bool isCutOff() const { return effort_ == 0; }

  /// Whether a bound has equal windows in both editions, if its promise depends on the window.
  bool hasSameWindow(const model::Bound& bound) const;
  /// Whether the windows of a new bound are equal to, or parts of, those of an old one, if that
  /// matters. A longer window is looser, because a mean, a quantile or a share over it hides bad
  /// parts. A bound on each value hides nothing.
  bool isWindowWithin(const model::Bound& fresh, const model::Bound& old) const;

  /// Returns the subject of a statement: the places in the chain that it compares, and the sampler.
  /// Empty if the chains differ in length and the statement is not about their ends.
  static std::string standpoint(const model::Contract& contract, const model::Statement& statement);

private:
  /// A bound, and whether it also binds parts of its subject, or the whole of such parts.
  struct Reach {
    const model::Bound& bound;
    bool bindsParts, bindsWhole, isCut;
  };
  using Bounds = std::vector<Reach>;
  /// A slice of the old edition, or all requests.
  struct Region {
    bool isAll = false;
    std::size_t slice = 0;
  };

  bool follows(const Statements& strong, const model::Statement& weak, const model::Bound& bound);
  bool followsAsOne(const Statements& strong, const model::Statement& weak,
                    const model::Bound& bound);
  Reach reachOf(const model::Bound& bound) const;
  bool binds(const Bounds& bounds, const Reach& bound, const Region& region) const;
  bool bindsSlice(const Reach& reach, const Reach& bound, const Region& region,
                  std::size_t slice) const;
  bool bindsAll(const Reach& reach, const Reach& bound, const Region& region) const;
  std::vector<Region> regionsOf(const model::Bound& bound) const;
  bool cutsWithin(const model::Bound& bound) const;
  bool implies(const model::Bound& strong, const model::Bound& weak);

  const model::Contract& old_;
  const model::Contract& fresh_;
  const Overlap& overlap_;
  logic::Stands stands_;
  bool slicesCutResponses_;
  bool hasSameWindows_;
  std::size_t effort_;
  std::string gap_;
};

/// Whether the scope of a bound contains the slice.
bool isBound(const model::Contract& contract, const model::Scope& scope, std::size_t slice);

} // namespace tikc::changes
