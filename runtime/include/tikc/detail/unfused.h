#pragma once

/// Turns off fusing of a + b · c, except in fma(). Compilers may fuse, depending on what else a
/// function computes; then one plan's pass would not have the bits of another's. If all code is for
/// machines with fused instructions (-march=native, aarch64), sums have these bits only with
/// -ffp-contract=off.
#if defined(__clang__)
#define TIKC_UNFUSED_BEGIN _Pragma("float_control(push)") _Pragma("clang fp contract(off)")
#define TIKC_UNFUSED_END _Pragma("float_control(pop)")
#elif defined(__NVCC__) // passes on pragmas that it does not know
#define TIKC_UNFUSED_BEGIN                                                                         \
  _Pragma("nv_diagnostic push") _Pragma("nv_diag_suppress 1675") _Pragma("GCC push_options")       \
      _Pragma("GCC optimize(\"fp-contract=off\")") _Pragma("nv_diagnostic pop")
#define TIKC_UNFUSED_END _Pragma("GCC pop_options")
#else
#define TIKC_UNFUSED_BEGIN _Pragma("GCC push_options") _Pragma("GCC optimize(\"fp-contract=off\")")
#define TIKC_UNFUSED_END _Pragma("GCC pop_options")
#endif

#if defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__
#error                                                                                             \
    "a checker has to see NaN: compile what includes tikc's headers without -ffast-math (-ffinite-math-only)"
#endif
