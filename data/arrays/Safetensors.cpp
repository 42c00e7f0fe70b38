#include "data/Fault.h"
#include "data/arrays/Array.h"
#include "data/text/Json.h"

#include "support/UsageError.h"
#include "support/Utf8.h"

#include <fmt/format.h>
#include <llvm/ADT/StringSet.h>

#include <algorithm>
#include <cstring>

namespace tikc::data {
namespace {

struct TensorType {
  std::string_view written;
  ElementType type;
};
constexpr TensorType tensorTypes[] = {
    {"F64", ElementType::F64},   {"F32", ElementType::F32},      {"F16", ElementType::F16},
    {"BF16", ElementType::BF16}, {"F8_E4M3", ElementType::E4M3}, {"F8_E5M2", ElementType::E5M2},
    {"I8", ElementType::I8},     {"U8", ElementType::U8},        {"I16", ElementType::I16},
    {"U16", ElementType::U16},   {"I32", ElementType::I32},      {"U32", ElementType::U32},
    {"I64", ElementType::I64},   {"U64", ElementType::U64},      {"BOOL", ElementType::Bool},
};

/// The header of a file of tensors.
class TensorHeader {
public:
  TensorHeader(std::string_view text, std::string_view data) : cursor_(text, 8), data_(data) {}

  std::vector<Array> read() {
    std::vector<Array> out;
    llvm::StringSet<> names;
    bool isFirst = true;
    if (!cursor_.enter(JsonKind::Object))
      return out;
    while (cursor_.more(JsonKind::Object, isFirst)) {
      const std::string name(cursor_.key());
      if (cursor_.failed())
        return out;
      if (!names.insert(name).second)
        cursor_.fail(fmt::format("duplicate {}", utf8::ticked(name)), cursor_.at());
      if (cursor_.failed())
        return out;
      if (name == "__metadata__")
        cursor_.skip();
      else
        out.push_back(tensor(name));
      if (cursor_.failed())
        return out;
    }
    cursor_.finish();
    return out;
  }
  const std::string& fault() const { return cursor_.fault(); }

private:
  Array tensor(const std::string& name) {
    Array out;
    out.name = name;
    bool isFirst = true, isKnown = false;
    std::vector<std::uint64_t> range;
    if (!cursor_.enter(JsonKind::Object))
      return out;
    while (cursor_.more(JsonKind::Object, isFirst)) {
      const std::string key(cursor_.key());
      if (key == "dtype")
        isKnown = takeType(out);
      else if (key == "shape")
        out.shape = numbers();
      else if (key == "data_offsets")
        range = numbers();
      else if (!cursor_.failed())
        cursor_.skip();
      if (cursor_.failed())
        return out;
    }
    const auto size = sizeOf(out.shape, out.entryBytes());
    if (!isKnown || range.size() != 2 || range[0] > range[1] || range[1] > data_.size())
      refuse(name, fmt::format("lies outside the {} of data", inBytes(data_.size())));
    else if (!size || *size != range[1] - range[0])
      refuse(name, fmt::format("is {} of {}, and has {}", shapeWords(out.shape), nameOf(out.type),
                               inBytes(range[1] - range[0])));
    else
      out.bytes = data_.substr(range[0], *size);
    out.offset = range.empty() ? 0 : range[0];
    return out;
  }
  void refuse(std::string_view name, std::string_view why) {
    cursor_.fail(fmt::format("{} {}", utf8::ticked(name), why), cursor_.at());
  }
  bool takeType(Array& out) {
    const std::string written(cursor_.string());
    for (const TensorType& each : tensorTypes)
      if (written == each.written)
        return out.type = each.type, true;
    refuse(out.name, fmt::format("has the unsupported type {}", utf8::ticked(written)));
    return false;
  }
  std::vector<std::uint64_t> numbers() {
    std::vector<std::uint64_t> out;
    bool isFirst = true;
    if (!cursor_.enter(JsonKind::List))
      return out;
    while (cursor_.more(JsonKind::List, isFirst)) {
      const auto value = cursor_.integer();
      if (value && *value < 0)
        cursor_.fail("expected a size of at least 0", cursor_.at());
      if (cursor_.failed())
        return out;
      out.push_back(static_cast<std::uint64_t>(*value));
    }
    return out;
  }

  JsonCursor cursor_;
  std::string_view data_;
};

} // namespace

llvm::Expected<std::vector<Array>> readSafetensors(std::string_view bytes,
                                                   const DataLimits& limits) {
  std::uint64_t length = 0;
  if (bytes.size() >= sizeof length)
    std::memcpy(&length, bytes.data(), sizeof length);
  if (bytes.size() < sizeof length || length > limits.headerBytes ||
      length > bytes.size() - sizeof length)
    return usageError(fmt::format("expected a header of {}, found a file of {}", inBytes(length),
                                  inBytes(bytes.size())));
  const std::string_view data = bytes.substr(sizeof length + length);
  TensorHeader header(bytes.substr(sizeof length, length), data);
  std::vector<Array> out = header.read();
  if (!header.fault().empty())
    return usageError("its header: " + header.fault());
  // A hole, or two tensors over each other, is what nobody writes.
  std::sort(out.begin(), out.end(),
            [](const Array& a, const Array& b) { return a.offset < b.offset; });
  std::uint64_t end = 0;
  for (const Array& array : out) {
    if (array.offset != end)
      return usageError(fmt::format("{} does not begin where the previous tensor ends",
                                    utf8::ticked(array.name)));
    end += array.bytes.size();
  }
  if (end != data.size())
    return usageError(fmt::format("{} follow the last tensor", inBytes(data.size() - end)));
  if (out.empty())
    return usageError("it has no tensors");
  for (Array& array : out)
    array.offset += sizeof length + length;
  return out;
}

} // namespace tikc::data
