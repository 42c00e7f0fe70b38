#include "driver/Commands.h"
#include "unit/FaultyRead.h"
#include "unit/ScratchFolder.h"

#include <gtest/gtest.h>

#include <fstream>

namespace tikc::driver {
namespace {

TEST(InternalFaultTest, IsToldWithItsPlaceAndHasAStatusOfItsOwn) {
  const tests::ScratchFolder folder;
  std::string file = folder.path() / "a.tikc.yaml";
  std::ofstream(file) << "tikc: v1\n";
  const char* words[] = {"tikc", "check", file.c_str()};

  ::testing::internal::CaptureStderr();
  isReadingAtFault = true;
  int status = run(3, words);
  isReadingAtFault = false;
  std::string said = ::testing::internal::GetCapturedStderr();

  EXPECT_EQ(status, Failed);
  EXPECT_EQ(said.substr(0, said.rfind(':')),
            "tikc: internal fault: it is not so that files are read well (FaultyRead.h");
}

} // namespace
} // namespace tikc::driver
