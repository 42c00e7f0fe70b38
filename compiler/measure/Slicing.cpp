#include "measure/Slicing.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace tikc::measure {
namespace {

constexpr std::string_view positionField = "position";
constexpr std::string_view lengthField = "response_tokens";
constexpr std::string_view versionField = "model_version";
constexpr std::string_view promptField = "prompt_tokens";

void collectFields(const plan::Predicate& predicate, std::vector<std::string>& out) {
  if (!predicate.field.empty() && std::find(out.begin(), out.end(), predicate.field) == out.end())
    out.push_back(predicate.field);
  for (const plan::Predicate& part : predicate.parts)
    collectFields(part, out);
}

std::optional<std::string_view> labelOf(std::span<const data::LabelValue> labels,
                                        std::string_view name) {
  for (const data::LabelValue& each : labels)
    if (each.name == name)
      return each.value;
  return std::nullopt;
}

const std::vector<std::string>* valuesOf(const plan::Plan& plan, std::string_view label) {
  for (const plan::Label& each : plan.labels)
    if (each.name == label)
      return &each.values;
  return nullptr;
}

} // namespace

std::optional<double> numberIn(std::string_view text) {
  double out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(out))
    return std::nullopt;
  return out;
}

std::vector<std::string> fieldsOfSlices(const plan::Plan& plan) {
  std::vector<std::string> out;
  for (const plan::Slice& slice : plan.slices)
    if (slice.when)
      collectFields(*slice.when, out);
  return out;
}

Slicing::Slicing(const plan::Plan& plan) : plan_(plan), request_(plan) {
  for (const plan::Slice& slice : plan.slices)
    if (slice.when)
      findCuts(*slice.when);
  for (const std::string& name : fieldsOfSlices(plan)) {
    const std::size_t at = *request_.find(name);
    if (name == positionField)
      position_ = at;
    else if (name == lengthField)
      length_ = at;
    else
      asked_.push_back({name, at, request_.isText(at), valuesOf(plan, name)});
  }
  texts_.resize(asked_.size());
}

void Slicing::findCuts(const plan::Predicate& predicate) {
  for (const plan::Predicate::Value& value : predicate.values) {
    auto& cuts = predicate.field == positionField ? positionCuts_ : lengthCuts_;
    if (predicate.field != positionField && predicate.field != lengthField)
      continue;
    // Whether the bound itself is within depends on the comparison, so both are looked at.
    cuts.push_back(std::floor(value.number));
    cuts.push_back(std::floor(value.number) + 1);
  }
  for (const plan::Predicate& part : predicate.parts)
    findCuts(part);
}

void Slicing::set(const KnownFields& fields) {
  for (std::size_t i = 0; i < asked_.size(); ++i) {
    const SliceField& each = asked_[i];
    auto text = labelOf(fields.labels, each.name);
    if (!text && each.name == versionField && (fields.version || !fields.versionText.empty())) {
      texts_[i] = fields.versionText.empty() ? fmt::format("{}", *fields.version)
                                             : std::string(fields.versionText);
      text = texts_[i];
    }
    if (!text && each.name == promptField && fields.promptTokens) {
      texts_[i] = fmt::format("{}", *fields.promptTokens);
      text = texts_[i];
    }
    if (text && (text->empty() || isStranger(each, *text))) {
      if (text->empty())
        ++missing_[each.name];
      request_.set(each.field, std::string_view());
      request_.set(each.field, std::numeric_limits<double>::quiet_NaN());
      continue;
    }
    const auto number = text && !each.isText ? numberIn(*text) : std::nullopt;
    if (!text || (!each.isText && !number))
      ++missing_[each.name];
    if (each.isText)
      request_.set(each.field, text.value_or(std::string_view()));
    else
      // What is not known meets no comparison.
      request_.set(each.field, number.value_or(std::numeric_limits<double>::quiet_NaN()));
  }
}

bool Slicing::isStranger(const SliceField& field, std::string_view text) {
  constexpr std::size_t mostTold = 16;
  if (field.values == nullptr || field.values->empty() ||
      std::find(field.values->begin(), field.values->end(), text) != field.values->end())
    return false;
  const auto [found, isNew] = missing_.try_emplace(Stranger{field.name, std::string(text)}.key());
  if (isNew && strangers_++ >= mostTold) {
    missing_.erase(found);
    ++missing_[Stranger{field.name, {}}.key()];
  } else {
    ++found->second;
  }
  return true;
}

std::optional<Stranger> Stranger::of(std::string_view key) {
  const std::size_t at = key.find('\0');
  if (at == std::string_view::npos)
    return std::nullopt;
  return Stranger{std::string(key.substr(0, at)), std::string(key.substr(at + 1))};
}

std::size_t Slicing::sliceAt(double position) {
  if (position_)
    request_.set(*position_, position);
  if (length_)
    request_.set(*length_, position + 1);
  return request_.slice();
}

const std::vector<Slicing::Run>& Slicing::runsOf(const data::Response& response) {
  set({response.labels, response.version, response.versionText, response.promptTokens});
  runs_.clear();
  const double first = response.position.value_or(0);
  const double size = static_cast<double>(response.size());
  cuts_ = {0};
  if (position_)
    for (double cut : positionCuts_)
      cuts_.push_back(cut - first);
  if (length_)
    for (double cut : lengthCuts_)
      cuts_.push_back(cut - 1 - first);
  std::erase_if(cuts_, [&](double cut) { return cut < 0 || (cut >= size && cut != 0); });
  std::sort(cuts_.begin(), cuts_.end());
  cuts_.erase(std::unique(cuts_.begin(), cuts_.end()), cuts_.end());
  for (double cut : cuts_) {
    const std::size_t slice = sliceAt(first + cut);
    if (!runs_.empty() && runs_.back().slice == slice)
      continue;
    if (!runs_.empty())
      runs_.back().end = static_cast<std::size_t>(cut);
    runs_.push_back({slice, static_cast<std::size_t>(cut), 0});
  }
  runs_.back().end = response.size();
  return runs_;
}

std::size_t Slicing::sliceOf(const data::RowPair& row) {
  set({row.labels, row.version, {}, {}});
  for (const auto& [field, name] :
       {std::pair(position_, positionField), std::pair(length_, lengthField)})
    if (field && !row.position)
      ++missing_[std::string(name)];
  // What is not known is before no place, and behind none.
  return sliceAt(row.position.value_or(std::numeric_limits<double>::quiet_NaN()));
}

} // namespace tikc::measure
