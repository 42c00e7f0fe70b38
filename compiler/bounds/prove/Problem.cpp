#include "bounds/prove/Poser.h"

#include "bounds/facts/Age.h"
#include "bounds/prove/Questions.h"
#include "support/Check.h"

#include <algorithm>

namespace tikc::bounds {

namespace {

/// What is about the responses of a group together.
bool isOfGroups(Quantity quantity) { return info(quantity).symbol.starts_with("group"); }

} // namespace

Problem Poser::take() {
  layOut();
  if (problem_.links.empty())
    return std::move(problem_);
  for (std::uint32_t link = 0; link < problem_.links.size(); ++link)
    poseSampling(link);
  posePolicy();
  poseAssumptions();
  poseGradient();
  for (std::size_t i = 0; i < contract_.clauses.size(); ++i)
    poseClause(i);
  saysWhyNot();
  for (std::size_t i = 0; i < contract_.claims.size(); ++i)
    poseClaim(i);
  return std::move(problem_);
}

void Poser::layOut() {
  Rational whole = 0;
  bool known = true;
  for (const model::Slice& slice : contract_.slices) {
    problem_.slices.push_back({slice.name.text, false, {}, {}});
    known = known && slice.weight;
    if (slice.weight)
      whole += slice.weight->scaled();
  }
  bool nothingRemains = known && !contract_.slices.empty() && whole >= 1;
  if (!contract_.slices.empty() && !nothingRemains)
    problem_.slices.push_back({"other", false, {}, {}});
  problem_.slices.push_back({"*", true, {}, {}});
  for (std::uint32_t i = 0; i < contract_.slices.size(); ++i) {
    const model::Slice& slice = contract_.slices[i];
    Place place{i, Place::any, Place::any};
    if (slice.weight)
      problem_.slices[i].share = giveAt(place, Quantity::Share, slice.weight->scaled(),
                                        origin(Origin::Kind::Fact, "weight", slice.weight->span));
    if (slice.tokenWeight)
      problem_.slices[i].tokenShare =
          giveAt(place, Quantity::Share, slice.tokenWeight->scaled(),
                 origin(Origin::Kind::Fact, "token_weight", slice.tokenWeight->span));
  }
  problem_.slicesCutResponses = laws_.slicesCutResponses();
  layOutLinks();
}

void Poser::layOutLinks() {
  if (contract_.chain.size() < 2)
    return;
  problem_.server = static_cast<std::uint32_t>(laws_.server());
  const model::KernelLaws& last = laws_.kernels().back();
  problem_.supportCanBeFull = !last.declaresCut() && !last.isGreedy() && !laws_.cutVaries();
  for (const model::Name& kernel : contract_.chain)
    problem_.kernels.push_back(kernel.text);
  add(0, problem_.server);
  if (isAged(contract_)) {
    add(0, 1);
    add(1, problem_.server);
    problem_.measured = linkAt_.at({1, problem_.server});
  }
  for (const model::Clause& clause : contract_.clauses)
    if (clause.link)
      linkOf(*clause.link);
  for (const model::Claim& claim : contract_.claims)
    if (claim.link)
      linkOf(*claim.link);
}

void Poser::add(std::uint32_t first, std::uint32_t second) {
  std::pair ends(first, second);
  if (!linkAt_.try_emplace(ends, static_cast<std::uint32_t>(problem_.links.size())).second)
    return;
  About rows{rowsOf(first), rowsOf(second), false, problem_.server};
  problem_.links.push_back(
      {contract_.chain[first].text, contract_.chain[second].text, first, second, rows});
}

model::Law Poser::rowsOf(std::uint32_t kernel) const {
  bool isServer = kernel == problem_.server;
  if (laws_.ofRows(kernel) == model::Law::Nominal && !asks(Question::RequestTemperature))
    return model::Law::Served;
  return asks(isServer ? Question::WholeLawOfServer : Question::WholeLawOfTrainer)
             ? laws_.ofRows(kernel)
             : model::Law::Served;
}

std::uint32_t Poser::linkOf(const model::Link& written) {
  auto first = laws_.placeOf(written.from.text), second = laws_.placeOf(written.to.text);
  if (!first || !second || !asks(Question::LinkOfClause))
    return 0;
  std::pair ends(static_cast<std::uint32_t>(*first), static_cast<std::uint32_t>(*second));
  add(ends.first, ends.second);
  return linkAt_.at(ends);
}

std::uint32_t Poser::linkOf(const model::Statement& statement) {
  return statement.link ? linkOf(*statement.link) : 0;
}

Origin Poser::origin(Origin::Kind kind, std::string_view name, const Span& span) const {
  return {kind, std::string(name), {}, span};
}

FactId Poser::add(Key key, Rational bound, Origin from, Place place, bool strict) {
  Fact fact;
  fact.key = std::move(key);
  fact.place = place;
  fact.otherEnd = bound;
  fact.bound = std::move(bound);
  fact.strict = strict;
  fact.origin = std::move(from);
  FactId id = problem_.facts.add(std::move(fact));
  problem_.inputs.push_back(id);
  return id;
}

FactId Poser::give(Quantity quantity, Rational value, Origin from) {
  switch (info(quantity).kind) {
  case QuantityInfo::Kind::OfEnds:
    return giveAt(endsOf(quantity), quantity, std::move(value), std::move(from));
  case QuantityInfo::Kind::OfFirstLink:
    return giveAt(firstLink(), quantity, std::move(value), std::move(from));
  case QuantityInfo::Kind::OfAge:
    return giveAt(rowsBetween(0, 1), quantity, std::move(value), std::move(from));
  case QuantityInfo::Kind::Plain:
  case QuantityInfo::Kind::Sample:
  case QuantityInfo::Kind::Drift:
  case QuantityInfo::Kind::Pooled:
  case QuantityInfo::Kind::OfAll:
  case QuantityInfo::Kind::OfPlace:
    return giveAt(everywhere, quantity, std::move(value), std::move(from));
  }
  TIKC_CHECK(false, "each kind has its case");
}

FactId Poser::giveAt(Place place, Quantity quantity, Rational value, Origin from) {
  return add({quantity, Quantifier::Given, 0}, std::move(value), std::move(from), place);
}

Place Poser::ends() {
  return asks(Question::EndsOfChain) ? Place{Place::any, 0, problem_.indexOf(problem_.served())}
                                     : everywhere;
}

Place Poser::endsOf(Quantity quantity) {
  Place out = ends();
  if (isOfGroups(quantity) && laws_.slicesSplitGroups())
    out.slice = problem_.mixture();
  return out;
}

Place Poser::rowsBetween(std::uint32_t first, std::uint32_t second) {
  add(first, second);
  std::uint32_t link = linkAt_.at({first, second});
  return {Place::any, link, problem_.indexOf(problem_.links[link].rows)};
}

Place Poser::firstLink() {
  std::uint32_t trainer = problem_.links[problem_.measured].first;
  return rowsBetween(trainer, trainer + 1);
}

void Poser::giveNumber(Quantity quantity, const std::optional<model::Number>& number,
                       std::string_view key, Origin::Kind kind) {
  if (number)
    give(quantity, number->value, origin(kind, key, number->span));
}

bool Poser::isGreedy(std::uint32_t link) const {
  const Problem::Link& ends = problem_.links[link];
  return laws_.kernels()[ends.first].isGreedy() || laws_.kernels()[ends.second].isGreedy();
}

void Poser::passOver(std::string why) {
  auto& all = problem_.passedOver;
  if (std::find(all.begin(), all.end(), why) == all.end())
    all.push_back(std::move(why));
}

void Poser::saysWhyNot() {
  if (laws_.temperatureVaries())
    passOver("slices depend on the requests' own `temperature`, so rows at the declared "
             "temperature do not compare the served laws");
  if (laws_.cutVaries())
    passOver("slices depend on the requests' own `top_p`, so the support may not be full");
  if (laws_.slicesSplitGroups() && contract_.assumptions.group)
    passOver("slices depend on more than prompts and their labels, so a `group` can lie in several "
             "slices: claims about gradients work only `on all`");
  if (laws_.slicesCutResponses())
    passOver("slices on `position` or `response_tokens` cut responses apart: claims about whole "
             "responses do not work on them");
}

std::vector<std::uint32_t> Poser::slicesOf(const model::Scope& scope) const {
  if (scope.kind == model::Scope::Kind::All || problem_.slices.size() == 1)
    return {problem_.mixture()};
  std::vector<std::uint32_t> out;
  for (std::uint32_t i = 0; i < problem_.mixture(); ++i) {
    bool named =
        scope.kind == model::Scope::Kind::EachSlice ||
        std::any_of(scope.slices.begin(), scope.slices.end(),
                    [&](const model::Name& name) { return name.text == problem_.slices[i].name; });
    if (named)
      out.push_back(i);
  }
  return out;
}

bool Poser::logsWhatIsServed(std::uint32_t link) const {
  const Problem::Link& ends = problem_.links[link];
  return laws_.logged(ends.first) == model::Law::Served &&
         laws_.logged(ends.second) == model::Law::Served;
}

std::optional<std::uint32_t> Problem::find(const About& about) const {
  auto match = std::find(abouts.begin(), abouts.end(), about);
  return match == abouts.end() ? std::nullopt
                               : std::optional(static_cast<std::uint32_t>(match - abouts.begin()));
}

std::vector<std::vector<FactId>> Problem::inputsOf(std::uint32_t link, std::uint32_t about) const {
  auto holds = [](std::uint32_t stated, std::uint32_t here) {
    return stated == Place::any || stated == here;
  };
  std::vector<std::vector<FactId>> out(slices.size());
  for (FactId id : inputs) {
    const Fact& fact = facts[id];
    if (!holds(fact.place.link, link) || !holds(fact.place.about, about) ||
        fact.key.quantity == Quantity::Share)
      continue;
    if (fact.place.slice != Place::any)
      out[fact.place.slice].push_back(id);
    else
      for (auto& each : out)
        each.push_back(id);
  }
  return out;
}

std::uint32_t Problem::indexOf(const About& about) {
  if (auto known = find(about))
    return *known;
  abouts.push_back(about);
  return static_cast<std::uint32_t>(abouts.size() - 1);
}

Problem pose(const model::Contract& contract, unsigned bits) {
  if (auto aged = withAge(contract))
    return Poser(*aged, bits).take();
  return Poser(contract, bits).take();
}

} // namespace tikc::bounds
