/* ends.cu - kernels that do not end as they should, divisions by zero, launches that a device refuses. Rows: ends.def. */
#include "launcher.h"
#include <cassert>
#include <cuda_runtime.h>

namespace ends {

/* ---- no end ---- */

/* case end_many_blocks */
__device__ int stir(int v, int times) {
  for (int k = 0; k < times; k++) v = (int)((unsigned)v * 1664525u + 1013904223u);
  return v;
}
__global__ void many_blocks_kernel(const int *in, int *out) { /* each ends soon, all together do not */
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = stir(in[i], 200);
}
LAUNCHER(end_many_blocks) { many_blocks_kernel<<<n / 32, 32>>>(in, out); }

/* case end_goes_through */
__global__ void goes_through_kernel(const int *in, int *out, int n) { /* one thread, long, but on and on */
  int v = 1;
  for (int i = 0; i < n; i++) out[i] = v = stir(v + in[i], 1000);
}
LAUNCHER(end_goes_through) { goes_through_kernel<<<1, 1>>>(in, out, n); }

/* case end_goes_nowhere */
__global__ void goes_nowhere_kernel(const int *in, int *out, int n, int step) { /* what it writes changes, and is where it was */
  int v = 1;
  for (int i = 0; i < n; i += step) /*A*/
    out[i] = v = (int)((unsigned)v * 1664525u + (unsigned)in[i]);
}
LAUNCHER(end_goes_nowhere) { goes_nowhere_kernel<<<1, 1>>>(in, out, n, n / 128); }

/* case end_step_zero */
template <bool Grid> __global__ void step_zero_kernel(const int *in, int *out, int n, int step) {
  if (Grid) step = (int)(gridDim.x * blockDim.x);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) /*A*/
    out[i] = in[i];
}
LAUNCHER(end_step_zero) { step_zero_kernel<false><<<1, 32>>>(in, out, n, n / 64); }
LAUNCHER(end_step_zero_repaired) { step_zero_kernel<true><<<1, 32>>>(in, out, n, n / 64); }

/* case end_halving */
template <typename T> __global__ void halving_kernel(const int *in, int *out) { /* unsigned never gets below zero */
  T k = in[threadIdx.x];
  int s = 0;
  for (; k >= (T)0; k -= 1) /*A*/
    s++;
  out[threadIdx.x] = s;
}
LAUNCHER(end_halving) { halving_kernel<unsigned><<<1, 32>>>(in, out); }
LAUNCHER(end_halving_repaired) { halving_kernel<int><<<1, 32>>>(in, out); }

/* case end_lock_in_warp */
template <bool Inside> __global__ void lock_kernel(int *lock, int *out) {
  bool done = false;
  if (Inside) {
    while (!done)
      if (atomicCAS(lock, 0, 1) == 0) {
        out[threadIdx.x] = 1;
        __threadfence();
        atomicExch(lock, 0);
        done = true;
      }
  } else {
    while (atomicCAS(lock, 0, 1) != 0) { /*A*/
    }
    out[threadIdx.x] = 1; /* and never unlocks */
  }
}
LAUNCHER(end_lock_in_warp) { lock_kernel<false><<<1, 32>>>(acc, out); }
LAUNCHER(end_lock_in_warp_repaired) { lock_kernel<true><<<1, 32>>>(acc, out); }

/* case end_nobody_sets */
template <bool Set> __global__ void nobody_sets_kernel(volatile int *flag, int *out) {
  if (Set && blockIdx.x == 0 && threadIdx.x == 0) *flag = 1;
  if (threadIdx.x == 0)
    while (*flag == 0) { /*A*/
    }
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
LAUNCHER(end_nobody_sets) { nobody_sets_kernel<false><<<2, 16>>>(acc, out); }
LAUNCHER(end_nobody_sets_repaired) { nobody_sets_kernel<true><<<2, 16>>>(acc, out); }

/* case end_grid_barrier */
template <int Arrivals> __global__ void grid_barrier_kernel(int *count, int *out) {
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(count, 1);
    while (atomicAdd(count, 0) < Arrivals) { /*A*/
    }
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
LAUNCHER(end_grid_barrier) { grid_barrier_kernel<4><<<3, 32>>>(acc, out); }
LAUNCHER(end_grid_barrier_repaired) { grid_barrier_kernel<3><<<3, 32>>>(acc, out); }

/* case end_long_but_ends */
__global__ void long_kernel(const int *in, int *out) {
  unsigned x = in[threadIdx.x];
  for (int i = 0; i < 100; i++)
    for (int k = 0; k < 100; k++) x = x * 1664525u + 1013904223u + k;
  out[threadIdx.x] = x != 1;
}
LAUNCHER(end_long_but_ends) { long_kernel<<<1, 32>>>(in, out); }

/* ---- the stack ---- */

/* case end_mutual */
__device__ int odd(int n);
__device__ int even(int n) { /*A*/
  return n == 0 ? 1 : odd(n - 1);
}
__device__ int odd(int n) { return n == 0 ? 0 : even(n - 1); }
template <bool Positive> __global__ void mutual_kernel(const int *in, int *out) {
  out[threadIdx.x] = even(Positive ? in[threadIdx.x] : -in[threadIdx.x]);
}
LAUNCHER(end_mutual) { mutual_kernel<false><<<1, 32>>>(in, out); }
LAUNCHER(end_mutual_repaired) { mutual_kernel<true><<<1, 32>>>(in, out); }

/* case end_tree */
struct Tree { int left, right; };
__device__ int size_of(const Tree *t, int at) { /*A*/
  if (at < 0) return 0;
  return 1 + size_of(t, t[at].left) + size_of(t, t[at].right);
}
template <bool Cycle> __global__ void tree_kernel(int *out) {
  __shared__ Tree t[4];
  if (threadIdx.x == 0) {
    t[0] = {1, 2};
    t[1] = {-1, 3};
    t[2] = {-1, -1};
    t[3] = {-1, Cycle ? 1 : -1};
  }
  __syncthreads();
  out[threadIdx.x] = size_of(t, 0);
}
LAUNCHER(end_tree) { tree_kernel<true><<<1, 32>>>(out); }
LAUNCHER(end_tree_repaired) { tree_kernel<false><<<1, 32>>>(out); }

/* case end_big_frames_fit */
template <int Depth> __device__ int deep(const int *in, int k) {
  int big[2000];
  for (int i = 0; i < 2000; i += 100) big[i] = in[i % 8] + k;
  return k < Depth ? deep<Depth>(in, k + 1) + big[(k % 20) * 100] : 0;
}
template <int Depth> __global__ void big_frames_kernel(const int *in, int *out) { out[threadIdx.x] = deep<Depth>(in, 0) != 1; }
LAUNCHER(end_big_frames_fit) { big_frames_kernel<40><<<1, 8>>>(in, out); }

/* case end_big_frames */
template <int Depth> __device__ int deeper(const int *in, int k) { /*A*/
  int big[2000];
  for (int i = 0; i < 2000; i += 100) big[i] = in[i % 8] + k;
  return k < Depth ? deeper<Depth>(in, k + 1) + big[(k % 20) * 100] : 0;
}
template <int Depth> __global__ void bigger_frames_kernel(const int *in, int *out) { out[threadIdx.x] = deeper<Depth>(in, 0) != 1; }
LAUNCHER(end_big_frames) { bigger_frames_kernel<100><<<1, 8>>>(in, out); }

/* case end_no_base_case */
struct Walker {
  __device__ int step(int n) const { /*A*/
    return n & 1 ? step(3 * n + 1) : step(n / 2) + 1;
  }
};
__global__ void no_base_kernel(const int *in, int *out) { out[threadIdx.x] = Walker().step(in[threadIdx.x]); }
LAUNCHER(end_no_base_case) { no_base_kernel<<<1, 8>>>(in, out); }

/* case end_counted_recursion */
template <int N> struct Power {
  __device__ static int of(int x) { return x * Power<N - 1>::of(x); }
};
template <> struct Power<0> {
  __device__ static int of(int) { return 1; }
};
__global__ void power_kernel(const int *in, int *out) { out[threadIdx.x] = Power<3>::of(in[threadIdx.x]); }
LAUNCHER(end_counted_recursion) { power_kernel<<<1, 32>>>(in, out); }

/* ---- traps ---- */

/* case end_assert_helper */
__device__ void check_index(int i, int n) {
  assert(i < n); /*A*/
}
template <int Add> __global__ void assert_helper_kernel(const int *in, int *out, int n) {
  check_index((int)threadIdx.x + Add, n); /*B*/
  out[threadIdx.x] = in[threadIdx.x];
}
LAUNCHER(end_assert_helper) { assert_helper_kernel<1><<<1, 32>>>(in, out, n); }
LAUNCHER(end_assert_helper_repaired) { assert_helper_kernel<0><<<1, 32>>>(in, out, n); }

/* case end_trap_one_lane */
template <int Value> __global__ void trap_lane_kernel(const int *in, int *out) {
  out[threadIdx.x] = in[threadIdx.x];
  if (in[threadIdx.x] == Value) __trap(); /*A*/
}
LAUNCHER(end_trap_one_lane) { trap_lane_kernel<32><<<1, 32>>>(in, out); }
LAUNCHER(end_trap_one_lane_repaired) { trap_lane_kernel<33><<<1, 32>>>(in, out); }

/* case end_switch */
template <int Modulus> __global__ void switch_kernel(const int *in, int *out) {
  switch (in[threadIdx.x] % Modulus) {
  case 0: out[threadIdx.x] = 10; break;
  case 1: out[threadIdx.x] = 11; break;
  default: __trap(); /*A*/
  }
}
LAUNCHER(end_switch) { switch_kernel<3><<<1, 32>>>(in, out); }
LAUNCHER(end_switch_repaired) { switch_kernel<2><<<1, 32>>>(in, out); }

/* case end_assert_side */
__global__ void assert_side_kernel(int *out) { /* true, and its side effect happens */
  int calls = 0;
  assert(++calls == 1 || !"unreachable");
  out[threadIdx.x] = calls;
}
LAUNCHER(end_assert_side) { assert_side_kernel<<<1, 32>>>(out); }

/* ---- integer division ---- */

/* case end_divide */
template <bool Guard, typename T> __device__ T ratio(T a, T b) {
  if (Guard && b == 0) return 0;
  return a / b; /*A*/
}
template <bool Guard, typename T> __global__ void divide_kernel(const int *in, int *out) {
  out[threadIdx.x] = (int)ratio<Guard, T>((T)100, (T)(in[threadIdx.x] - 5)); /*B*/
}
LAUNCHER(end_divide) { divide_kernel<false, int><<<1, 16>>>(in, out); }
LAUNCHER(end_divide_repaired) { divide_kernel<true, int><<<1, 16>>>(in, out); }

/* case end_divide_64 */
__global__ void divide_64_kernel(const long long *in, int *out, int start) {
  out[threadIdx.x] = (in[0] | 1) / (long long)(threadIdx.x + start) != 0; /*A*/
}
LAUNCHER(end_divide_64) { divide_64_kernel<<<1, 8>>>((const long long *)in, out, 0); }
LAUNCHER(end_divide_64_repaired) { divide_64_kernel<<<1, 8>>>((const long long *)in, out, 1); }

/* case end_modulo */
template <typename T> __global__ void modulo_kernel(const int *in, int *out, T groups) { /* no group when the launch is small */
  out[threadIdx.x] = (int)((T)in[threadIdx.x] % groups); /*A*/
}
LAUNCHER(end_modulo) { modulo_kernel<unsigned char><<<1, 16>>>(in, out, (unsigned char)(n / 32)); }
LAUNCHER(end_modulo_repaired) { modulo_kernel<unsigned char><<<1, 16>>>(in, out, (unsigned char)(n / 32 + 1)); }

/* case end_compound */
template <int Least> __global__ void compound_kernel(const int *in, int *out) {
  short v = 100;
  v /= max((int)threadIdx.x - 3, Least); /*A*/
  out[threadIdx.x] = v;
}
LAUNCHER(end_compound) { compound_kernel<0><<<1, 16>>>(in, out); }
LAUNCHER(end_compound_repaired) { compound_kernel<1><<<1, 16>>>(in, out); }

/* case end_float_zero */
__global__ void float_zero_kernel(const int *in, int *out) { /* of floats it is infinite, and no fault */
  const float zero = in[threadIdx.x] - (float)in[threadIdx.x];
  out[threadIdx.x] = (int)(1.0f / zero > 1e38f) + (int)(fmodf(1.0f, zero) != fmodf(1.0f, zero));
}
LAUNCHER(end_float_zero) { float_zero_kernel<<<1, 16>>>(in, out); }

/* case end_short_circuit */
__global__ void short_circuit_kernel(const int *in, const int *zero, int *out) {
  const int d = zero[threadIdx.x];
  out[threadIdx.x] = (d != 0 && in[threadIdx.x] / d > 0) + (d ? in[threadIdx.x] % d : 5);
}
LAUNCHER(end_short_circuit) { short_circuit_kernel<<<1, 16>>>(in, acc, out); }

/* ---- launches ---- */

__global__ void fill_kernel(int *out, int n) {
  const int i = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const int per = (int)(blockDim.x * blockDim.y * blockDim.z);
  if (i * per + t < n) out[i * per + t] = 1;
}

/* case end_launch_threads */
LAUNCHER(end_launch_threads) { fill_kernel<<<1, 1025>>>(out, n); }
LAUNCHER(end_launch_threads_repaired) { fill_kernel<<<1, 1024>>>(out, n); }

/* case end_launch_depth */
LAUNCHER(end_launch_depth) { fill_kernel<<<1, dim3(2, 2, 65)>>>(out, n); }
LAUNCHER(end_launch_depth_repaired) { fill_kernel<<<1, dim3(2, 2, 64)>>>(out, n); }

/* case end_launch_grid_y */
LAUNCHER(end_launch_grid_y) { fill_kernel<<<dim3(1, 65536), 1>>>(out, n); }
LAUNCHER(end_launch_grid_y_repaired) { fill_kernel<<<dim3(1, 65535), 1>>>(out, n); }

/* case end_launch_empty */
LAUNCHER(end_launch_empty) { fill_kernel<<<n / 64, 64>>>(out, n); }
LAUNCHER(end_launch_empty_repaired) { fill_kernel<<<(n + 63) / 64, 64>>>(out, n); }

/* case end_launch_shared */
__global__ void shared_fill_kernel(int *out) {
  extern __shared__ char bytes[];
  bytes[threadIdx.x] = 1;
  out[threadIdx.x] = bytes[threadIdx.x];
}
LAUNCHER(end_launch_shared) { shared_fill_kernel<<<1, 32, 48 * 1024 + 1>>>(out); }
LAUNCHER(end_launch_shared_repaired) { shared_fill_kernel<<<1, 32, 48 * 1024>>>(out); }

/* case end_launch_opt_in: more than 48 KB only for who asks, kernel by kernel */
template <int Step> __global__ void much_shared_kernel(int *out, double) {
  extern __shared__ char bytes[];
  bytes[Step * threadIdx.x] = 1;
  out[threadIdx.x] = bytes[Step * threadIdx.x];
}
LAUNCHER(end_launch_opt_in) {
  cudaFuncSetAttribute(much_shared_kernel<7>, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 * 1024);
  cudaFuncSetAttribute(much_shared_kernel<8>, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxShared);
  much_shared_kernel<8><<<1, 32, 100 * 1024>>>(out, 0);
}
LAUNCHER(end_launch_opt_in_small) {
  cudaFuncSetAttribute(much_shared_kernel<8>, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 * 1024 - 1);
  much_shared_kernel<8><<<1, 32, 100 * 1024>>>(out, 0);
}
LAUNCHER(end_launch_opt_in_large) {
  if (cudaFuncSetAttribute(much_shared_kernel<8>, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024 + 1) == cudaSuccess) return;
  much_shared_kernel<8><<<1, 32, 227 * 1024 + 1>>>(out, 0);
}
LAUNCHER(end_launch_opt_in_repaired) {
  if (cudaFuncSetAttribute(much_shared_kernel<7000>, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024) != cudaSuccess) return;
  much_shared_kernel<7000><<<1, 32, 227 * 1024>>>(out, 0);
}

LAUNCHER(end_launch_opt_in_once) { /* in the first run: it is good for the process */
  static bool once = cudaFuncSetAttribute(much_shared_kernel<3>, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 * 1024) == cudaSuccess;
  if (once) much_shared_kernel<3><<<1, 32, 64 * 1024>>>(out, 0);
}

/* case end_launch_last_error */
template <int Threads> static void launch_and_ask(int *out) {
  much_shared_kernel<1><<<1, Threads>>>(out, 0);
  const cudaError_t peeked = cudaPeekAtLastError(), got = cudaGetLastError();
  if (peeked != got || cudaGetLastError() != cudaSuccess) return;
  if (got != cudaSuccess && cudaGetErrorString(got) != nullptr) much_shared_kernel<2><<<1, 32, 64>>>(out, 0);
}
LAUNCHER(end_launch_last_error) { launch_and_ask<1025>(out); }

struct Wide { int value[300]; };
struct Copied {
  int value;
  Copied(int value) : value(value) {}
  Copied(const Copied &other) : value(other.value) {}
};
template <int Step> __global__ void any_kernel(int *out, Copied copied, double d, Wide wide, const int *a, const int *b, const int *c, Copied last) {
  extern __shared__ char bytes[];
  bytes[Step * threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = bytes[Step * threadIdx.x] + copied.value + wide.value[299] + (int)d + last.value + (a == b) + (c == b);
}
template <int Step> static void at_address(int *out, const int *in, int bytes) {
  Wide wide = {};
  wide.value[299] = 100;
  if (cudaFuncSetAttribute((const void *)any_kernel<Step>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) != cudaSuccess) return;
  any_kernel<Step><<<1, 32, 64 * 1024>>>(out, Copied(10), 1.0, wide, in, in, in, Copied(1000));
}
LAUNCHER(end_launch_opt_in_address) { at_address<1>(out, in, 64 * 1024); }
LAUNCHER(end_launch_opt_in_address_small) { at_address<2>(out, in, 63 * 1024); }
namespace {
__global__ void unnamed_kernel(int *out) {
  extern __shared__ int ints[];
  ints[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = ints[threadIdx.x];
}
} // namespace
LAUNCHER(end_launch_opt_in_unnamed) {
  cudaFuncSetAttribute((void *)&unnamed_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 * 1024);
  unnamed_kernel<<<1, 32, 64 * 1024>>>(out);
}

/* case end_grid_barrier_too_large */
/* 132 multiprocessors hold one block each of more than 113 KB of shared memory, two of less. */
__global__ void meet_kernel(int *out, int *arrived) {
  extern __shared__ char bytes[];
  bytes[threadIdx.x] = 1;
  if (threadIdx.x == 0) {
    atomicAdd(arrived, 1);
    while (*(volatile int *)arrived < (int)gridDim.x) { /*A*/
    }
  }
  __syncthreads();
  if (blockIdx.x == 0) out[threadIdx.x] = bytes[threadIdx.x];
}
static void meet(int *out, int *acc, int blocks, int shared_bytes) {
  cudaFuncSetAttribute(meet_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes);
  meet_kernel<<<blocks, 32, shared_bytes>>>(out, acc);
}
LAUNCHER(end_grid_barrier_too_large) { meet(out, acc, 133, 113 * 1024 + 1); }
LAUNCHER(end_grid_barrier_fits) { meet(out, acc, 132, 113 * 1024 + 1); }
LAUNCHER(end_grid_barrier_two_each) { meet(out, acc, 133, 113 * 1024); }

} // namespace ends
