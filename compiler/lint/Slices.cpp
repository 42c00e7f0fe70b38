#include "lint/Lint.h"

#include "requests/Partition.h"
#include "support/Utf8.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace tikc::lint {

using namespace model;
using requests::Decided;
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

void checkPredicates(const LintInput& input) {
  const Contract& contract = input.contract;
  auto partition = requests::Partition::of(contract);
  if (!partition)
    return;
  for (const requests::SlicePart& part : partition->parts()) {
    const Slice& slice = *part.slice;
    if (part.region.isEmpty() == Decided::Yes)
      input.sink.report<diag::EmptySlice>(slice.when->span, ticked(slice.name.text));
    else if (part.own.isEmpty() == Decided::Yes)
      reportTaken(input, slice, partition->takersOf(part));
  }
  bool isWhole = partition->parts().size() == contract.slices.size();
  if (partition->rest().isEmpty() == Decided::Yes && isWhole && isAskedOfOther(contract))
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
