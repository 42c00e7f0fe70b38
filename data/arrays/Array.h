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
  Bool
};
std::size_t bytesOf(ElementType type);
std::string_view nameOf(ElementType type);
bool isFloating(ElementType type);
/// The nearest double; a whole number of 64 bits loses what a double does not hold.
double elementAt(ElementType type, const char* at);
std::int64_t integerAt(ElementType type, const char* at);

/// Numbers in rows, of which the last axis runs fastest.
struct Array {
  std::string name;
  ElementType type = ElementType::F32;
  std::vector<std::uint64_t> shape;
  std::string_view bytes;
  std::shared_ptr<const void> owner; // of the bytes
  std::uint64_t offset = 0;          // in its file
  std::string file;
  bool isRaw = false;
};

/// The product of a shape and an element; nothing where that is more than 64 bits count.
std::optional<std::uint64_t> sizeOf(const std::vector<std::uint64_t>& shape, ElementType type);
std::string shapeWords(const std::vector<std::uint64_t>& shape);

/// Each fault says what is wrong with the file, which the caller names.
llvm::Expected<Array> readNpy(std::string_view bytes, const DataLimits& limits);
llvm::Expected<std::vector<Array>> readNpz(const std::shared_ptr<const MappedFile>& file,
                                           const DataLimits& limits);
llvm::Expected<std::vector<Array>> readSafetensors(std::string_view bytes,
                                                   const DataLimits& limits);

} // namespace tikc::data
