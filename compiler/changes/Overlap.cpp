#include "changes/Overlap.h"

#include "model/Meaning.h"

#include <algorithm>

namespace tikc::changes {
namespace {

/// Beyond so many pairs of slices nothing is asked of any.
constexpr std::size_t mostPairs = 4096;

bool isWhole(const model::Contract& contract) {
  return std::all_of(contract.slices.begin(), contract.slices.end(),
                     [](const model::Slice& slice) { return slice.when.has_value(); });
}

std::string whenText(const model::Slice& slice) {
  return slice.when ? model::print(model::canonical(*slice.when)) : std::string();
}

std::optional<Rational> share(const std::optional<model::Amount>& weight) {
  return weight ? std::optional(weight->scaled()) : std::nullopt;
}

bool isSamePartition(const model::Contract& old, const model::Contract& fresh) {
  return std::equal(old.slices.begin(), old.slices.end(), fresh.slices.begin(), fresh.slices.end(),
                    [](const model::Slice& a, const model::Slice& b) {
                      return a.when && b.when && whenText(a) == whenText(b);
                    });
}

bool hasShares(const model::Contract& contract) {
  return std::any_of(contract.slices.begin(), contract.slices.end(),
                     [](const model::Slice& slice) { return slice.weight || slice.tokenWeight; });
}

bool declaresSameShares(const model::Contract& old, const model::Contract& fresh) {
  return std::equal(old.slices.begin(), old.slices.end(), fresh.slices.begin(), fresh.slices.end(),
                    [](const model::Slice& a, const model::Slice& b) {
                      return share(a.weight) == share(b.weight) &&
                             share(a.tokenWeight) == share(b.tokenWeight);
                    });
}

/// The slices in their order, then the remainder.
std::vector<logic::Region> regionsOf(const logic::Space& space, const model::Contract& contract) {
  std::vector<logic::Region> out;
  logic::Region rest = space.all();
  for (const model::Slice& slice : contract.slices) {
    logic::Region taken = space.of(*slice.when);
    out.push_back(space.common(rest, taken));
    rest = space.without(rest, taken);
  }
  out.push_back(std::move(rest));
  return out;
}

/// A label may have a value in one edition alone, and a request of it is in some slice of each.
logic::Space spaceOf(const model::Contract& old, const model::Contract& fresh) {
  std::vector<model::Label> labels = old.labels;
  labels.insert(labels.end(), fresh.labels.begin(), fresh.labels.end());
  std::vector<const model::Expr*> predicates;
  for (const model::Contract* each : {&old, &fresh})
    for (const model::Slice& slice : each->slices)
      predicates.push_back(&*slice.when);
  return {labels, predicates};
}

std::vector<Decided> meetingsOf(const model::Contract& old, const model::Contract& fresh) {
  std::size_t rows = old.slices.size() + 1, columns = fresh.slices.size() + 1;
  std::vector<Decided> out(rows * columns, Decided::Unknown);
  if (rows * columns > mostPairs || !isWhole(old) || !isWhole(fresh))
    return out;
  logic::Space space = spaceOf(old, fresh);
  std::vector<logic::Region> before = regionsOf(space, old), after = regionsOf(space, fresh);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) {
      Decided isEmpty = space.common(before[i], after[j]).isEmpty();
      out[i * columns + j] = isEmpty == Decided::Unknown ? isEmpty
                             : isEmpty == Decided::Yes   ? Decided::No
                                                         : Decided::Yes;
    }
  return out;
}

} // namespace

Overlap::Overlap(const model::Contract& old, const model::Contract& fresh)
    : oldCount_(old.slices.size() + 1), newCount_(fresh.slices.size() + 1) {
  hasSameSlices_ = isSamePartition(old, fresh);
  if (!hasSameSlices_) {
    meets_ = meetingsOf(old, fresh);
    hasSameSlices_ = isEachItsLike();
  } else {
    meets_.assign(oldCount_ * newCount_, Decided::No);
    for (std::size_t i = 0; i < oldCount_; ++i)
      meets_[i * newCount_ + i] = Decided::Yes;
  }
  hasSameShares_ =
      hasSameSlices_ ? declaresSameShares(old, fresh) : !hasShares(old) && !hasShares(fresh);
  isUnchanged_ = hasSameSlices_ && declaresSameShares(old, fresh);
}

bool Overlap::isEachItsLike() const {
  bool isLike = oldCount_ == newCount_;
  for (std::size_t i = 0; i < oldCount_ && isLike; ++i)
    isLike = isSame(i, i);
  return isLike;
}

bool Overlap::isNewWithin(std::size_t fresh, std::size_t old) const {
  for (std::size_t i = 0; i < oldCount_; ++i)
    if (i != old && meet(i, fresh) != Decided::No)
      return false;
  return true;
}

bool Overlap::isOldWithin(std::size_t old, std::size_t fresh) const {
  for (std::size_t j = 0; j < newCount_; ++j)
    if (j != fresh && meet(old, j) != Decided::No)
      return false;
  return true;
}

Overlap Overlap::turned() const {
  Overlap out;
  out.oldCount_ = newCount_;
  out.newCount_ = oldCount_;
  out.meets_.resize(meets_.size());
  for (std::size_t i = 0; i < oldCount_; ++i)
    for (std::size_t j = 0; j < newCount_; ++j)
      out.meets_[j * oldCount_ + i] = meet(i, j);
  out.hasSameSlices_ = hasSameSlices_;
  out.isUnchanged_ = isUnchanged_;
  out.hasSameShares_ = hasSameShares_;
  return out;
}

std::string_view sliceName(const model::Contract& contract, std::size_t slice) {
  return slice < contract.slices.size() ? std::string_view(contract.slices[slice].name.text)
                                        : std::string_view("other");
}

} // namespace tikc::changes
