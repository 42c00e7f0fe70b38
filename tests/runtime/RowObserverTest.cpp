// What a generated CUDA source instantiates, by the host's build of the same source.
#include "runtime/RowReference.h"
#include "tikc/cuda/observe_rows.h"
#include "tikc/tally.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>

namespace tikc::tests {
namespace {

/// The largest and the average total variation of rows, in two slices.
struct ObservedRows {
  static constexpr std::size_t slices = 2, signals = 1, vocabulary = 500;
  static constexpr stream streams[] = {{0.7, 0.7, row_want::tv | row_want::nonfinite}};
  static constexpr signal signal_table[] = {{source::rows, figure::tv, 0, false, 0, 1}};
  static constexpr keeper keepers[] = {
      {0, reading::cell, fold::largest, comparator::at_most, true, 0, 0, -1, -1, -1},
      {0, reading::cell, fold::total, comparator::at_most, true, 0, 0, -1, -1, -1}};
  struct token_plan {
    static constexpr std::uint32_t wants = 0;
    static constexpr std::array<float, 0> above{}, below{}, beyond{};
  };
};

using Observer = cuda::row_observer<ObservedRows, 0, number_format::fp32, number_format::bf16>;
using Tally = tally<ObservedRows>;

/// Pairs of rows as a device has them: aligned, and with a stride.
class Batch {
public:
  Batch(std::size_t count, unsigned seed)
      : count_(count), train_(count * stride), infer_(count * stride) {
    Random random(seed);
    for (std::size_t row = 0; row < count; ++row) {
      const std::vector<float> from = logits(random, ObservedRows::vocabulary, Shape::usual);
      const Row train = encode(number_format::fp32, from),
                infer = encode(number_format::bf16, drifted(random, from, 0.2F));
      std::memcpy(&train_[row * stride], train.view().data, 4 * ObservedRows::vocabulary);
      std::memcpy(&infer_[row * stride], infer.view().data, 2 * ObservedRows::vocabulary);
    }
  }

  cuda::device_rows rows() const { return {train_.data(), infer_.data(), count_, stride, stride}; }

  void observe(Tally& to, std::size_t row, std::size_t slice, std::uint64_t id) const {
    std::vector<float> scratch(row_scratch_floats(ObservedRows::vocabulary));
    to.observe_row(slice, {&train_[row * stride], number_format::fp32},
                   {&infer_[row * stride], number_format::bf16}, scratch.data(), id);
  }

private:
  static constexpr std::size_t stride = ObservedRows::vocabulary + 12;

  std::size_t count_;
  std::vector<float> train_;
  std::vector<std::uint16_t> infer_;
};

void expectAlike(const Tally& found, const Tally& expected) {
  for (std::size_t slice = 0; slice < ObservedRows::slices; ++slice) {
    const auto &a = found.observed(slice), &b = expected.observed(slice);
    EXPECT_EQ(a.through[0].rows, b.through[0].rows) << slice;
    const offender &worst = a.largest[0].kept[0], &wanted = b.largest[0].kept[0];
    EXPECT_EQ(worst.id, wanted.id) << slice;
    EXPECT_NEAR(worst.value, wanted.value, 1e-4 * wanted.value) << slice;
  }
}

TEST(RowObserver, ObservesRowsAsTheTallyDoes) {
  const Batch batch(9, 51);
  auto found = std::make_unique<Tally>(), expected = std::make_unique<Tally>();
  Observer observer;
  std::uint64_t ids[9];
  for (std::size_t i = 0; i < 9; ++i) {
    ids[i] = 100 + i;
    batch.observe(*expected, i, i % 2, ids[i]);
  }
  ASSERT_TRUE(observer.reduce(batch.rows(), nullptr).is_ok());
  ASSERT_TRUE(observer.wait().is_ok());
  EXPECT_EQ(observer.end() - observer.begin(), 9);
  ASSERT_TRUE(observer
                  .observe(
                      *found, [](std::size_t i) { return i % 2; }, ids)
                  .is_ok());
  expectAlike(*found, *expected);
}

TEST(RowObserver, CountsEachRowOnce) {
  auto found = std::make_unique<Tally>(), expected = std::make_unique<Tally>();
  Observer observer;
  ASSERT_TRUE(observer.observe(*found, 0).is_ok()); // nothing yet
  for (std::size_t count : {3U, 1U, 0U, 8U}) {
    const Batch batch(count, static_cast<unsigned>(60 + count));
    for (std::size_t i = 0; i < count; ++i)
      batch.observe(*expected, i, 1, 0);
    ASSERT_TRUE(observer.reduce(batch.rows(), nullptr).is_ok());
    ASSERT_TRUE(observer.observe(*found, 1).is_ok());
    ASSERT_TRUE(observer.observe(*found, 1).is_ok());
  }
  const Batch dropped(2, 52), kept(4, 53);
  for (std::size_t i = 0; i < 4; ++i)
    kept.observe(*expected, i, 0, 0);
  ASSERT_TRUE(observer.reduce(dropped.rows(), nullptr).is_ok());
  ASSERT_TRUE(observer.reduce(kept.rows(), nullptr).is_ok());
  Observer moved = std::move(observer);
  ASSERT_TRUE(moved.observe(*found, 0).is_ok());
  expectAlike(*found, *expected);
}

TEST(RowObserver, RefusesMoreRowsThanTheKernelsNumber) {
  Observer observer;
  const cuda::status refused =
      observer.reduce({nullptr, nullptr, std::size_t{1} << 33U, 0, 0}, nullptr);
  EXPECT_FALSE(refused.is_ok());
  EXPECT_STREQ(refused.text, "invalid argument");
  EXPECT_EQ(observer.begin(), observer.end());
}

} // namespace
} // namespace tikc::tests
