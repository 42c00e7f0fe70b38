#include "model/Meaning.h"

#include <algorithm>
#include <string_view>

namespace tikc::model {
namespace {

Unit baseOf(const Amount& quantity) {
  // A key says of what its rate is, and a share is a number.
  if (quantity.per || quantity.dimension() == Dimension::None)
    return Unit::None;
  if (quantity.unit == Unit::Bit)
    return Unit::Bit;
  auto table = units();
  return std::find_if(table.begin(), table.end(),
                      [&](const UnitInfo& row) {
                        return row.dimension == quantity.dimension() && row.numerator == 1 &&
                               row.denominator == 1;
                      })
      ->unit;
}

Amount withoutUnit(const Amount& quantity) {
  Amount out = canonical(quantity);
  if (out.unit != Unit::Bit)
    out.unit = Unit::None;
  return out;
}

/// A word that says just what another does.
struct Synonym {
  std::string_view word, usual;
};
constexpr Synonym synonyms[] = {{"median", "p50"}};

void useUsualWord(Expr& expr) {
  if (expr.kind != Expr::Kind::Call)
    return;
  for (const Synonym& each : synonyms)
    if (each.word == expr.text)
      expr.text = each.usual;
}

void sortNames(std::vector<Name>& names) {
  std::sort(names.begin(), names.end(),
            [](const Name& a, const Name& b) { return a.text < b.text; });
}

Comparison canonical(const Comparison& comparison) {
  Comparison out = comparison;
  out.subject = canonical(comparison.subject);
  out.bound = withoutUnit(comparison.bound);
  for (auto member : {&Comparison::upper, &Comparison::confidence})
    if (out.*member)
      out.*member = withoutUnit(*(out.*member));
  if (out.over)
    out.over = canonical(*out.over);
  sortNames(out.scope.slices);
  return out;
}

} // namespace

Amount canonical(const Amount& quantity) {
  Amount out = quantity;
  out.value = quantity.scaled();
  out.unit = baseOf(quantity);
  if (out.per)
    out.per = Unit::Second;
  return out;
}

Expr canonical(const Expr& expr) {
  Expr out = expr;
  out.quantity = withoutUnit(expr.quantity);
  useUsualWord(out);
  for (Expr& argument : out.arguments)
    argument = canonical(argument);
  if (out.kind == Expr::Kind::Set)
    std::sort(out.arguments.begin(), out.arguments.end(),
              [](const Expr& a, const Expr& b) { return print(a) < print(b); });
  return out;
}

Requirement canonical(const Requirement& requirement) {
  Requirement out = requirement;
  for (Comparison& comparison : out.comparisons)
    comparison = canonical(comparison);
  return out;
}

} // namespace tikc::model
