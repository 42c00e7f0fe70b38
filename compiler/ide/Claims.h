#pragma once

#include "ide/Analysis.h"
#include "ide/Grounds.h"

#include <llvm/Support/Error.h>

#include <string>
#include <string_view>
#include <vector>

/// An editor's questions about a claim.
namespace tikc::ide {

/// The verdict on a claim, shown above it.
struct Lens {
  Span span;
  std::string contract, claim;
  std::string outcome;
};
std::vector<Lens> lensesIn(const Analysis& analysis);

struct AskedClaim {
  const Analysis* analysis = nullptr;
  ProvenContract proven;
  std::size_t claim = 0;

  const std::string& file() const { return analysis->sources->get(analysis->file).name; }
};
/// Returns the claim at a place, otherwise the nearest one above it; the error says why there is
/// none.
llvm::Expected<AskedClaim> claimAt(const Analysis& analysis, std::uint32_t wanted);
llvm::Expected<AskedClaim> claimNamed(const Analysis& analysis, std::string_view contract,
                                      std::string_view claim);

/// The result of a command, and the message for editors that do not show results.
struct ToldText {
  std::string text, shown;
};
/// Explains why the claim follows, or does not; as a page in HTML.
ToldText explained(const AskedClaim& claim, bool asPage);
/// Shows how far the contract's numbers could go.
ToldText solved(const AskedClaim& claim);

} // namespace tikc::ide
