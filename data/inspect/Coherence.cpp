#include "data/inspect/Coherence.h"

#include "data/Impossible.h"
#include "tikc/logprobs.h"

#include <limits>

namespace tikc::data {
namespace {

/// x as a checker has it: taken in double precision where a float does not hold the log-probs, and
/// rounded once. NaN where a side has no log-prob, or the server one of a token that it cannot
/// draw.
float gapInFloats(const Response& response, std::size_t token) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  if (response.train[token] == infinity || response.infer[token] == infinity ||
      response.infer[token] <= masked_log_prob)
    return std::numeric_limits<float>::quiet_NaN();
  return response.isWritten() ? static_cast<float>(response.gap(token))
                              : response.train[token] - response.infer[token];
}

} // namespace

void Coherence::add(const Response& response) {
  if (response.train.size() != response.infer.size())
    return;
  if (impossibleIn(response)) {
    ++impossible_;
    return;
  }
  for (std::size_t i = 0; i < response.size(); ++i)
    if (response.counts(i))
      gaps_.add(gapInFloats(response, i));
}

void Coherence::add(const Coherence& other) {
  gaps_.merge(other.gaps_);
  impossible_ += other.impossible_;
}

verdict Coherence::judged() const {
  if (unknown() != 0)
    return verdict::violated;
  return coherence_verdict(mean_of_ratios(gaps_, alpha));
}

double Coherence::logEvidence() const {
  if (unknown() != 0)
    return std::numeric_limits<double>::infinity();
  return coherence_evidence(gaps_);
}

} // namespace tikc::data
