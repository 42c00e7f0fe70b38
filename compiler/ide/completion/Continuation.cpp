#include "ide/completion/Continuation.h"

#include "sema/Values.h"

#include <llvm/ADT/StringExtras.h>

#include <algorithm>

namespace tikc::ide {

using expr::ExprEntry;
using model::Dimension;

Continuation::Continuation(const Expression& expression, const WordSlot& slot)
    : expression_(expression), context_(expression.context_), names_(expression.names_),
      slot_(slot), expr_(expression.outlook_->read), next_(expression.outlook_->next),
      count_(expr_.tokens.size() - 1), opener_(expr_.innermostOpener(count_)),
      isClaim_(context_.section == "claims") {}

std::vector<CompletionItem> Continuation::items() {
  switch (expr_.entry) {
  case ExprEntry::Requirement:
    requirement();
    break;
  case ExprEntry::Predicate:
    predicate();
    break;
  case ExprEntry::Trigger:
    trigger();
    break;
  case ExprEntry::Call:
    call();
    break;
  case ExprEntry::Quantity:
    quantity();
    break;
  }
  separate();
  return std::move(out_);
}

/// What follows a token with nothing between is set off by a blank.
void Continuation::separate() {
  const std::string& before = context_.before;
  bool touches = slot_.word().empty() && count_ > 0 && before.back() != ' ' &&
                 before.back() != '\n' && !expr::isOpener(previous());
  if (!touches || previous() == Kind::Assign)
    return;
  for (CompletionItem& item : out_)
    if (item.label != "%") {
      if (item.pieces.empty())
        item.pieces.push_back({item.label});
      item.pieces.insert(item.pieces.begin(), Piece{" "});
    }
}

void Continuation::add(CompletionItem item, unsigned group) {
  item.group = group;
  out_.push_back(std::move(item));
}

void Continuation::comparators(bool isOrdered, bool withUnequal) {
  if (isOrdered)
    for (auto [sign, meaning] : {std::pair("<=", "at most"), std::pair(">=", "at least"),
                                 std::pair("<", "below"), std::pair(">", "above")})
      add(comparatorItem(sign, meaning));
  add(comparatorItem("==", "equal"));
  if (withUnequal)
    add(comparatorItem("!=", "not equal"));
}

void Continuation::keyword(Kind kind, std::string_view meaning) {
  if (next_.has(kind))
    add(keywordItem(expr::keyword(kind), meaning), 1);
}

/// The units that can state a value of the kind: the type checker is asked.
void Continuation::units(model::Measured measured) {
  Span nowhere = Span{expression_.sources_.add({}, {}, {}), 0, 0};
  diag::Sink unheard(expression_.limits_);
  sema::FileContext context = expression_.checker(unheard);
  auto fits = [&](model::Unit unit, std::optional<model::Unit> per) {
    model::Amount quantity{Rational(1), unit, per, nowhere, nowhere};
    return sema::checkUnit(context, quantity, measured, {});
  };
  for (const model::UnitInfo& row : model::units()) {
    if (row.unit == model::Unit::None)
      continue;
    CompletionItem item = unitItem(row);
    bool isRate = !fits(row.unit, {}) && fits(row.unit, model::Unit::Second);
    if (isRate && !llvm::isAlpha(slot_.next()))
      item.pieces.push_back({std::string(row.symbol) + " per s"});
    else if (!isRate && !fits(row.unit, {}))
      continue;
    add(std::move(item));
  }
}

void Continuation::amounts(std::initializer_list<Dimension> dimensions) {
  for (Dimension dimension : dimensions)
    for (const model::UnitInfo& row : model::units())
      if (row.dimension == dimension && row.unit != model::Unit::None)
        add(unitItem(row));
}

/// In quotes, those that are there counted.
void Continuation::texts(const std::vector<std::string>& values, std::string_view what) {
  std::string_view word = slot_.word();
  bool isOpen = !word.empty() && (word[0] == '"' || word[0] == '\'');
  char quote = isOpen ? word[0] : '"';
  for (const std::string& value : values) {
    std::string text(1, quote);
    for (char c : value) {
      if (c == quote || c == '\\')
        text += '\\';
      text += c;
    }
    if (value.find_first_of("\n\t") != std::string::npos)
      continue;
    CompletionItem item{value, ItemKind::Value, std::string(what)};
    item.typed = isOpen ? text : value;
    item.pieces.push_back({slot_.hasClosingQuote() ? text : text + quote});
    add(std::move(item));
  }
}

void Continuation::names(const std::vector<std::string>& names, std::string_view what) {
  for (const std::string& name : names)
    add(nameItem(name, what));
}

std::string_view Continuation::calleeAt(std::size_t opener) const {
  bool isCall = opener > 0 && opener < expr_.tokens.size() &&
                expr_.kind(opener) == Kind::LeftParen && expr_.kind(opener - 1) == Kind::Name;
  return isCall ? expr_.of(opener - 1) : std::string_view();
}

std::size_t Continuation::argument() const {
  std::size_t out = 0;
  for (std::size_t i = opener_ + 1; i < count_; ++i)
    if (expr_.kind(i) == Kind::Comma && expr_.innermostOpener(i) == opener_)
      ++out;
  return out;
}

/// Where the unit is there already, the word alone is missing.
void Continuation::rate() {
  CompletionItem item = keywordItem(expr::keyword(Kind::Per), "A rate: so many in a unit of time.");
  if (!llvm::isAlpha(slot_.next()))
    item.label = "per s";
  add(std::move(item));
}

void Continuation::quantity() {
  model::Shape shape = *context_.value;
  bool isRate = shape == model::Shape::Rate;
  if (previous() == Kind::Per)
    return amounts({Dimension::Time});
  if (previous() == Kind::Number) {
    auto unit = context_.key ? model::findUnit(context_.key->key) : std::nullopt;
    if (shape == model::Shape::Fraction)
      units(model::Measured::None);
    else if (shape == model::Shape::Duration)
      amounts({Dimension::Time});
    else if (shape == model::Shape::TokenCount)
      amounts({Dimension::Tokens});
    else if (shape == model::Shape::SequenceCount)
      amounts({Dimension::Sequences});
    else if (shape == model::Shape::Window && context_.key && context_.key->map == model::Map::Step)
      amounts({Dimension::Windows, Dimension::Time});
    else if (shape == model::Shape::Window)
      amounts({Dimension::Time, Dimension::Tokens, Dimension::Sequences, Dimension::Requests,
               Dimension::Steps});
    if (shape == model::Shape::Window && context_.key && context_.key->map == model::Map::Clause)
      amounts({Dimension::Windows});
    if (isRate && unit)
      add(unitItem(model::info(*unit)), 1);
  }
  if (isRate && next_.has(Kind::Per))
    rate();
}

} // namespace tikc::ide
