/* addresses.cu - accesses outside objects, misaligned or of what nobody wrote, and kernels that do not end. Rows:
 * addresses.def. */
#include "launcher.h"
#include <cassert>
#include <cstdio>
#include <cuda_runtime.h>

namespace addresses {

/* ---- clean ---- */

/* case addr_packed */
struct __attribute__((packed)) Packed { char tag; int value; short tail; };
__global__ void packed_kernel(const int *in, int *out) {
  __shared__ Packed p[9];
  const int t = threadIdx.x;
  p[t].tag = 1;
  p[t].value = in[t];
  p[t].tail = 2;
  __syncthreads();
  out[t] = p[8 - t].value + p[t].tag + p[t].tail;
}
LAUNCHER(addr_packed) { packed_kernel<<<1, 9>>>(in, out); }

/* case addr_bytewise */
__global__ void bytewise_kernel(const char *in, int *out) {
  int v;
  memcpy(&v, in + 1 + 4 * threadIdx.x, sizeof v);
  out[threadIdx.x] = v >> 24;
}
LAUNCHER(addr_bytewise) { bytewise_kernel<<<1, n - 1>>>((const char *)in, out); }

/* case addr_three_floats */
__global__ void three_floats_kernel(const int *in, float3 *out, int triples) {
  const int t = threadIdx.x;
  if (t >= triples) return;
  const float3 v = reinterpret_cast<const float3 *>(in)[t];
  out[t] = make_float3(v.z, v.y, v.x);
}
LAUNCHER(addr_three_floats) { three_floats_kernel<<<1, 32>>>(in + 1, (float3 *)(out + 1), (n - 1) / 3); }

/* case addr_local_array */
__device__ void sort(int *v, int n) {
  for (int i = 1; i < n; i++)
    for (int k = i; k > 0 && v[k - 1] < v[k]; k--) {
      const int w = v[k];
      v[k] = v[k - 1];
      v[k - 1] = w;
    }
}
__global__ void local_array_kernel(const int *in, int *out) {
  int v[16], order[4] = {3, 1, 2, 0};
  for (int k = 0; k < 16; k++) v[k] = in[(threadIdx.x + 5 * k) % 16];
  sort(v, 16);
  out[threadIdx.x] = v[order[threadIdx.x % 4]];
}
LAUNCHER(addr_local_array) { local_array_kernel<<<1, 32>>>(in, out); }

/* case addr_struct_argument */
struct View {
  const int *data;
  int shape[3], stride[3];
  double scale;
  __device__ int at(int i, int j, int k) const { return data[i * stride[0] + j * stride[1] + k * stride[2]]; }
};
__global__ void struct_argument_kernel(View v, int *out, char unused, dim3 d) {
  const int i = threadIdx.z, j = threadIdx.y, k = threadIdx.x;
  out[(i * v.shape[1] + j) * v.shape[2] + k] = (int)(v.at(i, j, k) * v.scale) + (int)d.y + unused;
}
LAUNCHER(addr_struct_argument) {
  struct_argument_kernel<<<1, dim3(4, 3, 2)>>>(View{in, {2, 3, 4}, {1, 2, 6}, 2.0}, out, 0, dim3(1, 7, 1));
}

/* case addr_copied_argument_past_end */ // C++ passes such a class by address
struct Copied {
  const int *data;
  int add[3];
  Copied(const int *p, int a) : data(p), add{a, a, a} {}
  __host__ __device__ Copied(const Copied &c) : data(c.data), add{c.add[0], c.add[1], c.add[2]} {}
  __host__ __device__ ~Copied() {}
  __device__ int operator()(int i, int k) const {
    return data[i] + add[k]; /*A*/
  }
};
__device__ void add_up(Copied &c, int k) {
  if (k-- > 0) c.add[2]++, add_up(c, k);
}
template <int N> __global__ void copied_argument_kernel(char unused, Copied c, const Copied d, int *out) {
  add_up(c, threadIdx.x); /* each thread its own */
  out[threadIdx.x] = c(threadIdx.x, 2) + d(0, threadIdx.x % N) + unused; /*B*/
}
LAUNCHER(addr_copied_argument) { copied_argument_kernel<3><<<1, 32>>>(0, Copied(in, 4), Copied(in, 5), out); }
LAUNCHER(addr_copied_argument_past_end) { copied_argument_kernel<4><<<1, 32>>>(0, Copied(in, 4), Copied(in, 5), out); }

/* case addr_copied_capture */
template <class F> __global__ void for_each_kernel(int n, F f) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) f(i);
}
LAUNCHER(addr_copied_capture) {
  const Copied c(in, 4);
  for_each_kernel<<<1, 7>>>(n, [=] __device__(int i) { out[i] = c(i, i % 3); });
}

/* case addr_arithmetic */
__global__ void arithmetic_kernel(const int *in, int *out, int least) {
  const int t = threadIdx.x, minus = -in[0];
  unsigned bits = 0x80000001u;
  out[0] = least / minus == least; /*A*/
  out[1] = least % minus == 0; /*B*/
  out[2] = (int)(bits << in[31]) + (int)(bits >> in[39]);
  out[3] = least >> in[39];
  out[4] = (int)(in[2] * 1e9f) == 2147483647;
  out[5] = (int)(in[2] * -0.5f);
  out[6] = (unsigned)(in[3] * -1.0f) == 0;
  out[7] = t;
}
LAUNCHER(addr_arithmetic) { arithmetic_kernel<<<1, 1>>>(in, out, -2147483647 - 1); }

/* case addr_printf */
__global__ void printf_kernel(const int *in) {
  if (threadIdx.x == 3) {
    const int n = printf("t=%d x=%.2f %s%c %%\n", threadIdx.x, in[2] * 0.5, "end", '!');
    printf("[%d]", n);
  }
}
LAUNCHER(addr_printf) { printf_kernel<<<1, 32>>>(in); }

/* case addr_other_grid */
__constant__ int weights[3] = {2, 3, 5};
__device__ int scratch[64];
__global__ void other_grid_kernel(const int *in, int *out) {
  const int i = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  scratch[i] = in[i] * weights[blockIdx.z];
  out[i] = scratch[i];
}
LAUNCHER(addr_other_grid) { other_grid_kernel<<<dim3(4, 5, 3), 1>>>(in, out); }

/* case addr_pointers */
struct Shape {
  __device__ virtual int area() const { return 0; }
};
struct Box : Shape {
  int w, h;
  __device__ Box(int a, int b) : w(a), h(b) {}
  __device__ int area() const override { return w * h; }
};
__global__ void pointers_kernel(const int *in, int *out) {
  Box box(in[threadIdx.x], 3);
  int local[2] = {1, 2}, *p = in[threadIdx.x] % 2 ? &local[1] : &out[threadIdx.x];
  *p = 5;
  const Shape *shape = &box;
  out[threadIdx.x] = shape->area() + local[1] * (in[threadIdx.x] % 2);
}
LAUNCHER(addr_pointers) { pointers_kernel<<<1, 10>>>(in, out); }

/* case addr_assert_holds */
__global__ void assert_holds_kernel(const int *in, int *out) {
  assert(in[threadIdx.x] > 0 && "positive");
  out[threadIdx.x] = 4;
}
LAUNCHER(addr_assert_holds) { assert_holds_kernel<<<1, 8>>>(in, out); }

/* case addr_long_loop */
__global__ void long_loop_kernel(int *out) {
  unsigned x = threadIdx.x;
  for (int k = 0; k < 2000; k++) x = x * 1664525u + 1013904223u;
  out[blockIdx.x * blockDim.x + threadIdx.x] = x != 0;
}
LAUNCHER(addr_long_loop) { long_loop_kernel<<<2, 16>>>(out); }

/* case addr_deep_recursion */
__device__ int depth_sum(int n) { return n ? n + depth_sum(n - 1) : 0; }
__global__ void deep_recursion_kernel(int *out) { out[threadIdx.x] = depth_sum(100 + (int)threadIdx.x); }
LAUNCHER(addr_deep_recursion) { deep_recursion_kernel<<<1, 8>>>(out); }

/* case addr_unused_shared */
__global__ void unused_shared_kernel(const int *in, int *out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  if (t < 20) s[t] = in[t];
  __syncthreads();
  const int v = s[t]; /*A*/
  out[t] = t < 20 ? v : -1;
}
LAUNCHER(addr_unused_shared) { unused_shared_kernel<<<1, 32>>>(in, out); }

/* ---- outside global memory ---- */

/* case addr_past_end */
__global__ void past_end_kernel(const int *in, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n)
    out[i] = i; /*A*/
}
LAUNCHER(addr_past_end) { past_end_kernel<<<2, 32>>>(in, out, n); }

/* case addr_before */
__global__ void before_kernel(const int *in, int *out) {
  const int i = threadIdx.x;
  out[i] = in[i] + in[i - 1]; /*A*/
}
LAUNCHER(addr_before) { before_kernel<<<1, 32>>>(in, out); }

/* case addr_far */
__global__ void far_kernel(const int *in, int *out) {
  const int i = threadIdx.x;
  out[i] = i == 7 ? in[i << 24] : in[i]; /*A*/
  if (i == 8) out[(long long)i * 10000000000ll] = 1; /*B*/
}
LAUNCHER(addr_far) { far_kernel<<<1, 32>>>(in, out); }

/* case addr_wrapped */
__global__ void wrapped_kernel(const float *in, int *out) {
  const unsigned i = threadIdx.x;
  if (in[i - 1] != 5.0f) out[i] = 1; /*A*/
}
LAUNCHER(addr_wrapped) { wrapped_kernel<<<1, 32>>>((const float *)in, out); }

/* case addr_null */
struct Node { int value; Node *next; };
__device__ int list_value(const Node *n) {
  return n->value; /*A*/
}
__global__ void null_kernel(Node *list, int *out) {
  out[threadIdx.x] = 1;
  if (threadIdx.x == 2) out[2] += list_value(list->next); /*B*/
}
LAUNCHER(addr_null) { null_kernel<<<1, 4>>>((Node *)acc, out); }

/* case addr_atomic_past_end */
__global__ void atomic_past_end_kernel(const int *in, int *acc, int n, int *out) {
  atomicAdd(&acc[in[threadIdx.x]], 1); /*A*/
  out[threadIdx.x] = 1;
}
LAUNCHER(addr_atomic_past_end) { atomic_past_end_kernel<<<1, n>>>(in, acc, n, out); }

/* case addr_quad_over_end */
__global__ void quad_over_end_kernel(const int *in, int *out, int n) {
  const int q = threadIdx.x;
  if (4 * q < n) {
    const int4 v = reinterpret_cast<const int4 *>(in)[q]; /*A*/
    out[q] = v.x;
  }
}
LAUNCHER(addr_quad_over_end) { quad_over_end_kernel<<<1, 32>>>(in, out, n); }

/* case addr_memcpy_over_end */
__global__ void memcpy_over_end_kernel(const int *in, int *out, int n) {
  if (threadIdx.x == 0) memcpy(out, in, n * sizeof(int) + 1); /*A*/
}
LAUNCHER(addr_memcpy_over_end) { memcpy_over_end_kernel<<<1, 32>>>(in, out, n); }

/* ---- outside shared memory ---- */

/* case addr_shared_past_end */
__global__ void shared_past_end_kernel(const int *in, int *out) {
  __shared__ int s[32];
  __shared__ int guard[32];
  const int t = threadIdx.x;
  guard[t] = 0;
  s[t] = in[t];
  __syncthreads();
  out[t] = s[t + 1] + guard[t]; /*A*/
}
LAUNCHER(addr_shared_past_end) { shared_past_end_kernel<<<1, 32>>>(in, out); }

/* case addr_shared_before */
__global__ void shared_before_kernel(const int *in, int *out) {
  __shared__ int first[8];
  __shared__ int s[32];
  const int t = threadIdx.x;
  if (t < 8) first[t] = 1;
  s[t] = in[t];
  __syncthreads();
  if (t == 0) s[t - 1] = first[3]; /*A*/
  out[t] = s[t];
}
LAUNCHER(addr_shared_before) { shared_before_kernel<<<1, 32>>>(in, out); }

/* case addr_shared_row */
template <int W> __global__ void shared_row_kernel(const int *in, int *out) {
  __shared__ short tile[W][W];
  const int t = threadIdx.x;
  for (int k = 0; k < W; k++) tile[k][t] = (short)in[t];
  __syncthreads();
  out[t] = tile[W - (t != 9)][t]; /*A*/
}
LAUNCHER(addr_shared_row) { shared_row_kernel<16><<<1, 16>>>(in, out); }

/* case addr_dynamic_past_end */
__global__ void dynamic_past_end_kernel(const int *in, int *out) {
  extern __shared__ int words[];
  const int t = threadIdx.x;
  words[t] = in[t]; /*A*/
  __syncwarp();
  out[t] = words[t ^ 1]; /*B*/
}
LAUNCHER(addr_dynamic_past_end) { dynamic_past_end_kernel<<<1, 32, 31 * sizeof(int)>>>(in, out); }

/* case addr_dynamic_none */
__global__ void dynamic_none_kernel(int *out) {
  extern __shared__ int words[];
  words[threadIdx.x] = 1; /*A*/
  out[threadIdx.x] = 1;
}
LAUNCHER(addr_dynamic_none) { dynamic_none_kernel<<<1, 32>>>(out); }

/* ---- misaligned ---- */

/* case addr_misaligned_quad */
__global__ void misaligned_quad_kernel(const float *in, int *out) {
  const float4 v = *reinterpret_cast<const float4 *>(in + threadIdx.x); /*A*/
  out[threadIdx.x] = __float_as_int(v.w);
}
LAUNCHER(addr_misaligned_quad) { misaligned_quad_kernel<<<1, 8>>>((const float *)in, out); }

/* case addr_misaligned_double */
__global__ void misaligned_double_kernel(const int *in, int *out) {
  __shared__ double d[5];
  double *p = reinterpret_cast<double *>(reinterpret_cast<char *>(d) + 4);
  *p = in[0];                            /*A*/
  out[0] = (int)*p;                      /*B*/
  out[1] = *(const short *)((const char *)in + 1) & 0; /*C*/
}
LAUNCHER(addr_misaligned_double) { misaligned_double_kernel<<<1, 1>>>(in, out); }

/* case addr_misaligned_pair */
__global__ void misaligned_pair_kernel(const int2 *in, int2 *out) {
  out[threadIdx.x] = in[threadIdx.x]; /*A*/
}
LAUNCHER(addr_misaligned_pair) { misaligned_pair_kernel<<<1, 4>>>((const int2 *)(in + 1), (int2 *)out); }

/* ---- nobody wrote it ---- */

/* case addr_unwritten_shared */
__global__ void unwritten_shared_kernel(const int *in, int *out, int n) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  if (t < n) s[t] = in[t];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 64; k++) sum += s[k]; /*A*/
  if (t == 0) out[0] = (int)sum;
}
LAUNCHER(addr_unwritten_shared) { unwritten_shared_kernel<<<1, 64>>>(in, out, n); }

/* case addr_unwritten_global */
__global__ void unwritten_global_kernel(const int *in, int *out) {
  out[threadIdx.x] += in[threadIdx.x]; /*A*/
}
LAUNCHER(addr_unwritten_global) { unwritten_global_kernel<<<1, 32>>>(in, out); }

/* case addr_unwritten_atomic */
__global__ void unwritten_atomic_kernel(const int *in, int *out) {
  __shared__ int bins[4];
  atomicAdd(&bins[in[threadIdx.x] % 4], 1); /*A*/
  __syncthreads();
  if (threadIdx.x < 4) out[threadIdx.x] = bins[threadIdx.x];
}
LAUNCHER(addr_unwritten_atomic) { unwritten_atomic_kernel<<<1, 40>>>(in, out); }

/* case addr_padding */
struct Padded { char tag; int value; };
__global__ void padding_kernel(const int *in, int *out) {
  __shared__ Padded p[32];
  p[threadIdx.x].tag = 'x';
  p[threadIdx.x].value = in[threadIdx.x];
  __syncthreads();
  const Padded q = p[31 - threadIdx.x]; /*A*/
  out[threadIdx.x] = q.value + (q.tag == 'x');
}
LAUNCHER(addr_padding) { padding_kernel<<<1, 32>>>(in, out); }

/* case addr_second_block */
__global__ void second_block_kernel(const int *in, int *out) {
  __shared__ int s[32];
  if (blockIdx.x == 0) s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[blockIdx.x * 32 + threadIdx.x] = s[threadIdx.x]; /*A*/
}
LAUNCHER(addr_second_block) { second_block_kernel<<<2, 32>>>(in, out); }

/* ---- does not go on ---- */

/* case addr_assert */
__global__ void assert_kernel(const int *in, int *out) {
  assert(in[threadIdx.x] < 20); /*A*/
  out[threadIdx.x] = 1;
}
LAUNCHER(addr_assert) { assert_kernel<<<1, 32>>>(in, out); }

/* case addr_trap */
__device__ void require(bool good) {
  if (!good) __trap(); /*A*/
}
__global__ void trap_kernel(const int *in, int *out) {
  require(in[threadIdx.x] != 3); /*B*/
  out[threadIdx.x] = 1;
}
LAUNCHER(addr_trap) {
  trap_kernel<<<1, 32>>>(in, out);
  past_end_kernel<<<1, 32>>>(in, out, n); /* never runs */
}

/* case addr_spin */
__global__ void spin_kernel(int *out) {
  out[threadIdx.x] = 1;
  if (threadIdx.x == 5)
    for (;;) /*A*/
      ;
}
LAUNCHER(addr_spin) { spin_kernel<<<1, 32>>>(out); }

/* case addr_spin_access */
__global__ void spin_access_kernel(volatile int *flag, int *out) {
  while (*flag == 0) /*A*/
    ;
  out[threadIdx.x] = 1;
}
LAUNCHER(addr_spin_access) { spin_access_kernel<<<1, 32>>>(acc, out); }

/* case addr_collatz */
__global__ void collatz_kernel(const int *in, int *out) {
  unsigned x = in[threadIdx.x], k = 0;
  do {
    x = x & 1 ? x * 3 + 1 : x / 2; /*A*/
    k++;
  } while (x != 0);
  out[threadIdx.x] = k;
}
LAUNCHER(addr_collatz) { collatz_kernel<<<1, 4>>>(in, out); }

/* case addr_half_waits */
__global__ void half_waits_kernel(int *flag, int *out) {
  if (threadIdx.x >= 32)
    while (atomicAdd(flag, 0) == 0) { /*A*/
    }
  __syncthreads();
  if (threadIdx.x == 0) atomicExch(flag, 1);
  out[threadIdx.x] = 1;
}
LAUNCHER(addr_half_waits) { half_waits_kernel<<<1, 64>>>(acc, out); }

/* case addr_recursion */
__device__ int endless(int n) { /*A*/
  return n == -1 ? 0 : 1 + endless(n + 1);
}
__global__ void recursion_kernel(int *out) { out[threadIdx.x] = endless((int)threadIdx.x); }
LAUNCHER(addr_recursion) { recursion_kernel<<<1, 40>>>(out); }

/* case addr_huge_frame */
__global__ void huge_frame_kernel(const int *in, int *out) { /*A*/
  int big[200000];
  for (int k = 0; k < 200000; k++) big[k] = in[k % 8];
  out[threadIdx.x] = big[in[0]];
}
LAUNCHER(addr_huge_frame) { huge_frame_kernel<<<1, 40>>>(in, out); }

/* case addr_static_and_dynamic */
template <int N> __global__ void both_kernel(const int *in, int *out) {
  __shared__ int fixed[N];
  extern __shared__ int rest[];
  fixed[threadIdx.x] = rest[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = fixed[threadIdx.x] + rest[threadIdx.x];
}
LAUNCHER(addr_static_and_dynamic) { both_kernel<10000><<<1, 32, 16384>>>(in, out); }

/* case addr_both_fit */
LAUNCHER(addr_both_fit) { both_kernel<8192><<<1, 32, 16384>>>(in, out); }

/* case addr_beyond_bounds */
template <int Threads> __global__ void __launch_bounds__(Threads, 2) bounded_kernel(const int *in, int *out) {
  out[threadIdx.x] = in[threadIdx.x];
}
LAUNCHER(addr_beyond_bounds) { bounded_kernel<64><<<1, 96>>>(in, out); }

/* case addr_within_bounds */
LAUNCHER(addr_within_bounds) { bounded_kernel<96><<<1, 96>>>(in, out); }

/* ---- local arrays ---- */

/* case local_large */
__global__ void large_kernel(const int *in, int *out) {
  int big[100000];
  for (int k = 0; k < 1000; k++) big[k * 100] = in[k % 32];
  out[threadIdx.x] = big[100 * threadIdx.x];
}
LAUNCHER(local_large) { large_kernel<<<1, 32>>>(in, out); }

/* case local_struct */
struct Rows {
  int width;
  int cell[3][4];
  __device__ int &at(int r, int c) { return cell[r][c]; }
};
__global__ void struct_kernel(const int *in, int *out) {
  Rows rows;
  rows.width = 4;
  for (int k = 0; k < 12; k++) rows.at(k / rows.width, k % rows.width) = in[k];
  out[threadIdx.x] = rows.cell[threadIdx.x % 3][threadIdx.x / 3];
}
LAUNCHER(local_struct) { struct_kernel<<<1, 12>>>(in, out); }

/* case local_quads */
__global__ void quads_kernel(const int4 *in, int4 *out) {
  int4 v[2];
  int *flat = reinterpret_cast<int *>(v);
#pragma unroll
  for (int k = 0; k < 2; k++) v[k] = in[2 * threadIdx.x + k];
  for (int k = 0; k < 8; k++) flat[k] += k;
  for (int k = 0; k < 2; k++) out[2 * threadIdx.x + k] = v[1 - k];
}
LAUNCHER(local_quads) { quads_kernel<<<1, 4>>>((const int4 *)in, (int4 *)out); }

/* case local_template */
template <int N, typename T> struct Stack {
  T item[N];
  int n = 0;
  __device__ void push(T v) { item[n++] = v; }
  __device__ T pop() { return item[--n]; }
};
template <int N> __global__ void stack_kernel(const int *in, int *out, int n) {
  Stack<N, int> s;
  for (int k = 0; k < n; k++) s.push(in[(threadIdx.x + k) % 32]);
  out[threadIdx.x] = s.pop();
}
LAUNCHER(local_template) { stack_kernel<5><<<1, 32>>>(in, out, 5); }

/* case local_write_loop */
__global__ void write_loop_kernel(const int *in, int *out, int n) {
  float r[2];
  for (int k = 0; k < n; k++)
    r[k] = in[k]; /*A*/
  out[threadIdx.x] = (int)(r[0] + r[1]);
}
LAUNCHER(local_write_loop) { write_loop_kernel<<<1, 32>>>(in, out, 4); }

/* case local_read_past */
__global__ void read_past_kernel(const int *in, int *out) {
  int r[4] = {5, 6, 7, 8};
  const int k = in[threadIdx.x] % 5;
  out[threadIdx.x] = r[k]; /*A*/
}
LAUNCHER(local_read_past) { read_past_kernel<<<1, 32>>>(in, out); }

/* case local_before */
__global__ void local_before_kernel(const int *in, int *out) {
  int ring[8];
  for (int k = 0; k < 8; k++) ring[k] = in[k];
  const int at = (int)threadIdx.x % 8;
  out[threadIdx.x] = ring[at - 1]; /*A*/
}
LAUNCHER(local_before) { local_before_kernel<<<1, 8>>>(in, out); }

/* case local_short_row */
__global__ void short_row_kernel(const float4 *in, float *out, int n) {
  float e[2];
  for (int k = 0; k < n; k += 4)
    *reinterpret_cast<float4 *>(&e[k]) = in[threadIdx.x]; /*A*/
  out[threadIdx.x] = e[0] + e[1];
}
LAUNCHER(local_short_row) { short_row_kernel<<<1, 8>>>((const float4 *)in, (float *)out, 4); }

/* case local_overflow */
__device__ void push(int *stack, int &top, int v) {
  stack[top++] = v; /*A*/
}
template <int N> __global__ void stack_overflow_kernel(const int *in, int *out, int n) {
  int item[N], top = 0;
  for (int k = 0; k < n; k++) push(item, top, in[(threadIdx.x + k) % 32]);
  out[threadIdx.x] = item[0];
}
LAUNCHER(local_overflow) { stack_overflow_kernel<4><<<1, 32>>>(in, out, 5); }

/* ---- arithmetic and limits ---- */

/* case addr_division */
__global__ void division_kernel(const int *in, const int *zero, int *out) {
  const int t = threadIdx.x;
  out[t] = t == 4 ? in[t] / zero[t] : 1; /*A*/
  if (t == 5) out[t] = (int)((unsigned)in[t] % (unsigned)zero[t]) * 0 + 1; /*B*/
}
LAUNCHER(addr_division) { division_kernel<<<1, 32>>>(in, acc, out); }

/* case addr_too_many_threads */
LAUNCHER(addr_too_many_threads) { packed_kernel<<<1, dim3(33, 32)>>>(in, out); }

/* case addr_too_deep_block */
LAUNCHER(addr_too_deep_block) { packed_kernel<<<1, dim3(1, 1, 65)>>>(in, out); }

/* case addr_empty_grid */
LAUNCHER(addr_empty_grid) { packed_kernel<<<dim3(0, 1), 9>>>(in, out); }

/* case addr_too_much_shared */
LAUNCHER(addr_too_much_shared) { packed_kernel<<<1, 9, 49 * 1024>>>(in, out); }

/* case addr_kept_shared */
/* A pointer into shared memory that an earlier launch has left behind; it may be the same place as the block's own, as on a device. */
__global__ void keep_shared_kernel(const int *in, int **kept) {
  extern __shared__ int kept_tile[];
  kept_tile[threadIdx.x] = in[threadIdx.x];
  if (threadIdx.x == 0) kept[blockIdx.x] = kept_tile;
}
__global__ void use_kept_kernel(int *out, int **kept) {
  extern __shared__ int kept_tile[];
  kept_tile[threadIdx.x] = 1;
  __syncthreads();
  int sum = 0;
  for (int b = 0; b < 6; b++) sum += kept[b][threadIdx.x] & 0; /*A*/
  out[threadIdx.x] = sum + kept_tile[threadIdx.x];
}
LAUNCHER(addr_kept_shared) {
  keep_shared_kernel<<<6, 32, 128>>>(in, (int **)acc);
  use_kept_kernel<<<1, 32, 128>>>(out, (int **)acc);
}

/* case addr_other_shared */
/* Blocks that run together hand each other the addresses of their tiles, and wait until they are there. */
template <bool Copy> __global__ void other_shared_kernel(const int *in, int *out, int *ready, int **tiles, int *copies) {
  __shared__ int tile[32];
  __shared__ int local_copy[32];
  const int t = threadIdx.x, other = 1 - blockIdx.x;
  tile[t] = in[blockIdx.x * 32 + t];
  if (Copy) copies[blockIdx.x * 32 + t] = tile[t];
  __syncthreads();
  if (t == 0) {
    tiles[blockIdx.x] = tile;
    __threadfence();
    atomicAdd(ready, 1);
    while (atomicAdd(ready, 0) < 2) {
    }
    __threadfence();
  }
  __syncthreads();
  local_copy[t] = Copy ? copies[other * 32 + t] : tiles[other][t]; /*A*/
  __syncthreads();
  out[blockIdx.x * 32 + t] = local_copy[31 - t];
}
LAUNCHER(addr_other_shared) { other_shared_kernel<false><<<2, 32>>>(in, out, acc, (int **)(acc + 2), acc + 6); }
LAUNCHER(addr_other_shared_repaired) { other_shared_kernel<true><<<2, 32>>>(in, out, acc, (int **)(acc + 2), acc + 6); }

/* case addr_own_shared_kept */
__global__ void own_shared_kept_kernel(const int *in, int *out, int **tiles) {
  __shared__ int tile[2][16];
  const int t = threadIdx.x;
  tile[t / 16][t % 16] = in[blockIdx.x * 32 + t];
  if (t == 0) tiles[blockIdx.x] = &tile[1][0];
  __syncthreads();
  out[blockIdx.x * 32 + t] = tiles[blockIdx.x][t - 16];
}
LAUNCHER(addr_own_shared_kept) { own_shared_kept_kernel<<<2, 32>>>(in, out, (int **)acc); }

/* case addr_other_shared_atomic */
__global__ void other_shared_atomic_kernel(int *out, int *ready, int **counters) {
  __shared__ int counter;
  if (threadIdx.x == 0) {
    counter = 0;
    counters[blockIdx.x] = &counter;
    __threadfence();
    atomicAdd(ready, 1);
    while (atomicAdd(ready, 0) < 2) {
    }
    __threadfence();
  }
  __syncthreads();
  atomicAdd(counters[0], 1); /*A*/
  __syncthreads();
  out[blockIdx.x * 32 + threadIdx.x] = counter;
}
LAUNCHER(addr_other_shared_atomic) { other_shared_atomic_kernel<<<2, 32>>>(out, acc, (int **)(acc + 2)); }

} // namespace addresses
