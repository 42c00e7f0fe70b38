#include "policy/Environment.h"

#include "support/Efforts.h"

#include <algorithm>

namespace tikc::policy {

namespace {

constexpr Standing satisfied{WindowVerdict::Satisfied, false};
constexpr Standing violated{WindowVerdict::Violated, false};
constexpr Standing undecided{WindowVerdict::Undecided, false};

/// How much happens: what is satisfied is quiet, and a verdict that is kept takes an explanation.
int noiseOf(const Environment::Input& input) {
  int out = 0;
  for (const Standing& each : input)
    out += (each.verdict == WindowVerdict::Satisfied ? 0 : 3) + (each.isKept ? 1 : 0);
  return out;
}

std::size_t deviationsOf(const Environment::Input& input) {
  return static_cast<std::size_t>(std::count_if(
      input.begin(), input.end(), [](const Standing& each) { return !(each == satisfied); }));
}

/// Adds the clauses that a trigger names; whether it asks about `any`, too.
bool gatherNamed(const plan::Plan& plan, const plan::Trigger& trigger, std::uint32_t slice,
                 std::vector<std::uint32_t>& out) {
  bool asksOfAny = trigger.kind <= trigger_kind::satisfied && !trigger.clause;
  if (trigger.clause && applies(plan, *trigger.clause, slice))
    out.push_back(*trigger.clause);
  for (const plan::Trigger& part : trigger.parts)
    asksOfAny |= gatherNamed(plan, part, slice, out);
  return asksOfAny;
}

bool gatherNamed(const AskingRules& asking, std::vector<std::uint32_t>& out) {
  bool asksOfAny = false;
  for (std::uint32_t each : asking.rules) {
    const plan::Rule& rule = asking.plan.rules[each];
    asksOfAny |= gatherNamed(asking.plan, rule.when, asking.slice, out);
    if (rule.until)
      asksOfAny |= gatherNamed(asking.plan, *rule.until, asking.slice, out);
  }
  return asksOfAny;
}

void sortNamed(std::vector<std::uint32_t>& named) {
  std::sort(named.begin(), named.end());
  named.erase(std::unique(named.begin(), named.end()), named.end());
}

} // namespace

bool isStarving(const plan::Action& action) {
  return action.kind == action_kind::rollback ||
         (action.kind == action_kind::route && action.first.value_or(0) == 0);
}

bool needsTraffic(const plan::Plan& plan, std::uint32_t clause) {
  const auto& checks = plan.clauses[clause].checks;
  return std::none_of(checks.begin(), checks.end(), [&](std::uint32_t each) {
    const plan::Check& check = plan.checks[each];
    if (check.onMixture)
      return true; // other slices go on
    return check.estimator != estimator::sampled &&
           !plan.streams[plan.signals[check.signal].stream].drawer.empty();
  });
}

bool canKeep(const plan::Plan& plan, std::uint32_t clause) {
  const auto& checks = plan.clauses[clause].checks;
  return std::any_of(checks.begin(), checks.end(), [&](std::uint32_t each) {
    return plan.windows[plan.checks[each].window].unit != window_unit::stage;
  });
}

std::string kindOf(const plan::Plan& plan, std::uint32_t slice) {
  std::string out;
  for (std::uint32_t i = 0; i < plan.clauses.size(); ++i)
    out += !applies(plan, i, slice) ? '-' : needsTraffic(plan, i) ? 't' : 'f';
  for (const plan::Rule& rule : plan.rules)
    out += std::binary_search(rule.slices.begin(), rule.slices.end(), slice) ? 'r' : '-';
  return out;
}

Cast castOf(const plan::Plan& plan, std::uint32_t slice, const std::vector<std::uint32_t>& rules,
            bool isClosed) {
  std::vector<std::uint32_t> named;
  bool asksOfAny = gatherNamed({plan, slice, rules}, named);
  sortNamed(named);
  std::vector<std::vector<std::uint32_t>> rests(2); // without traffic: known all the same, or not
  for (std::uint32_t i = 0; asksOfAny && i < plan.clauses.size(); ++i)
    if (plan.clauses[i].countsAsAny && applies(plan, i, slice) &&
        !std::binary_search(named.begin(), named.end(), i))
      rests[isClosed && needsTraffic(plan, i) ? 1 : 0].push_back(i);
  return Environment::castOf(plan, std::move(named), rests);
}

Cast castOfBoth(const AskingRules& one, const AskingRules& other) {
  std::vector<std::uint32_t> named;
  const bool asksOne = gatherNamed(one, named), asksOther = gatherNamed(other, named);
  sortNamed(named);
  constexpr std::size_t free = 4; // by who means them: neither, one, other, both; then those that
  std::vector<std::vector<std::uint32_t>> rests(2 * free); // are known without traffic, too
  for (std::uint32_t i = 0; i < one.plan.clauses.size(); ++i) {
    auto isMeant = [i](const AskingRules& by) {
      return by.plan.clauses[i].countsAsAny && applies(by.plan, i, by.slice);
    };
    const std::size_t by =
        (asksOne && isMeant(one) ? 1U : 0U) + (asksOther && isMeant(other) ? 2U : 0U);
    if (by > 0 && !std::binary_search(named.begin(), named.end(), i))
      rests[by + (needsTraffic(one.plan, i) ? 0 : free)].push_back(i);
  }
  return Environment::castOf(one.plan, std::move(named), rests);
}

Cast Environment::castOf(const plan::Plan& plan, std::vector<std::uint32_t> named,
                         const std::vector<std::vector<std::uint32_t>>& rests) {
  Cast out;
  out.clauses = named;
  out.named = std::move(named);
  for (const auto& clauses : rests) {
    if (clauses.empty())
      continue;
    const Cast::Group& group = out.groups.emplace_back(groupOf(plan, clauses));
    out.clauses.push_back(group.first);
    if (group.second) {
      out.clauses.push_back(*group.second);
      out.uncounted.push_back(*group.second);
    }
  }
  std::sort(out.clauses.begin(), out.clauses.end());
  return out;
}

Environment::Environment(const plan::Plan& plan, const Cast& cast, ClosedFrom closedFrom)
    : plan_(plan), cast_(cast), clauses_(cast.clauses), closedFrom_(closedFrom) {
  for (std::size_t i = 0; i < clauses_.size(); ++i)
    if (Persistence how = persistenceOf(plan, clauses_[i]); how != Persistence::Never)
      keepers_.push_back({i, how});
}

const std::vector<Environment::Input>& Environment::inputs(bool isStarved) const {
  auto& known = inputs_[isStarved ? 1 : 0];
  if (!known)
    known = makeInputs(isStarved);
  return *known;
}

Environment::Persistence Environment::persistenceOf(const plan::Plan& plan, std::uint32_t clause) {
  return !canKeep(plan, clause)                    ? Persistence::Never
         : plan.clauses[clause].checks.size() == 1 ? Persistence::OfTheSame
                                                   : Persistence::Always;
}

Cast::Group Environment::groupOf(const plan::Plan& plan, const std::vector<std::uint32_t>& rest) {
  Cast::Group out;
  out.first = *std::max_element(rest.begin(), rest.end(), [&](std::uint32_t a, std::uint32_t b) {
    return persistenceOf(plan, a) < persistenceOf(plan, b);
  });
  if (rest.size() > 1)
    out.second = rest[rest[0] == out.first ? 1 : 0];
  return out;
}

std::size_t Environment::placeOf(std::uint32_t clause) const {
  return static_cast<std::size_t>(std::lower_bound(clauses_.begin(), clauses_.end(), clause) -
                                  clauses_.begin());
}

Environment::Letters Environment::lettersOf(const plan::Plan& plan, std::uint32_t clause,
                                            bool isForced) {
  if (isForced)
    return {{undecided}};
  Letters out = {{satisfied}, {violated}, {undecided}};
  if (persistenceOf(plan, clause) != Persistence::Never)
    out.insert(out.end(), {{{WindowVerdict::Satisfied, true}}, {{WindowVerdict::Violated, true}}});
  return out;
}

Environment::Letters Environment::lettersOf(const plan::Plan& plan, const Cast::Group& group,
                                            bool isForced) {
  Letters out = lettersOf(plan, group.first, isForced);
  if (!group.second)
    return out;
  std::size_t alone = out.size();
  for (std::size_t i = 0; i < alone; ++i) {
    out[i].push_back(isForced ? undecided : satisfied);
    if (out[i][0].verdict == WindowVerdict::Violated)
      out.push_back({out[i][0], undecided});
  }
  return out;
}

void Environment::multiply(std::vector<Input>& inputs, const Letters& letters,
                           const std::vector<std::uint32_t>& clauses) const {
  bool isTooMuch = inputs.size() * letters.size() > efforts.inputs;
  isWhole_ = isWhole_ && !isTooMuch;
  std::vector<Input> out;
  for (const Input& input : inputs)
    for (const Input& letter : letters) {
      Input added = input;
      for (std::size_t i = 0; i < clauses.size(); ++i)
        added[placeOf(clauses[i])] = letter[i];
      if (!isTooMuch || letters.size() == 1 || deviationsOf(added) <= 1)
        out.push_back(std::move(added));
    }
  inputs = std::move(out);
}

std::vector<Environment::Input> Environment::makeInputs(bool isStarved) const {
  std::vector<Input> all = {Input(clauses_.size())};
  auto isForced = [&](std::uint32_t clause) { return isStarved && needsTraffic(plan_, clause); };
  for (std::uint32_t clause : cast_.named)
    multiply(all, lettersOf(plan_, clause, isForced(clause)), {clause});
  for (const Cast::Group& group : cast_.groups) {
    std::vector<std::uint32_t> both = {group.first};
    if (group.second)
      both.push_back(*group.second);
    multiply(all, lettersOf(plan_, group, isForced(group.first)), both);
  }
  std::vector<std::vector<Input>> byNoise;
  for (Input& input : all) {
    const auto noise = static_cast<std::size_t>(noiseOf(input));
    if (byNoise.size() <= noise)
      byNoise.resize(noise + 1);
    byNoise[noise].push_back(std::move(input));
  }
  std::vector<Input> out;
  out.reserve(all.size());
  for (std::vector<Input>& inputs : byNoise)
    std::move(inputs.begin(), inputs.end(), std::back_inserter(out));
  return out;
}

bool Environment::allows(const Input& input, Machine::Known last) const {
  for (std::size_t i = 0; i < keepers_.size(); ++i) {
    const Standing& now = input[keepers_[i].clause];
    if (now.isKept && last[i] != static_cast<std::uint32_t>(now.verdict) &&
        (keepers_[i].how == Persistence::OfTheSame || now.verdict == WindowVerdict::Violated))
      return false;
  }
  return true;
}

void Environment::remember(const Input& input, Machine::Memory last) const {
  for (std::size_t i = 0; i < keepers_.size(); ++i)
    last[i] = static_cast<std::uint32_t>(input[keepers_[i].clause].verdict);
}

} // namespace tikc::policy
