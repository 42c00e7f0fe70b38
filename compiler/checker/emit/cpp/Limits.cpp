#include "checker/emit/Emit.h"

#include <fmt/format.h>

#include <utility>

namespace tikc::emit {
namespace {

/// What the tables of generated code number with 16 bits, and compilers take within a minute.
constexpr std::size_t mostRows = 10'000;

std::size_t conditions(const plan::Trigger& trigger) {
  std::size_t out = 1;
  for (const plan::Trigger& part : trigger.parts)
    out += conditions(part);
  return out;
}

std::size_t policyRows(const plan::Plan& plan) {
  std::size_t out = 0;
  for (const plan::Rule& rule : plan.rules) {
    out += conditions(rule.when) + (rule.until ? conditions(*rule.until) : 0);
    for (const plan::Step& step : rule.steps)
      out += 1 + step.actions.size();
  }
  return out;
}

} // namespace

std::optional<std::string> whyNotCpp(const plan::Plan& plan) {
  if (plan.checks.empty())
    return "has no clauses: there is nothing to check at run time";
  for (auto [rows, what] : {std::pair{plan.checks.size(), "requirements in its clauses"},
                            std::pair{policyRows(plan), "conditions and actions in its rules"}})
    if (rows > mostRows)
      return fmt::format("has {} {}: a checker takes {} at most", rows, what, mostRows);
  if (plan.vocabulary == 0 && plan.reads(source::rows))
    return "has clauses about rows and does not say how long a row is: add `model: { vocabulary: "
           "N }`";
  return std::nullopt;
}

} // namespace tikc::emit
