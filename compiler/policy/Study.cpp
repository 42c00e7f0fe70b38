#include "policy/Study.h"

#include "support/Efforts.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <string>

namespace tikc::policy {

using plan::Action;

namespace {

/// Rules that a closed loop is searched with; more of them have more states than a search reaches.
constexpr std::size_t mostTogether = 5;

template <typename Test> bool hasAction(const plan::Rule& rule, const Test& test) {
  return std::any_of(rule.steps.begin(), rule.steps.end(), [&](const plan::Step& step) {
    return std::any_of(step.actions.begin(), step.actions.end(), test);
  });
}

} // namespace

std::string print(const plan::Plan& plan, const Occurrence& shows) {
  auto clauses = shows.course.clauses;
  // Something has to say how many ticks there are.
  for (std::uint32_t i = 0; clauses.empty() && i < plan.clauses.size(); ++i)
    if (applies(plan, i, shows.slice))
      clauses[i].resize(shows.course.ticks);
  std::vector<std::string> rows;
  rows.reserve(clauses.size());
  for (const auto& [clause, sequence] : clauses)
    rows.push_back(fmt::format("{}: {}", plan.clauses[clause].id, print(sequence)));
  return fmt::format("{{ {} }}", fmt::join(rows, ", "));
}

bool Prospect::hasAll(bool wantsEnd) const {
  return acts && (ends || !wantsEnd) &&
         std::all_of(steps.begin(), steps.end(), [](const auto& step) { return step.has_value(); });
}

Study::Study(plan::Plan plan)
    : plan_(std::move(plan)), alone_{efforts.ticks, efforts.allTicks}, inStrides_(alone_),
      together_(alone_), alike_(plan_.slices.size()) {
  std::map<std::string, std::uint32_t> known;
  for (std::uint32_t i = 0; i < plan_.slices.size(); ++i)
    alike_[i] =
        known.emplace((plan_.slices[i].isEmpty ? "0" : "1") + kindOf(plan_, i), i).first->second;
}

Study::Rules Study::slicesOf(const Rules& rules) const {
  const auto& all = plan_.rules[rules.front()].slices;
  bool isIdle = std::all_of(all.begin(), all.end(),
                            [&](std::uint32_t slice) { return plan_.slices[slice].isEmpty; });
  auto isOfAll = [&](std::uint32_t slice) {
    return std::all_of(rules.begin(), rules.end(), [&](std::uint32_t rule) {
      const auto& slices = plan_.rules[rule].slices;
      return std::count(slices.begin(), slices.end(), slice) > 0;
    });
  };
  Rules out;
  for (std::uint32_t slice : all)
    if (alike_[slice] == slice && (isIdle || !plan_.slices[slice].isEmpty) && isOfAll(slice))
      out.push_back(slice);
  return out;
}

void Study::leaveOpen(const Doubt& doubt) {
  if (isOpen_.insert(doubt).second)
    doubts_.push_back(doubt);
}

const Replay& Study::replayOn(std::uint32_t slice) {
  return replays_.try_emplace(slice, plan_, slice).first->second;
}

const Prospect& Study::prospect(std::uint32_t rule) {
  auto [place, isFresh] = prospects_.try_emplace(rule);
  if (isFresh)
    place->second = looked(rule);
  return place->second;
}

Prospect Study::looked(std::uint32_t rule) {
  const bool wantsEnd = plan_.rules[rule].until.has_value();
  Prospect out;
  out.steps.resize(plan_.rules[rule].steps.size());
  auto take = [](std::optional<Occurrence>& into, std::optional<Occurrence>& from) {
    if (!into)
      into = std::move(from);
  };
  for (std::uint32_t slice : slicesOf({rule})) {
    Prospect there = look(rule, slice);
    out.isKnown = out.isKnown && there.isKnown;
    take(out.acts, there.acts);
    take(out.ends, there.ends);
    for (std::size_t i = 0; i < out.steps.size(); ++i)
      take(out.steps[i], there.steps[i]);
    if (there.starvedBy)
      out.starvedBy = there.starvedBy;
    if (out.hasAll(wantsEnd))
      break;
  }
  out.isKnown = out.isKnown || out.hasAll(wantsEnd);
  if (!out.isKnown)
    leaveOpen({!out.acts               ? Doubt::Question::Acts
               : wantsEnd && !out.ends ? Doubt::Question::Ends
                                       : Doubt::Question::Steps,
               rule,
               {}});
  return out;
}

Prospect Study::look(std::uint32_t rule, std::uint32_t slice) {
  Prospect out = searched({rule}, rule, slice, {});
  close(out, rule, slice);
  return out;
}

Prospect Study::searched(const Rules& rules, std::uint32_t rule, std::uint32_t slice,
                         Environment::ClosedFrom closedFrom) {
  Cast cast = castOf(plan_, slice, rules, closedFrom.has_value());
  Machine machine(plan_, slice, rules, cast.clauses, cast.uncounted);
  Environment environment(plan_, cast, closedFrom);
  Prospect out;
  out.steps.resize(plan_.rules[rule].steps.size());
  out.isKnown = rules.size() <= mostTogether &&
                search(machine, environment, Stride::Tick, rule, out) != Explorer::Ending::CutOff;
  if (!out.isKnown && !out.hasAll(plan_.rules[rule].until.has_value()))
    search(machine, environment, Stride::Change, rule, out);
  return out;
}

Explorer::Ending Study::search(const Machine& machine, const Environment& environment,
                               Stride stride, std::uint32_t rule, Prospect& out) {
  const bool wantsEnd = plan_.rules[rule].until.has_value();
  Explorer explorer(machine, environment, stride == Stride::Tick ? alone_ : inStrides_, 0, stride);
  auto meet = [&](std::optional<Occurrence>& what, const Turn& turn) {
    if (!what)
      what = Occurrence{machine.slice(), explorer.courseOf(turn)};
  };
  return explorer.run([&](const Turn& turn, Machine::Memory) {
    for (const Transition& change : turn.changes) {
      if (change.rule != rule)
        continue;
      if (change.what == Transition::What::Activated)
        meet(out.acts, turn);
      if (change.what == Transition::What::Released)
        meet(out.ends, turn);
      else
        meet(out.steps[change.step], turn);
    }
    return out.hasAll(wantsEnd) ? Onward::Stop : Onward::Follow;
  });
}

/// The rule, and all that an action from some strength up is decided by.
Study::Rules Study::coneOf(std::uint32_t rule, std::uint32_t slice, action_kind from) const {
  Rules out;
  for (std::uint32_t each : rulesOn(plan_, slice))
    if (each == rule ||
        hasAction(plan_.rules[each], [&](const Action& action) { return action.kind >= from; }))
      out.push_back(each);
  return out;
}

/// What a search of some rules does not ask about it takes for satisfied, and where they leave no
/// traffic that cannot be: it is made undecided there, if the rules end in the same all the same.
void Study::makePossible(Occurrence& shows, const Rules& rules) {
  const Replay& replay = replayOn(shows.slice);
  if (!replay.impossibleFor(shows.course))
    return;
  auto changesOf = [&](const Course& course) {
    std::vector<Transition> out = replay.run(course).back().changes;
    std::erase_if(out, [&](const Transition& each) {
      return std::find(rules.begin(), rules.end(), each.rule) == rules.end();
    });
    return out;
  };
  Course instead = replay.possible(shows.course, 0);
  if (changesOf(instead) == changesOf(shows.course))
    shows.course = std::move(instead);
}

/// Rollbacks decide whatever else is active, so they are asked first: what they alone make
/// impossible is, and so is what one of them does where they are many. Routes are decided together
/// with all that is stronger than they are.
void Study::close(Prospect& open, std::uint32_t rule, std::uint32_t slice) {
  std::map<std::pair<action_kind, Rules>, Prospect> closed;
  auto loop = [&](action_kind from, std::uint32_t starver) -> const Prospect& {
    Rules cone = coneOf(rule, slice, from);
    if (from == action_kind::rollback && cone.size() > mostTogether)
      cone = {std::min(rule, starver), std::max(rule, starver)};
    cone.erase(std::unique(cone.begin(), cone.end()), cone.end());
    auto [place, isFresh] = closed.try_emplace({from, cone});
    if (isFresh)
      place->second = searched(cone, rule, slice, from);
    return place->second;
  };
  auto hold = [&](std::optional<Occurrence>& what, auto inTheLoop) {
    if (what)
      makePossible(*what, {rule});
    for (action_kind from : {action_kind::rollback, action_kind::route}) {
      auto starver = what ? replayOn(slice).impossibleFor(what->course) : std::nullopt;
      if (!starver)
        return;
      const Prospect& there = loop(from, *starver);
      std::optional<Occurrence> instead = inTheLoop(there);
      if (!instead && there.isKnown) {
        what.reset();
        open.starvedBy = starver;
      } else if (instead) {
        what = std::move(instead);
        makePossible(*what, {rule});
      }
    }
    if (what && replayOn(slice).impossibleFor(what->course)) {
      what.reset();
      open.isKnown = false;
    }
  };
  hold(open.acts, [](const Prospect& from) { return from.acts; });
  hold(open.ends, [](const Prospect& from) { return from.ends; });
  for (std::size_t i = 0; i < open.steps.size(); ++i)
    hold(open.steps[i], [i](const Prospect& from) { return from.steps[i]; });
}

} // namespace tikc::policy
