#pragma once

#include "requests/Requests.h"

#include <optional>
#include <vector>

namespace tikc::requests {

/// What a slice asks for, and what the slices before it leave of that.
struct SlicePart {
  const model::Slice* slice;
  Region region, own;
};

/// The slices of a contract: the first that matches takes a request.
class Partition {
public:
  /// Nothing where some predicate asks for what is not declared: what a misspelt section lacks is
  /// not known.
  static std::optional<Partition> of(const model::Contract& contract);

  const Space& space() const { return space_; }
  /// Of the slices that have a condition, in their order.
  const std::vector<SlicePart>& parts() const { return parts_; }
  /// What no slice takes.
  const Region& rest() const { return rest_; }
  /// The slices before a part that take something of what it asks for.
  std::vector<const model::Slice*> takersOf(const SlicePart& part) const;

private:
  explicit Partition(Space space) : space_(std::move(space)), rest_(space_.all()) {}

  Space space_;
  std::vector<SlicePart> parts_;
  Region rest_;
};

} // namespace tikc::requests
