#pragma once

#include <cstdio>
#include <cstdlib>

namespace tikc {

/// What a fuzzer holds to whatever its input is.
inline void require(bool holds, const char* what) {
  if (holds)
    return;
  std::fprintf(stderr, "violated: %s\n", what);
  std::abort();
}

} // namespace tikc
