#include "bounds/prove/Readings.h"
#include "explain/Formats.h"
#include "explain/Words.h"
#include "ide/hover/Cards.h"
#include "logic/Partition.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tikc::ide {

using bounds::Quantity;

namespace {

// What is longer is better read elsewhere.
constexpr std::size_t mostChapters = 3, mostLines = 16, mostNames = 12;

std::string capped(std::string lines) {
  std::size_t end = 0;
  for (std::size_t i = 0; i < mostLines; ++i) {
    end = lines.find('\n', end);
    if (end == std::string::npos)
      return lines;
    ++end;
  }
  return end < lines.size() ? lines.substr(0, end) + "…\n" : lines;
}

std::string listed(const Card& card, const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i == mostNames)
      return out + ", …";
    out += (out.empty() ? "" : ", ") + card.ticked(names[i]);
  }
  return out;
}

/// What the lemmas start from, of what a comparison says.
std::vector<std::string> readingsOf(const model::Bound& bound) {
  std::vector<std::string> out;
  for (const bounds::QuantityLimit& limit : bounds::limitsOf(bound))
    for (const bounds::Promise& promise :
         bounds::promisesOf(bound.measure, limit, bounds::firstPrecision)) {
      bool isLower = bounds::info(promise.key.quantity).side == bounds::QuantityInfo::Side::Lower;
      out.push_back(fmt::format("{} {} {}", explain::keyText(promise.key), isLower ? ">=" : "<=",
                                explain::boundNumber(promise.value, isLower)));
    }
  return out;
}

/// "`token_tv`, mean(tv) <= 0.065: mean(tv) <= 0.03162 follows, 51% to spare".
std::string claimLine(const Card& card, const ProvenContract& proven, std::size_t claim) {
  const model::Claim& row = proven.contract->claims[claim];
  auto outcome = outcomeOf(proven, claim);
  std::string out =
      fmt::format("{}, {}", card.ticked(row.id.text), card.ticked(model::print(row.written)));
  if (!outcome)
    return out;
  const auto& decision = outcome->entry->decision;
  if (decision.fact)
    out += fmt::format(
        ": {}", card.ticked(factText(proven.proof->factsOf(*outcome->entry)[*decision.fact])));
  return fmt::format("{}: {}", out, outcomeText(*outcome));
}

void tellWitness(Card& card, const bounds::Witness& witness) {
  for (const std::string& line : bounds::populationLines(witness))
    card.item(card.escaped(line));
  for (const bounds::Witness::Row& row : witness.rows)
    card.item(fmt::format(
        "there, {} is {}: it {} {}", card.ticked(row.what), bounds::valueText(row),
        &row == &witness.rows.back() ? "violates" : "satisfies", card.ticked(row.limit)));
}

void tellChapter(Card& card, const explain::Chapter& chapter) {
  std::string place = explain::whereText(chapter);
  card.text(card.escaped(
      fmt::format("{}{}{}", explain::verdictText(chapter), place.empty() ? "" : ", ", place)));
  for (const std::string& line : explain::missingLines(chapter))
    card.item(line);
  if (chapter.witness)
    tellWitness(card, *chapter.witness);
  else if (chapter.result())
    card.block(capped(explain::treeText(chapter)));
}

} // namespace

void tellContract(Card& card, const model::Contract& contract) {
  card.title(contract.name.value,
             fmt::format(", a contract{}{}", contract.version ? ", version " : "",
                         contract.version ? card.escaped(contract.version->value) : ""));
  if (contract.summary)
    card.quoted(contract.summary->value);
  std::vector<std::string> chain;
  for (const model::Name& name : contract.chain)
    chain.push_back(name.text);
  if (!chain.empty())
    card.item("compares " + listed(card, chain));
  card.item(fmt::format("{} clauses, {} claims", contract.clauses.size(), contract.claims.size()));
}

void tellKernel(Card& card, const model::Contract& contract, const model::Kernel& kernel) {
  std::string role;
  if (!contract.chain.empty() && contract.chain.front().text == kernel.name.text)
    role = ", the trainer";
  else if (!contract.chain.empty() && contract.chain.back().text == kernel.name.text)
    role = ", the server";
  card.title(kernel.name.text, ", a kernel" + role);
  std::string engine = kernel.engine ? card.escaped(kernel.engine->value) : "";
  if (kernel.version)
    engine += " " + card.escaped(kernel.version->value);
  if (!engine.empty())
    card.item("engine: " + engine);
  static constexpr std::string_view parts[model::kernelParts] = {"weights", "compute", "accumulate",
                                                                 "kv_cache", "logits"};
  std::string formats;
  for (std::size_t i = 0; i < model::kernelParts; ++i)
    if (kernel.formats[i])
      formats += fmt::format("{}{} {}", formats.empty() ? "" : ", ", parts[i],
                             card.ticked(kernel.formats[i]->value));
  if (!formats.empty())
    card.item(formats);
}

namespace {

/// What a slice gets, by an example, and who takes the rest.
void tellRequests(Card& card, const model::Contract& contract, const model::Slice& slice) {
  auto partition = logic::Partition::of(contract);
  if (!partition)
    return;
  for (const logic::SlicePart& part : partition->parts()) {
    if (part.slice != &slice)
      continue;
    if (part.own.isEmpty() == logic::Decided::No)
      card.item("such as " + card.ticked(logic::print(partition->space().example(part.own))));
    std::vector<std::string> takers;
    for (const model::Slice* taker : partition->takersOf(part))
      takers.push_back(card.ticked(taker->name.text));
    if (!takers.empty())
      card.item(
          fmt::format("earlier slices take some of its requests: {}", fmt::join(takers, ", ")));
  }
}

} // namespace

void tellSlice(Card& card, const model::Contract& contract, const model::Slice& slice) {
  auto place =
      std::find_if(contract.slices.begin(), contract.slices.end(),
                   [&](const model::Slice& each) { return each.name.text == slice.name.text; });
  card.title(slice.name.text, fmt::format(", slice {} of {}", place - contract.slices.begin() + 1,
                                          contract.slices.size()));
  if (slice.summary)
    card.quoted(slice.summary->value);
  if (slice.when)
    card.item("when " + card.ticked(model::print(*slice.when)) +
              ", if no earlier slice takes the request");
  tellRequests(card, contract, slice);
  if (slice.weight)
    card.item(fmt::format("{} of the requests", model::print(*slice.weight)));
  if (slice.tokenWeight)
    card.item(fmt::format("{} of the tokens", model::print(*slice.tokenWeight)));
}

void tellLabel(Card& card, const model::Label& label) {
  card.title(label.name.text, ", a label of requests");
  std::vector<std::string> values;
  for (const model::Text& value : label.values)
    values.push_back(value.value);
  card.text("One of " + listed(card, values) + ".");
}

void tellRule(Card& card, const ProvenContract& proven, const model::Rule& rule) {
  card.title(rule.id.text, ", a rule");
  if (rule.because)
    card.quoted(rule.because->value);
  if (rule.when)
    card.item("when " + card.ticked(model::print(*rule.when)));
  if (rule.until)
    card.item("until " + card.ticked(model::print(*rule.until)));
  for (const model::Call& action : rule.actions)
    card.item("does " + card.ticked(model::print(action.expr)));
  for (const model::Step& step : rule.steps)
    for (const model::Call& action : step.actions)
      card.item(fmt::format("for {}: {}", model::print(step.lasts),
                            card.ticked(model::print(action.expr))));
  tellProspect(card, proven, rule);
}

void tellUses(Card& card, const ProvenContract& proven, const Span& span) {
  if (!proven.proof)
    return;
  Grounds grounds(*proven.proof);
  const Grounds::Use* use = grounds.at(span);
  if (!use)
    return;
  card.text("Claims that rest on it:");
  for (std::size_t claim : use->claims)
    card.item(claimLine(card, proven, claim));
}

void tellClause(Card& card, const ProvenContract& proven, const model::Clause& clause) {
  card.title(clause.id.text, fmt::format(", a {} clause", model::familyName(clause.family)));
  if (clause.directive) {
    card.code(model::print(clause.directive->expr));
    card.text(model::info(clause.directive->id).meaning);
  } else if (!clause.written.comparisons.empty()) {
    card.code(model::print(clause.written));
  }
  if (clause.because)
    card.quoted(clause.because->value);
  for (const model::Bound& bound : clause.bounds) {
    auto readings = readingsOf(bound);
    if (!readings.empty())
      card.item("claims read it as " + listed(card, readings));
    else
      card.item("no lemma uses a bound of this kind, so no claim can rest on it");
  }
  if (!proven.proof)
    return;
  Grounds grounds(*proven.proof);
  std::set<std::size_t> claims;
  for (const model::Bound& bound : clause.bounds)
    if (const Grounds::Use* use = grounds.at(bound.span)) {
      claims.insert(use->claims.begin(), use->claims.end());
      for (const bounds::Fact* fact : use->alone)
        if (!fact->origin)
          card.item("on its own it gives " + card.ticked(factText(*fact)));
    }
  if (!claims.empty())
    card.text("Claims that rest on it:");
  for (std::size_t claim : claims)
    card.item(claimLine(card, proven, claim));
}

void tellLimit(Card& card, const ProvenContract& proven, const model::Clause& clause,
               const model::Bound& bound) {
  card.title(model::print(bound.upper ? *bound.upper : bound.limit),
             fmt::format(" of {}: what follows from it", card.ticked(clause.id.text)));
  if (!proven.proof)
    return;
  Grounds grounds(*proven.proof);
  const Grounds::Use* use = grounds.at(bound.span);
  if (!use) {
    card.text("No bound of a claim rests on it.");
    return;
  }
  for (std::size_t claim : use->claims)
    card.item(claimLine(card, proven, claim));
  auto outcome = outcomeOf(proven, *use->claims.begin());
  static constexpr Quantity shown[] = {Quantity::Tv, Quantity::Ess, Quantity::SeqTv,
                                       Quantity::SeqEss, Quantity::RewardDrift};
  auto facts = strongestOn(proven.proof->factsOf(*outcome->entry), bound.span,
                           outcome->entry->decision.goal.place, shown);
  if (!facts.empty())
    card.text("With the rest of the contract it gives:");
  for (const bounds::Fact* fact : facts)
    card.item(fmt::format("{}, {}", card.ticked(factText(*fact)),
                          bounds::info(fact->key.quantity).meaning));
}

void tellClaim(Card& card, const SourceManager& sources, const std::string& file,
               const ProvenContract& proven, std::size_t claim) {
  const model::Claim& row = proven.contract->claims[claim];
  card.title(row.id.text, ", a claim");
  card.code(model::print(row.written));
  if (row.because)
    card.quoted(row.because->value);
  if (!proven.proof) {
    card.text("Not decided: the contract has errors or is abstract.");
    return;
  }
  explain::Explanation explanation = explain::tell(sources, file, *proven.contract, *proven.proof,
                                                   {row.id.text, ""}, explain::Depth::Verdict);
  for (std::size_t i = 0; i < explanation.chapters.size() && i < mostChapters; ++i)
    tellChapter(card, explanation.chapters[i]);
  if (explanation.chapters.size() > mostChapters)
    card.text(fmt::format("{} more on other slices or bounds.",
                          explanation.chapters.size() - mostChapters));
}

bool tellName(Card& card, const SourceManager& sources, const std::string& file,
              const ProvenContract& proven, std::string_view section, std::string_view name) {
  const model::Contract& contract = *proven.contract;
  if (section == "kernels")
    for (const model::Kernel& kernel : contract.kernels)
      if (kernel.name.text == name)
        return tellKernel(card, contract, kernel), true;
  if (section == "slices")
    for (const model::Slice& slice : contract.slices)
      if (slice.name.text == name)
        return tellSlice(card, contract, slice), true;
  if (section == "labels")
    for (const model::Label& label : contract.labels)
      if (label.name.text == name)
        return tellLabel(card, label), true;
  if (section == "escalation")
    for (const model::Rule& rule : contract.rules)
      if (rule.id.text == name)
        return tellRule(card, proven, rule), true;
  if (section == "claims")
    for (std::size_t i = 0; i < contract.claims.size(); ++i)
      if (contract.claims[i].id.text == name)
        return tellClaim(card, sources, file, proven, i), true;
  for (const model::Clause& clause : contract.clauses)
    if ((section == "clauses" || section == model::familyName(clause.family)) &&
        clause.id.text == name)
      return tellClause(card, proven, clause), true;
  return false;
}

} // namespace tikc::ide
