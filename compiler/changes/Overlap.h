#pragma once

#include "logic/Requests.h"
#include "model/Contract.h"

#include <vector>

namespace tikc::changes {

using logic::Decided;

/// Which slices of two editions share a request. Slices are a partition: the first match takes the
/// request, and the rest comes last.
class Overlap {
public:
  Overlap(const model::Contract& old, const model::Contract& fresh);

  std::size_t oldCount() const { return oldCount_; }
  std::size_t newCount() const { return newCount_; }
  Decided meet(std::size_t old, std::size_t fresh) const { return meets_[old * newCount_ + fresh]; }
  /// Whether every request of the new slice is certainly in the old one, and the reverse.
  bool isNewWithin(std::size_t fresh, std::size_t old) const;
  bool isOldWithin(std::size_t old, std::size_t fresh) const;
  bool isSame(std::size_t old, std::size_t fresh) const {
    return isNewWithin(fresh, old) && isOldWithin(old, fresh);
  }
  /// Whether both editions have equal slices in equal order.
  bool hasSameSlices() const { return hasSameSlices_; }
  /// Whether both editions have equal slices in equal order, with equal declared shares.
  bool isUnchanged() const { return isUnchanged_; }
  /// Whether the declared shares of requests and tokens are equal, or both absent.
  bool hasSameShares() const { return hasSameShares_; }

  /// Returns the overlap with old and new exchanged.
  Overlap turned() const;

private:
  Overlap() = default;
  bool isEachItsLike() const;

  std::size_t oldCount_ = 1, newCount_ = 1;
  std::vector<Decided> meets_;
  bool hasSameSlices_ = false, isUnchanged_ = false, hasSameShares_ = false;
};

/// Returns "math", or "other" for the rest.
std::string_view sliceName(const model::Contract& contract, std::size_t slice);

} // namespace tikc::changes
