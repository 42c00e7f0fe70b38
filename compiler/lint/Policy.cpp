#include "checker/plan/Plan.h"
#include "lint/Actions.h"
#include "lint/Lint.h"
#include "lint/RuleWords.h"
#include "policy/Study.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace tikc::lint {

using model::Call;
using model::Contract;
using policy::Occurrence;
using policy::Prospect;
using policy::Study;
using utf8::ticked;

namespace {

/// What can be shown of a contract's rules by sequences of verdicts.
class PolicyLint {
public:
  explicit PolicyLint(const LintInput& input)
      : input_(input), study_(*input.policy), plan_(study_.plan()), words_(plan_, study_) {
    for (const model::Rule& rule : input.contract.rules)
      if (rule.when)
        written_.push_back(&rule);
  }

  void run() {
    // What others take of the search must not be what a rule by itself is judged with.
    for (std::uint32_t i = 0; i < plan_.rules.size(); ++i)
      study_.prospect(i);
    for (std::uint32_t i = 0; i < plan_.rules.size(); ++i)
      if (canAct(i)) {
        checkEnd(i);
        checkSteps(i);
        checkOthers(i);
        checkFlapping(i);
        checkRoute(i);
        checkHealth(i);
      }
    for (std::uint32_t i = 0; i < plan_.rules.size(); ++i)
      for (std::uint32_t j = i + 1; j < plan_.rules.size(); ++j) {
        checkFlapping(i, j);
        checkClash(i, j);
      }
    for (std::uint32_t i = 0; i < plan_.rules.size(); ++i)
      checkOutlasting(i);
    if (!study_.doubts().empty())
      tellDoubts();
  }

private:
  std::string nameOf(std::uint32_t rule) const { return words_.nameOf(rule); }
  const model::Rule& written(std::uint32_t rule) const { return *written_[rule]; }

  void show(diag::Diagnostic& diagnostic, std::string_view what, const Occurrence& shows) const {
    diagnostic.note(words_.after(what, shows));
  }

  /// How another rule keeps this one from what its conditions alone would allow.
  void tellStarver(diag::Diagnostic& diagnostic, std::uint32_t starver) {
    diagnostic.relatedTo(written(starver).id.span,
                         "this leaves the slice without traffic to judge");
    if (const auto& acts = study_.prospect(starver).acts)
      show(diagnostic, fmt::format("{} starts", nameOf(starver)), *acts);
  }

  bool canAct(std::uint32_t rule) {
    const auto& slices = plan_.rules[rule].slices;
    bool isIdle = std::all_of(slices.begin(), slices.end(),
                              [&](std::uint32_t slice) { return plan_.slices[slice].isEmpty; });
    if (isIdle && !written(rule).slices.empty()) {
      input_.sink.report<diag::RuleNeverActs>(
          written(rule).slices.front().span, nameOf(rule),
          "its slices have a weight of 0, so their clauses are unasked while no requests come");
      return false;
    }
    const Prospect& prospect = study_.prospect(rule);
    auto why = words_.whyNeverStarts(rule);
    if (!why)
      return prospect.acts.has_value();
    auto& diagnostic =
        input_.sink.report<diag::RuleNeverActs>(written(rule).when->span, nameOf(rule), *why);
    if (prospect.starvedBy)
      tellStarver(diagnostic, *prospect.starvedBy);
    return false;
  }

  void checkEnd(std::uint32_t rule) {
    auto why = words_.whyNeverEnds(rule);
    if (!why)
      return;
    const Prospect& prospect = study_.prospect(rule);
    auto& diagnostic =
        input_.sink.report<diag::RuleNeverEnds>(written(rule).until->span, nameOf(rule), *why);
    if (prospect.starvedBy && *prospect.starvedBy != rule)
      tellStarver(diagnostic, *prospect.starvedBy);
    else
      show(diagnostic, "it starts", *prospect.acts);
  }

  void checkSteps(std::uint32_t rule) {
    const Prospect& prospect = study_.prospect(rule);
    auto lost = std::find(prospect.steps.begin(), prospect.steps.end(), std::nullopt);
    if (lost == prospect.steps.end() || !prospect.isKnown)
      return;
    auto step = static_cast<std::size_t>(lost - prospect.steps.begin());
    auto& diagnostic = input_.sink.report<diag::StepNeverReached>(
        written(rule).steps[step].lasts.span, step + 1, nameOf(rule));
    if (prospect.ends)
      show(diagnostic, "it ends", *prospect.ends);
  }

  /// What a rule does while there is nothing to react to.
  void checkHealth(std::uint32_t rule) {
    if (const auto& starts = study_.healthyStartOf(rule); starts && movesTraffic(rule)) {
      auto& diagnostic = input_.sink.report<diag::StartsWhileHealthy>(written(rule).when->span,
                                                                      nameOf(rule), actionOf(rule));
      show(diagnostic, "it starts", *starts);
    }
    // TK7006 reports a rule that ends by what starts it.
    const bool endsAsItStarts =
        written(rule).until && print(*written(rule).when) == print(*written(rule).until);
    if (const auto& goesOn = study_.healthyEndlessOf(rule); goesOn && !endsAsItStarts) {
      auto& finding =
          input_.sink.report<diag::GoesOnWhileHealthy>(written(rule).until->span, nameOf(rule));
      show(finding, "it starts", *goesOn);
      finding.note("after that, it stays active even if every clause is satisfied forever");
    }
  }

  bool movesTraffic(std::uint32_t rule) const { return strongestOf(rule) >= action_kind::correct; }

  /// Which is told already.
  bool isSaidTwice(std::uint32_t rule, std::uint32_t other) const {
    return whatItSays(written(rule)) == whatItSays(written(other));
  }

  void checkOthers(std::uint32_t rule) {
    if (auto other = study_.overrulerOf(rule)) {
      auto& diagnostic = input_.sink.report<diag::RuleOverruled>(
          written(rule).id.span, nameOf(rule), nameOf(*other), actionOf(*other));
      diagnostic.relatedTo(written(*other).id.span, "the rule that takes precedence");
      show(diagnostic, "both are active", *study_.firstMoveOf(rule));
    } else if (auto cover = study_.coverOf(rule); cover && !isSaidTwice(rule, *cover)) {
      auto& finding = input_.sink.report<diag::RuleCovered>(written(rule).id.span, nameOf(rule),
                                                            nameOf(*cover));
      finding.relatedTo(written(*cover).id.span, "the other rule");
      show(finding, "both are active", *study_.prospect(rule).acts);
    }
  }

  /// As it is written, the strongest one that a rule has.
  std::string actionOf(std::uint32_t rule) const {
    static constexpr std::string_view names[] = {"alert",      "sample", "correct", "route",
                                                 "quarantine", "hold",   "rollback"};
    return ticked(names[static_cast<std::size_t>(strongestOf(rule))]);
  }
  action_kind strongestOf(std::uint32_t rule) const {
    auto strongest = action_kind::alert;
    for (const plan::Step& step : plan_.rules[rule].steps)
      for (const plan::Action& action : step.actions)
        strongest = std::max(strongest, action.kind);
    return strongest;
  }

  void checkFlapping(std::uint32_t rule) {
    if (const auto& shows = study_.flappingOf(rule))
      show(reportFlapping(rule, nameOf(rule)), "it does", *shows);
  }

  void checkFlapping(std::uint32_t rule, std::uint32_t other) {
    const auto& shows = study_.flappingOf(rule, other);
    if (!shows)
      return;
    // It may take another's course to let one by itself through.
    for (std::uint32_t alone : {rule, other})
      if (!study_.takesPart(rule == alone ? other : rule, *shows)) {
        if (flapping_.insert(alone).second)
          show(reportFlapping(alone, nameOf(alone)), "it does", *shows);
        return;
      }
    auto& diagnostic =
        reportFlapping(other, fmt::format("{} and {} in turn", nameOf(rule), nameOf(other)));
    diagnostic.relatedTo(written(rule).id.span, "the other rule");
    show(diagnostic, "they do", *shows);
  }

  diag::Diagnostic& reportFlapping(std::uint32_t rule, const std::string& name) {
    const model::Rule& at = written(rule);
    return input_.sink.report<diag::TrafficFlaps>(at.until ? at.until->span : at.id.span, name,
                                                  policy::flaps, policy::flapWindows);
  }

  /// What no answer was found to, once.
  void tellDoubts() {
    const std::vector<policy::Doubt>& doubts = study_.doubts();
    auto& diagnostic = input_.sink.report<diag::PolicyNotSearched>(
        written(doubts.front().rule).id.span, "the search takes more steps than "
                                              "tikc tries");
    for (const std::string& each : words_.unknown())
      diagnostic.note(each);
  }

  void checkRoute(std::uint32_t rule) {
    auto consequence = study_.consequenceOf(rule);
    if (!consequence || !isNew(consequence->to))
      return;
    auto& diagnostic = input_.sink.report<diag::RouteUndone>(written(consequence->to).id.span,
                                                             nameOf(consequence->to), nameOf(rule));
    diagnostic.relatedTo(written(rule).id.span, "its route keeps no probe");
    show(diagnostic, "it does", consequence->shows);
  }

  /// One other rule shows it.
  void checkOutlasting(std::uint32_t rule) {
    for (std::uint32_t other = 0; other < plan_.rules.size(); ++other) {
      const auto& shows = other == rule ? std::nullopt : study_.outlastingOf(rule, other);
      if (!shows)
        continue;
      const model::Rule& at = written(rule);
      auto& diagnostic = input_.sink.report<diag::WaitOutlasts>(at.until->span, nameOf(rule),
                                                                actionOf(rule), nameOf(other));
      diagnostic.relatedTo(written(other).id.span, "the rule that cannot move traffic");
      show(diagnostic, "it does", *shows);
      // With what is missing said in one word, that it is there again can be.
      const model::Expr& when = *at.when;
      const model::Expr& state = when.kind == model::Expr::Kind::For ? when.arguments[0] : when;
      if (state.kind == model::Expr::Kind::Call)
        diagnostic.unsafeFix(
            "end it when the data are back",
            {{at.until->span, fmt::format("not undecided({})", state.arguments[0].text)}});
      return;
    }
  }

  bool isNew(std::uint32_t undoing) { return undoing_.insert(undoing).second; }

  void checkClash(std::uint32_t rule, std::uint32_t other) {
    auto shows = study_.clashOf(rule, other);
    if (!shows)
      return;
    auto& diagnostic =
        input_.sink.report<diag::OrderDecides>(written(other).id.span, nameOf(other), nameOf(rule));
    diagnostic.relatedTo(written(rule).id.span, "the rule that decides");
    show(diagnostic, "both start", *shows);
  }

  const LintInput& input_;
  Study& study_;
  const plan::Plan& plan_;
  RuleWords words_;
  std::vector<const model::Rule*> written_;
  std::set<std::uint32_t> undoing_, flapping_; // told already
};

/// What has neither errors nor a policy has more than is searched.
bool isTooLarge(const LintInput& input) {
  const auto& clauses = input.contract.clauses;
  bool isJudged = std::any_of(clauses.begin(), clauses.end(),
                              [](const model::Clause& clause) { return !clause.directive; });
  return input.proof && isJudged && !input.contract.rules.empty();
}

} // namespace

void lintPolicy(const LintInput& input) {
  // What a rule at fault does to others is no news.
  const auto& rules = input.contract.rules;
  bool isRight = std::none_of(rules.begin(), rules.end(), [&](const model::Rule& rule) {
    return input.sink.hasErrorWithin(rule.span);
  });
  if (!isRight || isOfflineAlone(input.contract))
    return;
  if (input.policy)
    PolicyLint(input).run();
  else if (isTooLarge(input))
    input.sink.report<diag::PolicyNotSearched>(
        rules.front().id.span, "there are more clauses, rules and slices than tikc searches");
}

} // namespace tikc::lint
