#pragma once

#include "changes/Changes.h"
#include "ide/Analysis.h"

#include <llvm/Support/Error.h>

#include <string>
#include <string_view>
#include <vector>

/// What has become of a file since it was committed, by the semantics that `tikc diff` has.
namespace tikc::ide {

/// Of each contract that both texts have and that is no base alone. None where one of the texts has
/// errors. What the old text had has no place here: its sources are others.
std::vector<changes::ContractChanges> changesSince(const Analysis& was, const Analysis& is);

/// What the changes of a contract ask of its version, to be shown above it.
struct VersionLens {
  Span span;
  std::string contract;
  std::string need;
};
std::vector<VersionLens> versionLensesIn(const Analysis& is,
                                         const std::vector<changes::ContractChanges>& since);

/// Which contract stands at a place; empty where none can be told.
std::string contractAt(const Analysis& is, std::uint32_t offset);
/// What `tikc diff` says of one contract; an error says why there is nothing.
llvm::Expected<std::string> toldSince(const Analysis& was, const Analysis& is,
                                      std::string_view contract);

} // namespace tikc::ide
