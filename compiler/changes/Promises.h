#pragma once

#include "changes/Overlap.h"
#include "order/Order.h"

#include <span>
#include <string>
#include <vector>

namespace tikc::changes {

using Statements = std::vector<const model::Statement*>;

/// Whether the statements of one edition imply those of another, slice by slice. For the way back
/// editions and overlap are exchanged.
class Implication {
public:
  Implication(const model::Contract& was, const model::Contract& is, const Overlap& overlap,
              order::Stands stands);

  /// Whether whoever keeps `strong`, of the new edition, keeps all of `weak`, of the old one.
  bool holds(const Statements& strong, const model::Statement& weak);

  /// Where the last that did not hold failed: "on math"; empty where nothing was said of it at all.
  const std::string& gap() const { return gap_; }
  /// So many pairs of bounds that the rest was not held to one another.
  bool isCutOff() const { return effort_ == 0; }

  /// Whether a bound's window is one in both editions, where what it promises depends on it.
  bool hasSameWindow(const model::Bound& bound) const;
  /// Whether the windows of a bound of the new edition are those of one of the old edition, or
  /// parts of them, where that matters. A longer window is looser: a mean, a quantile or a share
  /// over it hides the part that is bad. A bound on each value hides nothing.
  bool isWindowWithin(const model::Bound& is, const model::Bound& was) const;

  /// Of what a statement is, but for its bounds: which places of the chain it compares, who drew.
  /// Nothing where the editions' chains are of different lengths, and it is not about their ends.
  static std::string standpoint(const model::Contract& contract, const model::Statement& of);

private:
  /// A bound, and what it says of parts of what it is about, and of wholes of such parts.
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
  bool binds(const Bounds& said, const Reach& bound, const Region& region) const;
  bool bindsSlice(const Reach& said, const Reach& bound, const Region& region,
                  std::size_t slice) const;
  bool bindsAll(const Reach& said, const Reach& bound, const Region& region) const;
  std::vector<Region> regionsOf(const model::Bound& bound) const;
  bool cutsWithin(const model::Bound& bound) const;
  bool implies(const model::Bound& strong, const model::Bound& weak);

  const model::Contract& was_;
  const model::Contract& is_;
  const Overlap& overlap_;
  order::Stands stands_;
  bool slicesCutResponses_;
  bool hasSameWindows_;
  std::size_t effort_;
  std::string gap_;
};

/// Whether the scope of a bound has the slice.
bool isBound(const model::Contract& contract, const model::Scope& scope, std::size_t slice);

} // namespace tikc::changes
