#include "ide/completion/Continuation.h"

#include <fmt/format.h>

namespace tikc::ide {

using model::Dimension;
using model::Measured;
using model::ParameterKind;

// ---- A slice's `when` ----

void Continuation::predicate() {
  if (expr_.kind(opener_) == Kind::LeftBrace) {
    auto label =
        opener_ > 1 ? names_.labels.find(std::string(expr_.of(opener_ - 2))) : names_.labels.end();
    if (label != names_.labels.end() && previous() != Kind::String && previous() != Kind::Name)
      texts(label->second, "label value");
    return;
  }
  Kind kind = previous();
  if (kind == Kind::End || kind == Kind::And || kind == Kind::Or || kind == Kind::Not ||
      kind == Kind::LeftParen)
    return fields();
  if (expr::isComparator(kind) && count_ > 1) {
    auto label = names_.labels.find(std::string(expr_.of(count_ - 2)));
    if (label != names_.labels.end())
      texts(label->second, "label value");
    return;
  }
  if (kind == Kind::Name && next_.hasComparator())
    return comparisonOf(expr_.of(count_ - 1));
  if (kind == Kind::Number && count_ > 2)
    if (const auto* field = model::findField(expr_.of(count_ - 3)))
      units(field->dimension);
  if (kind != Kind::In) {
    keyword(Kind::And, "Both conditions.");
    keyword(Kind::Or, "Either condition.");
  }
}

void Continuation::fields() {
  for (const auto& [label, values] : names_.labels)
    add(nameItem(label, "label"));
  for (const model::FieldInfo& row : model::fields())
    add(fieldItem(row));
  if (previous() != Kind::Not)
    keyword(Kind::Not, "The condition does not hold.");
}

void Continuation::comparisonOf(std::string_view name) {
  const model::FieldInfo* field = model::findField(name);
  comparators(field && field->dimension != Measured::Text, true);
  keyword(Kind::In, "One of a set: `in {a, b}`.");
}

// ---- A rule's `when` and `until` ----

void Continuation::trigger() {
  Kind kind = previous();
  if (!callee().empty()) {
    if (kind != Kind::LeftParen)
      return;
    add({"any", ItemKind::Keyword, "any clause"});
    return names(names_.clauses, "clause");
  }
  if (kind == Kind::Number) {
    amounts({Dimension::Windows});
  } else if (kind == Kind::End || kind == Kind::And || kind == Kind::Or || kind == Kind::Not ||
             kind == Kind::LeftParen) {
    for (const model::CallInfo& row : model::calls()) {
      if (row.place != model::CallPlace::State)
        continue;
      CompletionItem item = callItem(row, slot_);
      if (item.pieces.size() > 1)
        item.pieces[1] = gap("any");
      add(std::move(item));
    }
    if (kind != Kind::Not)
      keyword(Kind::Not, "The state does not hold.");
    return;
  }
  if (kind == Kind::For)
    return;
  keyword(Kind::For, "For a number of windows in a row.");
  keyword(Kind::And, "Both states.");
  keyword(Kind::Or, "Either state.");
}

// ---- Actions, directives, corrections ----

void Continuation::call() {
  bool observes = context_.section == model::familyName(model::Family::Observability);
  model::CallPlace place = *context_.value == model::Shape::Correction
                               ? model::CallPlace::Correction
                           : observes ? model::CallPlace::Directive
                                      : model::CallPlace::Action;
  if (count_ == 0) {
    for (const model::CallInfo& row : model::calls())
      if (row.place == place)
        add(callItem(row, slot_));
    return;
  }
  const model::CallInfo* called = model::findCall(place, callee());
  if (!called)
    return;
  auto parameters = model::parameters(called->id);
  bool begins = previous() == Kind::LeftParen || previous() == Kind::Comma;
  // A keyword's `=` may be there already.
  std::string_view sign = slot_.next() == '=' ? "" : "=";
  if (begins)
    for (const model::ParameterInfo& row : parameters)
      if (model::isNamed(row.kind))
        add({fmt::format("{}{}", row.name, sign), ItemKind::Property, {}, std::string(row.meaning)},
            1);
  std::size_t index = argument();
  if (index >= parameters.size())
    return;
  if (begins)
    parameter(parameters[index]);
  if (previous() == Kind::Number) {
    ParameterKind kind = parameters[index].kind;
    if (kind == ParameterKind::Duration)
      amounts({Dimension::Time});
    else if (kind == ParameterKind::Share || kind == ParameterKind::NamedShare ||
             kind == ParameterKind::Confidence)
      units(Measured::None);
  }
}

void Continuation::parameter(const model::ParameterInfo& row) {
  switch (row.kind) {
  case ParameterKind::Kernel:
    return names(names_.kernels, "kernel");
  case ParameterKind::Clause:
    return names(names_.clauses, "clause");
  case ParameterKind::Text:
    return texts(names_.receivers, row.meaning);
  case ParameterKind::MetricOrInput:
    for (std::string_view word : model::words(ParameterKind::Input))
      add({std::string(word), ItemKind::EnumMember, "input"});
    for (const model::MetricInfo& metric : model::metrics()) {
      CompletionItem item = metricItem(metric, slot_);
      item.pieces.clear();
      add(std::move(item), 1);
    }
    return;
  default:
    for (std::string_view word : model::words(row.kind))
      add({std::string(word), ItemKind::EnumMember, std::string(row.name)});
  }
}

} // namespace tikc::ide
