#include "audit/settings/Agreement.h"

#include "model/Metrics.h"
#include "support/Names.h"
#include "support/Utf8.h"

#include <fmt/format.h>
#include <llvm/ADT/StringRef.h>

#include <algorithm>
#include <cmath>

namespace tikc::audit {
namespace {

using utf8::ticked;

enum class StatedSetting : std::uint8_t {
  KvCache,
  LogProbs,
  RawLogProbs,
  Temperature,
  TopP,
  TopK,
  MinP,
  Deterministic,
  BatchInvariant,
  Horizon
};
struct Agreement {
  std::string_view key;
  StatedSetting setting;
};
constexpr Agreement agreements[] = {
#define AGREEMENT(key, of) {key, StatedSetting::of},
#include "audit/settings/Agreement.def"
};

/// A setting of how a model is evaluated on its own, and not of what trains it.
bool isOfValidation(const SetValue& set) {
  return set.name.find("val_") != std::string::npos || set.name.find("eval") != std::string::npos;
}

/// The formats that a name may stand for.
bool mayBe(std::string_view written, std::string_view format) {
  const std::string name = llvm::StringRef(written.data(), written.size()).lower();
  const auto aliases = model::findAliases(model::AliasOf::Format, name);
  return name == format || std::any_of(aliases.begin(), aliases.end(),
                                       [&](const auto& each) { return each.instead == format; });
}

class SettingsComparison {
public:
  SettingsComparison(const SourceManager& sources, const model::Contract& contract,
                     diag::Sink& sink)
      : sources_(sources), contract_(contract), sink_(sink) {
    for (const model::Kernel& each : contract.kernels)
      if (!contract.chain.empty() && each.name.text == contract.chain.back().text)
        server_ = &each;
  }

  void compare(const SetValue& set) {
    const std::string key = set.key();
    // Trainers pass options on to an engine under its name: --sglang-kv-cache-dtype.
    llvm::StringRef ofEngine(key);
    if (server_ && server_->engine)
      ofEngine.consume_front(server_->engine->value + "_");
    auto row =
        std::find_if(std::begin(agreements), std::end(agreements), [&](const Agreement& each) {
          return each.key == key || ofEngine == llvm::StringRef(each.key);
        });
    if (row == std::end(agreements) || isOfValidation(set) || !server_)
      return;
    if (!set.isKnown) {
      sink_.report<diag::GateNotUnderstood>(
          set.valueSpan, fmt::format("the value of {} is known only at run time", ticked(key)));
      return;
    }
    const model::Sampling& sampling = server_->sampling;
    switch (row->setting) {
    case StatedSetting::KvCache:
      return format(set);
    case StatedSetting::LogProbs: // raw_logprobs, processed_logits, …
      return logProbs(set, llvm::StringRef(set.value).split('_').first);
    case StatedSetting::RawLogProbs:
      return logProbs(set, isOn(set) ? "raw" : "processed");
    case StatedSetting::Temperature:
      return number(set, "temperature",
                    sampling.temperature ? sampling.temperature : contract_.policy.temperature, 1);
    case StatedSetting::TopP:
      return number(set, "top_p", sampling.topP, 1);
    case StatedSetting::TopK:
      return number(set, "top_k", sampling.topK, 0);
    case StatedSetting::MinP:
      return number(set, "min_p", sampling.minP, 0);
    case StatedSetting::Deterministic:
      return flag(set, "deterministic", server_->deterministic);
    case StatedSetting::BatchInvariant:
      return flag(set, "batch_invariant", server_->batchInvariant);
    case StatedSetting::Horizon:
      return horizon(set);
    }
  }

  void compare(const TrainerCorrection& correction) {
    const auto& stated = contract_.assumptions.correction;
    if (!stated || correction.figure != CorrectedFigure::Ratio)
      return;
    ++compared_;
    const bool isCap = stated->id == model::CallId::TruncatedIs;
    const bool isMask = stated->id == model::CallId::MaskedIs;
    const auto range = lint::keptBy(*stated);
    auto isNear = [](double a, double b) { return std::abs(a - b) <= 1e-9 * std::abs(b); };
    const bool isSameEnds = range && isNear(correction.range.high, range->high) &&
                            isNear(correction.range.low, range->low);
    const bool isSameKind = correction.does == CorrectionDoes::Caps ? isCap : isMask;
    if (!isSameEnds || !isSameKind)
      disagrees(correction.place, correction.trainer,
                fmt::format("{} of {}", correction.name,
                            correction.unit == CorrectedUnit::Tokens ? "tokens" : "responses"),
                fmt::format("correction: {}", sources_.text(stated->expr.span)), stated->expr.span);
    const auto& estimator = contract_.assumptions.estimator;
    const bool ofResponses = correction.unit == CorrectedUnit::Responses;
    if (estimator && (estimator->value == model::GradientEstimator::Sequence) != ofResponses)
      disagrees(correction.place, correction.trainer,
                ofResponses ? "weights of responses" : "weights of tokens",
                ofResponses ? "a token-level estimator" : "estimator: sequence", estimator->span);
  }

  std::size_t compared() const { return compared_; }

private:
  void disagrees(const Span& place, std::string_view what, std::string_view here,
                 const std::string& there, const Span& where) {
    auto& diagnostic =
        sink_.report<diag::SettingDisagrees>(place, ticked(what), ticked(here), ticked(there));
    if (where.valid() && !where.empty())
      diagnostic.relatedTo(where, "the contract's value");
  }

  /// Where the contract says nothing, nothing is cut, and the temperature is 1.
  void number(const SetValue& set, std::string_view key, const std::optional<model::Number>& stated,
              int otherwise) {
    auto value = parseDecimal(set.value);
    if (!value)
      return;
    ++compared_;
    if (key == "top_k" && *value < 0) // -1 cuts nothing
      value = 0;
    const Rational there = stated ? stated->value : Rational(otherwise);
    if (*value != there)
      disagrees(set.valueSpan, set.key(), set.value,
                fmt::format("{}: {}{}", key, printRational(there), stated ? "" : " (by default)"),
                stated ? stated->span : Span{});
  }

  static bool isOn(const SetValue& set) {
    const llvm::StringRef value(set.value);
    return value.empty() || value.equals_insensitive("true") || value == "1";
  }

  void flag(const SetValue& set, std::string_view key,
            const std::optional<model::Located<bool>>& stated) {
    if (!stated)
      return;
    ++compared_;
    if (isOn(set) != stated->value)
      disagrees(set.valueSpan, set.key(), set.value.empty() ? "on" : set.value,
                fmt::format("{}: {}", key, stated->value), stated->span);
  }

  void logProbs(const SetValue& set, llvm::StringRef mode) {
    const auto& stated = server_->logprobs;
    if (!stated)
      return;
    ++compared_;
    if (mode != llvm::StringRef(stated->value))
      disagrees(set.valueSpan, set.key(), set.value.empty() ? "on" : set.value,
                "logprobs: " + stated->value, stated->span);
  }

  /// `auto` is the format of the weights.
  void format(const SetValue& set) {
    const auto& cache = server_->formats[static_cast<std::size_t>(model::KernelPart::KvCache)];
    const auto& weights = server_->formats[static_cast<std::size_t>(model::KernelPart::Weights)];
    const bool isAuto = set.value == "auto";
    if (!cache || (isAuto && !weights))
      return;
    ++compared_;
    if (!mayBe(isAuto ? weights->value : set.value, cache->value))
      disagrees(set.valueSpan, set.key(), set.value, "kv_cache: " + cache->value, cache->span);
  }

  void horizon(const SetValue& set) {
    const auto value = parseDecimal(set.value);
    const auto& stated = contract_.policy.horizon;
    if (!value || !stated)
      return;
    ++compared_;
    if (*value > stated->scaled())
      disagrees(set.valueSpan, set.key(), set.value, "horizon: " + print(*stated), stated->span);
  }

  const SourceManager& sources_;
  const model::Contract& contract_;
  diag::Sink& sink_;
  const model::Kernel* server_ = nullptr;
  std::size_t compared_ = 0;
};

} // namespace

std::size_t compareSettings(const SourceManager& sources, const model::Contract& contract,
                            const std::vector<SetValue>& settings,
                            const std::vector<TrainerCorrection>& corrections, diag::Sink& sink) {
  SettingsComparison comparison(sources, contract, sink);
  for (const SetValue& each : settings)
    comparison.compare(each);
  for (const TrainerCorrection& each : corrections)
    comparison.compare(each);
  return comparison.compared();
}

} // namespace tikc::audit
