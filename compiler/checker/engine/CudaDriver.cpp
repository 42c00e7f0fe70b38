#include "checker/engine/CudaDriver.h"

#include "support/Utf8.h"

#include <fmt/format.h>

namespace tikc::engine {

CudaDriver::CudaDriver() : library_("libcuda.so.1") {
  if (!library_.isLoaded())
    problem_ = fmt::format("no NVIDIA driver: {}", library_.problem());
  else if (int code = call("cuInit", 0U); code != 0)
    problem_ = describe("the NVIDIA driver does not start", code);
  else if (code = call("cuDeviceGetCount", &count_); code != 0)
    problem_ = describe("the NVIDIA driver does not list its devices", code);
  else if (count_ == 0)
    problem_ = "the NVIDIA driver has no devices";
}

std::string CudaDriver::describe(std::string_view what, int code) const {
  const char* text = nullptr;
  call("cuGetErrorString", code, &text);
  return fmt::format("{}: {} (error {})", what,
                     text == nullptr ? "unknown error" : utf8::printable(text), code);
}

llvm::Error CudaDriver::fault(std::string_view what, int code) const {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), describe(what, code));
}

llvm::Expected<CudaDevice> describeDevice(const CudaDriver& driver, int index) {
  constexpr int majorAttribute = 75, minorAttribute = 76; // …_COMPUTE_CAPABILITY_…
  CudaDevice out;
  char name[256] = {};
  int code = driver.call("cuDeviceGet", &out.handle, index);
  if (code == 0)
    code = driver.call("cuDeviceGetName", &name[0], static_cast<int>(sizeof name - 1), out.handle);
  if (code == 0)
    code = driver.call("cuDeviceGetAttribute", &out.major, majorAttribute, out.handle);
  if (code == 0)
    code = driver.call("cuDeviceGetAttribute", &out.minor, minorAttribute, out.handle);
  if (code != 0)
    return driver.fault(fmt::format("the NVIDIA driver does not describe device {}", index), code);
  out.name = utf8::printable(name);
  return out;
}

} // namespace tikc::engine
