#pragma once

#include "ide/Analysis.h"
#include "ide/Grounds.h"

#include <llvm/Support/Error.h>

#include <string>
#include <string_view>
#include <vector>

/// What an editor may ask of a claim.
namespace tikc::ide {

/// What became of a claim, to be shown above it.
struct Lens {
  Span span;
  std::string contract, claim;
  std::string outcome;
};
std::vector<Lens> lensesIn(const Analysis& analysis);

struct AskedClaim {
  const Analysis* analysis = nullptr;
  Proven proven;
  std::size_t claim = 0;

  const std::string& file() const { return analysis->sources->get(analysis->file).name; }
};
/// The one at a place, or else the nearest above it; an error says why there is none.
llvm::Expected<AskedClaim> claimAt(const Analysis& analysis, std::uint32_t wanted);
llvm::Expected<AskedClaim> claimNamed(const Analysis& analysis, std::string_view contract,
                                      std::string_view claim);

/// What a command tells, and what people are shown of it where nothing else shows it.
struct ToldText {
  std::string text, shown;
};
/// Why it follows, or does not. A page is HTML.
ToldText explained(const AskedClaim& asked, bool asPage);
/// How far the contract's numbers could go.
ToldText solved(const AskedClaim& asked);

} // namespace tikc::ide
