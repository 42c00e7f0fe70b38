#include "interpreter/Slices.h"

#include <algorithm>

namespace tikc::interpreter {

using model::Comparator;
using plan::Predicate;

namespace {

template <typename T> bool compare(const T& value, Comparator comparator, const T& with) {
  switch (comparator) {
  case Comparator::LessEqual:
    return value <= with;
  case Comparator::Less:
    return value < with;
  case Comparator::GreaterEqual:
    return value >= with;
  case Comparator::Greater:
    return value > with;
  case Comparator::Equal:
    return value == with;
  case Comparator::NotEqual:
    return value != with;
  }
  return false;
}

bool holds(const Predicate& of, const Request& request) {
  auto meets = [&](Comparator comparator, const Predicate::Value& value) {
    return value.isText ? compare(request.texts.at(of.field), comparator, value.text)
                        : compare(request.numbers.at(of.field), comparator, value.number);
  };
  auto partHolds = [&](const Predicate& part) { return holds(part, request); };
  switch (of.kind) {
  case Predicate::Kind::Compare:
    return meets(of.comparator, of.values.front());
  case Predicate::Kind::In:
    return std::any_of(of.values.begin(), of.values.end(),
                       [&](const auto& value) { return meets(Comparator::Equal, value); });
  case Predicate::Kind::Not:
    return !holds(of.parts.front(), request);
  case Predicate::Kind::And:
    return std::all_of(of.parts.begin(), of.parts.end(), partHolds);
  case Predicate::Kind::Or:
    return std::any_of(of.parts.begin(), of.parts.end(), partHolds);
  }
  return false;
}

} // namespace

std::size_t sliceOf(const plan::Plan& plan, const Request& request) {
  std::size_t out = 0;
  while (plan.slices[out].when && !holds(*plan.slices[out].when, request))
    ++out;
  return out;
}

} // namespace tikc::interpreter
