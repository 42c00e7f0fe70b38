#include "checker/engine/CudaDriver.h"
#include "checker/engine/KernelCompiler.h"
#include "checker/engine/RowPass.h"
#include "driver/CommonOptions.h"
#include "support/Columns.h"
#include "support/Utf8.h"

#include <fmt/format.h>
#include <llvm/Support/Program.h>

namespace tikc::driver {
namespace {

/// One thing that a machine may be able to do.
struct Ability {
  std::string name;
  bool isHere;
  std::string details; // how, or why not
};

/// Returns an ability for each GPU, or one that says why there is none.
std::vector<Ability> gpuAbilities() {
  const engine::CudaDriver driver;
  if (!driver.problem().empty())
    return {{"rows on a GPU", false, driver.problem()}};
  std::vector<Ability> out;
  for (int i = 0; i < driver.deviceCount(); ++i) {
    auto device = engine::describeDevice(driver, i);
    if (!device) {
      out.push_back({"rows on a GPU", false, llvm::toString(device.takeError())});
      continue;
    }
    const bool isEnough = device->canReduceRows();
    out.push_back({"rows on a GPU", isEnough,
                   fmt::format("{}, compute capability {}.{}{}", device->name, device->major,
                               device->minor, isEnough ? "" : "; it needs 9.0")});
  }
  return out;
}

/// Python and tikc.h compile their kernels at run time.
Ability compilesKernels() {
  const engine::KernelCompiler compiler;
  if (!compiler.problem().empty())
    return {"kernels at run time", false, compiler.problem()};
  return {"kernels at run time", true, compiler.version()};
}

Ability compilesCuda() {
  for (std::initializer_list<llvm::StringRef> paths :
       {std::initializer_list<llvm::StringRef>{}, {"/usr/local/cuda/bin"}})
    if (auto found = llvm::sys::findProgramByName("nvcc", paths))
      return {"CUDA sources", true, utf8::printable(*found)};
  return {"CUDA sources", false, "nvcc is neither in PATH nor in /usr/local/cuda/bin"};
}

} // namespace

llvm::Expected<int> runDoctor(const Invocation& invocation) {
  std::vector<Ability> abilities = {
      {"rows and tokens", true, std::string(engine::usedInstructions())}};
  for (Ability& each : gpuAbilities())
    abilities.push_back(std::move(each));
  abilities.push_back(compilesKernels());
  abilities.push_back(compilesCuda());
  std::vector<std::vector<std::string>> rows = {{"what", "here", "how, or why not"}};
  for (const Ability& each : abilities)
    rows.push_back({each.name, each.isHere ? "yes" : "no", each.details});
  if (auto error = writeOutput(invocation, inColumns(rows)))
    return error;
  return Clean;
}

} // namespace tikc::driver
