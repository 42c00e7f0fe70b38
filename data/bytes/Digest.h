#pragma once

#include "data/Report.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/Support/BLAKE3.h>

#include <cstring>

namespace tikc::data {

/// What bytes are, and where in their file.
class Digest {
public:
  void add(std::string_view bytes) {
    hash_.update({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  }
  void add(std::uint64_t number) {
    char bytes[sizeof number];
    std::memcpy(bytes, &number, sizeof number);
    add(std::string_view(bytes, sizeof bytes));
  }
  PieceId id() {
    PieceId out;
    hash_.final(out.digest);
    return out;
  }

private:
  llvm::BLAKE3 hash_;
};

inline PieceId digestOf(std::string_view bytes) {
  Digest out;
  out.add(bytes);
  return out.id();
}

} // namespace tikc::data
