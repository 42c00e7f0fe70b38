#include "bounds/prove/Scopes.h"

#include "bounds/prove/Questions.h"
#include "support/Check.h"

#include <algorithm>

namespace tikc::bounds {

using Level = QuantityInfo::Level;
using Kind = QuantityInfo::Kind;

namespace {

bool has(const Use& use, Kind kind) {
  return std::any_of(use.premises.begin(), use.premises.end(), [&](const Premise& premise) {
    return isFact(premise) && info(premise.quantity).kind == kind;
  });
}

/// From prefixes, or from nothing, to whole responses.
bool crosses(const Use& use) {
  if (info(use.concludes).level != Level::Response)
    return false;
  bool isOfResponses = false, isOfPrefixes = false;
  for (const Premise& premise : use.premises)
    if (isFact(premise)) {
      isOfResponses |= info(premise.quantity).level == Level::Response;
      isOfPrefixes |= info(premise.quantity).level == Level::Context;
    }
  return isOfPrefixes || !isOfResponses;
}

bool isAbout(const About& about, bool isKept) {
  return about.first == model::Law::Served && about.second == model::Law::Served &&
         about.isKept == isKept;
}

} // namespace

bool grants(const Deduction& deduction, const Table& table, Condition condition) {
  if (!asks(static_cast<Question>(condition)))
    return true;
  const Problem& problem = deduction.problem;
  const About& about = problem.abouts[table.place.about];
  const Problem::Link& link = problem.links[table.place.link];
  bool isDrawn = about.drawer == link.second && about.second == model::Law::Served && !about.isKept;
  switch (condition) {
  case Condition::ServedLaws:
    return isAbout(about, false);
  case Condition::KeptLaws:
    return isAbout(about, true);
  case Condition::Samples:
    return isDrawn;
  case Condition::WholeResponses:
    return isDrawn && !problem.cutsResponses(table.place.slice);
  case Condition::EqualSupport:
    return table[Quantity::FullSupport].given().has_value();
  }
  TIKC_CHECK(false, "each condition has its case");
}

std::vector<Condition> conditionsOf(const Lemma& lemma, const Use& use) {
  std::vector<Condition> out;
  if (use.into == Into::Served)
    out.push_back(Condition::ServedLaws);
  if (use.into == Into::Kept)
    out.push_back(Condition::KeptLaws);
  if (has(use, Kind::Sample) || lemma.needsDraws)
    out.push_back(Condition::Samples);
  if (crosses(use))
    out.push_back(Condition::WholeResponses);
  // A drift is infinite where the masks differ, so what bounds it bounds that, too.
  if (lemma.needsFullSupport && !has(use, Kind::Drift))
    out.push_back(Condition::EqualSupport);
  return out;
}

bool stands(const Deduction& deduction, const Table& table, const DeductionStep& step,
            std::vector<FactId>& under) {
  if (asks(Question::ResponsesInSlice) && info(step.use->concludes).level == Level::Response &&
      deduction.problem.cutsResponses(table.place.slice))
    return false;
  for (Condition condition : step.conditions)
    if (!grants(deduction, table, condition))
      return false;
  auto add = [&](Quantity quantity) {
    auto fact = table[quantity].given();
    if (fact)
      under.push_back(*fact);
    return fact.has_value();
  };
  if (step.use->under && !add(*step.use->under) && asks(Question::Estimator))
    return false;
  // Where support is declared full, that is what equal masks rest on.
  if (step.lemma->needsFullSupport)
    add(Quantity::FullSupport);
  return true;
}

} // namespace tikc::bounds
