#include "bounds/facts/Lemma.h"
#include "lint/Lint.h"
#include "lint/Needs.h"
#include "lint/Volumes.h"
#include "model/Metrics.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace tikc::lint {

using namespace model;
using model::Level;
using utf8::ticked;

namespace {

constexpr unsigned fixDigits = 2;

/// A number of the contract that brings more observations in proportion.
struct Lever {
  Amount quantity;
  Span span;
  std::string says; // what it is, before its new value
  bool isShare = false;
};

/// The lever at a value that is enough, short enough to be written; nothing beyond the whole.
std::optional<Amount> raised(const Lever& lever, const Rational& factor) {
  Amount out = lever.quantity;
  Rational least = out.value * factor;
  if (!lever.isShare) {
    out.value = -roundedDown(-least);
    if (out.unit == Unit::Step && out.value > 1)
      out.unit = Unit::Steps;
    return out;
  }
  auto rounded = parseDecimal(bounds::decimal(least, fixDigits, bounds::Rounding::Up));
  if (!rounded)
    return std::nullopt;
  out.value = *rounded;
  return out.scaled() > 1 ? std::nullopt : std::optional(out);
}

/// Where and on which slice a clause was found to lack evidence: once is enough.
using Shortfalls = std::set<std::pair<std::string, std::string>>;

class EnoughEvidence {
public:
  EnoughEvidence(const LintInput& input, const Clause& clause, const Bound& bound, Need need,
                 FeedSource feed, Shortfalls& shortfalls)
      : input_(input), clause_(clause), bound_(bound), need_(std::move(need)),
        feed_(std::move(feed)), shortfalls_(shortfalls), level_(model::levelOf(bound.measure)) {}

  void run() {
    const auto& over = bound_.over;
    bool isOfStage = !over || over->dimension() == Dimension::Windows;
    if (!isOfStage && !lasts(*over)) {
      // So many of a slice's own tokens or responses, however long they take.
      if (counts(*over))
        check("in every stage", {{{}, 1}}, over->scaled(), {lengthLever()});
      return;
    }
    for (const Stage& stage : input_.contract.stages)
      if (!isOfStage || stage.window)
        checkStage(stage, isOfStage ? *stage.window : *over);
    // Without stages nothing takes a share of the traffic.
    if (!isOfStage && input_.contract.stages.empty())
      if (auto served = servedIn(*over))
        check("at full traffic", parts(), *served, {lengthLever()});
  }

private:
  std::vector<SliceShare> parts() const { return partsOf(input_.contract, bound_.scope, level_); }

  /// Whether a window is a stretch of time, or of what takes some.
  static bool lasts(const Amount& window) {
    return window.dimension() == Dimension::Time || window.dimension() == Dimension::Steps;
  }
  /// Whether a window counts what the metric is of.
  bool counts(const Amount& window) const {
    Dimension unit = window.dimension();
    return isTokenLevel(level_) ? unit == Dimension::Tokens
                                : unit == Dimension::Sequences || unit == Dimension::Requests;
  }

  /// What a window that lasts brings of the whole traffic, where the contract tells.
  std::optional<Rational> servedIn(const Amount& window) {
    if (!load())
      return std::nullopt;
    Rational served = load()->scaled() * window.scaled();
    if (window.dimension() == Dimension::Time)
      return served;
    const auto& steps = input_.contract.load.steps;
    if (!steps)
      reportUnpaced(window);
    return steps && steps->scaled() > 0 ? std::optional(Rational(served / steps->scaled()))
                                        : std::nullopt;
  }

  const std::optional<Amount>& load() const { return loadOf(input_.contract.load, level_); }

  void checkStage(const Stage& stage, const Amount& window) {
    std::vector<Lever> levers = {bound_.over ? lengthLever() : windowLever(stage)};
    std::optional<Rational> served;
    if (counts(window))
      served = window.scaled();
    if (lasts(window) && stage.traffic)
      served = servedIn(window);
    if (!served)
      return;
    if (lasts(window)) {
      *served *= stage.traffic->scaled();
      levers.push_back({*stage.traffic, stage.traffic->span,
                        fmt::format("{}'s traffic", stageName(stage.kind)), true});
    }
    if (bound_.over && bound_.over->dimension() == Dimension::Windows)
      *served *= bound_.over->scaled();
    check(fmt::format("at {}", ticked(stageName(stage.kind))), parts(), *served, std::move(levers));
  }

  /// Who declares a load wants to know whether it is enough.
  void reportUnpaced(const Amount& window) {
    input_.sink
        .report<diag::StepsUnknown>(
            bound_.span, ticked(clause_.id.text),
            fmt::format("{} {}s", grouped(need_.count.get_num()), model::levelName(level_)),
            ticked(print(window)))
        .note("declare the rate in `load`, such as `steps: 2 per h`");
  }

  static Lever windowLever(const Stage& stage) {
    return {*stage.window, stage.window->span, fmt::format("{}'s window", stageName(stage.kind)),
            false};
  }
  Lever lengthLever() const {
    return {*bound_.over, bound_.over->span, ticked(clause_.id.text) + "'s window", false};
  }
  Lever rateLever() const {
    const Expr& call = feed_.directive->directive->expr;
    return {call.arguments[1].quantity, call.arguments[1].span,
            fmt::format("the share that {} {}s", ticked(feed_.directive->id.text), call.text),
            true};
  }

  void check(const std::string& where, const std::vector<SliceShare>& parts,
             const Rational& population, std::vector<Lever> levers) {
    const SliceShare& worst = leastOf(parts);
    Rational gets = population * feed_.share * worst.share;
    if (gets <= 0 || gets >= need_.count) // what is 0 is reported where it is typed
      return;
    if (!shortfalls_.emplace(where, worst.name).second)
      return;
    std::string slice = worst.name.empty() ? "" : fmt::format(" on slice {}", ticked(worst.name));
    auto& diagnostic = input_.sink.report<diag::NotEnoughEvidence>(
        bound_.span, where, ticked(clause_.id.text), slice,
        fmt::format("{} {}s", grouped(roundedDown(gets)), model::levelName(level_)),
        grouped(need_.count.get_num()));
    diagnostic.note(reasonOf(need_, bound_));
    levers.push_back(rateLever());
    advise(diagnostic, levers, need_.count / gets);
  }

  /// The change that takes least is the edit, the others are told.
  static void advise(diag::Diagnostic& diagnostic, const std::vector<Lever>& levers,
                     const Rational& factor) {
    struct Way {
      const Lever* lever;
      Amount quantity;
      Rational factor;
    };
    std::vector<Way> ways;
    for (const Lever& lever : levers)
      if (auto quantity = raised(lever, factor))
        ways.push_back({&lever, *quantity, quantity->value / lever.quantity.value});
    std::stable_sort(ways.begin(), ways.end(),
                     [](const Way& a, const Way& b) { return a.factor < b.factor; });
    for (std::size_t i = 1; i < ways.size(); ++i)
      diagnostic.note(fmt::format("or set {} to {}", ways[i].lever->says, print(ways[i].quantity)));
    if (ways.empty())
      return;
    const Way& least = ways.front();
    diagnostic.unsafeFix(fmt::format("set {} to {}", least.lever->says, print(least.quantity)),
                         {{least.lever->span, print(least.quantity)}});
  }

  const LintInput& input_;
  const Clause& clause_;
  const Bound& bound_;
  Need need_;
  FeedSource feed_;
  Shortfalls& shortfalls_;
  Level level_;
};

} // namespace

void lintEvidence(const LintInput& input) {
  if (!input.observabilityKnown)
    return;
  Needs needs;
  std::map<model::Input, std::optional<FeedSource>> feeds; // each is looked for once
  for (const Clause& clause : input.contract.clauses) {
    std::vector<std::pair<const Bound*, Need>> needing;
    for (const Bound& bound : clause.bounds)
      if (auto need = needs.of(bound))
        needing.emplace_back(&bound, std::move(*need));
    // What is enough for the comparison that needs most is enough for the others.
    std::stable_sort(needing.begin(), needing.end(),
                     [](const auto& a, const auto& b) { return a.second.count > b.second.count; });
    Shortfalls shortfalls;
    for (const auto& [bound, need] : needing) {
      model::Input in = model::info(bound->measure.metric).input;
      auto feed = feeds.find(in);
      if (feed == feeds.end())
        feed = feeds.emplace(in, feedSourceOf(input.contract, in)).first;
      if (feed->second)
        EnoughEvidence(input, clause, *bound, need, *feed->second, shortfalls).run();
    }
  }
}

} // namespace tikc::lint
