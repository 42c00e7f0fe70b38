#pragma once

#include <dlfcn.h>
#include <llvm/Support/Error.h>

#include <string>
#include <string_view>

namespace tikc::engine {

/// A library of the machine, loaded if it is there, so that tikc runs without it. It stays loaded:
/// NVIDIA's libraries do not support being unloaded.
class MachineLibrary {
public:
  /// `isPresent`: only if the process has loaded it already.
  explicit MachineLibrary(const char* name, bool isPresent = false)
      : handle_(
            dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE | (isPresent ? RTLD_NOLOAD : 0))) {
    if (handle_ == nullptr && !isPresent)
      problem_ = dlerror();
  }
  ~MachineLibrary() {
    if (handle_ != nullptr)
      dlclose(handle_);
  }
  MachineLibrary(const MachineLibrary&) = delete;
  MachineLibrary& operator=(const MachineLibrary&) = delete;

  bool isLoaded() const { return handle_ != nullptr; }
  const std::string& problem() const { return problem_; }

  /// Calls a function, whose parameters must have exactly the types of the arguments. Returns its
  /// error code, or −1 if the library lacks it.
  template <class... Arguments> int call(const char* name, Arguments... arguments) const {
    auto* function = reinterpret_cast<int (*)(Arguments...)>(dlsym(handle_, name));
    return function == nullptr ? -1 : function(arguments...);
  }
  template <class Result, class... Arguments>
  Result get(const char* name, Result otherwise, Arguments... arguments) const {
    auto* function = reinterpret_cast<Result (*)(Arguments...)>(dlsym(handle_, name));
    return function == nullptr ? otherwise : function(arguments...);
  }

private:
  void* handle_ = nullptr;
  std::string problem_;
};

/// NVIDIA's driver. The names and numbers are those of its header, cuda.h.
class CudaDriver {
public:
  CudaDriver();

  /// Why it cannot be used; empty if it can.
  const std::string& problem() const { return problem_; }
  int deviceCount() const { return count_; }

  template <class... Arguments> int call(const char* name, Arguments... arguments) const {
    return library_.call(name, arguments...);
  }
  /// Returns an error in words: "the rows cannot be reduced: out of memory (error 2)".
  std::string describe(std::string_view what, int code) const;
  llvm::Error fault(std::string_view what, int code) const;

private:
  MachineLibrary library_;
  std::string problem_;
  int count_ = 0;
};

struct CudaDevice {
  int handle = 0;
  std::string name;
  int major = 0, minor = 0; // its compute capability

  int architecture() const { return 10 * major + minor; }
  /// tikc/cuda/rows.h uses clusters of blocks.
  bool canReduceRows() const { return architecture() >= 90; }
};

llvm::Expected<CudaDevice> describeDevice(const CudaDriver& driver, int index);

} // namespace tikc::engine
