#include "lint/Volumes.h"

#include <algorithm>

namespace tikc::lint {

using namespace model;
using model::Level;

std::optional<FeedSource> feedSourceOf(const Contract& contract, model::Input input) {
  bool isReplay = input == model::Input::BatchReplay || input == model::Input::RequestReplay;
  CallId call = isReplay ? CallId::Replay : CallId::Sample;
  std::optional<FeedSource> out;
  for (const Clause& clause : contract.clauses) {
    if (!clause.directive || clause.directive->id != call)
      continue;
    const auto& arguments = clause.directive->expr.arguments;
    if (arguments.size() < 2 || arguments[0].text != model::inputName(input))
      continue;
    Rational share = arguments[1].quantity.scaled();
    if (!out || share > out->share)
      out = {&clause, share};
  }
  return out;
}

std::vector<SliceShare> partsOf(const Contract& contract, const Scope& scope, Level level) {
  std::vector<SliceShare> out = {{{}, 1}};
  if (scope.kind == Scope::Kind::All)
    return out;
  auto member = isTokenLevel(level) ? &Slice::tokenWeight : &Slice::weight;
  auto isNamed = [&](std::string_view name) {
    return scope.kind == Scope::Kind::EachSlice ||
           std::any_of(scope.slices.begin(), scope.slices.end(),
                       [&](const Name& each) { return each.text == name; });
  };
  Rational rest = 1;
  bool restIsKnown = !contract.slices.empty();
  for (const Slice& slice : contract.slices) {
    const auto& weight = slice.*member;
    restIsKnown = restIsKnown && weight;
    if (!weight)
      continue;
    rest -= weight->scaled();
    if (isNamed(slice.name.text))
      out.push_back({slice.name.text, weight->scaled()});
  }
  if (restIsKnown && isNamed("other"))
    out.push_back({"other", rest});
  // A share of nothing is no slice, or a fault of the weights.
  std::erase_if(out, [](const SliceShare& part) { return part.share <= 0; });
  return out;
}

const SliceShare& leastOf(const std::vector<SliceShare>& parts) {
  return *std::min_element(
      parts.begin(), parts.end(),
      [](const SliceShare& a, const SliceShare& b) { return a.share < b.share; });
}

bool isTokenLevel(Level level) { return level == Level::Row || level == Level::Token; }

const std::optional<Amount>& loadOf(const Load& load, Level level) {
  if (isTokenLevel(level))
    return load.tokens;
  bool isOfResponses = level == Level::Sequence;
  const auto& first = isOfResponses ? load.sequences : load.requests;
  return first ? first : isOfResponses ? load.requests : load.sequences;
}

mpz_class roundedDown(const Rational& value) {
  mpz_class out;
  mpz_fdiv_q(out.get_mpz_t(), value.get_num_mpz_t(), value.get_den_mpz_t());
  return out;
}

} // namespace tikc::lint
