#pragma once

#include "checker/plan/Figures.h"
#include "model/Expr.h"
#include "tikc/kinds.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What a contract's checker observes, keeps and decides. Numbers are in base units (seconds,
/// shares, nats), rounded to the nearest double once, here.
namespace tikc::plan {

/// The cuts of a kernel's distribution. The defaults cut nothing.
struct Cut {
  double topP = 1, minP = 0;
  std::uint32_t topK = 0;

  bool isAny() const { return topP < 1 || minP > 0 || topK > 0; }
};

/// Two kernels that observations compare, and the sampler of the tokens. The ends of the chain with
/// the server come first, then streams that clauses name.
struct Stream {
  std::string train, infer;
  std::string drawer; // a kernel, or `text`; empty: the server
  double trainTemperature = 1, inferTemperature = 1;
  /// Tokens that only the inference masks are declared as missing mass, and are not a fault of a
  /// row.
  bool allowsMissing = false;
  Cut cut; // of the inference kernel
};

/// Returns the name in generated code: trainer_to_rollout, a_to_b_drawn_by_b.
std::string streamName(const Stream& stream);

/// One number of an observation.
struct Signal {
  Figure figure{};
  std::uint32_t stream = 0;
  bool absolute = false;
  bool byResponse = false;        // a response's mean of a token figure
  std::vector<double> parameters; // for clipped and veto: ratios, ascending

  friend bool operator==(const Signal&, const Signal&) = default;
};

/// Returns the observation that the signal's values come from.
source sourceOf(const Signal& signal);

struct Register {
  std::uint32_t signal = 0;
  tikc::fold fold = tikc::fold::total;
  model::Comparator comparator{}; // for share
  double threshold = 0;           // for share
  bool countsNan = true;          // for share or nonzero: NaN counts if the clause does not want it

  friend bool operator==(const Register&, const Register&) = default;
};

/// A clause without a window has the stage's, which lasts from one evaluation to the next.
struct Window {
  window_unit unit = window_unit::stage;
  double amount = 1; // for Stage: one tick

  friend bool operator==(const Window&, const Window&) = default;
};

/// One side of a comparison: a value meets it if `value comparator bound`.
struct Limit {
  model::Comparator comparator{};
  double bound = 0;
};

/// One comparison of a clause, ready to be decided.
struct Check {
  std::string text; // such as p99(abs(logprob_gap)) <= 0.1 nat
  tikc::estimator estimator{};
  std::uint32_t signal = 0; // unused by sampled
  tikc::input input{};      // for sampled
  /// For a quantile or share, one per limit, then its sketch; or squares before a total.
  std::vector<std::uint32_t> registers;
  std::optional<std::uint32_t> worst; // the register of outliers
  /// The register of squares, which narrow the interval of a mean.
  std::optional<std::uint32_t> squares;
  /// The level of a quantile as a ratio, so that ranks need no rounding.
  std::uint32_t levelPart = 0, levelWhole = 1;
  std::vector<Limit> limits;   // all must hold
  std::optional<double> alpha; // one minus the confidence
  /// Fewer observations decide nothing.
  std::uint64_t least = 1;
  /// The range of the signal's values if both ends are known; a confidence needs it.
  std::optional<double> low, high;
  double unit = 1; // the author's unit in base units
  std::string symbol;
  std::uint32_t window = 0;
  std::uint32_t history = 0; // for a slope: the number of windows
  bool absolute = false;     // for a slope or a figure of a window: compare the absolute value
  bool onMixture = false;
  std::vector<std::uint32_t> slices; // ascending; unused for the mixture
};

struct Clause {
  std::string id;
  std::string because;
  bool countsAsAny = true;           // false for clauses about sampling
  std::vector<std::uint32_t> checks; // all must hold
};

/// An assumption of proofs: all values of a quantity are from `low` to `high`.
struct Assumption {
  std::string key;  // such as reward
  std::string text; // such as reward: [0, 1]
  quantity subject = quantity::unseen;
  double low = 0, high = 0; // unused for unseen
};

/// A check that a proof rests on, on a slice that the proof uses.
struct ProofCheck {
  std::uint32_t check = 0;
  std::uint32_t slice = 0; // 0 if the check is about the mixture
  auto operator<=>(const ProofCheck&) const = default;
};

struct Claim {
  std::string id;
  std::string text; // such as tv <= 0.05
  bool isProved = false;
  std::vector<std::uint32_t> assumptions; // the proof's assumptions, ascending
  std::vector<ProofCheck> grounds;        // the proof's checks, ascending
};

/// The requests of a slice. Fields are those of a request; a label's values are known.
struct Predicate {
  enum class Kind : std::uint8_t { Compare, In, Not, And, Or };
  struct Value {
    bool isText = false;
    double number = 0;
    std::string text;
  };
  Kind kind{};
  std::string field;
  model::Comparator comparator{};
  std::vector<Value> values; // a single one for Compare
  std::vector<Predicate> parts;
};

struct Slice {
  std::string name;
  std::optional<Predicate> when; // nothing for the remainder
  bool isEmpty = false;          // its declared weight is 0, so nothing is asked of it
};

/// A field of requests, whether or not a slice uses it.
struct Field {
  std::string name;
  bool isText = false;
};

struct Label {
  std::string name;
  std::vector<std::string> values;
};

/// A condition on the verdicts on one slice.
struct Trigger {
  trigger_kind kind{};
  std::optional<std::uint32_t> clause; // for a state; nothing for `any`
  std::uint32_t windows = 1;           // in a row
  std::vector<Trigger> parts;

  friend bool operator==(const Trigger&, const Trigger&) = default;
};

struct Action {
  action_kind kind{};
  std::string text;             // the receiver, the input, the correction or the kernel
  std::optional<double> first;  // the rate, the cap or the probe
  std::optional<double> second; // for a correction with two thresholds

  friend bool operator==(const Action&, const Action&) = default;
};

struct Step {
  std::uint32_t windows = 0; // its duration; 0 for as long as the rule is active
  std::vector<Action> actions;

  friend bool operator==(const Step&, const Step&) = default;
};

/// A machine of two states on each of its slices.
struct Rule {
  std::string id;
  std::string because;
  Trigger when;
  std::optional<Trigger> until; // nothing: latched until reset
  std::vector<Step> steps;
  std::vector<std::uint32_t> slices; // ascending

  friend bool operator==(const Rule&, const Rule&) = default;
};

struct Stage {
  std::string name;
  std::optional<double> traffic, tokens, sequences;
  std::optional<double> lasts; // seconds
  Window window;
  std::optional<double> confidence, corridor; // of its gate
};

struct Plan {
  std::string contract, version;
  bool isDraft = false; // its claims may be unproved
  /// A text that is equal for contracts whose numbers have the same meaning: model::meaning.
  std::string meaning;
  std::string build;            // of the serving kernel; empty if unknown
  std::string digest;           // of the weights
  std::uint64_t vocabulary = 0; // 0 if unknown
  std::vector<std::string> kernels;
  std::vector<Stream> streams;
  std::vector<Field> fields;
  std::vector<Label> labels;
  std::vector<Slice> slices;  // the remainder is last
  bool slicesByToken = false; // a slice may begin within a response
  std::vector<Signal> signals;
  std::vector<Register> registers;
  std::vector<Window> windows;
  std::vector<Check> checks;
  std::vector<Clause> clauses;
  std::vector<Assumption> assumptions; // watched ones first
  std::vector<Claim> claims;
  std::string metricPrefix = "tikc";
  std::vector<Rule> rules;
  std::vector<Stage> stages;

  bool reads(tikc::source kind) const;
  bool watches(quantity what) const;
  /// Returns the number of assumptions that numbers can contradict.
  std::size_t watched() const;
};

/// Prints a plan, for people and goldens.
std::string print(const Plan& plan);
/// Prints what is observed and kept: tallies of plans with equal texts hold the same.
std::string printObserved(const Plan& plan);

} // namespace tikc::plan
