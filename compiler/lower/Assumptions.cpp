#include "lower/Assumptions.h"

#include "bounds/prove/WhatIf.h"
#include "lower/Numbers.h"
#include "model/Laws.h"
#include "support/Check.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace tikc::lower {
namespace {

using bounds::Origin;
using plan::Assumption;

constexpr double unbounded = std::numeric_limits<double>::infinity();

class AssumptionLowerer {
public:
  AssumptionLowerer(plan::Plan& plan, const model::Contract& contract)
      : plan_(plan), contract_(contract) {}

  /// What is handed in is of responses or tokens, whichever kernel served them; what is seen is of
  /// the plan's first stream.
  void addSeen() {
    const model::Assumptions& assumptions = contract_.assumptions;
    addRange("reward", quantity::reward, assumptions.reward);
    addRange("step_reward", quantity::step_reward, assumptions.stepReward);
    if (assumptions.advantage)
      add("advantage", quantity::advantage, *assumptions.advantage,
          -nearest(assumptions.advantage->value));
    if (assumptions.scoreNorm)
      add("score_norm", quantity::score_norm, *assumptions.scoreNorm, 0);
    if (const auto& horizon = contract_.policy.horizon)
      add("horizon", quantity::length, {horizon->scaled(), horizon->span}, -unbounded);
    if (assumptions.ratioCap && showsRatios())
      add("ratio_cap", quantity::ratio, *assumptions.ratioCap, -unbounded);
    if (assumptions.support && showsMissingMass(*assumptions.support))
      addSupport(*assumptions.support);
  }

  void addClaims(const bounds::Proof& proof) {
    for (const model::Claim& claim : contract_.claims) {
      plan::Claim& out = plan_.claims.emplace_back();
      out.id = claim.id.text;
      out.text = model::print(claim.written);
      out.isProved = true;
    }
    for (const bounds::Proof::Entry& entry : proof.entries) {
      plan::Claim& claim = plan_.claims[entry.decision.goal.claim];
      claim.isProved = claim.isProved && entry.decision.verdict == bounds::Verdict::Proved;
      if (!entry.decision.fact)
        continue;
      const bounds::Problem& problem = proof.problems[entry.problem];
      for (bounds::FactId id : bounds::inputsOf(problem.facts, *entry.decision.fact)) {
        const bounds::Fact& fact = problem.facts[id];
        rest(claim, *fact.origin);
        if (!fact.origin->stated)
          continue;
        const bounds::Problem::Slice& where = problem.slices[fact.place.slice];
        rest(claim, *fact.origin->stated, where);
        if (problem.slices[entry.decision.goal.place.slice].isMixture && !where.isMixture)
          restOnWeights(claim);
      }
    }
  }

private:
  struct AssumptionKey {
    std::string_view key;
    Span span;
    friend bool operator==(const AssumptionKey&, const AssumptionKey&) = default;
  };

  void add(std::string_view key, quantity subject, const model::Number& high, double low) {
    add({std::string(key), fmt::format("{}: {}", key, printRational(high.value)), subject, low,
         nearest(high.value)},
        {key, high.span});
  }
  void addRange(std::string_view key, quantity subject, const std::optional<model::Range>& range) {
    if (range)
      add({std::string(key),
           fmt::format("{}: [{}, {}]", key, printRational(range->low), printRational(range->high)),
           subject, nearest(range->low), nearest(range->high)},
          {key, range->span});
  }
  void addSupport(const model::Support& support) {
    const bool isFull = support.kind == model::SupportKind::Full;
    add({"support",
         isFull ? "support: full"
                : fmt::format("support: {{ missing_mass: {} }}", printRational(support.value)),
         quantity::missing_mass, -unbounded, isFull ? 0 : nearest(support.value)},
        {isFull ? "support" : "missing_mass", support.span});
  }
  void add(Assumption assumption, AssumptionKey key) {
    plan_.assumptions.push_back(std::move(assumption));
    told_.push_back(key);
  }

  /// A cap is on ratios of what is served at the weights that claims are about.
  bool showsRatios() const {
    const std::size_t server = laws_.server();
    return !contract_.assumptions.staleness && !contract_.chain.empty() &&
           laws_.logged(0) == model::Law::Served && laws_.logged(server) == model::Law::Served;
  }
  /// Rows tell it where requests bring no cut of their own, and some clause has it computed.
  bool showsMissingMass(const model::Support& support) const {
    return support.kind != model::SupportKind::TopP && !contract_.assumptions.staleness &&
           !laws_.cutVaries() && !laws_.temperatureVaries() && computesMissingMass();
  }
  bool computesMissingMass() const {
    return std::any_of(plan_.signals.begin(), plan_.signals.end(), [](const plan::Signal& each) {
      return each.figure == plan::Figure::MissingMass && each.stream == 0;
    });
  }

  void rest(plan::Claim& claim, const Origin& on) {
    const bool isSaid = on.kind == Origin::Kind::Assumption ||
                        (on.kind == Origin::Kind::Fact && on.name == "horizon");
    if (!isSaid)
      return;
    rest(claim, {on.name, on.span}, [&] { return unseenText(on); });
  }
  /// What holds of slices holds of the mixture by the traffic that they are declared to have.
  void restOnWeights(plan::Claim& claim) {
    rest(claim, {"weight", {}}, [] { return std::string("the weights of the slices"); });
  }
  template <class Text> void rest(plan::Claim& claim, const AssumptionKey& key, Text&& textOf) {
    auto at = std::find(told_.begin(), told_.end(), key);
    const auto index = static_cast<std::uint32_t>(at - told_.begin());
    if (at == told_.end())
      add({std::string(key.key), textOf(), quantity::unseen}, key);
    auto place = std::lower_bound(claim.assumptions.begin(), claim.assumptions.end(), index);
    if (place == claim.assumptions.end() || *place != index)
      claim.assumptions.insert(place, index);
  }

  /// On the slice that the fact is about; one about the mixture is about each slice that its clause
  /// is.
  void rest(plan::Claim& claim, const bounds::ClauseBound& on,
            const bounds::Problem::Slice& where) {
    const std::string& id = contract_.clauses[on.clause].id.text;
    const auto clause = std::find_if(plan_.clauses.begin(), plan_.clauses.end(),
                                     [&](const plan::Clause& each) { return each.id == id; });
    TIKC_CHECK(clause != plan_.clauses.end(), "the plan judges each clause that a proof uses");
    const std::uint32_t check = clause->checks[on.bound];
    if (plan_.checks[check].onMixture)
      return add(claim, {check, 0});
    bool isJudged = false;
    for (std::uint32_t slice : plan_.checks[check].slices)
      if (where.isMixture || plan_.slices[slice].name == where.name) {
        add(claim, {check, slice});
        isJudged = true;
      }
    TIKC_CHECK(isJudged, "the plan judges a clause on each slice that a proof uses");
  }
  static void add(plan::Claim& claim, plan::ProofCheck ground) {
    const auto place = std::lower_bound(claim.grounds.begin(), claim.grounds.end(), ground);
    if (place == claim.grounds.end() || *place != ground)
      claim.grounds.insert(place, ground);
  }

  std::string unseenText(const Origin& on) const {
    const model::Assumptions& assumptions = contract_.assumptions;
    if (on.name == "support")
      return "support: full";
    if (on.name == "missing_mass" || on.name == "top_p")
      return fmt::format("support: {{ {}: {} }}", on.name,
                         printRational(assumptions.support->value));
    if (on.name == "estimator")
      return fmt::format("estimator: {}", model::estimatorName(assumptions.estimator->value));
    if (on.name == "correction")
      return "correction: " + model::print(assumptions.correction->expr);
    for (const model::Slice& slice : contract_.slices)
      if (slice.span.contains(on.span))
        return fmt::format("{} of {}", on.name, slice.name.text);
    return on.name;
  }

  plan::Plan& plan_;
  const model::Contract& contract_;
  const model::Laws laws_{contract_};
  std::vector<AssumptionKey> told_; // of each assumption
};

} // namespace

void addAssumptions(plan::Plan& plan, const model::Contract& contract, const bounds::Proof& proof) {
  AssumptionLowerer lowerer(plan, contract);
  lowerer.addSeen();
  lowerer.addClaims(proof);
}

} // namespace tikc::lower
