#include "bounds/Replay.h"

#include "bounds/Closure.h"

#include <algorithm>

namespace tikc::bounds {
namespace {

/// Every slot of a table in one order, with its name.
template <typename T, typename Visit> void eachSlot(T& table, const Visit& visit) {
  for (std::size_t i = 0; i < quantityCount; ++i) {
    for (auto* slot : {&table.given[i], &table.sup[i], &table.mean[i]})
      if (*slot)
        visit(**slot);
    for (auto& slot : table.quantiles[i])
      visit(slot);
  }
}

std::vector<FactId> seedsOf(const Table& table) {
  std::vector<FactId> out;
  eachSlot(table, [&](FactId id) { out.push_back(id); });
  return out;
}

} // namespace

Replay::Start Replay::startOf(const Deduction& deduction, const Table& table,
                              const std::vector<FactId>& seeds) {
  const Problem& problem = deduction.problem;
  Start out;
  out.shape = {problem.slicesCutResponses, problem.slices[table.place.slice].isMixture,
               problem.links[table.place.link].endsAtServer, deduction.steps.size(),
               deduction.asked.size()};
  for (std::size_t i = 0; i < quantityCount; ++i)
    out.shape.push_back(deduction.isRelevant(static_cast<Quantity>(i)));
  out.shape.insert(out.shape.end(), table.version.begin(), table.version.end());
  out.numbers = deduction.asked;
  for (FactId id : seeds) {
    const Fact& fact = deduction.facts[id];
    out.shape.push_back(at(fact.key.quantity) << 8 |
                        static_cast<std::uint64_t>(fact.key.quantifier) << 1 | fact.strict);
    out.numbers.push_back(fact.key.share);
    out.numbers.push_back(fact.bound);
  }
  return out;
}

Replay::Outcome Replay::record(const Deduction& deduction, const Table& table,
                               const std::vector<FactId>& seeds, std::size_t before) {
  auto refTo = [&](FactId id) -> Ref {
    auto index = static_cast<std::size_t>(id);
    if (index >= before)
      return {false, index - before};
    auto seed = std::find(seeds.begin(), seeds.end(), id);
    return {true, static_cast<std::size_t>(seed - seeds.begin())};
  };
  auto refsTo = [&](const std::vector<FactId>& ids) {
    std::vector<Ref> out;
    std::transform(ids.begin(), ids.end(), std::back_inserter(out), refTo);
    return out;
  };
  Outcome out;
  for (std::size_t i = before; i < deduction.facts.size(); ++i) {
    const Fact& fact = deduction.facts[static_cast<FactId>(i)];
    out.facts.push_back({fact, refsTo(fact.premises), refsTo(fact.under)});
  }
  for (std::size_t i = 0; i < quantityCount; ++i) {
    auto take = [&](std::optional<Ref>& to, const std::optional<FactId>& from) {
      if (from)
        to = refTo(*from);
    };
    take(out.slots.given[i], table.given[i]);
    take(out.slots.sup[i], table.sup[i]);
    take(out.slots.mean[i], table.mean[i]);
    out.slots.quantiles[i] = refsTo(table.quantiles[i]);
  }
  out.version = table.version;
  return out;
}

void Replay::apply(const Outcome& outcome, Deduction& deduction, Table& table,
                   const std::vector<FactId>& seeds) {
  std::size_t before = deduction.facts.size();
  auto idOf = [&](const Ref& ref) {
    return ref.isSeed ? seeds[ref.index] : static_cast<FactId>(before + ref.index);
  };
  auto idsOf = [&](const std::vector<Ref>& refs) {
    std::vector<FactId> out;
    std::transform(refs.begin(), refs.end(), std::back_inserter(out), idOf);
    return out;
  };
  for (const Found& found : outcome.facts) {
    Fact fact = found.fact;
    fact.place = table.place;
    fact.premises = idsOf(found.premises);
    fact.under = idsOf(found.under);
    deduction.facts.add(std::move(fact));
  }
  for (std::size_t i = 0; i < quantityCount; ++i) {
    auto give = [&](std::optional<FactId>& to, const std::optional<Ref>& from) {
      to = from ? std::optional(idOf(*from)) : std::nullopt;
    };
    give(table.given[i], outcome.slots.given[i]);
    give(table.sup[i], outcome.slots.sup[i]);
    give(table.mean[i], outcome.slots.mean[i]);
    table.quantiles[i] = idsOf(outcome.slots.quantiles[i]);
  }
  table.version = outcome.version;
}

void Replay::close(Deduction& deduction, Table& table) {
  std::vector<FactId> seeds = seedsOf(table);
  Start start = startOf(deduction, table, seeds);
  auto known = outcomes_.find(start);
  if (known == outcomes_.end()) {
    std::size_t before = deduction.facts.size();
    bounds::close(deduction, table);
    known = outcomes_.emplace(std::move(start), record(deduction, table, seeds, before)).first;
  } else {
    apply(known->second, deduction, table, seeds);
  }
  known->second.lastUsed = turn_;
}

void Replay::turn() {
  constexpr unsigned kept = 8; // an edit and its undoing lie few proofs apart
  ++turn_;
  std::erase_if(outcomes_, [&](const auto& each) { return each.second.lastUsed + kept < turn_; });
}

} // namespace tikc::bounds
