#include "checker/plan/Plan.h"
#include "support/Check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tikc::plan {
namespace {

/// Quoted, with nothing that acts on a terminal.
std::string inQuotes(std::string_view text) {
  std::string out = "\"";
  for (char c : text)
    if (c == '"' || c == '\\')
      out.append(1, '\\').append(1, c);
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else
      out += c;
  return out + '"';
}

std::string windowText(const Window& window) {
  switch (window.unit) {
  case window_unit::stage:
    return "the stage's window";
  case window_unit::ticks:
    return fmt::format("{} windows", window.amount);
  case window_unit::seconds:
    return fmt::format("{} s", window.amount);
  case window_unit::tokens:
    return fmt::format("{} tokens", window.amount);
  case window_unit::sequences:
    return fmt::format("{} sequences", window.amount);
  case window_unit::requests:
    return fmt::format("{} requests", window.amount);
  case window_unit::steps:
    return fmt::format("{} steps", window.amount);
  }
  TIKC_CHECK(false, "each unit has its case");
}

std::string valueText(const Predicate::Value& value) {
  return value.isText ? inQuotes(value.text) : fmt::format("{}", value.number);
}

std::string predicateText(const Predicate& predicate) {
  std::vector<std::string> parts;
  switch (predicate.kind) {
  case Predicate::Kind::Compare:
    return fmt::format("{} {} {}", predicate.field, symbol(predicate.comparator),
                       valueText(predicate.values.front()));
  case Predicate::Kind::In:
    for (const auto& value : predicate.values)
      parts.push_back(valueText(value));
    return fmt::format("{} in {{{}}}", predicate.field, fmt::join(parts, ", "));
  case Predicate::Kind::Not:
    return fmt::format("not ({})", predicateText(predicate.parts.front()));
  case Predicate::Kind::And:
  case Predicate::Kind::Or:
    for (const Predicate& part : predicate.parts)
      parts.push_back("(" + predicateText(part) + ")");
    return fmt::format("{}",
                       fmt::join(parts, predicate.kind == Predicate::Kind::And ? " and " : " or "));
  }
  TIKC_CHECK(false, "each predicate has its case");
}

class PlanPrinter {
public:
  explicit PlanPrinter(const Plan& plan) : plan_(plan) {}

  std::string print() {
    line("plan {} version {}{}", inQuotes(plan_.contract), inQuotes(plan_.version),
         plan_.isDraft ? ", a draft" : "");
    if (plan_.vocabulary > 0)
      line("vocabulary {}", plan_.vocabulary);
    observed();
    section("windows", plan_.windows, windowText);
    section("checks", plan_.checks, [&](const Check& check) { return text(check); });
    section("clauses", plan_.clauses, [&](const Clause& clause) {
      return fmt::format("{} = {}{}", clause.id, list(clause.checks, "check"),
                         clause.countsAsAny ? "" : ", none of any");
    });
    section("assumptions", plan_.assumptions, [](const Assumption& each) { return text(each); });
    section("claims", plan_.claims, [](const Claim& each) { return text(each); });
    section("rules", plan_.rules, [&](const Rule& rule) { return text(rule); });
    section("stages", plan_.stages, [](const Stage& stage) { return text(stage); });
    return std::move(out_);
  }

  std::string printObserved() {
    observed();
    return std::move(out_);
  }

private:
  void observed() {
    streams();
    slices();
    section("signals", plan_.signals, [&](const Signal& signal) { return text(signal); });
    section("registers", plan_.registers, [&](const Register& each) { return text(each); });
    std::vector<Assumption> watched = plan_.assumptions;
    watched.resize(plan_.watched());
    section("watched", watched, [](const Assumption& each) { return name(each.subject); });
  }

  template <typename... T> void line(fmt::format_string<T...> format, T&&... values) {
    out_ += fmt::format(format, std::forward<T>(values)...) + '\n';
  }

  template <typename Row, typename Text>
  void section(std::string_view title, const std::vector<Row>& rows, const Text& text) {
    if (rows.empty())
      return;
    line("{}", title);
    for (std::size_t i = 0; i < rows.size(); ++i)
      line("  {:>2}  {}", i, text(rows[i]));
  }

  static std::string list(const std::vector<std::uint32_t>& ids, std::string_view what) {
    return fmt::format("{} {}", what, fmt::join(ids, ", "));
  }

  void streams() {
    section("streams", plan_.streams, [](const Stream& stream) {
      return fmt::format("{} at {} against {} at {}{}{}{}", stream.train, stream.trainTemperature,
                         stream.infer, stream.inferTemperature, cutText(stream.cut),
                         stream.allowsMissing ? ", which may mask more" : "",
                         stream.drawer.empty() ? "" : ", drawn by " + stream.drawer);
    });
  }

  static std::string cutText(const Cut& cut) {
    std::string out;
    if (cut.topP < 1)
      out += fmt::format(", cut by top_p {}", cut.topP);
    if (cut.topK > 0)
      out += fmt::format(", cut by top_k {}", cut.topK);
    if (cut.minP > 0)
      out += fmt::format(", cut by min_p {}", cut.minP);
    return out;
  }

  void slices() {
    section("slices", plan_.slices, [](const Slice& slice) {
      return (slice.when ? fmt::format("{} when {}", slice.name, predicateText(*slice.when))
                         : slice.name + ", the rest") +
             (slice.isEmpty ? ", of weight 0" : "");
    });
  }

  std::string text(const Signal& signal) const {
    const FigureInfo& row = info(signal.figure);
    std::string out(row.name);
    if (!signal.parameters.empty())
      out += fmt::format("({})", fmt::join(signal.parameters, ", "));
    if (signal.absolute)
      out = fmt::format("abs({})", out);
    out += fmt::format(" of {}", name(sourceOf(signal)));
    if (plan_.streams.size() > 1)
      out += fmt::format(", stream {}", signal.stream);
    return out;
  }

  static std::string text(const Register& each) {
    std::string out = fmt::format("{} of signal {}", name(each.fold), each.signal);
    if (each.fold == fold::share)
      out += fmt::format(" {} {}", symbol(each.comparator), each.threshold);
    return out;
  }

  static std::string text(const Assumption& each) {
    return each.subject == quantity::unseen
               ? each.text
               : fmt::format("{}, watched as {} in [{}, {}]", each.text, name(each.subject),
                             each.low, each.high);
  }

  static std::string text(const Claim& claim) {
    std::string on = claim.assumptions.empty() ? "" : list(claim.assumptions, "assumption");
    for (const ProofCheck& each : claim.grounds)
      on += fmt::format("{}check {} on slice {}", on.empty() ? "" : ", ", each.check, each.slice);
    return fmt::format("{} = {}{}{}", claim.id, claim.text, claim.isProved ? "" : ", not proved",
                       on.empty() ? "" : ", rests on " + on);
  }

  std::string text(const Check& check) const {
    bool isSampled = check.estimator == estimator::sampled;
    std::string out = isSampled ? fmt::format("share observed of {}", name(check.input))
                                : fmt::format("{}{} of signal {}", check.absolute ? "size of " : "",
                                              name(check.estimator), check.signal);
    if (check.estimator == estimator::quantile)
      out += fmt::format(" at {}/{}", check.levelPart, check.levelWhole);
    for (const Limit& limit : check.limits)
      out += fmt::format(" {} {}", symbol(limit.comparator), limit.bound);
    if (!isSampled)
      out += fmt::format(" from {}", list(check.registers, "register"));
    if (check.worst)
      out += fmt::format(", the worst in register {}", *check.worst);
    if (check.squares)
      out += fmt::format(", squares in register {}", *check.squares);
    if (check.alpha)
      out += fmt::format(", wrong with {:.6g} at most", *check.alpha);
    if (check.history > 0)
      out += fmt::format(", over {} windows", check.history);
    if (check.least > 1)
      out += fmt::format(", of {} or more", check.least);
    out += fmt::format(", window {}", check.window);
    return out +
           (check.onMixture ? ", on all" : fmt::format(", on {}", list(check.slices, "slice")));
  }

  std::string text(const Trigger& trigger) const {
    std::vector<std::string> parts;
    switch (trigger.kind) {
    case trigger_kind::violated:
    case trigger_kind::undecided:
    case trigger_kind::satisfied: {
      std::string clause = trigger.clause ? plan_.clauses[*trigger.clause].id : "any";
      std::string out = fmt::format("{}({})", name(trigger.kind), clause);
      return trigger.windows > 1 ? fmt::format("{} for {} windows", out, trigger.windows) : out;
    }
    case trigger_kind::negation:
      return fmt::format("not ({})", text(trigger.parts.front()));
    case trigger_kind::all:
    case trigger_kind::some:
      for (const Trigger& part : trigger.parts)
        parts.push_back("(" + text(part) + ")");
      return fmt::format("{}",
                         fmt::join(parts, trigger.kind == trigger_kind::all ? " and " : " or "));
    }
    return {};
  }

  static std::string text(const Action& action) {
    std::string out(name(action.kind));
    if (!action.text.empty())
      out += " " + inQuotes(action.text);
    if (action.first)
      out += fmt::format(" {}", *action.first);
    if (action.second)
      out += fmt::format(" {}", *action.second);
    return out;
  }

  std::string text(const Rule& rule) const {
    std::string out = fmt::format("{} when {}", rule.id, text(rule.when));
    out += rule.until ? fmt::format(" until {}", text(*rule.until)) : ", latched";
    for (const Step& step : rule.steps) {
      std::vector<std::string> actions;
      for (const Action& action : step.actions)
        actions.push_back(text(action));
      std::string lasts = step.windows > 0 ? fmt::format("for {} windows ", step.windows) : "";
      out += fmt::format("\n        {}do {}", lasts, fmt::join(actions, ", "));
    }
    return out + fmt::format("\n        on {}", list(rule.slices, "slice"));
  }

  static std::string text(const Stage& stage) {
    std::string out = stage.name;
    auto add = [&](std::string_view name, const std::optional<double>& value,
                   std::string_view unit) {
      if (value)
        out += fmt::format(", {} {}{}", name, *value, unit);
    };
    add("traffic", stage.traffic, "");
    if (stage.window.unit != window_unit::stage)
      out += ", window " + windowText(stage.window);
    add("tokens", stage.tokens, "");
    add("sequences", stage.sequences, "");
    add("lasts", stage.lasts, " s");
    add("confidence", stage.confidence, "");
    add("corridor", stage.corridor, "");
    return out;
  }

  const Plan& plan_;
  std::string out_;
};

} // namespace

std::string print(const Plan& plan) { return PlanPrinter(plan).print(); }
std::string printObserved(const Plan& plan) { return PlanPrinter(plan).printObserved(); }

} // namespace tikc::plan
