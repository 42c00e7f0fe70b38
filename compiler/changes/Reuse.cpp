#include "changes/Reuse.h"

#include "changes/Promises.h"

#include <algorithm>

namespace tikc::changes {

using logic::Stands;
using model::Aggregate;
using model::Bound;
using model::Statement;

namespace {

bool isSameLimits(const Bound& a, const Bound& b) {
  return a.comparator == b.comparator && logic::isSameAmount(a.limit, b.limit) &&
         logic::isSameAmount(a.upper, b.upper);
}

bool hasSameScope(const Bound& a, const Bound& b) {
  return a.scope.kind == b.scope.kind &&
         std::equal(a.scope.slices.begin(), a.scope.slices.end(), b.scope.slices.begin(),
                    b.scope.slices.end(),
                    [](const model::Name& x, const model::Name& y) { return x.text == y.text; });
}

/// Empty where what was tallied for the old bound decides the new one.
std::string_view whyNot(const Bound& old, const Bound& fresh) {
  if (old.measure.metric != fresh.measure.metric || !logic::limitSame(old, fresh, Stands::InClause))
    return "it needs another metric or statistic";
  if (!hasSameScope(old, fresh))
    return "it binds other slices";
  if (!logic::isSameAmount(old.over, fresh.over))
    return "it has another window";
  if (old.measure.aggregate == Aggregate::Quantile && !isSameLimits(old, fresh))
    return "a quantile is decided by counting values beyond its limit, and the limit changed";
  return {};
}

} // namespace

Reuse reuseOf(const Editions& editions, const Statement& old, const Statement& fresh) {
  auto no = [](std::string_view why) { return Reuse{false, std::string(why)}; };
  if (editions.hasOtherMeaning)
    return no("the kernels' laws changed");
  if (Implication::standpoint(editions.old, old) != Implication::standpoint(editions.fresh, fresh))
    return no("it compares other kernels, or other kernels' draws");
  if (!editions.overlap.hasSameSlices())
    return no("its slices changed");
  if (old.bounds.size() != fresh.bounds.size())
    return no("it has a different number of bounds");
  for (std::size_t i = 0; i < old.bounds.size(); ++i)
    if (std::string_view why = whyNot(old.bounds[i], fresh.bounds[i]); !why.empty())
      return no(why);
  return {true, "only its limit moved"};
}

} // namespace tikc::changes
