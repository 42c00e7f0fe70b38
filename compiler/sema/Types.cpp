#include "sema/Types.h"

namespace tikc::sema {

using namespace model;
using model::CallPlace;
using utf8::ticked;

namespace {

void typeBounds(Statement& statement, auto typeOne) {
  for (const Comparison& comparison : statement.written.comparisons)
    if (auto bound = typeOne(comparison))
      statement.bounds.push_back(std::move(*bound));
}

void checkSlices(FileContext& context, const Symbols& symbols, const std::vector<Name>& slices) {
  for (const Name& name : slices)
    if (!symbols.isSlice(name.text))
      reportUnknown<diag::UnknownSlice>(context, name.text, name.span, symbols.sliceNames());
}

std::optional<std::size_t> placeInChain(const Contract& contract, std::string_view kernel) {
  for (std::size_t i = 0; i < contract.chain.size(); ++i)
    if (contract.chain[i].text == kernel)
      return i;
  return std::nullopt;
}

/// Whether who is compared is fully known: what is wrong with the chain itself is not reported of
/// each statement about it as well.
bool isChainKnown(const Contract& contract) {
  auto isDeclared = [&](const Name& name) {
    return std::any_of(contract.kernels.begin(), contract.kernels.end(),
                       [&](const Kernel& kernel) { return kernel.name.text == name.text; });
  };
  return contract.chain.size() > 1 &&
         std::all_of(contract.chain.begin(), contract.chain.end(), isDeclared);
}

/// A clause on a chain compares two kernels and must say which; requests are always served by the
/// last.
void checkLink(FileContext& context, const Contract& contract, const Statement& statement,
               bool needed) {
  if (!statement.link) {
    if (needed && contract.chain.size() > 2)
      context.sink.report<diag::LinkMissing>(statement.id.span, ticked(statement.id.text));
    return;
  }
  if (!isChainKnown(contract))
    return;
  auto from = placeInChain(contract, statement.link->from.text);
  auto to = placeInChain(contract, statement.link->to.text);
  std::vector<std::string_view> chain;
  for (const Name& name : contract.chain)
    chain.push_back(name.text);
  if (!from)
    reportUnknown<diag::UnknownKernel>(context, statement.link->from.text,
                                       statement.link->from.span, chain);
  if (!to)
    reportUnknown<diag::UnknownKernel>(context, statement.link->to.text, statement.link->to.span,
                                       chain);
  if (from && to && *from >= *to)
    context.sink.report<diag::LinkReversed>(statement.link->span)
        .note("a link runs from the trainer's side to the server's");
}

/// A clause may be measured on what another kernel drew, or on a text that none did.
void checkDrawn(FileContext& context, const Contract& contract, const Statement& statement,
                bool isClaim) {
  if (!statement.drawn)
    return;
  if (isClaim) {
    context.sink.report<diag::DrawnClaim>(statement.drawn->span)
        .note("remove it: a claim is always about the server's draws");
    return;
  }
  if (!isChainKnown(contract))
    return;
  std::vector<std::string_view> known{"text"};
  for (const Name& name : contract.chain)
    known.push_back(name.text);
  if (std::find(known.begin(), known.end(), statement.drawn->text) == known.end())
    reportUnknown<diag::UnknownKernel>(context, statement.drawn->text, statement.drawn->span,
                                       known);
}

void typeRule(FileContext& context, const Symbols& symbols, Rule& rule) {
  if (rule.when)
    typeTrigger(context, symbols, *rule.when);
  if (rule.until)
    typeTrigger(context, symbols, *rule.until);
  for (Call& action : rule.actions)
    typeCall(context, symbols, action, CallPlace::Action);
  for (Step& step : rule.steps) {
    checkAmount(context, step.lasts, {Dimension::Windows}, "a step's length");
    for (Call& action : step.actions)
      typeCall(context, symbols, action, CallPlace::Action);
  }
  checkSlices(context, symbols, rule.slices);
}

} // namespace

void typeContract(FileContext& context, Contract& contract) {
  Symbols symbols(context, contract);
  checkFacts(context, symbols, contract);
  for (const Slice& slice : contract.slices)
    if (slice.when)
      typePredicate(context, symbols, *slice.when);
  for (Clause& clause : contract.clauses) {
    if (clause.directive)
      typeCall(context, symbols, *clause.directive, CallPlace::Directive);
    typeBounds(clause, [&](const Comparison& comparison) {
      return typeClauseBound(context, symbols, comparison, clause.family);
    });
    bool compares = clause.family == Family::Numerical || clause.family == Family::Statistical;
    checkLink(context, contract, clause, compares);
    checkDrawn(context, contract, clause, false);
  }
  for (Claim& claim : contract.claims) {
    typeBounds(claim, [&](const Comparison& comparison) {
      return typeClaimBound(context, symbols, comparison);
    });
    checkLink(context, contract, claim, false);
    checkDrawn(context, contract, claim, true);
  }
  for (Rule& rule : contract.rules)
    typeRule(context, symbols, rule);
}

} // namespace tikc::sema
