#include "audit/settings/Corrections.h"

#include "support/Names.h"
#include "support/Rational.h"
#include "support/Utf8.h"

#include <fmt/format.h>
#include <llvm/ADT/StringRef.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <set>

namespace tikc::audit {
namespace {

using utf8::ticked;

struct CorrectedBy {
  std::string_view name, modeKey, defaultMode, highKeys, defaultHigh, onKeys, offKey, foreignKeys;
};
enum class CorrectedById : std::uint8_t {
#define CORRECTED_BY(Id, ...) Id,
#include "audit/settings/Corrections.def"
};
constexpr CorrectedBy trainerTable[] = {
#define CORRECTED_BY(Id, name, mode, fallback, high, most, on, off, foreign)                       \
  {name, mode, fallback, high, most, on, off, foreign},
#include "audit/settings/Corrections.def"
};

struct Weighing {
  CorrectedById trainer;
  std::string_view mode;
  CorrectedUnit unit;
  CorrectionDoes does;
  CorrectedFigure figure;
  std::string_view figures, highKeys, lowKey;
};
constexpr Weighing weighings[] = {
#define WEIGHING(Id, mode, unit, does, of, figures, high, low)                                     \
  {CorrectedById::Id,                                                                              \
   mode,                                                                                           \
   CorrectedUnit::unit,                                                                            \
   CorrectionDoes::does,                                                                           \
   CorrectedFigure::of,                                                                            \
   figures,                                                                                        \
   high,                                                                                           \
   low},
#include "audit/settings/Corrections.def"
};

struct Rejection {
  std::string_view option;
  CorrectedUnit unit;
  CorrectedFigure figure;
};
constexpr Rejection rejections[] = {
#define REJECTION(option, unit, of) {option, CorrectedUnit::unit, CorrectedFigure::of},
#include "audit/settings/Corrections.def"
};
struct ProbabilityMask {
  std::string_view trainer, highKey, lowKey, defaultLow;
};
constexpr ProbabilityMask probabilityMasks[] = {
#define PROBABILITY_MASK(trainer, high, low, fallback) {trainer, high, low, fallback},
#include "audit/settings/Corrections.def"
};

struct Unestimated {
  std::string_view key, trainer;
};
constexpr Unestimated unestimated[] = {
#define UNESTIMATED(key, trainer) {key, trainer},
#include "audit/settings/Corrections.def"
};
constexpr std::string_view horizonKeys[] = {
#define HORIZON_KEY(key) key,
#include "audit/settings/Corrections.def"
};

bool isWord(const SetValue& set, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view each) {
    return llvm::StringRef(set.value).equals_insensitive(each);
  });
}
bool isNone(const SetValue& set) { return isWord(set, {"null", "none", "~", "disabled"}); }
bool isOff(const SetValue& set) { return isNone(set) || isWord(set, {"false", "0", "no", "off"}); }

/// Above 0, and no further than anybody means; nothing of another text.
std::optional<double> positive(std::string_view text) {
  auto number = parseDecimal(text);
  const double value = number ? number->get_d() : 0;
  constexpr double least = 1e-100, most = 1e100; // what shares can be computed of
  return value >= least && value <= most ? std::optional(value) : std::nullopt;
}

/// "2.0", or both ends as "0.5_5.0" or "0.5 5.0".
std::optional<lint::RatioRange> rangeOf(std::string_view text) {
  const std::size_t bar = text.find_first_of("_ ");
  if (bar == std::string_view::npos) {
    auto high = positive(text);
    return high ? std::optional(lint::RatioRange{0, *high}) : std::nullopt;
  }
  auto low = positive(text.substr(0, bar)), high = positive(text.substr(bar + 1));
  return low && high && *low < *high ? std::optional(lint::RatioRange{*low, *high}) : std::nullopt;
}

std::vector<std::string_view> separated(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    llvm::StringRef part = llvm::StringRef(text.data(), comma).trim();
    out.emplace_back(part.data(), part.size());
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return out;
}

class CorrectionReader {
public:
  CorrectionReader(const std::vector<SetValue>& settings, diag::Sink& sink)
      : settings_(settings), sink_(sink) {
    for (const SetValue& each : settings) {
      const std::string key = each.key();
      auto& into = each.isKnown ? known_ : open_;
      into[key].push_back(&each);
      if (each.isKnown && !prefixOf(each).empty())
        known_[prefixOf(each) + key].push_back(&each);
    }
    for (auto& [key, all] : known_)
      std::stable_sort(all.begin(), all.end(), isBefore);
  }

  std::vector<TrainerCorrection> run() {
    for (std::size_t i = 0; i < std::size(trainerTable); ++i)
      weighing(static_cast<CorrectedById>(i), trainerTable[i]);
    for (const SetValue* each : settingsOf("rollout_rs"))
      if (!isNone(*each))
        rejecting(*each);
    for (const SetValue* each : settingsOf("rollout_token_veto_threshold"))
      if (!isNone(*each))
        veto(*each);
    for (const auto& [prefix, settings] : mappingsOf("rejection_sampling"))
      sampling(settings);
    for (const ProbabilityMask& row : probabilityMasks)
      for (const SetValue* each : settingsOf(row.highKey))
        if (!isNone(*each))
          masking(row, *each);
    for (const Unestimated& row : unestimated)
      tellUnestimated(row);
    return std::move(out_);
  }

private:
  using Settings = std::vector<const SetValue*>;

  /// What a key is set to; where nobody knows before it runs, that is told.
  const Settings& settingsOf(std::string_view key) {
    const std::string name(key);
    if (auto match = known_.find(name); match != known_.end())
      return match->second;
    if (auto entry = open_.find(name); entry != open_.end() && told_.insert(name).second)
      sink_.report<diag::GateNotUnderstood>(
          entry->second.front()->valueSpan,
          fmt::format("the value of {} is known only at run time", ticked(name)));
    static const Settings none;
    return none;
  }

  void misread(const SetValue& setting, std::string_view wanted) {
    sink_.report<diag::GateNotUnderstood>(
        setting.valueSpan, fmt::format("{} needs {}", ticked(setting.key()), wanted));
  }

  /// The nearest in the same mapping, else the nearest of all.
  const SetValue* beside(std::string_view keys, const SetValue& setting) {
    const SetValue* best = nullptr;
    auto distance = [&](const SetValue& set) {
      return std::pair(prefixOf(set) != prefixOf(setting),
                       std::abs(static_cast<std::int64_t>(set.nameSpan.begin) -
                                static_cast<std::int64_t>(setting.nameSpan.begin)));
    };
    auto offer = [&](const Settings& from) {
      auto after = std::lower_bound(from.begin(), from.end(), &setting, isBefore);
      for (auto each : {after, after == from.begin() ? from.end() : after - 1})
        if (each != from.end() && (!best || distance(**each) < distance(*best)))
          best = *each;
    };
    for (std::string_view key : splitWords(keys)) {
      if (auto same = known_.find(prefixOf(setting) + std::string(key)); same != known_.end())
        offer(same->second);
      offer(settingsOf(key));
    }
    return best;
  }

  static bool isBefore(const SetValue* a, const SetValue* b) {
    return a->nameSpan.begin < b->nameSpan.begin;
  }
  /// Whose it is: what stands before the last dot, with it.
  static std::string prefixOf(const SetValue& set) {
    return set.name.substr(0, set.name.find_last_of('.') + 1);
  }

  void weighing(CorrectedById id, const CorrectedBy& by) {
    Settings modes;
    if (!by.modeKey.empty())
      for (const SetValue* each : settingsOf(by.modeKey))
        modes.push_back(each);
    if (!modes.empty()) {
      for (const SetValue* mode : modes)
        if (!isOff(*mode) && !isTurnedOff(by, *mode))
          add(id, by, mode->value, *mode, false);
      return;
    }
    if (by.defaultMode.empty() || isOfOther(by))
      return;
    // With its default: where its cap is set, or what turns it on is.
    for (std::string_view keys : {by.highKeys, by.onKeys})
      for (std::string_view key : splitWords(keys))
        for (const SetValue* each : settingsOf(key))
          if (!isOff(*each)) {
            if (!isTurnedOff(by, *each))
              add(id, by, by.defaultMode, *each, keys == by.onKeys);
            return;
          }
  }

  bool isOfOther(const CorrectedBy& by) const {
    const auto keys = splitWords(by.foreignKeys);
    return std::any_of(keys.begin(), keys.end(), [&](std::string_view key) {
      return known_.contains(std::string(key)) || open_.contains(std::string(key));
    });
  }

  bool isTurnedOff(const CorrectedBy& by, const SetValue& near) {
    for (std::string_view keys : {by.offKey, by.onKeys})
      if (const SetValue* turns = keys.empty() ? nullptr : beside(keys, near);
          turns && isOff(*turns))
        return true;
    return false;
  }

  void add(CorrectedById id, const CorrectedBy& by, std::string_view mode, const SetValue& at,
           bool isDefault) {
    auto row = std::find_if(std::begin(weighings), std::end(weighings), [&](const Weighing& each) {
      return each.trainer == id && each.mode == mode;
    });
    if (row == std::end(weighings))
      return misread(at, modesOf(id));
    TrainerCorrection out{by.name, {}, row->unit, row->does,    row->figure,
                          {},      {}, false,     row->figures, true};
    const SetValue* high = beside(row->highKeys.empty() ? by.highKeys : row->highKeys, at);
    const auto highKeys = splitWords(row->highKeys.empty() ? by.highKeys : row->highKeys);
    if (!high && std::any_of(highKeys.begin(), highKeys.end(), [&](std::string_view key) {
          return open_.contains(std::string(key)); // set, and told not to be understood
        }))
      return;
    if (!high && by.defaultHigh.empty())
      return misread(at, fmt::format("{} next to it; tikc knows no default",
                                     ticked(row->highKeys.empty() ? by.highKeys : row->highKeys)));
    const SetValue* low = row->lowKey.empty() ? nullptr : beside(row->lowKey, at);
    if (high && isNone(*high))
      return; // not capped
    auto range = rangeOf(high ? std::string_view(high->value) : by.defaultHigh);
    if (!range)
      return misread(*high, "a number above 0, or two as `0.5_5.0`");
    if (range->low > 0 && id == CorrectedById::Verl) { // with both ends it masks
      out.does = CorrectionDoes::Masks;
      const bool isOfTokens = out.unit == CorrectedUnit::Tokens;
      out.figures = isOfTokens ? "verl_icepop" : out.figures;
      out.hasEndsOfRow = isOfTokens && range->low * range->high == 1;
    }
    if (low && !isNone(*low))
      range->low = positive(low->value).value_or(0);
    if (range->low >= range->high)
      return misread(*(high ? high : low), "an upper end above the lower one");
    out.range = *range;
    out.isDefault = isDefault && !high;
    out.place = high ? high->valueSpan : at.valueSpan;
    out.name = fmt::format("{} at {}", mode, high ? std::string_view(high->value) : by.defaultHigh);
    out_.push_back(std::move(out));
  }

  static std::string modesOf(CorrectedById id) {
    std::vector<std::string_view> names;
    for (const Weighing& each : weighings)
      if (each.trainer == id)
        names.push_back(each.mode);
    return joinAlternatives(names);
  }

  /// Several options have several thresholds, in their order.
  void rejecting(const SetValue& options) {
    const SetValue* limits = beside("rollout_rs_threshold", options);
    const SetValue* low = beside("rollout_rs_threshold_lower", options);
    auto values = separated(limits ? std::string_view(limits->value) : "2");
    if (values.empty())
      values.emplace_back();
    std::size_t i = 0;
    for (std::string_view option : separated(options.value)) {
      const std::string_view value = values[std::min(i++, values.size() - 1)];
      auto row = std::find_if(std::begin(rejections), std::end(rejections),
                              [&](const Rejection& each) { return each.option == option; });
      if (row == std::end(rejections) || row->figure == CorrectedFigure::NotEstimated) {
        sink_.report<diag::GateNotUnderstood>(
            options.valueSpan,
            fmt::format("tikc does not estimate how much {} masks", ticked(option)));
        continue;
      }
      auto range = rangeOf(value);
      if (!range) {
        misread(limits ? *limits : options, "a number above 0, or two as `0.5_2.0`");
        continue;
      }
      const bool isOfRatio =
          row->figure == CorrectedFigure::Ratio || row->figure == CorrectedFigure::Geometric;
      const bool isOfInverse = isOfRatio && option.ends_with("_k1"); // k1 = −log ratio
      if (isOfRatio && range->low == 0)
        range->low = low && !isNone(*low) ? positive(low->value).value_or(0) : 1 / range->high;
      if (isOfInverse && range->low > 0)
        range = lint::RatioRange{1 / range->high, 1 / range->low};
      if (range->low >= range->high) {
        misread(limits ? *limits : options,
                "an upper end above the lower one, which is its inverse by default");
        continue;
      }
      out_.push_back({"verl",
                      fmt::format("{} at {}", option, value),
                      row->unit,
                      CorrectionDoes::Masks,
                      row->figure,
                      *range,
                      limits ? limits->valueSpan : options.valueSpan,
                      false,
                      {},
                      true});
    }
  }

  void veto(const SetValue& threshold) {
    auto low = positive(threshold.value);
    if (!low)
      return misread(threshold, "a number above 0");
    out_.push_back({"verl",
                    fmt::format("a veto at {}", threshold.value),
                    CorrectedUnit::Responses,
                    CorrectionDoes::Masks,
                    CorrectedFigure::RarestToken,
                    {*low, std::numeric_limits<double>::infinity()},
                    threshold.valueSpan,
                    false,
                    {},
                    true});
  }

  /// |p − q| is at most the larger of both, so that a ratio near 1 is never masked.
  void masking(const ProbabilityMask& row, const SetValue& at) {
    const SetValue* lowAt = beside(row.lowKey, at);
    const auto high = positive(at.value);
    const auto low = positive(lowAt ? std::string_view(lowAt->value) : row.defaultLow);
    if (!high || *high >= 1 || !low || *low >= 1)
      return misread(high && *high < 1 && lowAt ? *lowAt : at, "a number between 0 and 1");
    TrainerCorrection out;
    out.trainer = row.trainer;
    out.name = fmt::format("{} at {}", at.key(), at.value);
    out.does = CorrectionDoes::Masks;
    out.range = {1 - *low, 1 / (1 - *high)};
    out.place = at.valueSpan;
    out.isAtMost = true;
    out_.push_back(std::move(out));
  }

  using Mapping = std::map<std::string, const SetValue*>; // by key

  /// The mappings with a name, by their full names.
  std::map<std::string, Mapping> mappingsOf(std::string_view name) const {
    std::map<std::string, Mapping> out;
    for (const SetValue& each : settings_) {
      const std::string prefix = prefixOf(each);
      if (prefix == fmt::format("{}.", name) || prefix.ends_with(fmt::format(".{}.", name)))
        out[prefix].emplace(each.key(), &each);
    }
    return out;
  }

  /// AReaL's `rejection_sampling`. A response's ratio is the geometric mean there.
  void sampling(const Mapping& settings) {
    if (!settings.contains("level") && !settings.contains("metric")) // of something else
      return;
    auto value = [&](const char* key) {
      const auto at = settings.find(key);
      return at == settings.end() || !at->second->isKnown || isNone(*at->second)
                 ? std::string_view()
                 : std::string_view(at->second->value);
    };
    const bool ofTokens = value("level") == "token", clamps = value("action") == "clamp";
    const auto high = positive(value("upper"));
    const double low = positive(value("lower")).value_or(0);
    const bool isKnown = (ofTokens || value("level") == "sequence") &&
                         (clamps || value("action") == "mask") && value("metric") == "ratio" &&
                         high && low < *high;
    const SetValue& first = *settings.begin()->second;
    if (!isKnown) {
      sink_.report<diag::GateNotUnderstood>(
          first.nameSpan,
          "tikc estimates how much this correction of AReaL removes only if `level`, "
          "`action`, `upper` and a `metric` of `ratio` are set");
      return;
    }
    const SetValue& upper = *settings.at("upper");
    out_.push_back({"AReaL",
                    fmt::format("{} {} at {}", value("level"), value("action"), upper.value),
                    ofTokens ? CorrectedUnit::Tokens : CorrectedUnit::Responses,
                    clamps ? CorrectionDoes::Caps : CorrectionDoes::Masks,
                    ofTokens ? CorrectedFigure::Ratio : CorrectedFigure::Geometric,
                    {low, *high},
                    upper.valueSpan,
                    false,
                    {},
                    true});
  }

  void tellUnestimated(const Unestimated& row) {
    auto first = std::find_if(settings_.begin(), settings_.end(), [&](const SetValue& each) {
      return each.key() == row.key && !isOff(each);
    });
    if (first != settings_.end())
      sink_.report<diag::GateNotUnderstood>(
          first->nameSpan,
          fmt::format("tikc does not estimate how much this correction of {} removes",
                      row.trainer));
  }

  const std::vector<SetValue>& settings_;
  diag::Sink& sink_;
  std::map<std::string, Settings> known_, open_;
  std::set<std::string> told_;
  std::vector<TrainerCorrection> out_;
};

} // namespace

std::vector<TrainerCorrection> correctionsOf(const std::vector<SetValue>& settings,
                                             diag::Sink& sink) {
  return CorrectionReader(settings, sink).run();
}

std::optional<double> horizonOf(const std::vector<SetValue>& settings) {
  std::optional<double> longest;
  for (const SetValue& each : settings) {
    const std::string key = each.key();
    if (!each.isKnown ||
        std::find(std::begin(horizonKeys), std::end(horizonKeys), key) == std::end(horizonKeys))
      continue;
    std::string digits = each.value; // Python and YAML may write 16_384
    std::erase(digits, '_');
    if (auto tokens = positive(digits); tokens && *tokens >= 1)
      longest = std::max(longest.value_or(0), *tokens);
  }
  return longest;
}

} // namespace tikc::audit
