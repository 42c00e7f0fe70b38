#include "model/Contract.h"

#include "model/Meaning.h"
#include "support/Yaml.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace tikc::model {

std::string_view familyName(Family family) {
  static constexpr std::array<std::string_view, 4> names = {"numerical", "statistical", "runtime",
                                                            "observability"};
  return names[static_cast<std::size_t>(family)];
}

std::string_view stageName(StageKind kind) {
  static constexpr std::array<std::string_view, 4> names = {"offline", "shadow", "canary", "full"};
  return names[static_cast<std::size_t>(kind)];
}

std::string_view estimatorName(GradientEstimator estimator) {
  static constexpr std::array<std::string_view, 4> names = {"step", "token", "token_mc",
                                                            "sequence"};
  return names[static_cast<std::size_t>(estimator)];
}

std::string_view lossName(Loss loss) {
  static constexpr std::string_view names[] = {"seq_mean_token_sum", "seq_mean_token_mean",
                                               "token_mean"};
  return names[static_cast<std::size_t>(loss)];
}

std::string_view severityName(Severity severity) {
  static constexpr std::array<std::string_view, 3> names = {"error", "warning", "note"};
  return names[static_cast<std::size_t>(severity)];
}

std::string print(const Link& link) { return link.from.text + " → " + link.to.text; }

namespace {

/// Whether a contract is printed to be read, or to be compared.
enum class Purpose : std::uint8_t { Reading, Meaning };

/// Writes block YAML. Expressions and texts are always quoted, so that none needs a second look.
class ContractPrinter {
public:
  explicit ContractPrinter(Purpose purpose) : isMeaning_(purpose == Purpose::Meaning) {}

  std::string take() { return std::move(out_); }
  bool isMeaning() const { return isMeaning_; }

  void line(std::string_view key, std::string_view value) {
    out_.append(indent_, ' ').append(key).append(": ").append(value).append("\n");
  }
  void text(std::string_view key, const std::optional<Text>& value) {
    if (value)
      line(key, quoteYaml(value->value));
  }
  /// What is for people only, and changes no number's meaning.
  void prose(std::string_view key, const std::optional<Text>& value) {
    if (!isMeaning_)
      text(key, value);
  }
  void number(std::string_view key, const std::optional<Number>& value) {
    if (value)
      line(key, printRational(value->value));
  }
  void flag(std::string_view key, const std::optional<Located<bool>>& value) {
    if (value)
      line(key, value->value ? "true" : "false");
  }
  void quantity(std::string_view key, const std::optional<Amount>& value) {
    if (!value)
      return;
    Amount shown = isMeaning_ ? canonical(*value) : *value;
    bool bare = shown.unit == Unit::None && !shown.per;
    line(key, bare ? printRational(shown.value) : quoteYaml(print(shown)));
  }
  void range(std::string_view key, const std::optional<Range>& value) {
    if (value)
      line(key, fmt::format("[{}, {}]", printRational(value->low), printRational(value->high)));
  }
  void expr(std::string_view key, const std::optional<Expr>& value) {
    if (value)
      line(key, quoteYaml(textOf(*value)));
  }
  std::string textOf(const Expr& expr) const { return print(isMeaning_ ? canonical(expr) : expr); }
  std::string textOf(const Requirement& requirement) const {
    return print(isMeaning_ ? canonical(requirement) : requirement);
  }
  void names(std::string_view key, const std::vector<Name>& values) {
    if (values.empty())
      return;
    std::string list;
    for (const Name& name : values)
      list.append(list.empty() ? "" : ", ").append(name.text);
    line(key, "[" + list + "]");
  }
  void texts(std::string_view key, const std::vector<Text>& values) {
    if (values.empty())
      return;
    std::string list;
    for (const Text& text : values)
      list.append(list.empty() ? "" : ", ").append(quoteYaml(text.value));
    line(key, "[" + list + "]");
  }
  void calls(std::string_view key, const std::vector<Call>& values) {
    if (values.empty())
      return;
    std::string list;
    for (const Call& call : values)
      list.append(list.empty() ? "" : ", ").append(quoteYaml(textOf(call.expr)));
    line(key, "[" + list + "]");
  }
  /// A nested map; nothing at all where the body writes nothing.
  void map(std::string_view key, auto body) {
    std::string before = std::move(out_);
    out_.clear();
    indent_ += 2;
    body();
    indent_ -= 2;
    std::string inside = std::move(out_);
    out_ = std::move(before);
    if (!inside.empty())
      out_.append(indent_, ' ').append(key).append(":\n").append(inside);
  }
  void item(auto body) {
    std::size_t start = out_.size();
    indent_ += 2;
    body();
    indent_ -= 2;
    if (out_.size() > start)
      out_[start + indent_] = '-';
  }

  /// Calls print(part) for parts whose order says nothing.
  template <typename Part, typename NameOf, typename Print>
  void unordered(const std::vector<Part>& parts, const NameOf& nameOf, const Print& print) const {
    std::vector<const Part*> order;
    order.reserve(parts.size());
    for (const Part& part : parts)
      order.push_back(&part);
    if (isMeaning_)
      std::stable_sort(order.begin(), order.end(),
                       [&](const Part* a, const Part* b) { return nameOf(*a) < nameOf(*b); });
    for (const Part* part : order)
      print(*part);
  }

private:
  std::string out_;
  std::size_t indent_ = 0;
  bool isMeaning_;
};

void printKernel(ContractPrinter& out, const Kernel& kernel) {
  static constexpr std::array<std::string_view, kernelParts> parts = {
      "weights", "compute", "accumulate", "kv_cache", "logits"};
  out.text("engine", kernel.engine);
  out.text("version", kernel.version);
  out.text("build", kernel.build);
  for (std::size_t part = 0; part < kernelParts; ++part)
    out.text(parts[part], kernel.formats[part]);
  out.text("logprobs", kernel.logprobs);
  out.flag("deterministic", kernel.deterministic);
  out.flag("batch_invariant", kernel.batchInvariant);
  out.text("attention", kernel.attention);
  out.text("hardware", kernel.hardware);
  out.flag("routing_replay", kernel.routingReplay);
  out.text("router", kernel.router);
  out.number("experts", kernel.experts);
  out.number("experts_per_token", kernel.expertsPerToken);
  out.map("flags", [&] {
    out.unordered(
        kernel.flags, [](const Setting& flag) { return flag.name.text; },
        [&](const Setting& flag) {
          if (flag.isText)
            out.text(flag.name.text, flag.value);
          else
            out.line(flag.name.text, flag.value.value);
        });
  });
  out.map("parallel", [&] {
    out.number("tp", kernel.parallel.tensor);
    out.number("dp", kernel.parallel.data);
    out.number("pp", kernel.parallel.pipeline);
    out.number("ep", kernel.parallel.expert);
    out.number("cp", kernel.parallel.context);
  });
  out.map("sampling", [&] {
    out.number("temperature", kernel.sampling.temperature);
    out.number("top_p", kernel.sampling.topP);
    out.number("top_k", kernel.sampling.topK);
    out.number("min_p", kernel.sampling.minP);
  });
}

void printLayers(ContractPrinter& out, const std::vector<Layer>& layers) {
  if (layers.empty())
    return;
  out.map("layers", [&] {
    for (const Layer& layer : layers)
      out.item([&] {
        out.text("name", layer.name);
        out.number("error", layer.error);
        out.number("gain", layer.gain);
        out.number("repeat", layer.repeat);
      });
  });
}

void printAssumptions(ContractPrinter& out, const Assumptions& assumptions) {
  if (assumptions.support && assumptions.support->kind == SupportKind::Full)
    out.line("support", "full");
  else if (assumptions.support)
    out.map("support", [&] {
      out.line(assumptions.support->kind == SupportKind::TopP ? "top_p" : "missing_mass",
               printRational(assumptions.support->value));
    });
  out.quantity("mean_length", assumptions.meanLength);
  out.quantity("least_mean_length", assumptions.leastMeanLength);
  out.range("reward", assumptions.reward);
  out.range("step_reward", assumptions.stepReward);
  out.number("reward_sigma", assumptions.rewardSigma);
  out.number("reward_lipschitz", assumptions.rewardLipschitz);
  out.number("advantage", assumptions.advantage);
  out.number("group", assumptions.group);
  out.number("score_norm", assumptions.scoreNorm);
  if (assumptions.estimator)
    out.line("estimator", estimatorName(assumptions.estimator->value));
  if (assumptions.loss)
    out.line("loss", lossName(assumptions.loss->value));
  if (assumptions.correction)
    out.line("correction", quoteYaml(out.textOf(assumptions.correction->expr)));
  out.number("discount", assumptions.discount);
  out.number("ratio_cap", assumptions.ratioCap);
  printLayers(out, assumptions.layers);
  out.number("head_norm", assumptions.headNorm);
  if (assumptions.staleness)
    out.map("staleness", [&] {
      out.number("steps", assumptions.staleness->steps);
      out.number("logit_osc", assumptions.staleness->logitOsc);
    });
}

void printStatement(ContractPrinter& out, const Statement& statement,
                    const std::optional<Call>& directive) {
  out.map(statement.id.text, [&] {
    out.line("require",
             quoteYaml(directive ? out.textOf(directive->expr) : out.textOf(statement.written)));
    if (statement.severity.span.valid())
      out.line("severity", severityName(statement.severity.value));
    out.prose("because", statement.because);
    if (statement.link)
      out.names("link", {statement.link->from, statement.link->to});
    if (statement.drawn)
      out.line("drawn", statement.drawn->text);
  });
}

void printRule(ContractPrinter& out, const Rule& rule) {
  out.map(rule.id.text, [&] {
    out.expr("when", rule.when);
    out.calls("do", rule.actions);
    if (!rule.steps.empty())
      out.map("steps", [&] {
        for (const Step& step : rule.steps)
          out.item([&] {
            out.quantity("for", step.lasts);
            out.calls("do", step.actions);
          });
      });
    out.expr("until", rule.until);
    out.names("slices", rule.slices);
    out.prose("because", rule.because);
  });
}

void printStage(ContractPrinter& out, const Stage& stage) {
  out.map(stageName(stage.kind), [&] {
    out.text("data", stage.data);
    out.quantity("traffic", stage.traffic);
    out.quantity("window", stage.window);
    out.quantity("tokens", stage.tokens);
    out.quantity("sequences", stage.sequences);
    out.quantity("lasts", stage.lasts);
    out.quantity("confidence", stage.confidence);
    out.quantity("corridor", stage.corridor);
    out.prose("because", stage.because);
  });
}

void printFacts(ContractPrinter& out, const Contract& contract) {
  out.map("labels", [&] {
    out.unordered(
        contract.labels, [](const Label& label) { return label.name.text; },
        [&](const Label& label) { out.texts(label.name.text, label.values); });
  });
  out.map("kernels", [&] {
    out.unordered(
        contract.kernels, [](const Kernel& kernel) { return kernel.name.text; },
        [&](const Kernel& kernel) {
          out.map(kernel.name.text, [&] { printKernel(out, kernel); });
        });
  });
  if (contract.isPair && contract.chain.size() == 2)
    out.map("pair", [&] {
      out.line("train", contract.chain[0].text);
      out.line("infer", contract.chain[1].text);
    });
  else
    out.names("chain", contract.chain);
  out.map("model", [&] {
    out.text("name", contract.policy.name);
    out.text("digest", contract.policy.digest);
    out.number("vocabulary", contract.policy.vocabulary);
    out.quantity("horizon", contract.policy.horizon);
    out.number("temperature", contract.policy.temperature);
    out.number("logit_bound", contract.policy.logitBound);
  });
  out.map("load", [&] {
    out.quantity("tokens", contract.load.tokens);
    out.quantity("requests", contract.load.requests);
    out.quantity("sequences", contract.load.sequences);
    out.quantity("steps", contract.load.steps);
  });
  out.map("assumptions", [&] { printAssumptions(out, contract.assumptions); });
  out.map("slices", [&] {
    for (const Slice& slice : contract.slices)
      out.map(slice.name.text, [&] {
        out.expr("when", slice.when);
        out.quantity("weight", slice.weight);
        out.quantity("token_weight", slice.tokenWeight);
        out.quantity("mean_length", slice.meanLength);
        out.quantity("least_mean_length", slice.leastMeanLength);
        out.prose("summary", slice.summary);
      });
  });
}

std::string printed(const Contract& contract, Purpose purpose) {
  ContractPrinter out(purpose);
  out.line("tikc", "v1");
  out.line("contract", quoteYaml(contract.name.value));
  out.text("version", contract.version);
  // How far the author is changes no number: what was gathered under a draft is about the same
  // clauses once it is none.
  if (contract.draft && !out.isMeaning())
    out.line("draft", "true");
  out.prose("summary", contract.summary);
  if (!out.isMeaning())
    out.texts("owners", contract.owners);
  if (contract.isAbstract)
    out.line("abstract", "true");
  printFacts(out, contract);
  for (Family family :
       {Family::Numerical, Family::Statistical, Family::Runtime, Family::Observability})
    out.map(familyName(family), [&] {
      for (const Clause& clause : contract.clauses)
        if (clause.family == family)
          printStatement(out, clause, clause.directive);
    });
  out.map("claims", [&] {
    out.unordered(
        contract.claims, [](const Claim& claim) { return claim.id.text; },
        [&](const Claim& claim) { printStatement(out, claim, std::nullopt); });
  });
  out.map("escalation", [&] {
    for (const Rule& rule : contract.rules)
      printRule(out, rule);
  });
  out.map("promotion", [&] {
    for (const Stage& stage : contract.stages)
      printStage(out, stage);
  });
  return out.take();
}

} // namespace

std::string print(const Contract& contract) { return printed(contract, Purpose::Reading); }
std::string meaning(const Contract& contract) { return printed(contract, Purpose::Meaning); }

} // namespace tikc::model
