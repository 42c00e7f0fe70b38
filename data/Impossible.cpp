#include "data/Impossible.h"

#include "tikc/logprobs.h"

#include <fmt/format.h>

#include <utility>

namespace tikc::data {

std::optional<Fault> impossibleIn(const Response& response) {
  if (response.isPossible)
    return std::nullopt;
  for (const auto& [name, side] :
       {std::pair("train", response.train), std::pair("infer", response.infer)}) {
    const std::uint8_t* const mask = response.mask.empty() ? nullptr : response.mask.data();
    const std::size_t token = first_above_zero(side.data(), mask, side.size());
    if (token == side.size())
      continue;
    Place at = response.at;
    at.field = name;
    return faultAt(at, fmt::format("token {}: expected a log-prob of at most 0, found {:.6g}; are "
                                   "these probabilities, negated log-probs, or rows of logits?",
                                   response.offset + token, side[token]));
  }
  return std::nullopt;
}

} // namespace tikc::data
