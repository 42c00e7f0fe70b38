#include "emit/cpp/Policy.h"

#include "emit/cpp/Fingerprint.h"
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

void writeRows(CodeWriter& out, std::string_view type, std::string_view name,
               const std::vector<std::string>& rows) {
  if (rows.empty()) // an array of nothing is no C++
    return out.line("static constexpr std::array<tikc::{}, 0> {}{{}};", type, name);
  out.block(fmt::format("static constexpr tikc::{} {}[] = {{", type, name), "};", [&] {
    for (const std::string& row : rows)
      out.line("{{{}}},", row);
  });
}

/// Flat rows of the escalation machine.
class PolicyTables {
public:
  PolicyTables(CodeWriter& out, const Plan& plan) : out_(out), plan_(plan) {
    for (const plan::Rule& rule : plan.rules)
      add(rule);
  }

  void write() {
    out_.line("static constexpr std::size_t slices = {};", plan_.slices.size());
    out_.line("static constexpr std::size_t clauses = {};", plan_.clauses.size());
    applies();
    std::vector<bool> inAny;
    for (const plan::Clause& clause : plan_.clauses)
      inAny.push_back(clause.countsAsAny);
    out_.line("static constexpr bool in_any[clauses] = {{{}}};", fmt::join(inAny, ", "));
    writeRows(out_, "trigger", "triggers", triggers_.rows());
    writeRows(out_, "action", "actions", actions_);
    writeRows(out_, "step", "steps", steps_);
    writeRows(out_, "rule", "rules", rules_);
    actsOn();
  }

private:
  void add(const plan::Rule& rule) {
    std::size_t when = triggers_.add(rule.when);
    std::string until = rule.until ? fmt::format("{}", triggers_.add(*rule.until)) : "tikc::never";
    rules_.push_back(fmt::format("{}, {}, {}, {}, {}", literal(rule.id), when, until, steps_.size(),
                                 rule.steps.size()));
    for (const plan::Step& step : rule.steps) {
      steps_.push_back(
          fmt::format("{}, {}, {}", step.windows, actions_.size(), step.actions.size()));
      for (const plan::Action& action : step.actions)
        actions_.push_back(actionText(action));
    }
  }

  void applies() {
    out_.block("static constexpr bool applies[clauses][slices] = {", "};", [&] {
      for (const plan::Clause& clause : plan_.clauses) {
        std::vector<bool> row(plan_.slices.size(), false);
        for (std::uint32_t check : clause.checks)
          for (std::uint32_t i = 0; i < row.size(); ++i)
            row[i] = row[i] || plan_.checks[check].onMixture ||
                     std::count(plan_.checks[check].slices.begin(),
                                plan_.checks[check].slices.end(), i) > 0;
        out_.line("{{{}}},", fmt::join(row, ", "));
      }
    });
  }

  void actsOn() {
    if (plan_.rules.empty())
      return out_.line("static constexpr std::array<std::array<bool, slices>, 0> acts_on{{}};");
    out_.block("static constexpr bool acts_on[][slices] = {", "};", [&] {
      for (const plan::Rule& rule : plan_.rules) {
        std::vector<bool> row(plan_.slices.size(), false);
        for (std::uint32_t slice : rule.slices)
          row[slice] = true;
        out_.line("{{{}}},", fmt::join(row, ", "));
      }
    });
  }

  CodeWriter& out_;
  const Plan& plan_;
  Flat triggers_;
  std::vector<std::string> actions_, steps_, rules_;
};

} // namespace

void writePolicy(CodeWriter& out, const Plan& plan) {
  CodeWriter kept;
  PolicyTables(kept, plan).write();
  out.gap();
  out.block("struct policy {", "};", [&] {
    out.line("static constexpr std::uint64_t fingerprint = {:#018x}U;",
             fingerprint(plan, kept.take()));
    PolicyTables(out, plan).write();
  });
}

} // namespace tikc::emit::cpp
