#pragma once

#include "model/Contract.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The catalogues of what a contract can measure, claim, call and ask of a request. Tables only:
/// what they mean is in sema.
namespace tikc::model {

enum class MetricId : std::uint8_t {
#define METRIC(Id, ...) Id,
#include "metrics/Metrics.def"
};

enum class ClaimId : std::uint8_t {
#define CLAIM(Id, ...) Id,
#include "metrics/Claims.def"
};

enum class CallId : std::uint8_t {
#define CALL(Id, ...) Id,
#define PARAMETER(...)
#include "metrics/Calls.def"
};

} // namespace tikc::model

namespace tikc::metrics {

using model::CallId;
using model::ClaimId;
using model::MetricId;

/// What one observation of a metric is about.
enum class Level : std::uint8_t { Row, Token, Sequence, Request, Window, Gradient };
enum class Better : std::uint8_t { Lower, Higher, Zero, One };
enum class Input : std::uint8_t { Logits, Logprobs, Requests, Routes, BatchReplay, RequestReplay };

/// What sort of number one observation is.
enum class Gives : std::uint8_t { Number, Event, Weight, LogRatio };

/// The unit of a measured value. Text and TokenRate have no model::Dimension of their own.
enum class Measured : std::uint8_t { None, Information, Time, Tokens, Requests, TokenRate, Text };

/// The values that a figure can take; an absent end is unbounded.
struct WrittenRange {
  std::string_view low, high;
};

/// The same in numbers.
struct ValueRange {
  std::optional<Rational> low, high;
};
ValueRange domainOf(const WrittenRange& limits);
/// What the measure's metric can be, parameters regarded: a capped weight is within its caps.
ValueRange domainOf(const model::Measure& measure);

struct MetricInfo {
  MetricId id;
  std::string_view symbol;
  Level level;
  Measured dimension;
  WrittenRange range;
  Better better;
  Input input;
  std::string_view parameters; // "low|high"
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

/// What one observation of the measure is: of a token's figure, a response where it is averaged by
/// response.
Level levelOf(const model::Measure& measure);
/// Of a token, and a number: what only says whether has its share among tokens, or a metric of
/// responses such as seq_veto.
bool isAveragedByResponse(const MetricInfo& metric);
/// Whether it is what samples may be weighted with: a ratio of tokens or of responses.
bool isWeight(const MetricInfo& metric);
/// Whether an observation says whether, or how many: what can be counted and summed up.
bool countsEvents(MetricId metric);
/// Of a token or a response, signed: what bounds it from one side tells nothing of the other.
bool isLogRatio(MetricId metric);
std::string_view levelName(Level level);
/// "[0 … 1]", "[0 … ∞)", "any".
std::string rangeText(const WrittenRange& range);
/// "nat", "tokens per s"; a dash where there is none.
std::string_view unitText(Measured dimension);
/// "lower", "near 0".
std::string_view betterText(Better better);
std::string_view inputName(Input input);
/// Whether it is written as `name=…`.
constexpr bool isNamed(ParameterKind kind) {
  return kind == ParameterKind::NamedText || kind == ParameterKind::NamedShare;
}

/// The words that an Input, a ReplayKind, a Retained, a Correction or a Drawn parameter accepts.
std::span<const std::string_view> words(ParameterKind kind);

struct AggregateInfo {
  model::Aggregate aggregate;
  std::string_view name;
  std::string_view level; // of a fixed quantile
  std::string_view meaning;
};
std::span<const AggregateInfo> aggregates();
const AggregateInfo* findAggregate(std::string_view name);

/// What a name that people bring stands for. A Measure is a whole subject, aggregate included.
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
/// "a metric".
std::string_view aliasKind(AliasOf of);
struct AliasInfo {
  AliasOf of;
  std::string_view written;
  std::string_view instead; // empty where nothing can stand for it
  bool isSame;              // it means just that
  std::string_view says;
};
std::span<const AliasInfo> aliases();
/// Those of a name, without regard to case and separators.
std::vector<AliasInfo> findAliases(AliasOf of, std::string_view written);

} // namespace tikc::metrics
