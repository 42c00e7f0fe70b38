#include "verifier/Text.h"

#include <map>

namespace verify {
namespace {

// What a comparison of a metric states: of a supremum or a quantile (tail), a mean, or any of them.
// "same" is the quantity of the metric's name, and "minus" changes the sign.
constexpr std::string_view comparisons = R"(
clause any <= logit_linf logit_osc logit_l2 logit_rel logprob_linf tv hellinger kl_train_infer kl_infer_train chi2 js
  entropy_gap top1_flip missing_mass: same
clause any >= top1_margin: same
clause any <= tv: plain_tv
clause mean <= tv_sampled: sampled_tv
clause mean <= k1: sampled_k1
clause mean <= k2: sampled_k2
clause mean <= k3: sampled_k3
clause mean <= seq_tv: seq_sampled_tv
clause any <= abs(logprob_gap): sampled_abs_gap
clause any <= abs(seq_log_ratio): seq_sampled_abs_gap
clause tail <= abs(logprob_gap): sampled_gap
clause tail <= abs(seq_log_ratio): seq_sampled_gap
clause tail >= logprob_gap: minus sampled_gap
clause tail >= seq_log_ratio: minus seq_sampled_gap
clause mean >= logprob_gap: minus sampled_k1
clause tail >= ratio: sampled_ratio
claim any <= tv kl_train_infer kl_infer_train chi2 hellinger js entropy_gap top1_flip step_reward_drift seq_tv seq_kl reward_drift
  discounted_reward_drift pg_bias: same
claim any >= ess seq_ess: same
claim tail <= ratio seq_ratio: same
claim tail >= ratio: ratio_floor
claim tail >= seq_ratio: seq_ratio_floor)";

class Comparison {
public:
  Comparison(Tokens& in, std::string kind, std::vector<std::string> scopes)
      : in_(in), kind_(std::move(kind)), scopes_(std::move(scopes)) {}

  void read(std::vector<Statement>& out) {
    subject();
    std::vector<std::pair<std::string, Amount>> limits;
    if (in_.take("in")) {
      in_.expect("[");
      limits.emplace_back(">=", readAmount(in_));
      in_.expect(",");
      limits.emplace_back("<=", readAmount(in_));
      in_.expect("]");
    } else {
      std::string op = in_.any();
      require(isOneOf("<= < >= > ==", op), "its text cannot be read: a comparison is expected");
      limits.emplace_back(op == "==" ? "<=" : op, readAmount(in_));
      if (op == "==")
        limits.emplace_back(">=", limits[0].second);
    }
    tails();
    for (const auto& [op, limit] : limits)
      state(op, limit, out);
  }

private:
  void subject() {
    static const std::map<std::string, Number> levels = {{"p50", {1, 2}},       {"p90", {9, 10}},
                                                         {"p95", {19, 20}},     {"p99", {99, 100}},
                                                         {"p999", {999, 1000}}, {"quantile", 0}};
    aggregate_ = in_.name();
    if (!in_.take("(")) {
      metric_ = aggregate_;
      aggregate_ = kind_ == "claim" ? "mean" : "";
      return;
    }
    metric_ = in_.name();
    if (in_.take("(")) {
      if (metric_ == "abs")
        metric_ += "(" + in_.name() + ")";
      else
        do
          parameters_.push_back(readAmount(in_).value);
        while (in_.take(","));
      in_.expect(")");
    }
    if (auto level = levels.find(aggregate_); level != levels.end())
      level_ = level->second;
    isQuantile_ = levels.contains(aggregate_);
    if (aggregate_ == "quantile") {
      in_.expect(",");
      level_ = readAmount(in_).value;
    }
    if (aggregate_ == "rate" && (in_.take("<") || in_.take("<=")))
      parameters_.push_back(readAmount(in_).value);
    in_.expect(")");
  }

  void tails() {
    while (!in_.is("") && !in_.is("and")) {
      if (in_.take("on")) {
        if (in_.take("slices"))
          continue;
        scopes_.clear();
        do
          scopes_.push_back(in_.take("all") ? "*" : in_.name());
        while (in_.take(","));
      } else if (in_.take("over")) {
        readAmount(in_);
        if (!in_.is("on") && !in_.is("with") && !in_.is("and") && !in_.is(""))
          in_.name();
      } else {
        in_.expect("with");
        in_.expect("confidence");
        readAmount(in_);
      }
    }
  }

  void state(const std::string& op, const Amount& limit, std::vector<Statement>& out) const {
    const bool isUpper = op[0] == '<';
    if (!parameters_.empty()) { // what is cut off is a share of the tokens
      bool isShare = isOneOf("mean veto|mean clipped|rate ratio", aggregate_ + " " + metric_);
      if (kind_ == "clause" && isShare && isUpper && !limit.inBits)
        out.push_back({{"sampled_ratio", "quantile", "", "", limit.value, parameters_[0]},
                       op,
                       false,
                       scopes_});
      return;
    }
    bool isTail = isQuantile_ || aggregate_ == (isUpper ? "max" : "min");
    if (!isTail && aggregate_ != "mean")
      return;
    std::string quantifier = isQuantile_ ? "quantile" : isTail ? "sup" : "mean";
    Number share = isQuantile_ ? isUpper ? 1 - level_ : level_ : Number(0);
    for (std::string_view rest = comparisons; !rest.empty();) {
      const std::string text = nextRow(rest), side = isUpper ? " <=" : " >=";
      std::string_view quantity = text, names = take(quantity, ": "), head = names;
      head = head.substr(0, names.find('=') + 1);
      bool fits =
          head == kind_ + " any" + side || head == kind_ + (isTail ? " tail" : " mean") + side;
      if (!fits || !isOneOf(names.substr(head.size()), metric_))
        continue;
      bool isNegated = quantity.starts_with("minus ");
      quantity.remove_prefix(isNegated ? 6 : 0);
      std::string name = quantity == "same" ? metric_ : std::string(quantity);
      Number bound = isNegated ? -limit.value : limit.value;
      out.push_back({{name, quantifier, "", "", share, bound}, op, limit.inBits, scopes_});
    }
  }

  Tokens& in_;
  std::string kind_;
  std::vector<std::string> scopes_;
  std::string aggregate_, metric_;
  Number level_;
  bool isQuantile_ = false;
  std::vector<Number> parameters_; // clipped(low, high), veto(low), rate(ratio < low)
};

} // namespace

Amount readAmount(Tokens& in) {
  const bool isNegative = in.take("-");
  Amount out{in.number()};
  out.value = isNegative ? -out.value : out.value;
  if (in.take("%"))
    out.value = out.value * Number(1, 100);
  else if (!in.take("nat") && !in.take("tokens") && !in.take("requests") && !in.take("sequences"))
    out.inBits = in.take("bit");
  return out;
}

std::vector<Statement> readRequirement(std::string_view text, const std::string& kind,
                                       const std::vector<std::string>& scopes) {
  std::vector<Statement> out;
  Tokens in(text);
  do
    Comparison(in, kind, scopes).read(out);
  while (in.take("and"));
  in.expect("");
  return out;
}

} // namespace verify
