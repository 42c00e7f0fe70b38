#pragma once

#include "changes/Changes.h"
#include "ide/Analysis.h"

#include <llvm/Support/Error.h>

#include <string>
#include <string_view>
#include <vector>

/// The changes of a file since its last commit, compared like `tikc diff`.
namespace tikc::ide {

/// Returns the changes of each contract that both texts have and that is not abstract; none if a
/// text has errors. The changes have no places in the old text, which has other sources.
std::vector<changes::ContractChanges> changesSince(const Analysis& committed,
                                                   const Analysis& current);

/// The version step that the changes of a contract need, shown above it.
struct VersionLens {
  Span span;
  std::string contract;
  std::string need;
};
std::vector<VersionLens> versionLensesIn(const Analysis& current,
                                         const std::vector<changes::ContractChanges>& since);

/// Returns the name of the contract at a place; empty if it is not clear.
std::string contractAt(const Analysis& current, std::uint32_t offset);
/// Returns the report of `tikc diff` on one contract; the error says why there is none.
llvm::Expected<std::string> toldSince(const Analysis& committed, const Analysis& current,
                                      std::string_view contract);

} // namespace tikc::ide
