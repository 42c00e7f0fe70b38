#pragma once

/// Whether passes are also compiled for AVX2 and AVX-512, and chosen where they run. If all sources
/// of a program define `TIKC_PORTABLE_ONLY`, it has only the portable passes. It is smaller and
/// compiles sooner, and gives the same verdicts more slowly.
#if defined(__x86_64__) && !defined(TIKC_PORTABLE_ONLY)
#define TIKC_FOR_X86 1
#else
#define TIKC_FOR_X86 0
#endif
