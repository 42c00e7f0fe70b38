#include "support/Check.h"

#include <fmt/format.h>

namespace tikc {

void throwInternalFault(const char* what, const char* file, int line) {
  throw InternalFault(fmt::format("it is not so that {} ({}:{})", what, file, line));
}

} // namespace tikc
