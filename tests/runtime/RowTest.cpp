#include "runtime/RowAgrees.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

namespace tikc::tests {
namespace {

TEST(Row, AgreesWithLongDoubleAtEveryDrift) {
  Random random(1);
  for (std::size_t vocabulary : {2U, 3U, 15U, 16U, 17U, 1023U, 1024U, 1025U, 5003U, 32000U})
    for (Shape shape : everyShape)
      for (float scale :
           {0.0F, 1e-7F, 1e-6F, 1e-5F, 1e-4F, 1e-3F, 1e-2F, 0.04F, 0.1F, 0.5F, 2.0F, 20.0F}) {
        SCOPED_TRACE(testing::Message() << "V " << vocabulary << " shape "
                                        << static_cast<int>(shape) << " drift " << scale);
        std::vector<float> from = logits(random, vocabulary, shape);
        expectAgrees(encode(number_format::fp32, from),
                     encode(number_format::fp32, drifted(random, from, scale)));
      }
}

TEST(Row, AgreesInEveryPairOfFormats) {
  Random random(2);
  for (number_format train : everyFormat)
    for (number_format infer : everyFormat)
      for (Shape shape : everyShape)
        for (float scale : {1e-3F, 0.3F}) {
          SCOPED_TRACE(testing::Message() << nameOf(train) << " " << nameOf(infer) << " shape "
                                          << static_cast<int>(shape) << " drift " << scale);
          std::vector<float> from = logits(random, 3001, shape);
          expectAgrees(encode(train, from), encode(infer, drifted(random, from, scale)));
        }
}

TEST(Row, AgreesAtEveryTemperature) {
  Random random(3);
  for (double train : {1.0, 0.7, 2.0, 0.05})
    for (double infer : {1.0, 0.7, 0.6999999, 1.3})
      for (Shape shape : everyShape)
        for (float scale : {1e-4F, 1e-2F, 1.0F}) {
          SCOPED_TRACE(testing::Message() << train << " " << infer << " shape "
                                          << static_cast<int>(shape) << " drift " << scale);
          std::vector<float> from = logits(random, 2500, shape);
          expectAgrees(encode(number_format::fp32, from),
                       encode(number_format::fp32, drifted(random, from, scale)), train, infer);
        }
}

TEST(Row, AgreesWhereOneSideHasAppliedTheTemperatureItself) {
  Random random(4);
  for (Shape shape : everyShape)
    for (float scale : {1e-4F, 1e-2F}) {
      std::vector<float> from = logits(random, 4000, shape), divided;
      for (float z : drifted(random, from, scale))
        divided.push_back(z / 0.7F);
      expectAgrees(encode(number_format::fp32, from), encode(number_format::fp32, divided),
                   static_cast<double>(0.7F), 1);
    }
}

TEST(Row, ASharedShiftTakesNoAccuracy) {
  Random random(5);
  for (float shift : {0.05F, -0.2F, 3.0F, -40.0F, 1000.0F})
    for (Shape shape : everyShape)
      for (float scale : {1e-3F, 0.3F}) {
        SCOPED_TRACE(testing::Message()
                     << shift << " shape " << static_cast<int>(shape) << " drift " << scale);
        std::vector<float> from = logits(random, 4000, shape);
        expectAgrees(encode(number_format::fp32, from),
                     encode(number_format::fp32, drifted(random, from, scale, shift)));
      }
}

TEST(Row, AgreesOnHugeLogitsAndDrifts) {
  Random random(6);
  for (float size : {1e2F, 1e4F, 1e6F, 1e30F})
    for (float scale : {1e-6F, 1e-2F, 1.0F}) {
      SCOPED_TRACE(testing::Message() << size << " drift " << scale);
      std::vector<float> from;
      for (std::size_t i = 0; i < 3000; ++i)
        from.push_back(random.normal(size));
      expectAgrees(encode(number_format::fp32, from),
                   encode(number_format::fp32, drifted(random, from, size * scale)));
    }
}

TEST(Row, ATopTokenMayBeAnywhere) {
  Random random(7);
  for (std::size_t at : {0U, 5U, 1023U, 1024U, 2050U, 2998U, 3000U})
    for (bool flips : {false, true}) {
      std::vector<float> from = logits(random, 3001, Shape::flat);
      std::vector<float> to = drifted(random, from, 1e-3F);
      from[at] += 40;
      to[flips ? 3000 - at : at] += 40.001F;
      expectAgrees(encode(number_format::fp32, from), encode(number_format::fp32, to));
    }
}

TEST(Row, RisingLogitsMoveTheFrameAllAlong) {
  Random random(8);
  std::vector<float> from, steep;
  for (std::size_t i = 0; i < 8000; ++i) {
    from.push_back(static_cast<float>(i) * 0.05F + random.normal(0.1F));
    steep.push_back(-static_cast<float>(i) * 0.05F);
  }
  expectAgrees(encode(number_format::fp32, from),
               encode(number_format::fp32, drifted(random, from, 1e-3F)));
  expectAgrees(encode(number_format::fp32, from), encode(number_format::fp32, steep));
  expectAgrees(encode(number_format::fp32, steep), encode(number_format::fp32, from));
}

TEST(Row, SharedMasksAreTokensThatDoNotExist) {
  Random random(9);
  for (number_format format :
       {number_format::fp32, number_format::bf16, number_format::fp16, number_format::fp8_e5m2})
    for (std::size_t every : {2U, 7U, 2999U})
      for (float scale : {1e-3F, 0.3F, 3.0F}) {
        std::vector<float> from = logits(random, 3001, Shape::usual);
        std::vector<float> to = drifted(random, from, scale), train, infer, short1, short2;
        for (std::size_t i = 0; i < from.size(); ++i) {
          bool gone = i % every == 1;
          train.push_back(gone ? masked : from[i]);
          infer.push_back(gone ? masked : to[i]);
        }
        expectAgrees(encode(format, train), encode(format, infer));
      }
}

/// A block can be read with masks for another reason than that they were looked for.
TEST(Row, SharedMasksAreNoneAtDriftsThatAreReadInDouble) {
  Random random(37);
  for (int turn = 0; turn < 40; ++turn) {
    std::vector<float> from = logits(random, 8003, Shape::usual), to = drifted(random, from, 0.1F);
    for (std::size_t i = 3; i < from.size(); i += 7)
      from[i] = to[i] = masked;
    expectAgrees(encode(number_format::fp32, from), encode(number_format::fp32, to));
  }
}

TEST(Row, AWholeBlockMayBeMasked) {
  Random random(10);
  std::vector<float> from = logits(random, 5000, Shape::usual);
  std::vector<float> to = drifted(random, from, 1e-3F);
  for (std::size_t i = 0; i < 2500; ++i)
    from[i] = to[i] = masked;
  expectAgrees(encode(number_format::fp32, from), encode(number_format::fp32, to));
  for (std::size_t i = 0; i < 5000; ++i)
    if (i != 4321)
      from[i] = to[i] = masked;
  expectAgrees(encode(number_format::fp32, from), encode(number_format::fp32, to));
}

TEST(Row, AMaskOnOneSideIsAProbabilityOfNought) {
  Random random(11);
  for (int side : {0, 1, 2})
    for (float scale : {1e-3F, 0.3F, 3.0F})
      for (Shape shape : everyShape)
        for (std::size_t every : {5U, 1000U, 2999U}) {
          std::vector<float> from = logits(random, 3001, shape);
          std::vector<float> to = drifted(random, from, scale);
          for (std::size_t i = 1; i < from.size(); i += every)
            (side == 0 || (side == 2 && i % 2 == 0) ? from : to)[i] = masked;
          expectAgrees(encode(number_format::fp32, from), encode(number_format::fp32, to));
        }
}

TEST(Row, RowsWithNoTokenInCommonAreApart) {
  std::vector<float> from(300, 1.0F), to(300, 1.0F);
  for (std::size_t i = 0; i < 300; ++i)
    (i < 170 ? to : from)[i] = masked;
  expectAgrees(encode(number_format::fp32, from), encode(number_format::fp32, to));
}

TEST(Row, FiniteMasksAreLogits) {
  Random random(12);
  for (float low : {-1e4F, -1e9F, -1e30F}) {
    std::vector<float> from = logits(random, 3001, Shape::usual);
    std::vector<float> to = drifted(random, from, 1e-3F);
    for (std::size_t i = 0; i < 3001; i += 3)
      from[i] = to[i] = low;
    expectAgrees(encode(number_format::fp32, from), encode(number_format::fp32, to));
    to[6] = 0;
    expectAgrees(encode(number_format::fp32, from), encode(number_format::fp32, to));
  }
}

TEST(Row, NumbersThatAreNoLogitsSpoilEverythingAndAreCounted) {
  Random random(13);
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  for (float bad : {nan, -nan, std::numeric_limits<float>::infinity()})
    for (std::size_t at : {0U, 9U, 1024U, 2999U, 3000U})
      for (int side : {0, 1, 2})
        for (number_format format : {number_format::fp32, number_format::bf16}) {
          std::vector<float> from = logits(random, 3001, Shape::usual);
          std::vector<float> to = drifted(random, from, 1e-3F);
          if (side != 1)
            from[at] = bad;
          if (side != 0)
            to[at] = bad;
          to[50] = masked;
          Row train = encode(format, from), infer = encode(format, to);
          EXPECT_EQ(reference(train, infer).nonfinite, side == 2 ? 3U : 2U);
          expectAgrees(train, infer);
        }
}

TEST(Row, ARowWithEveryTokenMaskedIsTheWorst) {
  std::vector<float> none(100, masked), some(100, 1.0F);
  Row masks = encode(number_format::fp32, none), row = encode(number_format::fp32, some);
  expectAgrees(masks, masks);
  expectAgrees(masks, row);
  expectAgrees(row, masks);
}

TEST(Row, TheLowestIndexWinsATie) {
  for (auto set : instructionSets()) {
    std::vector<float> from(2100, 0.0F), to(2100, 0.0F);
    from[70] = from[2050] = to[70] = 3;
    EXPECT_EQ(
        measure(set, encode(number_format::fp32, from), encode(number_format::fp32, to)).top1_flip,
        0);
    to[70] = 2;
    to[2050] = 3;
    EXPECT_EQ(
        measure(set, encode(number_format::fp32, from), encode(number_format::fp32, to)).top1_flip,
        1);
    to[12] = 3;
    EXPECT_EQ(
        measure(set, encode(number_format::fp32, from), encode(number_format::fp32, to)).top1_flip,
        1);
  }
}

TEST(Row, EqualRowsDoNotDiffer) {
  Random random(14);
  for (number_format format : everyFormat)
    for (auto set : instructionSets()) {
      Row row = encode(format, logits(random, 3333, Shape::usual));
      row_stats stats = measure(set, row, row);
      for (double value :
           {stats.logit_linf, stats.logit_osc, stats.logit_l2, stats.logit_rel, stats.logprob_linf,
            stats.tv, stats.hellinger, stats.kl_train_infer, stats.kl_infer_train, stats.js,
            stats.chi2, stats.top1_flip, stats.entropy_gap, stats.missing_mass})
        EXPECT_EQ(value, 0);
    }
}

TEST(Row, SampledTokensHaveTheirLogProbs) {
  Random random(15);
  for (Shape shape : everyShape)
    for (double temperature : {1.0, 0.6}) {
      std::vector<float> from = logits(random, 2001, shape);
      from[3] = masked;
      Row train = encode(number_format::fp32, from);
      Row infer = encode(number_format::bf16, drifted(random, from, 1e-2F));
      Reference expected = reference(train, infer, temperature, 1);
      for (auto set : instructionSets())
        for (std::int64_t token : {0, 3, 700, 2000}) {
          row_stats stats = measure(set, train, infer, temperature, 1, token);
          auto i = static_cast<std::size_t>(token);
          if (token == 3) {
            EXPECT_EQ(stats.train_logprob, -unbounded);
            EXPECT_EQ(stats.infer_logprob, -unbounded);
          } else {
            EXPECT_NEAR(stats.train_logprob, static_cast<double>(expected.trainLogprobs[i]), 2e-6);
            EXPECT_NEAR(stats.infer_logprob, static_cast<double>(expected.inferLogprobs[i]), 2e-6);
          }
        }
    }
}

TEST(Row, AVocabularyMayHave262144Tokens) {
  Random random(17);
  std::vector<float> from = logits(random, 262'144, Shape::usual);
  expectAgrees(encode(number_format::bf16, from),
               encode(number_format::fp32, drifted(random, from, 1e-3F)));
  from.resize(262'143);
  expectAgrees(encode(number_format::fp32, from),
               encode(number_format::fp32, drifted(random, from, 1e-3F)));
}

TEST(Row, TheChosenInstructionSetIsTheBestOne) {
  EXPECT_EQ(detail::rows::best_instruction_set(), instructionSets().back());
  Random random(18);
  std::vector<float> from = logits(random, 5000, Shape::usual);
  Row train = encode(number_format::fp32, from);
  Row infer = encode(number_format::fp32, drifted(random, from, 1e-3F));
  auto scratch = std::make_unique<row_scratch<5000>>();
  row_stats chosen =
      row_pass<row_want::tv>(train.view(), infer.view(), 5000, 1, 1, -1, scratch->weights);
  EXPECT_EQ(chosen.tv, measure<row_want::tv>(instructionSets().back(), train, infer).tv);
}

} // namespace
} // namespace tikc::tests
