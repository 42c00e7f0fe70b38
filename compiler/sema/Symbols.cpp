#include "sema/Symbols.h"

namespace tikc::sema {

using namespace model;
using utf8::ticked;

namespace {

/// Words with a meaning of their own where a slice or a clause could stand.
void refuseReserved(Context& context, const Name& name, std::initializer_list<std::string_view> reserved, std::string_view meaning) {
  for (std::string_view word : reserved)
    if (name.text == word)
      context.sink.report<diag::ReservedName>(name.span, ticked(name.text)).note(std::string(meaning));
}

} // namespace

Symbols::Symbols(Context& context, const Contract& contract) {
  for (const Kernel& kernel : contract.kernels) {
    kernels_.insert(kernel.name.text);
    kernelNames_.push_back(kernel.name.text);
  }
  for (const Slice& slice : contract.slices) {
    refuseReserved(context, slice.name, {"other", "all", "slices"}, "`other` is the remainder, `all` the mixture, `slices` each slice");
    slices_.insert(slice.name.text);
    sliceNames_.push_back(slice.name.text);
  }
  slices_.insert("other");
  sliceNames_.push_back("other");
  for (const Clause& clause : contract.clauses) {
    declareStatement(context, clause.id);
    clauses_.insert(clause.id.text);
    clauseNames_.push_back(clause.id.text);
  }
  clauses_.insert("any");
  clauseNames_.push_back("any");
  for (const Claim& claim : contract.claims)
    declareStatement(context, claim.id);
  for (const Rule& rule : contract.rules)
    declareStatement(context, rule.id);
  for (const metrics::FieldInfo& field : metrics::fields())
    fieldNames_.push_back(field.symbol);
  for (const Label& label : contract.labels) {
    if (metrics::findField(label.name.text))
      context.sink.report<diag::ReservedName>(label.name.span, ticked(label.name.text)).note("it is a request field already");
    labels_.emplace(label.name.text, &label);
    fieldNames_.push_back(label.name.text);
  }
}

void Symbols::declareStatement(Context& context, const Name& id) {
  refuseReserved(context, id, {"any"}, "`any` stands for every numerical, statistical and runtime clause");
  auto [place, fresh] = statements_.emplace(id.text, id.span);
  if (!fresh)
    context.sink.report<diag::DuplicateId>(id.span, ticked(id.text)).relatedTo(place->second, "first used here");
}

const Label* Symbols::label(std::string_view name) const {
  auto found = labels_.find(name);
  return found == labels_.end() ? nullptr : found->second;
}

} // namespace tikc::sema
