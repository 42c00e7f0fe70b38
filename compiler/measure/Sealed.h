#pragma once

#include "data/bytes/Mapped.h"

#include <llvm/Support/Error.h>

#include <cstdint>
#include <string>
#include <string_view>

/// Files that are whole or are refused: a magic of eight bytes, a version, the size of what
/// follows, that, and a digest of all.
namespace tikc::measure {

struct SealedKind {
  std::string_view magic, noun;
  std::uint32_t version;
};

std::string sealedFile(const SealedKind& kind, std::string_view body);
/// What stands in front of a body of so many bytes; a digest of both stands behind them.
std::string sealHead(const SealedKind& kind, std::uint64_t size);
/// What is in it; `name` is told where it is no such file, of another version, cut or changed.
/// Bytes of a mapped file cost memory only while they are looked at.
llvm::Expected<std::string_view> unsealedFile(const SealedKind& kind, std::string_view bytes,
                                              std::string_view name,
                                              const data::MappedFile* in = nullptr);
/// Why a file is none, as the end of a sentence that begins with its name.
llvm::Error sealFault(std::string_view name, std::string_view why);

} // namespace tikc::measure
