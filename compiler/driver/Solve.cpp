#include "driver/ProvenFile.h"
#include "explain/SolutionFormats.h"
#include "explain/Words.h"
#include "support/Utf8.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tikc::driver {
namespace {

struct ClaimPlace {
  std::size_t contract = 0, claim = 0;
};

llvm::Expected<ClaimPlace> findClaim(const ProvenFile& file, const std::string& wanted) {
  std::vector<ClaimPlace> found;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < file.checked.contracts.size(); ++i) {
    const auto& claims = file.checked.contracts[i].claims;
    for (std::size_t k = 0; k < claims.size() && file.checked.proofs[i]; ++k) {
      names.push_back(claims[k].id.text);
      if (wanted.empty() || claims[k].id.text == wanted)
        found.push_back({i, k});
    }
  }
  if (found.size() == 1)
    return found.front();
  if (names.empty())
    return usageError(fmt::format("{} has no claims", utf8::ticked(file.name)));
  if (found.empty())
    return usageError(
        fmt::format("unknown claim {}{}", utf8::ticked(wanted), suggestion(wanted, names)));
  if (!wanted.empty())
    return usageError(fmt::format("several contracts of the file claim {}", utf8::ticked(wanted)));
  return usageError(fmt::format("choose a claim with --claim: {}", fmt::join(names, ", ")));
}

/// The tolerances of a clause; an error where it has none.
llvm::Expected<std::vector<bounds::Fact>> tolerancesOf(const bounds::Solver& solver,
                                                       const model::Contract& contract,
                                                       const std::string& clause) {
  std::vector<std::string> names;
  for (const model::Clause& row : contract.clauses)
    names.push_back(row.id.text);
  if (std::find(names.begin(), names.end(), clause) == names.end())
    return usageError(
        fmt::format("unknown clause {}{}", utf8::ticked(clause), suggestion(clause, names)));
  auto out = solver.tolerancesOf(clause);
  if (out.empty())
    return usageError(fmt::format("clause {} states no tolerance that a drift bound depends on",
                                  utf8::ticked(clause)));
  return out;
}

llvm::Error checkOptions(const Invocation& invocation) {
  bool trades = invocation.has("--against");
  if (trades && !invocation.has("--for"))
    return usageError("--against requires --for");
  if (trades && invocation.get("--for") == invocation.get("--against"))
    return usageError("--for and --against require two different clauses");
  if (!trades && invocation.get("--format") == "svg")
    return usageError("--format=svg requires --for and --against");
  return llvm::Error::success();
}

/// Of the clauses that are named.
llvm::Error addAnswer(explain::Solution& out, const Invocation& invocation,
                      const bounds::Solver& solver, const explain::Guide& guide,
                      const model::Contract& contract) {
  auto clauses = tolerancesOf(solver, contract, invocation.get("--for"));
  if (!clauses)
    return clauses.takeError();
  if (invocation.has("--against")) {
    auto others = tolerancesOf(solver, contract, invocation.get("--against"));
    if (!others)
      return others.takeError();
    if (out.isBounded && !out.isInfeasible)
      out.trade = explain::tradeOf(guide, solver, clauses->front(), others->front());
    return llvm::Error::success();
  }
  if (!out.isBounded || out.isInfeasible)
    return llvm::Error::success();
  for (const bounds::Fact& clause : *clauses)
    out.reaches.push_back(guide.reach({clause, solver.extentOf(clause)}));
  return llvm::Error::success();
}

llvm::Expected<explain::Solution> solutionOf(const Invocation& invocation, const ProvenFile& file,
                                             const ClaimPlace& place, const std::string& slice) {
  const model::Contract& contract = file.checked.contracts[place.contract];
  const bounds::Proof& proof = *file.checked.proofs[place.contract];
  bounds::Solver solver(contract, proof, place.claim, slice);
  if (solver.isEmpty())
    return usageError(fmt::format("claim {} does not cover the slice {}",
                                  utf8::ticked(contract.claims[place.claim].id.text),
                                  utf8::ticked(slice)));
  if (!invocation.has("--for"))
    return explain::solve(*file.sources, file.name, contract, proof, place.claim, slice);
  explain::Solution out = explain::headOf(contract, place.claim, slice, solver);
  if (auto error = addAnswer(out, invocation, solver, {*file.sources, contract}, contract))
    return error;
  if (!out.isBounded)
    explain::addMissing(out, *file.sources, file.name, contract, proof);
  return out;
}

} // namespace

llvm::Expected<int> runSolve(const Invocation& invocation) {
  if (auto error = checkOptions(invocation))
    return error;
  auto file = proveFile(invocation, invocation.arguments.front());
  if (!file)
    return file.takeError();
  if (file->isFaulty)
    return Findings;
  std::string slice = invocation.get("--slice");
  if (auto error = checkSlice(*file, slice))
    return error;
  auto claim = findClaim(*file, invocation.get("--claim"));
  if (!claim)
    return claim.takeError();
  auto solution = solutionOf(invocation, *file, *claim, slice);
  if (!solution)
    return solution.takeError();
  std::string form = invocation.get("--format");
  std::string text = form == "json"  ? explain::solutionJson(*solution)
                     : form == "svg" ? explain::solutionSvg(*solution)
                                     : explain::solutionText(*solution);
  if (auto error = writeOutput(invocation, text))
    return error;
  return solution->hasAnswer() ? Clean : Findings;
}

} // namespace tikc::driver
