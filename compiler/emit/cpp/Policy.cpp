#include "emit/cpp/Policy.h"

#include "emit/cpp/Names.h"

#include <fmt/ranges.h>

#include <algorithm>

namespace tikc::emit::cpp {
namespace {

using plan::Plan;
using plan::Trigger;

/// Triggers one after another, the children of one together.
class Flat {
public:
  std::size_t add(const Trigger& trigger) {
    std::size_t at = rows_.size();
    rows_.emplace_back();
    fill(at, trigger);
    return at;
  }
  const std::vector<std::string>& rows() const { return rows_; }

private:
  void fill(std::size_t at, const Trigger& trigger) {
    static constexpr std::string_view names[] = {"violated", "undecided", "satisfied",
                                                 "negation", "all",       "some"};
    std::size_t first = rows_.size();
    rows_.resize(first + trigger.parts.size());
    for (std::size_t i = 0; i < trigger.parts.size(); ++i)
      fill(first + i, trigger.parts[i]);
    rows_[at] = fmt::format(
        "tikc::trigger_kind::{}, {}, {}, {}, {}", names[static_cast<std::size_t>(trigger.kind)],
        trigger.clause ? static_cast<int>(*trigger.clause) : -1, trigger.windows,
        trigger.parts.empty() ? 0 : first, trigger.parts.size());
  }

  std::vector<std::string> rows_;
};

std::string actionText(const plan::Action& action) {
  static constexpr std::string_view names[] = {"alert",      "sample", "correct", "route",
                                               "quarantine", "hold",   "rollback"};
  return fmt::format("tikc::action_kind::{}, {}, {}, {}",
                     names[static_cast<std::size_t>(action.kind)], literal(action.text),
                     number(action.first.value_or(0)), number(action.second.value_or(0)));
}

void writeRows(Writer& out, std::string_view type, std::string_view name,
               const std::vector<std::string>& rows) {
  out.block(fmt::format("static constexpr tikc::{} {}[] = {{", type, name), "};", [&] {
    for (const std::string& row : rows)
      out.line("{{{}}},", row);
  });
}

} // namespace

void writePolicy(Writer& out, const Plan& plan) {
  if (plan.rules.empty())
    return;
  Flat triggers;
  std::vector<std::string> actions, steps, rules;
  for (const plan::Rule& rule : plan.rules) {
    std::size_t when = triggers.add(rule.when);
    std::string until = rule.until ? fmt::format("{}", triggers.add(*rule.until)) : "tikc::never";
    rules.push_back(fmt::format("{}, {}, {}, {}, {}", literal(rule.id), when, until, steps.size(),
                                rule.steps.size()));
    for (const plan::Step& step : rule.steps) {
      steps.push_back(fmt::format("{}, {}, {}", step.windows, actions.size(), step.actions.size()));
      for (const plan::Action& action : step.actions)
        actions.push_back(actionText(action));
    }
  }
  out.gap();
  out.block("struct policy {", "};", [&] {
    out.line("static constexpr std::size_t slices = {};", plan.slices.size());
    out.line("static constexpr std::size_t clauses = {};", plan.clauses.size());
    out.block("static constexpr bool applies[clauses][slices] = {", "};", [&] {
      for (const plan::Clause& clause : plan.clauses) {
        std::vector<bool> row(plan.slices.size(), false);
        for (std::uint32_t check : clause.checks)
          for (std::uint32_t i = 0; i < row.size(); ++i)
            row[i] = row[i] || plan.checks[check].onMixture ||
                     std::count(plan.checks[check].slices.begin(), plan.checks[check].slices.end(),
                                i) > 0;
        out.line("{{{}}},", fmt::join(row, ", "));
      }
    });
    std::vector<bool> inAny;
    for (const plan::Clause& clause : plan.clauses)
      inAny.push_back(clause.countsAsAny);
    out.line("static constexpr bool in_any[clauses] = {{{}}};", fmt::join(inAny, ", "));
    writeRows(out, "trigger", "triggers", triggers.rows());
    writeRows(out, "action", "actions", actions);
    writeRows(out, "step", "steps", steps);
    writeRows(out, "rule", "rules", rules);
    out.block("static constexpr bool acts_on[][slices] = {", "};", [&] {
      for (const plan::Rule& rule : plan.rules) {
        std::vector<bool> row(plan.slices.size(), false);
        for (std::uint32_t slice : rule.slices)
          row[slice] = true;
        out.line("{{{}}},", fmt::join(row, ", "));
      }
    });
  });
}

} // namespace tikc::emit::cpp
