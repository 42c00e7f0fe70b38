#include "data/Fault.h"
#include "data/arrays/Array.h"

#include "support/UsageError.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <charconv>
#include <cstring>

namespace tikc::data {
namespace {

struct NpyType {
  std::string_view written;
  ElementType type;
};
// NumPy has no bfloat16; packages that have one write it as two bytes of no type.
constexpr NpyType npyTypes[] = {
    {"<f8", ElementType::F64},  {"<f4", ElementType::F32},  {"<f2", ElementType::F16},
    {"<V2", ElementType::BF16}, {"|V2", ElementType::BF16}, {"|i1", ElementType::I8},
    {"|u1", ElementType::U8},   {"<i2", ElementType::I16},  {"<u2", ElementType::U16},
    {"<i4", ElementType::I32},  {"<u4", ElementType::U32},  {"<i8", ElementType::I64},
    {"|b1", ElementType::Bool}, {"<u8", ElementType::I64},
};

/// The dict literal of a header, entry by entry.
class NpyHeader {
public:
  explicit NpyHeader(std::string_view text) : text_(text) {}

  std::string_view valueOf(std::string_view key) const {
    const std::string quoted = fmt::format("'{}':", key);
    const std::size_t at = text_.find(quoted);
    if (at == std::string_view::npos)
      return {};
    std::string_view rest = text_.substr(at + quoted.size());
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    const bool isTuple = rest.starts_with('(');
    const std::size_t end = rest.find_first_of(isTuple ? ")" : ",}");
    return rest.substr(0, end == std::string_view::npos ? 0 : end + (isTuple ? 1 : 0));
  }

  static std::optional<std::vector<std::uint64_t>> shapeOf(std::string_view tuple) {
    std::vector<std::uint64_t> out;
    if (!tuple.starts_with('(') || !tuple.ends_with(')'))
      return std::nullopt;
    tuple = tuple.substr(1, tuple.size() - 2);
    while (!tuple.empty()) {
      if (tuple.front() == ' ' || tuple.front() == ',') {
        tuple.remove_prefix(1);
        continue;
      }
      std::uint64_t extent = 0;
      const auto read = std::from_chars(tuple.data(), tuple.data() + tuple.size(), extent);
      if (read.ec != std::errc() || out.size() == 32)
        return std::nullopt;
      out.push_back(extent);
      tuple.remove_prefix(static_cast<std::size_t>(read.ptr - tuple.data()));
    }
    return out;
  }

private:
  std::string_view text_;
};

} // namespace

llvm::Expected<Array> readNpy(std::string_view bytes, const DataLimits& limits) {
  if (!bytes.starts_with("\x93NUMPY") || bytes.size() < 10)
    return usageError("it does not begin as .npy data do");
  const bool isShort = bytes[6] == 1;
  std::uint32_t length = 0;
  const std::size_t begin = isShort ? 10 : 12;
  if (bytes.size() >= begin)
    std::memcpy(&length, bytes.data() + 8, isShort ? 2 : 4);
  if (bytes.size() < begin || length > limits.headerBytes || length > bytes.size() - begin)
    return usageError(fmt::format("the header promises {} and the file has {}", inBytes(length),
                                  inBytes(bytes.size())));
  const NpyHeader header(bytes.substr(begin, length));
  Array out;
  const std::string_view type = header.valueOf("descr");
  const NpyType* found = nullptr;
  for (const NpyType& each : npyTypes)
    if (type.size() == each.written.size() + 2 &&
        type.substr(1, each.written.size()) == each.written)
      found = &each;
  if (!found)
    return usageError(
        fmt::format("its entries are {}, which tikc does not read: write little-endian "
                    "floats or whole numbers",
                    type.empty() ? "of no type" : utf8::ticked(type)));
  out.type = found->type;
  const auto shape = NpyHeader::shapeOf(header.valueOf("shape"));
  if (!shape)
    return usageError("its header has no shape");
  out.shape = *shape;
  if (header.valueOf("fortran_order") == "True" && out.shape.size() > 1)
    return usageError("it is stored by columns (Fortran order): write numpy.ascontiguousarray(x)");
  out.offset = begin + length;
  out.bytes = bytes.substr(out.offset);
  const auto size = sizeOf(out.shape, out.type);
  if (!size || *size > out.bytes.size())
    return usageError(fmt::format("its header promises {} of {}, and there are {} of data",
                                  shapeWords(out.shape), nameOf(out.type),
                                  inBytes(out.bytes.size())));
  if (*size < out.bytes.size())
    return usageError(
        fmt::format("{} follow what its header promises", inBytes(out.bytes.size() - *size)));
  return out;
}

} // namespace tikc::data
