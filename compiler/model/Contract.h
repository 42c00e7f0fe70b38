#pragma once

#include "model/Expr.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tikc::model {

// The catalogues of metrics and claim quantities stand above this room; the model keeps their ids
// only.
enum class MetricId : std::uint8_t;
enum class ClaimId : std::uint8_t;
enum class CallId : std::uint8_t;

template <typename T> struct Located {
  T value{};
  Span span;
};
using Text = Located<std::string>;
using Number = Located<Rational>;

struct Range {
  Rational low;
  Rational high;
  Span span;
};

struct Label {
  Name name;
  std::vector<Text> values;
};

enum class KernelPart : std::uint8_t { Weights, Compute, Accumulate, KvCache, Logits };
inline constexpr std::size_t kernelParts = 5;

struct Sampling {
  std::optional<Number> temperature, topP, topK, minP;
};

struct Parallel {
  std::optional<Number> tensor, data, pipeline, expert, context;
};

/// A value that is compared and never interpreted, as it is written.
struct Setting {
  Name name;
  Text value;
  bool isText; // else a number or a boolean
};

struct Kernel {
  Name name;
  std::optional<Text> engine, version, build, attention, hardware;
  std::array<std::optional<Text>, kernelParts>
      formats; // by KernelPart; a free name is kept as written
  std::optional<Text> logprobs;
  std::optional<Text> router; // a format, or a free name
  std::optional<Located<bool>> deterministic, batchInvariant, routingReplay;
  std::optional<Number> experts, expertsPerToken;
  std::vector<Setting> flags;
  Parallel parallel;
  Sampling sampling;
  Span span;
};

/// The policy that both kernels evaluate.
struct Policy {
  std::optional<Text> name, digest;
  std::optional<Number> vocabulary, temperature, logitBound;
  std::optional<Amount> horizon;
};

struct Load {
  std::optional<Amount> tokens, requests, sequences, steps;
};

enum class SupportKind : std::uint8_t { Full, MissingMass, TopP };
struct Support {
  SupportKind kind = SupportKind::Full;
  Rational value; // unused for Full
  Span span;
};

enum class GradientEstimator : std::uint8_t { Step, Token, TokenMonteCarlo, Sequence };
/// What is done over a response's tokens; over responses it is the mean.
enum class Loss : std::uint8_t { TokenSum, TokenMean, BatchMean };

/// A call whose name and arguments were found good: alert("x"), route(safe, probe=1%), tis(2).
struct Call {
  CallId id{};
  Expr expr;
};

/// What one layer, or a run of equal ones, does to the error of the hidden state.
struct Layer {
  std::optional<Text> name;
  Number error;
  std::optional<Number> gain, repeat;
  Span span;
};

/// How old the weights of rollouts may be, and what one step of training changes.
struct Staleness {
  Number steps, logitOsc;
  Span span;
};

struct Assumptions {
  std::optional<Support> support;
  std::optional<Range> reward, stepReward;
  std::optional<Number> rewardSigma, rewardLipschitz, advantage, group, scoreNorm, discount,
      ratioCap, headNorm;
  std::optional<Amount> meanLength, leastMeanLength;
  std::vector<Layer> layers;
  std::optional<Staleness> staleness;
  std::optional<Located<GradientEstimator>> estimator;
  std::optional<Located<Loss>> loss;
  std::optional<Call> correction;
};

struct Slice {
  Name name;
  std::optional<Expr> when;
  std::optional<Amount> weight, tokenWeight, meanLength, leastMeanLength;
  std::optional<Text> summary;
  Span span;
};

enum class Aggregate : std::uint8_t {
  None,
  Max,
  Min,
  Mean,
  MeanByResponse, // over responses, of each one's mean over its tokens
  RootMeanSquare,
  Deviation,      // the root of the mean square distance from the mean
  EffectiveShare, // (Σx)² / (n Σx²)
  Quantile,
  Sum,
  Count,
  Rate,
  Slope
};

struct Threshold {
  Comparator comparator;
  Amount bound;
};

/// The measured or claimed quantity of one comparison: p99(abs(logprob_gap)), ess, rate(ratio > 2).
struct Measure {
  Aggregate aggregate = Aggregate::None;
  Rational level; // of a Quantile: 0.99
  MetricId metric{};
  ClaimId claim{}; // of a claim, instead of the metric
  bool absolute = false;
  std::vector<Rational> parameters;
  std::optional<Threshold> threshold; // of a Rate
  Span span;
};

/// One comparison, typed. An absent scope, window or confidence was not written.
struct Bound {
  Measure measure;
  Comparator comparator = Comparator::LessEqual;
  Amount limit;
  std::optional<Amount> upper; // in [limit, upper]
  Scope scope;
  std::optional<Amount> over;
  std::optional<Amount> confidence;
  Span span;
};

/// Whether the measure must not be larger than some number, or not smaller. A range does both.
inline bool limitsAbove(const Bound& bound) {
  return bound.upper || isBelow(bound.comparator) || bound.comparator == Comparator::Equal;
}
inline bool limitsBelow(const Bound& bound) {
  return bound.upper || isAbove(bound.comparator) || bound.comparator == Comparator::Equal;
}

enum class Family : std::uint8_t { Numerical, Statistical, Runtime, Observability };

/// How much a violation weighs in reports.
enum class Severity : std::uint8_t { Error, Warning, Note };

struct Link {
  Name from, to;
  Span span;
};

/// What a clause and a claim have in common.
struct Statement {
  Name id;
  Requirement written;
  std::vector<Bound> bounds;
  Located<Severity> severity;
  std::optional<Text> because;
  std::optional<Link> link;
  std::optional<Name> drawn; // a kernel or `text`; without, the server
  Span span;
};

struct Clause : Statement {
  Family family = Family::Numerical;
  std::optional<Call> directive; // of an observability clause, instead of bounds
};

struct Claim : Statement {};

struct Step {
  Amount lasts;
  std::vector<Call> actions;
};

struct Rule {
  Name id;
  std::optional<Expr> when, until;
  std::vector<Call> actions;
  std::vector<Step> steps;
  std::vector<Name> slices;
  std::optional<Text> because;
  Span span;
};

enum class StageKind : std::uint8_t { Offline, Shadow, Canary, Full };
struct Stage {
  StageKind kind = StageKind::Offline;
  std::optional<Amount> traffic, window, tokens, sequences, lasts, confidence, corridor;
  std::optional<Text> data, because;
  Span span;
};

/// One contract with its parents merged in. Every part keeps the place where it was written.
struct Contract {
  Text name;
  std::optional<Text> version, summary;
  std::vector<Text> owners;
  /// The entry that says that claims are still to be proved.
  std::optional<Span> draft;
  bool isAbstract = false;
  std::vector<Label> labels;
  std::vector<Kernel> kernels;
  /// First the trainer, last the server; a pair has two.
  std::vector<Name> chain;
  bool isPair = true;
  Policy policy;
  Load load;
  Assumptions assumptions;
  std::vector<Slice> slices;
  std::vector<Clause> clauses;
  std::vector<Claim> claims;
  std::vector<Rule> rules;
  std::vector<Stage> stages;
  std::vector<FileId> files; // its own, then those of what it extends, the nearest first
  Span span;
};

std::string_view familyName(Family family);
std::string_view stageName(StageKind kind);
std::string_view estimatorName(GradientEstimator estimator);
std::string_view lossName(Loss loss);
std::string_view severityName(Severity severity);
std::string print(const Link& link); // "trainer → server"

/// The contract as YAML in canonical order and form; it reads back as the same contract.
std::string print(const Contract& contract);

/// The same without what is for people only, and with one spelling for what has several: other text
/// says that a number of the contract may mean something else. Whatever the printer prints is part
/// of it unless it says that it is prose.
std::string meaning(const Contract& contract);

} // namespace tikc::model
