#include "sema/Symbols.h"

#include "expr/ExprText.h"

#include <algorithm>

namespace tikc::sema {

using namespace model;
using utf8::ticked;

namespace {

/// The grammar's own words: a name spelled like one could be declared but never referred to.
bool isGrammarWord(std::string_view name) {
  using expr::TokenKind;
  for (TokenKind kind = TokenKind::And; expr::isKeyword(kind);
       kind = static_cast<TokenKind>(static_cast<int>(kind) + 1))
    if (expr::keyword(kind) == name)
      return true;
  return false;
}

void refuseReserved(FileContext& context, NameSpace space, const Name& name) {
  if (auto why = reservedBecause(space, name.text))
    context.sink.report<diag::ReservedName>(name.span, ticked(name.text)).note(std::move(*why));
}

} // namespace

bool hasVerdict(std::string_view directive) {
  return directive == "sample" || directive == "replay" || directive == "coherent";
}

bool hasVerdict(const Clause& clause) {
  return !clause.directive || hasVerdict(clause.directive->expr.text);
}

std::optional<std::string> reservedBecause(NameSpace space, std::string_view name) {
  if (space == NameSpace::Contract || space == NameSpace::LabelValue)
    return std::nullopt;
  if (isGrammarWord(name))
    return "it is a reserved word of the expression language";
  if (space == NameSpace::Kernel && name == "text")
    return "`drawn: text` means tokens that no kernel drew";
  if (space == NameSpace::Slice && name == "other")
    return "`other` is the slice of requests that no declared slice takes";
  if (space == NameSpace::Statement && name == "any")
    return "`any` means every numerical, statistical and runtime clause";
  if (space == NameSpace::Label && model::findField(name))
    return "it is already a request field";
  return std::nullopt;
}

Symbols::Symbols(FileContext& context, const Contract& contract) : contract_(contract) {
  for (const Kernel& kernel : contract.kernels) {
    refuseReserved(context, NameSpace::Kernel, kernel.name);
    kernels_.insert(kernel.name.text);
    kernelNames_.push_back(kernel.name.text);
  }
  for (const Slice& slice : contract.slices) {
    refuseReserved(context, NameSpace::Slice, slice.name);
    slices_.insert(slice.name.text);
    sliceNames_.push_back(slice.name.text);
  }
  slices_.insert("other");
  sliceNames_.push_back("other");
  for (const Clause& clause : contract.clauses) {
    declareStatement(context, clause.id);
    if (hasVerdict(clause))
      clauseNames_.push_back(clause.id.text);
    else
      directives_.insert(clause.id.text);
  }
  clauseNames_.push_back("any");
  for (const Claim& claim : contract.claims)
    declareStatement(context, claim.id);
  for (const Rule& rule : contract.rules)
    declareStatement(context, rule.id);
  for (const model::FieldInfo& field : model::fields())
    fieldNames_.push_back(field.symbol);
  for (const Label& label : contract.labels) {
    refuseReserved(context, NameSpace::Label, label.name);
    labels_.emplace(label.name.text, &label);
    fieldNames_.push_back(label.name.text);
  }
}

void Symbols::declareStatement(FileContext& context, const Name& id) {
  refuseReserved(context, NameSpace::Statement, id);
  auto [place, fresh] = statements_.emplace(id.text, id.span);
  if (!fresh)
    context.sink.report<diag::DuplicateId>(id.span, ticked(id.text))
        .relatedTo(place->second, "first used here");
}

const Label* Symbols::label(std::string_view name) const {
  auto found = labels_.find(name);
  return found == labels_.end() ? nullptr : found->second;
}

bool Symbols::isClaim(std::string_view name) const {
  return std::any_of(contract_.claims.begin(), contract_.claims.end(),
                     [&](const Claim& claim) { return claim.id.text == name; });
}

std::vector<std::string_view> Symbols::clausesAbout(std::string_view metric) const {
  std::vector<std::string_view> out;
  for (const Clause& clause : contract_.clauses)
    if (std::any_of(clause.bounds.begin(), clause.bounds.end(), [&](const Bound& bound) {
          return model::info(bound.measure.metric).symbol == metric;
        }))
      out.push_back(clause.id.text);
  return out;
}

} // namespace tikc::sema
