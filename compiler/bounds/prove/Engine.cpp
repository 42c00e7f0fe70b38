#include "bounds/prove/Engine.h"

#include "bounds/prove/Chains.h"
#include "bounds/prove/Closings.h"
#include "bounds/prove/Closure.h"
#include "bounds/prove/Missing.h"
#include "bounds/prove/Questions.h"
#include "bounds/prove/Scopes.h"
#include "support/Check.h"

#include <algorithm>
#include <numeric>

namespace tikc::bounds {

using Level = QuantityInfo::Level;
using From = Premise::From;
using model::Law;

std::optional<FactId> Table::find(const Derivation& facts, const Key& key) const {
  const Slot& slot = (*this)[key.quantity];
  if (key.quantifier != Quantifier::Quantile)
    return slot[key.quantifier];
  std::optional<FactId> best = slot.sup();
  for (FactId id : slot.quantiles)
    if (facts[id].key.covers(key) && (!best || isTighter(facts[id], facts[*best])))
      best = id;
  return best;
}

int rankOf(const About& about) {
  bool isServed = about.first == Law::Served && about.second == Law::Served;
  return !isServed ? 0 : about.isKept ? 1 : 2;
}

Table* Tables::find(std::uint32_t slice, std::uint32_t link, const About& about) {
  for (View& view : byLink[link])
    if (view.about == about)
      return &view.slices[slice];
  return nullptr;
}

struct Engine::Impl {
  Impl(Problem& problem, std::shared_ptr<Results> results, Closings* known)
      : shared(problem, std::move(results)), closings(known) {
    tables.byLink.resize(problem.links.size());
    for (std::uint32_t link = 0; link < problem.links.size(); ++link)
      layOut(link);
  }

  void run() {
    for (std::uint32_t link : linkOrder())
      for (Tables::View& view : tables.byLink[link])
        solve(view);
  }

  // The tables.

  /// The laws that anything is known of, or asked, on a link, and those that lemmas lead to from
  /// there. What rests on others comes after them.
  void layOut(std::uint32_t link) {
    std::vector<About> known;
    auto add = [&](const About& about) {
      if (std::find(known.begin(), known.end(), about) == known.end())
        known.push_back(about);
    };
    const Problem& problem = shared.problem;
    add(problem.links[link].rows);
    for (FactId id : problem.inputs) {
      const Place& place = shared.facts[id].place;
      if (place.link == link && place.about != Place::any)
        add(problem.abouts[place.about]);
    }
    for (const Goal& goal : problem.goals)
      if (goal.place.link == link)
        add(problem.abouts[goal.place.about]);
    for (const Counter& counter : problem.counters)
      if (counter.place.link == link)
        add(problem.abouts[counter.place.about]);
    for (std::size_t i = known.size(); i-- > 0;) {
      std::uint32_t drawer = known[i].drawer;
      add({Law::Served, Law::Served, false, drawer});
      if (known[i].first == Law::Served && known[i].second == Law::Whole)
        add({Law::Served, Law::Served, true, drawer});
    }
    std::stable_sort(known.begin(), known.end(),
                     [](const About& a, const About& b) { return rankOf(a) < rankOf(b); });
    auto& views = tables.byLink[link];
    views.reserve(known.size()); // tables point to one another
    for (const About& about : known) {
      views.push_back({about, {}});
      views.back().slices.resize(problem.slices.size());
      for (std::uint32_t slice = 0; slice < problem.slices.size(); ++slice)
        place(views.back().slices[slice], {slice, link, shared.problem.indexOf(about)});
    }
  }

  void place(Table& table, const Place& at) {
    table.place = at;
    const About about = shared.problem.abouts[at.about];
    About rows = shared.problem.links[at.link].rows;
    rows.drawer = about.drawer;
    auto point = [&](From from, const About& other) {
      table.others[static_cast<std::size_t>(from)] =
          tables.find(at.slice, at.link, asks(Question::PremiseLaws) ? other : rows);
    };
    point(From::Rows, rows);
    point(From::Whole, {Law::Served, Law::Whole, false, about.drawer});
    point(From::Kept, {Law::Served, Law::Served, true, about.drawer});
    point(From::WholeKept, {Law::Served, Law::Whole, true, about.drawer});
  }

  /// Steps of a chain come before what is composed of them.
  std::vector<std::uint32_t> linkOrder() const {
    const auto& links = shared.problem.links;
    std::vector<std::uint32_t> order(links.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return links[a].second - links[a].first < links[b].second - links[b].first;
    });
    return order;
  }

  void solve(Tables::View& view) {
    auto& row = view.slices;
    const Place& here = row.back().place;
    const std::vector<Inputs> said = shared.problem.inputsOf(here.link, here.about);
    for (Table& table : row)
      seed(table, said[table.place.slice]);
    Table& mixture = row.back();
    for (Table& table : row)
      if (&table != &mixture)
        partOfMixture(said[mixture.place.slice], mixture, table);
    for (Table& table : row) {
      if (!isWanted(table.place.slice))
        continue;
      if (&table == &mixture)
        mix(row);
      compose(shared, tables, table);
      if (closings)
        closings->close(shared, table);
      else
        close(shared, table);
    }
  }

  /// The mixture rests on every slice, a slice on itself alone.
  bool isWanted(std::uint32_t slice) const {
    auto rests = [&](const auto& on) {
      return on.place.slice == slice || on.place.slice == shared.problem.mixture();
    };
    const Problem& problem = shared.problem;
    return std::any_of(problem.goals.begin(), problem.goals.end(), rests) ||
           std::any_of(problem.counters.begin(), problem.counters.end(), rests);
  }

  using Inputs = std::vector<FactId>;
  void seed(Table& table, const Inputs& inputs) {
    for (FactId id : inputs) {
      const Fact& fact = shared.facts[id];
      Slot& slot = table[fact.key.quantity];
      ++slot.version;
      if (fact.key.quantifier == Quantifier::Quantile)
        slot.quantiles.push_back(id);
      else if (auto& known = slot[fact.key.quantifier];
               !known || isTighter(fact, shared.facts[*known]))
        known = id;
    }
    for (Slot& slot : table.slots)
      tidy(slot.quantiles);
  }

  /// Keeps of several quantiles those that another does not make useless, by their shares.
  void tidy(std::vector<FactId>& ladder) const {
    if (ladder.empty())
      return;
    auto useless = [&](FactId id) {
      return std::any_of(ladder.begin(), ladder.end(), [&](FactId other) {
        const Fact &a = shared.facts[other], &b = shared.facts[id];
        bool covers = a.key.covers(b.key) && !isTighter(b, a);
        bool same = a.key == b.key && !isTighter(a, b);
        return other != id && covers && (!same || other < id);
      });
    };
    std::vector<FactId> kept;
    for (FactId id : ladder)
      if (!useless(id))
        kept.push_back(id);
    std::sort(kept.begin(), kept.end(), [&](FactId a, FactId b) {
      return shared.facts[a].key.share < shared.facts[b].key.share;
    });
    ladder = std::move(kept);
  }

  // The mixture and its slices.

  /// A slice's share of the population that a fact is about. Tokens are those that the server
  /// draws; who else draws spreads them over the slices in another way.
  std::optional<FactId> shareOf(std::uint32_t slice, Quantity quantity, const Place& at) const {
    const Problem::Slice& row = shared.problem.slices[slice];
    bool isGradient = quantity == Quantity::PgPrefix || quantity == Quantity::PgCut ||
                      quantity == Quantity::PgSupport || quantity == Quantity::PgBias;
    bool isOfTokens =
        info(quantity).level == Level::Context || (isGradient && shared.problem.isOneToken);
    if (!isOfTokens || !asks(Question::SharesOfTokens))
      return row.share;
    bool isServers = shared.problem.abouts[at.about].drawer == shared.problem.server ||
                     !asks(Question::TokensOfServer);
    return isServers ? row.tokenShare : std::nullopt;
  }

  /// Slices that begin or end within responses have none of them whole.
  bool isCut(std::uint32_t slice, Quantity quantity) const {
    return info(quantity).level == Level::Response && shared.problem.cutsResponses(slice) &&
           asks(Question::ResponsesInSlice);
  }

  /// Whether the rest of the mixture can pay for a slice: its mean may be negative. That of k1 over
  /// what the server drew is a divergence in each context.
  bool isPayable(Quantity quantity, const Table& mixture) const {
    const bool isSigned =
        quantity == Quantity::SampledK1 && !grants(shared, mixture, Condition::Samples);
    return asks(Question::Payable) && (!isUpper(quantity) || isSigned);
  }

  void partOfMean(Fact& fact, const Fact& whole, const Fact& share) {
    if (whole.key.quantity == Quantity::SampledMultError && whole.bound >= 1) {
      const Real one = shared.argument(Rational(1));
      fact.lemma = &lemmas::mixPartOne;
      shared.settle(fact, one + (shared.argument(whole) - one) / shared.argument(share));
      return;
    }
    shared.settle(fact, shared.argument(whole) / shared.argument(share));
  }

  /// A promise about the whole mixture is one about each slice, as far as the slice's share allows.
  void partOfMixture(const Inputs& inputs, const Table& mixture, Table& slice) {
    for (FactId id : inputs) {
      const Fact& whole = shared.facts[id];
      if (whole.place != mixture.place || info(whole.key.quantity).level == Level::Given ||
          isCut(slice.place.slice, whole.key.quantity))
        continue;
      Fact fact;
      fact.place = slice.place;
      fact.key = whole.key;
      fact.premises = {id};
      fact.takeBound(whole);
      fact.lemma = &lemmas::allSlice;
      if (whole.key.quantifier != Quantifier::Sup && asks(Question::ShareOfSlice)) {
        auto share = shareOf(slice.place.slice, whole.key.quantity, slice.place);
        if (!share || shared.facts[*share].bound <= 0)
          continue;
        fact.lemma = &lemmas::mixPart;
        fact.premises = {*share, id};
        if (whole.key.quantifier == Quantifier::Quantile)
          fact.key.share = whole.key.share / shared.facts[*share].bound;
        else if (isPayable(whole.key.quantity, mixture))
          continue;
        else
          partOfMean(fact, whole, shared.facts[*share]);
        if (fact.key.share >= 1)
          continue;
      }
      shared.offer(slice, std::move(fact));
    }
  }

  void mix(std::vector<Table>& row) {
    if (row.size() == 1)
      return;
    for (std::size_t i = 0; i < quantityCount; ++i) {
      auto quantity = static_cast<Quantity>(i);
      bool isPooled = info(quantity).kind == QuantityInfo::Kind::Pooled;
      if (!shared.isRelevant(quantity) || info(quantity).level == Level::Given || isPooled ||
          isCut(0, quantity))
        continue;
      worst(row, quantity, Quantifier::Sup);
      if (isUpper(quantity))
        mixMeans(row, quantity);
      else
        worst(row, quantity, Quantifier::Mean);
    }
  }

  void worst(std::vector<Table>& row, Quantity quantity, Quantifier quantifier) {
    Table& mixture = row.back();
    Fact fact;
    fact.place = mixture.place;
    fact.lemma = &lemmas::worst;
    fact.key = {quantity, quantifier, 0};
    for (std::size_t i = 0; i + 1 < row.size(); ++i) {
      auto id = row[i][quantity][quantifier];
      if (!id)
        return;
      const Rational& bound = shared.facts[*id].bound;
      bool looser = i == 0 || (isUpper(quantity) ? bound > fact.bound : bound < fact.bound);
      if (looser)
        fact.bound = fact.otherEnd = bound;
      fact.premises.push_back(*id);
    }
    shared.offer(mixture, std::move(fact));
  }

  /// L-MIX: known shares with their own bounds, the rest with the worst of the slices that have it.
  void mixMeans(std::vector<Table>& row, Quantity quantity) {
    std::vector<FactId> bounds;
    bool known = false;
    for (std::size_t i = 0; i + 1 < row.size(); ++i)
      known |= row[i][quantity].mean().has_value();
    if (!known)
      return;
    for (std::size_t i = 0; i + 1 < row.size(); ++i) {
      auto id = row[i][quantity].mean();
      if (!id && !hasCap(quantity))
        return;
      bounds.push_back(id ? *id : shared.capOf(row[i], quantity));
    }
    Table& mixture = row.back();
    Fact fact;
    fact.place = mixture.place;
    fact.lemma = &lemmas::mix;
    fact.key = {quantity, Quantifier::Mean, 0};
    Rational sum = 0, rest = 1;
    std::optional<Rational> restBound;
    std::vector<FactId> unknown;
    for (std::uint32_t i = 0; i < bounds.size(); ++i) {
      const Rational& bound = shared.facts[bounds[i]].bound;
      if (auto share = shareOf(i, quantity, mixture.place)) {
        sum += shared.facts[*share].bound * bound;
        rest -= shared.facts[*share].bound;
        fact.premises.insert(fact.premises.end(), {*share, bounds[i]});
      } else {
        restBound = restBound ? std::max(*restBound, bound) : bound;
        unknown.push_back(bounds[i]);
      }
    }
    if (rest < 0 || (rest > 0 && !restBound))
      return;
    fact.premises.insert(fact.premises.end(), unknown.begin(), unknown.end());
    fact.bound = fact.otherEnd = rest > 0 ? Rational(sum + rest * *restBound) : sum;
    shared.offer(mixture, std::move(fact));
  }

  // Answers.

  std::optional<FactId> best(const Key& key, const Place& place) {
    const Table& table = tableAt(place);
    std::optional<FactId> found = table.find(shared.facts, key);
    if (key.quantifier != Quantifier::Quantile)
      return found;
    std::optional<Fact> best;
    if (found && shared.facts[*found].key != key) {
      best = restated(table, key, *found, lemmas::quantileSup);
      found.reset();
    }
    auto mean = table[key.quantity].mean();
    if (mean && isUpper(key.quantity) && key.share > 0) {
      Fact markov = restated(table, key, *mean, lemmas::markov);
      shared.settle(markov, shared.argument(shared.facts[*mean]) / shared.argument(key.share));
      const Fact* rival = best ? &*best : found ? &shared.facts[*found] : nullptr;
      if (!rival || isTighter(markov, *rival)) {
        best = std::move(markov);
        found.reset();
      }
    }
    // A share of the population can be above any mean, but not above what nothing is.
    if (best && hasCap(key.quantity) && best->bound > mostOf(key.quantity))
      best = restated(table, key, shared.capOf(table, key.quantity), lemmas::quantileSup);
    return found ? found : best ? std::optional(shared.facts.add(std::move(*best))) : std::nullopt;
  }

  Fact restated(const Table& table, const Key& key, FactId premise, const Lemma& by) const {
    Fact fact;
    fact.place = table.place;
    fact.key = key;
    fact.lemma = &by;
    fact.premises = {premise};
    fact.takeBound(shared.facts[premise]);
    return fact;
  }

  const Table& tableAt(const Place& place) {
    const Table* table = tables.find(place.slice, place.link, shared.problem.abouts[place.about]);
    TIKC_CHECK(table, "each place of a problem has its table");
    return *table;
  }

  Deduction shared;
  Closings* closings; // may be null
  Tables tables;
};

Engine::Engine(Problem& problem, std::shared_ptr<Results> results, Closings* closings)
    : impl_(std::make_unique<Impl>(problem, std::move(results), closings)) {}
Engine::~Engine() = default;

void Engine::run() { impl_->run(); }

const Table& Engine::table(const Place& place) const { return impl_->tableAt(place); }

std::vector<Wish> Engine::missing(const Goal& goal) const {
  return missingFor(goal, impl_->shared, impl_->tableAt(goal.place));
}

std::optional<FactId> Engine::best(const Key& key, const Place& place) {
  return impl_->best(key, place);
}

} // namespace tikc::bounds
