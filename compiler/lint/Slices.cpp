#include "lint/Lint.h"

#include "metrics/Metrics.h"
#include "requests/Requests.h"
#include "support/Utf8.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace tikc::lint {

using namespace model;
using utf8::ticked;

namespace {

void checkWeights(const LintInput& input, std::optional<Amount> Slice::*member,
                  std::string_view name) {
  Rational sum;
  for (const Slice& slice : input.contract.slices) {
    const auto& weight = slice.*member;
    if (!weight ||
        weight->scaled() > 1) // one above the whole by itself is reported where it is typed
      continue;
    Rational before = sum;
    sum += weight->scaled();
    if (sum <= 1 || before > 1)
      continue;
    auto& found = input.sink.report<diag::WeightsExceedWhole>(weight->span, name);
    for (const Slice& earlier : input.contract.slices) {
      if (&earlier == &slice)
        break;
      if (earlier.*member)
        found.relatedTo((earlier.*member)->span,
                        ticked(earlier.name.text) + " has " + print(*(earlier.*member)));
    }
    if (before < 1)
      found.unsafeFix("give it what is left",
                      {{weight->span, printRational((1 - before) * 100) + "%"}});
  }
}

/// What a slice takes of the requests.
struct SlicePart {
  const Slice* slice;
  requests::Region own;
};

void reportTaken(const LintInput& input, const Slice& slice,
                 const std::vector<const Slice*>& takers) {
  std::string names;
  for (const Slice* earlier : takers)
    names += (names.empty() ? "" : " with ") + ticked(earlier->name.text);
  auto& found =
      input.sink.report<diag::ShadowedSlice>(slice.name.span, ticked(slice.name.text), names);
  for (const Slice* earlier : takers)
    found.relatedTo(earlier->when->span, "this takes them first");
  found.note("the first slice that matches takes a request: put the narrower one first");
}

/// What the slices before this one leave it is nothing: who takes it. The first that matches takes
/// a request, so each slice has a part of its own.
std::vector<const Slice*> takersOf(const requests::Space& space, const requests::Region& region,
                                   const std::vector<SlicePart>& parts) {
  std::vector<const Slice*> out;
  for (const SlicePart& part : parts)
    if (space.common(region, part.own).isEmpty() == requests::Decided::No)
      out.push_back(part.slice);
  return out;
}

/// Whether a clause asks something of the requests that no slice takes.
bool isAskedOfOther(const Contract& contract) {
  Rational rest(1);
  for (const Slice& slice : contract.slices)
    if (slice.weight)
      rest -= slice.weight->scaled();
  auto binds = [](const Bound& bound) {
    return bound.scope.kind == Scope::Kind::EachSlice ||
           std::any_of(bound.scope.slices.begin(), bound.scope.slices.end(),
                       [](const Name& name) { return name.text == "other"; });
  };
  return rest != 0 &&
         std::any_of(contract.clauses.begin(), contract.clauses.end(), [&](const Clause& clause) {
           return std::any_of(clause.bounds.begin(), clause.bounds.end(), binds);
         });
}

/// Whether all that a predicate asks for is declared: what a misspelt section lacks is not known.
bool isKnown(const Contract& contract, const Expr& predicate) {
  if (predicate.kind != Expr::Kind::Compare && predicate.kind != Expr::Kind::In)
    return std::all_of(predicate.arguments.begin(), predicate.arguments.end(),
                       [&](const Expr& part) { return isKnown(contract, part); });
  const std::string& name = predicate.arguments[0].text;
  return metrics::findField(name) ||
         std::any_of(contract.labels.begin(), contract.labels.end(), [&](const Label& label) {
           return label.name.text == name && !label.values.empty();
         });
}

void checkPredicates(const LintInput& input) {
  const Contract& contract = input.contract;
  std::vector<const Expr*> predicates;
  for (const Slice& slice : contract.slices) {
    if (slice.when && !isKnown(contract, *slice.when))
      return;
    if (slice.when)
      predicates.push_back(&*slice.when);
  }
  if (predicates.empty())
    return;
  requests::Space space(contract.labels, predicates);
  requests::Region left = space.all();
  std::vector<SlicePart> parts;
  for (const Slice& slice : contract.slices) {
    if (!slice.when)
      continue;
    requests::Region region = space.of(*slice.when);
    requests::Region own = space.common(region, left);
    if (region.isEmpty() == requests::Decided::Yes)
      input.sink.report<diag::EmptySlice>(slice.when->span, ticked(slice.name.text));
    else if (own.isEmpty() == requests::Decided::Yes)
      reportTaken(input, slice, takersOf(space, region, parts));
    left = space.without(left, region);
    parts.push_back({&slice, std::move(own)});
  }
  if (left.isEmpty() == requests::Decided::Yes && predicates.size() == contract.slices.size() &&
      isAskedOfOther(contract))
    input.sink.report<diag::OtherIsEmpty>(contract.slices.back().name.span)
        .note("say weights that add up to 100%, and nothing is asked of it");
}

} // namespace

void lintSlices(const LintInput& input) {
  checkWeights(input, &Slice::weight, "weights");
  checkWeights(input, &Slice::tokenWeight, "token weights");
  checkPredicates(input);
}

} // namespace tikc::lint
