// cuda_atomic.cu - cuda::atomic and cuda::atomic_ref with scopes and orders: message passing, counters.
#include <cuda/atomic>
#include "feature.h"

__device__ cuda::atomic<int, cuda::thread_scope_device> flag;
__device__ int message, plain;
__device__ float sum;

__global__ void start() {
  flag.store(0, cuda::memory_order_relaxed);
  plain = 0, sum = 0;
}
template <cuda::std::memory_order Order> __global__ void pass(double *out) {
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) {
      message = 5;
      flag.store(1, Order);
    }
  } else {
    while (flag.load(cuda::std::memory_order_acquire) == 0) {}
    out[threadIdx.x] = message;
  }
  cuda::atomic_ref<int, cuda::thread_scope_device> counter(plain);
  counter.fetch_add(1, cuda::memory_order_relaxed);
  cuda::atomic_ref<float, cuda::thread_scope_device>(sum).fetch_add(0.5f, cuda::std::memory_order_relaxed);
}
__global__ void tell(double *out) {
  int expected = 1;
  out[32] = plain, out[33] = sum;
  out[34] = flag.compare_exchange_strong(expected, 9) + flag.load() + 10 * expected;
  cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
}

RIGHT(cuda_atomic) {
  start<<<1, 1>>>();
  pass<cuda::std::memory_order_release><<<2, 32>>>(out);
  tell<<<1, 1>>>(out);
}
WRONG(cuda_atomic) {
  start<<<1, 1>>>();
  pass<cuda::std::memory_order_relaxed><<<2, 32>>>(out);
}
EXPECTED(cuda_atomic) { return i < 32 ? 5 : i == 32 ? 64 : i == 33 ? 32 : 20; }
