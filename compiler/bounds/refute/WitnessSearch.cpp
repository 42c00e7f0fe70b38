#include "bounds/refute/WitnessSearch.h"

#include "support/Check.h"

#include <fmt/format.h>

#include <limits>

namespace tikc::bounds::population {

using model::Aggregate;
using model::ClaimId;

double Centre::at(double drift) const {
  constexpr double tooSmall = 1e-3; // the chord pair is the symmetric one, as near as matters
  double growth = std::expm1(drift);
  switch (tactic) {
  case Tactic::Fixed:
    return offset;
  case Tactic::InferOdds:
    return offset + drift / 2;
  case Tactic::TrainOdds:
    return offset - drift / 2;
  case Tactic::KlTrainInfer:
  case Tactic::KlInferTrain: {
    if (drift < tooSmall)
      return offset;
    double least = tactic == Tactic::KlTrainInfer ? -std::expm1(-drift) / drift : drift / growth;
    double most = least * (1 + growth);
    return offset + std::log((1 - least) / (most - 1)) + drift / 2;
  }
  }
  TIKC_CHECK(false, "each tactic has its case");
}

double middleOf(const Scenario& scenario, const Candidate& candidate, double drift) {
  double copies =
      std::log(static_cast<double>(candidate.copies[0]) / static_cast<double>(candidate.copies[1]));
  return scenario.temperature * (candidate.centre.at(drift / scenario.temperature) - copies);
}

namespace {

using Tactic = Centre::Tactic;
using Accept = std::function<bool(const Candidate&)>;

constexpr double largestDrift = 120;
constexpr double smallestDrift = 1e-12;
constexpr std::size_t mostEffort = 24'000;

class Search {
public:
  Search(const Scenario& scenario, const Accept& accept, std::size_t effort)
      : scenario_(scenario), accept_(accept), claim_(scenario.claim.bound->measure.claim),
        price_(1 + scenario.clauses.size() / 16), most_(std::min(mostEffort, effort)) {
    chooseCopies();
    collectShares();
  }

  std::size_t effort() const { return effort_; }

  bool run() {
    if (lengths().empty() || !scenario_.hasRoomFor(copies_, lengths().front()))
      return false;
    for (unsigned long steps : lengths())
      for (const Centre& centre : ownCentres())
        if (tryAll(centre, steps))
          return true;
    for (unsigned long steps : lengths())
      for (const Centre& centre : otherCentres())
        if (tryFew(centre, steps))
          return true;
    return refine();
  }

private:
  // What the contract suggests.

  void chooseCopies() {
    bool isEntropy = claim_ == ClaimId::EntropyGap;
    constexpr unsigned long mostCopies = 1'000'000'000;
    if (isEntropy && scenario_.vocabulary && *scenario_.vocabulary > 2 &&
        *scenario_.vocabulary <= mostCopies)
      copies_ = {1, scenario_.vocabulary->get_num().get_ui() - 1};
    if (claim_ == ClaimId::PgBias)
      copies_ = {2, 2};
  }

  /// The shares of a population on which clauses, or a claim that is to be broken, do not bind.
  void collectShares() {
    for (const Demand& clause : scenario_.clauses) {
      const model::Measure& measure = clause.bound->measure;
      for (const auto& limit : clause.exact.limits) {
        // Of sampled tokens and responses some fail in the other kinds, too.
        bool isSampled = model::info(measure.metric).level != model::Level::Row;
        Rational part = isSampled ? Rational(9'999) / 10'000 : Rational(1);
        if (measure.aggregate == Aggregate::Quantile)
          addShare(part * (limit.isUpper ? Rational(1 - measure.level) : measure.level));
        bool isShare =
            model::info(measure.metric).range.high == "1" || measure.aggregate == Aggregate::Rate;
        if (isShare && limit.isUpper &&
            (measure.aggregate == Aggregate::Rate || measure.aggregate == Aggregate::Mean) &&
            limit.bound.isExact())
          addShare(limit.bound.lower());
      }
    }
    const model::Measure& claimed = scenario_.claim.bound->measure;
    constexpr int thousand = 1000;
    if (claimed.aggregate == Aggregate::Quantile)
      addShare(
          (scenario_.claim.exact.limits[0].isUpper ? Rational(1 - claimed.level) : claimed.level) *
          Rational(thousand + 1) / thousand);
    if (claimed.aggregate == Aggregate::Max || claimed.aggregate == Aggregate::Min)
      addShare(Rational(1) / (thousand * thousand));
    std::sort(shares_.begin(), shares_.end());
  }

  void addShare(const Rational& share) {
    if (share > 0 && share < 1 && std::find(shares_.begin(), shares_.end(), share) == shares_.end())
      shares_.push_back(share);
  }

  std::vector<unsigned long> lengths() const {
    constexpr unsigned long longest = 4096;
    if (scenario_.leastSteps > longest)
      return {};
    unsigned long least = scenario_.leastSteps.get_num().get_ui(); // lengths are whole
    if (!scenario_.isAboutResponses())
      return {least};
    // Every length is summed over for discounted returns, and every step of a search for clauses
    // about responses.
    unsigned long most =
        claim_ == ClaimId::DiscountedRewardDrift || scenario_.measuresResponses() ? 256 : longest;
    if (scenario_.mostSteps && *scenario_.mostSteps < most)
      most = mpz_class(scenario_.mostSteps->get_num() / scenario_.mostSteps->get_den()).get_ui();
    if (most < least)
      return {};
    std::vector<unsigned long> out{most};
    if (least < most)
      out.push_back(least);
    for (unsigned long length : {2UL, 16UL})
      if (least < length && length < most)
        out.push_back(length);
    return out;
  }

  static double entropyCentre(double others) {
    double low = 0, high = 1;
    for (int i = 0; i < 60; ++i) {
      double middle = (low + high) / 2;
      (middle * (std::log(others) + 2 * std::atanh(middle)) < 1 ? low : high) = middle;
    }
    return 2 * std::atanh(low);
  }

  std::vector<Centre> ownCentres() const {
    switch (claim_) {
    case ClaimId::KlTrainInfer:
      return {{Tactic::KlTrainInfer}};
    case ClaimId::KlInferTrain:
    case ClaimId::SeqKl:
      return {{Tactic::KlInferTrain}};
    case ClaimId::Chi2:
    case ClaimId::Ess:
    case ClaimId::SeqEss:
      return {{Tactic::TrainOdds}};
    case ClaimId::Ratio:
    case ClaimId::SeqRatio:
      if (scenario_.claim.exact.limits[0].isUpper)
        return {{Tactic::InferOdds, -12}, {Tactic::InferOdds, -30}, {Tactic::Fixed}};
      return {{Tactic::InferOdds, 12}, {Tactic::InferOdds, 30}, {Tactic::Fixed}};
    case ClaimId::EntropyGap: {
      double middle = entropyCentre(static_cast<double>(copies_[1]));
      return {{Tactic::Fixed, middle}, {Tactic::Fixed, -middle}};
    }
    default:
      return {{Tactic::Fixed}};
    }
  }

  std::vector<Centre> otherCentres() const {
    std::vector<Centre> out{{Tactic::Fixed, 0}};
    for (double offset : {0.5, 1.0, 2.0, 4.0})
      for (double sign : {-1.0, 1.0})
        out.push_back({Tactic::Fixed, sign * offset});
    std::vector<double> odds{2, 5, 12, 30, 60};
    for (const Rational& share : shares_)
      odds.push_back(std::log(1 / share.get_d() - 1) + 1e-6);
    for (double each : odds)
      for (double sign : {-1.0, 1.0}) {
        out.push_back({Tactic::InferOdds, sign * each});
        out.push_back({Tactic::TrainOdds, sign * each});
      }
    return out;
  }

  // Evaluation.

  Crowd<double> crowdOf(const Candidate& candidate) const {
    Crowd<double> out;
    out.copies = candidate.copies;
    out.steps = candidate.steps;
    std::vector<double> middles;
    for (double drift : candidate.drifts)
      middles.push_back(middleOf(scenario_, candidate, drift));
    out.kinds = kindsOf(scenario_, candidate, candidate.drifts, middles);
    scenario_.look(out);
    return out;
  }

  bool isAllowed(const Candidate& candidate) {
    constexpr unsigned long lengthOfOne = 8;
    effort_ += price_ * (1 + (scenario_.measuresResponses() ? candidate.steps / lengthOfOne : 0));
    return scenario_.allows(crowdOf(candidate));
  }

  bool isSpent() const { return effort_ > most_; }

  /// The largest drift that some kinds can have together; nothing where none is allowed.
  template <typename Set>
  std::optional<double> largest(const Candidate& from, double low, double high, const Set& set) {
    auto isGood = [&](double drift) {
      Candidate next = from;
      set(next, drift);
      return isAllowed(next);
    };
    if (isGood(high))
      return high;
    if (!isGood(low)) {
      constexpr double factor = 2;
      while (high > smallestDrift && !isGood(high / factor) && high / factor > low)
        high /= factor;
      low = high / factor;
      if (low <= smallestDrift || !isGood(low))
        return std::nullopt;
    }
    constexpr double near = 1.01, digits = 1e-11;
    while (high > low + digits * high && high > smallestDrift) {
      bool isFar = high > near * std::max(low, smallestDrift);
      double middle = isFar ? std::sqrt(std::max(low, smallestDrift) * high) : (low + high) / 2;
      (isGood(middle) ? low : high) = middle;
    }
    return low;
  }

  /// Hands the candidate over where it seems to break the claim, and keeps the best of the others.
  bool judge(const Candidate& candidate) {
    Crowd<double> crowd = crowdOf(candidate);
    if (!scenario_.allows(crowd))
      return false;
    effort_ += claim_ == ClaimId::DiscountedRewardDrift ? candidate.steps * candidate.steps / 64
                                                        : candidate.steps / 16;
    auto value = scenario_.valueOf(scenario_.claim, crowd);
    const auto& limit = scenario_.claim.search.limits[0];
    double score = !value ? 0 : limit.isUpper ? *value / limit.bound : limit.bound / *value;
    if (score >= 1 && scenario_.breaksClaim(crowd) && accept_(candidate))
      return true;
    if (score > bestScore_) {
      bestScore_ = score;
      best_ = candidate;
    }
    return false;
  }

  // Plans.

  Candidate plan(std::vector<Rational> weights, const Centre& centre, unsigned long steps) const {
    Candidate out{std::move(weights), {}, centre, copies_, steps};
    out.drifts.assign(out.weights.size(), 0);
    return out;
  }

  /// Every kind as far as all can go together, then all but the first, and so on.
  bool levelFill(Candidate candidate) {
    for (std::size_t i = 0; i < candidate.drifts.size() && !isSpent(); ++i) {
      double low = i == 0 ? 0 : candidate.drifts[i - 1];
      auto found = largest(candidate, low, largestDrift * scenario_.temperature,
                           [i](Candidate& next, double drift) {
                             std::fill(next.drifts.begin() + static_cast<std::ptrdiff_t>(i),
                                       next.drifts.end(), drift);
                           });
      if (!found)
        return false;
      std::fill(candidate.drifts.begin() + static_cast<std::ptrdiff_t>(i), candidate.drifts.end(),
                *found);
    }
    return judge(candidate);
  }

  /// The last kind as far as it can go, then the one before it, and so on.
  bool greedyFill(Candidate candidate) {
    double high = largestDrift * scenario_.temperature;
    for (std::size_t i = candidate.drifts.size(); i-- > 0 && !isSpent();) {
      auto found = largest(candidate, 0, high,
                           [i](Candidate& next, double drift) { next.drifts[i] = drift; });
      if (!found)
        return false;
      high = candidate.drifts[i] = *found;
    }
    return judge(candidate);
  }

  std::vector<Rational> ladder() const {
    std::vector<Rational> out;
    Rational rest = 1;
    for (auto share = shares_.rbegin(); share != shares_.rend(); ++share) {
      out.push_back(rest - *share);
      rest = *share;
    }
    out.push_back(rest);
    return out;
  }

  bool tryAll(const Centre& centre, unsigned long steps) {
    if (isSpent())
      return false;
    if (levelFill(plan({1}, centre, steps)))
      return true;
    for (const Rational& share : shares_) {
      Candidate two = plan({1 - share, share}, centre, steps);
      if (levelFill(two) || greedyFill(two))
        return true;
    }
    if (shares_.size() > 1 && shares_.size() < 6) {
      Candidate all = plan(ladder(), centre, steps);
      if (levelFill(all) || greedyFill(all))
        return true;
    }
    return fillByWeight(centre, steps);
  }

  bool tryFew(const Centre& centre, unsigned long steps) {
    if (isSpent())
      return false;
    if (levelFill(plan({1}, centre, steps)))
      return true;
    if (!shares_.empty() && levelFill(plan({1 - shares_.back(), shares_.back()}, centre, steps)))
      return true;
    return shares_.size() > 1 &&
           levelFill(plan({1 - shares_.front(), shares_.front()}, centre, steps));
  }

  /// One kind as far as the clauses let a few contexts go, as many of it as the others allow, and
  /// nothing else: what breaks means of convex distances.
  bool fillByWeight(const Centre& centre, unsigned long steps) {
    static const Rational few = Rational(1) / 1'000'000;
    Candidate candidate = plan({1 - few, few}, centre, steps);
    double top = largestDrift * scenario_.temperature;
    auto found =
        largest(candidate, 0, top, [](Candidate& next, double drift) { next.drifts[1] = drift; });
    if (!found || *found == 0 || isSpent())
      return false;
    candidate.drifts[1] = *found;
    auto weigh = [](Candidate& next, double weight) {
      Rational rounded = parseDecimal(fmt::format("{:.6e}", weight)).value_or(Rational(0));
      next.weights = {1 - rounded, rounded};
    };
    auto weight = largest(candidate, few.get_d(), 1, weigh);
    if (!weight)
      return false;
    weigh(candidate, std::min(1.0, *weight) * (1 - 1e-6));
    if (judge(candidate))
      return true;
    return greedyFill(candidate);
  }

  /// Moves the best candidate's middle, as long as that makes it better.
  bool refine() {
    if (!best_)
      return false;
    for (double move = 1; move > 0.01 && !isSpent();) {
      double before = bestScore_;
      for (double sign : {-1.0, 1.0}) {
        Candidate next = *best_;
        next.centre.offset += sign * move;
        std::fill(next.drifts.begin(), next.drifts.end(), 0);
        if (levelFill(next))
          return true;
      }
      if (bestScore_ <= before)
        move /= 2;
    }
    return false;
  }

  const Scenario& scenario_;
  const Accept& accept_;
  ClaimId claim_;
  std::array<unsigned long, 2> copies_{1, 1};
  std::vector<Rational> shares_;
  std::size_t price_, most_, effort_ = 0; // of one evaluation, at most, and so far
  double bestScore_ = 0;
  std::optional<Candidate> best_;
};

} // namespace

bool search(const Scenario& scenario, const std::function<bool(const Candidate&)>& accept,
            std::size_t& effort) {
  Search search(scenario, accept, effort);
  bool found = search.run();
  effort -= std::min(effort, search.effort());
  return found;
}

} // namespace tikc::bounds::population
