#include "checker/engine/Slices.h"

#include "checker/tables/Tables.h"
#include "support/Check.h"

#include <algorithm>

namespace tikc::engine {

std::optional<std::size_t> Request::find(std::string_view field) const {
  for (std::size_t i = 0; i < plan_.fields.size(); ++i)
    if (plan_.fields[i].name == field)
      return i;
  for (std::size_t i = 0; i < plan_.labels.size(); ++i)
    if (plan_.labels[i].name == field)
      return plan_.fields.size() + i;
  return std::nullopt;
}

std::size_t Request::slice() const {
  std::size_t out = 0;
  while (plan_.slices[out].when && !meets(*plan_.slices[out].when))
    ++out;
  return out;
}

bool Request::compares(const std::string& field, model::Comparator comparator,
                       const plan::Predicate::Value& value) const {
  const auto at = find(field);
  TIKC_CHECK(at, "predicates ask for fields of the request alone");
  if (value.isText)
    return (texts_[*at] == value.text) == (comparator == model::Comparator::Equal);
  return compare(numbers_[*at], tables::comparatorOf(comparator), value.number);
}

bool Request::meets(const plan::Predicate& predicate) const {
  using Kind = plan::Predicate::Kind;
  auto isMet = [&](const plan::Predicate& part) { return meets(part); };
  switch (predicate.kind) {
  case Kind::Compare:
    return compares(predicate.field, predicate.comparator, predicate.values.front());
  case Kind::In:
    return std::any_of(predicate.values.begin(), predicate.values.end(), [&](const auto& value) {
      return compares(predicate.field, model::Comparator::Equal, value);
    });
  case Kind::Not:
    return !meets(predicate.parts.front());
  case Kind::And:
    return std::all_of(predicate.parts.begin(), predicate.parts.end(), isMet);
  case Kind::Or:
    return std::any_of(predicate.parts.begin(), predicate.parts.end(), isMet);
  }
  TIKC_CHECK(false, "each predicate has its case");
}

} // namespace tikc::engine
