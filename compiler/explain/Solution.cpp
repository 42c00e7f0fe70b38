#include "explain/Solution.h"

#include "explain/Words.h"
#include "support/Escape.h"

#include <algorithm>

namespace tikc::explain {

using bounds::Rounding;

Trade tradeOf(const explain::Guide& guide, const bounds::Solver& solver, const bounds::Fact& given,
              const bounds::Fact& other) {
  Trade out{guide.reach({given, {}}), guide.reach({other, {}}), {}};
  bounds::Extent most = solver.extentOf(given, {{other, 0}});
  if (!most.isFree && !most.largest)
    return out;
  Rational end = most.isFree ? Rational(2 * given.bound) : *most.largest;
  constexpr int rows = 12, digits = 4;
  for (int i = 0; i < rows; ++i) {
    Rational exact = end * Rational(i) / Rational(rows - 1);
    // Short enough to be written into a contract; the last row stays at the end.
    Rational tolerance = i + 1 == rows ? end : bounds::rounded(exact, digits, Rounding::Down);
    out.rows.push_back({tolerance, solver.extentOf(other, {{given, tolerance}})});
  }
  return out;
}

bool Solution::hasAnswer() const {
  if (trade)
    return !trade->rows.empty();
  return std::any_of(
             reaches.begin(), reaches.end(),
             [](const Reach& reach) { return reach.extent.isFree || reach.extent.largest; }) ||
         (follows && reaches.empty());
}

Solution headOf(const model::Contract& contract, std::size_t claim, const std::string& slice,
                const bounds::Solver& solver) {
  Solution out;
  out.contract = contract.name.value;
  out.claim = contract.claims[claim].id.text;
  out.text = escape::oneLine(model::print(contract.claims[claim].written));
  out.slice = slice;
  out.follows = solver.follows();
  out.isBounded = solver.isBounded();
  out.isInfeasible = out.isBounded && solver.isInfeasible();
  return out;
}

void addMissing(Solution& solution, const SourceManager& sources, const std::string& file,
                const model::Contract& contract, const bounds::Proof& proof) {
  explain::Explanation told = explain::tell(
      sources, file, contract, proof, {solution.claim, solution.slice}, explain::Depth::Verdict);
  for (const explain::Chapter& chapter : told.chapters)
    for (const std::string& line : explain::missingLines(chapter))
      if (std::find(solution.missing.begin(), solution.missing.end(), line) ==
          solution.missing.end())
        solution.missing.push_back(line);
}

Solution solve(const SourceManager& sources, const std::string& file,
               const model::Contract& contract, const bounds::Proof& proof, std::size_t claim,
               const std::string& slice) {
  explain::Guide guide(sources, contract);
  bounds::Solver solver(contract, proof, claim, slice);
  Solution out = headOf(contract, claim, slice, solver);
  if (!out.isBounded)
    addMissing(out, sources, file, contract, proof);
  if (!out.isBounded || out.isInfeasible)
    return out;
  for (const bounds::Leeway& leeway : solver.advise().leeways)
    out.reaches.push_back(guide.reach(leeway));
  for (const model::Clause& clause : contract.clauses)
    if (!clause.directive &&
        std::none_of(out.reaches.begin(), out.reaches.end(),
                     [&](const Reach& r) { return r.ground.name == clause.id.text; }))
      out.others.push_back(clause.id.text);
  return out;
}

} // namespace tikc::explain
