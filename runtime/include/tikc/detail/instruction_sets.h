#pragma once

/// Whether passes are compiled for AVX2 and AVX-512 beside the portable ones, to be chosen among
/// where they run. A program all of whose sources define `TIKC_PORTABLE_ONLY` goes without: it is
/// smaller and sooner compiled, and judges by the same rules, more slowly.
#if defined(__x86_64__) && !defined(TIKC_PORTABLE_ONLY)
#define TIKC_FOR_X86 1
#else
#define TIKC_FOR_X86 0
#endif
