/* locals.cu - overruns of local arrays, reached in many ways, and code that looks like it. Rows: locals.def. */
#include "launcher.h"
#include <cuda_runtime.h>

namespace locals {

/* case loc_lambda */
template <int N> __global__ void lambda_kernel(const int *in, int *out) {
  int a[4] = {0, 0, 0, 0};
  auto put = [&](int i, int v) {
    a[i] = v; /*A*/
  };
  for (int k = 0; k < N; k++) put(k, in[threadIdx.x] + k); /*B*/
  out[threadIdx.x] = a[3];
}
LAUNCHER(loc_lambda) { lambda_kernel<5><<<1, 32>>>(in, out); }
LAUNCHER(loc_lambda_repaired) { lambda_kernel<4><<<1, 32>>>(in, out); }

/* case loc_member_pointer */
struct Cursor {
  float *at;
  int n;
};
__device__ float sum_of(const Cursor *c) {
  float s = 0;
  for (int k = 0; k < c->n; k++)
    s += c->at[k]; /*A*/
  return s;
}
template <int N> __global__ void member_pointer_kernel(const int *in, int *out) {
  float r[3];
  for (int k = 0; k < 3; k++) r[k] = in[threadIdx.x];
  Cursor c = {r, N};
  out[threadIdx.x] = (int)sum_of(&c); /*B*/
}
LAUNCHER(loc_member_pointer) { member_pointer_kernel<4><<<1, 32>>>(in, out); }
LAUNCHER(loc_member_pointer_repaired) { member_pointer_kernel<3><<<1, 32>>>(in, out); }

/* case loc_pointer_array */
template <int N> __global__ void pointer_array_kernel(const int *in, int *out) {
  int lo[5], hi[5], *half[2] = {lo, hi};
  for (int k = 0; k < N; k++)
    half[k % 2][k / 2] = in[threadIdx.x] + k; /*A*/
  out[threadIdx.x] = lo[4] + hi[4];
}
LAUNCHER(loc_pointer_array) { pointer_array_kernel<11><<<1, 32>>>(in, out); }
LAUNCHER(loc_pointer_array_repaired) { pointer_array_kernel<10><<<1, 32>>>(in, out); }

/* case loc_choice */
template <int N> __global__ void choice_kernel(const int *in, int *out) {
  int even[6] = {}, odd[6] = {};
  int *p = in[threadIdx.x] % 2 ? odd : even;
  for (int k = 0; k < N; k++)
    p[k] = k; /*A*/
  out[threadIdx.x] = even[5] + odd[5];
}
LAUNCHER(loc_choice) { choice_kernel<7><<<1, 32>>>(in, out); }
LAUNCHER(loc_choice_repaired) { choice_kernel<6><<<1, 32>>>(in, out); }

/* case loc_walk */
template <int N> __global__ void walk_kernel(const int *in, int *out) {
  short r[7];
  for (short *p = r; p < r + N; p++)
    *p = (short)in[threadIdx.x]; /*A*/
  out[threadIdx.x] = r[6];
}
LAUNCHER(loc_walk) { walk_kernel<8><<<1, 32>>>(in, out); }
LAUNCHER(loc_walk_repaired) { walk_kernel<7><<<1, 32>>>(in, out); }

/* case loc_function_pointer */
__device__ int first_of(const int *v) {
  return v[-1]; /*A*/
}
__device__ int last_of(const int *v) { return v[3]; }
template <bool Last> __global__ void function_pointer_kernel(const int *in, int *out) {
  int v[4];
  int (*volatile f)(const int *) = Last ? last_of : first_of;
  for (int k = 0; k < 4; k++) v[k] = in[threadIdx.x] + k;
  out[threadIdx.x] = f(v);
}
LAUNCHER(loc_function_pointer) { function_pointer_kernel<false><<<1, 32>>>(in, out); }
LAUNCHER(loc_function_pointer_repaired) { function_pointer_kernel<true><<<1, 32>>>(in, out); }

/* case loc_recursion */
template <int N> __device__ int fill_down(int *v, int k, int x) {
  int own[3] = {x, x, x};
  v[k] = own[k % 3]; /*A*/
  return k ? fill_down<N>(v, k - 1, x + 1) + own[1] : x;
}
template <int N> __global__ void recursive_fill_kernel(const int *in, int *out) {
  int v[5];
  const int s = fill_down<N>(v, N, in[threadIdx.x]);
  const int again = fill_down<N>(v, 4, in[threadIdx.x]);
  out[threadIdx.x] = v[0] + 0 * (s + again);
}
LAUNCHER(loc_recursion) { recursive_fill_kernel<5><<<1, 32>>>(in, out); }
LAUNCHER(loc_recursion_repaired) { recursive_fill_kernel<4><<<1, 32>>>(in, out); }

/* case loc_argument */
struct Coefficients {
  float w[6];
  int order[3];
};
__device__ float weight(const Coefficients &c, int k) {
  return c.w[k]; /*A*/
}
template <int N> __global__ void argument_kernel(Coefficients c, int *out) {
  float s = 0;
  for (int k = 0; k < N; k++) s += weight(c, k); /*B*/
  out[threadIdx.x] = (int)s + c.order[0];
}
LAUNCHER(loc_argument) { argument_kernel<7><<<1, 32>>>(Coefficients{{1, 2, 3, 4, 5, 6}, {7, 8, 9}}, out); }
LAUNCHER(loc_argument_repaired) { argument_kernel<6><<<1, 32>>>(Coefficients{{1, 2, 3, 4, 5, 6}, {7, 8, 9}}, out); }

/* case loc_argument_end */
__global__ void argument_end_kernel(Coefficients c, const int *in, int *out) {
  out[threadIdx.x] = c.order[in[threadIdx.x] % 4]; /*A*/
}
LAUNCHER(loc_argument_end) { argument_end_kernel<<<1, 32>>>(Coefficients{{}, {7, 8, 9}}, in, out); }

/* case loc_small_argument */
struct Pair { int v[2]; };
template <int M> __global__ void small_argument_kernel(Pair p, const int *in, int *out) {
  out[threadIdx.x] = p.v[in[threadIdx.x] % M]; /*A*/
}
LAUNCHER(loc_small_argument) { small_argument_kernel<3><<<1, 32>>>(Pair{{4, 5}}, in, out); }
LAUNCHER(loc_small_argument_repaired) { small_argument_kernel<2><<<1, 32>>>(Pair{{4, 5}}, in, out); }

/* case loc_member_before */
template <int Least> __global__ void member_before_kernel(const int *in, int *out) {
  struct { int guard, v[4], more; } s;
  s.guard = -5;
  s.more = -6;
  for (int k = 0; k < 4; k++) s.v[k] = in[k];
  out[threadIdx.x] = s.v[(int)(threadIdx.x % 4) + Least] * (s.guard + s.more < 0); /*A*/
}
LAUNCHER(loc_member_before) { member_before_kernel<-1><<<1, 8>>>(in, out); }
LAUNCHER(loc_member_before_repaired) { member_before_kernel<0><<<1, 8>>>(in, out); }

/* case loc_wide_read */
template <int At> __global__ void wide_read_kernel(const int *in, int *out) {
  __align__(16) int r[6];
  for (int k = 0; k < 6; k++) r[k] = in[k];
  const int2 v = *reinterpret_cast<const int2 *>(&r[At]); /*A*/
  out[threadIdx.x] = v.x;
}
LAUNCHER(loc_wide_read) { wide_read_kernel<5><<<1, 32>>>(in, out); }
LAUNCHER(loc_wide_read_repaired) { wide_read_kernel<4><<<1, 32>>>(in, out); }

/* case loc_copy */
__global__ void copy_kernel(const int *in, int *out, int bytes) {
  int r[5];
  memcpy(r, in, bytes); /*A*/
  out[threadIdx.x] = r[4];
}
LAUNCHER(loc_copy) { copy_kernel<<<1, 32>>>(in, out, 21); }
LAUNCHER(loc_copy_repaired) { copy_kernel<<<1, 32>>>(in, out, 20); }

/* ---- inside, though it does not look so ---- */

/* case loc_components */
__global__ void components_kernel(const float4 *in, float *out) {
  float4 v = in[threadIdx.x / 4];
  float *c = &v.x; /* as every vector library does */
  c[threadIdx.x % 4] += 1;
  out[threadIdx.x] = (&v.x)[threadIdx.x % 4];
}
LAUNCHER(loc_components) { components_kernel<<<1, n>>>((const float4 *)in, (float *)out); }

/* case loc_union */
union Quad {
  float4 v;
  float f[4];
  unsigned u[4];
};
__global__ void union_kernel(const int4 *in, int *out) {
  Quad q;
  q.v = *reinterpret_cast<const float4 *>(&in[threadIdx.x / 4]);
  out[threadIdx.x] = (int)q.u[threadIdx.x % 4] + (q.f[threadIdx.x % 4] != q.f[threadIdx.x % 4]);
}
LAUNCHER(loc_union) { union_kernel<<<1, n>>>((const int4 *)in, out); }

/* case loc_matrix */
__global__ void matrix_kernel(const int *in, int *out) { /* rows walked as one: inside the array */
  int m[3][4], *flat = &m[0][0];
  for (int k = 0; k < 12; k++) flat[k] = in[k];
  int s = 0;
  for (int k = 0; k < 12; k++) s += m[0][k] - m[k / 4][k % 4];
  out[threadIdx.x] = s;
}
LAUNCHER(loc_matrix) { matrix_kernel<<<1, 12>>>(in, out); }

/* case loc_end_address */
__global__ void end_address_kernel(const int *in, int *out) {
  int r[8], *const end = r + 8;
  int *volatile kept = r;
  for (int *p = kept; p != end; ++p) *p = in[p - r];
  out[threadIdx.x] = kept[threadIdx.x % 8] + end[-1];
}
LAUNCHER(loc_end_address) { end_address_kernel<<<1, 16>>>(in, out); }

/* case loc_frames */
__device__ int depth(const int *above, int k) { /* each frame lies where the one of another depth lay */
  int here[4] = {above[3], k, above[1], above[0] + 1}, *volatile kept = here;
  return k ? depth(kept, k - 1) : kept[3];
}
__device__ int plain(int k) {
  volatile int deep[64];
  for (int i = 0; i < 64; i++) deep[i] = i + k;
  int s = 0;
  for (int i = 0; i < 64; i++) s += deep[i];
  return k ? s - plain(k - 1) : s;
}
__global__ void frames_kernel(const int *in, int *out) {
  int v[4] = {in[threadIdx.x], 0, 0, 0}, s = 0;
  for (int k = 0; k < 6; k++) {
    s += depth(v, k);
    s += 0 * plain(k);
  }
  out[threadIdx.x] = s * 0 + 1;
}
LAUNCHER(loc_frames) { frames_kernel<<<1, 16>>>(in, out); }

/* case loc_stack_object */
template <typename T, int N> class SmallVector {
  T item[N];
  int n = 0;

public:
  __device__ void push_back(T v) { item[n++] = v; }
  __device__ T *begin() { return item; }
  __device__ T *end() { return item + n; }
};
template <typename F> __device__ int each(SmallVector<int, 6> &v, F f) {
  int s = 0;
  for (int x : v) s += f(x);
  return s;
}
__global__ void stack_object_kernel(const int *in, int *out) {
  SmallVector<int, 6> v;
  for (int k = 0; k < 6; k++) v.push_back(in[k]);
  int scale[2] = {1, 2}, calls = 0;
  out[threadIdx.x] = each(v, [&](int x) { return x * scale[calls++ % 2]; });
}
LAUNCHER(loc_stack_object) { stack_object_kernel<<<1, 8>>>(in, out); }

} // namespace locals
