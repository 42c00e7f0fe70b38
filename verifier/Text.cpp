#include "verifier/Text.h"

#include <algorithm>
#include <map>
#include <set>

namespace verify {
namespace {

// Forms of texts, sign by sign: N is a number (they are a, b, c in what follows), M a metric or its
// absolute value, K any of the words before; x|y is one or the other.

// What an entry states.
constexpr std::string_view givenForms = R"(
horizon|vocabulary|logit_bound|reward_sigma|reward_lipschitz|advantage|score_norm|group|discount|ratio_cap|head_norm : N
  -> given K = a
mean_length : N -> mean mean_length = a
least_mean_length : N -> mean least_length = a
reward : [ N , N ] -> given reward_range = b - a
step_reward : [ N , N ] -> given step_reward_range = b - a; given step_reward_reach = max(b, 0) - min(a, 0)
missing_mass : N -> sup missing_mass = a
top_p : N -> given cut_mass = 1 - a
support : full -> given full_support = 0; sup missing_mass = 0
correction : none -> given weight_mean = 1; given weight_cap = 1
correction : is -> mean pg_cut = 0; mean pg_token_cut = 0; given weight_mean = 1
correction : tis ( N ) -> given cap = a; given weight_mean = 1; given weight_cap = a
correction : clip ( N ) -> given clip_width = a; given weight_mean = 1 + min(a, max(1 - a, 0)); given weight_cap = 1 + a
correction : mis ( N , N ) -> given mask_low = a; given mask_high = b; given weight_mean = 1; given weight_cap = b
correction : ppo ( N , N ) -> given mask_low = 1 - a; given mask_high = 1 + b; given weight_mean = 1)";

// What a requirement compares with its limit: a mean, a root of a mean square (size), which is
// no less than the mean of sizes, a supremum from above or from below, a
// quantile at a level; the share of the tokens on which the ratio is below a or above b, or that
// there is none; or the share on which a metric is as stated, with what it is elsewhere.
constexpr std::string_view aggregates = R"(
claim M -> mean
clause|claim mean ( M ) -> mean
clause rms ( M ) -> size
clause std ( M ) -> deviation
clause effective_share ( M ) -> effective
clause mean_by_response ( M ) -> by_response
clause|claim max ( M ) -> <
clause|claim min ( M ) -> >
clause|claim p50|median ( M ) -> quantile 0.5
clause|claim p90 ( M ) -> quantile 0.9
clause|claim p95 ( M ) -> quantile 0.95
clause|claim p99 ( M ) -> quantile 0.99
clause|claim p999 ( M ) -> quantile 0.999
clause|claim quantile ( M , N ) -> quantile a
clause mean|rate ( veto ( N ) ) -> share sampled_ratio
clause mean|rate ( clipped ( N , N ) ) -> share sampled_ratio sampled_ratio_up
clause mean|rate ( seq_clipped ( N , N ) ) -> share seq_sampled_ratio seq_sampled_ratio_up
clause mean|rate ( seq_geo_clipped ( N , N ) ) -> share seq_geo_ratio seq_geo_ratio_up
clause mean|rate ( seq_veto ( N ) ) -> share seq_least_ratio sampled_ratio
clause max ( veto ( N ) ) -> none sampled_ratio
clause max ( clipped ( N , N ) ) -> none sampled_ratio sampled_ratio_up
clause max ( seq_clipped ( N , N ) ) -> none seq_sampled_ratio seq_sampled_ratio_up
clause max ( seq_geo_clipped ( N , N ) ) -> none seq_geo_ratio seq_geo_ratio_up
clause max ( seq_veto ( N ) ) -> none seq_least_ratio sampled_ratio
clause rate ( M > N ) -> rate > <=
clause rate ( M >= N ) -> rate >= <
clause rate ( M < N ) -> rate < >=
clause rate ( M <= N ) -> rate <= >)";

// What a comparison of a metric states: of a supremum or a quantile (tail), a mean, or any of them.
// "same" is the quantity of the metric's name, and "minus" changes the sign.
constexpr std::string_view comparisons = R"(
clause any < logit_linf logit_osc logit_l2 logit_rel logprob_linf tv hellinger kl_train_infer kl_infer_train chi2 js
  entropy_gap top1_flip missing_mass: same
clause any > top1_margin: same
clause any < tv_sampled: sampled_tv
clause mean < k1: sampled_k1
clause size < k1 logprob_gap: sampled_abs_gap
clause size < seq_log_ratio: seq_sampled_abs_gap
clause tail < k1: sampled_gap
clause tail > k1: minus sampled_rise
clause any < k2: sampled_k2
clause any < k3: sampled_k3
clause any < prob_gap: sampled_prob_gap
clause any < binary_kl: sampled_binary_kl
clause any < mult_prob_error: sampled_mult_error
clause any < seq_tv: seq_sampled_tv
clause any < abs(logprob_gap) abs(k1): sampled_abs_gap
clause any < abs(seq_log_ratio): seq_sampled_abs_gap
clause tail < logprob_gap: sampled_rise
clause tail < seq_log_ratio: seq_sampled_rise
clause tail > logprob_gap: minus sampled_gap
clause tail > seq_log_ratio: minus seq_sampled_gap
clause mean > logprob_gap: minus sampled_k1
clause mean > seq_log_ratio: minus seq_sampled_k1
clause size < ratio: sampled_square = a * a
clause size < seq_ratio: seq_sampled_square = a * a
clause deviation < ratio: sampled_square = 1 + a * a
clause deviation < seq_ratio: seq_sampled_square = 1 + a * a
clause effective > ratio: sampled_square = 1 / a if 0 < a
clause effective > seq_ratio: seq_sampled_square = 1 / a if 0 < a
clause by_response < tv_sampled: tv_by_response
clause by_response < k3: k3_by_response
clause by_response < abs(logprob_gap) abs(k1): abs_gap_by_response
clause mean > capped_ratio: sampled_tv = 1 - a
clause mean > seq_capped_ratio: seq_sampled_tv = 1 - a
clause tail > ratio: sampled_ratio
clause tail < ratio: sampled_ratio_up
clause tail > seq_ratio: seq_sampled_ratio
clause tail < seq_ratio: seq_sampled_ratio_up
clause tail > seq_geo_ratio: seq_geo_ratio
clause tail < seq_geo_ratio: seq_geo_ratio_up
claim any < tv kl_train_infer kl_infer_train chi2 hellinger js entropy_gap top1_flip step_reward_drift seq_tv seq_kl reward_drift
  discounted_reward_drift pg_bias: same
claim any > ess seq_ess: same
claim tail < ratio seq_ratio: same
claim tail > ratio: ratio_floor
claim tail > seq_ratio: seq_ratio_floor)";

// Plain, weighted, and both of groups; then those of a response's mean.
constexpr std::string_view estimators = R"(
step: step_plain step_weighted group_step_plain group_step_weighted
token: causal_plain causal_weighted group_plain group_weighted
  mean_plain mean_weighted group_mean_plain group_mean_weighted
token_mc: return_plain return_weighted group_plain group_weighted
  mean_plain mean_weighted group_mean_plain group_mean_weighted
sequence: return_plain whole_weighted group_plain group_whole
  mean_plain mean_whole group_mean_plain group_mean_whole)";

constexpr std::string_view unread = "its text cannot be read";

/// In nats, in tokens or without dimension. What stands in bits is not exact.
Number readAmount(Tokens& in) {
  const bool isNegative = in.take("-");
  Number out = isNegative ? -in.number() : in.number();
  if (in.take("%"))
    return out * Number(1, 100);
  if (in.take("bit"))
    return out * log(Number(2));
  if (in.isOneOf("nat tokens requests sequences"))
    in.any();
  return out;
}

struct Match {
  std::string metric, conclusion; // what the table has after the form
  std::vector<Number> numbers, caps = {};
};

bool matches(std::string_view form, Tokens in, Match& out) {
  while (!form.empty()) {
    const std::string_view sign = take(form, " ");
    if (sign == "N") {
      if (!in.isNumber() && !in.is("-"))
        return false;
      out.numbers.push_back(readAmount(in));
    } else if (sign == "M") {
      out.metric = in.any();
      if (out.metric == "abs") {
        in.expect("(");
        out.metric += "(" + in.any() + ")";
        in.expect(")");
      } else if (isOneOf("capped_ratio seq_capped_ratio", out.metric)) {
        in.expect("(");
        out.caps.push_back(readAmount(in));
        in.expect(",");
        out.caps.push_back(readAmount(in));
        in.expect(")");
      }
    } else if (!isOneOf(sign, in.any())) {
      return false;
    }
  }
  return in.is("");
}

/// What the table's first form that fits the text concludes.
std::optional<Match> matched(std::string_view table, const std::string& text) {
  while (!table.empty()) {
    const std::string row = nextRow(table);
    std::string_view conclusion = row, form = take(conclusion, " -> ");
    Match out{"", std::string(conclusion), {}};
    if (!form.empty() && matches(form, Tokens(text), out)) {
      return out;
    }
  }
  return std::nullopt;
}

Fact given(std::string_view quantity, std::string_view quantifier, const Number& value) {
  return {std::string(quantity), std::string(quantifier), "", "", "", "", 0, value};
}

class Comparison {
public:
  Comparison(Tokens& in, const std::string& kind, std::vector<std::string> scopes)
      : in_(in), kind_(kind), scopes_(std::move(scopes)) {}

  /// What it said in its tail: a set of "over", "with" and "on".
  std::set<std::string> read(std::vector<Statement>& out) {
    Work::spend(100'000); // for going through the tables
    const Tokens start = in_;
    const std::size_t stated = out.size();
    std::string head = isCounter() ? "clause" : kind_;
    for (int depth = 0; depth > 0 || !in_.isOneOf("<= < >= > == in"); head += " " + in_.any()) {
      require(!in_.is(""), unread);
      depth += in_.is("(") ? 1 : in_.is(")") ? -1 : 0;
    }
    std::vector<std::pair<std::string, Number>> limits;
    const std::string op = in_.any();
    in_.take("[");
    limits.emplace_back(op == "in" || op == "==" ? ">=" : op, readAmount(in_));
    if (op == "in") {
      in_.expect(",");
      limits.emplace_back("<=", readAmount(in_));
      in_.expect("]");
    } else if (op == "==") {
      limits.emplace_back("<=", limits[0].second);
    }
    const std::string text = start.textTo(in_);
    const std::set<std::string> tail = tails();
    auto match = matched(aggregates, head);
    for (const auto& [side, limit] : limits) {
      const std::size_t before = out.size();
      if (match)
        state(*match, side, limit, out);
      if (kind_ == "claim" && out.size() == before)
        out.push_back({given("", "", limit), side, scopes_});
    }
    for (std::size_t i = stated; i < out.size(); ++i)
      out[i].text = text;
    return tail;
  }

private:
  bool isCounter() const { return kind_ == "counter"; }

  /// Where it holds; over how much, and how surely, is for those who measure.
  std::set<std::string> tails() {
    std::set<std::string> said;
    while (!in_.isOneOf("and") && !in_.is("")) {
      const std::string word(in_.current());
      if (in_.take("over")) {
        in_.number();
        in_.name();
      } else if (in_.take("with")) {
        in_.expect("confidence");
        readAmount(in_);
      } else {
        in_.expect("on");
        scopes_.clear();
        if (in_.take("slices")) // as where nothing is said
          continue;
        do
          scopes_.push_back(in_.take("all") ? "*" : in_.name());
        while (in_.take(","));
      }
      said.insert(word);
    }
    return said;
  }

  void state(const Match& match, const std::string& op, const Number& limit,
             std::vector<Statement>& out) const {
    std::string_view level = match.conclusion, how = take(level, " ");
    const std::string side = op.substr(0, 1);
    if (isCounter()) {
      if (isOneOf("mean < >", how))
        compare(match,
                how == "mean" ? how
                : how == side ? "given"
                              : "sup",
                0, op, limit, false, out);
      return;
    }
    if (how == "share" || how == "none")
      return stateRatios(match, level, op, how == "none" && limit < 1 ? 0 : limit, out);
    if (how == "rate") {
      const std::string_view counted = take(level, " ");
      const Number share = side == "<" ? limit : 1 - limit;
      if (0 <= share && share < 1)
        compare(match, share == 0 ? "sup" : "quantile", share,
                std::string(side == "<" ? level : counted), match.numbers[0], op == side, out);
    } else if (how == "quantile") {
      compare(match, how,
              *evaluate(side == "<" ? "1 - " + std::string(level) : level, match.numbers), op,
              limit, side == ">", out);
    } else if (how == "size") {
      if (side == "<")
        compare(match, how, 0, op, limit, false, out);
    } else if (how == side) {
      compare(match, "sup", 0, op, limit, false, out);
    } else if (isOneOf("mean deviation effective by_response", how)) {
      compare(match, how, 0, op, limit, false, out);
    }
  }

  /// All but a share of the tokens, or of the responses, have ratios from the first number on, and
  /// up to the second one. A share of none is of no token.
  void stateRatios(const Match& match, std::string_view names, const std::string& op,
                   const Number& share, std::vector<Statement>& out) const {
    if (!op.starts_with('<') || share < 0 || 1 <= share)
      return;
    for (std::size_t i = 0; !names.empty(); ++i) {
      const std::string_view name = take(names, " ");
      const bool isOfTokens = i == match.numbers.size();
      if (isOfTokens && share != 0)
        return;
      out.push_back({{std::string(name), share == 0 ? "sup" : "quantile", "", "", "", "", share,
                      match.numbers[isOfTokens ? 0 : i], false, op == "<"},
                     "<=",
                     scopes_});
    }
  }

  void compare(const Match& match, std::string_view quantifier, const Number& share,
               const std::string& op, const Number& limit, bool isOpen,
               std::vector<Statement>& out) const {
    const bool isBelow = op.starts_with('<') != isCounter();
    const bool isTail = isOneOf("sup quantile given", quantifier), isMean = quantifier == "mean";
    std::string metric = match.metric;
    if (!match.caps.empty()) {
      const Number &low = match.caps[0], &high = match.caps[1];
      if (isCounter() || !(isMean ? low == 0 && high <= 1 : isTail && low < limit && limit < high))
        return;
      // Between its caps, a capped ratio is the ratio.
      if (isTail)
        metric = metric == "capped_ratio" ? "ratio" : "seq_ratio";
    }
    const std::string side = isBelow ? "<" : ">",
                      quantifiers = isOneOf("deviation effective by_response", quantifier)
                                        ? std::string(quantifier)
                                        : "any " + std::string(isTail ? "tail" : quantifier);
    Fact fact = given("", isTail ? quantifier : "mean", 0);
    fact.strict = op.size() == 1;
    fact.share = share;
    fact.open = isOpen;
    for (std::string_view rest = comparisons; !rest.empty();) {
      const std::string row = nextRow(rest);
      std::string_view quantity = row, names = take(quantity, ": "), kind = take(names, " "),
                       which = take(names, " ");
      if (kind != (isCounter() ? "clause" : kind_) || !isOneOf(quantifiers, which) ||
          take(names, " ") != side || !isOneOf(names, metric))
        continue;
      const bool isNegated = quantity.starts_with("minus ");
      if (isNegated && isCounter())
        continue;
      quantity.remove_prefix(isNegated ? 6 : 0);
      std::string_view formula = quantity;
      quantity = take(formula, " = ");
      if (isCounter() && !formula.empty())
        continue;
      const Value bound = formula.empty() ? isNegated ? -limit : limit : evaluate(formula, {limit});
      if (!bound)
        continue;
      fact.quantity = quantity == "same" ? metric : quantity;
      fact.bound = *bound;
      out.push_back({fact, op, scopes_});
    }
  }

  Tokens& in_;
  const std::string& kind_;
  std::vector<std::string> scopes_;
};

/// A drift after so many equal layers, each of which takes x to gain·x + error.
Number grown(const Number& drift, Number gain, Number error, const Number& times) {
  const Number most(Integer(1).shifted(8192), 1);
  Number stretch = 1, sum;
  if (drift.isZero() && error.isZero())
    return 0;
  for (Integer left = times.floor();;) {
    if (!(left.shifted(-1).shifted(1) == left)) {
      sum = gain * sum + error;
      stretch = gain * stretch;
    }
    left = left.shifted(-1);
    if (left.sign() == 0)
      return stretch * drift + sum;
    error = gain * error + error;
    gain = gain * gain;
    require(gain + error <= most, "its layers' errors grow beyond any number");
  }
}

Number driftOf(const Tree& layers) {
  Number drift;
  for (const Tree& layer : layers.list()) {
    const Number times = numberOf(layer.find("repeat")), gain = numberOf(layer.find("gain")),
                 error = numberOf(&layer["error"]);
    require(times.isWhole() && 1 <= times && 0 <= gain && 0 <= error, unread);
    drift = grown(drift, gain, error, times);
  }
  return drift;
}

} // namespace

std::vector<Statement> readRequirement(const Tree& entry, const std::string& kind) {
  const bool isMap = entry.kind == '{';
  std::vector<Statement> out;
  Tokens in(scalarOf(isMap ? entry["require"] : entry));
  std::vector<std::set<std::string>> tails;
  do
    tails.push_back(Comparison(in, kind, itemsOf(entry.find("slices"))).read(out));
  while (in.take("and"));
  in.expect("");
  // What the last one says could be of it alone, or of all.
  for (const auto& tail : tails)
    require(std::includes(tail.begin(), tail.end(), tails.back().begin(), tails.back().end()),
            unread);
  return out;
}

std::vector<Fact> readGiven(const Tree& entry) {
  std::vector<Fact> out;
  if (entry.key == "staleness") {
    const Number steps = numberOf(&entry["steps"]), drift = numberOf(&entry["logit_osc"]);
    require(steps.isWhole() && 1 <= steps && 0 <= drift, unread);
    return {given("stale_steps", "given", steps), given("step_drift", "given", drift)};
  }
  if (entry.key == "layers")
    return {given("hidden_drift", "given", driftOf(entry))};
  auto match = matched(givenForms, entry.key + " : " + entry.print());
  require(match.has_value(), unread);
  for (const Number& number : match->numbers)
    require(number.isExact(), unread);
  for (std::string_view rest = match->conclusion; !rest.empty();) {
    std::string_view formula = take(rest, "; "), name = take(formula, " = "), how = take(name, " ");
    if (Value value = evaluate(formula, match->numbers))
      out.push_back(given(name == "K" ? std::string_view(entry.key) : name, how, *value));
  }
  return out;
}

std::vector<Fact> readEstimator(const Tree& estimator, bool isMean, bool isWeighted,
                                bool isGrouped) {
  std::string row = rowOf(estimators, scalarOf(estimator));
  std::string_view rest = row;
  for (int skipped = (isWeighted ? 1 : 0) + (isGrouped ? 2 : 0) + (isMean ? 4 : 0); skipped > 0;
       --skipped)
    take(rest, " ");
  std::vector<Fact> out = {given(take(rest, " "), "given", 0)};
  if (isWeighted && !isGrouped && isOneOf("step sequence", estimator.text))
    out.push_back(given("pg_prefix", "mean", 0)); // its weights reach all of what it sums
  return out;
}

bool isMeanOfTokens(const Tree* loss) {
  const bool isMean = loss != nullptr && scalarOf(*loss) == "seq_mean_token_mean";
  require(loss == nullptr || isMean || isMeanOfBatch(loss) || loss->text == "seq_mean_token_sum",
          unread);
  return isMean;
}

bool isMeanOfBatch(const Tree* loss) { return loss != nullptr && scalarOf(*loss) == "token_mean"; }

const std::string& scalarOf(const Tree& tree) {
  require(tree.kind == '"' || tree.kind == 'a', unread);
  return tree.text;
}

std::vector<std::string> itemsOf(const Tree* tree) {
  if (tree == nullptr || tree->kind != '[')
    return tree == nullptr ? std::vector<std::string>{} : std::vector{scalarOf(*tree)};
  std::vector<std::string> out;
  for (const Tree& item : tree->items)
    out.push_back(scalarOf(item));
  return out;
}

Number numberOf(const Tree* tree) {
  const std::string text = tree == nullptr ? "1" : scalarOf(*tree);
  Tokens in(text);
  Number out = readAmount(in);
  require(in.is("") && out.isExact(), unread);
  return out;
}

} // namespace verify
