#pragma once

#include "checker/engine/CudaDriver.h"

#include <memory>
#include <string>
#include <vector>

namespace tikc::engine {

/// Kernels for one kind of GPU.
struct CompiledKernels {
  std::string image;
  std::vector<std::string> names; // in the image, in the order of the expressions
};

/// NVIDIA's compiler at run time (NVRTC). PyTorch's wheels contain it.
class KernelCompiler {
public:
  KernelCompiler();

  /// Why it cannot be used; empty if it can.
  const std::string& problem() const { return problem_; }
  /// Its name and version, such as "NVRTC 13.0".
  std::string version() const;

  /// Compiles a source whose headers are part of its text, for an architecture such as 90. The
  /// expressions name instances of kernels.
  llvm::Expected<CompiledKernels> compile(const std::string& source,
                                          const std::vector<std::string>& expressions,
                                          int architecture) const;

private:
  std::unique_ptr<MachineLibrary> library_;
  std::string problem_;
};

/// Compiles kernels, or takes them from the user's cache: a folder `tikc` in $XDG_CACHE_HOME or
/// ~/.cache.
llvm::Expected<CompiledKernels> compileCached(const KernelCompiler& compiler,
                                              const std::string& source,
                                              const std::vector<std::string>& expressions,
                                              int architecture);

} // namespace tikc::engine
