#include "measure/Sealed.h"

#include "data/bytes/Digest.h"
#include "measure/Bytes.h"
#include "support/UsageError.h"
#include "support/Utf8.h"

#include <fmt/format.h>

namespace tikc::measure {
namespace {

constexpr std::size_t sealedHeader = 8 + 4 + 8;

} // namespace

llvm::Error sealFault(std::string_view name, std::string_view why) {
  return usageError(fmt::format("{} {}", utf8::tickedPath(std::string(name)), why));
}

std::string sealHead(const SealedKind& kind, std::uint64_t size) {
  ByteWriter out;
  out.raw(kind.magic);
  out.number(kind.version, 4);
  out.number(size);
  return out.take();
}

std::string sealedFile(const SealedKind& kind, std::string_view body) {
  const std::string head = sealHead(kind, body.size());
  std::string out;
  out.reserve(head.size() + body.size() + digestSize);
  out.append(head).append(body);
  out.append(bytesOf(data::digestOf(out)));
  return out;
}

llvm::Expected<std::string_view> unsealedFile(const SealedKind& kind, std::string_view bytes,
                                              std::string_view name, const data::MappedFile* in) {
  if (!bytes.starts_with(kind.magic))
    return sealFault(name, fmt::format("is not {}", kind.noun));
  ByteReader from(bytes.substr(kind.magic.size()));
  const std::uint64_t version = from.number(4), size = from.number();
  if (from.isGood() && version != kind.version)
    return sealFault(name, fmt::format("is {} of version {}; this tikc reads version {}", kind.noun,
                                       version, kind.version));
  if (!from.isGood() || bytes.size() < sealedHeader + digestSize ||
      size > bytes.size() - sealedHeader - digestSize)
    return sealFault(name, "is truncated");
  if (size != bytes.size() - sealedHeader - digestSize)
    return sealFault(name, "has trailing bytes");
  const std::size_t whole = bytes.size() - digestSize;
  data::Digest digest;
  data::eachStep(bytes.substr(0, whole), in, [&](std::string_view step) { digest.add(step); });
  if (bytesOf(digest.id()) != bytes.substr(whole))
    return sealFault(name, "is corrupt: digest mismatch");
  return bytes.substr(sealedHeader, size);
}

} // namespace tikc::measure
