// Stands in for NVIDIA's driver and NVRTC: its device is the host's memory, and its kernels are the
// host's build of tikc/cuda/rows.h. It checks what a driver would, and counts what is left open.
// STAND_IN_FAILS names a function that fails.
#include "tikc/cuda/rows.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace tikc;
namespace device = cuda::detail;

namespace {

constexpr int wrong = 1, failed = 2;

// As in cuda.h.
struct Attribute {
  int id;
  char pad[4];
  unsigned value[16];
};
struct Config {
  unsigned grid[3], block[3], shared;
  void* stream;
  const Attribute* attributes;
  unsigned count;
};

struct Kernel {
  std::string name; // the expression that it was asked for by
  bool is(const char* kind) const { return name.find(kind) != std::string::npos; }
};

std::vector<std::string> expected; // expressions of the program
std::string compiled;              // its options
std::map<char*, std::size_t> allocated;
std::set<void*> modules;
std::vector<Kernel*> kernels;
int contexts = 0, retained = 0, compilations = 0;
char stream; // whose address is the stream of callers
int allowedShared = 0;
unsigned maximum = 2; // clusters at once

bool fails(const char* function) {
  const char* named = std::getenv("STAND_IN_FAILS");
  return named != nullptr && std::strcmp(named, function) == 0;
}

bool isAllocated(const void* at, std::size_t bytes) {
  for (const auto& [begin, size] : allocated)
    if (at >= begin && static_cast<const char*>(at) + bytes <= begin + size)
      return true;
  return false;
}

using Reduce = std::uint32_t (*)(cuda::row_batch, row_stats*);
template <number_format Train, number_format Infer>
constexpr Reduce reduce = &cuda::reduce_rows<Train, Infer, row_want::everything>;

Reduce reducerOf(const std::string& name) {
  using format = number_format;
  auto has = [&](const char* train, const char* infer) {
    return name.find(std::string("<tikc::number_format::") + train +
                     ", tikc::number_format::" + infer + ",") != std::string::npos;
  };
  return has("fp32", "fp32")   ? reduce<format::fp32, format::fp32>
         : has("bf16", "bf16") ? reduce<format::bf16, format::bf16>
         : has("fp16", "fp16") ? reduce<format::fp16, format::fp16>
         : has("fp32", "bf16") ? reduce<format::fp32, format::bf16>
                               : nullptr;
}

int run(const Kernel& kernel, const Config& config, void** arguments) {
  const cuda::row_batch batch = *static_cast<const cuda::row_batch*>(arguments[0]);
  const Reduce reducer = reducerOf(kernel.name);
  if (reducer == nullptr || batch.rows == 0)
    return wrong;
  auto write = [&](row_stats* out) {
    if (!isAllocated(out, batch.rows * sizeof(row_stats)))
      return wrong;
    reducer(batch, out);
    return 0;
  };
  if (kernel.is("exact_rows_kernel")) {
    const auto* left = *static_cast<const unsigned* const*>(arguments[1]);
    if (!isAllocated(left, (batch.rows + 1) * sizeof *left) || *left != 0)
      return wrong;
    return *static_cast<const bool*>(arguments[2])
               ? write(*static_cast<row_stats* const*>(arguments[3]))
               : 0;
  }
  const auto space = *static_cast<const device::row_workspace*>(arguments[1]);
  if (!isAllocated(space.frames, batch.rows * sizeof *space.frames) ||
      !isAllocated(space.shares, batch.rows * 8 * sizeof *space.shares))
    return wrong;
  if (kernel.is("finish_rows_kernel"))
    return *static_cast<const unsigned*>(arguments[2]) == 8
               ? write(*static_cast<row_stats* const*>(arguments[3]))
               : wrong;
  const bool isCluster = config.count == 1 && config.attributes->id == 4 &&
                         config.attributes->value[0] == 8 && config.attributes->value[1] == 1 &&
                         config.attributes->value[2] == 1;
  return isCluster && config.grid[0] % 8 == 0 && config.grid[0] / 8 <= maximum &&
                 space.keeps == (config.shared != 0) &&
                 static_cast<int>(config.shared) == allowedShared
             ? 0
             : wrong;
}

} // namespace

#define FUNCTION(name, ...)                                                                        \
  extern "C" int name(__VA_ARGS__);                                                                \
  extern "C" int name(__VA_ARGS__)
#define MAY_FAIL                                                                                   \
  if (fails(__func__))                                                                             \
  return failed

FUNCTION(cuInit, unsigned flags) {
  MAY_FAIL;
  return flags == 0 ? 0 : wrong;
}
FUNCTION(cuDeviceGetCount, int* out) {
  MAY_FAIL;
  *out = 2;
  return 0;
}
FUNCTION(cuDeviceGet, int* out, int index) {
  MAY_FAIL;
  *out = index + 40;
  return index >= 0 && index < 2 ? 0 : 101;
}
FUNCTION(cuDeviceGetName, char* out, int size, int handle) {
  std::snprintf(out, static_cast<std::size_t>(size), "Stand-in %d", handle - 40);
  return 0;
}
FUNCTION(cuDeviceGetAttribute, int* out, int which, int handle) {
  *out = which == 75 ? (handle == 40 ? 9 : 8) : which == 76 ? 0 : which == 97 ? 232448 : 3;
  return which == 75 || which == 76 || which == 97 || which == 16 ? 0 : wrong;
}
FUNCTION(cuGetErrorString, int code, const char** out) {
  *out = code == failed ? "as asked" : code == wrong ? "wrong use" : "invalid device";
  return 0;
}
FUNCTION(cuDevicePrimaryCtxRetain, void** out, int handle) {
  MAY_FAIL;
  *out = &contexts;
  ++retained;
  return handle == 40 ? 0 : wrong;
}
FUNCTION(cuDevicePrimaryCtxRelease_v2, int) {
  --retained;
  return 0;
}
FUNCTION(cuCtxPushCurrent_v2, void* context) {
  MAY_FAIL;
  ++contexts;
  return context == &contexts ? 0 : wrong;
}
FUNCTION(cuCtxPopCurrent_v2, void**) {
  --contexts;
  return 0;
}
FUNCTION(cuModuleLoadData, void** out, const void* image) {
  MAY_FAIL;
  if (contexts == 0 || std::strcmp(static_cast<const char*>(image), "image") != 0)
    return wrong;
  *out = new int;
  modules.insert(*out);
  return 0;
}
FUNCTION(cuModuleUnload, void* module) {
  if (contexts == 0)
    return wrong;
  delete static_cast<int*>(module);
  return modules.erase(module) == 1 ? 0 : wrong;
}
FUNCTION(cuModuleGetFunction, void** out, void* module, const char* name) {
  MAY_FAIL;
  kernels.push_back(new Kernel{name});
  *out = kernels.back();
  return modules.count(module) == 1 ? 0 : wrong;
}
FUNCTION(cuFuncGetAttribute, int* out, int which, void* function) {
  MAY_FAIL;
  *out = 4000;
  return which == 1 && static_cast<Kernel*>(function)->is("reduce_rows_kernel") ? 0 : wrong;
}
FUNCTION(cuFuncSetAttribute, void* function, int which, int value) {
  MAY_FAIL;
  allowedShared = value;
  return which == 8 && static_cast<Kernel*>(function)->is("reduce_rows_kernel") ? 0 : wrong;
}
FUNCTION(cuOccupancyMaxActiveClusters, int* out, void*, const Config* config) {
  MAY_FAIL;
  *out = fails("clusters") ? 0 : static_cast<int>(maximum);
  return config->count == 1 && config->grid[0] == 8 ? 0 : wrong;
}
FUNCTION(cuLaunchKernelEx, const Config* config, void* function, void** arguments, void** extra) {
  MAY_FAIL;
  const bool isUsual = contexts == 1 && extra == nullptr && config->stream == &stream &&
                       config->grid[0] != 0 && config->grid[1] == 1 && config->grid[2] == 1 &&
                       config->block[0] % 32 == 0 && config->block[1] == 1 && config->block[2] == 1;
  return isUsual ? run(*static_cast<Kernel*>(function), *config, arguments) : wrong;
}
FUNCTION(cuPointerGetAttribute, void* out, int which, std::uintptr_t) {
  MAY_FAIL;
  *static_cast<int*>(out) = fails("device") ? 1 : 0;
  return which == 9 ? 0 : wrong;
}
FUNCTION(cuMemAllocAsync, std::uintptr_t* out, std::size_t bytes, void* on) {
  MAY_FAIL;
  auto* memory = static_cast<char*>(std::aligned_alloc(256, (bytes + 255) / 256 * 256));
  std::memset(memory, 0xee, bytes);
  allocated[memory] = bytes;
  *out = reinterpret_cast<std::uintptr_t>(memory);
  return on == &stream ? 0 : wrong;
}
FUNCTION(cuMemFreeAsync, std::uintptr_t at, void*) {
  auto* memory = reinterpret_cast<char*>(at);
  std::free(memory);
  return allocated.erase(memory) == 1 ? 0 : wrong;
}
FUNCTION(cuMemsetD32Async, std::uintptr_t at, unsigned value, std::size_t count, void*) {
  MAY_FAIL;
  auto* words = reinterpret_cast<unsigned*>(at);
  if (!isAllocated(words, count * sizeof *words))
    return wrong;
  std::fill_n(words, count, value);
  return 0;
}
FUNCTION(cuMemcpyDtoHAsync_v2, void* to, std::uintptr_t from, std::size_t bytes, void*) {
  MAY_FAIL;
  if (!isAllocated(reinterpret_cast<const void*>(from), bytes))
    return wrong;
  std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
  return 0;
}
FUNCTION(cuStreamSynchronize, void* on) {
  MAY_FAIL;
  return on == &stream ? 0 : wrong;
}

FUNCTION(nvrtcVersion, int* first, int* second) {
  *first = 13;
  *second = 99;
  return 0;
}
FUNCTION(nvrtcCreateProgram, void** out, const char* source, const char*, int headers,
         const char* const* texts, const char* const* names) {
  MAY_FAIL;
  *out = &expected;
  expected.clear();
  bool isWhole = std::strstr(source, "reduce_rows_kernel") != nullptr;
  for (int i = 0; i < headers; ++i)
    isWhole = isWhole && texts[i] != nullptr && names[i] != nullptr;
  return isWhole && std::strstr(source, "#include \"") == nullptr ? 0 : wrong;
}
FUNCTION(nvrtcAddNameExpression, void*, const char* expression) {
  MAY_FAIL;
  expected.emplace_back(expression);
  return 0;
}
FUNCTION(nvrtcCompileProgram, void*, int count, const char* const* options) {
  MAY_FAIL;
  ++compilations;
  compiled.clear();
  for (int i = 0; i < count; ++i)
    compiled += std::string(options[i]) + " ";
  return compiled.find("--gpu-architecture=sm_90 ") != std::string::npos ? 0 : wrong;
}
FUNCTION(nvrtcGetLoweredName, void*, const char* expression, const char** out) {
  MAY_FAIL;
  for (const std::string& each : expected)
    if (each == expression) {
      *out = each.c_str();
      return 0;
    }
  return wrong;
}
FUNCTION(nvrtcGetCUBINSize, void*, std::size_t* out) {
  *out = sizeof "image";
  return 0;
}
FUNCTION(nvrtcGetCUBIN, void*, char* out) {
  std::memcpy(out, "image", sizeof "image");
  return 0;
}
FUNCTION(nvrtcDestroyProgram, void** program) {
  *program = nullptr;
  return 0;
}
extern "C" const char* nvrtcGetErrorString(int code);
extern "C" const char* nvrtcGetErrorString(int code) { return code == failed ? "as asked" : "no"; }

// For the test itself.
extern "C" void* standInStream();
extern "C" void* standInStream() { return &stream; }
/// What is open: contexts, retained contexts, modules, allocations; then compilations so far.
extern "C" void standInCounts(int* out);
extern "C" void standInCounts(int* out) {
  out[0] = contexts;
  out[1] = retained;
  out[2] = static_cast<int>(modules.size());
  out[3] = static_cast<int>(allocated.size());
  out[4] = compilations;
}
