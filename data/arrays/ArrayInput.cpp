#include "data/arrays/ArrayInput.h"

#include "data/arrays/ArrayReader.h"
#include "data/arrays/ArraySums.h"
#include "data/arrays/LlamaInput.h"
#include "support/UsageError.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace tikc::data {
namespace {

namespace fs = std::filesystem;

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
    out.isWhole = true;
    out.records = 1;
    for (const Array& array : arrays_) {
      SurveyedField& field = out.fields.emplace_back(); // names are unique, and may be many
      field.path = array.name;
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
    return arrayReader(files_.front(), plan, layout, limits_, sums_, piece * rows,
                       std::min(plan.rows(), (piece + 1) * rows));
  }
  llvm::Error whyDamaged() const override {
    const Array* const array = sums_.damaged(arrays_);
    if (array == nullptr)
      return llvm::Error::success();
    return usageError(fmt::format("{}: {} of the zip archive is damaged: checksum mismatch",
                                  utf8::tickedPath(files_.front()), utf8::ticked(array->name)));
  }

private:
  std::uint64_t rowsOfPiece(const ArrayPlan& plan) const {
    return std::max<std::uint64_t>(1, limits_.pieceBytes / plan.bytesOfRow());
  }

  std::vector<std::string> files_;
  std::string form_;
  std::vector<Array> arrays_;
  mutable ArraySums sums_;
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
    return usageError(fmt::format("{} are not a whole number of rows of {}", inBytes(bytes.size()),
                                  inBytes(row)));
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
    array->mapped = file;
    array->file = name;
    for (const Array& other : single_)
      if (other.name == array->name)
        return usageError(fmt::format("{} and {} are both called {}; expected one of them",
                                      utf8::tickedPath(other.file), utf8::tickedPath(name),
                                      utf8::ticked(array->name)));
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
      array.mapped = file;
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
