#include "data/pairing/KeptResponse.h"

#include "data/pairing/Words.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace tikc::data {
namespace {

/// As doubles two whole numbers may be one.
bool isRounded(const HandedIn::Ends& ends) {
  const double size = std::max(std::abs(ends.least), std::abs(ends.greatest));
  return std::isfinite(size) && size >= exactWhole;
}

std::string textOf(const HandedIn::Ends& ends) {
  return ends.least == ends.greatest ? fmt::format("{}", ends.least)
                                     : fmt::format("from {} to {}", ends.least, ends.greatest);
}

} // namespace

KeptResponse KeptResponse::of(const Response& response) {
  KeptResponse out;
  const std::span<const float> values = valuesOf(response);
  const std::span<const double> written = writtenOf(response);
  out.values.assign(values.begin(), values.end());
  out.written.assign(written.begin(), written.end());
  out.mask.assign(response.mask.begin(), response.mask.end());
  out.ids.assign(response.ids.begin(), response.ids.end());
  out.position = response.position;
  out.version = response.version;
  out.versionText = response.versionText;
  out.step = response.step;
  out.time = response.time;
  out.reward = response.reward;
  out.advantage = response.advantage;
  out.promptTokens = response.promptTokens;
  out.marks = response.marks;
  out.handed = response.handed;
  for (const LabelValue& label : response.labels)
    out.labels.emplace_back(label.name, label.value);
  out.at = faultAt(response.at, {});
  return out;
}

std::string KeptResponse::whyNoPair(const Response& theirs) const {
  const std::size_t size = valuesOf(theirs).size();
  if (values.size() != size)
    return fmt::format("the trainer and the server differ in tokens: {} and {}",
                       grouped(values.size()), grouped(size));
  if (!ids.empty() && !theirs.ids.empty()) {
    const auto [mine, yours] =
        std::mismatch(ids.begin(), ids.end(), theirs.ids.begin(), theirs.ids.end());
    if (mine != ids.end())
      return fmt::format("token {} is {} for the trainer and {} for the server", mine - ids.begin(),
                         *mine, *yours);
  }
  if (step && theirs.step && *step != *theirs.step && marks.step == theirs.marks.step)
    return fmt::format("its step is {} for the trainer and {} for the server", *step, *theirs.step);
  if (marks.step && theirs.marks.step && (!step || !theirs.step))
    return "its steps cannot be compared: expected one number on each side";
  if (position && theirs.position && *position != *theirs.position)
    return fmt::format("its position is {} for the trainer and {} for the server; map only one",
                       *position, *theirs.position);
  for (const auto& [name, mine, yours] :
       {std::tuple("reward", handed.reward, theirs.handed.reward),
        std::tuple("advantage", handed.advantage, theirs.handed.advantage),
        std::tuple("score_norm", handed.scoreNorm, theirs.handed.scoreNorm)})
    if (mine && yours && isRounded(*mine) && isRounded(*yours))
      return fmt::format(
          "its {0} cannot be compared: expected numbers below 2^53 on each side; map "
          "only one",
          name);
    else if (mine && yours && *mine != *yours)
      return fmt::format("its {} is {} for the trainer and {} for the server; map only one", name,
                         textOf(*mine), textOf(*yours));
  for (const auto& [name, value] : labels)
    for (const LabelValue& label : theirs.labels)
      if (label.name == name && !isSameWord(label.value, value))
        return fmt::format("its {} is {} for the trainer and {} for the server", name,
                           utf8::ticked(value), utf8::ticked(label.value));
  return {};
}

std::uint64_t KeptResponse::bytes() const {
  std::uint64_t words = versionText.size();
  for (const auto& [name, value] : labels)
    words += name.size() + value.size() + sizeof labels.front();
  return sizeof *this + values.size() * sizeof(float) + written.size() * sizeof(double) +
         mask.size() + ids.size() * sizeof(std::int64_t) + words;
}

std::span<const float> valuesOf(const Response& response) {
  return response.infer.empty() ? response.train : response.infer;
}

std::span<const double> writtenOf(const Response& response) {
  return response.infer.empty() ? response.trainWritten : response.inferWritten;
}

} // namespace tikc::data
