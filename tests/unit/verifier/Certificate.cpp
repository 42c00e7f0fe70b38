#include "unit/verifier/Certificate.h"

namespace verify::tests {
namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (char c : text)
    if (c == '\n')
      out += "\\n";
    else if (c == '"' || c == '\\')
      out += std::string("\\") + c;
    else
      out += c;
  return out + "\"";
}

std::string placed(const QuoteText& quote) {
  return "\"file\":0,\"from\":" + std::to_string(quote.from);
}

std::string factText(const FactText& fact) {
  std::string share = fact.share.empty() ? "" : ",\"share\":" + quoted(fact.share);
  std::string about = fact.laws.empty() && fact.drawn.empty()
                          ? ""
                          : ",\"laws\":" + quoted(fact.laws) + ",\"drawn\":" + quoted(fact.drawn);
  return "{\"quantity\":" + quoted(fact.quantity) + ",\"quantifier\":" + quoted(fact.quantifier) +
         share + ",\"scope\":" + quoted(fact.scope) + ",\"link\":" + quoted(fact.link) + about +
         "}";
}

template <typename List, typename Print> std::string listed(const List& list, Print print) {
  std::string out = "[";
  for (const auto& item : list)
    out += (out.size() > 1 ? "," : "") + print(item);
  return out + "]";
}

const auto numeral = [](int id) { return std::to_string(id); };

std::string inputText(const InputText& input) {
  std::string place = input.isWritten ? "," + placed(input.quote) : "";
  return "{\"id\":" + numeral(input.id) + place + ",\"fact\":" + factText(input.fact) +
         ",\"value\":" + quoted(input.value) + "}";
}

std::string stepText(const StepText& step) {
  std::vector<int> args = step.args;
  args.insert(args.end(), step.under.begin(), step.under.end());
  return "{\"id\":" + numeral(step.id) + ",\"lemma\":" + quoted(step.lemma) +
         ",\"curve\":" + quoted(step.curve) + ",\"args\":" + listed(args, numeral) +
         ",\"params\":" + listed(step.params, quoted) + ",\"fact\":" + factText(step.fact) +
         ",\"bound\":" + quoted(step.bound) + "}";
}

std::string claimText(const ClaimText& claim) {
  return "{\"id\":" + quoted(claim.id) + "," + placed(claim.quote) +
         ",\"scope\":" + quoted(claim.fact.scope) + ",\"fact\":" + factText(claim.fact) +
         ",\"op\":" + quoted(claim.op) + ",\"budget\":" + quoted(claim.budget) +
         ",\"verdict\":" + quoted(claim.verdict) + ",\"step\":" + numeral(claim.step) + "}";
}

} // namespace

FactText ofEnds(const std::string& quantity) { return {quantity, "given", "", ""}; }

FactText ofAll(const std::string& quantity) { return {quantity, "given", "", "", "", "", ""}; }

QuoteText Certificate::quote(const std::string& text) const {
  std::size_t from = contract.find(text);
  return {text, from};
}

Certificate Certificate::with(const std::string& from, const std::string& to) const {
  Certificate out = *this;
  out.contract.replace(out.contract.find(from), from.size(), to);
  for (InputText& input : out.inputs)
    input.quote = out.quote(input.quote.text);
  const std::size_t section = out.contract.find("\nclaims:");
  for (ClaimText& claim : out.claims)
    claim.quote.from =
        out.contract.find(claim.quote.text.substr(0, claim.quote.text.find(':') + 1), section);
  return out;
}

void Certificate::input(int id, const std::string& text, FactText fact, const std::string& value) {
  inputs.push_back({id, quote(text), std::move(fact), value});
}

void Certificate::step(int id, const std::string& lemma, std::vector<int> args, FactText fact,
                       const std::string& bound, std::vector<int> under,
                       std::vector<std::string> params) {
  steps.push_back({id, lemma, "", std::move(args), std::move(params), std::move(under),
                   std::move(fact), bound});
}

void Certificate::claim(const std::string& id, const std::string& text, FactText fact,
                        const std::string& budget, int step, const std::string& op) {
  claims.push_back({id, quote(text), std::move(fact), op, budget, "proved", step});
}

std::string Certificate::json() const {
  return "{\"certificate\":\"tikc-3\",\"lemmas\":\"test\",\"contract\":\"test\",\"version\":null,"
         "\"build\":{},\"precision\":" +
         std::to_string(precision) + ",\"files\":[{\"name\":\"a.tikc.yaml\",\"text\":" +
         quoted(quotedFile.empty() ? contract : quotedFile) +
         "}],\"inputs\":" + listed(inputs, inputText) + ",\"steps\":" + listed(steps, stepText) +
         ",\"claims\":" + listed(claims, claimText) + "}";
}

Verdict Certificate::check() const { return verify::check(json(), {{"a.tikc.yaml", contract}}); }

mpz_class whole(const Integer& x) {
  mpz_class out = 0, scale = 1;
  for (Integer rest = x.sign() < 0 ? -x : x; rest.sign() != 0; rest = rest.shifted(-30)) {
    out += scale * static_cast<long>((rest - rest.shifted(-30).shifted(30)).small());
    scale <<= 30;
  }
  return x.sign() < 0 ? mpz_class(-out) : out;
}

mpq_class parse(const std::string& text) { return mpq_class(text); }

std::string print(const mpq_class& x) { return x.get_str(); }

Number function(const std::string& formula, const Number& argument) {
  return *evaluate(formula, {argument});
}

std::string below(const Number& x, int places) {
  Precision precision(places + 128);
  mpq_class out(whole((x * Number(Integer(1).shifted(places), 1)).floor()), mpz_class(1) << places);
  out.canonicalize();
  return print(out);
}

std::string above(const Number& x, int places) { return print(-parse(below(-x, places))); }

Certificate wholeExample() {
  Precision precision(512);
  Certificate out;
  out.contract = R"(tikc: v1
contract: test
kernels: { a: { engine: x }, b: { engine: x } }
pair: { train: a, infer: b }
model: { vocabulary: 1000, horizon: 64 tokens, temperature: 1.0 }
assumptions:
  support: full
  reward: [0, 1]
  advantage: 4   # |A| <= 4
  score_norm: 8
  estimator: step
  correction: none
numerical:
  worst_drift:
    require: max(logit_osc) <= 1
    because: Replay showed 0.6, and on good days 0.2.
  usual_drift: p99(logit_osc) <= 0.25
statistical:
  answers: { require: mean(seq_tv) <= 15% over 2_000 sequences with confidence 99%, severity: warning }
claims:
  token_tv: mean(tv) <= 0.065
  weights: ess >= 78%
  reward: reward_drift <= 0.15
  gradient: pg_bias <= 4.2
  whole: max(seq_tv) < 99.999%
  kl: max(kl_infer_train) <= 0.18 bit
)";
  out.input(0, "max(logit_osc) <= 1", {"logit_osc"}, "1");
  out.inputs.back().quote = out.quote("worst_drift:");
  out.input(1, "usual_drift: p99(logit_osc) <= 0.25", {"logit_osc", "quantile", "1/100"}, "1/4");
  out.input(2, "temperature: 1.0", {"temperature", "given", "", "", "a>b", "", ""}, "1");
  out.input(3, "support: full", ofEnds("full_support"), "0");
  out.input(4, "reward: [0, 1]", ofAll("reward_range"), "1");
  out.input(5, "advantage: 4", ofEnds("advantage"), "4");
  out.input(6, "score_norm: 8", ofEnds("score_norm"), "8");
  out.input(7, "estimator: step", ofEnds("step_plain"), "0");
  out.input(8,
            "answers: { require: mean(seq_tv) <= 15% over 2_000 sequences with confidence 99%, "
            "severity: warning }",
            {"seq_sampled_tv", "mean"}, "3/20");
  out.input(9, "horizon: 64 tokens", ofAll("horizon"), "64");

  Number small = function("tanh(a)", {1, 16}), large = function("tanh(a)", {1, 4});
  out.step(10, "L-OSC-TAU", {0, 2}, {"omega"}, "1");
  out.step(11, "L-OSC-TAU", {1, 2}, {"omega", "quantile", "1/100"}, "1/4");
  out.step(12, "L-TV-OSC", {10}, {"tv"}, above(large), {3});
  out.step(13, "L-TV-OSC", {11}, {"tv", "quantile", "1/100"}, above(small), {3});
  mpq_class mean = mpq_class(99, 100) * parse(above(small)) + parse(above(large)) / 100;
  out.step(14, "L-Q-MULTI", {13, 12}, {"tv", "mean"}, print(mean));
  Number ess = function("1 / (1 + square(sinh(a)))", {1, 2});
  out.step(15, "L-ESS-OSC", {10}, {"ess"}, below(ess), {3});
  out.step(16, "L-MEAN-SUP", {15}, {"ess", "mean"}, below(ess));
  out.step(17, "L-TV-EST", {8}, {"seq_tv", "mean"}, "3/20");
  out.step(18, "L-R-RANGE", {4, 17}, {"reward_drift", "mean"}, "3/20");
  out.step(19, "L-PG-B", {5, 6}, {"gradient", "given"}, "32");
  out.step(20, "L-PG-STEP", {19, 14}, {"pg_bias", "mean"}, print(64 * mean), {7});
  Number responses = function("sqrt(1 - exp(-128 * log(1 + 2 * square(sinh(a)))))", {1, 8});
  out.step(21, "L-SEQ-HEL", {10, 9}, {"seq_tv"}, above(responses), {3});
  Number kl = function("a / tanh(a) - 1 + log(sinh(a) / a)", {1, 2});
  out.step(22, "L-KL-OSC", {10}, {"kl_infer_train"}, above(kl), {3});

  out.claim("token_tv", "token_tv: mean(tv) <= 0.065", {"tv", "mean"}, "13/200", 14);
  out.claim("weights", "weights: ess >= 78%", {"ess", "mean"}, "39/50", 16, ">=");
  out.claim("reward", "reward: reward_drift <= 0.15", {"reward_drift", "mean"}, "3/20", 18);
  out.claim("gradient", "gradient: pg_bias <= 4.2", {"pg_bias", "mean"}, "21/5", 20);
  out.claim("whole", "whole: max(seq_tv) < 99.999%", {"seq_tv"}, "99999/100000", 21, "<");
  out.claim("kl", "kl: max(kl_infer_train) <= 0.18 bit", {"kl_infer_train"},
            below(Number(9, 50) * log(Number(2))), 22);
  return out;
}

Certificate sliceExample() {
  Certificate out;
  out.contract = R"(tikc: v1
contract: test
kernels: { a: { engine: x }, b: { engine: x } }
pair: { train: a, infer: b }
slices:
  math: { when: task == "math", weight: 40%, token_weight: 50% }
  code:
    when: task == "code"   # programs
    weight: 20%
    token_weight: 30%
statistical:
  math: { require: mean(tv_sampled) <= 2%, slices: [math] }
  code: mean(tv_sampled) <= 4% on code, other
  all: max(logprob_linf) <= 0.5 on all
claims:
  token_tv: tv <= 0.03 on all
  part: { require: max(ratio) <= 1.65, slices: [code] }
)";
  FactText share{"token_weight", "given", "", "math", "", "", ""};
  out.input(0, "math: { when: task == \"math\", weight: 40%, token_weight: 50% }", share, "1/2");
  share.scope = "code";
  out.input(1, "code:\n    when: task", share, "3/10");
  out.input(2, "math: { require: mean(tv_sampled) <= 2%, slices: [math] }",
            {"sampled_tv", "mean", "", "math"}, "1/50");
  out.input(3, "code: mean(tv_sampled) <= 4% on code, other", {"sampled_tv", "mean", "", "code"},
            "1/25");
  out.input(4, "code: mean(tv_sampled) <= 4% on code, other", {"sampled_tv", "mean", "", "other"},
            "1/25");
  out.input(5, "all: max(logprob_linf) <= 0.5 on all", {"logprob_linf", "sup", "", "*"}, "1/2");
  out.contract += "assumptions: { support: full }\n";
  out.input(6, "support: full", ofEnds("full_support"), "0");
  out.step(10, "L-TV-EST", {2}, {"tv", "mean", "", "math"}, "1/50");
  out.step(11, "L-TV-EST", {3}, {"tv", "mean", "", "code"}, "1/25");
  out.step(12, "L-TV-EST", {4}, {"tv", "mean", "", "other"}, "1/25");
  out.step(13, "L-MIX", {0, 10, 1, 11, 12}, {"tv", "mean", "", "*"}, "3/100");
  out.step(14, "L-ALL-SLICE", {5}, {"logprob_linf", "sup", "", "code"}, "1/2");
  out.step(15, "L-LR-LP", {14}, {"log_ratio_up", "sup", "", "code"}, "1/2", {6});
  out.step(16, "L-LR-RATIO", {15}, {"ratio", "sup", "", "code"}, above(exp(Number(1, 2))));
  out.claim("token_tv", "token_tv: tv <= 0.03 on all", {"tv", "mean", "", "*"}, "3/100", 13);
  out.claim("part", "part: { require: max(ratio) <= 1.65, slices: [code] }",
            {"ratio", "sup", "", "code"}, "33/20", 16);
  return out;
}

Certificate chainExample() {
  Certificate out;
  out.contract = R"(tikc: v1
contract: test
kernels: { a: { engine: x }, b: { engine: x }, c: { engine: x } }
chain: [a, b, c]
numerical:
  near: { require: p95(logit_osc) <= 0.4 nat, link: [a, b] }
  far: { require: max(logit_osc) <= 0.6, link: [b, c] }
  gap: { require: mean(abs(logprob_gap)) <= 0.05, link: [a, c] }
claims:
  near_flip: quantile(tv, 0.95) <= 0.245
  token_tv: tv <= 0.049
)";
  out.contract += "assumptions:\n  support: full\n";
  auto about = [](FactText fact, const std::string& link) {
    fact.link = link;
    fact.drawn = fact.drawn.empty() ? "" : "c";
    return fact;
  };
  out.input(0, "near: { require: p95(logit_osc) <= 0.4 nat, link: [a, b] }",
            about({"logit_osc", "quantile", "1/20"}, "a>b"), "2/5");
  out.input(1, "far: { require: max(logit_osc) <= 0.6, link: [b, c] }", about({"logit_osc"}, "b>c"),
            "3/5");
  out.input(2, "support: full", about(ofEnds("full_support"), "a>c"), "0");
  out.input(3, "gap: { require: mean(abs(logprob_gap)) <= 0.05, link: [a, c] }",
            about({"sampled_abs_gap", "mean"}, "a>c"), "1/20");
  out.input(4, "", about(ofAll("temperature"), "a>c"), "1");
  out.inputs.back().isWritten = false;
  out.step(10, "L-CH-OSC", {0, 1}, about({"logit_osc", "quantile", "1/20"}, "a>c"), "1");
  out.step(11, "L-OSC-TAU", {10, 4}, about({"omega", "quantile", "1/20"}, "a>c"), "1");
  out.step(12, "L-TV-OSC", {11}, about({"tv", "quantile", "1/20"}, "a>c"),
           above(function("tanh(a)", {1, 4})), {2});
  out.step(13, "L-TV-MALP", {3}, about({"tv", "mean"}, "a>c"), above(1 - exp(Number(-1, 20))));
  out.claim("near_flip", "near_flip: quantile(tv, 0.95) <= 0.245",
            about({"tv", "quantile", "1/20"}, "a>c"), "49/200", 12);
  out.claim("token_tv", "token_tv: tv <= 0.049", about({"tv", "mean"}, "a>c"), "49/1000", 13);
  return out;
}

} // namespace verify::tests
