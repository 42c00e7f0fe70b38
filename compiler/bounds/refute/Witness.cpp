#include "bounds/refute/Witness.h"

#include "bounds/facts/Age.h"
#include "bounds/refute/WitnessSearch.h"

#include <fmt/format.h>

namespace tikc::bounds {

using population::Candidate;
using population::Crowd;
using population::Demand;
using population::Scenario;

namespace {

/// What is no number, or beyond any that a contract may hold, is tried as 0: the candidate is
/// judged by what it is then.
Rational decimalOf(double value, int digits) {
  return parseDecimal(fmt::format("{:.{}e}", value, digits - 1)).value_or(Rational(0));
}

/// A decimal just below a positive number.
Rational decimalBelow(double value, int digits) {
  return decimalOf(value * (1 - 0.51 * std::pow(10.0, 1 - digits)), digits);
}

/// How many digits tell a value from a limit, which it was seen to keep or to break.
unsigned digitsBeside(const Real& value, const Rational& limit) {
  constexpr unsigned few = 5, most = 24;
  for (unsigned digits = few; digits <= most; ++digits) {
    Rational low = rounded(value.lower(), digits, Rounding::Down);
    Rational high = rounded(value.upper(), digits, Rounding::Up);
    if (low == high || high < limit || limit < low)
      return digits;
  }
  return few;
}

/// Tries digits until the clauses hold for certain and the claim fails for certain.
class Verifier {
public:
  Verifier(const Scenario& scenario, std::size_t split) : scenario_(scenario), split_(split) {}

  bool accept(const Candidate& candidate) {
    if (!scenario_.hasRoomFor(candidate.copies, candidate.steps))
      return false;
    static constexpr int digitCounts[] = {3, 6, 10, 16};
    for (int digits : digitCounts)
      for (auto round : {decimalOf, decimalBelow})
        if (settle(candidate, digits, round))
          return true;
    return false;
  }

  std::optional<Witness> found;

private:
  template <typename N>
  Crowd<N> crowdOf(const Candidate& candidate, const std::vector<Rational>& drifts,
                   const std::vector<Rational>& middles) const {
    auto all = [&](const std::vector<Rational>& values) {
      std::vector<N> out;
      out.reserve(values.size());
      for (const Rational& value : values)
        out.push_back(population::numberOf<N>(value, scenario_.bits));
      return out;
    };
    Crowd<N> out;
    out.copies = candidate.copies;
    out.steps = candidate.steps;
    out.kinds = population::kindsOf(scenario_, candidate, all(drifts), all(middles));
    scenario_.look(out);
    return out;
  }

  bool settle(const Candidate& candidate, int digits, Rational (*round)(double, int)) {
    std::vector<Rational> drifts, middles;
    for (double drift : candidate.drifts) {
      drifts.push_back(drift > 0 ? round(drift, digits) : Rational(0));
      middles.push_back(
          decimalOf(population::middleOf(scenario_, candidate, drifts.back().get_d()), digits + 2));
    }
    auto rough = crowdOf<double>(candidate, drifts, middles);
    if (!scenario_.breaksClaim(rough) || !scenario_.allows(rough))
      return false;
    auto exact = crowdOf<Real>(candidate, drifts, middles);
    if (!scenario_.breaksClaim(exact) || !scenario_.allows(exact))
      return false;
    found = write(exact);
    return true;
  }

  Witness write(const Crowd<Real>& crowd) const {
    Witness out;
    for (const auto& kind : crowd.kinds) {
      auto logits = [](const std::array<Real, 2>& of) {
        return std::vector<Rational>{of[0].lower(), of[1].lower()};
      };
      out.kinds.push_back({kind.weight.lower(), logits(kind.train), logits(kind.infer)});
    }
    out.copies.assign(crowd.copies.begin(), crowd.copies.end());
    out.steps = crowd.steps;
    out.split = split_;
    writeAssumptions(out, crowd);
    for (const Demand& clause : scenario_.clauses)
      out.rows.push_back(row(clause, crowd));
    out.rows.push_back(row(scenario_.claim, crowd));
    return out;
  }

  void writeAssumptions(Witness& out, const Crowd<Real>& crowd) const {
    auto add = [&](std::string_view what, const Real& value, const std::optional<Rational>& limit) {
      if (limit)
        out.rows.push_back(
            {std::string(what), value, "<= " + printRational(*limit), digitsBeside(value, *limit)});
    };
    add("max |logit|", Scenario::largestLogit(crowd), scenario_.logitBound);
    add("logit_osc by age", Scenario::largestDrift(crowd), scenario_.ageDrift);
    add("max(ratio)", Scenario::largestRatio(crowd), scenario_.ratioCap);
  }

  Witness::Row row(const Demand& demand, const Crowd<Real>& crowd) const {
    Witness::Row out{demand.what, scenario_.valueOf(demand, crowd).value(), demand.limit};
    for (const auto& limit : demand.figures<Real>().limits)
      out.digits = std::max(out.digits, digitsBeside(out.value, limit.bound.lower()));
    return out;
  }

  const Scenario& scenario_;
  std::size_t split_;
};

} // namespace

std::optional<Witness> findWitness(const model::Contract& contract, const Goal& goal, unsigned bits,
                                   std::size_t& effort) {
  if (auto aged = withAge(contract))
    return findWitness(*aged, goal, bits, effort);
  for (std::size_t split = 1; split < contract.chain.size() && effort > 0; ++split) {
    effort -= std::min(effort, 1 + contract.clauses.size());
    auto scenario = Scenario::of(contract, goal, split, bits);
    if (!scenario)
      return std::nullopt;
    Verifier verifier(*scenario, split);
    auto accept = [&](const Candidate& candidate) { return verifier.accept(candidate); };
    if (population::search(*scenario, accept, effort))
      return std::move(verifier.found);
  }
  return std::nullopt;
}

} // namespace tikc::bounds
