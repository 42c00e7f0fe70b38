#include "tikc/confidence.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <random>
#include <vector>

namespace tikc::tests {
namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

struct MeanCase {
  double sum;
  std::uint64_t n;
  double alpha, low, high;
};

/// One-sided roots of the mixture equation, by mpmath in 60 digits.
const std::vector<MeanCase> meanCases = {
    {0.0, 1, 0.05, 0.0, 0.9963536435559640272},
    {0.0, 1, 0.0009765625, 0.0, 1.0},
    {0.0, 1, 1e-09, 0.0, 1.0},
    {0.0, 1000, 0.05, 0.0, 0.0047289698867640070587},
    {0.0, 1000, 0.0009765625, 0.0, 0.0088815887041546178961},
    {0.0, 1000, 1e-09, 0.0, 0.022709787984464898645},
    {1.0, 1000, 0.05, 8.401824425879887113e-7, 0.0081758593446530651732},
    {1.0, 1000, 0.0009765625, 0.0, 0.012798856042088694263},
    {1.0, 1000, 1e-09, 0.0, 0.027360996729378177806},
    {10.0, 1000, 0.05, 0.0026234084587890560377, 0.023986267603585669159},
    {10.0, 1000, 0.0009765625, 0.0016340157515151023094, 0.030633703794846286101},
    {10.0, 1000, 1e-09, 0.00031055825362667956656, 0.049062695492634012871},
    {500.0, 1000, 0.05, 0.44785242385805818264, 0.55214757614194181736},
    {500.0, 1000, 0.0009765625, 0.43050375524524336142, 0.56949624475475663858},
    {500.0, 1000, 1e-09, 0.39189439765782767646, 0.60810560234217232354},
    {990.0, 1000, 0.05, 0.97601373239641433084, 0.99737659154121094396},
    {990.0, 1000, 0.0009765625, 0.9693662962051537139, 0.99836598424848489769},
    {990.0, 1000, 1e-09, 0.95093730450736598713, 0.99968944174637332043},
    {1000.0, 1000, 0.05, 0.99527103011323599294, 1.0},
    {1000.0, 1000, 0.0009765625, 0.9911184112958453821, 1.0},
    {1000.0, 1000, 1e-09, 0.97729021201553510135, 1.0},
    {0.125, 40, 0.05, 0.0, 0.12567572973365902648},
    {0.125, 40, 0.0009765625, 0.0, 0.21410085335976104691},
    {0.125, 40, 1e-09, 0.0, 0.44894329064453761151},
    {2.5, 100000, 0.05, 8.694119282824048736e-7, 0.00011554245087756655811},
    {2.5, 100000, 0.0009765625, 5.7383594238540819085e-8, 0.00016684622707116014042},
    {2.5, 100000, 1e-09, 0.0, 0.00032635954113869924557},
    {100000.0, 100000000, 0.05, 0.00098939290634055237064, 0.0010106783361761137084},
    {100000.0, 100000000, 0.0009765625, 0.00098616110382360747604, 0.0010139705048486218215},
    {100000.0, 100000000, 1e-09, 0.00097748967968128906547, 0.0010228249507727902448},
    {50000000.0, 100000000, 0.05, 0.4998310991368596205, 0.5001689008631403795},
    {50000000.0, 100000000, 0.0009765625, 0.4997802025598079253, 0.5002197974401920747},
    {50000000.0, 100000000, 1e-09, 0.49964133747018400574, 0.50035866252981599426},
    {3.0, 1000000000, 0.05, 1.3505517052004299452e-10, 1.2548779875569217581e-8},
    {3.0, 1000000000, 0.0009765625, 4.3229749495158609619e-11, 1.7803342344210821222e-8},
    {3.0, 1000000000, 1e-09, 1.6918209956944482978e-13, 3.3961587526775519144e-8},
    {0.0, 16777216, 0.05, 0.0, 2.8249961664266458967e-7},
    {0.0, 16777216, 0.0009765625, 0.0, 5.316806779315490879e-7},
    {0.0, 16777216, 1e-09, 0.0, 1.3690509729702638213e-6},
    {262144.0, 16777216, 0.05, 0.015524887876331391726, 0.015725531977006130828},
    {262144.0, 16777216, 0.0009765625, 0.015491705117008840405, 0.015758995472171410742},
    {262144.0, 16777216, 1e-09, 0.015416262742623115218, 0.015835691987175166981},
};

TEST(BoundedMean, IsNextToTheExactLimitAndNeverInsideIt) {
  for (const MeanCase& at : meanCases) {
    SCOPED_TRACE(testing::Message() << at.sum << " of " << at.n << " at " << at.alpha);
    const double high = mean_upper(at.sum, at.n, 1, at.alpha);
    const double low = mean_lower(at.sum, at.n, 1, at.alpha);
    EXPECT_GE(high, at.high);
    EXPECT_LE(low, at.low);
    EXPECT_LE(high, at.high * (1 + 1e-6));
    EXPECT_GE(low, at.low * (1 - 1e-6));
  }
}

struct SpreadCase {
  double sum;
  std::uint64_t n;
  double alpha, centre, squares, low, high;
};

/// The same with a spread, in 60 digits.
const std::vector<SpreadCase> spreadCases = {
    {10.0, 1000, 0.05, 0.01, 0.1, 0.00884508478947194737313, 0.0168738302584032836910},
    {10.0, 1000, 1e-06, 0.01, 0.1, 0.00796648868194434134129, 0.0294268424201290394272},
    {10.0, 1000, 0.05, 0.02, 0.5, 0.00781003628338312175381, 0.0173036845879007392751},
    {10.0, 1000, 1e-06, 0.02, 0.5, 0.00625077667445424533873, 0.0299001717170858768135},
    {0.0, 1000, 0.05, 0.01, 0.1, 0, 0.00516764246460575864970},
    {0.0, 1000, 1e-06, 0.01, 0.1, 0, 0.0164672418883496806845},
    {250.0, 1000, 0.05, 0.25, 10.0, 0.237859319545799488886, 0.264444885712054840379},
    {250.0, 1000, 1e-06, 0.25, 10.0, 0.227202168201432949958, 0.278018509046379525777},
    {5.0, 20, 0.05, 0.5, 2.25, 0.0916706035156696239262, 0.599602643001042529925},
    {5.0, 20, 1e-06, 0.5, 2.25, 0.0190344319433719195445, 0.841302763791789799630},
    {900.0, 1000, 0.05, 0.75, 23.5, 0.884273242090988770768, 0.906736170694271610103},
    {900.0, 1000, 1e-06, 0.75, 23.5, 0.866295074300073778708, 0.911437697906538255714},
    {2000.0, 100000, 0.05, 0.03125, 102.65625, 0.0196609179991912204129, 0.0203883179261836866526},
    {2000.0, 100000, 1e-06, 0.03125, 102.65625, 0.0194302222027294055442, 0.0207141379518033070529},
    {2000.0, 100000, 0.05, 0.015625, 91.9140625, 0.0196596984698999899591,
     0.0203857084787719586386},
    {2000.0, 100000, 1e-06, 0.015625, 91.9140625, 0.0194271232617283528204,
     0.0206935274301538079834},
    {100000.0, 10000000, 0.05, 0.0101, 3000.1, 0.00998026494882687216015, 0.0100197140272560523735},
    {100000.0, 10000000, 1e-06, 0.0101, 3000.1, 0.00996762072062683534196,
     0.0100342418153172130242},
    {500.0, 1000, 0.05, 0.5, 250.0, 0.446938521091334426093, 0.553061478908665573907},
    {500.0, 1000, 1e-06, 0.5, 250.0, 0.405140299463174585915, 0.594859700536825414085},
    {30000000.0, 1000000000, 0.05, 0.03125, 1001562.5, 0.0299964611245211820340,
     0.0300035337146454015352},
    {30000000.0, 1000000000, 1e-06, 0.03125, 1001562.5, 0.0299939276622050684250,
     0.0300061181820590270816},
    {10.0, 1000, 0.05, 0.0, 0.2, 0.00262340845878905603766, 0.0169597743554833817296},
    {10.0, 1000, 1e-06, 0.0, 0.2, 0.000536172409129996135973, 0.0295384847216244640388},
    {10.0, 1000, 0.05, 1.0, 980.2, 0.00464520299024836789951, 0.0239862676035856691595},
    {10.0, 1000, 1e-06, 1.0, 980.2, 0.00220828072017800565431, 0.0406189435708994567225},
};

TEST(MeanWithSpread, IsNextToTheExactLimitAndNeverInsideIt) {
  for (const SpreadCase& at : spreadCases) {
    SCOPED_TRACE(testing::Message() << at.sum << " of " << at.n << " at " << at.alpha << " about "
                                    << at.centre << ", " << at.squares);
    for (double range : {1.0, 3.0, 1e-3}) {
      const spread about{at.centre * range, at.squares * range * range};
      const double high = mean_upper(at.sum * range, at.n, range, at.alpha, about) / range;
      const double low = mean_lower(at.sum * range, at.n, range, at.alpha, about) / range;
      EXPECT_GE(high, at.high * (1 - 1e-15));
      EXPECT_LE(low, at.low * (1 + 1e-15));
      EXPECT_LE(high, at.high * (1 + 1e-6));
      EXPECT_GE(low, at.low * (1 - 1e-6));
    }
  }
}

/// Values of a twentieth of the range, as variations of kernels are: most of the interval is gone.
TEST(MeanWithSpread, IsAFractionOfTheWidthWhereValuesAreSmall) {
  const std::uint64_t n = 100'000;
  const double sum = 0.02 * 1e5, squares = 1e5 * 0.02 * 0.02;
  const double upper = mean_upper(sum, n, 1, 0.005) - 0.02;
  const double lower = 0.02 - mean_lower(sum, n, 1, 0.005);
  const spread about{0.02, squares};
  EXPECT_LT(mean_upper(sum, n, 1, 0.005, about) - 0.02, upper / 4);
  EXPECT_LT(0.02 - mean_lower(sum, n, 1, 0.005, about), lower / 4);
}

/// Twice as many processes each need a little more.
TEST(MeanWithSpread, IsNeverMuchWiderThanWithout) {
  for (double n : {100.0, 10'000.0, 1e6})
    for (double share : {0.0, 0.01, 0.5, 0.99})
      for (double centre : {0.001, 0.02, 0.5, 0.9}) {
        SCOPED_TRACE(testing::Message() << n << " " << share << " about " << centre);
        const double sum = n * share, worst = n;
        const auto count = static_cast<std::uint64_t>(n);
        const double high = mean_upper(sum, count, 1, 0.01, spread{centre, worst});
        const double low = mean_lower(sum, count, 1, 0.01, spread{centre, worst});
        EXPECT_LE(high, mean_upper(sum, count, 1, 0.005) * (1 + 1e-9));
        EXPECT_GE(low, mean_lower(sum, count, 1, 0.005) * (1 - 1e-9));
      }
}

TEST(MeanWithSpread, SaysAsMuchAsWithoutIfNothingIsKnownOfIt) {
  for (double unknown : {std::numeric_limits<double>::infinity(), notANumber, -1.0}) {
    const spread about{0.5, unknown};
    EXPECT_LT(mean_upper(10, 1000, 1, 0.05, about), 0.03);
    EXPECT_GT(mean_upper(10, 1000, 1, 0.05, about), mean_upper(10, 1000, 1, 0.05));
    EXPECT_GT(mean_lower(10, 1000, 1, 0.05, about), 0.002);
  }
  for (double centre : {0.0, 1.0, -0.5, 1.5}) // one side has no room, and the other has
    for (double alpha : {0.05, 1e-6}) {
      const spread about{centre, 1000 * (0.01 - centre) * (0.01 - centre)};
      const double high = mean_upper(10, 1000, 1, alpha, about);
      const double low = mean_lower(10, 1000, 1, alpha, about);
      EXPECT_TRUE(low > 0 && low < 0.01 && high > 0.01 && high < 0.05) << centre;
    }
}

TEST(BoundedMean, SplitsItsAlphaBetweenTheTwoEnds) {
  const interval both = bounded_mean(10, 1000, 1, 0.1);
  EXPECT_EQ(both.low, mean_lower(10, 1000, 1, 0.05));
  EXPECT_EQ(both.high, mean_upper(10, 1000, 1, 0.05));
}

TEST(BoundedMean, ScalesWithTheRange) {
  const interval one = bounded_mean(10, 1000, 1, 0.05);
  const interval three = bounded_mean(30, 1000, 3, 0.05);
  EXPECT_NEAR(three.low, 3 * one.low, 1e-12);
  EXPECT_NEAR(three.high, 3 * one.high, 1e-12);
}

TEST(BoundedMean, IsSymmetricUnderTheComplement) {
  for (double sum : {0.0, 1.0, 20.0, 250.0, 499.5}) {
    EXPECT_NEAR(mean_upper(sum, 500, 1, 0.05), 1 - mean_lower(500 - sum, 500, 1, 0.05), 1e-10);
  }
}

TEST(BoundedMean, SaysNothingOfNothing) {
  const auto expectVacuous = [](interval at, double range) {
    EXPECT_EQ(at.low, 0);
    EXPECT_EQ(at.high, range);
  };
  expectVacuous(bounded_mean(0, 0, 2, 0.05), 2);
  expectVacuous(bounded_mean(notANumber, 10, 2, 0.05), 2);
  expectVacuous(bounded_mean(1, 10, 2, 0), 2);
  expectVacuous(bounded_mean(1, 10, 2, notANumber), 2);
  EXPECT_EQ(mean_upper(std::numeric_limits<double>::infinity(), 10, 2, 0.05), 2);
  EXPECT_EQ(mean_upper(20.5, 10, 2, 0.05), 2); // a sum that rounding took past n·range
  EXPECT_EQ(mean_lower(-1e-20, 10, 2, 0.05), 0);
}

/// exp(−λ·S + n·u·(1 − e^−λ)) and its mirror, over the same grid: what holds by 1 + y <= e^y alone.
bool poissonRejects(double sum, double n, double mean, double alpha, double sign) {
  double total = 0;
  for (int i = 0; i < 16; ++i) {
    const double lambda = sign * std::ldexp(1.0, i - 12);
    total += std::exp(lambda * sum - n * mean * std::expm1(lambda)) / 16;
  }
  return total >= 1 / alpha;
}

TEST(BoundedMean, IsNeverWiderThanThePoissonForm) {
  for (double n : {50.0, 1000.0, 100000.0}) {
    for (double share : {0.0, 0.001, 0.02, 0.3, 0.9}) {
      for (int step = 1; step < 200; ++step) {
        const double mean = step / 200.0;
        const double sum = share * n;
        const auto count = static_cast<std::uint64_t>(n);
        if (mean > share && poissonRejects(sum, n, mean, 0.05, -1)) {
          EXPECT_LE(mean_upper(sum, count, 1, 0.05), mean * (1 + 1e-9)) << n << " " << share;
        }
        if (mean < share && poissonRejects(sum, n, mean, 0.05, 1)) {
          EXPECT_GE(mean_lower(sum, count, 1, 0.05), mean * (1 - 1e-9)) << n << " " << share;
        }
      }
    }
  }
}

/// A stream of variables in [0, 1]; each call sets the mean that the next has, given all before it.
struct Stream {
  double mean = 0;
  double sum = 0;
  double squares = 0;
  double means = 0;
  std::uint64_t n = 0;
};
using Next = std::function<double(Stream&, std::mt19937_64&)>;

double unit(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }
double coin(double p, std::mt19937_64& random) { return unit(random) < p ? 1 : 0; }

/// How many of the paths a limit misses at one of its looks, one at every step.
template <class Misses> double missRate(const Next& next, int paths, int steps, Misses misses) {
  int missed = 0;
  for (int path = 0; path < paths; ++path) {
    std::mt19937_64 random(static_cast<unsigned>(path) + 1);
    Stream stream;
    bool miss = false;
    for (int step = 0; step < steps && !miss; ++step) {
      const double x = next(stream, random);
      stream.sum += x;
      stream.squares += x * x;
      stream.means += stream.mean;
      ++stream.n;
      miss = misses(stream);
    }
    missed += miss ? 1 : 0;
  }
  return missed / static_cast<double>(paths);
}

constexpr double alpha = 0.1;
constexpr int paths = 800;
constexpr int steps = 400;
/// Three standard deviations of a rate of alpha over so many paths.
const double allowed = alpha + 3 * std::sqrt(alpha * (1 - alpha) / paths);

Next independent(double p) {
  return [p](Stream& stream, std::mt19937_64& random) {
    stream.mean = p;
    return coin(p, random);
  };
}

/// Tokens of one response share a rate that none knows: Pólya's urn gives what the past says of it.
double clustered(Stream& stream, std::mt19937_64& random) {
  constexpr std::uint64_t length = 60;
  static thread_local double hits;
  const std::uint64_t place = stream.n % length;
  hits = place == 0 ? 0 : hits;
  stream.mean = (0.2 + hits) / (2.0 + static_cast<double>(place));
  const double x = coin(stream.mean, random);
  hits += x;
  return x;
}

double drifting(Stream& stream, std::mt19937_64& random) {
  stream.mean = 0.02 + 0.3 * static_cast<double>(stream.n) / steps;
  return stream.mean * 2 * unit(random);
}

/// Raises the stakes while it is behind, as one that waits for a limit to fail would.
double adversarial(Stream& stream, std::mt19937_64& random) {
  stream.mean = stream.sum < stream.means ? 0.5 : 0.02;
  return coin(stream.mean, random);
}

/// Small values, and rarely one that is as large as it can be.
double heavyTailed(Stream& stream, std::mt19937_64& random) {
  constexpr double rare = 0.004, usual = 0.01;
  stream.mean = rare + (1 - rare) * usual;
  return coin(rare, random) > 0 ? 1 : usual;
}

/// A power of a uniform: a tail that is heavy at each scale.
double skewed(Stream& stream, std::mt19937_64& random) {
  stream.mean = 1.0 / 9;
  return std::pow(unit(random), 8);
}

/// Spreads more while it is behind.
double wavering(Stream& stream, std::mt19937_64& random) {
  stream.mean = 0.1;
  return stream.sum < stream.means ? coin(0.1, random) : 0.1 + 0.02 * (unit(random) - 0.5);
}

const std::vector<std::pair<const char*, Next>>& streams() {
  static const std::vector<std::pair<const char*, Next>> out = {
      {"rare", independent(0.01)}, {"even", independent(0.5)}, {"common", independent(0.97)},
      {"clustered", clustered},    {"drifting", drifting},     {"adversarial", adversarial},
      {"heavy", heavyTailed},      {"skewed", skewed},         {"wavering", wavering},
  };
  return out;
}

TEST(MeanWithSpread, CoversAtAllTimesAtOnce) {
  for (const auto& [name, next] : streams())
    for (double centre : {0.01, 0.3})
      for (double sign : {-1.0, 1.0}) {
        const double rate = missRate(next, paths / 2, steps, [&](const Stream& at) {
          const double n = static_cast<double>(at.n);
          const double squares = at.squares - 2 * centre * at.sum + n * centre * centre;
          const detail::mean_test test(at.sum, at.n, alpha, sign, {centre, squares});
          return test.rejects(at.means / n);
        });
        EXPECT_LE(rate, allowed) << name << " about " << centre << ", " << sign;
      }
}

/// Else the simulation could not see that a side's processes are wrong.
TEST(MeanWithSpread, TheSimulationSeesASpreadThatIsTooSmall) {
  const double rate = missRate(independent(0.1), 300, 300, [](const Stream& at) {
    const double n = static_cast<double>(at.n), about = at.squares - 0.2 * at.sum + n * 0.01;
    return detail::mean_test(at.sum, at.n, alpha, 1, {0.1, about / 8}).rejects(at.means / n);
  });
  EXPECT_GT(rate, 1.5 * alpha);
}

TEST(BoundedMean, CoversAtAllTimesAtOnce) {
  for (const auto& [name, next] : streams()) {
    for (double sign : {-1.0, 1.0}) {
      const double rate = missRate(next, paths, steps, [&](const Stream& at) {
        const detail::mean_test test(at.sum, at.n, alpha, sign);
        return test.rejects(at.means / static_cast<double>(at.n));
      });
      EXPECT_LE(rate, allowed) << name << " " << sign;
    }
  }
}

TEST(BoundedMean, TheSimulationSeesALimitThatIsForOneLookOnly) {
  const double rate = missRate(independent(0.5), 300, 300, [](const Stream& at) {
    const double n = static_cast<double>(at.n), oneLook = 1.2816 / 2; // of the normal's 90%
    return at.sum / n + oneLook / std::sqrt(n) < 0.5;
  });
  EXPECT_GT(rate, 1.5 * alpha);
}

TEST(BoundedMean, TheLimitIsWhereTheTestBeginsToReject) {
  for (const MeanCase& at : meanCases) {
    const double high = mean_upper(at.sum, at.n, 1, at.alpha);
    const detail::mean_test test(at.sum, at.n, at.alpha, -1);
    if (high < 1) {
      EXPECT_TRUE(test.rejects(high));
      EXPECT_FALSE(test.rejects(high * (1 - 1e-6)));
    }
  }
}

TEST(MeanNeeds, IsTheLeastNumberThatDecides) {
  for (double bound : {0.5, 0.1, 0.01, 1e-3, 1e-6})
    for (double risk : {0.2, 0.05, 0.01, 1e-6})
      for (knows_spread knows : {knows_spread::no, knows_spread::yes}) {
        SCOPED_TRACE(testing::Message() << bound << " at " << risk);
        const std::uint64_t n = mean_needs(bound, risk, knows);
        const auto upperAfter = [&](std::uint64_t count) {
          std::optional<spread> about;
          if (knows == knows_spread::yes)
            about = {bound, static_cast<double>(count) * bound * bound};
          return mean_upper(0, count, 1, risk / 2, about);
        };
        EXPECT_LE(upperAfter(n), bound);
        EXPECT_GT(upperAfter(n - 1), bound);
        // No method needs fewer than (1 - bound)^n <= risk / 2.
        EXPECT_GE(static_cast<double>(n), std::log(risk / 2) / std::log1p(-bound));
      }
}

/// No values that are closer to the bound decide sooner than zeros.
TEST(MeanNeeds, IsOfTheValuesThatDecideSoonest) {
  for (double bound : {0.9, 0.5, 0.3, 0.1, 0.01})
    for (double risk : {0.2, 0.01}) {
      const std::uint64_t n = mean_needs(bound, risk, knows_spread::yes) - 1;
      for (int step = 0; step < 20 && n > 0; ++step) {
        const double x = bound * step / 20, count = static_cast<double>(n);
        const spread about{bound, count * (x - bound) * (x - bound)};
        EXPECT_GT(mean_upper(x * count, n, 1, risk / 2, about), bound) << bound << " by " << x;
      }
    }
}

TEST(MeanNeeds, NeverComesForCertainty) {
  constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(mean_needs(0, 0.05, knows_spread::no), never);
  EXPECT_EQ(mean_needs(-1, 0.05, knows_spread::yes), never);
  EXPECT_EQ(mean_needs(0.1, 0, knows_spread::yes), never);
  EXPECT_EQ(mean_needs(notANumber, 0.05, knows_spread::yes), never);
  EXPECT_EQ(mean_needs(0.1, notANumber, knows_spread::no), never);
  EXPECT_EQ(mean_needs(1e-18, 0.05, knows_spread::yes), never);
  EXPECT_EQ(mean_needs(1, 0.05, knows_spread::yes), 1U);
}

} // namespace
} // namespace tikc::tests
