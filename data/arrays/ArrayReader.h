#pragma once

#include "data/Source.h"
#include "data/arrays/Array.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>

namespace tikc::data {

inline std::uint64_t countOf(const Array& array) {
  return array.bytes.size() / bytesOf(array.type);
}

/// Which arrays a layout means, and how many responses or rows there are.
class ArrayPlan {
public:
  ArrayPlan(const std::vector<Array>& arrays, const Layout& layout) : layout_(layout) {
    for (const Binding& binding : layout.bindings)
      bound_.push_back(arrayOf(arrays, binding));
    main_ = of(Role::InferRows);
    isOfRows_ = main_ != nullptr && of(Role::TrainRows) != nullptr;
    if (!isOfRows_)
      main_ = of(Role::Infer)   ? of(Role::Infer)
              : of(Role::Train) ? of(Role::Train)
                                : of(Role::Side);
    for (Role role : {Role::Train, Role::Infer, Role::TrainRows, Role::InferRows})
      if (layout.find(role) && !of(role))
        fault_ =
            fmt::format("there is no array {}", utf8::ticked(layout.find(role)->paths.front()));
    if (main_ && fault_.empty())
      measure();
  }

  bool isOfRows() const { return isOfRows_; }
  std::uint64_t rows() const { return main_ && fault_.empty() ? rows_ : 0; }
  std::uint64_t width() const { return width_; }
  const std::string& fault() const { return fault_; }
  const Array* main() const { return main_; }
  const Array* of(Role role) const {
    for (std::size_t i = 0; i < bound_.size(); ++i)
      if (layout_.bindings[i].role == role)
        return bound_[i];
    return nullptr;
  }
  const Array* bound(std::size_t binding) const { return bound_[binding]; }
  std::uint64_t bytesOfRow() const {
    return std::max<std::uint64_t>(1, width_ * bytesOf(main_->type));
  }

private:
  static const Array* arrayOf(const std::vector<Array>& arrays, const Binding& binding) {
    for (const std::string& path : binding.paths)
      for (const Array& array : arrays)
        if (array.name == path)
          return &array;
    return nullptr;
  }
  static std::uint64_t product(const Array& array, std::size_t axes) {
    std::uint64_t out = 1;
    for (std::size_t i = 0; i < axes; ++i)
      out *= array.shape[i];
    return out;
  }
  void measure() {
    const std::size_t axes = main_->shape.size();
    if (isOfRows_ ? axes < 2 : (axes == 0 || axes > 2)) {
      fault_ = fmt::format("{} is {}, and {} is expected", utf8::ticked(main_->name),
                           shapeWords(main_->shape),
                           isOfRows_ ? "[…, vocabulary]" : "[tokens] or [responses, tokens]");
      return;
    }
    rows_ = isOfRows_ || axes == 2 ? product(*main_, axes - 1) : 1;
    width_ = main_->shape.back();
    for (Role role : {Role::Train, Role::TrainRows, Role::Mask})
      if (const Array* const array = of(role); array && !fits(*array, role))
        fault_ = fmt::format("{} is {}, and {} is {}", utf8::ticked(array->name),
                             shapeWords(array->shape), utf8::ticked(main_->name),
                             shapeWords(main_->shape));
    for (Role role : {Role::Train, Role::Infer, Role::TrainRows, Role::InferRows})
      if (const Array* const array = of(role); array && !isFloating(array->type))
        fault_ = fmt::format("{} is of {}, and log-probs and logits are floats",
                             utf8::ticked(array->name), nameOf(array->type));
  }
  bool fits(const Array& array, Role role) const {
    const std::uint64_t wanted = isOfRows_ && role != Role::TrainRows ? rows_ : rows_ * width_;
    return countOf(array) == wanted &&
           (array.shape.empty() || main_->shape.empty() || role == Role::Mask ||
            array.shape.back() == main_->shape.back());
  }

  const Layout& layout_;
  std::vector<const Array*> bound_;
  const Array* main_ = nullptr;
  bool isOfRows_ = false;
  std::uint64_t rows_ = 0, width_ = 0;
  std::string fault_;
};

/// Reads the responses, or the rows, from one to another. What is of them is placed in `file`, a
/// name that outlives the reader, as `Input`s do.
std::unique_ptr<PieceReader> arrayReader(std::string_view file, const ArrayPlan& plan,
                                         const Layout& layout, const DataLimits& limits,
                                         std::uint64_t begin, std::uint64_t end);

} // namespace tikc::data
