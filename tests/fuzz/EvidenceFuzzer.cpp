#include "Require.h"
#include "measure/Evidence.h"
#include "measure/EvidenceOrder.h"

#include <string>

// Any bytes as evidence: refused, or what would be written again, and joined with itself the same.
// No mutation finds a digest, so the bytes are also taken as a body and sealed.
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

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  read(std::string(text));
  read(measure::sealedFile(measure::evidenceKind, text));
  return 0;
}
