#pragma once

#include "logic/Requests.h"

#include <optional>
#include <vector>

namespace tikc::logic {

/// A slice's requests, and the requests that earlier slices leave to it.
struct SlicePart {
  const model::Slice* slice;
  Region region, own;
};

/// The slices of a contract. A request belongs to the first slice that matches.
class Partition {
public:
  /// Returns nothing if a predicate uses an undeclared name: the content of a misspelt section is
  /// unknown.
  static std::optional<Partition> of(const model::Contract& contract);

  const Space& space() const { return space_; }
  /// The slices with a condition, in order.
  const std::vector<SlicePart>& parts() const { return parts_; }
  /// The requests that no slice matches.
  const Region& rest() const { return rest_; }
  /// Returns the earlier slices that take some of a part's requests.
  std::vector<const model::Slice*> takersOf(const SlicePart& part) const;

private:
  explicit Partition(Space space) : space_(std::move(space)), rest_(space_.all()) {}

  Space space_;
  std::vector<SlicePart> parts_;
  Region rest_;
};

} // namespace tikc::logic
