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

/// All that tells a slice from another in what its rules do.
std::string kindOf(const plan::Plan& plan, std::uint32_t slice) {
  std::string out;
  for (std::uint32_t i = 0; i < plan.clauses.size(); ++i)
    out += !applies(plan, i, slice) ? '-' : needsTraffic(plan, i, slice) ? 't' : 'f';
  for (const plan::Rule& rule : plan.rules)
    out += std::count(rule.slices.begin(), rule.slices.end(), slice) > 0 ? 'r' : '-';
  return out;
}

template <typename Test> bool hasAction(const plan::Rule& rule, const Test& test) {
  return std::any_of(rule.steps.begin(), rule.steps.end(), [&](const plan::Step& step) {
    return std::any_of(step.actions.begin(), step.actions.end(), test);
  });
}

} // namespace

std::string print(const plan::Plan& plan, const Shows& shows) {
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

Study::Study(const plan::Plan& plan)
    : plan_(plan), allowance_{efforts.ticks, efforts.allTicks}, alike_(plan.slices.size()) {
  std::map<std::string, std::uint32_t> known;
  for (std::uint32_t i = 0; i < plan.slices.size(); ++i)
    alike_[i] =
        known.emplace((plan.slices[i].isEmpty ? "0" : "1") + kindOf(plan, i), i).first->second;
}

std::vector<std::uint32_t> Study::slicesOf(std::uint32_t rule) const {
  const auto& all = plan_.rules[rule].slices;
  bool isIdle = std::all_of(all.begin(), all.end(),
                            [&](std::uint32_t slice) { return plan_.slices[slice].isEmpty; });
  std::vector<std::uint32_t> out;
  for (std::uint32_t slice : all)
    if (alike_[slice] == slice && (isIdle || !plan_.slices[slice].isEmpty))
      out.push_back(slice);
  return out;
}

const Replay& Study::replayOn(std::uint32_t slice) {
  return replays_.try_emplace(slice, plan_, slice).first->second;
}

const Prospect& Study::prospect(std::uint32_t rule) {
  auto [place, isFresh] = prospects_.try_emplace(rule);
  Prospect& out = place->second;
  if (!isFresh)
    return out;
  out.steps.resize(plan_.rules[rule].steps.size());
  auto take = [](std::optional<Shows>& into, std::optional<Shows>& from) {
    if (!into)
      into = std::move(from);
  };
  for (std::uint32_t slice : slicesOf(rule)) {
    Prospect there = look(rule, slice);
    out.isKnown = out.isKnown && there.isKnown;
    take(out.acts, there.acts);
    take(out.ends, there.ends);
    for (std::size_t i = 0; i < out.steps.size(); ++i)
      take(out.steps[i], there.steps[i]);
    if (there.starvedBy)
      out.starvedBy = there.starvedBy;
    if (out.hasAll(plan_.rules[rule].until.has_value()))
      break;
  }
  return out;
}

Prospect Study::look(std::uint32_t rule, std::uint32_t slice) {
  Prospect out = searched({rule}, rule, slice, {});
  close(out, rule, slice);
  return out;
}

Prospect Study::searched(const std::vector<std::uint32_t>& rules, std::uint32_t rule,
                         std::uint32_t slice, Environment::ClosedFrom closedFrom) {
  const bool wantsEnd = plan_.rules[rule].until.has_value();
  Cast cast = castOf(plan_, slice, rules, closedFrom.has_value());
  Machine machine(plan_, slice, rules, cast.clauses, cast.uncounted);
  Environment environment(plan_, slice, cast, closedFrom);
  Explorer explorer(machine, environment, allowance_);
  Prospect out;
  out.steps.resize(plan_.rules[rule].steps.size());
  auto meet = [&](std::optional<Shows>& what, const Turn& turn) {
    if (!what)
      what = Shows{slice, explorer.courseOf(turn)};
  };
  Explorer::Ending ending = explorer.run([&](const Turn& turn, Machine::Memory) {
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
  out.isKnown = ending != Explorer::Ending::CutOff;
  return out;
}

/// The rule, and all that an action from some strength up is decided by.
std::vector<std::uint32_t> Study::coneOf(std::uint32_t rule, std::uint32_t slice,
                                         Action::Kind from) const {
  std::vector<std::uint32_t> out;
  for (std::uint32_t each : rulesOn(plan_, slice))
    if (each == rule ||
        hasAction(plan_.rules[each], [&](const Action& action) { return action.kind >= from; }))
      out.push_back(each);
  return out;
}

/// Rollbacks decide whatever else is active, so they are asked first: what they alone make
/// impossible is. Routes are decided together with all that is stronger than they are.
void Study::close(Prospect& open, std::uint32_t rule, std::uint32_t slice) {
  std::map<Action::Kind, Prospect> closed;
  auto loop = [&](Action::Kind from) -> const Prospect& {
    auto [place, isFresh] = closed.try_emplace(from);
    std::vector<std::uint32_t> cone = coneOf(rule, slice, from);
    if (isFresh && cone.size() <= mostTogether)
      place->second = searched(cone, rule, slice, from);
    else if (isFresh)
      place->second.isKnown = false;
    place->second.steps.resize(open.steps.size());
    return place->second;
  };
  auto hold = [&](std::optional<Shows>& what, auto inTheLoop) {
    for (Action::Kind from : {Action::Kind::Rollback, Action::Kind::Route}) {
      auto starver = what ? replayOn(slice).impossibleFor(what->course) : std::nullopt;
      if (!starver)
        return;
      const Prospect& there = loop(from);
      std::optional<Shows> instead = inTheLoop(there);
      if (!instead && there.isKnown) {
        what.reset();
        open.starvedBy = starver;
      } else if (instead) {
        what = std::move(instead);
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
