#include "data/Fault.h"
#include "data/arrays/Array.h"

#include "support/UsageError.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
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
    {"|b1", ElementType::Bool}, {"<u8", ElementType::U64},
};

/// Of texts the item size follows.
constexpr NpyType npyTextTypes[] = {
    {"|S", ElementType::Bytes},
    {"<U", ElementType::Utf32},
    {">U", ElementType::SwappedUtf32},
};

/// Reads a header: a dict literal of Python with three entries, each once, in any order.
class NpyHeader {
public:
  explicit NpyHeader(std::string_view text) : rest_(text) {}

  /// False where it is anything else.
  bool read() {
    if (!skip('{'))
      return false;
    while (!skip('}')) {
      if (!entry() || (!skip(',') && next() != '}'))
        return false;
    }
    return next() == '\0' && rest_.empty() && type && shape && isFortran;
  }

  std::optional<std::string_view> type; // as it was written, without quotes
  std::optional<std::vector<std::uint64_t>> shape;
  std::optional<bool> isFortran;

private:
  char next() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n\f"), rest_.size()));
    return rest_.empty() ? '\0' : rest_.front();
  }
  bool skip(char wanted) {
    if (next() != wanted || rest_.empty())
      return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool skipWord(std::string_view word) {
    next();
    if (!rest_.starts_with(word))
      return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  bool entry() {
    const auto key = text();
    if (!key || !skip(':'))
      return false;
    if (*key == "descr" && !type)
      return (type = description()).has_value();
    if (*key == "shape" && !shape)
      return (shape = tuple()).has_value();
    if (*key != "fortran_order" || isFortran)
      return false;
    isFortran = skipWord("True");
    return *isFortran || skipWord("False");
  }
  std::optional<std::string_view> text() {
    const char quote = next();
    const std::size_t end = rest_.find_first_of(quote == '"' ? "\"\\\n" : "'\\\n", 1);
    if ((quote != '"' && quote != '\'') || end == std::string_view::npos || rest_[end] != quote)
      return std::nullopt;
    const std::string_view out = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return out;
  }
  /// Of records of fields, which tikc does not read, up to the end of their list.
  std::optional<std::string_view> description() {
    if (next() != '[')
      return text();
    const std::size_t end = rest_.rfind(']');
    if (end == std::string_view::npos)
      return std::nullopt;
    const std::string_view out = rest_.substr(0, end + 1);
    rest_.remove_prefix(out.size());
    return out;
  }
  std::optional<std::vector<std::uint64_t>> tuple() {
    std::vector<std::uint64_t> out;
    bool isClosed = true; // by a comma, which one number alone needs
    if (!skip('('))
      return std::nullopt;
    while (!skip(')')) {
      std::uint64_t extent = 0;
      next();
      const auto read = std::from_chars(rest_.data(), rest_.data() + rest_.size(), extent);
      const auto size = static_cast<std::size_t>(read.ptr - rest_.data());
      if (read.ec != std::errc() || !isClosed || out.size() == mostAxes ||
          (size > 1 && rest_.front() == '0'))
        return std::nullopt;
      out.push_back(extent);
      rest_.remove_prefix(size);
      isClosed = skip(',');
    }
    return isClosed || out.size() > 1 ? std::optional(out) : std::nullopt;
  }

  static constexpr std::size_t mostAxes = 32;

  std::string_view rest_;
};

/// What a type is to tikc; false where it is nothing that tikc reads.
bool takeNpyType(std::string_view written, Array& out, const DataLimits& limits) {
  for (const NpyType& each : npyTypes)
    if (written == each.written)
      return out.type = each.type, true;
  for (const NpyType& each : npyTextTypes) {
    if (!written.starts_with(each.written))
      continue;
    const std::string_view size = written.substr(each.written.size());
    const auto read = std::from_chars(size.data(), size.data() + size.size(), out.characters);
    out.type = each.type;
    return read.ec == std::errc() && read.ptr == size.data() + size.size() && out.characters > 0 &&
           out.characters <= limits.wordBytes / bytesOf(each.type);
  }
  return false;
}

} // namespace

llvm::Expected<Array> readNpy(std::string_view bytes, const DataLimits& limits) {
  if (!bytes.starts_with("\x93NUMPY") || bytes.size() < 10)
    return usageError("it does not begin like .npy data");
  const auto version = static_cast<unsigned char>(bytes[6]);
  if (version < 1 || version > 3 || bytes[7] != 0)
    return usageError(fmt::format("unsupported .npy version {}.{}; expected 1.0, 2.0 or 3.0",
                                  version, static_cast<unsigned char>(bytes[7])));
  const bool isShort = version == 1;
  std::uint32_t length = 0;
  const std::size_t begin = isShort ? 10 : 12;
  if (bytes.size() >= begin)
    std::memcpy(&length, bytes.data() + 8, isShort ? 2 : 4);
  if (bytes.size() < begin || length > limits.headerBytes || length > bytes.size() - begin)
    return usageError(fmt::format("expected a header of {}, found a file of {}", inBytes(length),
                                  inBytes(bytes.size())));
  NpyHeader header(bytes.substr(begin, length));
  if (!header.read())
    return usageError(fmt::format(
        "expected a header with `descr`, `fortran_order` and `shape`, each once, found {}",
        utf8::ticked(bytes.substr(begin, length))));
  Array out;
  if (!takeNpyType(*header.type, out, limits))
    return usageError(fmt::format("unsupported entries {}; expected little-endian floats, whole "
                                  "numbers, or texts of at most {}",
                                  utf8::ticked(*header.type), inBytes(limits.wordBytes)));
  out.shape = *header.shape;
  if (*header.isFortran && out.shape.size() > 1)
    return usageError(
        "expected rows, found columns (Fortran order); write numpy.ascontiguousarray(x)");
  out.offset = begin + length;
  out.bytes = bytes.substr(out.offset);
  const auto size = sizeOf(out.shape, out.entryBytes());
  if (!size || *size > out.bytes.size())
    return usageError(fmt::format("expected {} of {}, found {} of data", shapeWords(out.shape),
                                  nameOf(out.type), inBytes(out.bytes.size())));
  if (*size < out.bytes.size())
    return usageError(fmt::format("{} follow the data", inBytes(out.bytes.size() - *size)));
  return out;
}

} // namespace tikc::data
