#include "logic/Partition.h"

#include "model/Metrics.h"

#include <algorithm>

namespace tikc::logic {

using model::Contract;
using model::Expr;

namespace {

bool isDeclared(const Contract& contract, const Expr& predicate) {
  if (predicate.kind != Expr::Kind::Compare && predicate.kind != Expr::Kind::In)
    return std::all_of(predicate.arguments.begin(), predicate.arguments.end(),
                       [&](const Expr& part) { return isDeclared(contract, part); });
  const std::string& name = predicate.arguments[0].text;
  return model::findField(name) ||
         std::any_of(contract.labels.begin(), contract.labels.end(),
                     [&](const model::Label& label) {
                       return label.name.text == name && !label.values.empty();
                     });
}

} // namespace

std::optional<Partition> Partition::of(const Contract& contract) {
  std::vector<const Expr*> predicates;
  for (const model::Slice& slice : contract.slices) {
    if (!slice.when)
      continue;
    if (!isDeclared(contract, *slice.when))
      return std::nullopt;
    predicates.push_back(&*slice.when);
  }
  Partition out(Space(contract.labels, predicates));
  for (const model::Slice& slice : contract.slices) {
    if (!slice.when)
      continue;
    Region region = out.space_.of(*slice.when);
    Region own = out.space_.common(region, out.rest_);
    out.rest_ = out.space_.without(out.rest_, region);
    out.parts_.push_back({&slice, std::move(region), std::move(own)});
  }
  return out;
}

std::vector<const model::Slice*> Partition::takersOf(const SlicePart& part) const {
  std::vector<const model::Slice*> out;
  for (const SlicePart& earlier : parts_) {
    if (earlier.slice == part.slice)
      break;
    if (space_.common(part.region, earlier.own).isEmpty() == Decided::No)
      out.push_back(earlier.slice);
  }
  return out;
}

} // namespace tikc::logic
