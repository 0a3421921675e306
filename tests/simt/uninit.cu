/* uninit.cu - values nobody wrote: read and used, read and thrown away, never read. Whether one matters is judged by other
 * values in its place. Rows: uninit.def. */
#include "launcher.h"
#include <cuda_fp16.h>
#include <cuda_runtime.h>

namespace uninit {

/* ---- shared memory ---- */

/* case un_padding_times_zero */
template <int Way> __global__ void padding_kernel(const int *in, float *out, int n) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  if (t < n) s[t] = in[t];
  if (Way == 2 && t >= n) s[t] = 0;
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 64; k++) {
    const float v = s[k]; /*A*/
    sum += Way == 1 ? (k < n ? v : 0.0f) : v * (k < n ? 1.0f : 0.0f);
  }
  if (t < n) out[t] = sum;
}
LAUNCHER(un_padding_times_zero) { padding_kernel<0><<<1, 64>>>(in, (float *)out, n); }

/* case un_padding_selected */
template <int Way> __global__ void padding_selected_kernel(const int *in, float *out, int n) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  if (t < n) s[t] = in[t];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 64; k++) {
    const float v = s[k]; /*A*/
    sum += k < n ? v : 0.0f;
  }
  if (t < n) out[t] = sum;
}
LAUNCHER(un_padding_selected) { padding_selected_kernel<1><<<1, 64>>>(in, (float *)out, n); }
LAUNCHER(un_padding_repaired) { padding_kernel<2><<<1, 64>>>(in, (float *)out, n); }

/* case un_tile_edge */
template <bool Clear> __global__ void tile_edge_kernel(const int *a, const int *b, int *c, int n) { /* c = a b, n by n */
  __shared__ int ta[8][8], tb[8][8];
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 8 + y, col = blockIdx.x * 8 + x;
  int sum = 0;
  for (int k0 = 0; k0 < n; k0 += 8) {
    if (row < n && k0 + x < n) ta[y][x] = a[row * n + k0 + x];
    else if (Clear) ta[y][x] = 0;
    if (k0 + y < n && col < n) tb[y][x] = b[(k0 + y) * n + col];
    else if (Clear) tb[y][x] = 0;
    __syncthreads();
    for (int k = 0; k < 8; k++) sum += ta[y][k] * tb[k][x]; /*A*/
    __syncthreads();
  }
  if (row < n && col < n) c[row * n + col] = sum;
}
LAUNCHER(un_tile_edge) { tile_edge_kernel<false><<<1, dim3(8, 8)>>>(in, acc, out, 5); }
LAUNCHER(un_tile_edge_repaired) { tile_edge_kernel<true><<<dim3(2, 2), dim3(8, 8)>>>(in, in, out, 9); }

/* case un_warp_sums */
template <bool Guard> __device__ int block_sum(int v) {
  __shared__ int sums[32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int d = 16; d; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  if (lane == 0) sums[warp] = v;
  __syncthreads();
  const int warps = (int)(blockDim.x / 32);
  v = !Guard || lane < warps ? sums[lane] : 0; /*A*/
  for (int d = 16; d; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
  return v;
}
template <bool Guard> __global__ void warp_sums_kernel(const int *in, int *out) {
  out[threadIdx.x] = block_sum<Guard>(in[threadIdx.x]); /*B*/
}
LAUNCHER(un_warp_sums) { warp_sums_kernel<false><<<1, 96>>>(in, out); }
LAUNCHER(un_warp_sums_repaired) { warp_sums_kernel<true><<<1, 96>>>(in, out); }

/* case un_histogram */
template <bool Clear> __global__ void histogram_kernel(const int *in, int *out) {
  __shared__ unsigned bins[16];
  if (Clear && threadIdx.x < 16) bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[in[threadIdx.x] % 16], 1u); /*A*/
  __syncthreads();
  if (threadIdx.x < 16) out[threadIdx.x] = (int)bins[threadIdx.x];
}
LAUNCHER(un_histogram) { histogram_kernel<false><<<1, 64>>>(in, out); }
LAUNCHER(un_histogram_repaired) { histogram_kernel<true><<<1, 64>>>(in, out); }

/* case un_quad_part */
template <int Parts> __global__ void quad_part_kernel(const int *in, int *out) { /* a float4 of which some members are written */
  __shared__ float4 q[32];
  const int t = threadIdx.x;
  q[t].x = in[t];
  q[t].y = 1;
  q[t].z = 2;
  if (Parts == 4) q[t].w = 3;
  __syncwarp();
  const float *flat = reinterpret_cast<const float *>(q);
  out[t] = (int)flat[4 * t + 3]; /*A*/
}
LAUNCHER(un_quad_part) { quad_part_kernel<3><<<1, 32>>>(in, out); }
LAUNCHER(un_quad_part_repaired) { quad_part_kernel<4><<<1, 32>>>(in, out); }

/* case un_quad_part_unused */
__global__ void quad_part_unused_kernel(const int *in, int *out) { /* the whole is loaded, the missing member is not used */
  __shared__ float4 q[32];
  const int t = threadIdx.x;
  q[t].x = in[t];
  q[t].y = 1;
  __syncwarp();
  const float4 v = q[t ^ 1]; /*A*/
  out[t] = (int)(v.x + v.y);
}
LAUNCHER(un_quad_part_unused) { quad_part_unused_kernel<<<1, 32>>>(in, out); }

/* case un_dead_branch */
__global__ void dead_branch_kernel(const int *in, int *out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  const int next = s[t + 1]; /*A*/
  if (t + 1 < (int)blockDim.x) out[t] = next;
  else out[t] = 0;
}
LAUNCHER(un_dead_branch) { dead_branch_kernel<<<1, 32>>>(in, out); }

/* case un_branch */
template <bool Clear> __global__ void branch_kernel(const int *in, int *out) {
  __shared__ int found;
  const int t = threadIdx.x;
  if (Clear && t == 0) found = 0;
  __syncthreads();
  if (in[t] == 99) found = 1;
  __syncthreads();
  out[t] = found > 0 ? 1 : 2; /*A*/
}
LAUNCHER(un_branch) { branch_kernel<false><<<1, 32>>>(in, out); }
LAUNCHER(un_branch_repaired) { branch_kernel<true><<<1, 32>>>(in, out); }

/* case un_struct_copy */
struct Sample { char tag; short kind; int value; double weight; };
__global__ void struct_copy_kernel(const int *in, int *out) { /* padding goes along with a copy, and nobody minds */
  __shared__ Sample s[32], copy[32];
  const int t = threadIdx.x;
  s[t].tag = 1;
  s[t].kind = 2;
  s[t].value = in[t];
  s[t].weight = 3;
  __syncwarp();
  copy[31 - t] = s[t];
  __syncwarp();
  out[t] = copy[31 - t].value + copy[31 - t].tag + copy[31 - t].kind + (int)copy[31 - t].weight;
}
LAUNCHER(un_struct_copy) { struct_copy_kernel<<<1, 32>>>(in, out); }

/* case un_dynamic_second */
template <bool Write> __global__ void dynamic_second_kernel(const int *in, int *out) {
  extern __shared__ int both[];
  volatile int *lo = both, *hi = both + blockDim.x;
  const int t = threadIdx.x;
  lo[t] = in[t];
  if (Write) hi[t] = -in[t];
  __syncthreads();
  out[t] = lo[t] + hi[t]; /*A*/
}
LAUNCHER(un_dynamic_second) { dynamic_second_kernel<false><<<1, 32, 64 * sizeof(int)>>>(in, out); }
LAUNCHER(un_dynamic_second_repaired) { dynamic_second_kernel<true><<<1, 32, 64 * sizeof(int)>>>(in, out); }

/* ---- global memory ---- */

/* case un_accumulate */
template <bool Start> __global__ void accumulate_kernel(const int *in, int *out) {
  if (Start) out[threadIdx.x] = 0;
  for (int k = 0; k < 3; k++) out[threadIdx.x] += in[threadIdx.x]; /*A*/
}
LAUNCHER(un_accumulate) { accumulate_kernel<false><<<1, 32>>>(in, out); }
LAUNCHER(un_accumulate_repaired) { accumulate_kernel<true><<<1, 32>>>(in, out); }

/* case un_atomic_output */
__global__ void start_kernel(int *out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = 0;
}
__global__ void atomic_output_kernel(const int *in, int *out) {
  atomicAdd(&out[in[threadIdx.x] % 4], in[threadIdx.x]); /*A*/
}
LAUNCHER(un_atomic_output) { atomic_output_kernel<<<1, 32>>>(in, out); }
LAUNCHER(un_atomic_output_repaired) {
  start_kernel<<<1, 32>>>(out, n);
  atomic_output_kernel<<<1, 32>>>(in, out);
}

/* case un_maximum */
__global__ void maximum_kernel(const int *in, int *out) {
  atomicMax(&out[0], in[threadIdx.x]); /*A*/
}
LAUNCHER(un_maximum) { maximum_kernel<<<1, 64>>>(in, out); }

/* case un_maximum_repaired */
__global__ void maximum_repaired_kernel(const int *in, int *out) { /* what the exchange gives back is not used */
  if (threadIdx.x == 0) atomicExch(&out[0], 0); /*A*/
  __syncthreads();
  atomicMax(&out[0], in[threadIdx.x]);
}
LAUNCHER(un_maximum_repaired) { maximum_repaired_kernel<<<1, 64>>>(in, out); }

/* case un_neighbour */
template <int From> __global__ void neighbour_kernel(const int *in, int *out, int n) {
  const int t = threadIdx.x;
  if (t >= From) out[t] = in[t];
  __syncthreads();
  if (t == 0) out[n - 1] = out[1]; /*A*/
}
LAUNCHER(un_neighbour) { neighbour_kernel<2><<<1, 32>>>(in, out, n); }
LAUNCHER(un_neighbour_repaired) { neighbour_kernel<0><<<1, 32>>>(in, out, n); }

/* case un_half_written */
template <int Parts> __global__ void half_written_kernel(short *out) {
  for (int k = 0; k < Parts; k++) out[2 * threadIdx.x + k] = (short)(k + 1);
}
__global__ void whole_read_kernel(const int *from, int *acc) {
  acc[threadIdx.x] = from[threadIdx.x]; /*A*/
}
LAUNCHER(un_half_written) {
  half_written_kernel<1><<<1, 8>>>((short *)out);
  whole_read_kernel<<<1, 8>>>(out, acc);
}
LAUNCHER(un_half_written_repaired) {
  half_written_kernel<2><<<1, 8>>>((short *)out);
  whole_read_kernel<<<1, 8>>>(out, acc);
}

/* case un_memcpy_out */
__global__ void memcpy_out_kernel(float4 *out) {
  memcpy(&out[1], &out[0], sizeof(float4)); /*A*/
}
LAUNCHER(un_memcpy_out) { memcpy_out_kernel<<<1, 1>>>((float4 *)out); }

/* case un_address */
template <bool Write> __global__ void address_kernel(const int *in, int *out, int *acc) {
  if (Write) out[0] = 3;
  const int k = out[0] & 7; /*A*/
  acc[k] = in[k];
}
LAUNCHER(un_address) { address_kernel<false><<<1, 1>>>(in, out, acc); }
LAUNCHER(un_address_repaired) { address_kernel<true><<<1, 1>>>(in, out, acc); }

/* case un_old_value_dropped */
__global__ void old_value_kernel(const int *in, int *out) { /* the old value comes back, and nobody looks at it */
  const int old = atomicExch(&out[threadIdx.x], in[threadIdx.x]); /*A*/
  if (old == out[threadIdx.x]) out[threadIdx.x] = in[threadIdx.x];
}
LAUNCHER(un_old_value_dropped) { old_value_kernel<<<1, 32>>>(in, out); }

/* case un_output_as_scratch */
__global__ void scratch_kernel(const int *in, int *out) { /* written first, then read by another thread */
  out[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const int v = out[31 - threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = v;
}
LAUNCHER(un_output_as_scratch) { scratch_kernel<<<1, 32>>>(in, out); }

/* case un_looks_like_poison */
__global__ void looks_like_kernel(const int *in, int *out) { /* written, and what is written is the fill itself */
  __shared__ unsigned s[32];
  s[threadIdx.x] = 0x7fc0beef;
  __syncwarp();
  out[threadIdx.x] = (int)s[threadIdx.x ^ 1] - 0x7fc0beef + in[threadIdx.x];
}
LAUNCHER(un_looks_like_poison) { looks_like_kernel<<<1, 32>>>(in, out); }

/* ---- locals ---- */

/* case un_locals */
struct Triple { float a; char b; double c; };
__global__ void locals_kernel(const int *in, int *out) {
  int r[4];
  Triple t;
  t.a = in[threadIdx.x];
  t.b = 1;
  t.c = 2;
  const Triple copy = t; /* with its padding */
  for (int k = 0; k < 4; k++)
    if (k != 2) r[k] = in[threadIdx.x];
  const int unused = r[2]; /*A*/
  out[threadIdx.x] = in[threadIdx.x] < 0 ? unused : r[3] + (int)copy.c;
}
LAUNCHER(un_locals) { locals_kernel<<<1, 32>>>(in, out); }

/* case un_local_array */
template <int N> __global__ void local_array_kernel(const int *in, int *out) {
  int v[8];
  for (int k = 0; k < N; k++) v[k] = in[threadIdx.x];
  int s = 0;
  for (int k = 0; k < 8; k++)
    s += v[k] & 15; /*A*/
  out[threadIdx.x] = s;
}
LAUNCHER(un_local_array) { local_array_kernel<7><<<1, 32>>>(in, out); }
LAUNCHER(un_local_array_repaired) { local_array_kernel<8><<<1, 32>>>(in, out); }

/* case un_local_guard */
template <bool Guard> __global__ void local_guard_kernel(const int *in, int *out, int n) { /* written and read by parts */
  float v[2][4];
  for (int k = 0; k < 8; k++)
    if (threadIdx.x + k < n) v[k / 4][k % 4] = (float)in[threadIdx.x + k];
  float s = 0;
  for (int k = 0; k < 8; k++)
    if (!Guard || threadIdx.x + k < n) s += v[k / 4][k % 4]; /*A*/
  out[threadIdx.x] = (int)s;
}
LAUNCHER(un_local_guard) { local_guard_kernel<false><<<1, 32>>>(in, out, n); }
LAUNCHER(un_local_guard_repaired) { local_guard_kernel<true><<<1, 32>>>(in, out, n); }

/* case un_local_scalar */
template <bool Else> __global__ void local_scalar_kernel(const int *in, int *out) {
  int s;
  if (in[threadIdx.x] % 2) s = 1;
  else if (Else) s = 2;
  out[threadIdx.x] = s; /*A*/
}
LAUNCHER(un_local_scalar) { local_scalar_kernel<false><<<1, 32>>>(in, out); }
LAUNCHER(un_local_scalar_repaired) { local_scalar_kernel<true><<<1, 32>>>(in, out); }

/* case un_local_sum */
template <bool Zero> __global__ void local_sum_kernel(const int *in, int *out) { /* nobody says where it begins */
  double s;
  if (Zero) s = 0;
  for (int k = 0; k < 4; k++)
    s += in[(threadIdx.x + k) % 32]; /*A*/
  out[threadIdx.x] = s > 1000;
}
LAUNCHER(un_local_sum) { local_sum_kernel<false><<<1, 32>>>(in, out); }
LAUNCHER(un_local_sum_repaired) { local_sum_kernel<true><<<1, 32>>>(in, out); }

/* case un_local_index */
template <int N> __global__ void local_index_kernel(const int *in, int *out) { /* decides where to read */
  int at[3];
  for (int k = 0; k < N; k++) at[k] = k;
  const int i = at[in[threadIdx.x] % 3]; /*A*/
  out[threadIdx.x] = i >= 0 && i < 3 ? in[i] * 0 + 1 : 1;
}
LAUNCHER(un_local_index) { local_index_kernel<2><<<1, 32>>>(in, out); }
LAUNCHER(un_local_index_repaired) { local_index_kernel<3><<<1, 32>>>(in, out); }

/* case un_local_passed */
__device__ __noinline__ void fill_some(float *v, int n) {
  for (int k = 0; k < n; k++) v[k] = k;
}
template <int N> __global__ void local_passed_kernel(int *out) {
  float v[5];
  fill_some(v, N);
  out[threadIdx.x] = (int)v[4]; /*A*/
}
LAUNCHER(un_local_passed) { local_passed_kernel<4><<<1, 32>>>(out); }
LAUNCHER(un_local_passed_repaired) { local_passed_kernel<5><<<1, 32>>>(out); }

/* case un_local_vector */
template <bool All> __global__ void local_vector_kernel(const int *in, int4 *out) {
  int4 v;
  v.x = in[threadIdx.x], v.y = 1, v.z = 2;
  if (All) v.w = 3;
  out[threadIdx.x] = v; /*A*/
}
LAUNCHER(un_local_vector) { local_vector_kernel<false><<<1, 8>>>(in, (int4 *)out); }
LAUNCHER(un_local_vector_repaired) { local_vector_kernel<true><<<1, 8>>>(in, (int4 *)out); }

/* case un_local_dropped */
__global__ void local_dropped_kernel(const int *in, int *out) { /* a lane without a value takes part, and nobody uses it */
  int v;
  if (threadIdx.x < 31) v = in[threadIdx.x];
  const int next = __shfl_up_sync(~0u, v, 1); /*A*/
  out[threadIdx.x] = threadIdx.x ? next : 0;
}
LAUNCHER(un_local_dropped) { local_dropped_kernel<<<1, 32>>>(in, out); }

/* case un_local_bits */
__global__ void local_bits_kernel(const int *in, int *out) { /* written, and what is written is what locals begin with */
  unsigned v[4];
  for (int k = 0; k < 4; k++) v[k] = 0xf5f5f5f5u + in[threadIdx.x] * k;
  out[threadIdx.x] = (int)(v[in[0] - 1] - 0xf5f5f5f5u) + 7; /*A*/
}
LAUNCHER(un_local_bits) { local_bits_kernel<<<1, 32>>>(in, out); }

/* case un_local_alike */
union Word { float f; int i; unsigned char b[4]; };
__global__ void local_alike_kernel(const int *in, int *out) { /* each is assigned on every way to its use */
  Word w;
  w.f = 1;
  int best, found = 0, x[2], y[2];
  for (int k = 0; k < 4; k++)
    if (in[k] > in[threadIdx.x] || k == 3) best = k, found = 1;
  float quad[4];
  *reinterpret_cast<float4 *>(quad) = make_float4(1, 2, 3, 4);
  memcpy(x, &in[0], sizeof x);
  for (int k = 0; k < 2; k++) {
    int inner[2];
    inner[k] = k;
    y[k] = inner[k];
  }
  float4 v;
  v.x = 1, v.y = 2;
  switch (in[threadIdx.x] % 3) {
  case 0: v.z = 1; break;
  case 1: v.z = 2; break;
  default: v.z = 3;
  }
  v.w = v.z;
  const float4 copy = v;
  out[threadIdx.x] = (found ? best : 0) + (w.i >> 23) + w.b[3] + (int)quad[2] + x[1] + y[1] + (int)copy.w;
}
LAUNCHER(un_local_alike) { local_alike_kernel<<<1, 32>>>(in, out); }

/* ---- parts of classes and unions ---- */

struct Fields { unsigned low : 8, high : 20; int small : 3; bool flag : 1; };

/* case un_fields */
template <bool High> __global__ void fields_kernel(const int *in, int *out) {
  Fields f;
  f.low = in[threadIdx.x];
  if (High) f.high = 5;
  out[threadIdx.x] = f.low + f.high; /*A*/
}
LAUNCHER(un_fields) { fields_kernel<false><<<1, 32>>>(in, out); }
LAUNCHER(un_fields_repaired) { fields_kernel<true><<<1, 32>>>(in, out); }

/* case un_flag */
template <bool Flag> __global__ void flag_kernel(const int *in, int *out) {
  Fields f;
  f.low = f.high = in[threadIdx.x];
  f.small = 1;
  if (Flag || in[threadIdx.x] > 100) f.flag = true;
  if (f.flag) out[threadIdx.x] = 1; /*A*/
  else out[threadIdx.x] = 2;
}
LAUNCHER(un_flag) { flag_kernel<false><<<1, 32>>>(in, out); }
LAUNCHER(un_flag_repaired) { flag_kernel<true><<<1, 32>>>(in, out); }

/* case un_fields_unused */
__global__ void fields_unused_kernel(const int *in, int *out) {
  Fields f;
  f.low = in[threadIdx.x];
  const unsigned other = f.high; /*A*/
  out[threadIdx.x] = in[threadIdx.x] < 0 ? other : f.low;
}
LAUNCHER(un_fields_unused) { fields_unused_kernel<<<1, 32>>>(in, out); }

/* case un_fields_alike */
struct Two { int a, b; };
__device__ int low_of(Fields f) { return f.low; } /* passed as a word, with all its fields */
__global__ void fields_alike_kernel(const int *in, int *out) { /* assigned one after the other, counted up, copied with what has a value */
  Fields f, g;
  f.small = -2;
  f.low = 6;
  f.low++;
  f.flag = in[threadIdx.x] > 0;
  f.high = 2;
  f.high |= 1;
  g = f;
  Two t;
  for (int k = 0; k < 2; k++) (k ? t.b : t.a) = k; /* by a pointer */
  out[threadIdx.x] = low_of(g) + g.high + g.small + t.b;
}
LAUNCHER(un_fields_alike) { fields_alike_kernel<<<1, 32>>>(in, out); }

/* case un_fields_shared */
template <bool High> __global__ void fields_shared_kernel(int *out) {
  __shared__ Fields s[32];
  s[threadIdx.x].low = 3; /*A*/
  if (High) s[threadIdx.x].high = 5;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x ^ 1].low + s[threadIdx.x ^ 1].high;
}
LAUNCHER(un_fields_shared) { fields_shared_kernel<false><<<1, 32>>>(out); }
LAUNCHER(un_fields_shared_repaired) { fields_shared_kernel<true><<<1, 32>>>(out); }

/* case un_union_bytes */
template <bool All> __global__ void union_bytes_kernel(int *out) {
  Word w;
  w.b[0] = 1, w.b[1] = 2, w.b[2] = 3;
  if (All) w.b[3] = 4;
  out[threadIdx.x] = w.i; /*A*/
}
LAUNCHER(un_union_bytes) { union_bytes_kernel<false><<<1, 32>>>(out); }
LAUNCHER(un_union_bytes_repaired) { union_bytes_kernel<true><<<1, 32>>>(out); }

/* case un_union_halves */
union Long { double d; long long l; int i[2]; };
template <bool All> __global__ void union_halves_kernel(int *out) {
  Long u;
  u.i[1] = 0x3ff00000;
  if (All) u.i[0] = 0;
  const Long copy = u;
  out[threadIdx.x] = copy.d == 1 ? 1 : 2; /*A*/
}
LAUNCHER(un_union_halves) { union_halves_kernel<false><<<1, 32>>>(out); }
LAUNCHER(un_union_halves_repaired) { union_halves_kernel<true><<<1, 32>>>(out); }

/* case un_small_member */
struct Mixed { char tag; double d; short k; bool is; };
template <bool All> __global__ void small_member_kernel(int *out) {
  Mixed m;
  m.tag = 3, m.d = 1, m.is = true;
  if (All) m.k = 4;
  out[threadIdx.x] = m.tag + (m.is ? m.k : 0); /*A*/
}
LAUNCHER(un_small_member) { small_member_kernel<false><<<1, 32>>>(out); }
LAUNCHER(un_small_member_repaired) { small_member_kernel<true><<<1, 32>>>(out); }

/* case un_half */
template <bool Begins> __global__ void half_kernel(int *out) {
  __half h;
  if (Begins) h = __float2half(1.0f);
  const __half copy = h;
  out[threadIdx.x] = (int)__half2float(copy); /*A*/
}
LAUNCHER(un_half) { half_kernel<false><<<1, 32>>>(out); }
LAUNCHER(un_half_repaired) { half_kernel<true><<<1, 32>>>(out); }

/* case un_class_copied */
struct Record { float x; int n; short k; char c; };
__device__ void put(Record *to, Record r) { *to = r; }
template <bool All> __global__ void class_copied_kernel(const int *in, Record *out) {
  Record r;
  r.x = in[threadIdx.x], r.k = 1, r.c = 2;
  if (All) r.n = 3;
  out[threadIdx.x] = r; /*A*/
}
LAUNCHER(un_class_copied) { class_copied_kernel<false><<<1, 32>>>(in, (Record *)out); }
LAUNCHER(un_class_copied_repaired) { class_copied_kernel<true><<<1, 32>>>(in, (Record *)out); }

/* case un_class_alike */
__global__ void class_alike_kernel(const int *in, Record *out) { /* other values in its place: padding stays what it is */
  Record r;
  r.x = in[threadIdx.x], r.k = 1, r.c = 2, r.n = 3;
  put(out + threadIdx.x, r);
  Record unused, same = r;
  unused.x = 1;
  const int n = unused.n; /*A*/
  same.n = in[threadIdx.x] < 0 ? n : 4;
  if (threadIdx.x < 8) out[threadIdx.x] = same;
}
LAUNCHER(un_class_alike) { class_alike_kernel<<<1, 32>>>(in, (Record *)out); }

/* case un_padding_copied */
/* case un_member_copied */
template <bool All> __global__ void member_copied_kernel(const int *in, Mixed *out) { /* through shared memory, padding and all */
  __shared__ Mixed s[32];
  Mixed &m = s[threadIdx.x];
  m.tag = 1, m.d = in[threadIdx.x], m.is = true;
  if (All) m.k = 2;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x ^ 1]; /*A*/
}
LAUNCHER(un_padding_copied) { member_copied_kernel<true><<<1, 32>>>(in, (Mixed *)out); }
LAUNCHER(un_member_copied) { member_copied_kernel<false><<<1, 32>>>(in, (Mixed *)out); }

} // namespace uninit
