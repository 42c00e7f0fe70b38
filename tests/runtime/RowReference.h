#pragma once

#include "tikc/row.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace tikc {

/// Compiled once, in RowReference.cpp: it takes six kernels.
extern template row_stats
detail::rows::row_pass_on<row_want::everything>(detail::rows::instruction_set, row_view, row_view,
                                                std::size_t, double, double, std::int64_t, float*,
                                                mask_rule);

namespace tests {

/// A row in one of the formats, with the values that its bits stand for.
struct Row {
  number_format format = number_format::fp32;
  std::vector<unsigned char> bytes; // one to spare in front, so that rows are not aligned
  std::vector<float> values;

  row_view view() const { return {bytes.data() + 1, format}; }
};

/// Every value that rounds is rounded to the nearest one of the format's.
Row encode(number_format format, const std::vector<float>& values);

/// The definitions, in long double, one loop each.
struct Reference {
  long double logitLinf = 0, logitOsc = 0, logitL2 = 0, logitRel = 0, logprobLinf = 0;
  long double tv = 0, hellinger = 0, klTrainInfer = 0, klInferTrain = 0, js = 0, chi2 = 0;
  long double top1Margin = 0, entropyGap = 0, missingMass = 0;
  long double lowest = 0; // of the trainer's log-probs, without masks
  bool flip = false, spoilt = false;
  std::uint32_t nonfinite = 0;
  std::vector<long double> trainLogprobs, inferLogprobs;
};

Reference reference(const Row& train, const Row& infer, double trainTemperature = 1,
                    double inferTemperature = 1);

std::vector<detail::rows::instruction_set> instructionSets();
const char* nameOf(detail::rows::instruction_set set);
const char* nameOf(number_format format);

constexpr number_format everyFormat[] = {number_format::fp32, number_format::bf16,
                                         number_format::fp16, number_format::fp8_e4m3,
                                         number_format::fp8_e5m2};

constexpr float masked = -std::numeric_limits<float>::infinity();
constexpr double unbounded = std::numeric_limits<double>::infinity();

class Random {
public:
  explicit Random(unsigned seed) : words_(seed) {}
  float normal(float scale) { return scale * std::normal_distribution<float>()(words_); }
  std::size_t below(std::size_t limit) { return words_() % limit; }

private:
  std::mt19937_64 words_;
};

enum class Shape { flat, usual, peaked, twoPeaks };
constexpr Shape everyShape[] = {Shape::flat, Shape::usual, Shape::peaked, Shape::twoPeaks};

std::vector<float> logits(Random& random, std::size_t vocabulary, Shape shape);
std::vector<float> drifted(Random& random, const std::vector<float>& from, float scale,
                           float shift = 0);

template <std::uint32_t Wants = row_want::everything>
row_stats measure(detail::rows::instruction_set set, const Row& train, const Row& infer,
                  double trainTemperature = 1, double inferTemperature = 1,
                  std::int64_t sampled = -1, mask_rule masks = mask_rule::strict) {
  std::size_t vocabulary = train.values.size();
  std::vector<float> scratch(row_scratch_floats(vocabulary));
  return detail::rows::row_pass_on<Wants>(set, train.view(), infer.view(), vocabulary,
                                          trainTemperature, inferTemperature, sampled,
                                          scratch.data(), masks);
}

} // namespace tests
} // namespace tikc
