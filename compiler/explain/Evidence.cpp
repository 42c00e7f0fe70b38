#include "explain/Evidence.h"

#include "bounds/prove/Engine.h"
#include "model/Metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tikc::explain {

using bounds::Fact;
using bounds::FactId;
using bounds::Problem;
using bounds::Quantifier;
using bounds::Real;
using model::Level;

namespace {

constexpr unsigned bits = 128;
constexpr unsigned keptBits = 64;
/// A tail of more has no closed form that is still cheap; fewer observations show less.
const Rational mostObservations = 1'000'000'000;

mpz_class roundedDown(const Rational& value) {
  mpz_class out;
  mpz_fdiv_q(out.get_mpz_t(), value.get_num_mpz_t(), value.get_den_mpz_t());
  return out;
}

/// What is said of a share or a mean, and by which lemma.
struct ObservedLimit {
  Rational value;
  std::string_view lemma;
};

/// An upper limit on the share that fails, after k of n failed; n fixed beforehand.
ObservedLimit shareAtFixed(const Rational& k, const Rational& n, const Rational& alpha) {
  Real level(alpha, bits);
  if (k == 0)
    return {bounds::lemmas::statCp0.evaluate(std::array{Real(n, bits), level})
                ->ceiling(keptBits)
                .upper(),
            "S-CP0"};
  const bounds::Lemma& lemma = bounds::lemmas::statCpWitness;
  auto near = lemma.choose(std::array{Real(k, bits), Real(n, bits), level});
  bool isSound =
      near && lemma.evaluate(std::array{Real(k, bits), Real(n, bits), level, Real(*near, bits)});
  return {isSound ? *near : Rational(1), "S-CP"};
}

/// The same where what is independent is an average over several, so that it fails in part.
ObservedLimit averageAtFixed(const Rational& average, const Rational& n, const Rational& alpha) {
  const bounds::Lemma& lemma = bounds::lemmas::statChernWitness;
  std::array known = {Real(average, bits), Real(n, bits), Real(alpha, bits),
                      Real(Rational(1), bits)};
  auto near = lemma.choose(known);
  if (near)
    known[3] = Real(*near, bits);
  return {near && lemma.evaluate(known) ? *near : Rational(1), "S-CHERN"};
}

/// The same at any time: the rates that the mixture keeps form an interval around k/n, so whatever
/// is above one that it rejects there is rejected, too.
ObservedLimit shareAtAnyTime(const Rational& k, const Rational& n, const Rational& alpha) {
  constexpr unsigned steps = 40;
  Real needed = -log(Real(alpha, bits));
  Rational low = k / n, high = 1;
  for (unsigned i = 0; i < steps; ++i) {
    Rational middle = Real((low + high) / 2, bits).ceiling(keptBits).upper();
    auto evidence = bounds::lemmas::statBetaBin.evaluate(
        std::array{Real(k, bits), Real(n, bits), Real(middle, bits)});
    bool isRejected = evidence && isAtMost(needed, *evidence);
    (isRejected ? high : low) = middle;
  }
  return {high, "S-BETABIN"};
}

ObservedLimit meanLimit(const Rational& mean, const Rational& n, const Rational& alpha,
                        std::string_view lemma) {
  auto upper = bounds::lemmas::statHoeff.evaluate(
      std::array{Real(mean, bits), Real(n, bits), Real(alpha, bits), Real(Rational(1), bits)});
  Rational one = 1;
  return {upper ? std::min(upper->ceiling(keptBits).upper(), one) : one, lemma};
}

/// What was seen of the clause that a fact rests on.
struct ClauseObservations {
  const model::Clause* clause = nullptr;
  const model::Bound* bound = nullptr;
  Level level{};
  Rational observations;
  bool isAverage = false; // each observation is, over the contexts of a response or more
};

class Weigher {
public:
  Weigher(const model::Contract& contract, const Observations& observed)
      : contract_(contract), observed_(observed) {}

  std::vector<WeighedClaim> weigh(std::size_t goal) const {
    std::vector<FactId> kept = durable(goal);
    std::vector<WeighedClaim> out;
    for (bool isAnytime : {false, true})
      out.push_back(derive(goal, kept, isAnytime));
    return out;
  }

private:
  /// The clauses that the claim rests on where observations are without end. It depends on the
  /// contract alone, so the level may be split over these beforehand.
  std::vector<FactId> durable(std::size_t index) const {
    Problem problem = bounds::pose(contract_, bounds::firstPrecision);
    static const Rational nearlyNone(1, 1'000'000'000);
    for (FactId id : clausesOf(problem))
      if (!canBeObserved(problem.facts[id]))
        drop(problem, id);
      else if (problem.facts[id].key.quantifier == Quantifier::Sup)
        restate(problem, id, nearlyNone);
    const bounds::Goal goal = problem.goals[index];
    auto fact = bestOf(problem, goal);
    std::vector<FactId> out;
    if (fact)
      for (FactId id : bounds::inputsOf(problem.facts, *fact))
        if (isClause(problem.facts[id]))
          out.push_back(id);
    return out;
  }

  WeighedClaim derive(std::size_t index, const std::vector<FactId>& kept, bool isAnytime) const {
    WeighedClaim out;
    out.isAnytime = isAnytime;
    out.alpha = 1 - *observed_.confidence;
    if (kept.empty())
      return out;
    Problem problem = bounds::pose(contract_, bounds::firstPrecision);
    const bounds::Goal goal = problem.goals[index];
    Rational level = out.alpha / static_cast<unsigned long>(kept.size());
    for (FactId id : clausesOf(problem)) {
      if (std::find(kept.begin(), kept.end(), id) == kept.end()) {
        drop(problem, id);
        continue;
      }
      std::uint32_t slice = problem.facts[id].place.slice;
      out.statements.push_back(observe(problem, id, level, isAnytime));
      // A claim on the mixture rests on several slices; any other on its own.
      if (slice != goal.place.slice)
        out.statements.back().slice = problem.slices[slice].name;
    }
    if (auto fact = bestOf(problem, goal)) {
      out.bound = problem.facts[*fact].bound;
      out.isShown = bounds::meets(goal, problem.facts[*fact]);
    }
    return out;
  }

  /// Puts what the observations show in the place of the promise.
  ObservedStatement observe(Problem& problem, FactId id, const Rational& alpha,
                            bool isAnytime) const {
    const Fact fact = problem.facts[id];
    ClauseObservations observations = *seenOf(fact);
    const Rational& n = observations.observations;
    Rational look =
        isAnytime ? Rational(alpha / (*observed_.windows * (*observed_.windows + 1))) : alpha;
    bool isMean = fact.key.quantifier == Quantifier::Mean;
    Rational promised = isMean ? fact.bound : fact.key.share;
    ObservedLimit limit;
    if (isDecidedByItself(observations, fact, promised, look))
      limit = {promised, "its own confidence"};
    else if (isMean)
      limit = meanLimit(promised, n, look, isAnytime ? "S-HOEFF, S-LOOKS" : "S-HOEFF");
    else {
      Rational failed = failures(observations, fact, promised);
      limit = isAnytime                              ? shareAtAnyTime(failed, n, alpha)
              : observations.isAverage && failed > 0 ? averageAtFixed(failed / n, n, alpha)
                                                     : shareAtFixed(failed, n, alpha);
    }
    if (isMean)
      problem.facts.change(id,
                           [&](Fact& changed) { changed.bound = changed.otherEnd = limit.value; });
    else if (limit.value < 1)
      restate(problem, id, limit.value);
    else
      drop(problem, id);
    return {fact.origin->name,
            {},
            n,
            unitOf(observations),
            observations.level == Level::Sequence ? "responses" : "contexts",
            observed_.unit() == Observations::Unit::Context &&
                observations.level != Level::Sequence,
            !isMean,
            limit.value,
            limit.lemma};
  }

  /// One that breaks a maximum spoils no more than its own response. What a quantile leaves is a
  /// share of each, and of several responses no whole number.
  Rational failures(const ClauseObservations& observations, const Fact& fact,
                    const Rational& promised) const {
    const Rational& n = observations.observations;
    if (fact.key.quantifier == Quantifier::Sup)
      return std::min(*observed_.violations, n);
    return observations.isAverage ? Rational(-roundedDown(-promised * n))
                                  : Rational(roundedDown(promised * n));
  }

  std::string unitOf(const ClauseObservations& observations) const {
    switch (observed_.unit()) {
    case Observations::Unit::Prompt:
      return "prompt";
    case Observations::Unit::Response:
      return "response";
    default:
      return std::string(model::levelName(observations.level));
    }
  }

  /// A clause with a confidence of its own is satisfied only where its upper limit is, once there
  /// are enough observations for that. It speaks of what its window served: of the population only
  /// where its observations are what is independent.
  static bool isDecidedByItself(const ClauseObservations& observations, const Fact& fact,
                                const Rational& promised, const Rational& alpha) {
    if (fact.key.quantifier == Quantifier::Sup || !observations.bound->confidence ||
        observations.isAverage || promised <= 0 || promised >= 1)
      return false;
    Rational own = 1 - observations.bound->confidence->scaled();
    if (own <= 0 || own > alpha)
      return false;
    auto needed =
        bounds::lemmas::statCp0Count.evaluate(std::array{Real(own, bits), Real(promised, bits)});
    return needed && observations.observations >= needed->upper();
  }

  // The problem.

  static bool isClause(const Fact& fact) {
    return fact.origin && fact.origin->kind == bounds::Origin::Kind::Clause;
  }

  static std::vector<FactId> clausesOf(const Problem& problem) {
    std::vector<FactId> out;
    for (FactId id : problem.inputs)
      if (isClause(problem.facts[id]))
        out.push_back(id);
    return out;
  }

  static void drop(Problem& problem, FactId id) { std::erase(problem.inputs, id); }

  static void restate(Problem& problem, FactId id, const Rational& share) {
    problem.facts.change(id, [&](Fact& fact) {
      fact.key.quantifier = Quantifier::Quantile;
      fact.key.share = share;
      fact.key.isOpen = false;
    });
  }

  static std::optional<FactId> bestOf(Problem& problem, const bounds::Goal& goal) {
    if (!goal.key)
      return std::nullopt;
    problem.goals = {goal};
    bounds::Engine engine(problem);
    engine.run();
    return engine.best(*goal.key, goal.place);
  }

  // The observations.

  /// A mean needs a range; whatever else is left counts failures.
  bool canBeObserved(const Fact& fact) const {
    bool isBounded = bounds::info(fact.key.quantity).cap == "1" &&
                     bounds::info(fact.key.quantity).side == bounds::QuantityInfo::Side::Upper;
    if (fact.key.quantifier == Quantifier::Mean && (!isBounded || fact.bound < 0 || fact.bound > 1))
      return false;
    auto observations = seenOf(fact);
    return observations && observations->observations > 0;
  }

  std::optional<ClauseObservations> seenOf(const Fact& fact) const {
    if (!fact.origin->stated)
      return std::nullopt;
    const model::Clause& clause = fact.origin->stated->clauseOf(contract_);
    const model::Bound& bound = fact.origin->stated->boundOf(contract_);
    const auto& metric = model::info(bound.measure.metric);
    auto n = observationsOf(metric);
    return n ? std::optional(
                   ClauseObservations{&clause, &bound, metric.level, *n, isAverage(metric.level)})
             : std::nullopt;
  }

  bool isAverage(Level level) const {
    return observed_.unit() == Observations::Unit::Prompt ||
           (observed_.unit() == Observations::Unit::Response && level != Level::Sequence);
  }

  std::optional<Rational> observationsOf(const model::MetricInfo& metric) const {
    bool isOfResponses = metric.level == Level::Sequence;
    if (!isOfResponses && metric.level != Level::Row && metric.level != Level::Token)
      return std::nullopt;
    auto responses = responsesOf();
    if (isOfResponses && !responses)
      return std::nullopt;
    Rational out =
        roundedDown((isOfResponses ? *responses : *observed_.tokens) * shareSampled(metric.input));
    // Those of one response depend on one another, and responses to one prompt do.
    for (const auto& most : {observed_.sequences, observed_.prompts})
      if (most)
        out = std::min(out, *most);
    return std::min(out, mostObservations);
  }

  /// As told; else as many as there are at least, since none is longer than the horizon.
  std::optional<Rational> responsesOf() const {
    if (observed_.sequences)
      return observed_.sequences;
    const auto& horizon = contract_.policy.horizon;
    if (!horizon || horizon->scaled() <= 0)
      return std::nullopt;
    return Rational(-roundedDown(-*observed_.tokens / horizon->scaled()));
  }

  Rational shareSampled(model::Input input) const {
    Rational out = 0;
    for (const model::Clause& clause : contract_.clauses) {
      if (!clause.directive || clause.directive->id != model::CallId::Sample)
        continue;
      const auto& arguments = clause.directive->expr.arguments;
      if (arguments.size() > 1 && arguments[0].text == model::inputName(input))
        out = std::max(out, arguments[1].quantity.scaled());
    }
    return out;
  }

  const model::Contract& contract_;
  const Observations& observed_;
};

} // namespace

void weigh(Explanation& explanation, const model::Contract& contract, const bounds::Proof& proof,
           const Observations& observed) {
  explanation.observed = observed;
  Weigher weigher(contract, observed);
  for (Chapter& chapter : explanation.chapters)
    if (proof.entries[chapter.entry].decision.goal.key)
      chapter.weighed = weigher.weigh(chapter.entry);
}

} // namespace tikc::explain
