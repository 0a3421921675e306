/* barriers.cu - block barriers, reached by all or not. Rows: barriers.def. */
#include "launcher.h"
#include <cuda_runtime.h>

namespace barriers {

/* ---- clean ---- */

/* case bar_tree_sum */
extern __shared__ int tree[];
__global__ void tree_sum_kernel(const int *in, int *out, int n) {
  const int t = threadIdx.x;
  tree[t] = t < n ? in[t] : 0;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s) tree[t] += tree[t + s];
    __syncthreads();
  }
  if (t < n) out[t] = tree[0];
}
LAUNCHER(bar_tree_sum) { tree_sum_kernel<<<1, 128, 128 * sizeof(int)>>>(in, out, n); }

/* case bar_return_after */
__global__ void return_after_kernel(const int *in, int *out, int n) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = t < n ? in[t] : 0;
  __syncthreads();
  if (t >= n) return;
  out[t] = s[n - 1 - t];
}
LAUNCHER(bar_return_after) { return_after_kernel<<<1, 64>>>(in, out, n); }

/* case bar_template */
template <unsigned Block> __global__ void unrolled_sum_kernel(const int *in, int *out, int n) {
  __shared__ int s[Block];
  const unsigned t = threadIdx.x;
  s[t] = t < (unsigned)n ? in[t] : 0;
  __syncthreads();
  if (Block >= 256) { if (t < 128) s[t] += s[t + 128]; __syncthreads(); }
  if (Block >= 128) { if (t < 64) s[t] += s[t + 64]; __syncthreads(); }
  if (Block >= 64) { if (t < 32) s[t] += s[t + 32]; __syncthreads(); }
  if (t < 32) {
    int v = s[t];
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
    if (t == 0) out[0] = v;
  }
}
LAUNCHER(bar_template) { unrolled_sum_kernel<128><<<1, 128>>>(in, out, n); }

/* case bar_tiles */
#define TILE 8
__global__ void tiles_kernel(const int *a, int *c, int width) {
  __shared__ int as[TILE][TILE], bs[TILE][TILE + 1];
  const int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
  int sum = 0;
  for (int m = 0; m < (width + TILE - 1) / TILE; m++) {
    const int ac = m * TILE + threadIdx.x, br = m * TILE + threadIdx.y;
    as[threadIdx.y][threadIdx.x] = row < width && ac < width ? a[row * width + ac] : 0;
    bs[threadIdx.y][threadIdx.x] = br < width && col < width && br == col;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < TILE; k++) sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
    __syncthreads();
  }
  if (row < width && col < width) c[row * width + col] = sum;
}
LAUNCHER(bar_tiles) { tiles_kernel<<<dim3(3, 3), dim3(TILE, TILE)>>>(in, out, 19); }

/* case bar_lambda */
__global__ void lambda_kernel(const int *in, int *out) {
  __shared__ int s[2][48];
  const int t = threadIdx.x;
  int from = 0;
  auto shift = [&](int by) {
    s[from][t] = by ? s[1 - from][(t + by) % 48] : in[t];
    __syncthreads();
    from ^= 1;
  };
  shift(0);
  shift(1);
  shift(2);
  out[t] = s[1 - from][t];
}
LAUNCHER(bar_lambda) { lambda_kernel<<<1, 48>>>(in, out); }

/* case bar_nested_uniform */
__global__ void nested_uniform_kernel(const int *in, int *out, int rows) {
  __shared__ int s[40];
  const int t = threadIdx.x;
  int v = in[t];
  for (int i = 0; i < rows; i++) {
    if (i == 2) continue;
    for (int j = i; j < rows; ++j) {
      s[t] = v;
      __syncthreads();
      v = s[(t + 1) % 40];
      if (j % 2 == 0) {
        __syncthreads();
        s[t] = v;
      }
      __syncthreads();
    }
    if (i == 3) break;
  }
  out[t] = v;
}
LAUNCHER(bar_nested_uniform) { nested_uniform_kernel<<<1, 40>>>(in, out, 5); }

/* case bar_results */
__global__ void results_kernel(const int *in, int *out) {
  const int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const int odd = __syncthreads_count(in[t] & 1), all = __syncthreads_and(in[t]), some = __syncthreads_and(t < 35),
            any = __syncthreads_or(t == 35), none = __syncthreads_or(t > 35);
  out[t] = odd * 100000 + (all != 0) * 1000 + (some != 0) * 100 + (any != 0) * 10 + (none != 0);
}
LAUNCHER(bar_results) { results_kernel<<<1, dim3(3, 4, 3)>>>(in, out); }

/* case bar_two_dimensions */
__global__ void two_dimensions_kernel(const int *in, int *out) {
  __shared__ int s[7][9];
  s[threadIdx.y][threadIdx.x] = in[threadIdx.y * 9 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 9 + threadIdx.x] = s[6 - threadIdx.y][8 - threadIdx.x];
}
LAUNCHER(bar_two_dimensions) { two_dimensions_kernel<<<1, dim3(9, 7)>>>(in, out); }

/* case bar_three_dimensions */
struct Corner { int x, y, z; };
__global__ void three_dimensions_kernel(Corner far, const int *in, int *out) {
  __shared__ int s[5][3][4];
  const int b = blockIdx.z * 60;
  const uint3 t = threadIdx;
  s[t.z][t.y][t.x] = in[b + (t.z * 3 + t.y) * 4 + t.x];
  __syncthreads();
  out[b + (t.z * 3 + t.y) * 4 + t.x] = s[far.z - t.z][far.y - t.y][far.x - t.x];
}
LAUNCHER(bar_three_dimensions) { three_dimensions_kernel<<<dim3(1, 1, 2), dim3(4, 3, 5)>>>(Corner{3, 2, 4}, in, out); }

/* case bar_one_thread */
__global__ void one_thread_kernel(const int *in, int *out, int n) {
  __shared__ int s;
  s = 0;
  for (int i = 0; i < n; i++) {
    __syncthreads();
    s += in[i];
    __syncthreads();
    out[i] = s;
  }
}
LAUNCHER(bar_one_thread) { one_thread_kernel<<<1, 1>>>(in, out, n); }

/* case bar_rejoin */
__global__ void rejoin_kernel(const int *in, int *out) {
  __shared__ int s[70];
  const int t = threadIdx.x;
  int v = in[t];
  if (t % 3 == 0) {
    for (int k = 0; k < t; k++) v += k & 1;
  } else if (t % 3 == 1) {
    v = -v;
    while (v < 0) v += 7;
  }
  s[t] = v;
  __syncthreads();
  out[t] = s[69 - t] == v ? 1 : 2;
}
LAUNCHER(bar_rejoin) { rejoin_kernel<<<1, 70>>>(in, out); }

/* case bar_while_true */
__global__ void while_true_kernel(const int *in, int *out) {
  __shared__ int s[50];
  const int t = threadIdx.x;
  s[t] = in[t];
  while (true) {
    __syncthreads();
    const int left = t ? s[t - 1] : 50;
    const int more = left > s[t];
    if (!__syncthreads_or(more)) break;
    if (more) s[t] = left;
  }
  out[t] = s[t];
}
LAUNCHER(bar_while_true) { while_true_kernel<<<1, 50>>>(in, out); }

/* case bar_shared_flag */
__global__ void shared_flag_kernel(int *out) {
  __shared__ bool done;
  int rounds = 0;
  do {
    if (threadIdx.x == 33) done = rounds == 4;
    __syncthreads();
    const bool stop = done;
    __syncthreads();
    rounds++;
    if (stop) break;
  } while (rounds < 100);
  out[threadIdx.x] = rounds;
}
LAUNCHER(bar_shared_flag) { shared_flag_kernel<<<1, 64>>>(out); }

/* case bar_uniform_by_block */
__device__ int neighbour(int *s, int v) {
  s[threadIdx.x] = v;
  __syncthreads();
  return s[threadIdx.x ^ 1];
}
__global__ void uniform_by_block_kernel(const int *in, int *out, int n) {
  __shared__ int s[16];
  const int i = blockIdx.x * 16 + threadIdx.x;
  if (blockIdx.x * 16 >= n) return;
  int v = in[i];
  switch (blockIdx.x % 3) {
  case 0: v = neighbour(s, v); break;
  case 1: v = neighbour(s, v) + 100; break;
  default: v = 0;
  }
  out[i] = v;
}
LAUNCHER(bar_uniform_by_block) { uniform_by_block_kernel<<<7, 16>>>(in, out, n); }

/* case bar_recursion */
__device__ int halve(int *s, int m) {
  if (m == 0) return s[0];
  if ((int)threadIdx.x < m) s[threadIdx.x] += s[threadIdx.x + m];
  __syncthreads();
  return halve(s, m / 2);
}
__global__ void recursion_kernel(const int *in, int *out) {
  __shared__ int s[64];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = halve(s, 32);
}
LAUNCHER(bar_recursion) { recursion_kernel<<<1, 64>>>(in, out); }

/* case bar_two_launches */
__global__ void add_neighbour_kernel(const int *from, int *to, int n) {
  extern __shared__ char raw[];
  int *s = reinterpret_cast<int *>(raw);
  const int t = threadIdx.x;
  s[t] = from[t];
  __syncthreads();
  to[t] = s[t] + s[(t + 1) % n];
}
LAUNCHER(bar_two_launches) {
  add_neighbour_kernel<<<1, n, n * sizeof(int)>>>(in, acc, n);
  add_neighbour_kernel<<<1, n, n * sizeof(int)>>>(acc, out, n);
}

/* case bar_function_pointer */
typedef int (*Combine)(int, int);
__device__ int larger(int a, int b) { return a > b ? a : b; }
__device__ int total(int a, int b) { return a + b; }
__device__ __noinline__ int fold(Combine op, int *s) {
  for (int d = 16; d; d /= 2) {
    if ((int)threadIdx.x < d) s[threadIdx.x] = op(s[threadIdx.x], s[threadIdx.x + d]);
    __syncthreads();
  }
  const int r = s[0];
  __syncthreads();
  return r;
}
__global__ void function_pointer_kernel(const int *in, int *out) {
  __shared__ int s[32];
  const Combine table[2] = {total, larger};
  int r = 0;
  for (int k = 0; k < 2; k++) {
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    r = r * 1000 + fold(table[k], s);
  }
  out[threadIdx.x] = r;
}
LAUNCHER(bar_function_pointer) { function_pointer_kernel<<<1, 32>>>(in, out); }

/* case bar_member_template */
template <class T, int N> struct Exchange {
  T *arena;
  template <class F> __device__ T through(T v, F index) {
    arena[threadIdx.x] = v;
    __syncthreads();
    const T r = arena[index(threadIdx.x)];
    __syncthreads();
    return r;
  }
};
template <class T> __global__ void member_template_kernel(const int *in, int *out) {
  extern __shared__ __align__(16) char raw[];
  Exchange<T, 48> x{reinterpret_cast<T *>(raw)};
  T v = static_cast<T>(in[threadIdx.x]);
  v = x.through(v, [] __device__(int t) { return 47 - t; });
  v = x.through(v, [&](int t) { return (t + 1) % (int)blockDim.x; });
  out[threadIdx.x] = static_cast<int>(v);
}
LAUNCHER(bar_member_template) {
  member_template_kernel<float><<<1, 48, 48 * sizeof(float)>>>(in, acc);
  member_template_kernel<double><<<1, 48, 48 * sizeof(double)>>>(acc, out);
}

/* case bar_odd_warps */
__global__ void odd_warps_kernel(const int *in, int *out) {
  __shared__ int rows[3][48];
  rows[threadIdx.y][threadIdx.x] = in[threadIdx.y * 48 + threadIdx.x];
  if (threadIdx.y == 1) __nanosleep(100);
  __syncthreads();
  out[threadIdx.y * 48 + threadIdx.x] = rows[2 - threadIdx.y][threadIdx.x];
}
LAUNCHER(bar_odd_warps) { odd_warps_kernel<<<1, dim3(48, 3)>>>(in, out); }

/* case bar_goto */
__global__ void goto_kernel(const int *in, int *out) {
  __shared__ int s[33];
  int round = 0, v = in[threadIdx.x];
again:
  s[threadIdx.x] = v;
  __syncthreads();
  v = s[32 - threadIdx.x];
  __syncthreads();
  if (++round < 3) goto again;
  out[threadIdx.x] = v;
}
LAUNCHER(bar_goto) { goto_kernel<<<1, 33>>>(in, out); }

/* ---- barriers of two arms pair up ---- */

/* case bar_arms */
__global__ void arms_kernel(const int *in, int *out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  if (t < 32) {
    __syncthreads(); /*A*/
    out[t] = s[t + 32];
  } else {
    __syncthreads(); /*B*/
    out[t] = s[t - 32];
  }
}
LAUNCHER(bar_arms) { arms_kernel<<<1, 64>>>(in, out); }

/* case bar_arms_in_warp */
__global__ void arms_in_warp_kernel(const int *in, int *out) {
  __shared__ int s[32];
  const int t = threadIdx.x;
  s[t] = in[t];
  if (t & 1)
    __syncthreads(); /*A*/
  else
    __syncthreads(); /*B*/
  out[t] = s[t ^ 1];
}
LAUNCHER(bar_arms_in_warp) { arms_in_warp_kernel<<<1, 32>>>(in, out); }

/* case bar_helper_arms */
__device__ __noinline__ void publish(int *s, int v) {
  s[threadIdx.x] = v;
  __syncthreads(); /*A*/
}
__global__ void helper_arms_kernel(const int *in, int *out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  if (t / 32 == 0)
    publish(s, in[t]); /*B*/
  else
    publish(s, -in[t]); /*C*/
  out[t] = s[63 - t];
}
LAUNCHER(bar_helper_arms) { helper_arms_kernel<<<1, 64>>>(in, out); }

/* case bar_long_arms */
__global__ void long_arms_kernel(const int *in, int *out) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  s[t] = in[t];
  if (t < 64) {
    __syncthreads(); /*A*/
    const int v = s[127 - t];
    __syncthreads(); /*B*/
    s[t] = v;
  } else {
    __syncthreads(); /*C*/
    const int v = s[127 - t];
    __syncthreads(); /*D*/
    s[t] = v;
  }
  out[t] = s[t];
}
LAUNCHER(bar_long_arms) { long_arms_kernel<<<1, 128>>>(in, out); }

/* case bar_switch_arms */
__global__ void switch_arms_kernel(const int *in, int *out) {
  int odd = 0;
  switch (threadIdx.y) {
  case 0: odd = __syncthreads_count(in[threadIdx.x] & 1); break; /*A*/
  case 1: odd = __syncthreads_count(0); break; /*B*/
  }
  out[threadIdx.y * 32 + threadIdx.x] = odd;
}
LAUNCHER(bar_switch_arms) { switch_arms_kernel<<<1, dim3(32, 2)>>>(in, out); }

/* case bar_choice */
__device__ int sum_up(int v) { return v + __syncthreads_or(v); /*A*/ }
__device__ int sum_down(int v) { return v - __syncthreads_or(v); /*B*/ }
__global__ void choice_kernel(const int *in, int *out) {
  const int t = threadIdx.x;
  out[t] = t % 4 ? sum_up(in[t]) : sum_down(in[t]);
}
LAUNCHER(bar_choice) { choice_kernel<<<1, 72>>>(in, out); }

/* ---- a thread left before ---- */

/* case bar_early_return */
__global__ void early_return_kernel(const int *in, int *out, int n) {
  __shared__ int s[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  s[threadIdx.x] = in[i];
  __syncthreads(); /*A*/
  out[i] = s[threadIdx.x ^ 1];
}
LAUNCHER(bar_early_return) { early_return_kernel<<<2, 64>>>(in, out, n); }

/* case bar_early_return_warps */
__global__ void early_return_warps_kernel(const int *in, int *out) {
  __shared__ int s[32];
  if (threadIdx.x >= 32) return;
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads(); /*A*/
  out[threadIdx.x] = s[31 - threadIdx.x];
}
LAUNCHER(bar_early_return_warps) { early_return_warps_kernel<<<1, 96>>>(in, out); }

/* case bar_return_between */
__global__ void return_between_kernel(const int *in, int *out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t >= 32) return;
  const int v = s[t] + s[t + 32];
  __syncthreads(); /*A*/
  s[t] = v;
  __syncthreads(); /*B*/
  out[t] = s[t ^ 1];
}
LAUNCHER(bar_return_between) { return_between_kernel<<<1, 64>>>(in, out); }

/* case bar_return_in_scope */
__global__ void return_in_scope_kernel(const int *in, int *out, int n) {
  __shared__ int s[64];
  int v = 0;
  for (int k = 0; k < 3; k++) {
    int near[4];
    if ((int)threadIdx.x >= n) return;
    s[threadIdx.x] = in[(threadIdx.x + k) % n];
    __syncthreads(); /*A*/
    for (int j = 0; j < 4; j++) near[j] = s[(threadIdx.x + j) % n];
    __syncthreads(); /*B*/
    v += near[k];
  }
  out[threadIdx.x] = v;
}
LAUNCHER(bar_return_in_scope) { return_in_scope_kernel<<<1, 64>>>(in, out, n); }

/* case bar_return_with_work */
__global__ void return_with_work_kernel(const int *in, int *out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  if (in[t] > 50) {
    out[t] = -1;
    return;
  }
  s[t] = in[t];
  __syncthreads(); /*A*/
  if (t + 1 < 50)
    out[t] = s[t + 1];
  else
    out[t] = 0;
}
LAUNCHER(bar_return_with_work) { return_with_work_kernel<<<1, 64>>>(in, out); }

/* case bar_last_in_arm */
__global__ void last_in_arm_kernel(const int *in, int *out) {
  const int t = threadIdx.x;
  out[t] = in[t];
  if (t < 32) __syncthreads(); /*A*/
}
LAUNCHER(bar_last_in_arm) { last_in_arm_kernel<<<1, 64>>>(in, out); }

/* case bar_return_in_loop */
__global__ void return_in_loop_kernel(const int *in, int *out, int n) {
  __shared__ int s[24];
  for (int base = 0;; base += 24) {
    const int i = base + threadIdx.x;
    if (i >= n) return;
    s[threadIdx.x] = in[i];
    __syncthreads(); /*A*/
    out[i] = s[threadIdx.x];
  }
}
LAUNCHER(bar_return_in_loop) { return_in_loop_kernel<<<1, 24>>>(in, out, n); }

/* ---- a thread goes past ---- */

/* case bar_skip_warps */
__global__ void skip_warps_kernel(const int *in, int *out) {
  __shared__ int s[32];
  const int t = threadIdx.x;
  int v = in[t];
  if (t < 32) {
    s[t] = v;
    __syncthreads(); /*A*/
    v = s[31 - t];
  }
  out[t] = v; /*B*/
}
LAUNCHER(bar_skip_warps) { skip_warps_kernel<<<1, 64>>>(in, out); }

/* case bar_skip_lanes */
__global__ void skip_lanes_kernel(const int *in, int *out) {
  const int t = threadIdx.x;
  int v = in[t];
  if (t % 2) v += __syncthreads_count(1); /*A*/
  out[t] = v; /*B*/
}
LAUNCHER(bar_skip_lanes) { skip_lanes_kernel<<<1, 32>>>(in, out); }

/* case bar_skip_then_other */
__global__ void skip_then_other_kernel(const int *in, int *out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  if (t < 32) __syncthreads(); /*A*/
  out[t] = s[t];
  __syncthreads(); /*B*/
}
LAUNCHER(bar_skip_then_other) { skip_then_other_kernel<<<1, 64>>>(in, out); }

/* case bar_macro */
#define SYNC_WHEN(cond)                                                                                                \
  do {                                                                                                                 \
    if (cond) __syncthreads();                                                                                         \
  } while (0)
__global__ void macro_kernel(const int *in, int *out) {
  const int t = threadIdx.x;
  SYNC_WHEN(t >= 32); /*A*/
  out[t] = in[t]; /*B*/
}
LAUNCHER(bar_macro) { macro_kernel<<<1, 64>>>(in, out); }

/* case bar_trips */
__global__ void trips_kernel(int *out) {
  const int t = threadIdx.x;
  int k = 0;
  for (; k < t / 32 + 2; k++) __syncthreads(); /*A*/
  out[t] = k; /*B*/
}
LAUNCHER(bar_trips) { trips_kernel<<<1, 96>>>(out); }

/* case bar_grid_stride */
__global__ void grid_stride_kernel(const int *in, int *out, int n) {
  __shared__ int s[32];
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    s[threadIdx.x] = in[i];
    __syncthreads(); /*A*/
    out[i] = s[threadIdx.x];
  }
}
LAUNCHER(bar_grid_stride) { grid_stride_kernel<<<1, 32>>>(in, out, n); }

/* case bar_phase_shift */
__global__ void phase_shift_kernel(int *out) {
  const int w = threadIdx.x / 32;
  for (int k = 0; k < 4; k++) {
    if (w == 0 || k > 0) __syncthreads(); /*A*/
    if (w == 1 || k < 3) __syncthreads(); /*B*/
  }
  out[threadIdx.x] = w;
}
LAUNCHER(bar_phase_shift) { phase_shift_kernel<<<1, 64>>>(out); }

/* case bar_continue */
__global__ void continue_kernel(const int *in, int *out) {
  const int t = threadIdx.x;
  int v = 0;
  for (int k = 0; k < 5; k++) {
    if (t >= 32 && k == in[1]) continue;
    v += in[k];
    __syncthreads(); /*A*/
  }
  out[t] = v; /*B*/
}
LAUNCHER(bar_continue) { continue_kernel<<<1, 64>>>(in, out); }

/* case bar_break_then_barrier */
__global__ void break_then_barrier_kernel(int *out) {
  const int w = threadIdx.x / 32;
  for (int k = 0;; k++) {
    if (k > w) break;
    __syncthreads(); /*A*/
  }
  __syncthreads(); /*B*/
  out[threadIdx.x] = w;
}
LAUNCHER(bar_break_then_barrier) { break_then_barrier_kernel<<<1, 64>>>(out); }

/* case bar_short_circuit */
__global__ void short_circuit_kernel(const int *in, int *out) {
  const int t = threadIdx.x;
  int v = 0;
  if (t < 32 && __syncthreads_or(in[t] > 3)) v = 5; /*A*/
  out[t] = v; /*B*/
}
LAUNCHER(bar_short_circuit) { short_circuit_kernel<<<1, 64>>>(in, out); }

/* case bar_helper_return */
__device__ void store_all(int *s, int n, int v) {
  if ((int)threadIdx.x >= n) return;
  s[threadIdx.x] = v;
  __syncthreads(); /*A*/
}
__global__ void helper_return_kernel(const int *in, int *out, int n) {
  __shared__ int s[64];
  store_all(s, 40, in[threadIdx.x]); /*C*/
  out[threadIdx.x] = threadIdx.x < 40 ? s[threadIdx.x] : n; /*B*/
}
LAUNCHER(bar_helper_return) { helper_return_kernel<<<1, 64>>>(in, out, n); }

/* case bar_unequal_arms */
__global__ void unequal_arms_kernel(const int *in, int *out) {
  const int t = threadIdx.x;
  int v = in[t];
  if (t < 32) {
    __syncthreads(); /*A*/
    v++;
    __syncthreads(); /*B*/
  } else {
    __syncthreads(); /*C*/
  }
  out[t] = v; /*D*/
}
LAUNCHER(bar_unequal_arms) { unequal_arms_kernel<<<1, 64>>>(in, out); }

/* case bar_fallthrough */
__global__ void fallthrough_kernel(const int *in, int *out) {
  const int t = threadIdx.x;
  int v = in[t];
  switch (t / 32) {
  case 0:
    __syncthreads(); /*A*/
    v += 1;
    [[fallthrough]];
  default:
    __syncthreads(); /*B*/
    v += 2;
  }
  out[t] = v;
}
LAUNCHER(bar_fallthrough) { fallthrough_kernel<<<1, 64>>>(in, out); }

/* case bar_lambda_lanes */
__global__ void lambda_lanes_kernel(const int *in, int *out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  auto fold = [&](int d) {
    const int v = s[t + d];
    __syncthreads(); /*A*/
    s[t] += v;
  };
  if (t < 32) fold(32); /*C*/
  out[t] = t; /*B*/
}
LAUNCHER(bar_lambda_lanes) { lambda_lanes_kernel<<<1, 64>>>(in, out); }

} // namespace barriers
