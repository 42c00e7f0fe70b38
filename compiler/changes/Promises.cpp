#include "changes/Promises.h"

#include "model/Laws.h"
#include "model/Metrics.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>

namespace tikc::changes {

using logic::Stands;
using model::Bound;
using model::Scope;
using model::Statement;

namespace {

/// Pairs of bounds that one comparison of contracts holds to each other.
constexpr std::size_t mostComparisons = 500'000;

/// A window that a clause does not name is its stage's.
bool hasSameStageWindows(const model::Contract& old, const model::Contract& fresh) {
  return std::equal(old.stages.begin(), old.stages.end(), fresh.stages.begin(), fresh.stages.end(),
                    [](const model::Stage& a, const model::Stage& b) {
                      return a.kind == b.kind && logic::isSameAmount(a.window, b.window);
                    });
}

/// From the first kernel, or from the last where that is what both editions have.
std::string placeIn(const model::Contract& contract, const std::string& kernel) {
  const auto& chain = contract.chain;
  for (std::size_t i = 0; i < chain.size(); ++i)
    if (chain[i].text == kernel)
      return i == 0                  ? "first"
             : i + 1 == chain.size() ? "last"
                                     : fmt::format("{} of {}", i, chain.size());
  return "outside: " + kernel;
}

bool isOfWholeResponses(const Bound& bound, Stands stands) {
  using model::Level;
  Level level = stands == Stands::InClause ? model::levelOf(bound.measure)
                                           : model::info(bound.measure.claim).level;
  return level == Level::Sequence || level == Level::Request || level == Level::Gradient;
}

} // namespace

bool isBound(const model::Contract& contract, const Scope& scope, std::size_t slice) {
  if (scope.kind != Scope::Kind::Named)
    return scope.kind == Scope::Kind::EachSlice;
  return std::any_of(scope.slices.begin(), scope.slices.end(), [&](const model::Name& name) {
    return name.text == sliceName(contract, slice);
  });
}

Implication::Implication(const model::Contract& old, const model::Contract& fresh,
                         const Overlap& overlap, Stands stands)
    : old_(old), fresh_(fresh), overlap_(overlap), stands_(stands),
      slicesCutResponses_(model::Laws(old).slicesCutResponses() ||
                          model::Laws(fresh).slicesCutResponses()),
      hasSameWindows_(hasSameStageWindows(old, fresh)), effort_(mostComparisons) {}

std::string Implication::standpoint(const model::Contract& contract, const Statement& statement) {
  std::string out = statement.link ? placeIn(contract, statement.link->from.text) + " to " +
                                         placeIn(contract, statement.link->to.text)
                                   : std::string("first to last");
  if (statement.drawn && placeIn(contract, statement.drawn->text) != "last")
    out += ", drawn by " + placeIn(contract, statement.drawn->text);
  return out;
}

bool Implication::holds(const Statements& strong, const Statement& weak) {
  gap_.clear();
  return !weak.bounds.empty() &&
         std::all_of(weak.bounds.begin(), weak.bounds.end(),
                     [&](const Bound& bound) { return follows(strong, weak, bound); });
}

bool Implication::follows(const Statements& strong, const Statement& weak, const Bound& bound) {
  const std::vector<Bound> ends = logic::endsOf(bound, stands_);
  if (ends.size() > 1 && std::all_of(ends.begin(), ends.end(), [&](const Bound& end) {
        return followsAsOne(strong, weak, end);
      }))
    return true;
  return followsAsOne(strong, weak, bound);
}

bool Implication::followsAsOne(const Statements& strong, const Statement& weak,
                               const Bound& bound) {
  std::string place = standpoint(old_, weak);
  Bounds bounds;
  for (const Statement* statement : strong)
    if (standpoint(fresh_, *statement) == place)
      for (const Bound& each : statement->bounds)
        if (implies(each, bound))
          bounds.push_back(reachOf(each));
  const Reach weakest = reachOf(bound);
  std::vector<Region> regions = regionsOf(bound);
  if (bounds.empty() || regions.empty())
    return false;
  auto open = std::find_if(regions.begin(), regions.end(),
                           [&](const Region& region) { return !binds(bounds, weakest, region); });
  if (open != regions.end())
    gap_ = open->isAll
               ? "on all requests"
               : fmt::format("on all requests of {}", utf8::ticked(sliceName(old_, open->slice)));
  return open == regions.end();
}

std::vector<Implication::Region> Implication::regionsOf(const Bound& bound) const {
  std::vector<Region> out;
  // What is all of a contract without slices is all requests.
  if (bound.scope.kind == Scope::Kind::All || overlap_.oldCount() == 1) {
    out.push_back({true, 0});
    return out;
  }
  for (std::size_t slice = 0; slice < overlap_.oldCount(); ++slice)
    if (isBound(old_, bound.scope, slice))
      out.push_back({false, slice});
  return out;
}

Implication::Reach Implication::reachOf(const Bound& bound) const {
  return {bound, logic::bindsParts(bound, stands_), logic::bindsWhole(bound, stands_),
          cutsWithin(bound)};
}

bool Implication::binds(const Bounds& bounds, const Reach& bound, const Region& region) const {
  auto anyOf = [&](const auto& binds) { return std::any_of(bounds.begin(), bounds.end(), binds); };
  if (anyOf([&](const Reach& each) { return bindsAll(each, bound, region); }))
    return true;
  for (std::size_t slice = 0; slice < overlap_.newCount(); ++slice) {
    bool isApart = !region.isAll && overlap_.meet(region.slice, slice) == Decided::No;
    if (!isApart &&
        !anyOf([&](const Reach& each) { return bindsSlice(each, bound, region, slice); }))
      return false;
  }
  return true;
}

bool Implication::hasSameWindow(const Bound& bound) const {
  // One of so many windows is as long as those of its stage.
  bool isOfStage = !bound.over || bound.over->dimension() == model::Dimension::Windows;
  return !logic::dependsOnWindow(bound, stands_) || !isOfStage || hasSameWindows_;
}

bool Implication::isWindowWithin(const Bound& fresh, const Bound& old) const {
  if (stands_ != Stands::InClause || logic::bindsParts(fresh, stands_) ||
      !logic::bindsWhole(old, stands_))
    return true;
  // A stage's window is compared with the stage's.
  const auto windowsOf = [](const Bound& bound) -> std::optional<Rational> {
    if (!bound.over)
      return Rational(1);
    return bound.over->dimension() == model::Dimension::Windows
               ? std::optional(bound.over->scaled())
               : std::nullopt;
  };
  const auto now = windowsOf(fresh), before = windowsOf(old);
  if (now && before)
    return logic::isMultiple(*before, *now);
  return fresh.over && old.over && fresh.over->dimension() == old.over->dimension() &&
         logic::isMultiple(old.over->scaled(), fresh.over->scaled());
}

bool Implication::implies(const Bound& strong, const Bound& weak) {
  if (effort_ == 0)
    return false;
  --effort_;
  return hasSameWindow(weak) && isWindowWithin(strong, weak) && logic::isAsSure(strong, weak) &&
         logic::implies(strong, weak, stands_);
}

/// What is of whole responses says nothing of parts of them, nor is it mixed of what parts give.
bool Implication::cutsWithin(const Bound& bound) const {
  return slicesCutResponses_ && isOfWholeResponses(bound, stands_);
}

/// By one bound on all requests.
bool Implication::bindsAll(const Reach& reach, const Reach& bound, const Region& region) const {
  bool isOfAll = reach.bound.scope.kind == Scope::Kind::All || overlap_.newCount() == 1;
  if (!isOfAll)
    return false;
  if (region.isAll)
    return overlap_.hasSameShares() || reach.bindsParts;
  return reach.bindsParts && bound.bindsWhole && !reach.isCut && !bound.isCut;
}

/// By a bound on a slice of the new edition that shares requests with the region.
bool Implication::bindsSlice(const Reach& reach, const Reach& bound, const Region& region,
                             std::size_t slice) const {
  const Scope& scope = reach.bound.scope;
  bool isOne = scope.kind != Scope::Kind::All && isBound(fresh_, scope, slice);
  if (!isOne)
    return false;
  if (!region.isAll && overlap_.isSame(region.slice, slice))
    return true;
  if (reach.isCut || bound.isCut || !bound.bindsWhole)
    return false;
  return region.isAll || reach.bindsParts || overlap_.isNewWithin(slice, region.slice);
}

} // namespace tikc::changes
