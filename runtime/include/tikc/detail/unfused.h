#pragma once

/// Whether a + b · c rounds once or twice is up to a compiler that may fuse them, and differs with
/// what else a function computes: one plan's pass would not have the bits of another's. So in code
/// for machines that have such an instruction only what says fma() fuses. Where all code is for
/// them (-march=native, aarch64), sums have these bits with -ffp-contract=off alone.
#if defined(__clang__)
#define TIKC_UNFUSED_BEGIN _Pragma("float_control(push)") _Pragma("clang fp contract(off)")
#define TIKC_UNFUSED_END _Pragma("float_control(pop)")
#else
#define TIKC_UNFUSED_BEGIN _Pragma("GCC push_options") _Pragma("GCC optimize(\"fp-contract=off\")")
#define TIKC_UNFUSED_END _Pragma("GCC pop_options")
#endif

#if defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__
#error                                                                                             \
    "a checker has to see NaN: compile what includes tikc's headers without -ffast-math (-ffinite-math-only)"
#endif
