#include "driver/Commands.h"
#include "unit/FaultyRead.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace tikc::driver {
namespace {

TEST(InternalFaultTest, IsToldWithItsPlaceAndHasAStatusOfItsOwn) {
  std::string pattern = std::filesystem::temp_directory_path() / "tikc-fault-XXXXXX";
  std::filesystem::path folder = ::mkdtemp(pattern.data());
  std::string file = folder / "a.tikc.yaml";
  std::ofstream(file) << "tikc: v1\n";
  const char* words[] = {"tikc", "check", file.c_str()};

  ::testing::internal::CaptureStderr();
  isReadingAtFault = true;
  int status = run(3, words);
  isReadingAtFault = false;
  std::string said = ::testing::internal::GetCapturedStderr();
  std::filesystem::remove_all(folder);

  EXPECT_EQ(status, Failed);
  EXPECT_EQ(said.substr(0, said.rfind(':')),
            "tikc: internal fault: it is not so that files are read well (FaultyRead.h");
}

} // namespace
} // namespace tikc::driver
