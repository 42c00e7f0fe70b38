#include "driver/ProgressLine.h"

#include <gtest/gtest.h>

namespace tikc::driver {
namespace {

TEST(ProgressLineTest, TellsWhatIsDoneHowFastAndWhatIsLeft) {
  EXPECT_EQ(progressText(0.25, std::uint64_t{4} << 30, 10), "1 GiB of 4 GiB, 102 MiB/s, 30 s left");
}

TEST(ProgressLineTest, KnowsNoRateBeforeTheFirstPiece) {
  EXPECT_EQ(progressText(0, 1024, 0), "0 bytes of 1 KiB, 0 bytes/s, 0 s left");
}

} // namespace
} // namespace tikc::driver
