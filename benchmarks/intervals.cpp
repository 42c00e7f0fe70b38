// How wide the intervals of a mean and of quantiles are, and how often those of a mean are wrong.
//
//   g++ -O2 -std=c++17 -Iruntime/include benchmarks/intervals.cpp -o build/intervals &&
//   build/intervals [streams]

#include "tikc/confidence.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

using namespace tikc;

namespace {

constexpr double alpha = 0.01;

/// S-TUH for a range of 1, with rho for the n that is asked about: its best case.
double tuh_upper(double sum, double n, double risk) {
  const double v = n / 4;
  const double rho = v / (2 * std::log(1 / risk) + std::log(1 + 2 * std::log(1 / risk)));
  const double radius =
      std::sqrt(2 * (v + rho) * std::log(1 + std::sqrt((v + rho) / rho) / (2 * risk)));
  return std::min(1.0, (sum + radius) / n);
}

void print_widths() {
  std::printf(
      "Upper limit less the mean, of values in [0, 1], at 99%% (two-sided). The last two are for "
      "one look only; the centre is twice the mean.\n\n"
      "| n | mean | deviation | tikc | without the variance | S-TUH | Hoeffding | CLT |\n"
      "|---|---|---|---|---|---|---|---|\n");
  struct row {
    double mean, deviation;
  };
  for (double n : {1e3, 1e4, 1e5, 1e6})
    for (row at :
         {row{0.002, 0.004}, row{0.01, 0.01}, row{0.01, 0.05}, row{0.1, 0.1}, row{0.5, 0.5}}) {
      const double risk = alpha / 2, sum = n * at.mean, centre = std::min(2 * at.mean, 0.9);
      const auto count = static_cast<std::uint64_t>(n);
      const double squares =
          n * (at.deviation * at.deviation + (at.mean - centre) * (at.mean - centre));
      std::printf("| %g | %g | %g | %.5f | %.5f | %.5f | %.5f | %.5f |\n", n, at.mean, at.deviation,
                  mean_upper(sum, count, 1, risk, spread{centre, squares}) - at.mean,
                  mean_upper(sum, count, 1, risk) - at.mean, tuh_upper(sum, n, risk) - at.mean,
                  std::sqrt(std::log(1 / risk) / (2 * n)), 2.5758 * at.deviation / std::sqrt(n));
    }
}

double zeta_of(double s) {
  constexpr int terms = 1'000'000;
  double sum = std::pow(terms, 1 - s) / (s - 1); // about what the omitted terms add
  for (int i = 1; i < terms; ++i)
    sum += std::pow(i, -s);
  return sum;
}

/// A bound on how far the share of values up to the p-quantile exceeds p, for all p and all n from
/// `first` on at once: double stitching, Howard and Ramdas (2022), Theorem 3, with their constants.
double band_above(double p, double n, double first) {
  constexpr double delta = 0.5, s = 1.4, eta = 2;
  static const double zeta = zeta_of(s);
  const double k1 = (std::pow(eta, 0.25) + std::pow(eta, -0.25)) / std::sqrt(2),
               k2 = (std::sqrt(eta) + 1) / 2;
  const double logit = std::log(p / (1 - p)),
               near = 1 / (1 + std::exp(-logit - 2 * delta * std::sqrt(first * eta / n)));
  const double r = p >= 0.5 ? p : std::min(0.5, near), variance = r * (1 - r);
  const double step = std::sqrt(n / first) * std::fabs(logit) / (2 * delta) + 1;
  const double risk = s * std::log(std::log(eta * n / first)) + s * std::log(step) +
                      std::log(2 * zeta * (2 * zeta + 1) / (alpha * std::pow(std::log(eta), s)));
  const double skew = k2 * (1 - 2 * p) / 3 * risk;
  return (delta * std::sqrt(eta * n * variance / first) +
          std::sqrt(k1 * k1 * variance * n * risk + skew * skew) + skew) /
         n;
}

void print_several_quantiles() {
  std::printf(
      "\nWidth, in shares, of the intervals of several quantiles of the same values at 99%%. "
      "tikc divides the error among them; the band holds for all quantiles at once, and "
      "starts at the best of 10, 100, 1,000 and 10,000 values.\n\n"
      "| quantile | n | one | 2 | 4 | 16 | band |\n|---|---|---|---|---|---|---|\n");
  for (double p : {0.5, 0.9, 0.99, 0.999})
    for (double n : {1e4, 1e5, 1e6}) {
      const auto width = [&](int quantiles) {
        const double sum = n * (1 - p), risk = alpha / 2 / quantiles;
        const auto count = static_cast<std::uint64_t>(n);
        return mean_upper(sum, count, 1, risk) - mean_lower(sum, count, 1, risk);
      };
      double above = 1, below = 1;
      for (double first : {10.0, 100.0, 1'000.0, 10'000.0}) {
        above = std::min(above, band_above(p, n, first));
        below = std::min(below, band_above(1 - p, n, first));
      }
      std::printf("| %g | %g | %.5f | %.5f | %.5f | %.5f | %.5f |\n", p, n, width(1), width(2),
                  width(4), width(16), above + below);
    }
}

double unit(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

/// The sums of one stream, and of the means that its values had when they were drawn.
struct stream {
  double sum = 0, squares = 0, means = 0, state = 0;
  std::uint64_t n = 0;

  void add(double mean, double x) {
    means += mean;
    sum += x;
    squares += x * x;
    ++n;
  }
};

void flags(stream& to, std::mt19937_64& random) { to.add(0.02, unit(random) < 0.02 ? 1 : 0); }
void small_values(stream& to, std::mt19937_64& random) { to.add(0.02, 0.04 * unit(random)); }
/// As variations of tokens are: most small, few large.
void variations(stream& to, std::mt19937_64& random) {
  const double u = unit(random);
  to.add(1.0 / 31, std::pow(u, 30));
}
/// Rarely, the largest value that there is.
void heavy(stream& to, std::mt19937_64& random) {
  to.add(0.001 + 0.999 * 0.005, unit(random) < 0.001 ? 1 : 0.005);
}
/// Values of one response resemble each other.
void clustered(stream& to, std::mt19937_64& random) {
  if (to.n % 64 == 0)
    to.state = unit(random) < 0.5 ? 0.005 : 0.04;
  to.add(to.state, 2 * to.state * unit(random));
}
/// Waits for the interval to fail: large stakes while the sum is behind.
void adversarial(stream& to, std::mt19937_64& random) {
  if (to.sum < to.means)
    to.add(0.3, unit(random) < 0.3 ? 1 : 0);
  else
    to.add(0.02, 0.04 * unit(random));
}

void print_coverage(int streams) {
  std::printf(
      "\nStreams of %d in which a side of the interval is ever wrong, with a look after each batch "
      "of 64 "
      "values, 64 batches; at most %.0f are expected.\n\n"
      "| values | above, tikc | below, tikc | above, CLT | below, CLT |\n|---|---|---|---|---|\n",
      streams, streams * alpha / 2);
  struct kind {
    const char* name;
    void (*next)(stream&, std::mt19937_64&);
    double centre;
  };
  for (kind each :
       {kind{"flags of 2%", flags, 0.02}, kind{"uniform in [0, 0.04]", small_values, 0.02},
        kind{"powers of uniforms", variations, 0.03}, kind{"rarely the largest", heavy, 0.006},
        kind{"clustered", clustered, 0.02}, kind{"adversarial", adversarial, 0.05}}) {
    int wrong[4] = {};
    for (int which = 0; which < streams; ++which) {
      std::mt19937_64 random(static_cast<unsigned>(which) + 1);
      stream at;
      bool is_wrong[4] = {};
      for (int batch = 0; batch < 64; ++batch) {
        for (int i = 0; i < 64; ++i)
          each.next(at, random);
        const double n = static_cast<double>(at.n), mean = at.sum / n, truth = at.means / n;
        const spread about{each.centre,
                           at.squares - 2 * each.centre * at.sum + n * each.centre * each.centre};
        const double error = 2.5758 * std::sqrt(std::max(0.0, at.squares / n - mean * mean) / n);
        is_wrong[0] |= detail::mean_test(at.sum, at.n, alpha / 2, -1, about).rejects(truth);
        is_wrong[1] |= detail::mean_test(at.sum, at.n, alpha / 2, 1, about).rejects(truth);
        is_wrong[2] |= mean + error < truth;
        is_wrong[3] |= mean - error > truth;
      }
      for (int i = 0; i < 4; ++i)
        wrong[i] += is_wrong[i] ? 1 : 0;
    }
    std::printf("| %s | %d | %d | %d | %d |\n", each.name, wrong[0], wrong[1], wrong[2], wrong[3]);
  }
}

} // namespace

int main(int count, char** words) {
  print_widths();
  print_several_quantiles();
  print_coverage(count > 1 ? std::atoi(words[1]) : 10'000);
}
