#pragma once

#include "data/bytes/Mapped.h"

#include <llvm/Support/Error.h>

#include <cstdint>
#include <string>
#include <string_view>

/// Files with a checksum: eight magic bytes, a version, the size of the body, the body, and a
/// digest of everything before it.
namespace tikc::measure {

struct SealedKind {
  std::string_view magic, noun;
  std::uint32_t version;
};

std::string sealedFile(const SealedKind& kind, std::string_view body);
/// Returns the bytes before a body of the given size; after the body comes a digest of both.
std::string sealHead(const SealedKind& kind, std::uint64_t size);
/// Returns the body. Fails on other kinds of files, other versions, and truncated or changed files;
/// errors begin with `name`. The bytes of a mapped file use memory only while they are checked.
llvm::Expected<std::string_view> unsealedFile(const SealedKind& kind, std::string_view bytes,
                                              std::string_view name,
                                              const data::MappedFile* in = nullptr);
/// Returns why a file is not valid, in an error that begins with its name.
llvm::Error sealFault(std::string_view name, std::string_view why);

} // namespace tikc::measure
