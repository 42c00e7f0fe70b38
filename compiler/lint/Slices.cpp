#include "lint/Lint.h"

#include "logic/Partition.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace tikc::lint {

using namespace model;
using logic::Decided;
using logic::Partition;
using logic::SlicePart;
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
    auto& diagnostic = input.sink.report<diag::WeightsExceedWhole>(weight->span, name);
    for (const Slice& earlier : input.contract.slices) {
      if (&earlier == &slice)
        break;
      if (earlier.*member)
        diagnostic.relatedTo((earlier.*member)->span,
                             ticked(earlier.name.text) + " has " + print(*(earlier.*member)));
    }
    if (before < 1)
      diagnostic.unsafeFix("give it the remaining share",
                           {{weight->span, printRational((1 - before) * 100) + "%"}});
  }
}

void reportTaken(const LintInput& input, const Partition& partition, const SlicePart& part) {
  const Slice& slice = *part.slice;
  const std::vector<const Slice*> takers = partition.takersOf(part);
  std::string names;
  for (const Slice* earlier : takers)
    names += (names.empty() ? "" : " and ") + ticked(earlier->name.text);
  auto& diagnostic =
      input.sink.report<diag::ShadowedSlice>(slice.name.span, ticked(slice.name.text), names);
  for (const Slice* earlier : takers)
    diagnostic.relatedTo(earlier->when->span, "this slice takes them first");
  diagnostic.note("the first slice that matches takes a request: put the narrower one first");
  diagnostic.note(
      fmt::format("for example: {}", logic::print(partition.space().example(part.region))));
}

/// What meets the first parts of a condition, and not the one at which nothing is left.
void reportEmpty(const LintInput& input, const logic::Space& space, const Slice& slice) {
  auto& diagnostic = input.sink.report<diag::EmptySlice>(slice.when->span, ticked(slice.name.text));
  if (slice.when->kind != Expr::Kind::And)
    return;
  const auto& parts = slice.when->arguments;
  logic::Region so = space.of(parts[0]);
  for (std::size_t i = 1; i < parts.size() && so.isEmpty() == Decided::No; ++i) {
    logic::Region next = space.common(so, space.of(parts[i]));
    if (next.isEmpty() == Decided::Yes) {
      diagnostic.note(fmt::format("{} meets the conditions before {}, but not it",
                                  logic::print(space.example(so)), ticked(print(parts[i]))));
      return;
    }
    so = std::move(next);
  }
}

/// Slices of which neither is a part of the other: a narrower one before a wider one is meant, and
/// a slice has a weight because its requests were counted.
void checkOverlaps(const LintInput& input, const Partition& partition, const SlicePart& part) {
  const logic::Space& space = partition.space();
  if (part.slice->weight)
    return;
  for (const SlicePart& earlier : partition.parts()) {
    if (earlier.slice == part.slice)
      return;
    logic::Region both = space.common(part.region, earlier.own);
    if (both.isEmpty() != Decided::No ||
        space.without(earlier.region, part.region).isEmpty() != Decided::No)
      continue;
    input.sink
        .report<diag::SlicesOverlap>(part.slice->name.span, ticked(part.slice->name.text),
                                     ticked(earlier.slice->name.text))
        .relatedTo(earlier.slice->when->span, "this slice takes them")
        .note(fmt::format("for example: {}", logic::print(space.example(both))));
    return;
  }
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
  auto partition = Partition::of(contract);
  if (!partition)
    return;
  for (const SlicePart& part : partition->parts()) {
    if (part.region.isEmpty() == Decided::Yes)
      reportEmpty(input, partition->space(), *part.slice);
    else if (part.own.isEmpty() == Decided::Yes)
      reportTaken(input, *partition, part);
    else
      checkOverlaps(input, *partition, part);
  }
  bool isWhole = partition->parts().size() == contract.slices.size();
  if (partition->rest().isEmpty() != Decided::Yes || !isWhole || !isAskedOfOther(contract))
    return;
  auto& diagnostic = input.sink.report<diag::OtherIsEmpty>(contract.slices.back().name.span)
                         .note("if the weights add up to 100%, clauses do not bind `other`");
  std::size_t left = 3; // are enough to see it
  for (const SlicePart& part : partition->parts())
    if (left > 0 && part.own.isEmpty() == Decided::No) {
      diagnostic.note(fmt::format("{} goes to {}",
                                  logic::print(partition->space().example(part.own)),
                                  ticked(part.slice->name.text)));
      --left;
    }
}

} // namespace

void lintSlices(const LintInput& input) {
  checkWeights(input, &Slice::weight, "weights");
  checkWeights(input, &Slice::tokenWeight, "token weights");
  checkPredicates(input);
}

} // namespace tikc::lint
