#pragma once

#include "data/Limits.h"
#include "data/bytes/Mapped.h"

#include <llvm/Support/Error.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tikc::data {

/// The storage type of an array's entry, little-endian.
enum class ElementType : std::uint8_t {
  F64,
  F32,
  F16,
  BF16,
  E4M3,
  E5M2,
  I8,
  U8,
  I16,
  U16,
  I32,
  U32,
  I64,
  U64,
  Bool,
  Bytes, // characters of texts, in UTF-8 or UTF-32
  Utf32,
  SwappedUtf32
};
/// Returns the size of a number or a character.
std::size_t bytesOf(ElementType type);
std::string_view nameOf(ElementType type);
bool isFloating(ElementType type);
bool isText(ElementType type);
/// Returns the nearest double, which loses digits of large 64-bit integers.
double elementAt(ElementType type, const char* at);
/// Returns the bits of an integer; those of U64 may need to be read as unsigned.
std::int64_t integerAt(ElementType type, const char* at);

/// An array of numbers or texts in row-major order.
struct Array {
  std::string name;
  ElementType type = ElementType::F32;
  std::size_t characters = 1; // the length of each text
  std::vector<std::uint64_t> shape;
  std::string_view bytes;
  std::shared_ptr<const void> owner;        // keeps the bytes alive
  std::shared_ptr<const MappedFile> mapped; // the file, if the bytes are mapped
  std::uint64_t offset = 0;                 // in its file
  std::string file;
  bool isRaw = false;
  /// The CRC-32 of a member of an archive, and of what it has before the bytes, for `ArraySums`.
  struct Checksum {
    std::uint32_t member = 0, before = 0;
  };
  std::optional<Checksum> checksum;

  std::size_t entryBytes() const { return bytesOf(type) * characters; }
  std::uint64_t count() const { return bytes.size() / entryBytes(); }
};

/// Returns the size in bytes, or nothing if it exceeds 64 bits.
std::optional<std::uint64_t> sizeOf(const std::vector<std::uint64_t>& shape,
                                    std::size_t entryBytes);
/// Returns an entry as text; a number is its digits. Returns nothing if a text has an invalid
/// character.
std::optional<std::string> wordAt(const Array& array, const char* at);
std::string shapeWords(const std::vector<std::uint64_t>& shape);

/// Readers of the formats. Errors describe the fault; the caller adds the file's name.
llvm::Expected<Array> readNpy(std::string_view bytes, const DataLimits& limits);
llvm::Expected<std::vector<Array>> readNpz(const std::shared_ptr<const MappedFile>& file,
                                           const DataLimits& limits);
llvm::Expected<std::vector<Array>> readSafetensors(std::string_view bytes,
                                                   const DataLimits& limits);

} // namespace tikc::data
