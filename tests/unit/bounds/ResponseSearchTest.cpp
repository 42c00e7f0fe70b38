#include "SmallKernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <numeric>
#include <random>

using namespace tikc;
using namespace tikc::bounds;
using namespace tikc::bounds::test;

/// The same lemmas against random kernels: nothing breaks a bound, and some come near it.
namespace {

class Random {
public:
  double uniform() { return (static_cast<double>(generator_()) + 0.5) / 4294967296.0; }
  std::size_t below(std::size_t end) { return generator_() % end; }
  Masses masses(std::size_t count) {
    Masses out(count);
    for (double& mass : out)
      mass = std::exp(4 * uniform() - 2) * (below(3) == 0 ? 1e-3 : 1);
    normalise(out);
    return out;
  }
  /// Another distribution, with a drift that oscillates by at most so much.
  Masses drifted(const Masses& q, double omega) {
    Masses out = q;
    bool extreme = below(2) == 0;
    for (double& mass : out)
      mass *= std::exp(omega * (extreme ? static_cast<double>(below(2)) : uniform()));
    normalise(out);
    return out;
  }

private:
  std::mt19937 generator_{20240917};
};

Process randomProcess(Random& random) {
  Process out;
  double omega = 3 * random.uniform();
  out.q1 = random.masses(3);
  out.p1 = random.drifted(out.q1, omega);
  for (int i = 0; i < 3; ++i) {
    out.q2.push_back(random.masses(3));
    out.p2.push_back(random.drifted(out.q2.back(), omega));
  }
  return out;
}

TEST(ResponseSearchTest, OneToken) {
  Random random;
  double nearestMask = 0, nearestClip = 0, nearestChi2 = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    Masses q = random.masses(2 + random.below(4));
    Masses p = random.drifted(q, 4 * random.uniform() * random.uniform());
    double omega = oscillation(p, q), chi2 = chi2Of(p, q), tv = tvOf(p, q);
    double c = 1.5 * random.uniform(), cap = 2.5 * random.uniform();
    // Masks whose edges are at the ratios themselves lose most.
    double up = std::exp(logRatioUp(p, q)), down = std::exp(-logRatioUp(q, p));
    double b = random.below(2) ? up * (1 - 1e-9) : 1.01 + 2 * random.uniform();
    double a = random.below(2) ? down * (1 + 1e-9) : 0.98 * random.uniform();
    double clipped =
        expected(p, q, [c](double w) { return std::abs(w - std::clamp(w, 1 - c, 1 + c)); });
    double excess = expected(p, q, [cap](double w) { return std::max(w - cap, 0.0); });
    double clipBound = bound("L-PG-CLIP-OSC", {{"omega", omega}, {"c", c}});
    ASSERT_LE(clipped, clipBound + slack);
    ASSERT_LE(clipped, bound("L-CLIP-TV", {{"tv", tv}, {"c", c}}) + slack);
    double chi2Bound = bound("L-HS-CHI2", {{"chi2", chi2}, {"C", cap}});
    ASSERT_LE(excess, chi2Bound + slack);
    ASSERT_LE(excess, bound("L-PG-TIS-OSC", {{"B", 1}, {"omega", omega}, {"C", cap}}) + slack);
    nearestClip = std::max(nearestClip, clipBound > 0.01 ? clipped / clipBound : 0);
    nearestChi2 = std::max(nearestChi2, cap > 1.1 && chi2Bound > 0.01 ? excess / chi2Bound : 0);
    if (b <= 1 || a >= 1)
      continue;
    double masked = expected(p, q, [a, b](double w) { return w < a || w > b ? w : 0; });
    double maskBound = bound("L-PG-MASK-OSC", {{"omega", omega}, {"a", a}, {"b", b}});
    ASSERT_LE(masked, maskBound + 1e-7); // the edges are off by 1e-9
    ASSERT_LE(masked, bound("L-PG-MASK-CHI2", {{"chi2", chi2}, {"a", a}, {"b", b}}) + 1e-7);
    ASSERT_LE(masked, bound("L-PG-MASK-TV", {{"tv", tv}, {"a", a}, {"b", b}}) + 1e-7);
    double width = std::min({b - 1, 1 - a, 0.99});
    ASSERT_LE(masked, bound("L-PG-PPO", {{"B", 1}, {"tv", tv}, {"c", width}}) + 1e-7);
    nearestMask =
        std::max(nearestMask, maskBound > 0.01 && maskBound < 0.99 ? masked / maskBound : 0);
  }
  EXPECT_GT(nearestClip, 0.9);
  EXPECT_GT(nearestChi2, 0.9);
  EXPECT_GT(nearestMask, 0.9);
}

TEST(ResponseSearchTest, Support) {
  Random random;
  double nearestTv = 0, nearestTvQ = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    Masses q = random.masses(3 + random.below(3));
    double omega = 4 * random.uniform() * random.uniform();
    Masses p = random.drifted(q, omega);
    std::size_t cut = 1 + random.below(q.size() - 2);
    Masses kept(q.begin() + static_cast<long>(cut), q.end());
    Masses trained(p.begin() + static_cast<long>(cut), p.end());
    double etaQ = std::accumulate(q.begin(), q.begin() + static_cast<long>(cut), 0.0);
    double eta = std::accumulate(p.begin(), p.begin() + static_cast<long>(cut), 0.0);
    normalise(kept);
    Masses cutOff(cut, 0.0);
    cutOff.insert(cutOff.end(), kept.begin(), kept.end());
    double tv = tvOf(p, cutOff);
    double onKept = oscillation(trained, kept), whole = oscillation(p, q);
    double tvBound = bound("L-SUP-TV", {{"omega", onKept}, {"eta", eta}});
    double tvQBound = bound("L-SUP-TVQ", {{"omega", whole}, {"etaq", etaQ}});
    ASSERT_LE(tv, tvBound + slack);
    ASSERT_LE(tv, tvQBound + slack);
    ASSERT_LE(tv, bound("L-SUP-CUT", {{"tv", tvOf(p, q)}, {"etaq", etaQ}}) + slack);
    ASSERT_LE(eta, bound("L-SUP-ETA", {{"etaq", etaQ}, {"omega", whole}}) + slack);
    double kl = 0;
    for (std::size_t i = 0; i < kept.size(); ++i)
      kl += kept[i] * std::log(kept[i] / trained[i]);
    ASSERT_LE(kl, bound("L-SUP-KL", {{"omega", onKept}, {"eta", eta}}) + slack);
    double wrong = eta; // |q̃·p/q − p|, summed
    for (double mass : trained)
      wrong += mass * etaQ / (1 - etaQ);
    ASSERT_LE(wrong, bound("L-SUP-IS-WRONGQ", {{"B", 1}, {"eta", eta}, {"etaq", etaQ}}) + slack);
    // Both are known as "at most".
    const double mostEta = eta + (1 - eta) * random.uniform(),
                 mostEtaQ = etaQ + (1 - etaQ) * 0.99 * random.uniform();
    ASSERT_LE(wrong,
              bound("L-SUP-IS-WRONGQ", {{"B", 1}, {"eta", mostEta}, {"etaq", mostEtaQ}}) + slack);
    bool drifts = onKept > 0.1 && tv > 1.1 * eta;
    nearestTv = std::max(nearestTv, drifts ? tv / tvBound : 0);
    nearestTvQ = std::max(nearestTvQ, drifts ? tv / tvQBound : 0);
  }
  EXPECT_GT(nearestTv, 0.9);
  EXPECT_GT(nearestTvQ, 0.9);
  EXPECT_EQ(bound("L-SUP-TV", {{"omega", 1}, {"eta", 1}}), 1);
  EXPECT_EQ(bound("L-SUP-TVQ", {{"omega", 1}, {"etaq", 1}}), 1);
}

TEST(ResponseSearchTest, TwoSteps) {
  Random random;
  for (int trial = 0; trial < 1500; ++trial) {
    Process process = randomProcess(random);
    Masses p = process.p(), q = process.q();
    double tau = process.worst(tvOf), omega = process.worst(oscillation),
           up = process.worst(logRatioUp);
    double delta = std::max(
        up, process.worst([](const Masses& a, const Masses& b) { return logRatioUp(b, a); }));
    double whole = tvOf(p, q), prefix = tvOf(process.p1, process.q1), chi2 = chi2Of(p, q);
    Inputs onTau{{"tau", tau}, {"T", 2}}, onOmega{{"omega", omega}, {"T", 2}};
    ASSERT_LE(whole, bound("L-SEQ-TV", onTau) + slack);
    ASSERT_LE(whole, bound("L-SEQ-HEL", onOmega) + slack);
    ASSERT_LE(whole, bound("L-SEQ-RR", {{"delta", delta}, {"T", 2}}) + slack);
    double hellinger =
        process.worst([](const Masses& a, const Masses& b) { return 1 - affinityOf(a, b); });
    ASSERT_LE(whole, bound("L-SEQ-HEL-H2", {{"h2v", std::max(hellinger, 0.0)}, {"T", 2}}) + slack);
    ASSERT_LE(chi2, bound("L-SEQ-CHI2", onOmega) * (1 + slack));
    ASSERT_LE(chi2, bound("L-SEQ-CHI2-LP", {{"delta", delta}, {"T", 2}}) * (1 + slack));
    ASSERT_LE(chi2,
              bound("L-SEQ-CHI2-PROD", {{"chi2", process.worst(chi2Of)}, {"T", 2}}) * (1 + slack));
    ASSERT_GE(1 / (1 + chi2) + slack, enclosure("L-ESS-SEQ", onOmega).lower().get_d());
    ASSERT_LE(klOf(p, q), bound("L-SEQ-KL", onOmega) + slack);
    ASSERT_LE(klOf(p, q), bound("L-SEQ-KL-SUM", {{"kl", process.worst(klOf)}, {"T", 2}}) + slack);
    ASSERT_LE(logRatioUp(p, q), bound("L-SEQ-LR", {{"r", up}, {"T", 2}}) + slack);
    const double k = 1 + std::exp(4 * random.uniform() - 2), c = 1.5 * random.uniform(),
                 low = 0.98 * random.uniform(), high = 1.01 + 2 * random.uniform();
    const Input moment{"k", k}, drift{"omega", omega}, steps{"T", 2};
    ASSERT_LE(expected(p, q, [&](double w) { return std::max(w - high, 0.0); }),
              bound("L-HS-SEQ-MOMENT", {drift, {"C", high}, steps, moment}) + slack);
    ASSERT_LE(expected(p, q, [&](double w) { return std::abs(w - std::clamp(w, 1 - c, 1 + c)); }),
              bound("L-CLIP-SEQ-MOMENT", {drift, {"c", c}, steps, moment}) + slack);
    ASSERT_LE(expected(p, q, [&](double w) { return w < low || w > high ? w : 0; }),
              bound("L-MASK-SEQ-MOMENT", {drift, {"a", low}, {"b", high}, steps, moment}) + slack);
    // The largest bias of terms of norm 1: each term aligned with its own drift.
    double naive = 2 * prefix + 2 * whole;
    ASSERT_LE(naive, bound("L-PG-SEQNAIVE-TV", {{"B", 1}, {"tau", tau}, {"T", 2}}) + slack);
    ASSERT_LE(naive, bound("L-PG-SEQNAIVE-HEL", {{"B", 1}, {"omega", omega}, {"T", 2}}) + slack);
    ASSERT_LE(2 * prefix, bound("L-PG-TOK-TV", {{"B", 1}, {"tau", tau}, {"T", 2}}) + slack);
    ASSERT_LE(2 * prefix, bound("L-PG-TOK-HEL", {{"B", 1}, {"omega", omega}, {"T", 2}}) + slack);
    double corrected = 2 * tvOf(Process::joint(process.p1, process.q2), p) +
                       2 * tvOf(Process::joint(process.q1, process.p2), p);
    ASSERT_LE(corrected, bound("L-PG-TOKMC-TV", {{"B", 1}, {"tau", tau}, {"T", 2}}) + slack);
    ASSERT_LE(corrected, bound("L-PG-TOKMC-HEL", {{"B", 1}, {"omega", omega}, {"T", 2}}) + slack);
    ASSERT_LE(2 * 2 * whole, bound("L-PG-RETURN", {{"B", 1}, {"tv", whole}, {"T", 2}}) + slack);
    double pairs = 0; // of two independent responses
    for (std::size_t i = 0; i < p.size(); ++i)
      for (std::size_t j = 0; j < p.size(); ++j)
        pairs += std::abs(p[i] * p[j] - q[i] * q[j]);
    ASSERT_LE(2 * pairs,
              bound("L-PG-GROUP-SUM", {{"B", 1}, {"tv", whole}, {"n", 2}, {"T", 2}}) + slack);
    ASSERT_LE(2 * pairs,
              bound("L-PG-GROUP-HEL", {{"B", 1}, {"omega", omega}, {"n", 2}, {"T", 2}}) + slack);
    ASSERT_LE(2 * pairs,
              bound("L-PG-GROUP-TOK", {{"B", 1}, {"tau", tau}, {"n", 2}, {"T", 2}}) + slack);
  }
}

/// Two kernels that may end a response early: for each prefix the probabilities of its next token,
/// the first of which ends it.
struct Ending {
  struct Response {
    std::vector<double> p, q; // of its tokens

    double joint(std::size_t trained) const { // p at one step, q elsewhere
      double out = 1;
      for (std::size_t i = 0; i < p.size(); ++i)
        out *= i == trained ? p[i] : q[i];
      return out;
    }
    static double product(const std::vector<double>& of) {
      return std::accumulate(of.begin(), of.end(), 1.0, std::multiplies<>());
    }
  };
  std::vector<Response> responses;
  double tau = 0;

  Ending(Random& random, std::size_t horizon, double drift) { grow(random, {}, horizon, drift); }

  void grow(Random& random, const Response& prefix, std::size_t left, double drift) {
    const Masses q = random.masses(3), p = random.drifted(q, drift);
    tau = std::max(tau, tvOf(p, q));
    for (std::size_t token = 0; token < 3; ++token) {
      Response next = prefix;
      next.p.push_back(p[token]);
      next.q.push_back(q[token]);
      if (token == 0 || left == 1)
        responses.push_back(next);
      else
        grow(random, next, left - 1, drift);
    }
  }
};

/// The largest biases of terms of norm 1 under losses that divide by lengths: each term is aligned
/// with its own drift.
TEST(ResponseSearchTest, EndingEarly) {
  Random random;
  std::map<std::string, double> nearest;
  for (int trial = 0; trial < 3000; ++trial) {
    const std::size_t horizon = 1 + random.below(3);
    const Ending kernels(random, horizon, 2 * random.uniform() * random.uniform());
    double lengthP = 0, lengthQ = 0;
    for (const Ending::Response& each : kernels.responses) {
      const double length = static_cast<double>(each.p.size());
      lengthP += length * Ending::Response::product(each.p);
      lengthQ += length * Ending::Response::product(each.q);
    }
    double mean = 0, norm = 0, batch = 0, batchWeighted = 0, whole = 0;
    for (const Ending::Response& each : kernels.responses) {
      const double p = Ending::Response::product(each.p), q = Ending::Response::product(each.q);
      const double length = static_cast<double>(each.p.size());
      whole += length * std::abs(p / lengthQ - p / lengthP);
      for (std::size_t t = 0; t < each.p.size(); ++t) {
        const double weighted = each.joint(t);
        mean += std::abs(weighted - p) / length;
        norm += weighted / length;
        batch += std::abs(q / lengthQ - p / lengthP);
        batchWeighted += std::abs(weighted / lengthQ - p / lengthP);
      }
    }
    auto expectWithin = [&](const char* lemma, double truth, const Inputs& inputs) {
      const double most = bound(lemma, inputs);
      ASSERT_LE(truth, most + slack) << lemma;
      if (kernels.tau < 0.01 && most > 1e-4)
        nearest[lemma] = std::max(nearest[lemma], truth / most);
    };
    const Input one{"B", 1}, tau{"tau", kernels.tau}, T{"T", static_cast<double>(horizon)};
    expectWithin("L-PG-MEAN-TOK-TV", mean, {one, tau, T});
    expectWithin("L-PG-TRIVIAL-MEAN", norm + 1, {one, {"m", 1}, T});
    expectWithin("L-PG-BATCH-TV", batch, {one, tau, T});
    expectWithin("L-PG-BATCH-TOKMC", batchWeighted, {one, tau, T});
    expectWithin("L-PG-BATCH-WHOLE", whole, {one, tau, T});
    expectWithin("L-LEN-TV", std::abs(lengthP - lengthQ), {tau, T});
  }
  for (const char* lemma : {"L-PG-MEAN-TOK-TV", "L-PG-BATCH-TV", "L-PG-BATCH-TOKMC"})
    EXPECT_GT(nearest[lemma], 0.6) << lemma;
}

} // namespace
