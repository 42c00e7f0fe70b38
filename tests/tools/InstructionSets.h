#pragma once

#include <cstring>

/// Included before a contract's header: has its checker find fewer instruction sets than the
/// machine has, so that one program shows what each of them computes.
namespace tikc_test {

enum class InstructionSet { portable, avx2, avx512 };
inline InstructionSet most_allowed = InstructionSet::avx512;

inline bool is_allowed(const char* feature) {
  return most_allowed == InstructionSet::avx512 ||
         (most_allowed == InstructionSet::avx2 && std::strncmp(feature, "avx512", 6) != 0);
}

} // namespace tikc_test

#if defined(__x86_64__)
// The name within is the compiler's: a macro does not expand itself.
#define __builtin_cpu_supports(feature)                                                            \
  (tikc_test::is_allowed(feature) && __builtin_cpu_supports(feature) != 0)
#endif
