#pragma once

#include "data/Report.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/Support/BLAKE3.h>

#include <cstring>
#include <string>
#include <string_view>

namespace tikc::data {

/// A digest of bytes and of their place in a file, or only of the place.
class Digest {
public:
  explicit Digest(bool ofBytes = true) : ofBytes_(ofBytes) {}

  void add(std::string_view bytes) {
    if (ofBytes_)
      take(bytes);
  }
  void add(std::uint64_t number) {
    char bytes[sizeof number];
    std::memcpy(bytes, &number, sizeof number);
    take(std::string_view(bytes, sizeof bytes));
  }
  PieceId id() {
    hashPending();
    PieceId out;
    hash_.final(out.digest);
    return out;
  }

private:
  /// The size from which the hash processes several parts at once, as vectors.
  static constexpr std::size_t manyBytes = std::size_t{64} << 10;

  void take(std::string_view bytes) {
    if (pending_.size() + bytes.size() >= manyBytes)
      hashPending();
    if (bytes.size() >= manyBytes)
      hash(bytes);
    else
      pending_ += bytes;
  }
  void hash(std::string_view bytes) {
    hash_.update({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  }
  void hashPending() {
    hash(pending_);
    pending_.clear();
  }

  bool ofBytes_;
  llvm::BLAKE3 hash_;
  std::string pending_;
};

inline PieceId digestOf(std::string_view bytes) {
  Digest out;
  out.add(bytes);
  return out.id();
}

} // namespace tikc::data
