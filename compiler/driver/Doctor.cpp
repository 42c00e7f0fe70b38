#include "checker/engine/RowPass.h"
#include "driver/CommonOptions.h"
#include "support/Columns.h"
#include "support/Utf8.h"

#include <dlfcn.h>
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

constexpr int leastCapability = 90; // tikc/cuda/rows.h uses clusters of blocks

/// NVIDIA's driver, loaded at run time so that tikc runs without it.
class CudaDriver {
public:
  CudaDriver() : library_(dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL)) {
    if (library_ == nullptr)
      problem_ = fmt::format("no NVIDIA driver: {}", dlerror());
    else if (int code = call<unsigned>("cuInit", 0); code != 0)
      fail("the NVIDIA driver does not start", code);
  }
  ~CudaDriver() {
    if (library_ != nullptr)
      dlclose(library_);
  }
  CudaDriver(const CudaDriver&) = delete;
  CudaDriver& operator=(const CudaDriver&) = delete;

  /// Returns one ability for each GPU, or one that says why there is none.
  std::vector<Ability> abilities() {
    int count = 0;
    if (problem_.empty())
      if (int code = call<int*>("cuDeviceGetCount", &count); code != 0)
        fail("the NVIDIA driver does not list its devices", code);
    if (problem_.empty() && count == 0)
      problem_ = "the NVIDIA driver has no devices";
    std::vector<Ability> out;
    for (int i = 0; problem_.empty() && i < count; ++i)
      out.push_back(abilityOf(i));
    if (!problem_.empty())
      return {{"rows on a GPU", false, problem_}};
    return out;
  }

private:
  Ability abilityOf(int index) {
    constexpr int major = 75, minor = 76; // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_…
    int device = 0, capability[2] = {};
    char name[256] = {};
    int code = call<int*, int>("cuDeviceGet", &device, index);
    if (code == 0)
      code = call<char*, int, int>("cuDeviceGetName", name, sizeof name - 1, device);
    if (code == 0)
      code = call<int*, int, int>("cuDeviceGetAttribute", &capability[0], major, device);
    if (code == 0)
      code = call<int*, int, int>("cuDeviceGetAttribute", &capability[1], minor, device);
    if (code != 0)
      fail(fmt::format("the NVIDIA driver does not describe device {}", index), code);
    const bool isEnough = 10 * capability[0] + capability[1] >= leastCapability;
    return {"rows on a GPU", isEnough,
            fmt::format("{}, compute capability {}.{}{}", utf8::printable(name), capability[0],
                        capability[1], isEnough ? "" : "; it needs 9.0")};
  }

  /// Calls a function of the driver. Returns its error code, or −1 if the driver lacks it.
  template <class... Arguments> int call(const char* name, Arguments... arguments) {
    auto* function = reinterpret_cast<int (*)(Arguments...)>(dlsym(library_, name));
    return function == nullptr ? -1 : function(arguments...);
  }

  void fail(std::string_view what, int code) {
    const char* text = nullptr;
    call<int, const char**>("cuGetErrorString", code, &text);
    problem_ = fmt::format("{}: {} (error {})", what,
                           text == nullptr ? "unknown error" : utf8::printable(text), code);
  }

  void* library_;
  std::string problem_;
};

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
  for (Ability& each : CudaDriver().abilities())
    abilities.push_back(std::move(each));
  abilities.push_back(compilesCuda());
  std::vector<std::vector<std::string>> rows = {{"what", "here", "how, or why not"}};
  for (const Ability& each : abilities)
    rows.push_back({each.name, each.isHere ? "yes" : "no", each.details});
  if (auto error = writeOutput(invocation, inColumns(rows)))
    return error;
  return Clean;
}

} // namespace tikc::driver
