#include "changes/ReactionChanges.h"
#include "logic/Magnitudes.h"
#include "logic/Order.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>

namespace tikc::changes {

using model::Contract;
using model::Stage;

namespace {

/// What less of it means to what passes the stage; more of it means the opposite.
struct StageFact {
  std::string_view key;
  std::optional<model::Amount> Stage::*member;
  ChangeKind less, more;
  bool isCeiling = false; // where it is not said all is let through
};
constexpr StageFact stageFacts[] = {
    {"traffic", &Stage::traffic, ChangeKind::Looser, ChangeKind::Described},
    {"tokens", &Stage::tokens, ChangeKind::Looser, ChangeKind::Tighter},
    {"sequences", &Stage::sequences, ChangeKind::Looser, ChangeKind::Tighter},
    {"lasts", &Stage::lasts, ChangeKind::Looser, ChangeKind::Tighter},
    {"confidence", &Stage::confidence, ChangeKind::Looser, ChangeKind::Tighter},
    {"corridor", &Stage::corridor, ChangeKind::Tighter, ChangeKind::Looser, true},
    {"window", &Stage::window, ChangeKind::Evidence, ChangeKind::Evidence}};

ChangeKind stageKind(const StageFact& fact, const std::optional<model::Amount>& was,
                     const std::optional<model::Amount>& is) {
  if (!was || !is)
    return was.has_value() != fact.isCeiling ? fact.less : fact.more;
  if (was->dimension() != is->dimension())
    return ChangeKind::Evidence;
  return is->scaled() < was->scaled() ? fact.less : fact.more;
}

/// Whether a trigger is about more than one window.
bool countsWindows(const model::Expr& trigger) {
  return (trigger.kind == model::Expr::Kind::For && trigger.arguments[1].quantity.scaled() > 1) ||
         std::any_of(trigger.arguments.begin(), trigger.arguments.end(), countsWindows);
}

/// Rules go from window to window: with longer ones they react later, and with shorter ones that
/// end, or go on to another step, after some of them they do so sooner.
std::string whyRulesMind(const Contract& contract, bool isLonger) {
  for (const model::Rule& rule : contract.rules) {
    const bool endsByCount = (rule.until && countsWindows(*rule.until)) || !rule.steps.empty();
    const bool startsByCount = rule.when && countsWindows(*rule.when);
    if (isLonger ? startsByCount || !rule.steps.empty() : endsByCount)
      return fmt::format("rule {} counts windows: it {}", utf8::ticked(rule.id.text),
                         isLonger ? "reacts later" : "ends, or reaches its next step, sooner");
  }
  return {};
}

/// A clause that a longer window of its stage makes looser.
const model::Clause* judgedOver(const Contract& contract) {
  using logic::Stands;
  auto isLoosened = [](const model::Bound& bound) {
    return (!bound.over || bound.over->dimension() == model::Dimension::Windows) &&
           !logic::bindsParts(bound, Stands::InClause) &&
           logic::bindsWhole(bound, Stands::InClause);
  };
  const auto match =
      std::find_if(contract.clauses.begin(), contract.clauses.end(), [&](const auto& clause) {
        return std::any_of(clause.bounds.begin(), clause.bounds.end(), isLoosened);
      });
  return match == contract.clauses.end() ? nullptr : &*match;
}

class StageReview {
public:
  std::vector<PartChange> take(const Contract& old, const Contract& fresh) {
    contract_ = &fresh;
    for (const Stage& stage : old.stages)
      if (const Stage* successor = stageOf(fresh, stage.kind))
        review(stage, *successor);
      else
        add(ChangeKind::Removed, &stage, nullptr).why = "kernels no longer have to pass it";
    for (const Stage& stage : fresh.stages)
      if (!stageOf(old, stage.kind))
        add(ChangeKind::Added, nullptr, &stage);
    return std::move(out_);
  }

private:
  static const Stage* stageOf(const Contract& contract, model::StageKind kind) {
    auto match = std::find_if(contract.stages.begin(), contract.stages.end(),
                              [&](const Stage& stage) { return stage.kind == kind; });
    return match == contract.stages.end() ? nullptr : &*match;
  }

  PartChange& add(ChangeKind kind, const Stage* old, const Stage* fresh) {
    PartChange change{ChangedPart::Stage, kind,
                      std::string(model::stageName(fresh ? fresh->kind : old->kind))};
    change.oldPlace = old ? old->span : Span{};
    change.newPlace = fresh ? fresh->span : Span{};
    out_.push_back(std::move(change));
    return out_.back();
  }

  void review(const Stage& old, const Stage& fresh) {
    for (const StageFact& fact : stageFacts) {
      const auto &before = old.*fact.member, &after = fresh.*fact.member;
      if (logic::isSameAmount(before, after))
        continue;
      PartChange& change = add(stageKind(fact, before, after), &old, &fresh);
      change.name += "." + std::string(fact.key);
      change.before = before ? model::print(*before) : "";
      change.after = after ? model::print(*after) : "";
      change.oldPlace = before ? before->span : old.span;
      change.newPlace = after ? after->span : fresh.span;
      const bool isMore = !before || (after && before->scaled() < after->scaled());
      if (fact.member == &Stage::window)
        reviewWindow(change, isMore, before && after && before->dimension() == after->dimension());
      if (fact.member == &Stage::traffic && fresh.kind == model::StageKind::Canary && isMore) {
        change.kind = ChangeKind::Looser;
        change.why = "a kernel that has not passed it serves more of the traffic";
      }
    }
    reviewText(ChangeKind::Evidence, "data", old, old.data, fresh, fresh.data);
    reviewText(ChangeKind::Reworded, "because", old, old.because, fresh, fresh.because);
  }

  void reviewWindow(PartChange& change, bool isLonger, bool isComparable) const {
    if (const model::Clause* judged = judgedOver(*contract_);
        judged && (isLonger || !isComparable)) {
      change.kind = isComparable ? ChangeKind::Looser : ChangeKind::Unsure;
      change.why = fmt::format("clause {} is judged over it: over a longer one, the rest hides a "
                               "bad part",
                               utf8::ticked(judged->id.text));
      return;
    }
    change.why = whyRulesMind(*contract_, isLonger);
    if (change.why.empty() && !isComparable)
      change.why = whyRulesMind(*contract_, !isLonger);
    if (!change.why.empty())
      change.kind = ChangeKind::Unsure;
  }

  void reviewText(ChangeKind kind, const std::string& key, const Stage& old,
                  const std::optional<model::Text>& before, const Stage& fresh,
                  const std::optional<model::Text>& after) {
    std::string then = before ? before->value : "", now = after ? after->value : "";
    if (then == now)
      return;
    PartChange& change = add(kind, &old, &fresh);
    change.name += "." + key;
    change.before = then;
    change.after = now;
  }

  const Contract* contract_ = nullptr; // the new one
  std::vector<PartChange> out_;
};

} // namespace

std::vector<PartChange> stageChanges(const Contract& old, const Contract& fresh) {
  return StageReview().take(old, fresh);
}

} // namespace tikc::changes
