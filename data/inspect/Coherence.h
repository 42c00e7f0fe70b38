#pragma once

#include "data/Response.h"
#include "tikc/coherence.h"
#include "tikc/sketch.h"

#include <cstdint>

namespace tikc::data {

/// Whether tokens were drawn from the distribution that their log-probs are of. It is the test of a
/// clause `coherent(logprobs, 99%)`, on the sketch that a checker keeps of the same tokens: the two
/// never contradict each other. Parts add up exactly, in any order.
class Coherence {
public:
  static constexpr double alpha = 0.01, confidence = 0.99;

  /// A response of both sides. One with a log-prob above 0 is left out, as `tikc measure` refuses
  /// it.
  void add(const Response& response);
  void add(const Coherence& other);

  std::uint64_t tokens() const { return gaps_.size(); }
  /// Tokens without a log-prob: NaN or plus infinity on a side, or minus infinity of the server.
  std::uint64_t unknown() const { return gaps_.nans; }
  /// Responses that were left out.
  std::uint64_t impossible() const { return impossible_; }

  /// Violated where a token is unknown.
  verdict judged() const;
  /// The logarithm of what a bet on E w > 1 made of 1; infinite where a token is unknown.
  double logEvidence() const;

private:
  signed_sketch gaps_; // of x = log p - log q, in single precision
  std::uint64_t impossible_ = 0;
};

} // namespace tikc::data
