#include "data/arrays/ArrayPlan.h"

#include "data/Fault.h"
#include "support/Utf8.h"

#include <fmt/format.h>

namespace tikc::data {
namespace {

const Array* arrayOf(const std::vector<Array>& arrays, const Binding& binding) {
  for (const std::string& path : binding.paths)
    for (const Array& array : arrays)
      if (array.name == path)
        return &array;
  return nullptr;
}

std::vector<const Array*> othersOf(const std::vector<Array>& arrays, const Binding& binding,
                                   const Array* first) {
  std::vector<const Array*> out;
  for (const std::string& path : binding.paths)
    for (const Array& array : arrays)
      if (array.name == path && &array != first)
        out.push_back(&array);
  return out;
}

std::uint64_t product(const Array& array, std::size_t axes) {
  std::uint64_t out = 1;
  for (std::size_t i = 0; i < axes; ++i)
    out *= array.shape[i];
  return out;
}

} // namespace

ArrayPlan::ArrayPlan(const std::vector<Array>& arrays, const Layout& layout) : layout_(layout) {
  for (const Binding& binding : layout.bindings) {
    bound_.push_back(arrayOf(arrays, binding));
    if (binding.mustAgree)
      otherMasks_ = othersOf(arrays, binding, bound_.back());
  }
  main_ = of(Role::InferRows);
  isOfRows_ = main_ != nullptr && of(Role::TrainRows) != nullptr;
  if (!isOfRows_)
    main_ = of(Role::Infer) ? of(Role::Infer) : of(Role::Train) ? of(Role::Train) : of(Role::Side);
  for (Role role : {Role::Train, Role::Infer, Role::TrainRows, Role::InferRows})
    if (layout.find(role) && !of(role))
      fault_ = fmt::format("array {} not found", utf8::ticked(layout.find(role)->paths.front()));
  if (main_ && fault_.empty())
    measure();
}

const Array* ArrayPlan::of(Role role) const {
  for (std::size_t i = 0; i < bound_.size(); ++i)
    if (layout_.bindings[i].role == role)
      return bound_[i];
  return nullptr;
}

void ArrayPlan::measure() {
  const std::size_t axes = main_->shape.size();
  if (isOfRows_ ? axes < 2 : (axes == 0 || axes > 2)) {
    fault_ = fmt::format("{0}: expected {2}, found {1}", utf8::ticked(main_->name),
                         shapeWords(main_->shape),
                         isOfRows_ ? "[…, vocabulary]" : "[tokens] or [responses, tokens]");
    return;
  }
  rows_ = isOfRows_ || axes == 2 ? product(*main_, axes - 1) : 1;
  width_ = main_->shape.back();
  if (width_ == 0 && rows_ != 0) {
    fault_ = fmt::format("{} is empty: its shape is {}", utf8::ticked(main_->name),
                         shapeWords(main_->shape));
    return;
  }
  places_ = isOfRows_ && axes > 2 ? main_->shape[axes - 2] : 0;
  for (std::size_t i = 0; i < bound_.size() && fault_.empty(); ++i)
    if (bound_[i] && rows_ != 0)
      fault_ = whyNot(*bound_[i], layout_.bindings[i].role);
  for (const Array* other : otherMasks_)
    if (fault_.empty() && rows_ != 0)
      fault_ = whyNot(*other, Role::Mask);
  if (fault_.empty() && isOfRows_ && layout_.shift != 0)
    fault_ = "--shift cannot be combined with whole rows";
}

std::uint64_t ArrayPlan::partsOf(const Array& array) const {
  const std::uint64_t count = array.count();
  if (count % rows_ == 0)
    return rows_;
  if (count == responses())
    return responses();
  return count == 1 ? 1 : 0;
}

std::string ArrayPlan::whyNot(const Array& array, Role role) const {
  const RoleKind kind = info(role).kind;
  if (kind == RoleKind::Tokens || kind == RoleKind::Rows) {
    if (isOfRows_ != (kind == RoleKind::Rows))
      return {}; // what is read is the other
    if (!fitsSide(array))
      return besideMain(array);
    return isFloating(array.type) ? std::string()
                                  : fmt::format("{}: expected floats, found {}",
                                                utf8::ticked(array.name), nameOf(array.type));
  }
  if (kind == RoleKind::Integers && (isFloating(array.type) || isText(array.type)))
    return fmt::format("{}: expected whole numbers, found {}", utf8::ticked(array.name),
                       nameOf(array.type));
  if (kind != RoleKind::Words && kind != RoleKind::Mixed && isText(array.type))
    return fmt::format("{}: expected numbers, found text", utf8::ticked(array.name));
  if (kind == RoleKind::Flags && !fitsPlaces(array))
    return besideMain(array) + (array.count() == responses()
                                    ? "; it marks tokens that count, use `kept` to mark responses"
                                    : "; it must mark each token as counted or not");
  if (kind == RoleKind::Integers && !fitsIds(array))
    return besideMain(array);
  if (kind == RoleKind::Flags || kind == RoleKind::Integers)
    return {};
  if (role == Role::Length && isOfRows_ && places_ == 0)
    return besideMain(array) + "; rows of one response cannot be distinguished";
  return fitsRecords(array, role)
             ? std::string()
             : fmt::format("{}; expected one value for each of the {} responses", besideMain(array),
                           grouped(responses()));
}

/// Of raw numbers nothing but how many they are is known.
bool ArrayPlan::fitsSide(const Array& array) const {
  return array.count() == rows_ * width_ &&
         (array.shape.empty() || array.shape.back() == main_->shape.back());
}

bool ArrayPlan::fitsPlaces(const Array& array) const {
  std::vector<std::uint64_t> wanted = main_->shape;
  if (isOfRows_)
    wanted.pop_back();
  return array.count() == (isOfRows_ ? rows_ : rows_ * width_) &&
         (array.shape == wanted || array.shape.size() == 1 || main_->isRaw);
}

/// Ids may be of the prompt, too: how many of them there are is a matter of each response.
bool ArrayPlan::fitsIds(const Array& array) const {
  if (isOfRows_ || array.isRaw || main_->isRaw)
    return isOfRows_ ? fitsPlaces(array) : array.count() % rows_ == 0;
  return array.shape.size() == main_->shape.size() &&
         (array.shape.size() == 1 || array.shape.front() == rows_);
}

/// One for each response, or of all; what is no length may be of each token or row, too.
bool ArrayPlan::fitsRecords(const Array& array, Role role) const {
  const std::uint64_t count = array.count();
  if (role == Role::Length || role == Role::Kept)
    return count == responses() || array.shape.empty();
  if (info(role).kind == RoleKind::Words && !isOfRows_)
    return partsOf(array) != 0;
  return count == 1 || count == rows_ || count == responses() ||
         (!isOfRows_ && count == rows_ * width_);
}

std::string ArrayPlan::besideMain(const Array& array) const {
  return fmt::format("{} is {}, but {} is {}", utf8::ticked(array.name), shapeWords(array.shape),
                     utf8::ticked(main_->name), shapeWords(main_->shape));
}

} // namespace tikc::data
