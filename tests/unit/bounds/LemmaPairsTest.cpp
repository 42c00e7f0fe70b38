#include "Lemmas.h"

#include "bounds/facts/Facts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

using namespace tikc;
using namespace tikc::bounds;
using namespace tikc::bounds::test;
using Need = Premise::Need;
using Side = QuantityInfo::Side;

/// Pairs of kernels with known logits: no lemma gives less than what is there.
namespace {

constexpr double ratioCap = 1.25;

using Distribution = std::vector<double>;

struct Pair {
  Distribution z, zInfer, p, q;
};

Distribution softmax(const Distribution& z) {
  Distribution out;
  double top = *std::max_element(z.begin(), z.end());
  for (double logit : z)
    out.push_back(std::exp(logit - top));
  double sum = std::accumulate(out.begin(), out.end(), 0.0);
  for (double& mass : out)
    mass /= sum;
  return out;
}

Pair draw(std::mt19937& random) {
  std::normal_distribution<double> normal;
  std::size_t tokens = 2 + random() % 4;
  double spread = std::exp(normal(random)), drift = std::exp(2 * normal(random) - 2);
  bool atEnds = random() % 2 == 0; // drifts at the ends of their range are the worst
  Pair out;
  for (std::size_t i = 0; i < tokens; ++i) {
    double change = normal(random);
    if (atEnds)
      change = change < 0 ? -1 : 1;
    out.z.push_back(spread * normal(random));
    out.zInfer.push_back(out.z.back() + drift * change);
  }
  out.p = softmax(out.z);
  out.q = softmax(out.zInfer);
  return out;
}

/// The values of a pair, by quantity; nothing for those that a pair does not have.
class Values {
public:
  explicit Values(const Pair& pair) {
    setDrifts(pair);
    setDistances(pair);
    setSamples(pair);
    setGiven(pair);
  }
  const std::optional<double>& operator[](Quantity quantity) const {
    return values_[static_cast<std::size_t>(quantity)];
  }
  std::optional<double> of(const Premise& premise) const {
    auto at = static_cast<std::size_t>(premise.quantity);
    bool isOfEach = premise.need != Need::Mean && worst_[at] > 0;
    return isOfEach ? std::optional(worst_[at]) : values_[at];
  }

private:
  void set(Quantity quantity, double value) { values_[static_cast<std::size_t>(quantity)] = value; }
  double at(Quantity quantity) const { return values_[static_cast<std::size_t>(quantity)].value(); }

  void setDrifts(const Pair& pair) {
    double low = 1e300, high = -1e300, largest = 0, squares = 0, relative = 0, up = 0, down = 0;
    for (std::size_t i = 0; i < pair.z.size(); ++i) {
      double d = pair.z[i] - pair.zInfer[i], logRatio = std::log(pair.p[i] / pair.q[i]);
      low = std::min(low, d);
      high = std::max(high, d);
      largest = std::max(largest, std::abs(d));
      squares += d * d;
      relative = std::max(relative, std::abs(d) / std::max(std::abs(pair.z[i]), 1.0));
      up = std::max(up, logRatio);
      down = std::max(down, -logRatio);
    }
    set(Quantity::LogitLinf, largest);
    set(Quantity::LogitOsc, high - low);
    set(Quantity::Omega, high - low);
    set(Quantity::LogitL2, std::sqrt(squares));
    set(Quantity::LogitRel, relative);
    set(Quantity::LogRatioUp, up);
    set(Quantity::LogRatioDown, down);
    set(Quantity::LogprobLinf, std::max(up, down));
    for (Quantity largest_ratio : {Quantity::Ratio, Quantity::LargestRatio})
      set(largest_ratio, std::exp(up));
    for (Quantity least_ratio : {Quantity::RatioFloor, Quantity::LeastRatio})
      set(least_ratio, std::exp(-down));
  }

  void setDistances(const Pair& pair) {
    double tv = 0, affinity = 0, kl = 0, reverse = 0, chi2 = 0, js = 0, gap = 0, excess = 0;
    for (std::size_t i = 0; i < pair.p.size(); ++i) {
      double p = pair.p[i], q = pair.q[i], m = (p + q) / 2;
      tv += std::abs(p - q) / 2;
      affinity += (std::sqrt(p) - std::sqrt(q)) * (std::sqrt(p) - std::sqrt(q)) / 2;
      kl += p * std::log(p / q);
      reverse += q * std::log(q / p);
      chi2 += (p - q) * (p - q) / q;
      js += p / 2 * std::log(p / m) + q / 2 * std::log(q / m);
      gap += -p * std::log(p) + q * std::log(q);
      excess += std::max(0.0, p - ratioCap * q);
    }
    for (auto [context, response, value] :
         {std::tuple{Quantity::Tv, Quantity::SeqTv, tv},
          {Quantity::KlTrainInfer, Quantity::SeqKlTrainInfer, kl},
          {Quantity::KlInferTrain, Quantity::SeqKlInferTrain, reverse},
          {Quantity::Chi2, Quantity::SeqChi2, chi2},
          {Quantity::Excess, Quantity::SeqExcess, excess},
          {Quantity::Ess, Quantity::SeqEss, 1 / (1 + chi2)}}) {
      set(context, value);
      set(response, value);
    }
    set(Quantity::Hellinger, affinity);
    set(Quantity::Js, js);
    set(Quantity::EntropyGap, std::abs(gap));
    set(Quantity::MissingMass, 0);
    auto first = [](const Distribution& z) {
      return std::max_element(z.begin(), z.end()) - z.begin();
    };
    set(Quantity::Top1Flip, first(pair.z) != first(pair.zInfer));
    auto margin = [](Distribution z) {
      std::sort(z.rbegin(), z.rend());
      return z[0] - z[1];
    };
    set(Quantity::Top1Margin, std::min(margin(pair.z), margin(pair.zInfer)));
  }

  /// The mean of samples, and the largest.
  void setSamples(const Pair& pair) {
    double positive = 0, size = 0, k1 = 0, k2 = 0, k3 = 0, mult = 0, apart = 0, binary = 0;
    auto reach = [&](Quantity quantity, double value) {
      double& worst = worst_[static_cast<std::size_t>(quantity)];
      worst = std::max(worst, value);
    };
    for (std::size_t i = 0; i < pair.p.size(); ++i) {
      double q = pair.q[i], w = pair.p[i] / q, x = std::log(w);
      for (Quantity each : {Quantity::SampledTv, Quantity::SeqSampledTv})
        reach(each, 1 - w);
      for (Quantity each : {Quantity::SampledAbsGap, Quantity::SeqSampledAbsGap})
        reach(each, std::abs(x));
      reach(Quantity::SampledK2, x * x / 2);
      reach(Quantity::SampledK3, w - 1 - x);
      double p = pair.p[i], other = -q * x;
      other += q < 1 ? (1 - q) * (std::log1p(-q) - std::log1p(-p)) : 0;
      reach(Quantity::SampledProbGap, std::abs(p - q));
      reach(Quantity::SampledBinaryKl, other);
      apart += q * std::abs(p - q);
      binary += q * other;
      reach(Quantity::SampledMultError, std::exp(std::abs(x)));
      positive += q * std::max(0.0, 1 - w);
      size += q * std::abs(x);
      k1 -= q * x;
      k2 += q * x * x / 2;
      k3 += q * (w - 1 - x);
      mult += q * std::exp(std::abs(x));
    }
    set(Quantity::SampledTv, positive);
    set(Quantity::SeqSampledTv, positive);
    set(Quantity::SampledAbsGap, size);
    set(Quantity::SeqSampledAbsGap, size);
    set(Quantity::SampledK1, k1);
    set(Quantity::SampledK2, k2);
    set(Quantity::SampledK3, k3);
    set(Quantity::SampledMultError, mult);
    set(Quantity::SampledProbGap, apart);
    set(Quantity::SampledBinaryKl, binary);
    set(Quantity::SampledGap, at(Quantity::LogRatioDown));
    set(Quantity::SeqSampledGap, at(Quantity::LogRatioDown));
    set(Quantity::SampledRise, at(Quantity::LogRatioUp));
    set(Quantity::SeqSampledRise, at(Quantity::LogRatioUp));
    set(Quantity::SeqLogRatioDown, at(Quantity::LogRatioDown));
    set(Quantity::SeqLogRatioUp, at(Quantity::LogRatioUp));
    for (Quantity least : {Quantity::SampledRatio, Quantity::SeqGeoRatio, Quantity::SeqRatioFloor})
      set(least, at(Quantity::RatioFloor));
    for (Quantity largest : {Quantity::SampledRatioUp, Quantity::SeqGeoRatioUp, Quantity::SeqRatio})
      set(largest, at(Quantity::Ratio));
  }

  void setGiven(const Pair& pair) {
    double largest = 0;
    for (std::size_t i = 0; i < pair.z.size(); ++i)
      largest = std::max({largest, std::abs(pair.z[i]), std::abs(pair.zInfer[i])});
    set(Quantity::LogitBound, largest);
    set(Quantity::RatioCap, at(Quantity::Ratio));
    set(Quantity::Vocabulary, static_cast<double>(pair.z.size()));
    for (Quantity one : {Quantity::Horizon, Quantity::MeanLength, Quantity::Temperature,
                         Quantity::TrainTemperature, Quantity::InferTemperature})
      set(one, 1);
    set(Quantity::Cap, ratioCap);
  }

  std::array<std::optional<double>, quantityCount> values_{};
  std::array<double, quantityCount> worst_{}; // of samples
};

/// The value, a little on the side on which facts hold: doubles know it only so well.
Rational loosened(Quantity quantity, double value) {
  const QuantityInfo& row = info(quantity);
  if (row.level == QuantityInfo::Level::Given && quantity != Quantity::LogitBound &&
      quantity != Quantity::RatioCap)
    return Rational(value);
  double slack = 1e-9 * value + (row.level == QuantityInfo::Level::Given ? 0 : 1e-13);
  double loose = row.side == Side::Upper ? value + slack : std::max(0.0, value - slack);
  return Rational(row.cap == "1" ? std::min(loose, 1.0) : loose);
}

std::optional<std::vector<Real>> argumentsOf(const Lemma& lemma, const Use& use,
                                             const Values& values) {
  std::vector<Real> out;
  std::optional<std::size_t> chosenAt;
  for (std::size_t i = 0; i < lemma.parameters().size(); ++i) {
    const Premise& premise = use.premises[i];
    if (premise.need == Need::Asked)
      return std::nullopt;
    if (premise.need == Need::Chosen)
      chosenAt = i;
    if (premise.need == Need::Chosen || premise.need == Need::ShareOf) {
      out.emplace_back(Rational(0), fewBits);
      continue;
    }
    auto value = values.of(premise);
    if (!value)
      return std::nullopt;
    out.emplace_back(loosened(premise.quantity, *value), fewBits);
  }
  if (chosenAt) {
    auto choice = lemma.choose(out);
    if (!choice)
      return std::nullopt;
    out[*chosenAt] = Real(*choice, fewBits);
  }
  return out;
}

TEST(LemmaPairsTest, NoBoundIsBroken) {
  std::mt19937 random(1);
  std::size_t checks = 0;
  for (int round = 0; round < 400; ++round) {
    Pair pair = draw(random);
    Values values(pair);
    for (const Lemma* lemma : allLemmas())
      for (const Use& use : lemma->uses()) {
        bool isMean = use.quantifier == Quantifier::Mean;
        auto actual = isMean ? values[use.concludes] : values.of({Need::Sup, use.concludes});
        if (use.under || !actual)
          continue;
        auto arguments = argumentsOf(*lemma, use, values);
        if (!arguments)
          continue;
        Result bound = lemma->evaluate(*arguments);
        if (!bound || !bound->isUsable())
          continue;
        ++checks;
        if (info(use.concludes).side == Side::Upper) {
          EXPECT_GE(bound->upper().get_d(), *actual * (1 - 1e-9) - 1e-12) << lemma->id;
        } else {
          EXPECT_LE(bound->lower().get_d(), *actual * (1 + 1e-9) + 1e-12) << lemma->id;
        }
      }
  }
  EXPECT_GT(checks, 20'000u);
}

/// Two tokens whose log-odds are omega/2 and −omega/2 attain what they should.
TEST(LemmaPairsTest, WorstPairsAttainTheirBounds) {
  for (double omega : {0.01, 0.5, 3.0}) {
    Pair pair{{omega / 2, 0}, {-omega / 2, 0}, {}, {}};
    pair.p = softmax(pair.z);
    pair.q = softmax(pair.zInfer);
    Values values(pair);
    for (auto [id, quantity] : {std::pair{"L-TV-OSC", Quantity::Tv},
                                {"L-HEL-OSC", Quantity::Hellinger},
                                {"L-JS-OSC", Quantity::Js}}) {
      std::vector<Real> argument = {Real(Rational(omega), fewBits)};
      double bound = findLemma(id)->evaluate(argument)->upper().get_d();
      EXPECT_NEAR(bound / *values[quantity], 1, 1e-9) << id;
    }
    double delta = *values[Quantity::LogprobLinf];
    for (auto [id, quantity] : {std::pair{"L-TV-LP", Quantity::Tv},
                                {"L-KL-LP", Quantity::KlTrainInfer},
                                {"L-CHI2-LP", Quantity::Chi2},
                                {"L-ESS-LP", Quantity::Ess}}) {
      std::vector<Real> argument = {Real(Rational(delta), fewBits)};
      double bound = findLemma(id)->evaluate(argument)->upper().get_d();
      EXPECT_NEAR(bound / *values[quantity], 1, 1e-8) << id;
    }
  }
}

} // namespace
