// How wide the intervals of a mean are, and how often they are wrong.
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
  print_coverage(count > 1 ? std::atoi(words[1]) : 10'000);
}
