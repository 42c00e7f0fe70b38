#include "lint/Lint.h"

#include "support/Utf8.h"

#include <map>

namespace tikc::lint {

using namespace model;
using utf8::ticked;

namespace {

void checkWeights(const Input& input, std::optional<Quantity> Slice::*member,
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

} // namespace

void lintSlices(const Input& input) {
  checkWeights(input, &Slice::weight, "weights");
  checkWeights(input, &Slice::tokenWeight, "token weights");
  std::map<std::string, const Slice*> seen;
  for (const Slice& slice : input.contract.slices) {
    if (!slice.when)
      continue;
    auto [place, fresh] = seen.emplace(print(*slice.when), &slice);
    if (!fresh)
      input.sink
          .report<diag::ShadowedSlice>(slice.name.span, ticked(slice.name.text),
                                       ticked(place->second->name.text))
          .relatedTo(place->second->when->span, "the same condition");
  }
}

} // namespace tikc::lint
