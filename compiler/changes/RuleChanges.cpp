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
  RuleReview(const Contract& was, const Contract& is, const Overlap& overlap, const Renamings& to)
      : was_(was), is_(is), overlap_(overlap), to_(to) {}

  std::vector<PartChange> take() {
    pairRules();
    const std::vector<RuleFate> fates = fatesOf(was_, is_, overlap_, to_, pairs_);
    for (std::size_t i = 0; i < pairs_.size(); ++i)
      if (!pairs_[i].is)
        reviewRemoved(pairs_[i], fates[i]);
      else if (!pairs_[i].was)
        reviewAdded(pairs_[i], fates[i]);
      else
        review(pairs_[i], fates[i]);
    return std::move(out_);
  }

private:
  void pairRules() {
    std::set<std::size_t> taken;
    for (std::size_t i = 0; i < was_.rules.size(); ++i) {
      auto next = successorOfRule(was_.rules[i], taken);
      pairs_.push_back({i, next, next && saySame(was_.rules[i], is_.rules[*next])});
      if (next)
        taken.insert(*next);
    }
    for (std::size_t i = 0; i < is_.rules.size(); ++i)
      if (!taken.contains(i))
        pairs_.push_back({{}, i});
  }

  /// By its id, else by what it says.
  std::optional<std::size_t> successorOfRule(const Rule& rule,
                                             const std::set<std::size_t>& taken) const {
    std::optional<std::size_t> out;
    for (std::size_t i = 0; i < is_.rules.size(); ++i)
      if (is_.rules[i].id.text == rule.id.text)
        return i;
      else if (!out && !taken.contains(i) && !isOld(is_.rules[i]) && saySame(rule, is_.rules[i]))
        out = i;
    return out;
  }

  bool isOld(const Rule& rule) const {
    return std::any_of(was_.rules.begin(), was_.rules.end(),
                       [&](const Rule& each) { return each.id.text == rule.id.text; });
  }

  static std::string normal(const std::optional<Expr>& trigger) {
    return trigger ? spelled(normalTrigger(*trigger)) : std::string();
  }
  std::string now(const std::optional<Expr>& trigger) const {
    return trigger ? normal(successorOf(*trigger, to_)) : std::string();
  }

  bool saySame(const Rule& was, const Rule& is) const {
    return now(was.when) == normal(is.when) && now(was.until) == normal(is.until) &&
           spelledActions(was.actions, to_) == spelledActions(is.actions, {}) &&
           stepsText(was, to_) == stepsText(is, {}) &&
           slicesOf(was_, was, to_) == slicesOf(is_, is, {});
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
      return other.was && other.is && (*other.was < *pair.was) != (*other.is < *pair.is);
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
    const Rule &was = was_.rules[*pair.was], &is = is_.rules[*pair.is];
    if (isLost(fate))
      add(lostKind(fate), pair).why = whyLost(fate);
    else if (!fate.otherVerdicts.empty())
      add(ChangeKind::Unsure, pair).why = fate.otherVerdicts;
    else if (!fate.gain.text.empty() && (!pair.saySame || isMoved(pair)))
      add(ChangeKind::Tighter, pair).why = fate.gain.text;
    else if (!pair.saySame)
      add(ChangeKind::Restated, pair).why = "whatever happens, the rules do the same";
    else if (was.id.text != is.id.text)
      add(ChangeKind::Renamed, pair);
    if ((was.because ? was.because->value : "") != (is.because ? is.because->value : ""))
      add(ChangeKind::Reworded, pair).why = "the reason changed";
  }

  PartChange& add(ChangeKind kind, const PairedRules& pair) {
    const Rule* was = pair.was ? &was_.rules[*pair.was] : nullptr;
    const Rule* is = pair.is ? &is_.rules[*pair.is] : nullptr;
    PartChange change{ChangedPart::Rule, kind, is ? is->id.text : was->id.text};
    if (was) {
      change.before = ruleText(*was);
      change.was = was->id.span;
    }
    if (is) {
      change.after = ruleText(*is);
      change.is = is->id.span;
    }
    if (was && is && was->id.text != is->id.text)
      change.formerly = was->id.text;
    out_.push_back(std::move(change));
    return out_.back();
  }

  const Contract& was_;
  const Contract& is_;
  const Overlap& overlap_;
  const Renamings& to_;
  std::vector<PairedRules> pairs_;
  std::vector<PartChange> out_;
};

} // namespace

std::vector<PartChange> ruleChanges(const Contract& was, const Contract& is, const Overlap& overlap,
                                    const Renamings& renamings) {
  return RuleReview(was, is, overlap, renamings).take();
}

} // namespace tikc::changes
