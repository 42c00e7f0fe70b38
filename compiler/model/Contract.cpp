#include "model/Contract.h"

#include "model/Meaning.h"
#include "model/Members.h"
#include "support/Check.h"
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

const Comparison& Statement::writtenAs(const Bound& bound) const {
  auto made =
      std::find_if(written.comparisons.begin(), written.comparisons.end(),
                   [&](const Comparison& comparison) { return comparison.span == bound.span; });
  TIKC_CHECK(made != written.comparisons.end(), "a bound is made from a comparison");
  return *made;
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
  /// Texts for people only, which change no number's meaning.
  void prose(std::string_view key, const std::optional<Text>& value) {
    if (!isMeaning_)
      member(key, value);
  }

  /// Writes the members of a map that has a list of them (model/Members.h).
  void members(const auto& map) {
    forEachMember(map, [&](std::string_view key, const auto& value) { member(key, value); });
  }
  template <typename T> void member(std::string_view key, const std::optional<T>& value) {
    if (value)
      write(key, *value);
  }
  void member(std::string_view key, const std::vector<Layer>& layers) {
    if (layers.empty())
      return;
    map(key, [&] {
      for (const Layer& layer : layers)
        item([&] {
          member("name", layer.name);
          write("error", layer.error);
          member("gain", layer.gain);
          member("repeat", layer.repeat);
        });
    });
  }

  void write(std::string_view key, const Text& value) { line(key, quoteYaml(value.value)); }
  void write(std::string_view key, const Number& value) { line(key, printRational(value.value)); }
  void write(std::string_view key, const Located<bool>& value) {
    line(key, value.value ? "true" : "false");
  }
  void write(std::string_view key, const Amount& value) {
    Amount shown = isMeaning_ ? canonical(value) : value;
    bool bare = shown.unit == Unit::None && !shown.per;
    line(key, bare ? printRational(shown.value) : quoteYaml(print(shown)));
  }
  void write(std::string_view key, const Range& value) {
    line(key, fmt::format("[{}, {}]", printRational(value.low), printRational(value.high)));
  }
  void write(std::string_view key, const Support& value) {
    if (value.kind == SupportKind::Full)
      return line(key, "full");
    map(key, [&] {
      line(value.kind == SupportKind::TopP ? "top_p" : "missing_mass", printRational(value.value));
    });
  }
  void write(std::string_view key, const Located<GradientEstimator>& value) {
    line(key, estimatorName(value.value));
  }
  void write(std::string_view key, const Located<Loss>& value) { line(key, lossName(value.value)); }
  void write(std::string_view key, const Call& value) { line(key, quoteYaml(textOf(value.expr))); }
  void write(std::string_view key, const Staleness& value) {
    map(key, [&] {
      write("steps", value.steps);
      write("logit_osc", value.logitOsc);
    });
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
  out.members(kernel);
  out.map("flags", [&] {
    out.unordered(
        kernel.flags, [](const Setting& flag) { return flag.name.text; },
        [&](const Setting& flag) {
          if (flag.isText)
            out.member(flag.name.text, std::optional(flag.value));
          else
            out.line(flag.name.text, flag.value.value);
        });
  });
  out.map("parallel", [&] { out.members(kernel.parallel); });
  out.map("sampling", [&] { out.members(kernel.sampling); });
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
            out.write("for", step.lasts);
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
    out.members(stage);
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
  out.map("model", [&] { out.members(contract.policy); });
  out.map("load", [&] { out.members(contract.load); });
  out.map("assumptions", [&] { out.members(contract.assumptions); });
  out.map("slices", [&] {
    for (const Slice& slice : contract.slices)
      out.map(slice.name.text, [&] {
        out.expr("when", slice.when);
        out.members(slice);
        out.prose("summary", slice.summary);
      });
  });
}

std::string printed(const Contract& contract, Purpose purpose) {
  ContractPrinter out(purpose);
  out.line("tikc", "v1");
  out.line("contract", quoteYaml(contract.name.value));
  out.member("version", contract.version);
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
