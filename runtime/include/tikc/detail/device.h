#pragma once

/// Marks functions that device code also calls; empty without a device compiler.
#if defined(__CUDACC__)
#define TIKC_ON_BOTH __host__ __device__
#else
#define TIKC_ON_BOTH
#endif

/// Keeps rare code, and its registers, out of the loops that call it.
#if defined(__CUDACC__)
#define TIKC_OUT_OF_LINE __noinline__
#elif defined(__GNUC__)
#define TIKC_OUT_OF_LINE __attribute__((noinline))
#else
#define TIKC_OUT_OF_LINE
#endif
