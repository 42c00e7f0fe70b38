#include "checker/emit/cpp/Policy.h"

#include "checker/emit/Emit.h"
#include "checker/emit/cpp/Fingerprint.h"
#include "checker/emit/cpp/Names.h"
#include "checker/tables/Tables.h"

namespace tikc::emit::cpp {
namespace {

using plan::Plan;

std::string textOf(const trigger& condition) {
  return fmt::format("tikc::trigger_kind::{}, {}, {}, {}, {}", name(condition.kind),
                     condition.clause, condition.windows, condition.first, condition.count);
}

std::string textOf(const action& deed) {
  return fmt::format("tikc::action_kind::{}, {}, {}, {}", name(deed.kind), literal(deed.text),
                     number(deed.first), number(deed.second));
}

std::string textOf(const step& stage) {
  return fmt::format("{}, {}, {}", stage.windows, stage.first_action, stage.actions);
}

std::string textOf(const rule& entry) {
  return fmt::format("{}, {}, {}, {}, {}", literal(entry.id), entry.when,
                     entry.until == never ? "tikc::never" : fmt::format("{}", entry.until),
                     entry.first_step, entry.steps);
}

template <typename Row>
void writeRows(CodeWriter& out, std::string_view type, std::string_view name,
               const std::vector<Row>& rows) {
  if (rows.empty()) // an array of nothing is no C++
    return out.line("static constexpr std::array<tikc::{}, 0> {}{{}};", type, name);
  out.block(fmt::format("static constexpr tikc::{} {}[] = {{", type, name), "};", [&] {
    for (const Row& row : rows)
      out.line("{{{}}},", textOf(row));
  });
}

void writeFlags(CodeWriter& out, std::string_view head, const std::vector<std::vector<char>>& of) {
  out.block(head, "};", [&] {
    for (const std::vector<char>& row : of)
      out.line("{{{}}},", flags(row));
  });
}

/// Flat rows of the escalation machine.
void writeMachine(CodeWriter& out, const Plan& plan) {
  const tables::PolicyTables rows = tables::policyOf(plan);
  out.line("static constexpr std::size_t slices = {};", plan.slices.size());
  out.line("static constexpr std::size_t clauses = {};", plan.clauses.size());
  writeFlags(out, "static constexpr bool applies[clauses][slices] = {", rows.applies);
  out.line("static constexpr bool in_any[clauses] = {{{}}};", flags(rows.inAny));
  writeRows(out, "trigger", "triggers", rows.triggers);
  writeRows(out, "action", "actions", rows.actions);
  writeRows(out, "step", "steps", rows.steps);
  writeRows(out, "rule", "rules", rows.rules);
  if (rows.rules.empty())
    out.line("static constexpr std::array<std::array<bool, slices>, 0> acts_on{{}};");
  else
    writeFlags(out, "static constexpr bool acts_on[][slices] = {", rows.actsOn);
}

} // namespace

void writePolicy(CodeWriter& out, const Plan& plan) {
  out.gap();
  out.block("struct policy {", "};", [&] {
    out.line("static constexpr std::uint64_t fingerprint = {:#018x}U;",
             emit::policyFingerprint(plan));
    writeMachine(out, plan);
  });
}

} // namespace tikc::emit::cpp

namespace tikc::emit {

std::uint64_t policyFingerprint(const plan::Plan& plan) {
  CodeWriter kept;
  cpp::writeMachine(kept, plan);
  return cpp::fingerprint(plan, kept.take());
}

} // namespace tikc::emit
