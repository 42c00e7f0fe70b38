#pragma once

#include "model/Contract.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The catalogues of what a contract can measure, claim and call, and of the fields of requests.
/// Tables only; `sema` implements their meaning.
namespace tikc::model {

/// What an observation of a metric is about.
enum class Level : std::uint8_t { Row, Token, Sequence, Request, Window, Gradient };
enum class Better : std::uint8_t { Lower, Higher, Zero, One };
enum class Input : std::uint8_t { Logits, Logprobs, Requests, Routes, BatchReplay, RequestReplay };

/// The kind of number that an observation is.
enum class Gives : std::uint8_t { Number, Event, Weight, LogRatio };

/// The unit of a measured value. Text and TokenRate have no model::Dimension of their own.
enum class Measured : std::uint8_t { None, Information, Time, Tokens, Requests, TokenRate, Text };

/// The range of a figure; an absent end is unbounded.
struct WrittenRange {
  std::string_view low, high;
};

/// The range of a figure as numbers.
struct ValueRange {
  std::optional<Rational> low, high;
};
ValueRange domainOf(const WrittenRange& limits);
/// Returns the range of a measure's metric with its parameters: a capped weight is within its caps.
ValueRange domainOf(const model::Measure& measure);

struct MetricInfo {
  MetricId id;
  std::string_view symbol;
  Level level;
  Measured dimension;
  WrittenRange range;
  Better better;
  Input input;
  std::string_view parameters; // such as "low|high"
  Gives gives;
  std::string_view meaning, estimator;
};

struct ClaimInfo {
  ClaimId id;
  std::string_view symbol;
  Level level;
  Measured dimension;
  WrittenRange range;
  Better better;
  bool needsAggregate;
  std::string_view meaning;
};

struct FieldInfo {
  std::string_view symbol;
  Measured dimension;
  WrittenRange range;
  bool whole;
  std::string_view meaning;
};

enum class CallPlace : std::uint8_t { Action, Directive, Correction, State };
enum class ParameterKind : std::uint8_t {
  Text,
  NamedText,
  Number,
  Share,
  NamedShare,
  Duration,
  Kernel,
  Clause,
  Input,
  MetricOrInput,
  ReplayKind,
  Retained,
  Correction,
  Drawn,
  Confidence
};

struct ParameterInfo {
  CallId call;
  std::string_view name;
  ParameterKind kind;
  bool needed;
  std::string_view meaning;
};

struct CallInfo {
  CallId id;
  CallPlace place;
  std::string_view name;
  std::string_view meaning;
};

std::span<const MetricInfo> metrics();
std::span<const ClaimInfo> claims();
std::span<const FieldInfo> fields();
std::span<const CallInfo> calls();
std::span<const ParameterInfo> parameters(CallId call);

const MetricInfo& info(MetricId id);
const ClaimInfo& info(ClaimId id);
const CallInfo& info(CallId id);
const MetricInfo* findMetric(std::string_view symbol);
const ClaimInfo* findClaim(std::string_view symbol);
const FieldInfo* findField(std::string_view symbol);
const CallInfo* findCall(CallPlace place, std::string_view name);

/// Returns what an observation of the measure is about: for a token's figure, a response if it is
/// averaged by response.
Level levelOf(const model::Measure& measure);
/// Returns whether each value that the measure averages is 0 or 1.
bool isShareOfFlags(const model::Measure& measure);
/// Returns whether a metric can be averaged by response: a token metric without parameters.
bool isAveragedByResponse(const MetricInfo& metric);
/// Returns whether samples can be weighted with it: a ratio of tokens or responses.
bool isWeight(const MetricInfo& metric);
/// Returns whether an observation is a flag or a count, which can be summed.
bool countsEvents(MetricId metric);
/// Returns whether it is a signed log-ratio of tokens or responses: a bound from one side implies
/// nothing about the other.
bool isLogRatio(MetricId metric);
std::string_view levelName(Level level);
/// Formats a range: "[0 … 1]", "[0 … ∞)", "any".
std::string rangeText(const WrittenRange& range);
/// Returns a unit: "nat", "tokens per s"; a dash if there is none.
std::string_view unitText(Measured dimension);
/// Returns a direction: "lower", "near 0".
std::string_view betterText(Better better);
std::string_view inputName(Input input);
/// Returns whether the parameter is written as `name=…`.
constexpr bool isNamed(ParameterKind kind) {
  return kind == ParameterKind::NamedText || kind == ParameterKind::NamedShare;
}

/// Returns the words that a parameter of kind Input, ReplayKind, Retained, Correction or Drawn
/// accepts.
std::span<const std::string_view> words(ParameterKind kind);

struct AggregateInfo {
  model::Aggregate aggregate;
  std::string_view name;
  std::string_view level; // of a fixed quantile
  std::string_view meaning;
};
std::span<const AggregateInfo> aggregates();
const AggregateInfo* findAggregate(std::string_view name);

/// What a name from elsewhere stands for. A Measure is a whole subject, including its aggregate.
enum class AliasOf : std::uint8_t {
  Metric,
  Measure,
  Claim,
  Aggregate,
  Format,
  Action,
  KernelKey,
  ParallelKey,
  ModelKey,
  PairKey
};
/// Returns the kind in words: "a metric".
std::string_view aliasKind(AliasOf kind);
struct AliasInfo {
  AliasOf kind;
  std::string_view written;
  std::string_view instead; // empty if nothing replaces it
  bool isSame;              // it means exactly the same
  std::string_view says;
};
std::span<const AliasInfo> aliases();
/// Finds the aliases of a name, ignoring case and separators.
std::vector<AliasInfo> findAliases(AliasOf kind, std::string_view written);

} // namespace tikc::model
