#include "bounds/Engine.h"

#include "bounds/Closure.h"

#include <algorithm>
#include <numeric>

namespace tikc::bounds {

using Level = QuantityInfo::Level;

std::optional<FactId> Table::find(const Derivation& facts, const Key& key) const {
  std::size_t i = at(key.quantity);
  switch (key.quantifier) {
  case Quantifier::Given:
    return given[i];
  case Quantifier::Sup:
    return sup[i];
  case Quantifier::Mean:
    return mean[i];
  case Quantifier::Quantile:
    break;
  }
  std::optional<FactId> best = sup[i];
  for (FactId id : quantiles[i])
    if (facts[id].key.share <= key.share && (!best || isTighter(facts[id], facts[*best])))
      best = id;
  return best;
}

struct Engine::Impl {
  Impl(Problem& problem, std::shared_ptr<Memory> memory) : shared(problem, std::move(memory)) {
    tables.resize(problem.links.size());
    for (std::uint32_t link = 0; link < problem.links.size(); ++link)
      for (std::uint32_t slice = 0; slice < problem.slices.size(); ++slice) {
        tables[link].emplace_back();
        tables[link].back().place = {slice, link};
      }
  }

  void run() {
    for (std::uint32_t link : linkOrder())
      solveLink(link);
  }

  /// Steps of a chain come before what is composed of them.
  std::vector<std::uint32_t> linkOrder() const {
    std::vector<std::uint32_t> order(shared.problem.links.size());
    std::iota(order.begin(), order.end(), 0u);
    auto steps = [&](std::uint32_t link) {
      std::size_t most = 0;
      for (const auto& path : shared.problem.links[link].paths)
        most = std::max(most, path.size());
      return most;
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return steps(a) < steps(b); });
    return order;
  }

  void solveLink(std::uint32_t link) {
    auto& row = tables[link];
    for (Table& table : row)
      seed(table);
    Table& mixture = row.back();
    for (Table& table : row)
      if (&table != &mixture)
        partOfMixture(mixture, table);
    for (Table& table : row) {
      if (!isWanted(table.place.slice))
        continue;
      if (&table == &mixture)
        mix(row);
      compose(table);
      if (auto& replay = shared.memory->replay)
        replay->close(shared, table);
      else
        close(shared, table);
    }
  }

  /// The mixture rests on every slice, a slice on itself alone.
  bool isWanted(std::uint32_t slice) const {
    return std::any_of(
        shared.problem.goals.begin(), shared.problem.goals.end(), [&](const Goal& goal) {
          return goal.place.slice == slice || goal.place.slice == shared.problem.mixture();
        });
  }

  void seed(Table& table) {
    constexpr std::uint32_t any = 0xffffffff;
    for (FactId id : shared.problem.inputs) {
      const Fact& fact = shared.facts[id];
      bool here = (fact.place.slice == any || fact.place.slice == table.place.slice) &&
                  (fact.place.link == any || fact.place.link == table.place.link);
      if (!here || fact.key.quantity == Quantity::Share)
        continue;
      std::size_t i = at(fact.key.quantity);
      auto take = [&](std::optional<FactId>& slot) {
        if (!slot || isTighter(fact, shared.facts[*slot]))
          slot = id;
      };
      ++table.version[i];
      if (fact.key.quantifier == Quantifier::Given)
        take(table.given[i]);
      else if (fact.key.quantifier == Quantifier::Sup)
        take(table.sup[i]);
      else if (fact.key.quantifier == Quantifier::Mean)
        take(table.mean[i]);
      else
        table.quantiles[i].push_back(id);
    }
    for (auto& ladder : table.quantiles)
      tidy(ladder);
  }

  /// Keeps of several quantiles those that another does not make useless, by their shares.
  void tidy(std::vector<FactId>& ladder) const {
    auto useless = [&](FactId id) {
      return std::any_of(ladder.begin(), ladder.end(), [&](FactId other) {
        const Fact &a = shared.facts[other], &b = shared.facts[id];
        bool covers = a.key.share <= b.key.share && !isTighter(b, a);
        bool same = a.key.share == b.key.share && !isTighter(a, b);
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

  std::optional<FactId> shareOf(std::uint32_t slice, Quantity quantity) const {
    const Problem::Slice& row = shared.problem.slices[slice];
    bool isGradient = quantity == Quantity::PgPrefix || quantity == Quantity::PgCut ||
                      quantity == Quantity::PgSupport || quantity == Quantity::PgBias;
    bool isOfTokens =
        info(quantity).level == Level::Context || (isGradient && shared.problem.isOneToken);
    return isOfTokens ? row.tokenShare : row.share;
  }

  /// A promise about the whole mixture is one about each slice, as far as the slice's share allows.
  void partOfMixture(const Table& mixture, Table& slice) {
    for (FactId id : shared.problem.inputs) {
      const Fact& whole = shared.facts[id];
      if (whole.place != mixture.place || info(whole.key.quantity).level == Level::Given)
        continue;
      Fact fact;
      fact.place = slice.place;
      fact.key = whole.key;
      fact.premises = {id};
      fact.strict = whole.strict;
      fact.bound = fact.otherEnd = whole.bound;
      fact.lemma = &lemmas::allSlice;
      if (whole.key.quantifier != Quantifier::Sup) {
        auto share = shareOf(slice.place.slice, whole.key.quantity);
        if (!share || shared.facts[*share].bound <= 0)
          continue;
        fact.lemma = &lemmas::mixPart;
        fact.premises = {*share, id};
        if (whole.key.quantifier == Quantifier::Quantile)
          fact.key.share = whole.key.share / shared.facts[*share].bound;
        else
          fact.bound = fact.otherEnd = whole.bound / shared.facts[*share].bound;
        // The rest of the mixture must not be able to pay for the slice.
        bool payable = !isUpper(whole.key.quantity) || whole.key.quantity == Quantity::SampledK1;
        if (payable && whole.key.quantifier == Quantifier::Mean)
          continue;
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
      if (!shared.isRelevant(static_cast<Quantity>(i)) || info(quantity).level == Level::Given)
        continue;
      worst(row, quantity, &Table::sup, Quantifier::Sup);
      if (isUpper(quantity))
        mixMeans(row, quantity);
      else
        worst(row, quantity, &Table::mean, Quantifier::Mean);
    }
  }

  void worst(std::vector<Table>& row, Quantity quantity,
             std::array<std::optional<FactId>, quantityCount> Table::*column,
             Quantifier quantifier) {
    Table& mixture = row.back();
    Fact fact;
    fact.place = mixture.place;
    fact.lemma = &lemmas::worst;
    fact.key = {quantity, quantifier, 0};
    for (std::size_t i = 0; i + 1 < row.size(); ++i) {
      auto id = (row[i].*column)[at(quantity)];
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
      known |= row[i].mean[at(quantity)].has_value();
    if (!known)
      return;
    for (std::size_t i = 0; i + 1 < row.size(); ++i) {
      auto id = row[i].mean[at(quantity)];
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
      if (auto share = shareOf(i, quantity)) {
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

  /// Drifts and total variations of a chain's steps add up.
  void compose(Table& table) {
    static constexpr Quantity adding[] = {
        Quantity::LogitLinf,      Quantity::LogitOsc,    Quantity::LogitL2,
        Quantity::Omega,          Quantity::LogprobLinf, Quantity::LogRatioUp,
        Quantity::LogRatioDown,   Quantity::EntropyGap,  Quantity::Tv,
        Quantity::PlainTv,        Quantity::SeqTv,       Quantity::SeqLogRatioUp,
        Quantity::SeqLogRatioDown};
    for (const auto& path : shared.problem.links[table.place.link].paths)
      for (Quantity quantity : adding) {
        if (!shared.isRelevant(quantity))
          continue;
        for (Quantifier quantifier : {Quantifier::Sup, Quantifier::Mean, Quantifier::Quantile})
          composePath(table, path, quantity, quantifier);
      }
  }

  void composePath(Table& table, const std::vector<std::uint32_t>& path, Quantity quantity,
                   Quantifier quantifier) {
    Fact fact;
    fact.place = table.place;
    fact.lemma = hasCap(quantity) ? &lemmas::chTv : &lemmas::chOsc;
    fact.key = {quantity, quantifier, 0};
    for (std::uint32_t link : path) {
      const Table& step = tables[link][table.place.slice];
      std::size_t i = at(quantity);
      std::optional<FactId> id = quantifier == Quantifier::Sup    ? step.sup[i]
                                 : quantifier == Quantifier::Mean ? step.mean[i]
                                                                  : std::nullopt;
      // Of a step's quantiles, the one that fails least, else its supremum.
      if (quantifier == Quantifier::Quantile)
        id = step.quantiles[i].empty() ? step.sup[i] : std::optional(step.quantiles[i].front());
      if (!id)
        return;
      fact.key.share += shared.facts[*id].key.share;
      fact.bound += shared.facts[*id].bound;
      fact.premises.push_back(*id);
    }
    if (quantifier == Quantifier::Quantile && (fact.key.share == 0 || fact.key.share >= 1))
      return;
    if (hasCap(quantity))
      fact.bound = std::min(fact.bound, *parseDecimal(info(quantity).cap));
    fact.otherEnd = fact.bound;
    shared.offer(table, std::move(fact));
  }

  // Answers.

  std::optional<FactId> best(const Key& key, const Place& place) {
    Table& table = tables[place.link][place.slice];
    std::optional<FactId> found = table.find(shared.facts, key);
    if (key.quantifier != Quantifier::Quantile)
      return found;
    std::optional<Fact> best;
    if (found && shared.facts[*found].key != key) {
      best = restated(table, key, *found, lemmas::quantileSup);
      found.reset();
    }
    std::size_t i = at(key.quantity);
    if (table.mean[i] && isUpper(key.quantity) && key.share > 0) {
      Fact markov = restated(table, key, *table.mean[i], lemmas::markov);
      markov.bound = markov.otherEnd = shared.facts[*table.mean[i]].bound / key.share;
      const Fact* rival = best ? &*best : found ? &shared.facts[*found] : nullptr;
      if (!rival || isTighter(markov, *rival)) {
        best = std::move(markov);
        found.reset();
      }
    }
    return found ? found : best ? std::optional(shared.facts.add(std::move(*best))) : std::nullopt;
  }

  Fact restated(const Table& table, const Key& key, FactId premise, const Lemma& by) const {
    Fact fact;
    fact.place = table.place;
    fact.key = key;
    fact.lemma = &by;
    fact.premises = {premise};
    fact.bound = fact.otherEnd = shared.facts[premise].bound;
    fact.strict = shared.facts[premise].strict;
    return fact;
  }

  Deduction shared;
  std::vector<std::vector<Table>> tables; // by link, then slice
};

Engine::Engine(Problem& problem, std::shared_ptr<Memory> memory)
    : impl_(std::make_unique<Impl>(problem, std::move(memory))) {}
Engine::~Engine() = default;

void Engine::run() { impl_->run(); }

const Table& Engine::table(const Place& place) const {
  return impl_->tables[place.link][place.slice];
}

std::optional<FactId> Engine::best(const Key& key, const Place& place) {
  return impl_->best(key, place);
}

} // namespace tikc::bounds
