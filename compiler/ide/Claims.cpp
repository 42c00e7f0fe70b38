#include "ide/Claims.h"

#include "explain/Formats.h"
#include "explain/SolutionFormats.h"
#include "support/UsageError.h"

#include <algorithm>

namespace tikc::ide {

std::vector<Lens> lensesIn(const Analysis& analysis) {
  std::vector<Lens> out;
  for (const ProvenContract& proven : provenOf(analysis)) {
    const model::Contract& contract = *proven.contract;
    for (std::size_t i = 0; i < contract.claims.size(); ++i) {
      auto outcome = outcomeOf(proven, i);
      const model::Name& id = contract.claims[i].id;
      if (outcome && id.span.file == analysis.file)
        out.push_back({id.span, contract.name.value, id.text, outcomeText(*outcome)});
    }
  }
  return out;
}

llvm::Expected<AskedClaim> claimAt(const Analysis& analysis, std::uint32_t wanted) {
  auto lineOf = [&](std::uint32_t offset) {
    return analysis.sources->position(analysis.file, offset).line;
  };
  AskedClaim out;
  std::uint32_t line = 0;
  for (const ProvenContract& proven : provenOf(analysis))
    for (std::size_t i = 0; i < proven.contract->claims.size(); ++i) {
      const Span& id = proven.contract->claims[i].id.span;
      if (id.file != analysis.file || lineOf(id.begin) > lineOf(wanted) || lineOf(id.begin) < line)
        continue;
      line = lineOf(id.begin);
      out = {&analysis, proven, i};
    }
  bool hasErrors =
      std::any_of(analysis.checked.diagnostics.begin(), analysis.checked.diagnostics.end(),
                  [](const diag::Diagnostic& diagnostic) {
                    return diagnostic.severity == diag::Severity::Error;
                  });
  if (out.analysis && out.proven.proof)
    return out;
  if (hasErrors)
    return usageError("the file has errors: fix them before its claims can be decided");
  return usageError(out.analysis ? "the contract is abstract, so its claims are not decided"
                                 : "no claim at or above the cursor: put the cursor on a claim");
}

llvm::Expected<AskedClaim> claimNamed(const Analysis& analysis, std::string_view contract,
                                      std::string_view claim) {
  for (const ProvenContract& proven : provenOf(analysis))
    for (std::size_t i = 0; i < proven.contract->claims.size(); ++i)
      if (proven.contract->name.value == contract && proven.contract->claims[i].id.text == claim) {
        if (!proven.proof)
          return usageError(
              "the contract has errors or is abstract, so its claims are not decided");
        return AskedClaim{&analysis, proven, i};
      }
  return usageError("unknown claim: the text has changed");
}

ToldText explained(const AskedClaim& claim, bool asPage) {
  std::vector<explain::Explanation> told = {
      explain::tell(*claim.analysis->sources, claim.file(), *claim.proven.contract,
                    *claim.proven.proof, {claim.proven.contract->claims[claim.claim].id.text, ""},
                    asPage ? explain::Depth::Curves : explain::Depth::Proof)};
  std::string text = asPage ? explain::htmlPage(told) : explain::text(told);
  told.front().lemmas.clear(); // their statements would bury the rest
  return {std::move(text), explain::text(told)};
}

ToldText solved(const AskedClaim& claim) {
  std::string text = explain::solutionText(explain::solve(*claim.analysis->sources, claim.file(),
                                                          *claim.proven.contract,
                                                          *claim.proven.proof, claim.claim, ""));
  return {text, text};
}

} // namespace tikc::ide
