#include "changes/NormalForm.h"
#include "changes/Policies.h"
#include "changes/ReactionChanges.h"
#include "changes/Triggers.h"
#include "model/Meaning.h"

#include <algorithm>
#include <set>

namespace tikc::changes {

using model::Call;
using model::Contract;
using model::Expr;
using model::Rule;

namespace {

std::string renamed(const Successors& to, const std::string& name) {
  auto known = to.find(name);
  return known == to.end() ? name : known->second;
}

/// The expression with the new names of what it mentions.
Expr successorOf(const Expr& expr, const Renamings& to) {
  Expr out = expr;
  if (out.kind == Expr::Kind::Name)
    out.text = renamed(to.kernels, renamed(to.clauses, out.text));
  for (Expr& argument : out.arguments)
    argument = successorOf(argument, to);
  return out;
}

std::string spelled(const Expr& expr) { return model::print(model::canonical(expr)); }

std::set<std::string> spelledActions(const std::vector<Call>& actions, const Renamings& to) {
  std::set<std::string> out;
  for (const Call& action : actions)
    out.insert(spelled(successorOf(action.expr, to)));
  return out;
}

/// None where it watches each.
std::set<std::string> slicesOf(const Contract& contract, const Rule& rule, const Renamings& to) {
  std::set<std::string> out;
  if (watchesEach(contract, rule))
    return out;
  for (const model::Name& slice : rule.slices)
    out.insert(renamed(to.slices, slice.text));
  return out;
}

std::string ruleText(const Rule& rule) {
  std::string out = rule.when ? "when " + model::print(*rule.when) : "";
  for (const Call& action : rule.actions)
    out += ", " + model::print(action.expr);
  for (const model::Step& step : rule.steps) {
    out += ", for " + model::print(step.lasts) + ":";
    for (const Call& action : step.actions)
      out += " " + model::print(action.expr);
  }
  if (rule.until)
    out += ", until " + model::print(*rule.until);
  for (const model::Name& slice : rule.slices)
    out += (&slice == &rule.slices.front() ? ", on " : " and ") + slice.text;
  return out;
}

std::string stepsText(const Rule& rule, const Renamings& to) {
  std::string out;
  for (const model::Step& step : rule.steps) {
    out += model::print(model::canonical(step.lasts)) + ":";
    for (const std::string& each : spelledActions(step.actions, to))
      out += each + ",";
  }
  return out;
}

class RuleReview {
public:
  RuleReview(const Contract& old, const Contract& fresh, const Overlap& overlap,
             const Renamings& to)
      : old_(old), fresh_(fresh), overlap_(overlap), to_(to) {}

  std::vector<PartChange> take() {
    pairRules();
    const std::vector<RuleFate> fates = fatesOf(old_, fresh_, overlap_, to_, pairs_);
    for (std::size_t i = 0; i < pairs_.size(); ++i)
      if (!pairs_[i].fresh)
        reviewRemoved(pairs_[i], fates[i]);
      else if (!pairs_[i].old)
        reviewAdded(pairs_[i], fates[i]);
      else
        review(pairs_[i], fates[i]);
    return std::move(out_);
  }

private:
  void pairRules() {
    std::set<std::size_t> taken;
    for (std::size_t i = 0; i < old_.rules.size(); ++i) {
      auto next = successorOfRule(old_.rules[i], taken);
      pairs_.push_back({i, next, next && saySame(old_.rules[i], fresh_.rules[*next])});
      if (next)
        taken.insert(*next);
    }
    for (std::size_t i = 0; i < fresh_.rules.size(); ++i)
      if (!taken.contains(i))
        pairs_.push_back({{}, i});
  }

  /// By its id, else by what it says.
  std::optional<std::size_t> successorOfRule(const Rule& rule,
                                             const std::set<std::size_t>& taken) const {
    std::optional<std::size_t> out;
    for (std::size_t i = 0; i < fresh_.rules.size(); ++i)
      if (fresh_.rules[i].id.text == rule.id.text)
        return i;
      else if (!out && !taken.contains(i) && !isOld(fresh_.rules[i]) &&
               saySame(rule, fresh_.rules[i]))
        out = i;
    return out;
  }

  bool isOld(const Rule& rule) const {
    return std::any_of(old_.rules.begin(), old_.rules.end(),
                       [&](const Rule& each) { return each.id.text == rule.id.text; });
  }

  static std::string normal(const std::optional<Expr>& trigger) {
    return trigger ? spelled(normalTrigger(*trigger)) : std::string();
  }
  std::string now(const std::optional<Expr>& trigger) const {
    return trigger ? normal(successorOf(*trigger, to_)) : std::string();
  }

  bool saySame(const Rule& old, const Rule& fresh) const {
    return now(old.when) == normal(fresh.when) && now(old.until) == normal(fresh.until) &&
           spelledActions(old.actions, to_) == spelledActions(fresh.actions, {}) &&
           stepsText(old, to_) == stepsText(fresh, {}) &&
           slicesOf(old_, old, to_) == slicesOf(fresh_, fresh, {});
  }

  static constexpr std::string_view tooFar = "there are too many sequences of verdicts to try, and "
                                             "nothing shows that the rules do no less";

  /// What is lost comes first, and may be looser where it cannot be compared.
  static std::string whyLost(const RuleFate& fate) {
    const std::string& lost = fate.loss.text.empty() ? fate.doubtful.text : fate.loss.text;
    if (lost.empty())
      return std::string(tooFar);
    return fate.gain.text.empty() ? lost : lost + "; more is done " + fate.gain.text;
  }
  static bool isLost(const RuleFate& fate) {
    return !fate.loss.text.empty() || !fate.doubtful.text.empty() || !fate.isKnown;
  }
  static ChangeKind lostKind(const RuleFate& fate) {
    return fate.loss.text.empty() ? ChangeKind::Unsure : ChangeKind::Looser;
  }

  /// Past another rule: the first of two that act alike wins.
  bool isMoved(const PairedRules& pair) const {
    return std::any_of(pairs_.begin(), pairs_.end(), [&](const PairedRules& other) {
      return other.old && other.fresh && (*other.old < *pair.old) != (*other.fresh < *pair.fresh);
    });
  }

  void reviewRemoved(const PairedRules& pair, const RuleFate& fate) {
    if (isLost(fate))
      add(ChangeKind::Removed, pair).why = whyLost(fate);
    else
      add(ChangeKind::Implied, pair).why = "whatever happens, the remaining rules do no less";
  }

  void reviewAdded(const PairedRules& pair, const RuleFate& fate) {
    if (isLost(fate))
      add(lostKind(fate), pair).why = whyLost(fate);
    else if (!fate.otherVerdicts.empty())
      add(ChangeKind::Unsure, pair).why = fate.otherVerdicts;
    else
      add(ChangeKind::Added, pair);
  }

  void review(const PairedRules& pair, const RuleFate& fate) {
    const Rule &old = old_.rules[*pair.old], &is = fresh_.rules[*pair.fresh];
    if (isLost(fate))
      add(lostKind(fate), pair).why = whyLost(fate);
    else if (!fate.otherVerdicts.empty())
      add(ChangeKind::Unsure, pair).why = fate.otherVerdicts;
    else if (!fate.gain.text.empty() && (!pair.saySame || isMoved(pair)))
      add(ChangeKind::Tighter, pair).why = fate.gain.text;
    else if (!pair.saySame)
      add(ChangeKind::Restated, pair).why = "whatever happens, the rules do the same";
    else if (old.id.text != is.id.text)
      add(ChangeKind::Renamed, pair);
    if ((old.because ? old.because->value : "") != (is.because ? is.because->value : ""))
      add(ChangeKind::Reworded, pair).why = "the reason changed";
  }

  PartChange& add(ChangeKind kind, const PairedRules& pair) {
    const Rule* old = pair.old ? &old_.rules[*pair.old] : nullptr;
    const Rule* fresh = pair.fresh ? &fresh_.rules[*pair.fresh] : nullptr;
    PartChange change{ChangedPart::Rule, kind, fresh ? fresh->id.text : old->id.text};
    if (old) {
      change.before = ruleText(*old);
      change.oldPlace = old->id.span;
    }
    if (fresh) {
      change.after = ruleText(*fresh);
      change.newPlace = fresh->id.span;
    }
    if (old && fresh && old->id.text != fresh->id.text)
      change.formerly = old->id.text;
    out_.push_back(std::move(change));
    return out_.back();
  }

  const Contract& old_;
  const Contract& fresh_;
  const Overlap& overlap_;
  const Renamings& to_;
  std::vector<PairedRules> pairs_;
  std::vector<PartChange> out_;
};

} // namespace

std::vector<PartChange> ruleChanges(const Contract& old, const Contract& fresh,
                                    const Overlap& overlap, const Renamings& renamings) {
  return RuleReview(old, fresh, overlap, renamings).take();
}

} // namespace tikc::changes
