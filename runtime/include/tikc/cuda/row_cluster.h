#pragma once

// Included by tikc/cuda/row_block.h: communication among the threads of a warp and the blocks of a
// cluster, and copies of memory.

#if !defined(__CUDACC_RTC__)
#include <cuda_runtime.h>
#endif

namespace tikc::cuda::detail {

// Communication within a warp.

/// Reduces four numbers of each thread at once. Thread t returns the result of number t / 8.
template <bool Adds> __device__ float reduce_four(float a, float b, float c, float d) {
  auto join = [](float x, float y) { return Adds ? x + y : fmaxf(x, y); };
  auto from = [](float x, unsigned lanes) { return __shfl_xor_sync(0xffffffffU, x, lanes); };
  const bool upper = (threadIdx.x & 16U) != 0, odd = (threadIdx.x & 8U) != 0;
  const float first = join(upper ? c : a, from(upper ? a : c, 16));
  const float second = join(upper ? d : b, from(upper ? b : d, 16));
  float out = join(odd ? second : first, from(odd ? first : second, 8));
  for (unsigned lanes : {4U, 2U, 1U})
    out = join(out, from(out, lanes));
  return out;
}

__device__ inline double join_as(unsigned index, double value, unsigned lanes) {
  return row_sums::joined(index, value, __shfl_xor_sync(0xffffffffU, value, lanes));
}

// Communication among the blocks of a cluster.

__device__ inline std::uint32_t shared_address(const void* at) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(at));
}
__device__ inline std::uint32_t address_in(std::uint32_t shared, unsigned block) {
  std::uint32_t out;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(out) : "r"(shared), "r"(block));
  return out;
}
__device__ inline unsigned rank_in_cluster() {
  unsigned out;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(out));
  return out;
}
/// May be called from different places in the code.
__device__ inline void synchronise_block() { asm volatile("barrier.sync 0;" ::: "memory"); }
__device__ inline void synchronise_cluster() {
  __syncwarp();
  asm volatile("barrier.cluster.arrive.release.aligned;\n"
               "barrier.cluster.wait.acquire.aligned;" ::
                   : "memory");
}

/// Numbers that other blocks write here, and a barrier that completes when all have.
struct mailbox {
  std::uint64_t barrier;

  __device__ void open() {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\n"
                 "fence.mbarrier_init.release.cluster;" ::"r"(shared_address(&barrier))
                 : "memory");
  }
  __device__ void expect(unsigned bytes) {
    asm volatile(
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(&barrier)),
        "r"(bytes)
        : "memory");
  }
  /// Writes to the same place in another block.
  __device__ void send(double* to, double value, unsigned block) {
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.b64 [%0], %1, [%2];" ::"r"(
                     address_in(shared_address(to), block)),
                 "l"(__double_as_longlong(value)), "r"(address_in(shared_address(&barrier), block))
                 : "memory");
  }
  __device__ void wait(unsigned phase) {
    unsigned done = 0;
    while (done == 0)
      asm volatile("{\n"
                   ".reg .pred done;\n"
                   "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 done, [%1], %2;\n"
                   "selp.u32 %0, 1, 0, done;\n"
                   "}"
                   : "=r"(done)
                   : "r"(shared_address(&barrier)), "r"(phase)
                   : "memory");
  }
};

// Copies from device memory to shared memory, which complete at a barrier.

__device__ inline void open_copies(std::uint32_t barrier) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier) : "memory");
}
__device__ inline void publish_opened() {
  asm volatile("fence.mbarrier_init.release.cluster;\n"
               "fence.proxy.async.shared::cta;" ::
                   : "memory");
}
__device__ inline void expect_copies(std::uint32_t barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
               : "memory");
}
/// Both addresses and the size are multiples of 16.
__device__ inline void copy_to_shared(std::uint32_t to, const unsigned char* from, unsigned bytes,
                                      std::uint32_t barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
               " [%0], [%1], %2, [%3];" ::"r"(to),
               "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(barrier)
               : "memory");
}
__device__ inline void wait_for_copies(std::uint32_t barrier, unsigned phase) {
  unsigned done = 0;
  while (done == 0)
    asm volatile("{\n"
                 ".reg .pred done;\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 done, [%1], %2;\n"
                 "selp.u32 %0, 1, 0, done;\n"
                 "}"
                 : "=r"(done)
                 : "r"(barrier), "r"(phase)
                 : "memory");
}

} // namespace tikc::cuda::detail
