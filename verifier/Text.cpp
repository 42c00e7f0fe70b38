#include "verifier/Text.h"

#include "verifier/Comparison.h"
#include "verifier/Yaml.h"

#include <algorithm>
#include <map>

namespace verify {
namespace {

// What comparisons state.

void state(Quote& quote, const Comparison& by, std::string_view quantity, Quantifier quantifier,
           Rational share, Rational bound, std::string op, bool inBits) {
  Statement out;
  out.fact = {findQuantity(quantity), quantifier, std::move(share), {}, {}, std::move(bound)};
  out.op = std::move(op);
  out.inBits = inBits;
  out.onAll = by.onAll;
  out.slices = by.slices;
  quote.statements.push_back(std::move(out));
}

/// The quantifier of an aggregate that is bounded from above or from below; false where it says
/// nothing of the whole population.
bool quantify(const Comparison& by, bool upper, Quantifier& quantifier, Rational& share) {
  quantifier = by.aggregate.empty() || by.aggregate == "mean" ? Quantifier::Mean
               : by.aggregate == "quantile"                   ? Quantifier::Quantile
                                                              : Quantifier::Sup;
  share = quantifier != Quantifier::Quantile ? Rational(0)
          : upper                            ? Rational(1) - by.level
                                             : by.level;
  return quantifier != Quantifier::Sup || by.aggregate == (upper ? "max" : "min");
}

/// A clause's metric, by the quantities that it bounds. Estimators bound theirs on average only.
void stateClause(Quote& quote, const Comparison& by, const std::string& op, const Amount& limit) {
  static const std::map<std::string_view, std::string_view> estimators = {
      {"tv_sampled", "sampled_tv"},
      {"k1", "sampled_k1"},
      {"k2", "sampled_k2"},
      {"k3", "sampled_k3"},
      {"seq_tv", "seq_sampled_tv"}};
  static constexpr std::string_view rows =
      " logit_linf logit_osc logit_l2 logit_rel logprob_linf tv hellinger kl_train_infer "
      "kl_infer_train chi2 js entropy_gap top1_flip missing_mass top1_margin ";
  bool upper = op[0] == '<';
  Quantifier quantifier;
  Rational share;
  bool aggregates = quantify(by, upper, quantifier, share);
  bool isMean = quantifier == Quantifier::Mean;
  auto say = [&](std::string_view quantity, const Rational& bound) {
    state(quote, by, quantity, quantifier, share, bound, op, limit.inBits);
  };
  if (!by.parameters.empty()) {
    bool isShare =
        upper && ((by.aggregate == "mean" && (by.metric == "veto" || by.metric == "clipped")) ||
                  (by.aggregate == "rate" && by.metric == "ratio"));
    if (isShare && !limit.inBits)
      state(quote, by, "sampled_ratio", Quantifier::Quantile, limit.value, by.parameters[0], op,
            false);
    return;
  }
  if (!aggregates || by.aggregate.empty())
    return;
  if (by.metric == "logprob_gap" || by.metric == "seq_log_ratio") {
    std::string prefix = by.metric[0] == 's' ? "seq_" : "";
    Rational negated = Rational(0) - limit.value;
    if (by.absolute && upper) {
      say(prefix + "sampled_abs_gap", limit.value);
      if (!isMean)
        say(prefix + "sampled_gap", limit.value);
    } else if (!by.absolute && !upper && (!isMean || prefix.empty())) {
      say(isMean ? "sampled_k1" : prefix + "sampled_gap", negated);
    }
    return;
  }
  if (by.absolute)
    return;
  if (auto found = estimators.find(by.metric); found != estimators.end() && isMean && upper)
    say(found->second, limit.value);
  else if (by.metric == "ratio" && !upper && !isMean)
    say("sampled_ratio", limit.value);
  else if (rows.find(" " + by.metric + " ") != std::string_view::npos &&
           upper == !findQuantity(by.metric)->lower)
    say(by.metric, limit.value);
  if (by.metric == "tv" && upper)
    say("plain_tv", limit.value);
}

void stateClaim(Quote& quote, const Comparison& by, const std::string& op, const Amount& limit) {
  static constexpr std::string_view names =
      " tv kl_train_infer kl_infer_train chi2 hellinger js ess entropy_gap top1_flip "
      "step_reward_drift seq_tv seq_kl seq_ess reward_drift "
      "discounted_reward_drift pg_bias ";
  bool upper = op[0] == '<', isRatio = by.metric == "ratio" || by.metric == "seq_ratio";
  Quantifier quantifier;
  Rational share;
  if (!quantify(by, upper, quantifier, share) || by.absolute || !by.parameters.empty() ||
      (isRatio && quantifier == Quantifier::Mean))
    return;
  std::string name = isRatio && !upper ? by.metric + "_floor" : by.metric;
  if ((isRatio || names.find(" " + name + " ") != std::string_view::npos) &&
      findQuantity(name)->lower == !upper)
    state(quote, by, name, quantifier, share, limit.value, op, limit.inBits);
}

// Assumptions and facts.

void give(Quote& quote, std::string_view quantity, Rational value,
          Quantifier quantifier = Quantifier::Given) {
  state(quote, {}, quantity, quantifier, 0, std::move(value), "", false);
}

Rational amountIn(std::string_view value) {
  std::string text = scalarOf(value);
  Tokens in(text);
  Amount out = in.amount();
  if (!in.is("") || out.inBits)
    unreadable("a number stands alone");
  return out.value;
}

void readCorrection(Quote& quote, std::string_view value) {
  std::string text = scalarOf(value);
  Tokens in(text);
  quote.word = in.name();
  std::vector<Rational> numbers;
  if (in.take("("))
    do
      numbers.push_back(in.amount().value);
    while (in.take(","));
  auto is = [&](std::string_view word, std::size_t arguments) {
    return quote.word == word && numbers.size() == arguments;
  };
  if (is("is", 0))
    give(quote, "pg_cut", 0, Quantifier::Mean);
  else if (is("tis", 1))
    give(quote, "cap", numbers[0]);
  else if (is("clip", 1))
    give(quote, "clip_width", numbers[0]);
  else if (is("mis", 2) || is("ppo", 2)) {
    give(quote, "mask_low", quote.word == "mis" ? numbers[0] : Rational(1) - numbers[0]);
    give(quote, "mask_high", quote.word == "mis" ? numbers[1] : Rational(1) + numbers[1]);
  } else if (!is("none", 0)) {
    unreadable("a correction is expected");
  }
}

void readLayers(Quote& quote, std::string_view value) {
  for (const std::string& part : partsOf(value)) {
    auto layer = entriesOf(part.starts_with("\n") ? std::string_view(part) : trimmed(part));
    Rational repeat = layer.contains("repeat") ? amountIn(layer["repeat"]) : Rational(1);
    Rational gain = layer.contains("gain") ? amountIn(layer["gain"]) : Rational(1),
             error = amountIn(layer["error"]);
    if (!repeat.isWhole() || Rational(100'000) < repeat || repeat < Rational(1))
      unreadable("a layer's repeat");
    if (quote.layers.size() > 1'000'000)
      throw TooMuch{};
    for (std::int64_t i = repeat.top.small(); i > 0; --i)
      quote.layers.emplace_back(error, gain);
    give(quote, "layer_error", error);
    give(quote, "layer_gain", gain);
  }
}

bool readAssumption(Quote& quote, std::string_view value) {
  static constexpr std::string_view plain =
      " horizon mean_length vocabulary logit_bound reward_sigma reward_lipschitz advantage "
      "score_norm group discount ratio_cap head_norm ";
  const std::string& key = quote.key;
  if (plain.find(" " + key + " ") != std::string_view::npos) {
    give(quote, key, amountIn(value));
  } else if (key == "temperature") {
    Rational at = amountIn(value);
    for (std::string_view name : {"temperature", "train_temperature", "infer_temperature"})
      give(quote, name, at);
    if (at == Rational(0))
      give(quote, "greedy", 0);
  } else if (key == "reward" || key == "step_reward") {
    auto ends = partsOf(value);
    if (ends.size() != 2)
      unreadable("a range is expected");
    Rational low = amountIn(ends[0]), high = amountIn(ends[1]), zero = 0;
    give(quote, key + "_range", high - low);
    if (key == "step_reward") // a response that has ended earns 0
      give(quote, "step_reward_reach", std::max(high, zero) - std::min(low, zero));
  } else if (key == "missing_mass") {
    give(quote, key, amountIn(value), Quantifier::Sup);
  } else if (key == "top_p" || key == "kept_mass") {
    give(quote, "cut_mass", Rational(1) - amountIn(value));
  } else if (key == "estimator") {
    quote.word = scalarOf(value);
  } else if (key == "correction") {
    readCorrection(quote, value);
  } else if (key == "layers") {
    readLayers(quote, value);
  } else if (key == "weight" || key == "token_weight") {
    give(quote, "share", amountIn(value));
    quote.statements.back().op = key;
  } else {
    return false;
  }
  return true;
}

void readRequirement(Quote& quote, std::string_view value, Reading reading) {
  auto map = partsOf(value).empty()
                 ? std::map<std::string, std::string>{{"require", std::string(value)}}
                 : entriesOf(value);
  std::vector<std::string> slices, link;
  auto names = [&](const char* key, std::vector<std::string>& out) {
    if (map.contains(key))
      for (const std::string& part : partsOf(map[key]))
        out.push_back(scalarOf(part));
  };
  names("slices", slices);
  names("link", link);
  if (link.size() == 2)
    quote.link = link[0] + ">" + link[1];
  std::string text = scalarOf(map["require"]);
  Tokens in(text);
  do {
    Comparison comparison = readComparison(in);
    if (comparison.slices.empty() && !comparison.onAll)
      comparison.slices = slices;
    for (const auto& [op, limit] : comparison.limits)
      (reading == Reading::Claim ? stateClaim : stateClause)(quote, comparison, op, limit);
  } while (in.take("and"));
  if (!in.is(""))
    unreadable("something follows the requirement");
}

/// A slice: a map with a predicate and its shares.
void readSlice(Quote& quote, std::string_view value) {
  auto map = entriesOf(value);
  if (!map.contains("when"))
    unreadable("its key is not known");
  quote.word = map["when"];
  for (const char* key : {"weight", "token_weight"})
    if (map.contains(key)) {
      give(quote, "share", amountIn(map[key]));
      quote.statements.back().op = key;
    }
}

} // namespace

Quote read(std::string_view text, Reading reading) {
  std::string clean = withoutComments(text);
  std::string_view value = clean;
  Quote out;
  out.key = takeKey(value);
  if (out.key.empty())
    unreadable("a key is expected");
  bool isScalar = partsOf(value).empty();
  if (reading != Reading::Given) {
    readRequirement(out, value, reading);
  } else if (out.key == "support" && isScalar) {
    if (scalarOf(value) != "full")
      unreadable("a kind of support is expected");
    give(out, "full_support", 0);
    give(out, "missing_mass", 0, Quantifier::Sup);
  } else if (out.key == "support") {
    for (const auto& [key, inside] : entriesOf(value)) {
      if (key != "missing_mass" && key != "top_p" && key != "kept_mass")
        unreadable("a kind of support is expected");
      out.statements = read(key + ":" + inside, Reading::Given).statements;
    }
  } else if (!readAssumption(out, value)) {
    readSlice(out, value);
  }
  return out;
}

} // namespace verify
