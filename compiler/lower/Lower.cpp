#include "lower/Lower.h"

#include "lower/Assumptions.h"
#include "lower/Checks.h"
#include "lower/Numbers.h"
#include "lower/Streams.h"
#include "model/Metrics.h"

#include <algorithm>

namespace tikc::lower {

using model::CallId;
using model::Contract;
using model::Expr;
using plan::Plan;

namespace {

const model::Kernel* findKernel(const Contract& contract, std::string_view name) {
  for (const model::Kernel& kernel : contract.kernels)
    if (kernel.name.text == name)
      return &kernel;
  return nullptr;
}

void addParties(Plan& plan, const Contract& contract) {
  for (const model::Kernel& kernel : contract.kernels)
    plan.kernels.push_back(kernel.name.text);
  if (!contract.chain.empty())
    if (const model::Kernel* server = findKernel(contract, contract.chain.back().text))
      plan.build = server->build ? server->build->value : std::string();
  if (contract.policy.digest)
    plan.digest = contract.policy.digest->value;
  if (contract.policy.vocabulary)
    plan.vocabulary = counted(contract.policy.vocabulary->value);
}

// Slices.

plan::Predicate::Value valueOf(const Expr& expr) {
  bool isText = expr.kind != Expr::Kind::Quantity;
  return {isText, isText ? 0 : nearest(expr.quantity), isText ? expr.text : std::string()};
}

plan::Predicate predicateOf(const Expr& expr) {
  using Kind = plan::Predicate::Kind;
  plan::Predicate out;
  switch (expr.kind) {
  case Expr::Kind::Compare:
    out.kind = Kind::Compare;
    out.field = expr.arguments[0].text;
    out.comparator = expr.comparator;
    out.values = {valueOf(expr.arguments[1])};
    return out;
  case Expr::Kind::In:
    out.kind = Kind::In;
    out.field = expr.arguments[0].text;
    for (const Expr& value : expr.arguments[1].arguments)
      out.values.push_back(valueOf(value));
    return out;
  case Expr::Kind::Not:
    out.kind = Kind::Not;
    break;
  case Expr::Kind::And:
    out.kind = Kind::And;
    break;
  default:
    out.kind = Kind::Or;
    break;
  }
  for (const Expr& part : expr.arguments)
    out.parts.push_back(predicateOf(part));
  return out;
}

bool asksOfToken(const plan::Predicate& predicate) {
  return predicate.field == "position" || predicate.field == "response_tokens" ||
         std::any_of(predicate.parts.begin(), predicate.parts.end(), asksOfToken);
}

void addSlices(Plan& plan, const Contract& contract) {
  for (const model::FieldInfo& field : model::fields())
    plan.fields.push_back({std::string(field.symbol), field.dimension == model::Measured::Text});
  for (const model::Label& label : contract.labels) {
    plan::Label& out = plan.labels.emplace_back();
    out.name = label.name.text;
    for (const model::Text& value : label.values)
      out.values.push_back(value.value);
  }
  Rational rest(1);
  for (const model::Slice& slice : contract.slices) {
    plan::Slice& out = plan.slices.emplace_back();
    out.name = slice.name.text;
    out.isEmpty = slice.weight && slice.weight->scaled() == 0;
    if (slice.weight)
      rest -= slice.weight->scaled();
    if (slice.when) {
      out.when = predicateOf(*slice.when);
      plan.slicesByToken = plan.slicesByToken || asksOfToken(*out.when);
    }
  }
  plan.slices.push_back({"other", {}, rest == 0});
}

// Escalation.

plan::Trigger stateOf(const Plan& plan, const Expr& call, std::uint32_t windows) {
  plan::Trigger out;
  out.kind = call.text == "violated"    ? trigger_kind::violated
             : call.text == "undecided" ? trigger_kind::undecided
                                        : trigger_kind::satisfied;
  out.windows = windows;
  for (std::uint32_t i = 0; i < plan.clauses.size(); ++i)
    if (plan.clauses[i].id == call.arguments[0].text)
      out.clause = i;
  return out;
}

plan::Trigger triggerOf(const Plan& plan, const Expr& expr) {
  switch (expr.kind) {
  case Expr::Kind::Call:
    return stateOf(plan, expr, 1);
  case Expr::Kind::For:
    return stateOf(plan, expr.arguments[0], counted(expr.arguments[1].quantity.scaled()));
  default:
    break;
  }
  plan::Trigger out;
  out.kind = expr.kind == Expr::Kind::Not   ? trigger_kind::negation
             : expr.kind == Expr::Kind::And ? trigger_kind::all
                                            : trigger_kind::some;
  for (const Expr& part : expr.arguments)
    out.parts.push_back(triggerOf(plan, part));
  return out;
}

action_kind kindOf(CallId call) {
  switch (call) {
  case CallId::SampleMore:
    return action_kind::sample;
  case CallId::Correct:
    return action_kind::correct;
  case CallId::Route:
    return action_kind::route;
  case CallId::Quarantine:
    return action_kind::quarantine;
  case CallId::Hold:
    return action_kind::hold;
  case CallId::Rollback:
    return action_kind::rollback;
  default:
    return action_kind::alert;
  }
}

plan::Action actionOf(const model::Call& call) {
  plan::Action out;
  out.kind = kindOf(call.id);
  for (const Expr& argument : call.expr.arguments)
    if (argument.kind != Expr::Kind::Quantity)
      out.text = argument.text;
    else
      (out.first ? out.second : out.first) = nearest(argument.quantity);
  return out;
}

std::vector<plan::Action> actionsOf(const std::vector<model::Call>& calls) {
  std::vector<plan::Action> out;
  out.reserve(calls.size());
  for (const model::Call& call : calls)
    out.push_back(actionOf(call));
  return out;
}

void addRule(Plan& plan, const model::Rule& rule) {
  if (!rule.when)
    return;
  plan::Rule out;
  out.id = rule.id.text;
  out.because = rule.because ? rule.because->value : std::string();
  out.when = triggerOf(plan, *rule.when);
  if (rule.until)
    out.until = triggerOf(plan, *rule.until);
  // What a rule does beside its steps, it does during each of them.
  const std::vector<plan::Action> always = actionsOf(rule.actions);
  if (rule.steps.empty())
    out.steps.push_back({0, always});
  for (const model::Step& step : rule.steps) {
    plan::Step& added = out.steps.emplace_back();
    added.windows = counted(step.lasts.scaled());
    added.actions = actionsOf(step.actions);
    added.actions.insert(added.actions.end(), always.begin(), always.end());
  }
  for (std::uint32_t i = 0; i < plan.slices.size(); ++i) {
    bool named = rule.slices.empty() ||
                 std::any_of(rule.slices.begin(), rule.slices.end(), [&](const model::Name& name) {
                   return name.text == plan.slices[i].name;
                 });
    if (named)
      out.slices.push_back(i);
  }
  plan.rules.push_back(std::move(out));
}

void addStage(Plan& plan, const model::Stage& stage) {
  auto number = [](const std::optional<model::Amount>& quantity) {
    return quantity ? std::optional(nearest(*quantity)) : std::nullopt;
  };
  plan.stages.push_back({std::string(model::stageName(stage.kind)), number(stage.traffic),
                         number(stage.tokens), number(stage.sequences), number(stage.lasts),
                         windowOf(stage.window), number(stage.confidence), number(stage.corridor)});
}

} // namespace

Plan policyOf(const Contract& contract) {
  Plan out;
  out.streams = streamsOf(contract);
  addSlices(out, contract);
  addClauses(out, contract);
  for (const model::Rule& rule : contract.rules)
    addRule(out, rule);
  return out;
}

Plan lower(const Contract& contract, const bounds::Proof& proof) {
  Plan out = policyOf(contract);
  out.contract = contract.name.value;
  out.version = contract.version ? contract.version->value : std::string();
  out.isDraft = contract.draft.has_value();
  out.meaning = model::meaning(contract);
  addParties(out, contract);
  for (const model::Clause& clause : contract.clauses)
    if (clause.directive && clause.directive->id == CallId::Prometheus)
      for (const Expr& argument : clause.directive->expr.arguments)
        out.metricPrefix = argument.text;
  for (const model::Stage& stage : contract.stages)
    addStage(out, stage);
  addAssumptions(out, contract, proof);
  return out;
}

} // namespace tikc::lower
