#include "changes/ReactionChanges.h"
#include "metrics/Metrics.h"
#include "model/Meaning.h"

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

ChangeKind directiveKind(const Clause& was, const Clause& is) {
  auto before = extentOf(was.directive->expr), after = extentOf(is.directive->expr);
  if (subjectOf(*was.directive) != subjectOf(*is.directive) || !before || !after)
    return isObserving(was.directive->id) ? ChangeKind::Unsure : ChangeKind::Described;
  // The surer a clause is asked to be, the later it calls what it sees a break.
  bool isLess = was.directive->id == CallId::Coherent ? *after > *before : *after < *before;
  return isLess ? ChangeKind::Looser : ChangeKind::Tighter;
}

class DirectiveReview {
public:
  DirectiveReview(const Contract& was, const Contract& is)
      : was_(directivesOf(was)), is_(directivesOf(is)) {}

  std::vector<PartChange> take() {
    for (const Clause* each : was_)
      if (const Clause* same = take(*each))
        review(*each, *same);
      else
        add(isObserving(each->directive->id) ? ChangeKind::Removed : ChangeKind::Described, each,
            nullptr);
    for (const Clause* each : is_)
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
  const Clause* take(const Clause& was) {
    auto find = [&](const auto& isIt) {
      auto found = std::find_if(is_.begin(), is_.end(), isIt);
      return found == is_.end() ? nullptr : *found;
    };
    const Clause* out = find([&](const Clause* each) { return each->id.text == was.id.text; });
    if (!out)
      out = find([&](const Clause* each) {
        return subjectOf(*each->directive) == subjectOf(*was.directive) && !isOld(*each) &&
               std::find(taken_.begin(), taken_.end(), each) == taken_.end();
      });
    if (out)
      taken_.push_back(out);
    return out;
  }

  bool isOld(const Clause& clause) const {
    return std::any_of(was_.begin(), was_.end(),
                       [&](const Clause* each) { return each->id.text == clause.id.text; });
  }

  void review(const Clause& was, const Clause& is) {
    bool isSame = model::print(model::canonical(was.directive->expr)) ==
                  model::print(model::canonical(is.directive->expr));
    if (!isSame)
      add(directiveKind(was, is), &was, &is);
    else if (was.id.text != is.id.text)
      add(ChangeKind::Renamed, &was, &is);
    std::string before = was.because ? was.because->value : "";
    std::string after = is.because ? is.because->value : "";
    if (before != after)
      add(ChangeKind::Reworded, &was, &is).why = "the reason changed";
  }

  PartChange& add(ChangeKind kind, const Clause* was, const Clause* is) {
    PartChange change{ChangedPart::Directive, kind, is ? is->id.text : was->id.text};
    if (was) {
      change.before = model::print(was->directive->expr);
      change.was = was->id.span;
    }
    if (is) {
      change.after = model::print(is->directive->expr);
      change.is = is->id.span;
    }
    if (was && is && was->id.text != is->id.text)
      change.formerly = was->id.text;
    out_.push_back(std::move(change));
    return out_.back();
  }

  std::vector<const Clause*> was_, is_, taken_;
  std::vector<PartChange> out_;
};

} // namespace

std::vector<PartChange> directiveChanges(const Contract& was, const Contract& is) {
  return DirectiveReview(was, is).take();
}

} // namespace tikc::changes
