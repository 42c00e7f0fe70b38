#pragma once

/// Has all checkers of this program find fewer instruction sets than the machine has, so that one
/// program shows what each of them computes.
namespace tikc_test {

enum class InstructionSet { portable, avx2, avx512 };

#if defined(__x86_64__)
/// Which of the features there are that __builtin_cpu_supports() tells, as libgcc keeps them once
/// it asked the machine: its layout never changes, since programs have it compiled in. A
/// declaration would meet the compilers' own.
inline unsigned& machine_features() {
  unsigned* model = nullptr;
  __asm__("leaq __cpu_model(%%rip), %0" : "=r"(model));
  return model[3]; // behind vendor, type and subtype
}
inline constexpr unsigned avx2_feature = 1U << 10U, avx512f_feature = 1U << 15U;
#endif

inline void allow_at_most([[maybe_unused]] InstructionSet most) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (most < InstructionSet::avx512)
    machine_features() &= ~avx512f_feature;
  if (most < InstructionSet::avx2)
    machine_features() &= ~avx2_feature;
#endif
}

} // namespace tikc_test
