#include "runtime/RowReference.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

namespace tikc {

template row_stats detail::rows::row_pass_on<row_want::everything>(detail::rows::instruction_set,
                                                                   row_view, row_view, std::size_t,
                                                                   double, double, std::int64_t,
                                                                   float*, mask_rule);

namespace tests {
namespace {

using Code = std::pair<float, std::uint32_t>;

/// All finite values of a format, in ascending order, with their bits.
const std::vector<Code>& codes(number_format format) {
  static std::map<number_format, std::vector<Code>> tables;
  std::vector<Code>& table = tables[format];
  if (table.empty()) {
    for (std::uint32_t bits = 0; bits < (1U << (8 * bytes_of(format))); ++bits)
      if (float value = decode(format, bits); std::isfinite(value))
        table.emplace_back(value, bits);
    std::sort(table.begin(), table.end());
  }
  return table;
}

std::uint32_t bitsOf(number_format format, float value) {
  std::uint32_t word;
  std::memcpy(&word, &value, sizeof word);
  if (format == number_format::fp32)
    return word;
  std::uint32_t sign = word >> 31U;
  if (std::isnan(value))
    return format == number_format::bf16   ? 0x7fc1U
           : format == number_format::fp16 ? 0x7e01U
                                           : 0x7fU;
  if (std::isinf(value))
    return format == number_format::bf16       ? 0x7f80U | sign << 15U
           : format == number_format::fp16     ? 0x7c00U | sign << 15U
           : format == number_format::fp8_e5m2 ? 0x7cU | sign << 7U
                                               : 0x7eU | sign << 7U; // the largest it has
  const std::vector<Code>& table = codes(format);
  auto above = std::lower_bound(table.begin(), table.end(), Code{value, 0});
  if (above == table.end())
    return table.back().second;
  if (above != table.begin() && value - (above - 1)->first < above->first - value)
    --above;
  return above->second;
}

long double logSumExp(const std::vector<long double>& logits) {
  long double total = 0;
  for (long double z : logits)
    total += std::exp(z);
  return std::log(total);
}

float peakOf(const Row& row) { return *std::max_element(row.values.begin(), row.values.end()); }

/// (b − a) − (d − c), where the numbers may be far larger than what they differ by.
long double gapOf(float a, float b, float c, float d) {
  auto rest = [](long double x, long double y) { // of x − y
    long double high = x - y, took = high - x;
    return (x - (high - took)) - (y + took);
  };
  long double high = static_cast<long double>(b) - a, other = static_cast<long double>(d) - c;
  return (high - other) + (rest(b, a) - rest(d, c));
}

} // namespace

Row encode(number_format format, const std::vector<float>& values) {
  Row row;
  row.format = format;
  std::size_t size = bytes_of(format);
  row.bytes.resize(1 + size * values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::uint32_t bits = bitsOf(format, values[i]);
    std::memcpy(&row.bytes[1 + size * i], &bits, size);
    row.values.push_back(value_at(row.view(), i));
  }
  return row;
}

Reference reference(const Row& train, const Row& infer, double trainTemperature,
                    double inferTemperature) {
  constexpr long double infinite = std::numeric_limits<long double>::infinity();
  Reference out;
  std::vector<long double> u, v, gaps; // relative to the peaks
  const float top = peakOf(train), other = peakOf(infer);
  std::vector<float> z, w;
  bool trainAlive = false, inferAlive = false;
  for (std::size_t i = 0; i < train.values.size(); ++i) {
    float a = train.values[i], b = infer.values[i];
    for (float value : {a, b})
      if (std::isnan(value) || (std::isinf(value) && value > 0)) {
        ++out.nonfinite;
        out.spoilt = true;
      }
    out.nonfinite += (std::isinf(a) && a < 0) != (std::isinf(b) && b < 0) ? 1U : 0U;
    trainAlive |= std::isfinite(a);
    inferAlive |= std::isfinite(b);
    z.push_back(a);
    w.push_back(b);
    u.push_back((static_cast<long double>(a) - top) / static_cast<long double>(trainTemperature));
    v.push_back((static_cast<long double>(b) - other) / static_cast<long double>(inferTemperature));
    gaps.push_back(gapOf(a, b, top, other));
  }
  if (!trainAlive || !inferAlive) {
    out.spoilt = true;
    out.nonfinite = std::max(out.nonfinite, 1U);
  }
  if (out.spoilt)
    return out;
  long double low = infinite, high = -infinite, trainTotal = logSumExp(u),
              inferTotal = logSumExp(v);
  long double trainEntropy = 0, inferEntropy = 0;
  bool isOneSided = false;
  for (std::size_t i = 0; i < u.size(); ++i) {
    long double a = static_cast<long double>(z[i]), b = static_cast<long double>(w[i]);
    long double logP = u[i] - trainTotal, logQ = v[i] - inferTotal;
    long double p = std::exp(logP), q = std::exp(logQ);
    out.trainLogprobs.push_back(logP);
    out.inferLogprobs.push_back(logQ);
    bool trainMasked = std::isinf(z[i]), inferMasked = std::isinf(w[i]);
    if (trainMasked && inferMasked)
      continue;
    out.tv += std::fabs(p - q) / 2;
    out.hellinger += (std::sqrt(p) - std::sqrt(q)) * (std::sqrt(p) - std::sqrt(q)) / 2;
    if (!trainMasked)
      trainEntropy -= p * logP;
    if (!inferMasked)
      inferEntropy -= q * logQ;
    if (trainMasked || inferMasked) {
      isOneSided = true;
      out.js += (p + q) * std::log(2.0L) / 2;
      // KL is taken as Σ (q − p − p log(q/p)), of which each term is at least 0.
      (inferMasked ? out.klTrainInfer : out.klInferTrain) = infinite;
      (inferMasked ? out.klInferTrain : out.klTrainInfer) += p + q;
      out.chi2 += inferMasked ? infinite : q;
      out.missingMass += inferMasked ? p : 0;
      continue;
    }
    out.lowest = std::min(out.lowest, logP);
    low = std::min(low, gaps[i]);
    high = std::max(high, gaps[i]);
    out.logitLinf = std::max(out.logitLinf, std::fabs(a - b));
    out.logitL2 += (a - b) * (a - b);
    out.logitRel = std::max(out.logitRel, std::fabs(a - b) / std::max(std::fabs(a), 1.0L));
    long double ratio =
        trainTemperature == inferTemperature
            ? gaps[i] / static_cast<long double>(trainTemperature) + trainTotal - inferTotal
            : logQ - logP;
    out.logprobLinf = std::max(out.logprobLinf, std::fabs(ratio));
    if (std::fabs(ratio) > 1) {
      long double logMean =
          std::max(logP, logQ) + std::log1p(std::exp(-std::fabs(ratio))) - std::log(2.0L);
      out.klTrainInfer += q - p - p * ratio;
      out.klInferTrain += p - q + q * ratio;
      out.js += (p * (logP - logMean) + q * (logQ - logMean)) / 2;
      out.chi2 += std::exp(logP - ratio) - 2 * p + q;
      continue;
    }
    out.klTrainInfer += p * (std::expm1(ratio) - ratio);
    out.klInferTrain += q * (std::expm1(-ratio) + ratio);
    // log(2p/(p + q)) = −log1p(expm1(ratio)/2).
    out.js -= (p * std::log1p(std::expm1(ratio) / 2) + q * std::log1p(std::expm1(-ratio) / 2)) / 2;
    out.chi2 += std::exp(logP - ratio) * std::expm1(ratio) * std::expm1(ratio);
  }
  out.logitOsc = low > high ? 0 : high - low;
  out.logitL2 = std::sqrt(out.logitL2);
  out.entropyGap = std::fabs(trainEntropy - inferEntropy);
  out.flip = std::max_element(z.begin(), z.end()) - z.begin() !=
             std::max_element(w.begin(), w.end()) - w.begin();
  auto margin = [](std::vector<float> row) {
    std::nth_element(row.begin(), row.begin() + 1, row.end(), std::greater<>());
    return static_cast<long double>(row[0]) - static_cast<long double>(row[1]);
  };
  out.top1Margin = std::min(margin(z), margin(w));
  if (isOneSided) {
    out.logitLinf = out.logitOsc = out.logitL2 = out.logitRel = out.logprobLinf = infinite;
    out.top1Margin = 0;
  }
  return out;
}

std::vector<detail::rows::instruction_set> instructionSets() {
  std::vector<detail::rows::instruction_set> out;
  for (auto set : {detail::rows::instruction_set::portable, detail::rows::instruction_set::avx2,
                   detail::rows::instruction_set::avx512})
    if (detail::rows::is_available(set))
      out.push_back(set);
  return out;
}

const char* nameOf(detail::rows::instruction_set set) {
  return set == detail::rows::instruction_set::avx512 ? "avx512"
         : set == detail::rows::instruction_set::avx2 ? "avx2"
                                                      : "portable";
}

const char* nameOf(number_format format) {
  constexpr const char* names[] = {"fp32", "bf16", "fp16", "fp8_e4m3", "fp8_e5m2"};
  return names[static_cast<std::size_t>(format)];
}

std::vector<float> logits(Random& random, std::size_t vocabulary, Shape shape) {
  std::vector<float> out;
  for (std::size_t i = 0; i < vocabulary; ++i)
    out.push_back(random.normal(shape == Shape::flat ? 0.5F : 3.0F));
  if (shape == Shape::peaked || shape == Shape::twoPeaks)
    out[random.below(vocabulary)] = 24 + random.normal(3);
  if (shape == Shape::twoPeaks)
    out[random.below(vocabulary)] = 24 + random.normal(1);
  return out;
}

std::vector<float> drifted(Random& random, const std::vector<float>& from, float scale,
                           float shift) {
  std::vector<float> out;
  for (float z : from)
    out.push_back(z + random.normal(scale) + shift);
  return out;
}

} // namespace tests
} // namespace tikc
