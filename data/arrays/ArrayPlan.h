#pragma once

#include "data/arrays/Array.h"
#include "data/pairing/Layout.h"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

namespace tikc::data {

/// Which arrays a layout means, and how many responses or rows there are. Records are responses, or
/// whole rows.
class ArrayPlan {
public:
  ArrayPlan(const std::vector<Array>& arrays, const Layout& layout);

  bool isOfRows() const { return isOfRows_; }
  std::uint64_t rows() const { return main_ && fault_.empty() ? rows_ : 0; }
  std::uint64_t width() const { return width_; }
  /// Rows of a response, one after the other; 0 where the shape does not say which are of one.
  std::uint64_t places() const { return places_; }
  /// What is wrong with an array, so that nothing of any is read.
  const std::string& fault() const { return fault_; }
  const Array* main() const { return main_; }
  const Array* of(Role role) const;
  const Array* bound(std::size_t binding) const { return bound_[binding]; }
  /// Masks under other names, which have to say the same as the one that is read.
  std::span<const Array* const> otherMasks() const { return otherMasks_; }
  /// Of how many equal parts, one after the other, an array is: one for each record, for each
  /// response, or one of all; 0 where it is of none of these.
  std::uint64_t partsOf(const Array& array) const;
  std::uint64_t bytesOfRow() const {
    return std::max<std::uint64_t>(1, width_ * bytesOf(main_->type));
  }

private:
  void measure();
  std::uint64_t responses() const { return places_ == 0 ? rows_ : rows_ / places_; }
  /// Why an array cannot be what it is bound as; empty where it can.
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
