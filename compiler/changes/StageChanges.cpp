#include "changes/ReactionChanges.h"
#include "order/Magnitudes.h"

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
};
constexpr StageFact stageFacts[] = {
    {"traffic", &Stage::traffic, ChangeKind::Looser, ChangeKind::Described},
    {"tokens", &Stage::tokens, ChangeKind::Looser, ChangeKind::Tighter},
    {"sequences", &Stage::sequences, ChangeKind::Looser, ChangeKind::Tighter},
    {"lasts", &Stage::lasts, ChangeKind::Looser, ChangeKind::Tighter},
    {"confidence", &Stage::confidence, ChangeKind::Looser, ChangeKind::Tighter},
    {"window", &Stage::window, ChangeKind::Evidence, ChangeKind::Evidence}};

ChangeKind stageKind(const StageFact& fact, const std::optional<model::Amount>& was,
                     const std::optional<model::Amount>& is) {
  if (!was || !is)
    return was ? fact.less : fact.more;
  if (was->dimension() != is->dimension())
    return ChangeKind::Evidence;
  return is->scaled() < was->scaled() ? fact.less : fact.more;
}

class StageReview {
public:
  std::vector<PartChange> take(const Contract& was, const Contract& is) {
    for (const Stage& stage : was.stages)
      if (const Stage* successor = stageOf(is, stage.kind))
        review(stage, *successor);
      else
        add(ChangeKind::Removed, &stage, nullptr).why = "nothing has to pass it now";
    for (const Stage& stage : is.stages)
      if (!stageOf(was, stage.kind))
        add(ChangeKind::Added, nullptr, &stage);
    return std::move(out_);
  }

private:
  static const Stage* stageOf(const Contract& contract, model::StageKind kind) {
    auto found = std::find_if(contract.stages.begin(), contract.stages.end(),
                              [&](const Stage& stage) { return stage.kind == kind; });
    return found == contract.stages.end() ? nullptr : &*found;
  }

  PartChange& add(ChangeKind kind, const Stage* was, const Stage* is) {
    PartChange change{ChangedPart::Stage, kind,
                      std::string(model::stageName(is ? is->kind : was->kind))};
    change.was = was ? was->span : Span{};
    change.is = is ? is->span : Span{};
    out_.push_back(std::move(change));
    return out_.back();
  }

  void review(const Stage& was, const Stage& is) {
    for (const StageFact& fact : stageFacts) {
      const auto &before = was.*fact.member, &after = is.*fact.member;
      if (order::isSameAmount(before, after))
        continue;
      PartChange& change = add(stageKind(fact, before, after), &was, &is);
      change.name += "." + std::string(fact.key);
      change.before = before ? model::print(*before) : "";
      change.after = after ? model::print(*after) : "";
      change.was = before ? before->span : was.span;
      change.is = after ? after->span : is.span;
    }
    reviewText(ChangeKind::Evidence, "data", was, was.data, is, is.data);
    reviewText(ChangeKind::Reworded, "because", was, was.because, is, is.because);
  }

  void reviewText(ChangeKind kind, const std::string& key, const Stage& was,
                  const std::optional<model::Text>& before, const Stage& is,
                  const std::optional<model::Text>& after) {
    std::string then = before ? before->value : "", now = after ? after->value : "";
    if (then == now)
      return;
    PartChange& change = add(kind, &was, &is);
    change.name += "." + key;
    change.before = then;
    change.after = now;
  }

  std::vector<PartChange> out_;
};

} // namespace

std::vector<PartChange> stageChanges(const Contract& was, const Contract& is) {
  return StageReview().take(was, is);
}

} // namespace tikc::changes
