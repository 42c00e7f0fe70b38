#include "suggest/Draft.h"

#include "bounds/numbers/Interval.h"
#include "data/Fault.h"
#include "support/Wrap.h"
#include "support/Yaml.h"

#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace tikc::suggest {
namespace {

/// Plain where everybody reads it so, those who take some words for truth values among them.
std::string scalar(std::string_view text) {
  static const std::set<std::string> otherwise{"true", "false", "null", "yes", "no",
                                               "on",   "off",   "y",    "n"};
  const bool isPlain = !text.empty() && llvm::isAlpha(text.front()) &&
                       !otherwise.contains(llvm::StringRef(text.data(), text.size()).lower()) &&
                       std::all_of(text.begin(), text.end(), [](char each) {
                         return llvm::isAlnum(each) ||
                                std::string_view("_-.=<>\" ").find(each) != std::string_view::npos;
                       });
  return isPlain ? std::string(text) : quoteYaml(text);
}

class Writer {
public:
  explicit Writer(const Draft& draft) : of_(draft) {}

  std::string take() {
    for (const std::string& line : of_.head)
      comment("", line);
    out_ += fmt::format("tikc: v1\ncontract: {}\nversion: 0.1.0\n", scalar(of_.options.name));
    if (of_.isProbe)
      out_ += "draft: true\n";
    out_ += "summary: Limits that recorded data of the two kernels satisfied.\n\n";
    parties();
    givens();
    slices();
    clauses();
    observability();
    claims();
    reactions();
    stages();
    return std::move(out_);
  }

private:
  void comment(std::string_view indent, const std::string& text) {
    std::string rest = wrapped(text, 0, 0);
    for (std::size_t end; !rest.empty(); rest.erase(0, end + 1)) {
      end = std::min(rest.find('\n'), rest.size() - 1);
      out_ += fmt::format("{}# {}\n", indent, rest.substr(0, rest.find('\n')));
    }
  }

  void parties() {
    comment("",
            "Data do not show what the kernels are: add version, weights, compute, kv_cache and "
            "logits, and state in `logprobs` what the server logs.");
    out_ += fmt::format("kernels:\n  trainer: {{ engine: {} }}\n  rollout: {{ engine: {} }}\n"
                        "pair: {{ train: trainer, infer: rollout }}\n",
                        scalar(of_.options.trainer), scalar(of_.options.server));
    if (of_.vocabulary != 0)
      out_ += fmt::format("model: {{ vocabulary: {} }}\n", of_.vocabulary);
    if (of_.options.load) {
      const double tokens = of_.options.load->get_d();
      out_ += fmt::format("load: {{ tokens: {} per s", printRational(*of_.options.load));
      if (of_.meanLength > 0)
        out_ += fmt::format(", requests: {} per s", roundedUp(tokens / of_.meanLength));
      out_ += " }\n";
    }
    if (!of_.partition.values.empty()) {
      out_ += fmt::format("labels: {{ {}: [", of_.partition.label);
      for (std::size_t i = 0; i < of_.partition.values.size(); ++i)
        out_ += (i == 0 ? "" : ", ") + quoteYaml(of_.partition.values[i]);
      out_ += "] }\n";
    }
    out_ += '\n';
  }

  void givens() {
    const std::string assumptions = assumptionsText(of_.options);
    if (assumptions.empty())
      return;
    comment("", "Taken as given from the command line; data cannot prove it.");
    if (of_.options.advantage && of_.options.scoreNorm)
      comment("", "`estimator` and `correction` are guesses that the claim on the gradient depends "
                  "on: state those of your loss.");
    out_ += assumptions + '\n';
  }

  void slices() {
    if (!of_.partition.isAny())
      return;
    comment("", "Slices whose responses differ by more than chance. Weights are shares of the "
                "observed responses. A condition must be known when a request arrives.");
    out_ += "slices:\n";
    for (const ProposedSlice& each : of_.partition.slices) {
      comment("  ", each.why);
      out_ += fmt::format("  {}: {{ when: {}", each.name, scalar(each.when));
      if (each.weight > 0)
        out_ += fmt::format(", weight: {}%", each.weight);
      out_ += " }\n";
    }
    out_ += '\n';
  }

  void clauses() {
    const bool isOfRows = of_.source == Brings::Rows;
    comment("", fmt::format("A limit is the upper end of the interval at {} in the worst window, "
                            "plus the stated margin, rounded up to two digits.",
                            of_.confidence()));
    for (const std::string& line : of_.left)
      comment("", line);
    out_ += isOfRows ? "numerical:\n  finite: count(nonfinite) == 0\n" : "statistical:\n";
    for (const DraftClause& each : of_.clauses) {
      if (!each.comment.empty())
        comment("  ", each.comment);
      out_ += fmt::format("  {}: {}\n", each.id, each.require(of_));
    }
    out_ += '\n';
  }

  void observability() {
    if (of_.source == Brings::Rows) {
      comment("", fmt::format("A stage's window needs about {} rows of each slice; with fewer, "
                              "intervals are wider.",
                              data::grouped(of_.tokens)));
      out_ += "observability:\n  rows: sample(logits, 100%)\n\n";
      return;
    }
    out_ += fmt::format("observability:\n  tokens: sample(logprobs, 100%)\n"
                        "  coherent: coherent(logprobs, {})\n\n",
                        of_.confidence());
  }

  void claims() {
    if (of_.claims.empty())
      return;
    comment("", "What follows from the clauses, as `tikc explain` derives it.");
    out_ += "claims:\n";
    for (const DraftClaim& each : of_.claims)
      out_ += fmt::format("  {}: {}\n", each.id, each.require());
    out_ += '\n';
  }

  void reactions() {
    comment("", "Add the receivers of alerts, and other reactions.");
    out_ += "escalation:\n";
    if (of_.source == Brings::Rows)
      out_ += "  poison: { when: violated(finite), do: alert(\"on-call\") }\n";
    else
      out_ += "  logs: { when: violated(coherent), do: [hold, alert(\"on-call\")], until: "
              "satisfied(coherent) for 6 windows }\n";
    out_ +=
        "  worse: { when: violated(any) for 2 windows, do: [hold, alert(\"on-call\")], until: "
        "satisfied(any) for 6 windows }\n"
        "  silent: { when: undecided(any) for 6 windows, do: hold, until: not undecided(any) }\n\n";
  }

  /// Ten windows of the smallest slice are asked for before traffic grows.
  void stages() {
    constexpr double windows = 10, canary = 0.05, coherentTokens = 2000;
    double share = 1;
    double all = 0;
    for (const ProposedSlice* each : of_.partition.all())
      all += static_cast<double>(each->tokens + each->rows);
    for (const ProposedSlice* each : of_.partition.all())
      if (each->tokens + each->rows > 0)
        share = std::min(share, static_cast<double>(each->tokens + each->rows) / all);
    const double wanted =
        std::ceil(windows * static_cast<double>(of_.tokens) / share / 1000) * 1000;
    double minutes = 10, hours = 2;
    if (of_.options.load) {
      const double served = of_.options.load->get_d() * canary;
      minutes = std::max(minutes, std::ceil(coherentTokens / share / served / 60));
      hours = std::max(hours, std::ceil(wanted / served / 3600));
    }
    const std::string tokens = counted(static_cast<std::uint64_t>(wanted));
    comment("",
            fmt::format("Ten windows of the smallest slice before traffic grows{}. A gate may "
                        "need more: `tikc gate --dry-run` states how much.",
                        of_.options.load ? "" : "; with --load, this states how long it takes"));
    out_ += fmt::format("promotion:\n  offline: {{ tokens: {0} tokens }}\n"
                        "  canary: {{ traffic: 5%, window: {1:g} min, tokens: {0} tokens, lasts: "
                        "{2:g} h }}\n  full: {{ traffic: 100%, window: {1:g} min }}\n",
                        tokens, minutes, hours);
  }

  const Draft& of_;
  std::string out_;
};

} // namespace

std::string DraftClause::require(const Draft& draft) const {
  std::string out = fmt::format("{} <= {}", measure, limit);
  if (slice != nullptr)
    out += fmt::format(" on {}", slice->name);
  // Windows count tokens and responses; what is seen of rows is as much as a stage's window brings.
  if (figure->source == Brings::Tokens)
    out += figure->per == Per::Token ? fmt::format(" over {} tokens", counted(draft.tokens))
                                     : fmt::format(" over {} sequences", counted(draft.responses));
  return out + fmt::format(" with confidence {}", draft.confidence());
}

std::string DraftClaim::require() const {
  return fmt::format("{} {} {}{}", quantity, isLower ? ">=" : "<=", limit,
                     slice.empty() ? std::string() : " on " + slice);
}

std::string assumptionsText(const SuggestionOptions& options) {
  const bool hasGradient = options.advantage && options.scoreNorm;
  if (!options.reward && !hasGradient && !options.hasFullSupport)
    return {};
  std::string out = "assumptions:\n";
  if (options.hasFullSupport)
    out += "  support: full\n";
  if (options.reward)
    out += fmt::format("  reward: [{}, {}]\n", printRational(options.reward->first),
                       printRational(options.reward->second));
  if (hasGradient)
    out += fmt::format("  advantage: {}\n  score_norm: {}\n  estimator: step\n"
                       "  correction: none\n",
                       printRational(*options.advantage), printRational(*options.scoreNorm));
  return out;
}

std::string Draft::text() const { return Writer(*this).take(); }

std::string Draft::confidence() const { return percent(options.confidence); }

std::string counted(std::uint64_t number) {
  std::string out = data::grouped(number);
  std::replace(out.begin(), out.end(), ',', '_');
  return out;
}

std::string roundedUp(double number) {
  constexpr unsigned digits = 2;
  if (!(number > 0))
    return "0";
  return bounds::decimal(Rational(number), digits, bounds::Rounding::Up);
}

std::string percent(const Rational& share) { return printRational(share * 100) + "%"; }

} // namespace tikc::suggest
