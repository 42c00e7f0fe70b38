#include "data/arrays/ArrayInput.h"

#include "data/arrays/LlamaInput.h"
#include "data/bytes/Digest.h"
#include "data/pairing/Assembler.h"
#include "support/UsageError.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

namespace tikc::data {
namespace {

namespace fs = std::filesystem;

constexpr float arraySentinel = -9999;

struct RawType {
  std::string_view ending;
  ElementType type;
};
// Files of nothing but numbers, which their names tell.
constexpr RawType rawTypes[] = {
    {".f64", ElementType::F64},   {".f32", ElementType::F32},   {".f16", ElementType::F16},
    {".bf16", ElementType::BF16}, {".e4m3", ElementType::E4M3}, {".e5m2", ElementType::E5M2},
    {".u8", ElementType::U8},     {".i32", ElementType::I32},   {".i64", ElementType::I64},
};

std::optional<number_format> formatOf(ElementType type) {
  switch (type) {
  case ElementType::F32:
    return number_format::fp32;
  case ElementType::F16:
    return number_format::fp16;
  case ElementType::BF16:
    return number_format::bf16;
  case ElementType::E4M3:
    return number_format::fp8_e4m3;
  case ElementType::E5M2:
    return number_format::fp8_e5m2;
  default:
    return std::nullopt;
  }
}

std::uint64_t countOf(const Array& array) { return array.bytes.size() / bytesOf(array.type); }

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

/// Log-probs of a row as floats: where they stand, if they stand there as such.
class RowBuffer {
public:
  std::span<const float> read(const Array& array, std::string_view row, ClassCounts& counts) {
    const std::size_t size = row.size() / bytesOf(array.type);
    const auto* const there = reinterpret_cast<const float*>(row.data());
    if (array.type == ElementType::F32 &&
        reinterpret_cast<std::uintptr_t>(row.data()) % alignof(float) == 0 &&
        std::find(there, there + size, arraySentinel) == there + size) {
      for (std::size_t i = 0; i < size; ++i)
        count(there[i], counts);
      return {there, size};
    }
    values_.resize(size);
    for (std::size_t i = 0; i < size; ++i) {
      auto value = static_cast<float>(elementAt(array.type, row.data() + i * bytesOf(array.type)));
      if (value == arraySentinel) {
        ++counts[static_cast<std::size_t>(NumberClass::Sentinel)];
        value = std::numeric_limits<float>::quiet_NaN();
      } else {
        count(value, counts);
      }
      values_[i] = value;
    }
    return values_;
  }

private:
  static void count(float value, ClassCounts& counts) {
    const NumberClass of = std::isfinite(value) ? NumberClass::Finite
                           : std::isnan(value)  ? NumberClass::NaN
                           : value > 0          ? NumberClass::Infinity
                                                : NumberClass::MinusInfinity;
    ++counts[static_cast<std::size_t>(of)];
  }

  std::vector<float> values_;
};

class ArrayReader final : public PieceReader {
public:
  ArrayReader(std::string_view file, const ArrayPlan& plan, const Layout& layout,
              const DataLimits& limits, std::uint64_t begin, std::uint64_t end)
      : file_(file), plan_(plan), layout_(layout), limits_(limits), begin_(begin), end_(end),
        at_(begin), assembler_(layout, true) {
    digest_.add(begin);
  }

  bool next(Response& out) override {
    if (!isOpen() || plan_.isOfRows())
      return false;
    while (at_ < end_)
      if (takeResponse(out, at_++))
        return true;
    return false;
  }
  bool nextRow(RowPair& out) override {
    if (!isOpen() || !plan_.isOfRows() || at_ == end_)
      return false;
    out = {};
    const std::uint64_t row = at_++;
    ++report_.records;
    out.train = rowOf(*plan_.of(Role::TrainRows), row, trainRow_);
    out.infer = rowOf(*plan_.of(Role::InferRows), row, inferRow_);
    out.vocabulary = plan_.width();
    if (const Array* const ids = plan_.of(Role::Ids); ids && countOf(*ids) == plan_.rows())
      out.id = integerAt(ids->type, ids->bytes.data() + row * bytesOf(ids->type));
    out.at = placeOf(row, {});
    return true;
  }
  PieceId id() override { return digest_.id(); }

private:
  bool isOpen() {
    if (plan_.fault().empty())
      return true;
    if (report_.faults.empty()) {
      ++report_.broken;
      report_.faults.push_back(faultAt({file_, number_, 0, 0, 0, {}}, plan_.fault()));
    }
    return false;
  }
  Place placeOf(std::uint64_t row, std::string_view field) const {
    const Array* const main = plan_.main();
    return {file_, number_, 0, main->offset + row * plan_.bytesOfRow(), row + 1, field};
  }
  std::string_view bytesOfRow(const Array& array, std::uint64_t row) {
    const std::uint64_t size = countOf(array) / plan_.rows() * bytesOf(array.type);
    const std::string_view bytes = array.bytes.substr(row * size, size);
    digest_.add(bytes);
    return bytes;
  }
  row_view rowOf(const Array& array, std::uint64_t row, std::vector<float>& scratch) {
    const std::string_view bytes = bytesOfRow(array, row);
    if (const auto format = formatOf(array.type))
      return {bytes.data(), *format};
    scratch.resize(plan_.width());
    for (std::size_t i = 0; i < scratch.size(); ++i)
      scratch[i] =
          static_cast<float>(elementAt(array.type, bytes.data() + i * bytesOf(array.type)));
    return {scratch.data(), number_format::fp32};
  }

  bool takeResponse(Response& out, std::uint64_t row) {
    ++report_.records;
    ResponseFields found;
    out = {};
    out.at = placeOf(row, {});
    const Array* const train = plan_.of(Role::Train);
    const Array* const infer = plan_.of(Role::Infer) ? plan_.of(Role::Infer) : plan_.of(Role::Side);
    if (train)
      found.train = train_.read(*train, bytesOfRow(*train, row), report_.train);
    if (infer)
      found.infer = infer_.read(*infer, bytesOfRow(*infer, row), report_.infer);
    std::string field;
    std::string fault = takeMask(row, found);
    if (!fault.empty())
      field = plan_.of(Role::Mask)->name;
    takeRest(row, found);
    if (fault.empty())
      fault = assembler_.assemble(found, out, report_, field);
    if (fault.empty())
      return true;
    ++report_.broken;
    if (report_.faults.size() < limits_.faults)
      report_.faults.push_back(faultAt(placeOf(row, field), fmt::format("row {}: {}", row, fault)));
    return false;
  }
  std::string takeMask(std::uint64_t row, ResponseFields& found) {
    const Array* const mask = plan_.of(Role::Mask);
    if (!mask)
      return {};
    const std::string_view bytes = bytesOfRow(*mask, row);
    mask_.resize(bytes.size() / bytesOf(mask->type));
    for (std::size_t i = 0; i < mask_.size(); ++i) {
      const double value = elementAt(mask->type, bytes.data() + i * bytesOf(mask->type));
      if (value != 0 && value != 1)
        return fmt::format("a mask is 0 or 1, and entry {} is {}", i, value);
      mask_[i] = value == 1;
    }
    found.mask = mask_;
    return {};
  }
  /// What a response has one of, or a list of; arrays of another length say it of all.
  void takeRest(std::uint64_t row, ResponseFields& found) {
    if (const Array* const ids = plan_.of(Role::Ids);
        ids && !isFloating(ids->type) && countOf(*ids) % plan_.rows() == 0) {
      const std::string_view bytes = bytesOfRow(*ids, row);
      ids_.resize(bytes.size() / bytesOf(ids->type));
      for (std::size_t i = 0; i < ids_.size(); ++i)
        ids_[i] = integerAt(ids->type, bytes.data() + i * bytesOf(ids->type));
      found.ids = ids_;
    }
    numbers_.clear();
    labels_.clear();
    words_.clear();
    numbers_.reserve(layout_.bindings.size());
    words_.reserve(layout_.bindings.size());
    for (std::size_t i = 0; i < layout_.bindings.size(); ++i)
      if (const Array* const array = plan_.bound(i); array && countOf(*array) > 0)
        takeShare(*array, layout_.bindings[i], row, found);
    found.labels = labels_;
  }
  void takeShare(const Array& array, const Binding& binding, std::uint64_t row,
                 ResponseFields& found) {
    const RoleKind kind = info(binding.role).kind;
    const std::uint64_t count = countOf(array);
    const bool isOfAll = count == 1;
    if ((kind != RoleKind::Numbers && kind != RoleKind::Words) ||
        (!isOfAll && count % plan_.rows() != 0))
      return;
    const std::string_view bytes = isOfAll ? array.bytes : bytesOfRow(array, row);
    numbers_.emplace_back();
    for (std::size_t at = 0; at < bytes.size(); at += bytesOf(array.type))
      numbers_.back().push_back(elementAt(array.type, bytes.data() + at));
    if (kind == RoleKind::Numbers) {
      found.numbers[static_cast<std::size_t>(binding.role)] = numbers_.back();
      return;
    }
    words_.push_back(fmt::format("{}", fmt::join(numbers_.back(), ",")));
    if (binding.role == Role::Key)
      found.key = words_.back();
    else
      labels_.push_back({binding.label, words_.back()});
  }

  std::string_view file_;
  ArrayPlan plan_;
  const Layout& layout_;
  DataLimits limits_;
  std::uint64_t begin_, end_, at_;
  Assembler assembler_;
  Digest digest_;
  RowBuffer train_, infer_;
  std::vector<float> trainRow_, inferRow_;
  std::vector<std::uint8_t> mask_;
  std::vector<std::int64_t> ids_;
  std::vector<std::vector<double>> numbers_;
  std::vector<std::string> words_;
  std::vector<LabelValue> labels_;
};

class ArrayInput final : public Input {
public:
  ArrayInput(std::vector<std::string> files, std::string form, std::vector<Array> arrays,
             const DataLimits& limits)
      : files_(std::move(files)), form_(std::move(form)), arrays_(std::move(arrays)),
        limits_(limits) {}

  std::span<const std::string> files() const override { return files_; }
  std::string form() const override { return form_; }
  std::uint64_t bytes() const override {
    std::uint64_t out = 0;
    for (const Array& array : arrays_)
      out += array.bytes.size();
    return out;
  }
  Survey survey() const override {
    Survey out;
    out.records = 1;
    for (const Array& array : arrays_) {
      SurveyedField& field = out.at(array.name);
      field.kind = nameOf(array.type);
      field.isArray = true;
      field.isRaw = array.isRaw;
      field.dimensions = array.shape.size();
      field.shape = shapeWords(array.shape);
      field.records = 1;
    }
    return out;
  }
  std::size_t pieces(const Layout& layout) const override {
    const ArrayPlan plan(arrays_, layout);
    if (plan.rows() == 0)
      return 1;
    const std::uint64_t rows = rowsOfPiece(plan);
    return static_cast<std::size_t>((plan.rows() + rows - 1) / rows);
  }
  std::unique_ptr<PieceReader> read(std::size_t piece, const Layout& layout) const override {
    const ArrayPlan plan(arrays_, layout);
    const std::uint64_t rows = plan.rows() == 0 ? 0 : rowsOfPiece(plan);
    return std::make_unique<ArrayReader>(files_.front(), plan, layout, limits_, piece * rows,
                                         std::min(plan.rows(), (piece + 1) * rows));
  }

private:
  std::uint64_t rowsOfPiece(const ArrayPlan& plan) const {
    return std::max<std::uint64_t>(1, limits_.pieceBytes / plan.bytesOfRow());
  }

  std::vector<std::string> files_;
  std::string form_;
  std::vector<Array> arrays_;
  DataLimits limits_;
};

llvm::Error namedFault(std::string_view file, llvm::Error fault) {
  return usageError(
      fmt::format("{}: {}", utf8::tickedPath(std::string(file)), llvm::toString(std::move(fault))));
}

/// Safetensors say nothing first but the length of what follows, which is an object.
bool looksLikeTensors(std::string_view start) {
  return start.size() > 9 && start[8] == '{' &&
         start.substr(4, 4) == std::string_view("\0\0\0\0", 4);
}

const RawType* rawTypeOf(const fs::path& path) {
  for (const RawType& each : rawTypes)
    if (path.extension() == each.ending)
      return &each;
  return nullptr;
}

llvm::Expected<Array> rawArray(std::string_view bytes, ElementType type, std::size_t vocabulary) {
  Array out;
  out.type = type;
  out.bytes = bytes;
  out.isRaw = true;
  const bool isOfRows = vocabulary != 0 && isFloating(type);
  const std::uint64_t row = (isOfRows ? vocabulary : 1) * bytesOf(type);
  if (bytes.size() % row != 0)
    return usageError(
        fmt::format("{} are no whole number of rows of {}", inBytes(bytes.size()), inBytes(row)));
  out.shape = {bytes.size() / row};
  if (isOfRows)
    out.shape.push_back(vocabulary);
  return out;
}

} // namespace

llvm::Expected<bool> ArrayInputs::take(const std::string& name,
                                       const std::shared_ptr<const MappedFile>& file) {
  const std::string_view bytes = file->bytes();
  const RawType* const raw = rawTypeOf(name);
  if (bytes.starts_with("\x93NUMPY") || raw) {
    auto array = raw ? rawArray(bytes, raw->type, vocabulary_) : readNpy(bytes, limits_);
    if (!array)
      return namedFault(name, array.takeError());
    array->name = fs::path(name).stem().string();
    array->owner = file;
    array->file = name;
    single_.push_back(std::move(*array));
    return true;
  }
  if (bytes.starts_with("PK\x03\x04") || bytes.starts_with("PK\x05\x06")) {
    auto arrays = readNpz(file, limits_);
    if (!arrays)
      return namedFault(name, arrays.takeError());
    add(name, "NumPy archive", std::move(*arrays));
    return true;
  }
  if (looksLikeTensors(bytes)) {
    auto arrays = readSafetensors(bytes, limits_);
    if (!arrays)
      return namedFault(name, arrays.takeError());
    for (Array& array : *arrays)
      array.owner = file;
    add(name, "safetensors", std::move(*arrays));
    return true;
  }
  if (!isLlamaFile(bytes))
    return false;
  llama_.push_back({name, file});
  return true;
}

void ArrayInputs::add(std::string name, std::string form, std::vector<Array> arrays) {
  inputs_.push_back(std::make_unique<ArrayInput>(std::vector<std::string>{std::move(name)},
                                                 std::move(form), std::move(arrays), limits_));
}

llvm::Error ArrayInputs::finish(std::vector<std::unique_ptr<Input>>& out) {
  if (!single_.empty()) {
    std::vector<std::string> files;
    const bool isRaw = single_.front().isRaw;
    for (const Array& array : single_)
      files.push_back(array.file);
    inputs_.push_back(std::make_unique<ArrayInput>(
        std::move(files), isRaw ? "raw numbers" : ".npy arrays", std::move(single_), limits_));
  }
  if (!llama_.empty()) {
    auto input = llamaInput(llama_, limits_);
    if (!input)
      return input.takeError();
    inputs_.push_back(std::move(*input));
  }
  for (std::unique_ptr<Input>& input : inputs_)
    out.push_back(std::move(input));
  return llvm::Error::success();
}

} // namespace tikc::data
