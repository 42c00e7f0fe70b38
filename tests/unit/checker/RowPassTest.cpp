#include "checker/engine/RowPass.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace tikc::engine {
namespace {

constexpr float masked = -std::numeric_limits<float>::infinity();

/// Rows of a kind that is read in its own way.
struct RowKind {
  std::string name;
  std::vector<float> train, infer;
};

std::vector<RowKind> rowKinds() {
  std::mt19937 words(7);
  std::normal_distribution<float> normal;
  std::vector<RowKind> out;
  for (std::size_t vocabulary : {17, 3001})
    for (float drift : {1e-4F, 0.3F, 30.0F, 1e37F}) {
      RowKind of{std::to_string(vocabulary) + " by " + std::to_string(drift), {}, {}};
      for (std::size_t i = 0; i < vocabulary; ++i) {
        of.train.push_back(3 * normal(words));
        of.infer.push_back(of.train.back() + drift * normal(words));
      }
      out.push_back(of);
      of.name += ", masked on both sides";
      of.train[5] = of.infer[5] = of.train.back() = of.infer.back() = masked;
      out.push_back(of);
      of.name += " and on one";
      of.infer[9] = masked;
      out.push_back(of);
    }
  return out;
}

struct TemperaturePair {
  double train, infer;
};
constexpr TemperaturePair weighing[] = {{1, 1}, {1, 2}}, greedy[] = {{0, 1}};

/// What a pass that has just these statistics says, as emitted code has one.
template <std::uint32_t Wants, bool IsGreedy = false> void expectSame(const char* what) {
  for (const RowKind& kind : rowKinds())
    for (const TemperaturePair& at : IsGreedy ? std::span<const TemperaturePair>(greedy)
                                              : std::span<const TemperaturePair>(weighing)) {
      const row_view train{kind.train.data(), number_format::fp32},
          infer{kind.infer.data(), number_format::fp32};
      const std::size_t vocabulary = kind.train.size();
      std::vector<float> scratch(row_scratch_floats(vocabulary));
      const row_stats own = detail::rows::row_pass_at<Wants, IsGreedy>(
          detail::rows::best_instruction_set(), train, infer, vocabulary, at.train, at.infer,
          std::int64_t{-1}, scratch.data(), mask_rule::strict);
      stream of{at.train, at.infer, Wants};
      const row_stats loaded = passRow(of, train, infer, vocabulary, scratch.data());
      auto expect = [&](std::uint32_t want, double row_stats::*member) {
        if ((Wants & want) == 0)
          return;
        EXPECT_EQ(std::bit_cast<std::uint64_t>(own.*member),
                  std::bit_cast<std::uint64_t>(loaded.*member))
            << what << " of " << kind.name << " at " << at.train << ", " << at.infer << ": "
            << own.*member << " and " << loaded.*member;
      };
      using namespace row_want;
      expect(logit_linf, &row_stats::logit_linf);
      expect(logit_osc, &row_stats::logit_osc);
      expect(logit_l2, &row_stats::logit_l2);
      expect(logit_rel, &row_stats::logit_rel);
      expect(top1_margin, &row_stats::top1_margin);
      expect(logprob_linf, &row_stats::logprob_linf);
      expect(tv, &row_stats::tv);
      expect(hellinger, &row_stats::hellinger);
      expect(kl_train_infer, &row_stats::kl_train_infer);
      expect(kl_infer_train, &row_stats::kl_infer_train);
      expect(js, &row_stats::js);
      expect(chi2, &row_stats::chi2);
      expect(top1_flip, &row_stats::top1_flip);
      expect(entropy_gap, &row_stats::entropy_gap);
      expect(row_want::missing_mass, &row_stats::missing_mass);
      EXPECT_EQ(own.nonfinite, loaded.nonfinite) << what;
    }
}
#define EXPECT_SAME(...) expectSame<(__VA_ARGS__)>(#__VA_ARGS__)
#define EXPECT_SAME_GREEDY(...) expectSame<(__VA_ARGS__), true>(#__VA_ARGS__)

// One of each walk: of logits, of distributions, and of the greedy token. Each set takes seconds to
// compile, for all formats and instruction sets; tests/e2e/differential.py compares the bytes of
// loaded and emitted checkers for every statistic.
TEST(RowPass, HasTheBitsOfOneThatHasNothingElse) {
  using namespace row_want;
  EXPECT_SAME(logit_linf);
  EXPECT_SAME(tv);
  EXPECT_SAME(top1_margin);
  EXPECT_SAME_GREEDY(tv);
  EXPECT_SAME_GREEDY(logit_l2);
}

TEST(RowPass, HasTheBitsOfOneOfTwo) {
  using namespace row_want;
  EXPECT_SAME(logit_l2 | logit_rel);
  EXPECT_SAME(logit_l2 | logit_osc);
  EXPECT_SAME(logit_l2 | tv);
  EXPECT_SAME(logit_rel | kl_infer_train);
  EXPECT_SAME(top1_margin | logit_linf);
  EXPECT_SAME(top1_margin | js);
  EXPECT_SAME(logprob_linf | chi2);
  EXPECT_SAME(nonfinite | logit_l2);
}

} // namespace
} // namespace tikc::engine
