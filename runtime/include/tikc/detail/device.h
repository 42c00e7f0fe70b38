#pragma once

/// Marks functions that device code calls, too; nothing where no device code is compiled.
#if defined(__CUDACC__)
#define TIKC_ON_BOTH __host__ __device__
#else
#define TIKC_ON_BOTH
#endif

/// Keeps what is rare out of the loops that call it, and its registers with it.
#if defined(__CUDACC__)
#define TIKC_OUT_OF_LINE __noinline__
#elif defined(__GNUC__)
#define TIKC_OUT_OF_LINE __attribute__((noinline))
#else
#define TIKC_OUT_OF_LINE
#endif
