#include "driver/Commands.h"
#include "driver/gen/Generators.h"

namespace tikc::driver {

llvm::Expected<int> runSchema(const Invocation& invocation) {
  if (auto error = writeOutput(invocation, gen::schema()))
    return error;
  return Clean;
}

} // namespace tikc::driver
