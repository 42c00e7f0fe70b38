// Kernels that are compiled at run time, where NVRTC is installed. No GPU is needed.
#include "checker/engine/KernelCompiler.h"
#include "checker/engine/DeviceRows.h"

#include <gmock/gmock.h>

namespace tikc::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::uint32_t everything = row_want::everything;

class KernelCompilerTest : public testing::Test {
protected:
  void SetUp() override {
    if (!compiler.problem().empty())
      GTEST_SKIP() << compiler.problem();
  }

  const KernelCompiler compiler;
};

TEST_F(KernelCompilerTest, CompilesTheKernelsOfAllFormats) {
  using format = number_format;
  for (auto [train, infer] :
       {std::pair(format::fp32, format::fp32), std::pair(format::bf16, format::bf16),
        std::pair(format::fp16, format::fp16), std::pair(format::fp8_e4m3, format::fp8_e4m3),
        std::pair(format::fp8_e5m2, format::fp8_e5m2), std::pair(format::fp32, format::bf16)}) {
    auto kernels =
        compiler.compile(kernelSource(), kernelExpressions(everything, train, infer), 90);
    ASSERT_TRUE(bool(kernels)) << llvm::toString(kernels.takeError());
    EXPECT_THAT(kernels->names,
                ElementsAre(HasSubstr("reduce_rows_kernel"), HasSubstr("finish_rows_kernel"),
                            HasSubstr("exact_rows_kernel")));
    EXPECT_THAT(kernels->image, StartsWith("\177ELF"));
  }
}

TEST_F(KernelCompilerTest, ReportsWhatItCannotCompile) {
  auto kernels = compiler.compile("#error no", {}, 90);
  EXPECT_THAT(llvm::toString(kernels.takeError()),
              HasSubstr("NVRTC cannot compile the kernels: NVRTC_ERROR_COMPILATION (error 6)"));
  kernels = compiler.compile("", {}, 7);
  EXPECT_THAT(llvm::toString(kernels.takeError()), HasSubstr("NVRTC cannot compile the kernels: "));
}

} // namespace
} // namespace tikc::engine
