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

/// How an entry of an array is stored, little-endian.
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
/// Of a number, or of a character.
std::size_t bytesOf(ElementType type);
std::string_view nameOf(ElementType type);
bool isFloating(ElementType type);
bool isText(ElementType type);
/// The nearest double; a whole number of 64 bits loses what a double does not hold.
double elementAt(ElementType type, const char* at);
/// The bits of a whole number; those of U64 may have to be read as unsigned.
std::int64_t integerAt(ElementType type, const char* at);

/// Numbers or texts in rows, of which the last axis runs fastest.
struct Array {
  std::string name;
  ElementType type = ElementType::F32;
  std::size_t characters = 1; // of each text
  std::vector<std::uint64_t> shape;
  std::string_view bytes;
  std::shared_ptr<const void> owner;        // of the bytes
  std::shared_ptr<const MappedFile> mapped; // where they are those of a file
  std::uint64_t offset = 0;                 // in its file
  std::string file;
  bool isRaw = false;

  std::size_t entryBytes() const { return bytesOf(type) * characters; }
  std::uint64_t count() const { return bytes.size() / entryBytes(); }
};

/// The product of a shape and an entry; nothing where that is more than 64 bits count.
std::optional<std::uint64_t> sizeOf(const std::vector<std::uint64_t>& shape,
                                    std::size_t entryBytes);
/// An entry as text: a number by its digits. Nothing where a text has an invalid character.
std::optional<std::string> wordAt(const Array& array, const char* at);
std::string shapeWords(const std::vector<std::uint64_t>& shape);

/// Each fault says what is wrong with the file, which the caller names.
llvm::Expected<Array> readNpy(std::string_view bytes, const DataLimits& limits);
llvm::Expected<std::vector<Array>> readNpz(const std::shared_ptr<const MappedFile>& file,
                                           const DataLimits& limits);
llvm::Expected<std::vector<Array>> readSafetensors(std::string_view bytes,
                                                   const DataLimits& limits);

} // namespace tikc::data
