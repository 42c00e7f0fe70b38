#include "Require.h"
#include "data/bytes/Digest.h"
#include "measure/Evidence.h"
#include "measure/EvidenceOrder.h"

#include <string>

// Any bytes as evidence: refused, or what would be written again, and joined with itself the same.
// A digest is in nobody's reach, so that the bytes are also taken as what it is of.
namespace {

using namespace tikc;

void read(const std::string& bytes) {
  auto evidence = measure::Evidence::read(bytes, "name");
  if (!evidence)
    return llvm::consumeError(evidence.takeError());
  require(evidence->bytes() == bytes, "what is read is what would be written");
  const measure::NamedEvidence twice[] = {{"one", *evidence}, {"other", *evidence}};
  auto joined = measure::joined(twice, true);
  require(static_cast<bool>(joined), "evidence joins itself");
  require(joined->bytes() == bytes, "what is in is not counted twice");
  measure::summaryOf(*evidence);
  std::size_t fragments = 0;
  const measure::EvidenceOrder order(*evidence, false);
  auto error = order.each([&](std::size_t piece, const measure::EvidenceFragment&) {
    require(piece < evidence->pieces.size(), "a fragment is of a piece");
    ++fragments;
    return llvm::Error::success();
  });
  require(!error, "an order has no faults of its own");
  for (const measure::EvidencePiece& each : evidence->pieces)
    measure::EvidenceContent::read(each, [&](const measure::EvidenceFragment&) { --fragments; });
  require(fragments == 0, "each fragment is judged once");
}

std::string sealed(std::string_view body) {
  std::string out = "TIKCEVID";
  out += std::string("\3\0\0\0", 4);
  for (unsigned i = 0; i < 8; ++i)
    out += static_cast<char>(std::uint64_t{body.size()} >> (8 * i));
  out += body;
  data::Digest digest;
  digest.add(out);
  const data::PieceId id = digest.id();
  return out.append(id.digest.begin(), id.digest.end());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  read(std::string(text));
  read(sealed(text));
  return 0;
}
