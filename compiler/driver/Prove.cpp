#include "bounds/certificate/Certificate.h"
#include "driver/ProvenFile.h"
#include "support/Utf8.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>

namespace tikc::driver {
namespace {

/// The contract of the name, or the only one.
llvm::Expected<std::size_t> choose(const ProvenFile& file, const std::string& wanted) {
  const auto& contracts = file.checked.contracts;
  std::vector<std::string> names;
  names.reserve(contracts.size());
  for (const model::Contract& contract : contracts)
    names.push_back(contract.name.value);
  if (wanted.empty() && names.size() == 1)
    return 0;
  if (wanted.empty())
    return usageError(fmt::format("the file has {} contracts; choose one with --contract: {}",
                                  names.size(), fmt::join(names, ", ")));
  auto match = std::find(names.begin(), names.end(), wanted);
  if (match == names.end())
    return usageError(
        fmt::format("unknown contract {}{}", utf8::ticked(wanted), suggestion(wanted, names)));
  return static_cast<std::size_t>(match - names.begin());
}

} // namespace

llvm::Expected<int> runProve(const Invocation& invocation) {
  auto file = proveFile(invocation, invocation.arguments.front());
  if (!file)
    return file.takeError();
  if (file->isFaulty)
    return Findings;
  auto index = choose(*file, invocation.get("--contract"));
  if (!index)
    return index.takeError();
  const model::Contract& contract = file->checked.contracts[*index];
  const auto& proof = file->checked.proofs[*index];
  if (!proof)
    return usageError(
        fmt::format("{} is abstract; only contracts that extend it have claims to prove",
                    utf8::ticked(contract.name.value)));
  if (auto error = writeOutput(invocation, bounds::certificate(*file->sources, contract, *proof)))
    return error;
  std::size_t open = proof->openEntries();
  if (open > 0)
    fmt::print(stderr, "{} of {} claims{} {} not proved; `tikc check {}` shows why\n", open,
               proof->entries.size(), contract.draft ? " of this draft" : "",
               open == 1 ? "is" : "are", file->name);
  return open == 0 ? Clean : Findings;
}

} // namespace tikc::driver
