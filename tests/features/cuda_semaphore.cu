// cuda_semaphore.cu - cuda::binary_semaphore, cuda::counting_semaphore, cuda::latch; fences of cuda::atomic_thread_fence().
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/semaphore>
#include <new>
#include "feature.h"

using mutex = cuda::binary_semaphore<cuda::thread_scope_device>;
__device__ alignas(mutex) unsigned char lock_memory[sizeof(mutex)];
__device__ int total, flag, message;

__global__ void set_up() {
  new (lock_memory) mutex(1);
  total = flag = message = 0;
}

template <bool Locks> __global__ void add_up() {
  mutex &lock = *reinterpret_cast<mutex *>(lock_memory);
  if (Locks) lock.acquire();
  total += threadIdx.x;
  if (Locks) lock.release();
}

__global__ void meet(double *out) {
  __shared__ alignas(8) unsigned char latch_memory[sizeof(cuda::latch<cuda::thread_scope_block>)];
  __shared__ alignas(8) unsigned char places_memory[sizeof(cuda::counting_semaphore<cuda::thread_scope_block, 4>)];
  __shared__ int values[64];
  auto &latch = *reinterpret_cast<cuda::latch<cuda::thread_scope_block> *>(latch_memory);
  auto &places = *reinterpret_cast<cuda::counting_semaphore<cuda::thread_scope_block, 4> *>(places_memory);
  const int t = threadIdx.x;
  if (t == 0) {
    new (latch_memory) cuda::latch<cuda::thread_scope_block>(64);
    new (places_memory) cuda::counting_semaphore<cuda::thread_scope_block, 4>(4);
  }
  __syncthreads();
  values[t] = t;
  latch.arrive_and_wait();
  places.acquire();
  out[t] = values[63 - t];
  places.release();
}

__global__ void pass(double *out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> f(flag);
  if (blockIdx.x == 0) {
    message = 42;
    cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
    f.store(1, cuda::memory_order_relaxed);
  } else {
    while (f.load(cuda::memory_order_relaxed) == 0) {}
    cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
    out[65] = message;
  }
}
__global__ void tell(double *out) { out[64] = total; }

RIGHT(cuda_semaphore) {
  set_up<<<1, 1>>>();
  add_up<true><<<2, 40>>>();
  meet<<<1, 64>>>(out);
  tell<<<1, 1>>>(out);
  pass<<<2, 1>>>(out);
}
WRONG(cuda_semaphore) {
  set_up<<<1, 1>>>();
  add_up<false><<<2, 40>>>();
}
EXPECTED(cuda_semaphore) { return i < 64 ? 63 - i : i == 64 ? 2 * 780 : 42; }
