#pragma once

#include "model/Expr.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tikc::model {

enum class MetricId : std::uint8_t {
#define METRIC(Id, ...) Id,
#include "model/Metrics.def"
};

enum class ClaimId : std::uint8_t {
#define CLAIM(Id, ...) Id,
#include "model/Claims.def"
};

enum class CallId : std::uint8_t {
#define CALL(Id, ...) Id,
#define PARAMETER(...)
#include "model/Calls.def"
};

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

/// A setting that is compared as written, and never interpreted.
struct Setting {
  Name name;
  Text value;
  bool isText; // otherwise a number or a boolean
};

struct Kernel {
  Name name;
  std::optional<Text> engine, version, build, attention, hardware;
  std::array<std::optional<Text>, kernelParts>
      formats; // by KernelPart; other names are kept as written
  std::optional<Text> logprobs;
  std::optional<Text> router; // a format or another name
  std::optional<Located<bool>> deterministic, batchInvariant, routingReplay;
  std::optional<Number> experts, expertsPerToken;
  std::vector<Setting> flags;
  Parallel parallel;
  Sampling sampling;
  Span span;
};

/// The `model` section: facts about the policy that both kernels evaluate.
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
/// How the loss aggregates the tokens of a response. Over responses it takes the mean.
enum class Loss : std::uint8_t { TokenSum, TokenMean, BatchMean };

/// A call with a valid name and valid arguments: alert("x"), route(safe, probe=1%), tis(2).
struct Call {
  CallId id{};
  Expr expr;
};

/// How one layer, or a run of equal layers, changes the error of the hidden state.
struct Layer {
  std::optional<Text> name;
  Number error;
  std::optional<Number> gain, repeat;
  Span span;
};

/// The largest age of rollout weights in steps, and the largest change that one training step
/// makes.
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
  MeanByResponse, // over responses, of the mean over each one's tokens
  RootMeanSquare,
  Deviation,      // the root mean square distance from the mean
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

/// The quantity on the left of a comparison: p99(abs(logprob_gap)), ess, rate(ratio > 2).
struct Measure {
  Aggregate aggregate = Aggregate::None;
  Rational level; // for Quantile, such as 0.99
  MetricId metric{};
  ClaimId claim{}; // in a claim, instead of the metric
  bool absolute = false;
  std::vector<Rational> parameters;
  std::optional<Threshold> threshold; // for Rate
  Span span;
};

/// A typed comparison. Without a value, the scope, window or confidence was not written.
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

/// Whether the bound limits the measure from above, or from below. A range does both.
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

/// The common part of clauses and claims.
struct Statement {
  Name id;
  Requirement written;
  std::vector<Bound> bounds;
  Located<Severity> severity;
  std::optional<Text> because;
  std::optional<Link> link;
  std::optional<Name> drawn; // a kernel or `text`; the server if empty
  Span span;

  /// Returns the comparison that a bound was made from.
  const Comparison& writtenAs(const Bound& bound) const;
};

struct Clause : Statement {
  Family family = Family::Numerical;
  std::optional<Call> directive; // in an observability clause, instead of bounds
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

/// A contract with its parents merged in. Every part keeps its place in the text.
struct Contract {
  Text name;
  std::optional<Text> version, summary;
  std::vector<Text> owners;
  /// The entry `draft: true`, if there is one.
  std::optional<Span> draft;
  bool isAbstract = false;
  std::vector<Label> labels;
  std::vector<Kernel> kernels;
  /// From the trainer to the server; a pair has two kernels.
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
  std::vector<FileId> files; // its own file, then the files of its parents, the nearest first
  Span span;
};

std::string_view familyName(Family family);
std::string_view stageName(StageKind kind);
std::string_view estimatorName(GradientEstimator estimator);
std::string_view lossName(Loss loss);
std::string_view severityName(Severity severity);
std::string print(const Link& link); // "trainer → server"

/// Returns the contract as YAML in canonical order and form, which reads back as an equal contract.
std::string print(const Contract& contract);

/// Returns the canonical YAML without prose, and with one spelling for each meaning. If two results
/// are equal, so are the meanings of all numbers. Everything that the printer writes is part of it,
/// except keys that are marked as prose.
std::string meaning(const Contract& contract);

} // namespace tikc::model
