#pragma once

#include "data/Response.h"
#include "tikc/coherence.h"
#include "tikc/sketch.h"

#include <cstdint>

namespace tikc::data {

/// Tests whether tokens were sampled from the distribution that their log-probs describe. It is the
/// test of a clause `coherent(logprobs, 99%)`, on the sketch that a checker keeps of the same
/// tokens, so the two never disagree. Parts add up exactly, in any order.
class Coherence {
public:
  static constexpr double alpha = 0.01, confidence = 0.99;

  /// Adds a paired response. A response with a log-prob above 0 is left out, as `tikc measure`
  /// rejects it.
  void add(const Response& response);
  void add(const Coherence& other);

  std::uint64_t tokens() const { return gaps_.size(); }
  /// The number of tokens without a log-prob: NaN or plus infinity on a side, or minus infinity of
  /// the server.
  std::uint64_t unknown() const { return gaps_.nans; }
  /// The number of responses that were left out.
  std::uint64_t impossible() const { return impossible_; }

  /// Returns the verdict; violated if a token is unknown.
  verdict judged() const;
  /// Returns the logarithm of the evidence for E w > 1; infinite if a token is unknown.
  double logEvidence() const;

private:
  signed_sketch gaps_; // of x = log p - log q, in single precision
  std::uint64_t impossible_ = 0;
};

} // namespace tikc::data
