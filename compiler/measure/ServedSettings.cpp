#include "measure/ServedSettings.h"

#include "measure/Slicing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace tikc::measure {
namespace {

constexpr std::size_t mostValues = 16; // of all settings together
constexpr char between = '\0';         // a name and a value

} // namespace

ServedSettings::ServedSettings(const plan::Plan& plan, std::size_t stream)
    : vocabulary_(static_cast<double>(plan.vocabulary)) {
  const plan::Stream& streamPair = plan.streams[stream];
  // What slices ask of requests is for requests to say.
  const std::vector<std::string> asked = fieldsOfSlices(plan);
  const auto varies = [&](std::string_view name) {
    return std::find(asked.begin(), asked.end(), name) != asked.end();
  };
  auto number = [&](std::string_view name, double value, std::string text, bool isFixed) {
    if (isFixed)
      asked_.push_back({name, std::move(text), value});
  };
  const auto digits = [](double value) { return fmt::format("{}", value); };
  number("temperature", streamPair.inferTemperature, digits(streamPair.inferTemperature),
         !varies("temperature"));
  number("top_p", streamPair.cut.topP,
         streamPair.cut.topP < 1 ? digits(streamPair.cut.topP) : "none", !varies("top_p"));
  number("top_k", streamPair.cut.topK,
         streamPair.cut.topK > 0 ? digits(streamPair.cut.topK) : "none", !varies("top_k"));
  number("min_p", streamPair.cut.minP,
         streamPair.cut.minP > 0 ? digits(streamPair.cut.minP) : "none", !varies("min_p"));
  for (const auto& [name, text] :
       {std::pair("digest", plan.digest), std::pair("build", plan.build)})
    if (!text.empty())
      asked_.push_back({name, text, std::nullopt});
}

bool ServedSettings::isSame(const Setting& setting, std::string_view value) const {
  if (!setting.number)
    return value == setting.text;
  auto number = numberIn(value);
  if (!number)
    return false;
  // As engines write that there is none.
  if (setting.name == "top_k" && (*number < 0 || (vocabulary_ != 0 && *number >= vocabulary_)))
    number = 0;
  // Single precision may have been between.
  return std::abs(*number - *setting.number) <= 1e-6 * std::abs(*setting.number);
}

void ServedSettings::look(std::span<const data::LabelValue> labels) {
  for (const data::LabelValue& label : labels)
    for (const Setting& setting : asked_) {
      if (label.name != setting.name || label.value.empty() || isSame(setting, label.value))
        continue;
      const auto keyOf = [&](std::string_view value) {
        return std::string(setting.name) + between + std::string(value);
      };
      const auto known = others_.find(keyOf(label.value));
      const bool isTold = known != others_.end() || others_.size() < mostValues;
      ++others_[keyOf(isTold ? label.value : std::string_view())];
    }
}

bool ServedSettings::isKey(std::string_view key) {
  const std::string_view name = key.substr(0, key.find(between));
  return name.size() < key.size() && data::isSetting(name);
}

OtherSetting ServedSettings::read(std::string_view key) const {
  const std::size_t at = key.find(between);
  OtherSetting out{std::string(key.substr(0, at)), std::string(key.substr(at + 1)), {}};
  for (const Setting& setting : asked_)
    if (setting.name == out.name)
      out.inContract = setting.text;
  return out;
}

} // namespace tikc::measure
