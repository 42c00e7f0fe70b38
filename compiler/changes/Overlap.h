#pragma once

#include "model/Contract.h"
#include "requests/Requests.h"

#include <vector>

namespace tikc::changes {

using requests::Decided;

/// Which slices of two editions share a request. Slices are partitions: the first that matches has
/// it, and the remainder is the last of each.
class Overlap {
public:
  Overlap(const model::Contract& was, const model::Contract& is);

  std::size_t oldCount() const { return oldCount_; }
  std::size_t newCount() const { return newCount_; }
  Decided meet(std::size_t was, std::size_t is) const { return meets_[was * newCount_ + is]; }
  /// For certain, each request of the new one is one of the old one, and the other way round.
  bool isNewWithin(std::size_t is, std::size_t was) const;
  bool isOldWithin(std::size_t was, std::size_t is) const;
  bool isSame(std::size_t was, std::size_t is) const {
    return isNewWithin(is, was) && isOldWithin(was, is);
  }
  /// Each slice has its like at the same place.
  bool hasSameSlices() const { return hasSameSlices_; }
  /// Each slice has its like at the same place, with the same declared shares.
  bool isUnchanged() const { return isUnchanged_; }
  /// The declared shares of requests and tokens are the same, or there are none.
  bool hasSameShares() const { return hasSameShares_; }

  /// The same with old and new exchanged.
  Overlap turned() const;

private:
  Overlap() = default;
  bool isEachItsLike() const;

  std::size_t oldCount_ = 1, newCount_ = 1;
  std::vector<Decided> meets_;
  bool hasSameSlices_ = false, isUnchanged_ = false, hasSameShares_ = false;
};

/// "math", or "other" for the remainder.
std::string_view sliceName(const model::Contract& contract, std::size_t slice);

} // namespace tikc::changes
