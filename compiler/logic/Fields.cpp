#include "logic/Fields.h"

#include <algorithm>
#include <span>

namespace tikc::logic {

using llvm::BitVector;
using model::Comparator;
using model::Expr;

namespace {

/// The largest whole number that is not above it.
Rational wholeBelow(const Rational& value) {
  mpz_class out;
  mpz_fdiv_q(out.get_mpz_t(), value.get_num_mpz_t(), value.get_den_mpz_t());
  return out;
}

std::string quoted(const std::string& text) {
  Expr expr;
  expr.kind = Expr::Kind::String;
  expr.text = text;
  return print(expr);
}

} // namespace

CutField::CutField(std::string name, const model::FieldInfo* info) : name_(std::move(name)) {
  isText_ = !info || info->dimension == model::Measured::Text;
  isOpen_ = info && isText_;
  isWhole_ = info && info->whole;
  if (info && !isText_)
    domain_ = model::domainOf(info->range);
}

void CutField::declare(const std::vector<model::Text>& values) { declared_.push_back(&values); }

void CutField::cutAt(const Expr& atom) {
  const Expr& right = atom.arguments[1];
  if (atom.kind == Expr::Kind::Compare)
    return cutAtConstant(right);
  for (const Expr& value : right.arguments)
    cutAtConstant(value);
}

void CutField::cutAtConstant(const Expr& constant) {
  if (isText_)
    texts_.emplace(constant.text, 0);
  else
    cuts_.push_back(constant.quantity.scaled());
}

/// Texts that no predicate names are one cell, of which one is as good as another: also none at all
/// of a label's, for a request may lack it, or bring a text that is none of them.
void CutField::close() {
  if (isText_) {
    for (auto& [text, cell] : texts_) {
      cell = static_cast<unsigned>(values_.size());
      values_.push_back(quoted(text));
    }
    values_.push_back(unnamed());
    declared_.clear();
    return;
  }
  cuts_.push_back(domain_.low.value_or(Rational(0)));
  if (domain_.high)
    cuts_.push_back(*domain_.high);
  std::sort(cuts_.begin(), cuts_.end());
  cuts_.erase(std::unique(cuts_.begin(), cuts_.end()), cuts_.end());
  for (std::size_t i = 0; i < cuts_.size(); ++i) {
    if (!isWhole_ || cuts_[i].get_den() == 1)
      addNumber(cuts_[i]);
    if (i + 1 < cuts_.size())
      addBetween(cuts_[i], cuts_[i + 1]);
    else if (!domain_.high)
      addBetween(cuts_[i], std::nullopt);
  }
}

std::string CutField::unnamed() const {
  if (isOpen_) {
    std::string another = "another";
    while (texts_.contains(another))
      another += '_';
    return quoted(another);
  }
  for (const auto* values : declared_)
    for (const model::Text& value : *values)
      if (!texts_.contains(value.value))
        return quoted(value.value);
  return "none";
}

void CutField::addNumber(const Rational& value) {
  numbers_.push_back(value);
  values_.push_back(printRational(value));
}

/// One number stands for all between two cuts, the cuts themselves left out.
void CutField::addBetween(const Rational& low, const std::optional<Rational>& high) {
  Rational whole = wholeBelow(low) + 1;
  if (!high || whole < *high)
    addNumber(whole);
  else if (!isWhole_)
    addNumber((low + *high) / 2);
}

std::optional<unsigned> CutField::cellOf(const Expr& constant) const {
  if (isText_)
    return texts_.at(constant.text);
  Rational number = constant.quantity.scaled();
  auto at = std::lower_bound(numbers_.begin(), numbers_.end(), number);
  return at != numbers_.end() && *at == number
             ? std::optional(static_cast<unsigned>(at - numbers_.begin()))
             : std::nullopt;
}

BitVector CutField::ofNumbers(Comparator comparator, const Rational& with) const {
  auto place = [&](auto found) { return static_cast<unsigned>(found - numbers_.begin()); };
  unsigned first = place(std::lower_bound(numbers_.begin(), numbers_.end(), with));
  unsigned beyond = place(std::upper_bound(numbers_.begin(), numbers_.end(), with));
  BitVector out(static_cast<unsigned>(cells()));
  if (comparator == Comparator::Less || comparator == Comparator::NotEqual)
    out.set(0, first);
  if (comparator == Comparator::LessEqual)
    out.set(0, beyond);
  if (comparator == Comparator::Equal)
    out.set(first, beyond);
  if (comparator == Comparator::GreaterEqual)
    out.set(first, out.size());
  if (comparator == Comparator::Greater || comparator == Comparator::NotEqual)
    out.set(beyond, out.size());
  return out;
}

BitVector CutField::where(const Expr& atom) const {
  const Expr& right = atom.arguments[1];
  bool isOne = atom.kind == Expr::Kind::Compare;
  if (isOne && !isText_)
    return ofNumbers(atom.comparator, right.quantity.scaled());
  BitVector out(static_cast<unsigned>(cells()));
  for (const Expr& value : isOne ? std::span(&right, 1) : std::span(right.arguments))
    if (auto cell = cellOf(value))
      out.set(*cell);
  if (isOne && atom.comparator == Comparator::NotEqual)
    out.flip();
  return out;
}

} // namespace tikc::logic
