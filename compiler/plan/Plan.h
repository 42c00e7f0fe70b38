#pragma once

#include "model/Expr.h"
#include "plan/Figures.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What a contract's checker observes, keeps and decides. Numbers are in base units (seconds,
/// shares, nats) and rounded to the nearest double, once, here.
namespace tikc::plan {

std::string_view sourceName(StreamSource source);

/// What a kernel cuts from its law; as it stands, nothing.
struct Cut {
  double topP = 1, minP = 0;
  std::uint32_t topK = 0;

  bool isAny() const { return topP < 1 || minP > 0 || topK > 0; }
};

/// Two kernels that observations compare, and who drew what they are measured on: the ends of the
/// chain and the server first, then what clauses name.
struct Stream {
  std::string train, infer;
  std::string drawer; // a kernel, or `text`; empty: the server
  double trainTemperature = 1, inferTemperature = 1;
  /// Tokens that the inference alone masks are declared to be missing, and no fault of a row.
  bool allowsMissing = false;
  Cut cut; // the inference's
};

/// As generated code calls it: trainer_to_rollout, a_to_b_drawn_by_b.
std::string streamName(const Stream& stream);

/// One number an observation gives.
struct Signal {
  Figure figure{};
  std::uint32_t stream = 0;
  bool absolute = false;
  bool byResponse = false;        // of a token's figure: a response's mean of it
  std::vector<double> parameters; // of clipped and veto: ratios, ascending

  friend bool operator==(const Signal&, const Signal&) = default;
};

/// What its values are of.
StreamSource sourceOf(const Signal& signal);

/// What is kept of a signal's values in a slice.
enum class Fold : std::uint8_t {
  Total,    // their sum
  Squares,  // the sum of their squares
  Largest,  // the largest, and where it was
  Smallest, //
  Nonzero,  // how many are not zero
  Share,    // how many compare so with the threshold
  Sketch,   // their distribution, to a stated error
  Moments   // what a window's own figure is computed from: its figure says which
};

std::string_view name(Fold fold);

struct Register {
  std::uint32_t signal = 0;
  Fold fold = Fold::Total;
  model::Comparator comparator{}; // of a Share
  double threshold = 0;           // of a Share
  bool countsNan = true; // of a Share or Nonzero: not a number is where the clause does not want it

  friend bool operator==(const Register&, const Register&) = default;
};

/// What ends a window; a clause without one has the stage's, which goes from one evaluation to the
/// next.
struct Window {
  enum class Unit : std::uint8_t { Stage, Ticks, Seconds, Tokens, Sequences, Requests, Steps };
  Unit unit = Unit::Stage;
  double amount = 1; // of Stage: one tick

  friend bool operator==(const Window&, const Window&) = default;
};

enum class Estimator : std::uint8_t {
  Largest,
  Smallest,
  Mean,
  RootMeanSquare,
  Deviation,
  EffectiveShare,
  Quantile,
  Share,
  Total,
  Nonzero,
  WindowFigure,
  Slope,
  Sampled,  // the share of what was served that was observed
  Coherence // what sampled tokens show of whose law their log-probs are of
};
std::string_view name(Estimator estimator);

/// One side of a comparison: the value meets it where `value comparator bound`.
struct Limit {
  model::Comparator comparator{};
  double bound = 0;
};

/// What a sampling clause wants a share of.
enum class Input : std::uint8_t { Rows, Routes, Tokens, Requests, BatchReplays, RequestReplays };
std::string_view inputName(Input input);

/// One comparison of a clause, ready to be decided.
struct Check {
  std::string text; // p99(abs(logprob_gap)) <= 0.1 nat
  Estimator estimator{};
  std::uint32_t signal = 0; // unused by Sampled
  Input input{};            // of Sampled
  /// By limit for a Quantile or a Share, then its sketch; squares before a total.
  std::vector<std::uint32_t> registers;
  std::optional<std::uint32_t> worst; // the register of the observations that stand out
  /// Of a Quantile: a ratio, so that ranks follow without rounding.
  std::uint32_t levelPart = 0, levelWhole = 1;
  std::vector<Limit> limits;   // all must hold
  std::optional<double> alpha; // one minus the confidence
  /// Fewer observations decide nothing.
  std::uint64_t least = 1;
  /// Of the signal's values, where both ends are known: what a confidence needs.
  std::optional<double> low, high;
  double unit = 1; // what one of the author's unit is in base units
  std::string symbol;
  std::uint32_t window = 0;
  std::uint32_t history = 0; // of a Slope: the windows that it looks back on
  bool absolute = false;     // of a Slope or a WindowFigure: its size
  bool onMixture = false;
  std::vector<std::uint32_t> slices; // ascending; unused on the mixture
};

struct Clause {
  std::string id;
  std::string because;
  bool countsAsAny = true;           // what is about sampling does not
  std::vector<std::uint32_t> checks; // all must hold
};

/// What an assumption is about, as far as a number can contradict it.
enum class Watchable : std::uint8_t {
  Reward,
  StepReward,
  Advantage,
  ScoreNorm,
  Length,
  Ratio,
  MissingMass,
  Unseen // no number contradicts it
};
std::string_view name(Watchable what);

/// What proofs take as given: that all values of a quantity are from `low` to `high`.
struct Assumption {
  std::string key;  // reward
  std::string text; // reward: [0, 1]
  Watchable of = Watchable::Unseen;
  double low = 0, high = 0; // unused of what is unseen
};

/// A check that a proof rests on, on one of the slices that the proof uses.
struct ProofCheck {
  std::uint32_t check = 0;
  std::uint32_t slice = 0; // 0 where the check is about the mixture
  auto operator<=>(const ProofCheck&) const = default;
};

struct Claim {
  std::string id;
  std::string text; // tv <= 0.05
  bool isProved = false;
  std::vector<std::uint32_t> assumptions; // that it rests on, ascending
  std::vector<ProofCheck> grounds;        // that it rests on, ascending
};

/// What a slice takes. Fields are those of a request; a label's values are known.
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
  std::vector<Value> values; // one of a Compare
  std::vector<Predicate> parts;
};

struct Slice {
  std::string name;
  std::optional<Predicate> when; // nothing for the remainder
  bool isEmpty = false;          // its declared weight is 0: it is asked for nothing
};

/// What any request can tell, whether or not a slice asks for it.
struct Field {
  std::string name;
  bool isText = false;
};

struct Label {
  std::string name;
  std::vector<std::string> values;
};

/// What a trigger asks of the verdicts on one slice.
struct Trigger {
  enum class Kind : std::uint8_t { Violated, Undecided, Satisfied, Not, And, Or };
  Kind kind{};
  std::optional<std::uint32_t> clause; // of a state; nothing for `any`
  std::uint32_t windows = 1;           // in a row
  std::vector<Trigger> parts;

  friend bool operator==(const Trigger&, const Trigger&) = default;
};

struct Action {
  enum class Kind : std::uint8_t { Alert, Sample, Correct, Route, Quarantine, Hold, Rollback };
  Kind kind{};
  std::string text;             // the receiver, the input, the correction, the kernel
  std::optional<double> first;  // the rate, the cap, the probe
  std::optional<double> second; // of a correction with two thresholds

  friend bool operator==(const Action&, const Action&) = default;
};

struct Step {
  std::uint32_t windows = 0; // how long it lasts; 0 for as long as the rule is active
  std::vector<Action> actions;

  friend bool operator==(const Step&, const Step&) = default;
};

/// A two-state machine on each of its slices.
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
  bool isDraft = false; // what it claims need not be proved
  /// Text that is the same for contracts whose numbers mean the same: model::meaning.
  std::string meaning;
  std::string build;            // of the serving kernel; empty where it is not said
  std::string digest;           // of the weights
  std::uint64_t vocabulary = 0; // 0 where it is not said
  std::vector<std::string> kernels;
  std::vector<Stream> streams;
  std::vector<Field> fields;
  std::vector<Label> labels;
  std::vector<Slice> slices;  // the remainder last
  bool slicesByToken = false; // a slice can begin within a response
  std::vector<Signal> signals;
  std::vector<Register> registers;
  std::vector<Window> windows;
  std::vector<Check> checks;
  std::vector<Clause> clauses;
  std::vector<Assumption> assumptions; // those that are seen first
  std::vector<Claim> claims;
  std::string metricPrefix = "tikc";
  std::vector<Rule> rules;
  std::vector<Stage> stages;

  bool reads(StreamSource source) const;
  bool watches(Watchable what) const;
  /// How many of the assumptions numbers can contradict.
  std::size_t watched() const;
};

/// For people, and for the goldens.
std::string print(const Plan& plan);
/// Of that, what is observed and kept: tallies of plans that say the same here hold the same.
std::string printObserved(const Plan& plan);

} // namespace tikc::plan
