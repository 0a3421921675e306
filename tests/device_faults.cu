/* device_faults.cu - what tests/test_device.c launches: kernels that fail in each way a device tells of, and some that do not.
 * Compiled for the engine and by nvcc. tensor[0] has dim[0] floats; tensor[1] is NULL or as many. */
#include "../fuzz/op.h"
#include <cassert>
#include <cuda_runtime.h>

#define ENTRY(name) extern "C" void name(const WfLaunchArgs *a)
#define P(i) static_cast<float *>(a->tensor[i])
#define N static_cast<int>(a->dim[0])

static __global__ void write_kernel(float *p, long long at) { p[at] = 1.0f; }
ENTRY(device_write_far) { write_kernel<<<1, 1>>>(P(0), 1ll << 44); }
ENTRY(device_write_null) { write_kernel<<<1, 1>>>(P(1), 0); }
ENTRY(device_write_past_end) { write_kernel<<<1, 1>>>(P(0), N); }

static __global__ void vector_kernel(float4 *p) { p->x = p->w; *p = make_float4(1, 2, 3, p->x); }
ENTRY(device_misaligned) { vector_kernel<<<1, 1>>>(reinterpret_cast<float4 *>(P(0) + 1)); }

static __global__ void assert_kernel(int n) { assert(n < 0); }
ENTRY(device_assert) { assert_kernel<<<1, 1>>>(N); }

static __global__ void trap_kernel() { __trap(); }
ENTRY(device_trap) { trap_kernel<<<1, 1>>>(); }

static __global__ void wait_kernel(volatile float *p) {
  while (p[0] >= 0.0f) {
  }
}
ENTRY(device_hang) { wait_kernel<<<1, 1>>>(P(0)); }

static __global__ void ramp_kernel(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] += i;
}
ENTRY(device_ramp) { ramp_kernel<<<(N + 63) / 64, 64>>>(P(0), N); }
ENTRY(device_block_too_large) { ramp_kernel<<<1, 2048>>>(P(0), N); }
ENTRY(device_no_grid) { ramp_kernel<<<0, 64>>>(P(0), N); }
ENTRY(device_too_much_shared) { ramp_kernel<<<1, 64, 300 << 10>>>(P(0), N); }
ENTRY(device_second_refused) {
  ramp_kernel<<<(N + 63) / 64, 64>>>(P(0), N);
  ramp_kernel<<<1, 2048>>>(P(0), N);
}

/* What shared memory holds before anybody writes there. */
static __global__ void leftover_kernel(unsigned *p, int n) {
  __shared__ unsigned unwritten[1024];
  for (int i = threadIdx.x; i < n; i += blockDim.x) p[i] = *const_cast<volatile unsigned *>(&unwritten[i % 1024]);
}
ENTRY(device_leftover) { leftover_kernel<<<1, 64>>>(reinterpret_cast<unsigned *>(a->tensor[0]), N); }
