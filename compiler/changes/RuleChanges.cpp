#include "changes/NormalForm.h"
#include "changes/ReactionChanges.h"
#include "changes/Triggers.h"
#include "metrics/Metrics.h"
#include "model/Meaning.h"
#include "support/Utf8.h"

#include <algorithm>
#include <set>

namespace tikc::changes {

using model::Call;
using model::CallId;
using model::Contract;
using model::Expr;
using model::Rule;

namespace {

/// What wins where several rules want something of the traffic, the strongest first; then what only
/// tells.
constexpr CallId reactions[] = {CallId::Rollback, CallId::Hold,    CallId::Quarantine,
                                CallId::Route,    CallId::Correct, CallId::SampleMore,
                                CallId::Alert};

std::size_t weaknessOf(CallId action) {
  auto found = std::find(std::begin(reactions), std::end(reactions), action);
  return static_cast<std::size_t>(found - std::begin(reactions));
}
std::size_t weakness(const Call& action) { return weaknessOf(action.id); }

std::vector<Call> actionsOf(const Rule& rule) {
  std::vector<Call> out = rule.actions;
  for (const model::Step& step : rule.steps)
    out.insert(out.end(), step.actions.begin(), step.actions.end());
  return out;
}

std::size_t leastWeakness(const std::vector<Call>& actions) {
  std::size_t out = std::size(reactions);
  for (const Call& action : actions)
    out = std::min(out, weakness(action));
  return out;
}

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

/// A state that has to last for some windows.
struct Lasting {
  Expr state;
  Rational windows = 1;
};
Lasting lastingOf(const Expr& trigger) {
  if (trigger.kind == Expr::Kind::For && trigger.arguments.size() == 2)
    return {trigger.arguments[0], trigger.arguments[1].quantity.scaled()};
  return {trigger, 1};
}

std::string spelled(const Expr& expr) { return model::print(model::canonical(expr)); }

/// `violated(any)` is true where `violated(x)` is; `satisfied(any)` is not true where one is not.
bool isWider(const Expr& wide, const Expr& narrow) {
  bool isCall = wide.kind == Expr::Kind::Call && narrow.kind == Expr::Kind::Call &&
                wide.text == narrow.text && wide.text != "satisfied" &&
                wide.arguments.size() == 1 && narrow.arguments.size() == 1;
  return isCall && wide.arguments[0].text == "any";
}

enum class Shift : std::uint8_t { None, Sooner, Later, Unknown };

/// Whether a trigger becomes true sooner, or of more, than another.
Shift shiftOf(const std::optional<Expr>& was, const std::optional<Expr>& is) {
  if (!was || !is)
    return !was && !is ? Shift::None : was ? Shift::Later : Shift::Sooner; // without, never
  Lasting before = lastingOf(*was), after = lastingOf(*is);
  if (spelled(before.state) == spelled(after.state))
    return before.windows == after.windows  ? Shift::None
           : after.windows < before.windows ? Shift::Sooner
                                            : Shift::Later;
  if (isWider(after.state, before.state) && after.windows <= before.windows)
    return Shift::Sooner;
  if (isWider(before.state, after.state) && before.windows <= after.windows)
    return Shift::Later;
  return impliesTrigger(*was, *is)   ? Shift::Sooner
         : impliesTrigger(*is, *was) ? Shift::Later
                                     : Shift::Unknown;
}

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

bool hasAll(const std::set<std::string>& whole, const std::set<std::string>& part) {
  return std::includes(whole.begin(), whole.end(), part.begin(), part.end());
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

/// What several aspects of a rule say together: any that is looser makes it so.
class RuleVerdict {
public:
  void say(Shift shift, std::string_view sooner, std::string_view later, std::string_view unknown) {
    if (shift == Shift::Sooner)
      add(ChangeKind::Tighter, sooner);
    else if (shift == Shift::Later)
      add(ChangeKind::Looser, later);
    else if (shift == Shift::Unknown)
      add(ChangeKind::Unsure, unknown);
  }
  void add(ChangeKind kind, std::string_view why) {
    bool isGraver = !kind_ || info(kind).effect > info(*kind_).effect;
    if (isGraver)
      kind_ = kind;
    why_ += (why_.empty() ? "" : "; ") + std::string(why);
  }

  const std::optional<ChangeKind>& kind() const { return kind_; }
  const std::string& why() const { return why_; }

private:
  std::optional<ChangeKind> kind_;
  std::string why_;
};

class RuleReview {
public:
  RuleReview(const Contract& was, const Contract& is, const Renamings& to)
      : was_(was), is_(is), to_(to) {}

  std::vector<PartChange> take() {
    std::set<const Rule*> taken;
    for (const Rule& rule : was_.rules)
      if (const Rule* successor = successorOfRule(rule)) {
        taken.insert(successor);
        review(rule, *successor);
      } else {
        add(ChangeKind::Removed, &rule, nullptr);
      }
    for (const Rule& rule : is_.rules)
      if (!taken.contains(&rule))
        reviewAdded(rule);
    reviewOrder();
    return std::move(out_);
  }

private:
  /// A rule that is new only adds, unless it takes the traffic from where one that was there has
  /// it: `hold` keeps it on the kernel that another leads it away from, and of two routes or
  /// corrections the first wins.
  void reviewAdded(const Rule& rule) {
    PartChange& change = add(ChangeKind::Added, nullptr, &rule);
    for (const Rule& other : is_.rules) {
      const bool isFirst = &rule < &other;
      if (&other == &rule || !isOld(other))
        continue;
      if (takesTraffic(rule, other, isFirst)) {
        change.kind = ChangeKind::Unsure;
        change.why = "while both are active traffic does as it says, and not as " +
                     utf8::ticked(other.id.text) + " does";
        return;
      }
    }
  }

  static bool takesTraffic(const Rule& rule, const Rule& other, bool isFirst) {
    for (const Call& mine : actionsOf(rule))
      for (const Call& theirs : actionsOf(other)) {
        const bool isHeld = mine.id == CallId::Hold && weakness(theirs) > weakness(mine) &&
                            weakness(theirs) <= weaknessOf(CallId::Correct);
        const bool isAhead = isFirst && mine.id == theirs.id &&
                             (mine.id == CallId::Route || mine.id == CallId::Correct) &&
                             spelled(mine.expr) != spelled(theirs.expr);
        if (isHeld || isAhead)
          return true;
      }
    return false;
  }

  /// By its id, else by what it says.
  const Rule* successorOfRule(const Rule& rule) const {
    const Rule* out = nullptr;
    for (const Rule& each : is_.rules)
      if (each.id.text == rule.id.text)
        return &each;
      else if (!out && !isOld(each) && !verdictOf(rule, each).kind())
        out = &each;
    return out;
  }
  /// Of rules that want the same kind of thing of the traffic, the first one wins.
  void reviewOrder() {
    for (CallId action : {CallId::Route, CallId::Correct}) {
      std::vector<std::string> before = whoDo(was_, action, is_), after = whoDo(is_, action, was_);
      if (before.size() != after.size())
        continue;
      auto first = std::mismatch(before.begin(), before.end(), after.begin()).second;
      if (first != after.end())
        out_.push_back({ChangedPart::Rule,
                        ChangeKind::Unsure,
                        *first,
                        {},
                        {},
                        {},
                        {},
                        {},
                        "it comes before rules that came before it: traffic goes elsewhere while "
                        "both are active",
                        {}});
    }
  }

  /// The ids of the rules of both editions that have such an action, in their order.
  static std::vector<std::string> whoDo(const Contract& contract, CallId action,
                                        const Contract& other) {
    std::vector<std::string> out;
    for (const Rule& rule : contract.rules) {
      std::vector<Call> actions = actionsOf(rule);
      bool does = std::any_of(actions.begin(), actions.end(),
                              [&](const Call& each) { return each.id == action; });
      bool isInBoth = std::any_of(other.rules.begin(), other.rules.end(),
                                  [&](const Rule& each) { return each.id.text == rule.id.text; });
      if (does && isInBoth)
        out.push_back(rule.id.text);
    }
    return out;
  }

  bool isOld(const Rule& rule) const {
    return std::any_of(was_.rules.begin(), was_.rules.end(),
                       [&](const Rule& each) { return each.id.text == rule.id.text; });
  }

  static std::optional<Expr> normal(const std::optional<Expr>& trigger) {
    return trigger ? std::optional(normalTrigger(*trigger)) : std::nullopt;
  }
  std::optional<Expr> now(const std::optional<Expr>& trigger) const {
    return trigger ? normal(successorOf(*trigger, to_)) : std::nullopt;
  }

  RuleVerdict verdictOf(const Rule& was, const Rule& is) const {
    RuleVerdict out;
    out.say(shiftOf(now(was.when), normal(is.when)), "it reacts sooner, or to more",
            "it reacts later, or to less", "it reacts to something else");
    // What ends sooner reacts for less time.
    Shift end = shiftOf(now(was.until), normal(is.until));
    Shift turned = end == Shift::Sooner ? Shift::Later : end == Shift::Later ? Shift::Sooner : end;
    out.say(turned, "it lasts longer", "it ends sooner", "it ends otherwise");
    compareActions(was, is, out);
    compareSlices(was, is, out);
    return out;
  }

  /// A rollback takes the place of whatever is done with the traffic; what only tells is not done
  /// by it.
  bool goesBackInstead(const std::vector<Call>& before, const std::vector<Call>& after) const {
    auto isRollback = [](const Call& action) { return action.id == CallId::Rollback; };
    auto now = spelledActions(after, {});
    return std::none_of(before.begin(), before.end(), isRollback) &&
           std::any_of(after.begin(), after.end(), isRollback) &&
           std::all_of(before.begin(), before.end(), [&](const Call& each) {
             return weakness(each) <= weaknessOf(CallId::Correct) ||
                    now.contains(spelled(successorOf(each.expr, to_)));
           });
  }

  void compareActions(const Rule& was, const Rule& is, RuleVerdict& out) const {
    std::vector<Call> before = actionsOf(was), after = actionsOf(is);
    auto then = spelledActions(before, to_), now = spelledActions(after, {});
    bool hasSteps = !was.steps.empty() || !is.steps.empty();
    if (then == now && !hasSteps)
      return;
    if (hasSteps) {
      if (stepsText(was, to_) != stepsText(is, {}))
        out.add(ChangeKind::Unsure, "its steps are others");
    } else if (hasAll(now, then))
      out.add(ChangeKind::Tighter, "it does more");
    else if (goesBackInstead(before, after))
      out.add(ChangeKind::Tighter,
              "it goes back to the previous kernel instead, whatever else is active");
    else if (hasAll(then, now) || leastWeakness(after) > leastWeakness(before))
      out.add(ChangeKind::Looser, "it does less");
    else
      out.add(ChangeKind::Unsure, "it does something else");
  }

  std::string stepsText(const Rule& rule, const Renamings& to) const {
    std::string out;
    for (const std::string& each : spelledActions(rule.actions, to))
      out += each + ";";
    for (const model::Step& step : rule.steps) {
      out += model::print(model::canonical(step.lasts)) + ":";
      for (const std::string& each : spelledActions(step.actions, to))
        out += each + ",";
    }
    return out;
  }

  /// Without a list it watches each.
  void compareSlices(const Rule& was, const Rule& is, RuleVerdict& out) const {
    auto before = slicesOf(was_, was, to_), after = slicesOf(is_, is, {});
    if (before == after)
      return;
    bool watchesMore = after.empty() || (!before.empty() && hasAll(after, before));
    out.add(watchesMore ? ChangeKind::Tighter : ChangeKind::Looser,
            watchesMore ? "it watches more slices" : "it does not watch all slices that it did");
  }

  void review(const Rule& was, const Rule& is) {
    RuleVerdict verdict = verdictOf(was, is);
    if (verdict.kind())
      add(*verdict.kind(), &was, &is).why = verdict.why();
    else if (was.id.text != is.id.text)
      add(ChangeKind::Renamed, &was, &is);
    if ((was.because ? was.because->value : "") != (is.because ? is.because->value : ""))
      add(ChangeKind::Reworded, &was, &is).why = "the reason is another";
  }

  PartChange& add(ChangeKind kind, const Rule* was, const Rule* is) {
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
  const Renamings& to_;
  std::vector<PartChange> out_;
};

} // namespace

std::vector<PartChange> ruleChanges(const Contract& was, const Contract& is,
                                    const Renamings& renamings) {
  return RuleReview(was, is, renamings).take();
}

} // namespace tikc::changes
