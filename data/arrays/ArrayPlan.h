#pragma once

#include "data/arrays/Array.h"
#include "data/pairing/Layout.h"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

namespace tikc::data {

/// Finds the arrays that a layout selects, and the number of records: responses, or whole rows.
class ArrayPlan {
public:
  ArrayPlan(const std::vector<Array>& arrays, const Layout& layout);

  bool isOfRows() const { return isOfRows_; }
  std::uint64_t rows() const { return main_ && fault_.empty() ? rows_ : 0; }
  std::uint64_t width() const { return width_; }
  /// The number of consecutive rows of a response; 0 if the shape does not show it.
  std::uint64_t places() const { return places_; }
  /// A fault of an array, which prevents reading any of them.
  const std::string& fault() const { return fault_; }
  const Array* main() const { return main_; }
  const Array* of(Role role) const;
  const Array* bound(std::size_t binding) const { return bound_[binding]; }
  /// Masks under other names, which must equal the mask that is read.
  std::span<const Array* const> otherMasks() const { return otherMasks_; }
  /// Returns the number of equal consecutive parts of an array: one per record, one per response,
  /// or a single one. Returns 0 if the array has none of these shapes.
  std::uint64_t partsOf(const Array& array) const;
  std::uint64_t bytesOfRow() const {
    return std::max<std::uint64_t>(1, width_ * bytesOf(main_->type));
  }

private:
  void measure();
  std::uint64_t responses() const { return places_ == 0 ? rows_ : rows_ / places_; }
  /// Returns why an array cannot have a role, or nothing.
  std::string whyNot(const Array& array, Role role) const;
  bool fitsSide(const Array& array) const;
  bool fitsPlaces(const Array& array) const;
  bool fitsIds(const Array& array) const;
  bool fitsRecords(const Array& array, Role role) const;
  std::string besideMain(const Array& array) const;

  const Layout& layout_;
  std::vector<const Array*> bound_, otherMasks_;
  const Array* main_ = nullptr;
  bool isOfRows_ = false;
  std::uint64_t rows_ = 0, width_ = 0, places_ = 0;
  std::string fault_;
};

} // namespace tikc::data
