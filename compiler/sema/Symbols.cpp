#include "sema/Symbols.h"

#include <algorithm>
#include <array>

namespace tikc::sema {

using namespace model;
using utf8::ticked;

namespace {

/// The grammar's own words: a name spelled like one could be declared but never referred to.
constexpr std::array<std::string_view, 12> grammarWords = {
    "and", "or", "not", "in", "on", "over", "with", "confidence", "per", "for", "all", "slices"};

void refuseGrammarWord(Context& context, const Name& name) {
  if (std::find(grammarWords.begin(), grammarWords.end(), name.text) != grammarWords.end())
    context.sink.report<diag::ReservedName>(name.span, ticked(name.text))
        .note("it is a word of the expression language");
}

/// Words with a meaning of their own where a slice or a clause could stand.
void refuseReserved(Context& context, const Name& name,
                    std::initializer_list<std::string_view> reserved, std::string_view meaning) {
  for (std::string_view word : reserved)
    if (name.text == word)
      context.sink.report<diag::ReservedName>(name.span, ticked(name.text))
          .note(std::string(meaning));
}

/// What is sampled has one; what is exported and kept has none.
bool hasVerdict(const Clause& clause) {
  return !clause.directive || clause.directive->expr.text == "sample" ||
         clause.directive->expr.text == "replay";
}

} // namespace

Symbols::Symbols(Context& context, const Contract& contract) {
  for (const Kernel& kernel : contract.kernels) {
    refuseGrammarWord(context, kernel.name);
    kernels_.insert(kernel.name.text);
    kernelNames_.push_back(kernel.name.text);
  }
  for (const Slice& slice : contract.slices) {
    refuseGrammarWord(context, slice.name);
    refuseReserved(context, slice.name, {"other"}, "`other` is what no slice takes");
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
  for (const metrics::FieldInfo& field : metrics::fields())
    fieldNames_.push_back(field.symbol);
  for (const Label& label : contract.labels) {
    refuseGrammarWord(context, label.name);
    if (metrics::findField(label.name.text))
      context.sink.report<diag::ReservedName>(label.name.span, ticked(label.name.text))
          .note("it is a request field already");
    labels_.emplace(label.name.text, &label);
    fieldNames_.push_back(label.name.text);
  }
}

void Symbols::declareStatement(Context& context, const Name& id) {
  refuseGrammarWord(context, id);
  refuseReserved(context, id, {"any"},
                 "`any` stands for every numerical, statistical and runtime clause");
  auto [place, fresh] = statements_.emplace(id.text, id.span);
  if (!fresh)
    context.sink.report<diag::DuplicateId>(id.span, ticked(id.text))
        .relatedTo(place->second, "first used here");
}

const Label* Symbols::label(std::string_view name) const {
  auto found = labels_.find(name);
  return found == labels_.end() ? nullptr : found->second;
}

} // namespace tikc::sema
