#include "property/Bounded.h"
#include "property/Parsed.h"
#include "tools/Rounds.h"

#include "bounds/prove/ClauseForms.h"
#include "bounds/prove/Readings.h"
#include "bounds/prove/Scopes.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>

/// Attacks by construction: for every use of every lemma a contract in which the prover applies it,
/// found from what clauses and assumptions can say, and then the same contract about something
/// else.
namespace tikc::tests {
namespace {

using bounds::Condition;
using bounds::FactId;
using bounds::Lemma;
using bounds::Premise;
using bounds::Quantity;
using bounds::QuantityInfo;
using bounds::Use;

constexpr const char* stale = "staleness: { steps: 4, logit_osc: 0.001 }";

/// A contract in parts.
struct Parts {
  std::vector<std::string> clauses;
  std::string support = "support: full";
  std::string more; // assumptions
  std::string gradient = "estimator: step, correction: none";
  std::string model, slices, on; // more of the model; a claim's scope
  std::string trainer, server, drawn, link, claimLink;
  int horizon = 8;
  bool isChain = false;
};

const std::vector<std::string>& claimTexts();

std::string textOf(const Parts& of, const std::vector<std::string>& claims) {
  auto kernel = [](const std::string& says) { return "{ engine: vllm" + says + " }\n"; };
  std::string out =
      "tikc: v1\ncontract: test\nversion: 1.0.0\nkernels:\n  trainer: " + kernel(of.trainer) +
      "  middle: " + kernel("") + "  rollout: " + kernel(of.server) +
      (of.isChain ? "chain: [trainer, middle, rollout]\n"
                  : "pair: { train: trainer, infer: rollout }\n") +
      fmt::format("model: {{ vocabulary: 100, horizon: {} tokens{} }}\n", of.horizon, of.model);
  out += "assumptions: { step_reward: [0, 1], discount: 0.9, score_norm: 2, " + of.gradient +
         (of.support.empty() ? "" : ", " + of.support) + (of.more.empty() ? "" : ", " + of.more) +
         " }\n" + of.slices + "numerical:\n";
  for (std::size_t i = 0; i < of.clauses.size(); ++i)
    out += fmt::format("  c{}: {{ require: \"{}\"{}{} }}\n", i, of.clauses[i], of.link, of.drawn);
  out += "claims:\n";
  for (std::size_t i = 0; i < claims.size(); ++i)
    out += fmt::format("  g{}: {{ require: \"{}{}\"{} }}\n", i, claims[i], of.on, of.claimLink);
  return out + observed();
}

bool reads(const Parts& parts, const std::vector<std::string>& claims) {
  return Parsed(textOf(parts, claims)).errors().empty();
}

/// Whether there is a bound of the kind that the claim asks for.
bool isAsked(const std::string& text) {
  Parsed parsed(text);
  bounds::Problem problem = bounds::pose(parsed.contract(), bounds::firstPrecision);
  return !problem.goals.empty() && problem.goals.front().key.has_value();
}

/// All that a claim can ask.
const std::vector<std::string>& claimTexts() {
  static const std::vector<std::string> found = [] {
    std::vector<std::string> out;
    Parts plain;
    plain.clauses = {"max(tv) <= 0.1"};
    for (const model::ClaimInfo& claim : model::claims())
      for (const char* form : {"{} {} 0.5", "max({}) {} 0.5", "min({}) {} 0.5",
                               "quantile({}, 0.9) {} 0.5", "quantile({}, 0.1) {} 0.5"})
        for (const char* comparison : {"<=", ">="}) {
          std::string text = fmt::format(fmt::runtime(form), claim.symbol, comparison);
          if (reads(plain, {text}) && isAsked(textOf(plain, {text})))
            out.push_back(std::move(text));
        }
    return out;
  }();
  return found;
}

/// A form of a clause with its numbers.
std::string filled(std::string form, const model::MetricInfo& metric) {
  const bool isAboveOne = metric.better == model::Better::One || metric.range.low == "1";
  const bool isRate = form.starts_with("rate");
  for (auto [names, numbers] : {std::pair{"(low, high)", "(0.9, 1.1)"}, {"(low)", "(0.9)"}})
    if (auto at = form.find(names); at != std::string::npos)
      form.replace(at, std::string_view(names).size(), numbers);
  for (std::size_t at; (at = form.find("…")) != std::string::npos;) {
    const bool isLimit = at + std::string_view("…").size() == form.size();
    const bool isBelow = form.find("<=") != std::string::npos;
    const char* number = "0.001";
    if (isLimit && isRate)
      number = isBelow ? "0.001" : "0.999";
    else if (isLimit && !isBelow)
      number = bounds::isSigned(metric.id) ? "-0.001" : "0.999";
    else if (isAboveOne && !form.starts_with("std"))
      number = isRate && form.find(">= …") != std::string::npos ? "0.999" : "1.001";
    form.replace(at, std::string_view("…").size(), number);
  }
  return form;
}

/// All that a clause can say of one metric.
std::vector<std::string> clauseTexts() {
  std::vector<std::string> out;
  for (const model::MetricInfo& metric : model::metrics())
    for (const char* form : {"max({})", "mean({})", "min({})", "quantile({}, 0.99)",
                             "quantile({}, 0.01)", "max(abs({}))", "mean(abs({}))",
                             "quantile(abs({}), 0.99)", "rate({} < 0.99)", "rate({} > 0.01)"})
      for (const char* comparison :
           {metric.range.low == "1" ? "<= 1.001" : "<= 0.001", ">= 0.999", ">= -0.001"}) {
        Parts plain;
        plain.clauses = {fmt::format(fmt::runtime(form), metric.symbol) + " " + comparison};
        if (!reads(plain, {"tv <= 0.5"}))
          continue;
        Parsed parsed(textOf(plain, {"tv <= 0.5"}));
        bounds::Problem problem = bounds::pose(parsed.contract(), bounds::firstPrecision);
        if (std::any_of(problem.inputs.begin(), problem.inputs.end(), [&](FactId id) {
              const auto& origin = problem.facts[id].origin;
              return origin && origin->kind == bounds::Origin::Kind::Clause;
            }))
          out.push_back(plain.clauses.front());
      }
  for (const char* each :
       {"rms(ratio) <= 1.001", "rms(seq_ratio) <= 1.001", "mean_by_response(tv_sampled) <= 0.001",
        "mean_by_response(k3) <= 0.001", "mean_by_response(abs(logprob_gap)) <= 0.001",
        "mean(seq_veto(0.99)) <= 0.001"})
    out.emplace_back(each);
  return out;
}

/// A use by its lemma and its place there.
struct Named {
  const Lemma* lemma;
  const Use* use;

  std::string name() const {
    return fmt::format("{} to {}", lemma->id, bounds::info(use->concludes).symbol);
  }
};

/// Which use of its lemma gave a fact; a curve's may be one that means are carried through.
const Use* useOf(const bounds::Problem& problem, const bounds::Fact& fact) {
  const bounds::Derivation& facts = problem.facts;
  using Need = Premise::Need;
  const Lemma* lemma = fact.curve ? fact.curve : fact.lemma;
  if (!lemma)
    return nullptr;
  auto fills = [&](const Premise& premise, FactId id) {
    const bounds::Key& key = facts[id].key;
    bool isMean = key.quantifier == bounds::Quantifier::Mean;
    if (key.quantity != premise.quantity || (!fact.curve && isMean != (premise.need == Need::Mean)))
      return false;
    bool isWhole = premise.from == Premise::From::Whole;
    return (!isWhole && premise.from != Premise::From::WholeKept) ||
           problem.abouts[facts[id].place.about].isKept != isWhole;
  };
  for (const Use& use : lemma->uses()) {
    bool isThis = use.concludes == fact.key.quantity;
    for (const Premise& premise : use.premises)
      if (bounds::isFact(premise))
        isThis = isThis && std::any_of(fact.premises.begin(), fact.premises.end(),
                                       [&](FactId id) { return fills(premise, id); });
    isThis =
        isThis && (!use.under || std::any_of(fact.under.begin(), fact.under.end(), [&](FactId id) {
          return facts[id].key.quantity == *use.under;
        }));
    if (isThis)
      return &use;
  }
  return nullptr;
}

/// Which uses gave anything where claims are, and whether a bound of one rests on a clause.
struct Rests {
  std::set<const Use*> uses;
  bool onClauses = false;
};

Rests restsOf(const Parts& parts) {
  Parsed parsed(textOf(parts, claimTexts()));
  EXPECT_EQ(parsed.errors(), "") << textOf(parts, claimTexts());
  model::Contract contract = parsed.contract();
  loosen(contract);
  Bounded bounded(contract);
  const bounds::Derivation& facts = bounded.problem.facts;
  Rests out;
  std::set<FactId> seen;
  std::function<void(FactId)> visit = [&](FactId id) {
    if (!seen.insert(id).second)
      return;
    const bounds::Fact& fact = facts[id];
    if (fact.origin && fact.origin->kind == bounds::Origin::Kind::Clause)
      out.onClauses = true;
    out.uses.insert(useOf(bounded.problem, fact));
    for (const auto* ids : {&fact.premises, &fact.under})
      for (FactId premise : *ids)
        visit(premise);
  };
  for (const auto& [goal, fact] : bounded.goals)
    visit(fact);
  // What is no part of the best bound may be of another one.
  std::set<std::pair<std::uint32_t, std::uint32_t>> places;
  for (const bounds::Goal& goal : bounded.problem.goals)
    places.emplace(goal.place.link, goal.place.about);
  for (std::size_t i = 0; i < facts.size(); ++i) {
    const bounds::Fact& fact = facts[static_cast<FactId>(i)];
    if (places.contains({fact.place.link, fact.place.about}))
      out.uses.insert(useOf(bounded.problem, fact));
  }
  out.uses.erase(nullptr);
  return out;
}

/// A contract for every use that some contract reaches.
std::map<const Use*, Parts> reached() {
  std::map<const Use*, Parts> out;
  std::size_t place = 0;
  auto tryOut = [&](const Parts& parts) {
    if (!isTried(place++))
      return;
    for (const Use* use : restsOf(parts).uses)
      out.try_emplace(use, parts);
  };
  const std::vector<std::string> all = clauseTexts();
  const std::vector<std::string> extras{
      "advantage: 3, reward: [0, 1]", "advantage: 3, reward_sigma: 0.5",
      "group: 4, reward_lipschitz: 1", "advantage: 3, ratio_cap: 1.5",
      "advantage: 3, mean_length: 2 tokens"};
  const std::vector<std::string> supports{"support: full", "support: { missing_mass: 0.01 }",
                                          "support: { top_p: 0.99 }"};
  for (const std::string& support : supports)
    for (const std::string& more : extras)
      for (const std::string& clause : all) {
        Parts parts;
        parts.clauses = {clause};
        parts.support = support;
        parts.more = more;
        tryOut(parts);
      }
  auto isOf = [](const std::string& text, const char* metric) {
    return text.find(metric) != std::string::npos;
  };
  for (const std::string& a : all)
    for (const std::string& b : all) {
      bool isBand =
          isOf(a, "max(log") && (isOf(b, "mean(") || isOf(b, "max(") || isOf(b, "min(top1"));
      if (!isBand || a == b)
        continue;
      Parts parts;
      parts.clauses = {a, b};
      parts.more = extras.front();
      tryOut(parts);
      parts.more = extras[3];
      parts.clauses = {b};
      tryOut(parts);
    }
  // One divergence from another, under ratios that are bounded more loosely.
  for (const char* clause : {"mean(kl_infer_train) <= 0.001", "mean(kl_train_infer) <= 0.001",
                             "mean(hellinger) <= 0.001", "mean(chi2) <= 0.001",
                             "max(kl_infer_train) <= 0.001", "max(kl_train_infer) <= 0.001",
                             "max(hellinger) <= 0.001", "max(chi2) <= 0.001", "mean(k3) <= 0.001"})
    for (const char* ratios : {"max(logprob_linf) <= 0.5", "max(abs(seq_log_ratio)) <= 0.5"}) {
      Parts parts;
      parts.clauses = {clause, ratios};
      parts.more = extras.front();
      tryOut(parts);
    }
  // Drift so large that little but the mean length bounds a gradient.
  for (const char* estimator : {"token", "token_mc"})
    for (const char* correction : {"none", "is"})
      for (const char* more : {"advantage: 3", "group: 4"})
        for (const char* clause : {"mean(seq_tv) <= 0.9", "max(logit_osc) <= 2"}) {
          Parts parts;
          parts.clauses = {clause};
          parts.more = fmt::format("{}, mean_length: 2 tokens", more);
          parts.gradient = fmt::format("estimator: {}, correction: {}", estimator, correction);
          tryOut(parts);
        }
  const char* const mean = "loss: seq_mean_token_mean, ";
  const char* const batch = "loss: token_mean, least_mean_length: 1 tokens, ";
  for (const char* estimator : {"step", "token", "token_mc", "sequence"})
    for (const char* correction : {"none", "is", "tis(1.25)", "\"mis(0.5, 2)\"", "clip(0.2)"})
      for (const char* more : {"advantage: 3", "group: 4"})
        for (const std::string& support : supports)
          for (const char* clause :
               {"max(logit_osc) <= 0.001", "max(logprob_linf) <= 1", "max(tv) <= 0.001",
                "mean(tv) <= 0.001", "max(chi2) <= 0.001", "mean(seq_tv) <= 0.001",
                "max(clipped(0.9, 1.1)) <= 0", "max(clipped(0.5, 2)) <= 0", "max(ratio) <= 1.2",
                "max(abs(seq_log_ratio)) <= 0.01"})
            for (const auto& [horizon, loss] :
                 {std::pair{8, ""}, {1, ""}, {8, mean}, {1, mean}, {8, batch}}) {
              Parts parts;
              parts.clauses = {clause};
              parts.support = support;
              parts.more = more;
              parts.gradient =
                  fmt::format("{}estimator: {}, correction: {}", loss, estimator, correction);
              parts.horizon = horizon;
              tryOut(parts);
            }
  // Small drift over long responses, whose ratios concentrate.
  for (const char* correction : {"tis(2)", "\"mis(0.5, 2)\"", "clip(0.5)"})
    for (const char* loss : {"", mean, batch}) {
      Parts parts;
      parts.clauses = {"max(logit_osc) <= 0.01"};
      parts.more = "advantage: 3";
      parts.gradient = fmt::format("{}estimator: sequence, correction: {}", loss, correction);
      parts.horizon = 1000;
      tryOut(parts);
    }
  // A cap below what the drift allows.
  for (const char* clause : {"max(logit_osc) <= 2", "quantile(logit_osc, 0.99) <= 2",
                             "max(logprob_linf) <= 1", "max(tv) <= 0.001"})
    for (const char* other : {"mean(tv) <= 0.001", "max(tv) <= 0.001", "max(logit_osc) <= 2"})
      for (const std::string& support : supports) {
        Parts parts;
        parts.clauses = {clause, other};
        parts.support = support;
        parts.more = "advantage: 3, ratio_cap: 1.1, reward: [0, 1]";
        tryOut(parts);
      }
  // Rollouts of older weights.
  for (const char* clause : {"max(logit_osc) <= 0.001", "mean(tv) <= 0.001"}) {
    Parts parts;
    parts.clauses = {clause};
    parts.more = stale;
    tryOut(parts);
  }
  // Temperatures, greedy kernels, layers.
  for (const char* clause : {"max(logit_osc) <= 0.001", "mean(top1_flip) <= 0.001",
                             "max(top1_flip) <= 0.001", "max(logit_rel) <= 0.001"}) {
    Parts parts;
    parts.clauses = {clause};
    parts.more = "head_norm: 1, layers: [{ error: 0.001 }]";
    tryOut(parts);
    parts.model = ", logit_bound: 10, temperature: 1";
    tryOut(parts);
    parts.server = ", sampling: { temperature: 0.7 }";
    tryOut(parts);
    parts.model = ", temperature: 0";
    parts.server = {};
    parts.support = {};
    tryOut(parts);
  }
  return out;
}

bool isSampled(const std::string& clause) {
  for (const model::MetricInfo& metric : model::metrics())
    if (metric.input == model::Input::Logprobs &&
        clause.find("(" + std::string(metric.symbol)) != std::string::npos)
      return true;
  return false;
}

bool takes(const Use& use, auto accepts) {
  return std::any_of(use.premises.begin(), use.premises.end(), [&](const Premise& premise) {
    return bounds::isFact(premise) && accepts(premise.quantity);
  });
}

/// One thing taken away. `isFor` says of which contracts; what remains is that nothing rests on
/// clauses, or only that the use is not there.
struct Attack {
  const char* name;
  bool (*isFor)(const Named&, const Parts&);
  void (*change)(Parts&);
  bool isOfClauses = true;
};

bool hasSamples(const Parts& of) {
  return std::any_of(of.clauses.begin(), of.clauses.end(), isSampled);
}
bool hasRows(const Parts& of) {
  return !std::all_of(of.clauses.begin(), of.clauses.end(), isSampled);
}
/// Which token is the most likely one outlives cuts and temperatures.
bool isOfTop(const Parts& of) {
  return std::any_of(of.clauses.begin(), of.clauses.end(), [](const std::string& each) {
    return each.find("top1") != std::string::npos;
  });
}
bool hasLayers(const Parts& of) { return of.more.find("layers") != std::string::npos; }
bool isPlain(const Parts& of) { return of.model.empty() && of.server.empty() && !hasLayers(of); }
bool isOfRows(const Named&, const Parts& of) {
  return hasRows(of) && !hasSamples(of) && !isOfTop(of) && isPlain(of);
}
bool isOfSamples(const Named&, const Parts& of) { return hasSamples(of) && !hasRows(of); }
bool needs(const Named& of, Condition condition) {
  auto all = bounds::conditionsOf(*of.lemma, *of.use);
  return std::find(all.begin(), all.end(), condition) != all.end();
}

const std::vector<Attack>& attacks() {
  static const std::vector<Attack> rows{
      {"drawn by a text", [](const Named&, const Parts&) { return true; },
       [](Parts& of) { of.drawn = ", drawn: text"; }},
      {"drawn by the trainer", [](const Named&, const Parts&) { return true; },
       [](Parts& of) { of.drawn = ", drawn: trainer"; }},
      {"of an inner link", [](const Named&, const Parts&) { return true; },
       [](Parts& of) {
         of.isChain = true;
         of.link = ", link: [trainer, middle]";
       }},
      {"the trainer cuts", isOfRows, [](Parts& of) { of.trainer = ", sampling: { top_k: 2 }"; }},
      {"the server cuts", isOfRows,
       [](Parts& of) {
         of.server = ", sampling: { top_k: 2 }";
         of.support = {};
       }},
      {"requests bring their temperature", isOfRows,
       [](Parts& of) { of.slices = "slices:\n  hot: { when: temperature > 1, weight: 50% }\n"; }},
      {"the trainer logs raw", isOfSamples,
       [](Parts& of) { of.trainer = ", logprobs: raw, sampling: { temperature: 0.7 }"; }},
      {"the server logs raw", isOfSamples,
       [](Parts& of) { of.server = ", logprobs: raw, sampling: { temperature: 0.7 }"; }},
      {"support is not said",
       [](const Named& of, const Parts&) { return needs(of, Condition::EqualSupport); },
       [](Parts& of) { of.support = {}; }, false},
      {"mass is missing",
       [](const Named& of, const Parts&) { return needs(of, Condition::EqualSupport); },
       [](Parts& of) { of.support = "support: { missing_mass: 0.1 }"; }, false},
      {"slices cut responses",
       [](const Named& of, const Parts&) {
         return bounds::info(of.use->concludes).level == QuantityInfo::Level::Response;
       },
       [](Parts& of) { of.slices = "slices:\n  early: { when: position < 2 }\n"; }, false},
      {"slices split groups",
       [](const Named& of, const Parts&) {
         auto isOfGroups = [](Quantity each) {
           return bounds::info(each).symbol.starts_with("group");
         };
         return takes(*of.use, isOfGroups) || (of.use->under && isOfGroups(*of.use->under));
       },
       [](Parts& of) { of.slices = "slices:\n  alone: { when: batch_size < 2, weight: 50% }\n"; },
       false},
      {"claimed of an inner link",
       [](const Named& of, const Parts&) {
         return needs(of, Condition::Samples) &&
                bounds::info(of.use->concludes).level == QuantityInfo::Level::Context;
       },
       [](Parts& of) {
         of.isChain = true;
         of.link = of.claimLink = ", link: [trainer, middle]";
       },
       false},
      {"the length is the mixture's",
       [](const Named& of, const Parts&) {
         return takes(*of.use, [](Quantity each) { return each == Quantity::MeanLength; });
       },
       [](Parts& of) {
         of.slices = "labels: { task: [math] }\nslices:\n  math: { when: task == \"math\" }\n";
       },
       false},
      {"an assumption is about the ends",
       [](const Named& of, const Parts&) {
         return takes(*of.use, [](Quantity each) {
           return bounds::info(each).kind == QuantityInfo::Kind::OfEnds;
         });
       },
       [](Parts& of) {
         of.isChain = true;
         of.link = of.claimLink = ", link: [trainer, middle]";
       },
       false},
      {"an assumption is about the newest weights",
       [](const Named& of, const Parts&) {
         return takes(*of.use, [](Quantity each) {
           return bounds::info(each).kind == QuantityInfo::Kind::OfEnds;
         });
       },
       [](Parts& of) {
         of.more += (of.more.empty() ? "" : ", ") + std::string(stale);
         of.claimLink = ", link: [trainer, rollout]";
       },
       false},
  };
  return rows;
}

/// `tikc explain METRIC` lists these.
TEST(Attack, EachFormOfAClauseLeadsToAClaimOrSaysWhyNot) {
  std::size_t leading = 0;
  for (const model::MetricInfo& metric : model::metrics())
    for (const bounds::ClauseForm& form : bounds::clauseForms(metric)) {
      if (!form.why.empty() || !isTried(leading++))
        continue;
      Parts parts;
      parts.clauses = {filled(form.text, metric)};
      parts.more = "advantage: 3";
      parts.model = ", logit_bound: 10";
      if (metric.id == model::MetricId::Top1Margin) // which needs to know the drift
        parts.more += ", head_norm: 1, layers: [{ error: 0.001 }]";
      if (metric.id == model::MetricId::MissingMass) { // which weights do not reach
        parts.support = {};
        parts.server = ", sampling: { top_k: 2 }";
        parts.gradient = "estimator: step, correction: is";
      }
      EXPECT_TRUE(reads(parts, {"tv <= 0.5"})) << parts.clauses.front();
      EXPECT_TRUE(restsOf(parts).onClauses) << parts.clauses.front();
    }
  fmt::print("{} forms lead to claims\n", leading);
}

TEST(Attack, WhatIsAboutSomethingElseProvesNothing) {
  std::map<const Use*, Parts> known = reached();
  std::vector<std::string> unreached;
  std::map<std::string, int> counts;
  for (const Lemma* lemma : bounds::allLemmas())
    for (const Use& use : lemma->uses()) {
      Named named{lemma, &use};
      auto found = known.find(&use);
      if (found == known.end()) {
        unreached.push_back(named.name());
        continue;
      }
      bool hasProof = restsOf(found->second).onClauses;
      for (const Attack& attack : attacks()) {
        if (!attack.isFor(named, found->second) || (attack.isOfClauses && !hasProof))
          continue;
        Parts parts = found->second;
        attack.change(parts);
        Rests rests = restsOf(parts);
        ++counts[attack.name];
        if (attack.isOfClauses)
          EXPECT_FALSE(rests.onClauses) << attack.name << ": " << named.name() << "\n"
                                        << textOf(parts, {});
        else
          EXPECT_FALSE(rests.uses.contains(&use)) << attack.name << ": " << named.name() << "\n"
                                                  << textOf(parts, {});
      }
    }
  for (const auto& [name, count] : counts)
    fmt::print("{:36} {} uses\n", name, count);
  fmt::print("{} uses reached; not reached:\n", known.size());
  for (const std::string& name : unreached)
    fmt::print("  {}\n", name);
  // Others give the same bound before it.
  const std::vector<std::string> tied{"L-TV-LP to tv"};
  if (!isSanitized) {
    EXPECT_EQ(unreached, tied);
  }
}

} // namespace
} // namespace tikc::tests
