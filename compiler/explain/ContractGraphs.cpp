#include "explain/Graph.h"
#include "explain/Words.h"
#include "model/Metrics.h"
#include "support/Escape.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace tikc::explain {
namespace {

using Look = Graph::Look;

Look lookOf(bounds::Verdict verdict) {
  static constexpr Look looks[] = {Look::Proved, Look::Refuted, Look::Unproved};
  return looks[static_cast<std::size_t>(verdict)];
}

std::string namesText(const std::vector<model::Name>& names) {
  std::string out;
  for (const model::Name& name : names)
    out += (out.empty() ? "" : ", ") + name.text;
  return out;
}

/// Claims first, so that their clauses are laid out beside them, and slices last.
class ClauseGraph {
public:
  ClauseGraph(const model::Contract& contract, const Explanation& explanation)
      : contract_(contract), told_(explanation) {
    out_.title = escape::oneLine(explanation.contract);
  }

  Graph take() {
    for (const model::Claim& claim : contract_.claims)
      addClaim(claim);
    for (const model::Clause& clause : contract_.clauses)
      if (!clause.directive)
        addClause(clause);
    return std::move(out_);
  }

private:
  enum Column : std::size_t { Slices, Clauses, Claims };

  std::size_t add(std::vector<std::string> lines, Look look, Column column) {
    for (std::string& line : lines)
      line = escape::oneLine(line);
    out_.nodes.push_back({std::move(lines), look, column});
    return out_.nodes.size() - 1;
  }

  /// A box for each comparison and outcome; one alone where nothing was decided.
  void addClaim(const model::Claim& claim) {
    bool isDecided = false;
    for (const Chapter& chapter : told_.chapters) {
      if (chapter.claim != claim.id.text)
        continue;
      isDecided = true;
      std::string where = whereText(chapter), slack = slackText(chapter);
      std::vector<std::string> lines = {claim.id.text, chapter.text};
      if (!chapter.link.empty())
        lines.push_back("of " + chapter.link);
      if (!where.empty())
        lines.push_back(where);
      lines.push_back(std::string(bounds::verdictName(chapter.verdict)) +
                      (slack.empty() ? "" : ", " + slack));
      std::size_t node = add(std::move(lines), lookOf(chapter.verdict), Claims);
      for (const ChainStep& step : chapter.steps)
        if (step.ground)
          restOn(*step.ground, node);
      for (const Ground& condition : chapter.conditions)
        restOn(condition, node);
    }
    if (!isDecided)
      add({claim.id.text, print(claim.written), "not decided"}, Look::Plain, Claims);
  }

  void restOn(const Ground& ground, std::size_t claim) {
    if (ground.kind == bounds::Origin::Kind::Clause) {
      auto& claims = resting_[ground.name];
      if (std::find(claims.begin(), claims.end(), claim) == claims.end())
        claims.push_back(claim);
    } else if (ground.kind == bounds::Origin::Kind::Assumption) {
      auto [known, fresh] = assumptions_.try_emplace(ground.name, 0);
      if (fresh)
        known->second =
            add({std::string(kindName(ground.kind)), groundText(ground)}, Look::Plain, Clauses);
      connect(known->second, claim);
    }
  }

  void connect(std::size_t from, std::size_t to) {
    bool isKnown = std::any_of(out_.edges.begin(), out_.edges.end(), [&](const Graph::Edge& edge) {
      return edge.from == from && edge.to == to;
    });
    if (!isKnown)
      out_.edges.push_back({from, to, {}});
  }

  void addClause(const model::Clause& clause) {
    std::vector<std::string> lines = {clause.id.text, print(clause.written)};
    if (clause.link)
      lines.push_back(fmt::format("of {}", print(*clause.link)));
    std::size_t node = add(std::move(lines), Look::Ground, Clauses);
    for (std::size_t claim : resting_[clause.id.text])
      out_.edges.push_back({node, claim, {}});
    if (contract_.slices.empty())
      return;
    for (const model::Bound& bound : clause.bounds)
      for (const std::string& slice : slicesOf(bound.scope)) {
        auto [known, fresh] = slices_.try_emplace(slice, 0);
        if (fresh)
          known->second = add(slice.empty() ? everySlice() : linesOf(slice), Look::Plain, Slices);
        connect(known->second, node);
      }
  }

  /// The empty name stands for each of them.
  static std::vector<std::string> slicesOf(const model::Scope& scope) {
    using Kind = model::Scope::Kind;
    if (scope.kind != Kind::Named)
      return {scope.kind == Kind::All ? "the mixture" : ""};
    std::vector<std::string> out;
    for (const model::Name& name : scope.slices)
      out.push_back(name.text);
    return out;
  }

  std::vector<std::string> everySlice() const {
    std::vector<std::string> lines = {"every slice"};
    constexpr std::size_t mostNamed = 8;
    for (std::size_t i = 0; i < std::min(contract_.slices.size(), mostNamed); ++i)
      lines.push_back(contract_.slices[i].name.text);
    if (contract_.slices.size() > mostNamed)
      lines.push_back(fmt::format("and {} more", contract_.slices.size() - mostNamed));
    if (leavesRest())
      lines.push_back("other");
    return lines;
  }

  /// Whether something is left to `other`, as far as weights say.
  bool leavesRest() const {
    Rational rest(1);
    for (const model::Slice& slice : contract_.slices)
      if (slice.weight)
        rest -= slice.weight->scaled();
    return rest > 0;
  }

  std::vector<std::string> linesOf(const std::string& name) const {
    for (const model::Slice& slice : contract_.slices)
      if (slice.name.text == name && slice.when)
        return {name, print(*slice.when)};
    return {name};
  }

  const model::Contract& contract_;
  const Explanation& told_;
  Graph out_;
  std::map<std::string, std::vector<std::size_t>> resting_; // claims, by clauses
  std::map<std::string, std::size_t> assumptions_, slices_;
};

std::vector<std::string> actionLines(const std::vector<model::Call>& actions) {
  std::vector<std::string> out;
  out.reserve(actions.size());
  for (const model::Call& action : actions)
    out.push_back(escape::oneLine(print(action.expr)));
  return out;
}

Graph ruleGraph(const model::Contract& contract, const model::Rule& rule) {
  Graph out;
  out.title = escape::oneLine(rule.id.text);
  out.nodes.push_back({{"idle"}, Look::Plain, 0});
  if (!contract.slices.empty())
    out.nodes.back().lines.push_back(
        rule.slices.empty() ? "on each slice" : escape::oneLine("on " + namesText(rule.slices)));
  std::vector<std::string> always = actionLines(rule.actions);
  auto add = [&](std::string name, const std::vector<model::Call>& actions) {
    std::vector<std::string> lines = {std::move(name)};
    for (std::string& line : actionLines(actions))
      lines.push_back(std::move(line));
    lines.insert(lines.end(), always.begin(), always.end());
    out.nodes.push_back({std::move(lines), Look::Ground, out.nodes.size()});
  };
  if (rule.steps.empty())
    add("active", {});
  for (std::size_t i = 0; i < rule.steps.size(); ++i)
    add(fmt::format("step {}", i + 1), rule.steps[i].actions);
  out.edges.push_back({0, 1, rule.when ? escape::oneLine(print(*rule.when)) : ""});
  std::string end = rule.until ? escape::oneLine(print(*rule.until)) : "reset()";
  for (std::size_t i = 1; i < out.nodes.size(); ++i) {
    if (i + 1 < out.nodes.size())
      out.edges.push_back({i, i + 1, "after " + print(rule.steps[i - 1].lasts)});
    out.edges.push_back({i, 0, end});
  }
  return out;
}

/// The rules that do such a thing.
std::string rulesThat(const model::Contract& contract, model::CallId act) {
  std::vector<model::Name> out;
  auto does = [&](const std::vector<model::Call>& actions) {
    return std::any_of(actions.begin(), actions.end(),
                       [&](const model::Call& action) { return action.id == act; });
  };
  for (const model::Rule& rule : contract.rules)
    if (does(rule.actions) || std::any_of(rule.steps.begin(), rule.steps.end(),
                                          [&](const auto& step) { return does(step.actions); }))
      out.push_back(rule.id);
  constexpr std::size_t mostNamed = 2;
  const std::size_t others = out.size() - std::min(out.size(), mostNamed + 1);
  if (others == 0)
    return escape::oneLine(namesText(out));
  out.resize(mostNamed);
  return escape::oneLine(fmt::format("{} and {} more", namesText(out), others + 1));
}

/// What a stage asks before the next begins.
std::string askedText(const model::Contract& contract, const model::Stage& stage) {
  std::vector<std::string> out;
  auto ask = [&](std::string_view what, const std::optional<model::Amount>& amount) {
    if (amount)
      out.push_back(fmt::format("{}{}", what, print(*amount)));
  };
  ask("", stage.tokens);
  ask("", stage.sequences);
  ask("at least ", stage.lasts);
  std::string satisfied = "every clause satisfied";
  if (stage.confidence)
    satisfied += fmt::format(" with confidence {}", print(*stage.confidence));
  out.push_back(std::move(satisfied));
  ask("within the corridor of ", stage.corridor);
  if (!contract.rules.empty())
    out.emplace_back("no rule active");
  return escape::oneLine(fmt::format("{}", fmt::join(out, ", ")));
}

} // namespace

std::string_view lookName(Look look) {
  static constexpr std::string_view names[] = {"plain", "ground", "proved", "refuted", "unproved"};
  return names[static_cast<std::size_t>(look)];
}

Graph clauseGraph(const model::Contract& contract, const Explanation& explanation) {
  return ClauseGraph(contract, explanation).take();
}

std::vector<Graph> ruleGraphs(const model::Contract& contract) {
  std::vector<Graph> out;
  out.reserve(contract.rules.size());
  for (const model::Rule& rule : contract.rules)
    out.push_back(ruleGraph(contract, rule));
  return out;
}

Graph stageGraph(const model::Contract& contract) {
  Graph out;
  out.isOfStages = true;
  out.title = escape::oneLine(contract.name.value) +
              (contract.draft ? ", a draft: no stage promotes it" : "");
  for (const model::Stage& stage : contract.stages) {
    std::vector<std::string> lines = {std::string(stageName(stage.kind))};
    if (stage.traffic)
      lines.push_back(print(*stage.traffic) + " of the traffic");
    if (stage.window)
      lines.push_back("a verdict each " + print(*stage.window));
    if (stage.data)
      lines.push_back(escape::oneLine(stage.data->value));
    out.nodes.push_back({std::move(lines), Look::Ground, out.nodes.size()});
  }
  for (std::size_t i = 0; i + 1 < contract.stages.size(); ++i) {
    out.edges.push_back({i, i + 1, askedText(contract, contract.stages[i])});
    out.edges.push_back({i + 1, i, "a clause violated"});
  }
  std::string rollbacks = rulesThat(contract, model::CallId::Rollback);
  if (rollbacks.empty() || contract.stages.empty())
    return out;
  std::size_t before = out.nodes.size();
  out.nodes.push_back({{"the previous kernel"}, Look::Refuted, before, true});
  for (std::size_t i = 0; i < contract.stages.size(); ++i)
    if (contract.stages[i].kind != model::StageKind::Offline)
      out.edges.push_back({i, before, "rollback by " + rollbacks});
  return out;
}

} // namespace tikc::explain
