#include "driver/GateOptions.h"

#include "driver/CommonOptions.h"
#include "support/Utf8.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <llvm/ADT/StringRef.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <ctime>

namespace tikc::driver {
namespace {

std::optional<double> finiteNumber(const std::string& text) {
  double out = 0;
  if (llvm::StringRef(text).getAsDouble(out) || !std::isfinite(out))
    return std::nullopt;
  return out;
}

/// 2026-01-31T12:00:00Z
std::optional<double> utcSeconds(const std::string& text) {
  std::tm at{};
  const char* end = ::strptime(text.c_str(), "%Y-%m-%dT%H:%M:%SZ", &at);
  return end == nullptr || *end != '\0' ? std::nullopt
                                        : std::optional(static_cast<double>(::timegm(&at)));
}

llvm::Expected<std::optional<double>> countAsked(const Invocation& invocation, OptionName option) {
  if (!invocation.has(option))
    return std::nullopt;
  const auto out = parseNumber(invocation.get(option));
  if (!out || *out == 0)
    return usageError(fmt::format("invalid value {1} for {0}; expected a whole number from 1",
                                  option.text(), utf8::ticked(invocation.get(option))));
  return static_cast<double>(*out);
}

} // namespace

llvm::Expected<double> timeOf(const Invocation& invocation) {
  if (!invocation.has("--now"))
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch())
        .count();
  const std::string text = invocation.get("--now");
  if (const auto seconds = finiteNumber(text))
    return *seconds;
  if (const auto seconds = utcSeconds(text))
    return *seconds;
  return usageError(fmt::format("invalid value {} for --now; expected seconds since 1970, or a "
                                "time such as 2026-01-31T12:00:00Z",
                                utf8::ticked(text)));
}

llvm::Expected<std::optional<double>> durationOf(const Invocation& invocation, OptionName option) {
  if (!invocation.has(option))
    return std::nullopt;
  struct TimeUnit {
    llvm::StringRef name;
    double seconds;
  };
  constexpr std::array<TimeUnit, 4> units = {{{"min", 60}, {"h", 3600}, {"d", 86400}, {"s", 1}}};
  const std::string text = invocation.get(option);
  llvm::StringRef number = llvm::StringRef(text).trim();
  double scale = 1;
  for (const TimeUnit& each : units)
    if (number.consume_back(each.name)) {
      scale = each.seconds;
      break;
    }
  const auto out = finiteNumber(number.trim().str());
  if (!out || *out <= 0)
    return usageError(fmt::format(
        "invalid value {1} for {0}; expected a duration such as '30 min', '2 h' or '90 s'",
        option.text(), utf8::ticked(text)));
  return std::optional(*out * scale);
}

llvm::Expected<gate::Terms> termsOf(const Invocation& invocation, const model::Contract& contract) {
  gate::Terms out;
  auto shared = countAsked(invocation, "--per-prompt");
  if (!shared)
    return shared.takeError();
  auto rows = countAsked(invocation, "--rows-per-response");
  if (!rows)
    return rows.takeError();
  const auto& group = contract.assumptions.group;
  const double grouped = group ? group->value.get_d() : 1;
  if (*shared && **shared < grouped)
    return usageError(fmt::format("--per-prompt={:.0f} is below the contract's group of {:.0f}, "
                                  "whose responses may all be alike",
                                  **shared, grouped));
  out.shared = shared->value_or(grouped);
  out.rowsOfOne = *rows;
  for (const std::string& each : invocation.all("--range")) {
    const std::size_t at = std::min(each.rfind('='), each.size());
    const std::string clause = each.substr(0, at);
    const std::optional<double> value = finiteNumber(each.substr(std::min(at + 1, each.size())));
    const bool isKnown =
        std::any_of(contract.clauses.begin(), contract.clauses.end(),
                    [&](const model::Clause& one) { return one.id.text == clause; });
    if (!value || *value <= 0)
      return usageError(
          fmt::format("invalid value {} for --range; expected CLAUSE=NUMBER with a number above 0",
                      utf8::ticked(each)));
    if (!isKnown)
      return usageError(fmt::format("the contract has no clause {}", utf8::ticked(clause)));
    out.ranges[clause] = *value;
  }
  return out;
}

llvm::Error whyNoStage(const model::Contract& contract, const std::string& stage) {
  const std::vector<std::string> stages = gate::stagesOf(contract);
  if (std::find(stages.begin(), stages.end(), stage) != stages.end())
    return llvm::Error::success();
  if (stages.empty())
    return usageError("the contract has no promotion stages");
  const std::string has = fmt::format("expected one of {}", fmt::join(stages, ", "));
  return usageError(stage.empty() ? "missing option --stage; " + has
                                  : fmt::format("unknown stage {}; {}", utf8::ticked(stage), has));
}

measure::MeasuredPlan stagedPlan(const plan::Plan& plan, const engine::LoadedPlan& loaded,
                                 const std::string& stage, const measure::Evidence* evidence) {
  const auto match = std::find_if(plan.stages.begin(), plan.stages.end(),
                                  [&](const plan::Stage& each) { return each.name == stage; });
  const plan::Stage* at = match == plan.stages.end() ? nullptr : &*match;
  measure::MeasuredPlan out{plan, loaded, 0, measure::Rounds::of(plan, at)};
  if (at != nullptr)
    out.confidence = at->confidence;
  if (evidence == nullptr)
    return out;
  for (std::size_t i = 0; i < plan.streams.size(); ++i)
    if (plan::streamName(plan.streams[i]) == evidence->shape.pair)
      out.stream = i;
  if (at == nullptr || at->window.unit == window_unit::stage)
    out.rounds = evidence->shape.rounds;
  return out;
}

} // namespace tikc::driver
