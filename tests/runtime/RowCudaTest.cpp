// What runs on a GPU, by the host's build of the same source: its two passes in fp32, and the rows
// that they leave to doubles.
#include "runtime/RowAgrees.h"
#include "tikc/cuda/rows.h"

#include <gtest/gtest.h>

#include <cstring>

namespace tikc::tests {
namespace {

constexpr std::uint32_t everything = row_want::everything;

using Reduce = std::uint32_t (*)(cuda::row_batch, row_stats*);

/// fp32 and bf16 in each pair, and the others by themselves: each is a kernel of its own.
Reduce reducerOf(number_format train, number_format infer) {
  using format = number_format;
  if (train != infer)
    return train == format::fp32 ? &cuda::reduce_rows<format::fp32, format::bf16, everything>
                                 : &cuda::reduce_rows<format::bf16, format::fp32, everything>;
  switch (train) {
  case format::fp32:
    return &cuda::reduce_rows<format::fp32, format::fp32, everything>;
  case format::bf16:
    return &cuda::reduce_rows<format::bf16, format::bf16, everything>;
  case format::fp16:
    return &cuda::reduce_rows<format::fp16, format::fp16, everything>;
  case format::fp8_e4m3:
    return &cuda::reduce_rows<format::fp8_e4m3, format::fp8_e4m3, everything>;
  default:
    return &cuda::reduce_rows<format::fp8_e5m2, format::fp8_e5m2, everything>;
  }
}

struct Reduced {
  row_stats stats;
  bool isExact; // and not done in fp32
};

/// `lead`: how many tokens after an address that is aligned the rows begin.
Reduced reduced(const Row& train, const Row& infer, double trainTemperature = 1,
                double inferTemperature = 1, std::int64_t sampled = -1,
                mask_rule masks = mask_rule::strict, std::size_t lead = 0) {
  auto aligned = [lead](const Row& row) {
    std::vector<std::uint64_t> out(row.bytes.size() / 8 + 6);
    auto* const at = reinterpret_cast<unsigned char*>(out.data());
    const std::size_t behind = (16 - reinterpret_cast<std::uintptr_t>(at) % 16) % 16;
    std::memcpy(at + behind + lead * bytes_of(row.format), row.bytes.data() + 1,
                row.bytes.size() - 1);
    return std::pair(std::move(out), behind + lead * bytes_of(row.format));
  };
  const auto from = aligned(train), to = aligned(infer);
  const auto vocabulary = static_cast<std::uint32_t>(train.values.size());
  const cuda::row_batch batch{reinterpret_cast<const unsigned char*>(from.first.data()) +
                                  from.second,
                              reinterpret_cast<const unsigned char*>(to.first.data()) + to.second,
                              vocabulary,
                              vocabulary,
                              1,
                              vocabulary,
                              trainTemperature,
                              inferTemperature,
                              sampled < 0 ? nullptr : &sampled,
                              masks};
  Reduced out;
  std::memset(static_cast<void*>(&out.stats), 0xee, sizeof out.stats);
  out.isExact = reducerOf(train.format, infer.format)(batch, &out.stats) != 0;
  return out;
}

void expectReduces(const Row& train, const Row& infer, double trainTemperature = 1,
                   double inferTemperature = 1) {
  expectAgrees(reduced(train, infer, trainTemperature, inferTemperature).stats,
               reference(train, infer, trainTemperature, inferTemperature));
}

/// Every statistic is what the processor's pass finds; of what is infinite or NaN, the same.
void expectSame(const row_stats& value, const row_stats& expected, const char* where) {
  auto close = [&](const char* name, double a, double b, double slack) {
    if (std::isnan(b) || std::isinf(b))
      EXPECT_TRUE(a == b || (std::isnan(a) && std::isnan(b)))
          << where << " " << name << ": " << a << " for " << b;
    else
      EXPECT_NEAR(a, b, 1e-4 * std::abs(b) + slack) << where << " " << name;
  };
#define TIKC_ROW(Id, name, ...) close(#name, value.name, expected.name, 2e-6);
#include "tikc/figures.def"
  close("train_logprob", value.train_logprob, expected.train_logprob, 4e-6);
  close("infer_logprob", value.infer_logprob, expected.infer_logprob, 4e-6);
  EXPECT_EQ(value.unknown, expected.unknown) << where;
}

TEST(RowCuda, AgreesAtEveryWidthAndDrift) {
  Random random(31);
  for (std::size_t vocabulary : {2U, 3U, 7U, 8U, 9U, 17U, 255U, 1023U, 4099U})
    for (Shape shape : everyShape)
      for (float scale : {0.0F, 1e-6F, 1e-4F, 1e-2F, 0.1F, 0.5F, 2.0F, 20.0F}) {
        SCOPED_TRACE(testing::Message() << "V " << vocabulary << " shape "
                                        << static_cast<int>(shape) << " drift " << scale);
        const std::vector<float> from = logits(random, vocabulary, shape);
        expectReduces(encode(number_format::fp32, from),
                      encode(number_format::fp32, drifted(random, from, scale)));
      }
}

TEST(RowCuda, AgreesInEveryFormat) {
  using format = number_format;
  Random random(32);
  for (auto [train, infer] :
       {std::pair(format::fp32, format::bf16), std::pair(format::bf16, format::fp32),
        std::pair(format::bf16, format::bf16), std::pair(format::fp16, format::fp16),
        std::pair(format::fp8_e4m3, format::fp8_e4m3),
        std::pair(format::fp8_e5m2, format::fp8_e5m2)})
    for (Shape shape : everyShape)
      for (float scale : {1e-3F, 0.3F}) {
        SCOPED_TRACE(testing::Message() << nameOf(train) << " " << nameOf(infer) << " shape "
                                        << static_cast<int>(shape) << " drift " << scale);
        const std::vector<float> from = logits(random, 3001, shape);
        expectReduces(encode(train, from), encode(infer, drifted(random, from, scale)));
      }
}

TEST(RowCuda, AgreesAtEveryTemperature) {
  Random random(33);
  for (double train : {1.0, 0.7, 0.05})
    for (double infer : {1.0, 0.7, 0.05})
      for (Shape shape : everyShape) {
        SCOPED_TRACE(testing::Message()
                     << train << " " << infer << " shape " << static_cast<int>(shape));
        const std::vector<float> from = logits(random, 1500, shape);
        expectReduces(encode(number_format::fp32, from),
                      encode(number_format::fp32, drifted(random, from, 1e-2F)), train, infer);
      }
}

TEST(RowCuda, UsualRowsNeedNoDoubles) {
  Random random(34);
  for (std::size_t vocabulary : {5003U, 262'144U})
    for (number_format format : {number_format::bf16, number_format::fp32}) {
      std::vector<float> from = logits(random, vocabulary, Shape::usual);
      std::vector<float> to = drifted(random, from, 1e-2F);
      for (std::size_t i = vocabulary - 7; i < vocabulary; ++i) // as padding is masked
        from[i] = to[i] = masked;
      const Row train = encode(format, from), infer = encode(format, to);
      const Reduced found = reduced(train, infer, 1, 1, 5);
      EXPECT_FALSE(found.isExact) << vocabulary << " " << nameOf(format);
      expectSame(found.stats, measure(detail::rows::best_instruction_set(), train, infer, 1, 1, 5),
                 "usual");
    }
}

/// Masks, faults and extremes.
void spoil(unsigned kind, std::vector<float>& train, std::vector<float>& infer) {
  const std::size_t last = train.size() - 1;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  switch (kind) {
  case 0:
    for (std::size_t i = 0; i < last; i += 3)
      train[i] = infer[i] = masked;
    break;
  case 1:
    infer[last / 2] = masked;
    break;
  case 2:
    train[last] = masked;
    break;
  case 3:
    train[last / 2] = nan;
    break;
  case 4:
    infer[0] = -masked;
    break;
  case 5:
    std::fill(train.begin(), train.end(), masked);
    break;
  case 6:
    for (float& w : infer)
      w += 3;
    break;
  case 7:
    train[last / 3] += 40;
    infer[last / 3] += 40;
    break;
  case 8:
    for (std::size_t i = 0; i <= last; ++i)
      infer[i] = -train[i];
    break;
  case 9:
    for (std::size_t i = 0; i <= last; ++i) {
      train[i] *= 1000;
      infer[i] *= 1000;
    }
    break;
  case 10:
    train[0] = train[last] = infer[0] = infer[last] = 20;
    break;
  case 11:
    infer[last] = train[last] = 1e30F;
    break;
  default:
    infer = train;
  }
}

TEST(RowCuda, OddRowsAreWhatTheProcessorFinds) {
  Random random(35);
  for (unsigned kind = 0; kind <= 12; ++kind)
    for (std::size_t vocabulary : {2U, 17U, 1025U})
      for (auto [train, infer] : {std::pair(1.0, 1.0), std::pair(0.7, 1.3), std::pair(0.0, 1.0),
                                  std::pair(1.0, 0.0), std::pair(0.0, 0.0)})
        for (mask_rule masks : {mask_rule::strict, mask_rule::lenient}) {
          SCOPED_TRACE(testing::Message() << "kind " << kind << " V " << vocabulary << " at "
                                          << train << " and " << infer);
          std::vector<float> from = logits(random, vocabulary, Shape::usual),
                             to = drifted(random, from, 1e-2F);
          spoil(kind, from, to);
          const Row z = encode(number_format::fp32, from), w = encode(number_format::fp32, to);
          const auto sampled = static_cast<std::int64_t>(vocabulary - 1);
          expectSame(
              reduced(z, w, train, infer, sampled, masks).stats,
              measure(detail::rows::best_instruction_set(), z, w, train, infer, sampled, masks),
              "odd");
        }
}

TEST(RowCuda, MasksThatBothSidesShareAreNoTokens) {
  Random random(37);
  for (float scale : {1e-3F, 0.1F, 0.5F})
    for (int turn = 0; turn < 12; ++turn) {
      SCOPED_TRACE(testing::Message() << "drift " << scale << " row " << turn);
      std::vector<float> from = logits(random, 8003, Shape::usual),
                         to = drifted(random, from, scale);
      for (std::size_t i = 3; i < from.size(); i += 7)
        from[i] = to[i] = masked;
      expectReduces(encode(number_format::fp32, from), encode(number_format::fp32, to));
    }
}

/// Within what row.h promises of it, which is less than a difference of two entropies has digits.
void expectGap(const Row& train, const Row& infer) {
  const double found = reduced(train, infer).stats.entropy_gap,
               expected = static_cast<double>(reference(train, infer).entropyGap);
  EXPECT_NEAR(found, expected, 1e-7 + 1e-4 * expected);
}

TEST(RowCuda, EntropiesKeepTheirDigitsHoweverTheRowsLie) {
  Random random(38);
  for (int turn = 0; turn < 20; ++turn)
    for (number_format format : {number_format::bf16, number_format::fp32}) {
      SCOPED_TRACE(testing::Message() << nameOf(format) << " row " << turn);
      const std::vector<float> from = logits(random, 4096, Shape::usual);
      for (float scale : {1e-2F, 0.1F})
        expectGap(encode(format, from), encode(format, drifted(random, from, scale, 3)));
      const std::vector<float> two = {random.normal(3), random.normal(3)};
      expectGap(encode(format, two), encode(format, {-two[0], -two[1]}));
    }
}

TEST(RowCuda, AgreesOnTheLargestLogitsAndAtTheFarthestTemperatures) {
  Random random(39);
  for (float size : {1e-30F, 1.0F, 1e30F, 3e38F})
    for (auto [train, infer] : {std::pair(1.0, 1.0), std::pair(1e-200, 1e-200),
                                std::pair(1e30, 1e30), std::pair(1e-200, 1e30)})
      for (std::size_t vocabulary : {2U, 17U, 1025U}) {
        SCOPED_TRACE(testing::Message() << "size " << size << " at " << train << " and " << infer
                                        << " V " << vocabulary);
        std::vector<float> from(vocabulary), to(vocabulary);
        for (std::size_t i = 0; i < vocabulary; ++i) {
          from[i] = size * std::tanh(random.normal(1));
          to[i] = from[i] * (1 - 1e-3F * std::fabs(std::tanh(random.normal(1))));
        }
        const Row z = encode(number_format::fp32, from), w = encode(number_format::fp32, to);
        expectReduces(z, w, train, infer);
      }
}

TEST(RowCuda, HasTheSameBitsEachTimeAndWhereverARowBegins) {
  Random random(36);
  const std::vector<float> from = logits(random, 3003, Shape::usual);
  const Row train = encode(number_format::bf16, from),
            infer = encode(number_format::bf16, drifted(random, from, 1e-2F));
  const Reference expected = reference(train, infer);
  for (std::size_t lead = 0; lead < 8; ++lead) {
    const row_stats first = reduced(train, infer, 1, 1, 1, mask_rule::strict, lead).stats,
                    again = reduced(train, infer, 1, 1, 1, mask_rule::strict, lead).stats;
    EXPECT_EQ(std::memcmp(&first, &again, sizeof first), 0);
    expectAgrees(first, expected);
  }
}

} // namespace
} // namespace tikc::tests
