#pragma once

#include "tikc/formats.h"
#include "tikc/plan.h"
#include "tikc/row.h"

#include <llvm/Support/Error.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tikc::engine {

/// Pairs of rows in the memory of a GPU. Strides are in elements.
struct DeviceBatch {
  const void *train, *infer;
  std::size_t trainStride, inferStride;
  number_format trainFormat, inferFormat;
  std::size_t rows, vocabulary;
  int device;   // the driver's index
  void* stream; // a CUstream, on which the rows are ready
};

/// The source of the kernels, and the expressions that name those for some statistics.
std::string kernelSource();
std::vector<std::string> kernelExpressions(std::uint32_t wants, number_format train,
                                           number_format infer);

/// Reduces rows on GPUs, with the kernels of tikc/cuda/rows.h, which it compiles when a stream of a
/// contract first needs them. Any number of threads may use it.
class DeviceRows {
public:
  DeviceRows();
  ~DeviceRows();
  DeviceRows(const DeviceRows&) = delete;
  DeviceRows& operator=(const DeviceRows&) = delete;

  /// Returns the statistics that a stream of a contract needs. Fails if this machine cannot compile
  /// or run the kernels.
  llvm::Expected<std::vector<row_stats>> reduce(const stream& pair, const DeviceBatch& batch) const;

private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

} // namespace tikc::engine
