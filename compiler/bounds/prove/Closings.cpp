#include "bounds/prove/Closings.h"

#include "bounds/prove/Closure.h"

#include <algorithm>
#include <utility>

namespace tikc::bounds {
namespace {

/// What closing a place starts from: its own facts, and those of other laws that lemmas lead from.
std::vector<FactId> seedsOf(const Table& table) {
  std::vector<FactId> out;
  auto take = [&](const Table& from) {
    for (const Slot& slot : from.slots) {
      for (const auto& fact : slot.tightest)
        if (fact)
          out.push_back(*fact);
      out.insert(out.end(), slot.quantiles.begin(), slot.quantiles.end());
    }
  };
  take(table);
  for (const Table* other : table.others)
    if (other && other != &table)
      take(*other);
  return out;
}

/// Which of the other tables there are, and how many facts each has.
void addOthers(const Table& table, std::vector<std::uint64_t>& shape) {
  for (const Table* other : table.others) {
    std::uint64_t count = other == &table ? 1 : 0;
    if (other && other != &table)
      for (const Slot& slot : other->slots)
        count += 2 + 2 * slot.quantiles.size();
    shape.push_back(other ? count : ~std::uint64_t{0});
  }
}

} // namespace

Closings::Start Closings::startOf(const Deduction& deduction, const Table& table,
                                  const std::vector<FactId>& seeds) {
  const Problem& problem = deduction.problem;
  Start out;
  const About& about = problem.abouts[table.place.about];
  out.shape = {problem.cutsResponses(table.place.slice),
               static_cast<std::uint64_t>(about.first),
               static_cast<std::uint64_t>(about.second),
               about.isKept,
               about.drawer == problem.links[table.place.link].second,
               deduction.steps.size(),
               deduction.goalShares.size()};
  addOthers(table, out.shape);
  for (std::size_t i = 0; i < quantityCount; ++i)
    out.shape.push_back(deduction.isRelevant(static_cast<Quantity>(i)));
  for (const Slot& slot : table.slots)
    out.shape.push_back(slot.version);
  out.numbers = deduction.goalShares;
  for (FactId id : seeds) {
    const Fact& fact = deduction.facts[id];
    out.shape.push_back(at(fact.key.quantity) << 8 |
                        static_cast<std::uint64_t>(fact.key.isOpen) << 4 |
                        static_cast<std::uint64_t>(fact.key.quantifier) << 2 |
                        static_cast<std::uint64_t>(fact.logarithm() != nullptr) << 1 | fact.strict);
    out.numbers.push_back(fact.key.share);
    out.numbers.push_back(fact.bound);
  }
  return out;
}

Closings::Outcome Closings::record(const Deduction& deduction, const Table& table,
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
    const Slot& slot = table.slots[i];
    for (std::size_t j = 0; j < slot.tightest.size(); ++j)
      if (slot.tightest[j])
        out.slots.tightest[i][j] = refTo(*slot.tightest[j]);
    out.slots.quantiles[i] = refsTo(slot.quantiles);
    out.slots.version[i] = slot.version;
  }
  return out;
}

void Closings::apply(const Outcome& outcome, Deduction& deduction, Table& table,
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
  for (const StoredFact& stored : outcome.facts) {
    Fact fact = stored.fact;
    fact.place = table.place;
    fact.premises = idsOf(stored.premises);
    fact.under = idsOf(stored.under);
    deduction.facts.add(std::move(fact));
  }
  for (std::size_t i = 0; i < quantityCount; ++i) {
    Slot& slot = table.slots[i];
    for (std::size_t j = 0; j < slot.tightest.size(); ++j) {
      const auto& from = outcome.slots.tightest[i][j];
      slot.tightest[j] = from ? std::optional(idOf(*from)) : std::nullopt;
    }
    slot.quantiles = idsOf(outcome.slots.quantiles[i]);
    slot.version = outcome.slots.version[i];
  }
}

void Closings::close(Deduction& deduction, Table& table) {
  std::vector<FactId> seeds = seedsOf(table);
  Start start = startOf(deduction, table, seeds);
  CutOff& cutOff = deduction.problem.cutOff;
  auto known = outcomes_.find(start);
  if (known == outcomes_.end()) {
    std::size_t before = deduction.facts.size();
    CutOff elsewhere = std::exchange(cutOff, {});
    bounds::close(deduction, table);
    known = outcomes_.emplace(std::move(start), record(deduction, table, seeds, before)).first;
    known->second.cutOff = std::exchange(cutOff, elsewhere);
  } else {
    apply(known->second, deduction, table, seeds);
  }
  cutOff.add(known->second.cutOff);
  known->second.lastUsed = turn_;
}

void Closings::turn() {
  constexpr unsigned kept = 8; // an edit and its undoing lie few proofs apart
  ++turn_;
  std::erase_if(outcomes_, [&](const auto& each) { return each.second.lastUsed + kept < turn_; });
}

} // namespace tikc::bounds
