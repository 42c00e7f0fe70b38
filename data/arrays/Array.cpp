#include "data/arrays/Array.h"

#include "support/Utf8.h"
#include "tikc/formats.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>

namespace tikc::data {
namespace {

template <typename Value> Value loaded(const char* at) {
  Value value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

double decoded(number_format format, std::uint32_t bits) {
  return static_cast<double>(decode(format, bits));
}

char32_t characterAt(ElementType type, const char* at) {
  const auto unit = loaded<std::uint32_t>(at);
  return type == ElementType::SwappedUtf32 ? __builtin_bswap32(unit) : unit;
}

} // namespace

std::size_t bytesOf(ElementType type) {
  switch (type) {
  case ElementType::F64:
  case ElementType::I64:
  case ElementType::U64:
    return 8;
  case ElementType::F32:
  case ElementType::I32:
  case ElementType::U32:
  case ElementType::Utf32:
  case ElementType::SwappedUtf32:
    return 4;
  case ElementType::F16:
  case ElementType::BF16:
  case ElementType::I16:
  case ElementType::U16:
    return 2;
  default:
    return 1;
  }
}

std::string_view nameOf(ElementType type) {
  constexpr std::string_view names[] = {"f64", "f32", "f16",  "bf16", "e4m3", "e5m2",
                                        "i8",  "u8",  "i16",  "u16",  "i32",  "u32",
                                        "i64", "u64", "bool", "text", "text", "text"};
  return names[static_cast<std::size_t>(type)];
}

bool isFloating(ElementType type) { return type <= ElementType::E5M2; }
bool isText(ElementType type) { return type >= ElementType::Bytes; }

double elementAt(ElementType type, const char* at) {
  switch (type) {
  case ElementType::F64:
    return loaded<double>(at);
  case ElementType::F32:
    return static_cast<double>(loaded<float>(at));
  case ElementType::F16:
    return decoded(number_format::fp16, loaded<std::uint16_t>(at));
  case ElementType::BF16:
    return decoded(number_format::bf16, loaded<std::uint16_t>(at));
  case ElementType::E4M3:
    return decoded(number_format::fp8_e4m3, loaded<std::uint8_t>(at));
  case ElementType::E5M2:
    return decoded(number_format::fp8_e5m2, loaded<std::uint8_t>(at));
  case ElementType::U64:
    return static_cast<double>(loaded<std::uint64_t>(at));
  default:
    return static_cast<double>(integerAt(type, at));
  }
}

std::int64_t integerAt(ElementType type, const char* at) {
  switch (type) {
  case ElementType::I8:
    return loaded<std::int8_t>(at);
  case ElementType::U8:
  case ElementType::Bool:
    return loaded<std::uint8_t>(at);
  case ElementType::I16:
    return loaded<std::int16_t>(at);
  case ElementType::U16:
    return loaded<std::uint16_t>(at);
  case ElementType::I32:
    return loaded<std::int32_t>(at);
  case ElementType::U32:
    return loaded<std::uint32_t>(at);
  case ElementType::I64:
  case ElementType::U64:
    return loaded<std::int64_t>(at);
  default:
    return 0;
  }
}

std::optional<std::uint64_t> sizeOf(const std::vector<std::uint64_t>& shape,
                                    std::size_t entryBytes) {
  std::uint64_t size = entryBytes;
  for (const std::uint64_t extent : shape)
    if (__builtin_mul_overflow(size, extent, &size))
      return std::nullopt;
  return size;
}

std::optional<std::string> wordAt(const Array& array, const char* at) {
  const ElementType type = array.type;
  if (type == ElementType::U64)
    return std::to_string(static_cast<std::uint64_t>(integerAt(type, at)));
  if (type == ElementType::F64)
    return fmt::format("{}", elementAt(type, at));
  if (isFloating(type)) // in the fewest digits, as JSON has them
    return fmt::format("{}", static_cast<float>(elementAt(type, at)));
  if (!isText(type))
    return std::to_string(integerAt(type, at));
  std::string out;
  if (type == ElementType::Bytes)
    out.assign(at, array.characters);
  else
    for (std::size_t i = 0; i < array.characters; ++i) {
      const char32_t character = characterAt(type, at + 4 * i);
      if (character > 0x10ffff || (character >= 0xd800 && character < 0xe000))
        return std::nullopt;
      utf8::append(out, character);
    }
  // NumPy fills shorter texts up.
  out.erase(out.find_last_not_of('\0') + 1);
  if (utf8::firstInvalid(out))
    return std::nullopt;
  return out;
}

std::string shapeWords(const std::vector<std::uint64_t>& shape) {
  return fmt::format("[{}]", fmt::join(shape, ", "));
}

} // namespace tikc::data
