#include "unit/Checked.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace tikc::tests {
namespace {

/// Random contracts, right in form but not always in meaning, in random styles of YAML.
class Generator {
public:
  explicit Generator(unsigned seed) : random_(seed) {}

  std::string contract() {
    std::string out =
        "tikc: v1\ncontract: " + pick({"a", "qwen3-8b.rl", "\"x_1\""}) + "\nversion: 1.2.3\n";
    if (chance())
      out += "draft: " + pick({"true", "false"}) + "\n";
    if (chance())
      out += "summary: " + text() + "\n";
    if (chance())
      out += "owners: [" + text() + ", " + text() + "]\n";
    out += "labels: { task: [math, code, " + text() + "] }\n";
    out += "kernels:\n";
    for (const char* name : {"train", "middle", "serve"})
      out += fmt::format("  {}: {{ engine: {}{} }}\n", name, text(), kernelTail());
    out += chance() ? "pair: { train: train, infer: serve }\n" : "chain: [train, middle, serve]\n";
    out += fmt::format("model: {{ vocabulary: {}, horizon: {} tokens, temperature: {} }}\n",
                       whole(), whole(), number());
    out += fmt::format(
        "load: {{ tokens: {} per s, requests: {} requests per min, steps: {} per h }}\n", whole(),
        whole(), whole());
    out +=
        "assumptions:\n  support: " + pick({"full", "{ missing_mass: 1e-4 }", "{ top_p: 99.9% }"}) +
        "\n";
    out +=
        fmt::format("  reward: [-{}, {}]\n  correction: {}\n  discount: 0.99\n", number(), number(),
                    pick({"none", "is", "tis(2.5)", "\"mis(0.5, 2)\"", "clip(c=0.2)"}));
    out += "slices:\n";
    for (int i = 0; i < 3; ++i)
      out += fmt::format("  s{}: {{ when: {}, weight: {} }}\n", i, scalar(predicate(2)),
                         pick({"20%", "0.2", "0.001"}));
    for (const char* family : {"numerical", "statistical", "runtime"}) {
      out += fmt::format("{}:\n", family);
      for (int i = 0; i < 4; ++i)
        out += clause(fmt::format("{}_{}", family, i));
    }
    out += "observability:\n  rows: " + scalar("sample(logits, " + pick({"0.2%", "1e-3"}) + ")") +
           "\n  keep: retain(violations, 30 d)\n";
    out += "claims:\n  c: mean(tv) <= " + number() +
           "\n  d: " + scalar("ess >= 78% and max(ratio) <= 3") + "\n";
    out += "escalation:\n";
    for (int i = 0; i < 3; ++i)
      out += fmt::format("  r{}: {{ when: {}, do: {}, until: {} }}\n", i, scalar(trigger(2)),
                         pick({"hold", "[hold, rollback]", "'route(train, probe=1%)'",
                               "['alert(\"on-call \\\\ \\\" x\")', hold]"}),
                         scalar(trigger(1)));
    out +=
        fmt::format("promotion:\n  shadow: {{ traffic: {}%, window: {} min, tokens: {} tokens }}\n",
                    1 + roll(99), whole(), whole());
    return out;
  }

private:
  std::size_t roll(std::size_t sides) { return random_() % sides; }
  bool chance() { return roll(2) == 0; }
  std::string pick(std::initializer_list<const char*> choices) {
    return choices.begin()[roll(choices.size())];
  }
  std::string whole() { return std::to_string(1 + roll(5000)); }
  std::string number() {
    return pick({"0.5", "1", "1e-4", "2.25", "0.000001", "12", "3e2", "0.30"});
  }
  std::string text() {
    return pick({"vllm", "\"é \\\"quoted\\\" \\\\ \\t\"", "'it''s'", "\"# not: a comment\"",
                 "\"日本語\"", "\"\\u0007\""});
  }

  std::string kernelTail() {
    std::string out;
    if (chance())
      out += ", weights: bf16, kv_cache: " + pick({"fp8_e4m3", "\"q5_k\""});
    if (chance())
      out +=
          ", deterministic: true, parallel: { tp: 8, cp: 2 }, routing_replay: true, router: fp32, "
          "experts: 64, experts_per_token: 8, flags: { graphs: true, chunk: 512, mode: 'true' }, "
          "x-mine: [1, { z: 2 }]";
    if (chance())
      out += ", sampling: { temperature: 0.7, top_p: 95%, top_k: 40 }";
    return out;
  }

  /// The expression in one of the styles that hold it on one line.
  std::string scalar(const std::string& expression) {
    std::string single, twice;
    for (char c : expression) {
      single += c == '\'' ? "''" : std::string(1, c);
      twice += c == '"' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
    }
    return chance() ? "'" + single + "'" : "\"" + twice + "\"";
  }

  std::string predicate(int depth) {
    if (depth > 0 && chance())
      return fmt::format(fmt::runtime(chance() ? "({0}) {2} ({1})" : "not ({1} {2} {1}) and {0}"),
                         predicate(depth - 1), pick({"prompt_tokens >= 8192", "top_p < 0.9"}),
                         pick({"and", "or"}));
    return pick({"prompt_tokens >= 8192", "task == \"math\"", "task in {\"math\", \"code\"}",
                 "top_p < 0.9", "model_version != \"v\\\\2\""});
  }

  std::string trigger(int depth) {
    std::string state = pick({"violated", "undecided", "satisfied"}) + "(" +
                        pick({"any", "numerical_0", "runtime_1"}) + ")";
    if (chance())
      state += " for " + whole() + " windows";
    return depth > 0 && chance()
               ? fmt::format("{} {} {}", state, pick({"and", "or"}), trigger(depth - 1))
               : state;
  }

  std::string clause(const std::string& id) {
    std::string comparison =
        pick({"max(logit_osc)", "p99(abs(logprob_gap))", "quantile(tv, 0.9995)", "rate(ratio > 2)",
              "mean(clipped(0.5, 2))", "ess_sample"}) +
        pick({" <= ", " >= ", " < "}) + number();
    std::string tail;
    if (chance())
      tail += " on " + pick({"all", "s0", "s0, other"});
    if (chance())
      tail += " over " + pick({"50_000 tokens", "10 min", "6 windows", "1 step", "3 steps"});
    if (chance())
      tail += " with confidence 99.5%";
    comparison += tail;
    // Of two, the last says nothing that the first does not say.
    if (chance())
      comparison += " and mean(k3) in [0, " + number() + " nat]" + (chance() ? tail : "");
    if (chance())
      return fmt::format("  {}: {}\n", id, scalar(comparison));
    return fmt::format("  {}:\n    require: {}\n    severity: warning\n    because: {}\n    link: "
                       "[train, serve]\n",
                       id, scalar(comparison), text());
  }

  std::mt19937 random_;
};

std::vector<std::string> codes(const Checked& checked) {
  std::vector<std::string> out;
  for (const diag::Diagnostic& found : checked.diagnostics())
    out.push_back(std::string(diag::info(found.code).id) + " " + found.message);
  std::sort(out.begin(), out.end());
  return out;
}

TEST(Print, ReadsBackAsTheSameContract) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    std::string text = Generator(seed).contract();
    Checked first(text);
    ASSERT_EQ(first.contracts().size(), 1u) << text;
    std::string printed = model::print(first.contracts()[0]);
    Checked second(printed);
    ASSERT_EQ(second.contracts().size(), 1u) << printed;
    ASSERT_EQ(model::print(second.contracts()[0]), printed) << text;
    ASSERT_EQ(second.contracts()[0].clauses.size(), first.contracts()[0].clauses.size());
    for (std::size_t i = 0; i < first.contracts()[0].clauses.size(); ++i)
      ASSERT_EQ(second.contracts()[0].clauses[i].bounds.size(),
                first.contracts()[0].clauses[i].bounds.size())
          << text;
    ASSERT_EQ(codes(second).size(), codes(first).size()) << text << printed;
  }
}

} // namespace
} // namespace tikc::tests
