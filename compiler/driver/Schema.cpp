#include "driver/Commands.h"
#include "driver/reference/Pages.h"

namespace tikc::driver {

llvm::Expected<int> runSchema(const Invocation& invocation) {
  if (auto error = writeOutput(invocation, contractSchema()))
    return error;
  return Clean;
}

} // namespace tikc::driver
