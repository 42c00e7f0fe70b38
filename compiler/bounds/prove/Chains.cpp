#include "bounds/prove/Chains.h"

#include "bounds/prove/Questions.h"
#include "support/Efforts.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tikc::bounds {
namespace {

using model::Law;

/// Drifts and total variations of a chain's steps add up: they are seminorms and a metric, of laws
/// that meet. Figures of responses that somebody drew do not: each link's are under its own law.
constexpr Quantity adding[] = {Quantity::LogitLinf,    Quantity::LogitOsc,    Quantity::LogitL2,
                               Quantity::Omega,        Quantity::LogprobLinf, Quantity::LogRatioUp,
                               Quantity::LogRatioDown, Quantity::EntropyGap,  Quantity::Tv,
                               Quantity::SeqTv,        Quantity::Hellinger,   Quantity::Chi2};

/// Squared Hellinger distances are squares of a metric, and χ² of a norm: their roots add, of
/// means, too, by Minkowski's inequality.
bool isSquared(Quantity quantity) {
  return quantity == Quantity::Hellinger || quantity == Quantity::Chi2;
}

/// The norm of χ² is under the second kernel of a step; a largest ratio takes it to that of the
/// next step.
bool isUnderSecond(Quantity quantity) { return quantity == Quantity::Chi2; }

/// A divergence of one step that leads to that of a chain, with the largest log-ratios of the steps
/// before and after it. How often each counts; nothing if there must be no such steps.
struct Carried {
  Quantity divergence, ratio;
  std::optional<unsigned> before, after;
  const Lemma& lemma;
};
constexpr Carried carried[] = {
    {Quantity::Chi2, Quantity::LogRatioUp, 2, 1, lemmas::chChi2},
    {Quantity::KlTrainInfer, Quantity::LogRatioUp, std::nullopt, 1, lemmas::chKl},
    {Quantity::KlInferTrain, Quantity::LogRatioDown, 1, std::nullopt, lemmas::chKlr}};

/// Steps that join, with the least sum of their bounds.
struct RatioPath {
  Rational sum;
  std::vector<FactId> steps;
};

/// What is known of the way from the first kernel to another one.
struct Way {
  Rational share, sum;    // of squares about the sum of roots, which says what way is best
  std::uint32_t from = 0; // the kernel before, and which of its ways
  std::size_t fromWay = 0;
  std::optional<FactId> ratio, step; // nothing at the start
};

class Composer {
public:
  Composer(Deduction& deduction, Tables& all, Table& place)
      : shared_(deduction), tables_(all), table_(place),
        ends_(deduction.problem.links[place.place.link]),
        about_(deduction.problem.abouts[place.place.about]) {
    for (std::uint32_t i = 0; i < shared_.problem.links.size(); ++i) {
      const Problem::Link& link = shared_.problem.links[i];
      if (i != table_.place.link && link.first >= ends_.first && link.second <= ends_.second)
        steps_.push_back(i);
    }
    std::stable_sort(steps_.begin(), steps_.end(), [&](std::uint32_t a, std::uint32_t b) {
      return shared_.problem.links[a].first < shared_.problem.links[b].first;
    });
  }

  void run() {
    for (Quantity quantity : adding)
      if (shared_.isRelevant(quantity))
        for (Quantifier quantifier : {Quantifier::Sup, Quantifier::Mean, Quantifier::Quantile})
          compose(quantity, quantifier);
    for (const Carried& each : carried)
      if (shared_.isRelevant(each.divergence))
        carry(each);
  }

private:
  /// A step's facts of the laws that the chain's are about, as far as they are its own kernels'.
  const Slot* slotOf(std::uint32_t link, Quantity quantity) {
    const Problem::Link& step = shared_.problem.links[link];
    About rows = ends_.rows, stepRows = step.rows, served = about_;
    rows.drawer = stepRows.drawer = about_.drawer;
    bool isServed = rankOf(about_) == rankOf(shared_.problem.served());
    const Table* at = nullptr;
    if (quantity == Quantity::SeqTv) {
      // It is a distance of the two kernels' own laws, whatever kernel draws.
      served.drawer = step.second;
      if (isServed && about_.drawer == ends_.second)
        at = tables_.find(table_.place.slice, link, served);
    } else if (about_ == rows || !asks(Question::OneLawOfChain))
      at = tables_.find(table_.place.slice, link, stepRows);
    else if (isServed)
      at = tables_.find(table_.place.slice, link, served);
    return at ? &(*at)[quantity] : nullptr;
  }

  std::vector<FactId> optionsOf(const Slot& slot, Quantifier quantifier) const {
    std::vector<FactId> out;
    if (quantifier == Quantifier::Quantile) {
      out = slot.quantiles;
      quantifier = Quantifier::Sup;
    }
    if (slot[quantifier])
      out.push_back(*slot[quantifier]);
    return out;
  }

  void compose(Quantity quantity, Quantifier quantifier) {
    std::vector<std::vector<Way>> ways(ends_.second - ends_.first + 1);
    ways.front().push_back({});
    for (std::uint32_t link : steps_) {
      const Problem::Link& step = shared_.problem.links[link];
      const auto& before = ways[step.first - ends_.first];
      const Slot* slot = before.empty() ? nullptr : slotOf(link, quantity);
      if (!slot)
        continue;
      std::optional<FactId> ratio;
      if (isUnderSecond(quantity) && step.first != ends_.first) {
        const Slot* const ratios = slotOf(link, Quantity::LogRatioUp);
        if (ratios == nullptr || !(*ratios)[Quantifier::Sup])
          continue;
        ratio = *(*ratios)[Quantifier::Sup];
      }
      for (FactId option : optionsOf(*slot, quantifier))
        for (std::size_t i = 0; i < before.size(); ++i) {
          const Fact& fact = shared_.facts[option];
          add(ways[step.second - ends_.first],
              {before[i].share + fact.key.share, before[i].sum * growthOf(ratio) + lengthOf(fact),
               step.first, i, ratio, option});
        }
    }
    for (const Way& way : ways.back())
      offer(quantity, quantifier, way, ways);
  }

  Rational lengthOf(const Fact& fact) const {
    if (!isSquared(fact.key.quantity))
      return fact.bound;
    return finite(std::sqrt(std::max(0.0, shared_.argument(fact).approximate())));
  }
  Rational growthOf(std::optional<FactId> ratio) const {
    return ratio ? finite(std::exp(shared_.argument(shared_.facts[*ratio]).approximate() / 2))
                 : Rational(1);
  }
  /// A ratio of a double, which may be infinite.
  static Rational finite(double value) {
    return Rational(std::min(value, std::numeric_limits<double>::max()));
  }

  /// Keeps the ways that no other one is better than; of too many, those that fail least.
  void add(std::vector<Way>& known, Way way) const {
    if (way.share >= 1)
      return;
    auto covers = [](const Way& a, const Way& b) { return a.share <= b.share && a.sum <= b.sum; };
    if (std::any_of(known.begin(), known.end(), [&](const Way& each) { return covers(each, way); }))
      return;
    // Nothing goes on from here before all ways have come.
    std::erase_if(known, [&](const Way& each) { return covers(way, each); });
    auto place = std::find_if(known.begin(), known.end(),
                              [&](const Way& each) { return each.share > way.share; });
    known.insert(place, std::move(way));
    if (known.size() <= efforts.waysOfAChain)
      return;
    known.pop_back();
    shared_.problem.cutOff.waysOfAChain = true;
  }

  void offer(Quantity quantity, Quantifier quantifier, const Way& way,
             const std::vector<std::vector<Way>>& ways) {
    if ((way.share > 0) != (quantifier == Quantifier::Quantile))
      return;
    Fact fact;
    fact.place = table_.place;
    fact.lemma = isUnderSecond(quantity) ? &lemmas::chChi2Sum
                 : isSquared(quantity)   ? &lemmas::chHel
                 : hasCap(quantity)      ? &lemmas::chTv
                                         : &lemmas::chOsc;
    fact.key = {quantity, quantifier, way.share};
    for (const Way* at = &way; at->step; at = &ways[at->from - ends_.first][at->fromWay]) {
      fact.premises.push_back(*at->step);
      if (at->ratio)
        fact.premises.push_back(*at->ratio);
    }
    std::reverse(fact.premises.begin(), fact.premises.end());
    Real sum = shared_.argument(0);
    for (FactId id : fact.premises) {
      const Fact& premise = shared_.facts[id];
      Real link = shared_.argument(premise);
      if (premise.key.quantity != quantity)
        sum = sum * exp(link / 2);
      else
        sum = sum + (isSquared(quantity) ? sqrt(link) : link);
    }
    sum = isSquared(quantity) ? sum * sum : sum;
    if (hasCap(quantity))
      sum = min(sum, shared_.argument(mostOf(quantity)));
    if (shared_.settle(fact, sum))
      shared_.offer(table_, std::move(fact));
  }

  /// The best paths of largest log-ratios between a kernel of the chain and one of its ends: the
  /// first, or the last.
  std::vector<std::optional<RatioPath>> pathsOf(Quantity ratio, bool isFromFirst) {
    std::vector<std::optional<RatioPath>> out(ends_.second - ends_.first + 1);
    (isFromFirst ? out.front() : out.back()) = RatioPath{};
    const auto extend = [&](std::uint32_t link) {
      const Problem::Link& step = shared_.problem.links[link];
      const std::uint32_t first = step.first - ends_.first, second = step.second - ends_.first;
      const auto& known = out[isFromFirst ? first : second];
      auto& next = out[isFromFirst ? second : first];
      const Slot* slot = known ? slotOf(link, ratio) : nullptr;
      if (!slot || !(*slot)[Quantifier::Sup])
        return;
      const FactId fact = *(*slot)[Quantifier::Sup];
      RatioPath path{known->sum + shared_.facts[fact].bound, known->steps};
      if (next && next->sum <= path.sum)
        return;
      path.steps.insert(isFromFirst ? path.steps.end() : path.steps.begin(), fact);
      next = std::move(path);
    };
    // In the order in which they join.
    if (isFromFirst)
      std::for_each(steps_.begin(), steps_.end(), extend);
    else
      std::for_each(steps_.rbegin(), steps_.rend(), extend);
    return out;
  }

  void carry(const Carried& kind) {
    const auto before = pathsOf(kind.ratio, true), after = pathsOf(kind.ratio, false);
    for (std::uint32_t link : steps_) {
      const Problem::Link& step = shared_.problem.links[link];
      const auto& first = before[step.first - ends_.first];
      const auto& last = after[step.second - ends_.first];
      const bool joins = first && last && (kind.before || first->steps.empty()) &&
                         (kind.after || last->steps.empty());
      const Slot* slot = joins ? slotOf(link, kind.divergence) : nullptr;
      for (Quantifier quantifier : {Quantifier::Sup, Quantifier::Mean, Quantifier::Quantile})
        if (slot)
          for (FactId option : optionsOf(*slot, quantifier))
            offerCarried(kind, quantifier, *first, option, *last);
    }
  }

  void offerCarried(const Carried& kind, Quantifier quantifier, const RatioPath& before,
                    FactId option, const RatioPath& after) {
    const Rational share = shared_.facts[option].key.share;
    if ((share > 0) != (quantifier == Quantifier::Quantile))
      return;
    Fact fact;
    fact.place = table_.place;
    fact.lemma = &kind.lemma;
    fact.key = {kind.divergence, quantifier, share};
    fact.premises = before.steps;
    fact.premises.push_back(option);
    fact.premises.insert(fact.premises.end(), after.steps.begin(), after.steps.end());
    const auto sumOf = [&](const RatioPath& path) {
      Real out = shared_.argument(0);
      for (FactId id : path.steps)
        out = out + shared_.argument(shared_.facts[id]);
      return out;
    };
    const Real divergence = shared_.argument(shared_.facts[option]);
    const Real ratios = static_cast<int>(kind.before.value_or(0)) * sumOf(before) +
                        static_cast<int>(kind.after.value_or(0)) * sumOf(after);
    const Real bound = kind.divergence == Quantity::Chi2 ? (1 + divergence) * exp(ratios) - 1
                                                         : divergence + ratios;
    if (shared_.settle(fact, bound))
      shared_.offer(table_, std::move(fact));
  }

  Deduction& shared_;
  Tables& tables_;
  Table& table_;
  const Problem::Link& ends_;
  const About about_;
  std::vector<std::uint32_t> steps_;
};

} // namespace

void compose(Deduction& deduction, Tables& tables, Table& table) {
  const Problem& problem = deduction.problem;
  auto isHere = [&](const auto& goal) { return goal.place.link == table.place.link; };
  bool isAsked = std::any_of(problem.goals.begin(), problem.goals.end(), isHere) ||
                 std::any_of(problem.counters.begin(), problem.counters.end(), isHere);
  if (isAsked && problem.links.size() > 2)
    Composer(deduction, tables, table).run();
}

} // namespace tikc::bounds
