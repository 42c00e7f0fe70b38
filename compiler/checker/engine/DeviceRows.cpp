#include "checker/engine/DeviceRows.h"

#include "checker/emit/Emit.h"
#include "checker/emit/cpp/Standalone.h"
#include "checker/engine/CudaDriver.h"
#include "checker/engine/KernelCompiler.h"
#include "tikc/cuda/row_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <tuple>
#include <utility>

namespace tikc::engine {
namespace {

namespace device = cuda::detail;
using device::row_grid;
using device::row_kernel;

/// Rows that are reduced at once: their workspace takes some 30 MB.
constexpr std::size_t mostRows = 1U << 14;

template <class... Arguments>
llvm::Error fault(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 fmt::format(format, std::forward<Arguments>(arguments)...));
}

// The layout of the structures is that of cuda.h.
struct alignas(8) ClusterAttribute {
  std::uint32_t id = 4; // CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION
  std::uint32_t rest = 0;
  std::array<std::uint32_t, 16> dimensions{};
};
static_assert(sizeof(ClusterAttribute) == 72);

struct LaunchConfig {
  LaunchConfig(const row_grid& from, void* on)
      : grid{from.blocks, 1, 1}, block{from.threads, 1, 1},
        sharedBytes(static_cast<std::uint32_t>(from.shared_bytes)), stream(on),
        attributes(&cluster), attributeCount(from.cluster != 0) {
    cluster.dimensions = {from.cluster, 1, 1};
  }
  LaunchConfig(const LaunchConfig&) = delete;
  LaunchConfig& operator=(const LaunchConfig&) = delete;

  std::array<std::uint32_t, 3> grid, block;
  std::uint32_t sharedBytes;
  void* stream;
  const ClusterAttribute* attributes;
  std::uint32_t attributeCount;
  ClusterAttribute cluster; // behind what the driver reads
};
static_assert(offsetof(LaunchConfig, stream) == 32 && offsetof(LaunchConfig, cluster) == 56);

/// The kernels of one stream's statistics and a pair of formats, on one device.
struct LoadedKernels {
  void* module = nullptr;
  std::array<void*, 3> functions{}; // by row_kernel
};

/// The driver's interface, for `launch_rows`.
class DriverApi {
public:
  using code = int;
  static constexpr code no_cluster = 9; // CUDA_ERROR_INVALID_CONFIGURATION in CUDA's runtime

  DriverApi(const CudaDriver& driver, const LoadedKernels& kernels, int device, void* stream)
      : driver_(driver), kernels_(kernels), device_(device), stream_(stream) {}

  code zero(unsigned* at) {
    return driver_.call("cuMemsetD32Async", address(at), 0U, std::size_t{1}, stream_);
  }
  code most_shared_bytes(std::size_t& out) {
    return attribute(97, out); // …_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN
  }
  code multiprocessors(unsigned& out) {
    return attribute(16, out); // …_MULTIPROCESSOR_COUNT
  }
  code static_shared_bytes(std::size_t& out) {
    int value = 0;
    constexpr int sharedSize = 1;
    const code result = driver_.call("cuFuncGetAttribute", &value, sharedSize, reduce());
    out = static_cast<std::size_t>(value);
    return result;
  }
  code allow(const row_grid& grid) {
    constexpr int mostDynamicShared = 8, allowsLargeClusters = 14;
    code result = driver_.call("cuFuncSetAttribute", reduce(), mostDynamicShared,
                               static_cast<int>(grid.shared_bytes));
    if (result == 0 && grid.cluster > device::most_portable)
      result = driver_.call("cuFuncSetAttribute", reduce(), allowsLargeClusters, 1);
    return result;
  }
  code active_clusters(const row_grid& grid, int& out) {
    const LaunchConfig config(grid, stream_);
    return driver_.call("cuOccupancyMaxActiveClusters", &out, reduce(), &config);
  }
  template <class... Arguments>
  code launch(row_kernel which, const row_grid& grid, Arguments... arguments) {
    const LaunchConfig config(grid, stream_);
    void* at[] = {&arguments...};
    void** extra = nullptr;
    return driver_.call("cuLaunchKernelEx", &config, function(which), &at[0], extra);
  }

  static std::uint64_t address(const void* at) { return reinterpret_cast<std::uintptr_t>(at); }

private:
  void* function(row_kernel which) const {
    return kernels_.functions[static_cast<std::size_t>(which)];
  }
  void* reduce() const { return function(row_kernel::reduce); }
  template <class Number> code attribute(int which, Number& out) {
    int value = 0;
    const code result = driver_.call("cuDeviceGetAttribute", &value, which, device_);
    out = static_cast<Number>(value);
    return result;
  }

  const CudaDriver& driver_;
  const LoadedKernels& kernels_;
  int device_;
  void* stream_;
};

/// Makes a context current while it lives.
class CurrentContext {
public:
  CurrentContext(const CudaDriver& driver, void* context)
      : driver_(driver), code_(driver.call("cuCtxPushCurrent_v2", context)) {}
  ~CurrentContext() {
    void* context = nullptr;
    if (code_ == 0)
      driver_.call("cuCtxPopCurrent_v2", &context);
  }
  CurrentContext(const CurrentContext&) = delete;
  CurrentContext& operator=(const CurrentContext&) = delete;

  int code() const { return code_; }

private:
  const CudaDriver& driver_;
  int code_;
};

/// Memory of a device, from allocation to deallocation in the order of a stream.
class DeviceMemory {
public:
  DeviceMemory(const CudaDriver& driver, std::size_t bytes, void* stream)
      : driver_(driver), stream_(stream),
        code_(driver.call("cuMemAllocAsync", &address_, bytes, stream)) {}
  ~DeviceMemory() {
    if (code_ == 0)
      driver_.call("cuMemFreeAsync", address_, stream_);
  }
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  int code() const { return code_; }
  std::uint64_t address() const { return address_; }
  void* at(std::size_t offset) const { return reinterpret_cast<void*>(address_ + offset); }

private:
  const CudaDriver& driver_;
  void* stream_;
  std::uint64_t address_ = 0;
  int code_;
};

using ShapeOf = device::row_shape (*)(unsigned vocabulary);
constexpr std::size_t formatCount = std::size(emit::rowFormats);

template <std::size_t... Pairs> ShapeOf shapeOf(std::size_t pair, std::index_sequence<Pairs...>) {
  constexpr ShapeOf shapes[] = {
      &device::shape_of<static_cast<number_format>(Pairs / formatCount),
                        static_cast<number_format>(Pairs % formatCount)>...};
  return shapes[pair];
}

device::row_shape shapeOf(const DeviceBatch& batch) {
  const std::size_t pair = static_cast<std::size_t>(batch.trainFormat) * formatCount +
                           static_cast<std::size_t>(batch.inferFormat);
  return shapeOf(pair, std::make_index_sequence<formatCount * formatCount>())(
      static_cast<unsigned>(batch.vocabulary));
}

} // namespace

std::string kernelSource() { return emit::cpp::standalone("#include \"tikc/cuda/rows.h\"\n"); }

std::vector<std::string> kernelExpressions(std::uint32_t wants, number_format train,
                                           number_format infer) {
  auto format = [](number_format each) {
    return fmt::format("tikc::number_format::{}", emit::rowFormats[static_cast<std::size_t>(each)]);
  };
  const std::string formats = format(train) + ", " + format(infer), space = "tikc::cuda::detail::";
  return {fmt::format("{}reduce_rows_kernel<{}, {}U, tikc::cuda::usual_spread<{}>>", space, formats,
                      wants, formats),
          fmt::format("{}finish_rows_kernel<{}, {}U>", space, formats, wants),
          fmt::format("{}exact_rows_kernel<{}, {}U>", space, formats, wants)};
}

class DeviceRows::Impl {
public:
  ~Impl() {
    for (auto& [key, entry] : kernels_)
      if (entry.loaded) {
        const CurrentContext current(*driver_, primaries_.at(std::get<0>(key)).context);
        driver_->call("cuModuleUnload", entry.loaded->module);
      }
    for (auto& [index, primary] : primaries_)
      driver_->call("cuDevicePrimaryCtxRelease_v2", primary.device.handle);
  }

  llvm::Expected<std::vector<row_stats>> reduce(const stream& pair, const DeviceBatch& batch) {
    if (batch.vocabulary < 2 || batch.vocabulary > detail::rows::row_tokens_limit)
      return fault("rows on a GPU have 2 to {} tokens, found {}", detail::rows::row_tokens_limit,
                   batch.vocabulary);
    auto primary = primaryOf(batch.device);
    if (!primary)
      return primary.takeError();
    const CurrentContext current(*driver_, primary->context);
    if (current.code() != 0)
      return driver_->fault("the GPU's context cannot be used", current.code());
    for (const void* side : {batch.train, batch.infer})
      if (llvm::Error error = isOnDevice(side, batch.device))
        return error;
    auto kernels = kernelsOf(pair, batch, primary->device);
    if (!kernels)
      return kernels.takeError();
    std::vector<row_stats> out(batch.rows);
    for (std::size_t begin = 0; begin < batch.rows; begin += mostRows)
      if (int code = reduceSome(pair, batch, begin, primary->device, *kernels, out); code != 0)
        return driver_->fault("the GPU cannot reduce the rows", code);
    return out;
  }

private:
  /// A device, and the context that programs share.
  struct Primary {
    CudaDevice device;
    void* context = nullptr;
  };
  using Key = std::tuple<int, number_format, number_format, std::uint32_t>;
  struct Entry {
    std::mutex mutex;
    std::optional<CompiledKernels> compiled; // until they are loaded
    std::optional<LoadedKernels> loaded;
    std::string problem; // why they cannot be compiled
  };

  llvm::Expected<Primary> primaryOf(int index) {
    const std::lock_guard guard(mutex_);
    if (!driver_)
      driver_.emplace();
    if (!driver_->problem().empty())
      return fault("{}", driver_->problem());
    if (auto found = primaries_.find(index); found != primaries_.end())
      return found->second;
    auto device = describeDevice(*driver_, index);
    if (!device)
      return device.takeError();
    if (!device->canReduceRows())
      return fault("{} has compute capability {}.{}; rows on a GPU need 9.0", device->name,
                   device->major, device->minor);
    Primary out{*device, nullptr};
    if (int code = driver_->call("cuDevicePrimaryCtxRetain", &out.context, out.device.handle))
      return driver_->fault("the GPU's context cannot be used", code);
    return primaries_.emplace(index, out).first->second;
  }

  /// An address of other memory would end the context, which others use.
  llvm::Error isOnDevice(const void* rows, int device) const {
    constexpr int deviceOrdinal = 9; // CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL
    int found = -1;
    void* to = &found;
    const int code =
        driver_->call("cuPointerGetAttribute", to, deviceOrdinal, DriverApi::address(rows));
    if (code != 0)
      return driver_->fault("the rows are not in a GPU's memory", code);
    return found == device ? llvm::Error::success()
                           : fault("the rows are on device {}, not {}", found, device);
  }

  /// The device's context is current. Compiling takes seconds, so a failure of it is remembered,
  /// and other kernels do not wait for it.
  llvm::Expected<LoadedKernels> kernelsOf(const stream& pair, const DeviceBatch& batch,
                                          const CudaDevice& device) {
    Entry* entry = nullptr;
    {
      const std::lock_guard guard(mutex_);
      entry = &kernels_[{batch.device, batch.trainFormat, batch.inferFormat, pair.row_wants}];
    }
    const std::lock_guard guard(entry->mutex);
    if (!entry->loaded)
      if (llvm::Error error = load(pair, batch, device, *entry))
        return error;
    return *entry->loaded;
  }

  llvm::Error load(const stream& pair, const DeviceBatch& batch, const CudaDevice& device,
                   Entry& into) {
    if (!into.problem.empty())
      return fault("{}", into.problem);
    if (!into.compiled) {
      const KernelCompiler compiler;
      auto compiled = compiler.problem().empty()
                          ? compileCached(compiler, kernelSource(),
                                          kernelExpressions(pair.row_wants, batch.trainFormat,
                                                            batch.inferFormat),
                                          device.architecture())
                          : llvm::Expected<CompiledKernels>(fault("{}", compiler.problem()));
      if (!compiled) {
        into.problem = llvm::toString(compiled.takeError());
        return fault("{}", into.problem);
      }
      into.compiled = std::move(*compiled);
    }
    LoadedKernels out;
    const void* image = into.compiled->image.data();
    int code = driver_->call("cuModuleLoadData", &out.module, image);
    for (std::size_t i = 0; code == 0 && i < out.functions.size(); ++i)
      code = i < into.compiled->names.size()
                 ? driver_->call("cuModuleGetFunction", &out.functions[i], out.module,
                                 into.compiled->names[i].c_str())
                 : -1;
    if (code == 0) {
      into.loaded = out;
      into.compiled.reset();
      return llvm::Error::success();
    }
    if (out.module != nullptr)
      driver_->call("cuModuleUnload", out.module);
    return driver_->fault("the NVIDIA driver cannot load the kernels", code);
  }

  int reduceSome(const stream& pair, const DeviceBatch& from, std::size_t begin,
                 const CudaDevice& on, const LoadedKernels& kernels,
                 std::vector<row_stats>& out) const {
    const std::size_t count = std::min(from.rows - begin, mostRows);
    auto row = [begin](const void* first, std::size_t stride, number_format format) {
      return static_cast<const unsigned char*>(first) + begin * stride * bytes_of(format);
    };
    device::row_batch batch{row(from.train, from.trainStride, from.trainFormat),
                            row(from.infer, from.inferStride, from.inferFormat),
                            from.trainStride,
                            from.inferStride,
                            static_cast<std::uint32_t>(count),
                            static_cast<std::uint32_t>(from.vocabulary),
                            pair.train_temperature,
                            pair.infer_temperature,
                            nullptr,
                            pair.masks};
    const bool all = device::prepare(batch, pair.row_wants);
    const device::row_shape shape = shapeOf(from);
    const std::size_t spaceBytes = device::workspace_bytes(shape.blocks, count);
    const std::size_t resultsAt = (spaceBytes + 255) / 256 * 256;
    const std::size_t resultBytes = count * sizeof(row_stats);
    const DeviceMemory memory(*driver_, resultsAt + resultBytes, from.stream);
    int code = memory.code();
    DriverApi api(*driver_, kernels, on.handle, from.stream);
    if (code == 0)
      code = device::launch_rows(api, batch, all, shape, memory.at(0),
                                 static_cast<row_stats*>(memory.at(resultsAt)));
    void* to = out.data() + begin;
    if (code == 0)
      code = driver_->call("cuMemcpyDtoHAsync_v2", to, memory.address() + resultsAt, resultBytes,
                           from.stream);
    const int finished = driver_->call("cuStreamSynchronize", from.stream);
    return code == 0 ? finished : code;
  }

  std::mutex mutex_;
  std::optional<CudaDriver> driver_; // never changes after the first use
  std::map<int, Primary> primaries_;
  std::map<Key, Entry> kernels_;
};

DeviceRows::DeviceRows() : impl_(std::make_unique<Impl>()) {}
DeviceRows::~DeviceRows() = default;

llvm::Expected<std::vector<row_stats>> DeviceRows::reduce(const stream& pair,
                                                          const DeviceBatch& batch) const {
  return impl_->reduce(pair, batch);
}

} // namespace tikc::engine
