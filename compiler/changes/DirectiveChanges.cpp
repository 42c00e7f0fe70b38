#include "changes/ReactionChanges.h"
#include "model/Meaning.h"
#include "model/Metrics.h"

#include <algorithm>

namespace tikc::changes {

using model::CallId;
using model::Clause;
using model::Contract;
using model::Expr;

namespace {

/// What is the larger the more is observed or kept: a rate, a time. A confidence is told apart.
std::optional<Rational> extentOf(const Expr& call) {
  for (const Expr& argument : call.arguments)
    if (argument.kind == Expr::Kind::Quantity)
      return argument.quantity.scaled();
  return std::nullopt;
}

/// Of what it is, without how much of it: `sample(logits)`.
std::string subjectOf(const model::Call& call) {
  Expr out = model::canonical(call.expr);
  std::erase_if(out.arguments,
                [](const Expr& argument) { return argument.kind == Expr::Kind::Quantity; });
  return model::print(out);
}

bool isObserving(CallId call) {
  return call == CallId::Sample || call == CallId::Replay || call == CallId::Retain ||
         call == CallId::Coherent;
}

ChangeKind directiveKind(const Clause& old, const Clause& fresh) {
  auto before = extentOf(old.directive->expr), after = extentOf(fresh.directive->expr);
  if (subjectOf(*old.directive) != subjectOf(*fresh.directive) || !before || !after)
    return isObserving(old.directive->id) ? ChangeKind::Unsure : ChangeKind::Described;
  // The surer a clause is asked to be, the later it calls what it sees a break.
  bool isLess = old.directive->id == CallId::Coherent ? *after > *before : *after < *before;
  return isLess ? ChangeKind::Looser : ChangeKind::Tighter;
}

class DirectiveReview {
public:
  DirectiveReview(const Contract& old, const Contract& fresh)
      : old_(directivesOf(old)), fresh_(directivesOf(fresh)) {}

  std::vector<PartChange> take() {
    for (const Clause* each : old_)
      if (const Clause* same = take(*each))
        review(*each, *same);
      else
        add(isObserving(each->directive->id) ? ChangeKind::Removed : ChangeKind::Described, each,
            nullptr);
    for (const Clause* each : fresh_)
      if (std::find(taken_.begin(), taken_.end(), each) == taken_.end())
        add(ChangeKind::Added, nullptr, each);
    return std::move(out_);
  }

private:
  static std::vector<const Clause*> directivesOf(const Contract& contract) {
    std::vector<const Clause*> out;
    for (const Clause& clause : contract.clauses)
      if (clause.directive)
        out.push_back(&clause);
    return out;
  }

  /// By its id; else what observes the same and has an id that is new.
  const Clause* take(const Clause& old) {
    auto find = [&](const auto& isIt) {
      auto match = std::find_if(fresh_.begin(), fresh_.end(), isIt);
      return match == fresh_.end() ? nullptr : *match;
    };
    const Clause* out = find([&](const Clause* each) { return each->id.text == old.id.text; });
    if (!out)
      out = find([&](const Clause* each) {
        return subjectOf(*each->directive) == subjectOf(*old.directive) && !isOld(*each) &&
               std::find(taken_.begin(), taken_.end(), each) == taken_.end();
      });
    if (out)
      taken_.push_back(out);
    return out;
  }

  bool isOld(const Clause& clause) const {
    return std::any_of(old_.begin(), old_.end(),
                       [&](const Clause* each) { return each->id.text == clause.id.text; });
  }

  void review(const Clause& old, const Clause& fresh) {
    bool isSame = model::print(model::canonical(old.directive->expr)) ==
                  model::print(model::canonical(fresh.directive->expr));
    if (!isSame)
      add(directiveKind(old, fresh), &old, &fresh);
    else if (old.id.text != fresh.id.text)
      add(ChangeKind::Renamed, &old, &fresh);
    std::string before = old.because ? old.because->value : "";
    std::string after = fresh.because ? fresh.because->value : "";
    if (before != after)
      add(ChangeKind::Reworded, &old, &fresh).why = "the reason changed";
  }

  PartChange& add(ChangeKind kind, const Clause* old, const Clause* fresh) {
    PartChange change{ChangedPart::Directive, kind, fresh ? fresh->id.text : old->id.text};
    if (old) {
      change.before = model::print(old->directive->expr);
      change.oldPlace = old->id.span;
    }
    if (fresh) {
      change.after = model::print(fresh->directive->expr);
      change.newPlace = fresh->id.span;
    }
    if (old && fresh && old->id.text != fresh->id.text)
      change.formerly = old->id.text;
    out_.push_back(std::move(change));
    return out_.back();
  }

  std::vector<const Clause*> old_, fresh_, taken_;
  std::vector<PartChange> out_;
};

} // namespace

std::vector<PartChange> directiveChanges(const Contract& old, const Contract& fresh) {
  return DirectiveReview(old, fresh).take();
}

} // namespace tikc::changes
