/* overflow.cu - arithmetic that loses bits: signed overflow, and indices that wrapped. Rows: overflow.def. in[0] is 1: what is
 * multiplied by it is known at run time only. */
#include "launcher.h"
#include <climits>
#include <cstdlib>
#include <cuda_runtime.h>

namespace overflow {

constexpr unsigned K64 = 65536;

/* ---- signed arithmetic ---- */

/* case ovf_add */
__global__ void add_kernel(const int *in, int *out, int most) {
  out[threadIdx.x] = most + in[threadIdx.x]; /*A*/
}
LAUNCHER(ovf_add) { add_kernel<<<1, 32>>>(in, out, INT_MAX); }

/* case ovf_add_fits */
LAUNCHER(ovf_add_fits) { add_kernel<<<1, 32>>>(in, out, INT_MAX - 32); }

/* case ovf_row_times_cols */
template <class T> __device__ T *row_of(T *base, int row, int cols) {
  return base + (size_t)(row * cols); /*A*/
}
__global__ void row_times_cols_kernel(const int *in, int *out, int rows) {
  const int row = rows - 1 + (int)blockIdx.x;
  row_of(out, row, 1 << 16)[threadIdx.x] = in[threadIdx.x]; /*B*/
}
LAUNCHER(ovf_row_times_cols) { row_times_cols_kernel<<<1, 32>>>(in, out, (1 << 16) + 1); }

/* case ovf_row_widened */
__global__ void row_widened_kernel(const int *in, int *out, int rows, int cols, int n) {
  const int row = rows - 1 + (int)blockIdx.x;
  const size_t off = (size_t)row * cols + threadIdx.x;
  if (off < (size_t)n) out[off] = -1;
  else out[threadIdx.x] = in[off - (size_t)row * cols];
}
LAUNCHER(ovf_row_widened) { row_widened_kernel<<<1, 32>>>(in, out, (1 << 16) + 1, 1 << 16, n); }

/* case ovf_macro */
#define AT(i, j, ld) ((i) * (ld) + (j))
__global__ void macro_kernel(int *out, int ld, int n) {
  const int i = threadIdx.x;
  out[i] = AT(i, ld - 1, ld) < n; /*A*/
}
LAUNCHER(ovf_macro) { macro_kernel<<<1, 32>>>(out, (1 << 26) + 1, n); }

/* case ovf_macro_fits */
LAUNCHER(ovf_macro_fits) { macro_kernel<<<1, 32>>>(out, 1 << 26, n); }

/* case ovf_negate */
__global__ void negate_kernel(int *out, int least) {
  const int k = least + (int)threadIdx.x;
  out[threadIdx.x] = -k; /*A*/
}
LAUNCHER(ovf_negate) { negate_kernel<<<1, 8>>>(out, INT_MIN); }

/* case ovf_negate_fits */
LAUNCHER(ovf_negate_fits) { negate_kernel<<<1, 8>>>(out, INT_MIN + 1); }

/* case ovf_abs */
__global__ void abs_kernel(int *out, int least) {
  out[threadIdx.x] = abs(least + (int)threadIdx.x); /*A*/
}
LAUNCHER(ovf_abs) { abs_kernel<<<1, 8>>>(out, INT_MIN); }

/* case ovf_abs_fits */
LAUNCHER(ovf_abs_fits) { abs_kernel<<<1, 8>>>(out, INT_MIN + 1); }

/* case ovf_quotient */
template <typename T> __device__ T ratio(T a, T b) {
  return a / b; /*A*/
}
__global__ void quotient_kernel(int *out, int least, long long wide_least, int minus) {
  const int t = threadIdx.x;
  out[t] = ratio(least + t, minus) < 0; /*B*/
  if (t == 3) out[t] = (wide_least + t - 3) % minus == 0; /*C*/
}
LAUNCHER(ovf_quotient) { quotient_kernel<<<1, 8>>>(out, INT_MIN, LLONG_MIN, -1); }

/* case ovf_quotient_fits */
LAUNCHER(ovf_quotient_fits) { quotient_kernel<<<1, 8>>>(out, INT_MIN + 1, LLONG_MIN + 1, -1); }

/* case ovf_steps */
__global__ void steps_kernel(const int *in, int *out, int most, int least) {
  int up = most * in[0], down = least * in[0];
  ++up; /*A*/
  down--; /*B*/
  up -= down; /*C*/
  out[threadIdx.x] = up;
}
LAUNCHER(ovf_steps) { steps_kernel<<<1, 4>>>(in, out, INT_MAX, INT_MIN); }

/* case ovf_steps_fit */
__global__ void steps_fit_kernel(const int *in, int *out, int most, int least) {
  int up = most * in[0] - 1, down = least * in[0] + 1;
  up++;
  --down;
  up += down;
  out[threadIdx.x] = up;
}
LAUNCHER(ovf_steps_fit) { steps_fit_kernel<<<1, 4>>>(in, out, INT_MAX, INT_MIN); }

/* case ovf_factorial */
template <typename T, int N> __device__ T factorial(const int *in) {
  T f = 1;
  for (int k = 0; k < N; k++) f *= (T)in[k]; /*A*/
  return f;
}
__global__ void factorial_kernel(const int *in, int *out) {
  out[threadIdx.x] = factorial<int, 13>(in) == 1932053504; /*B*/
}
LAUNCHER(ovf_factorial) { factorial_kernel<<<1, 16>>>(in, out); }

/* case ovf_factorial_fits */
__global__ void factorial_fits_kernel(const int *in, int *out) {
  const long long wide = factorial<long long, 13>(in);
  out[threadIdx.x] = factorial<int, 12>(in) == 479001600 && wide == 6227020800LL && factorial<unsigned, 13>(in) == (unsigned)wide;
}
LAUNCHER(ovf_factorial_fits) { factorial_fits_kernel<<<1, 16>>>(in, out); }

/* case ovf_wide */
__global__ void wide_kernel(const int *in, int *out, long long a, long b) {
  long long p = a * b; /*A*/
  out[threadIdx.x] = (int)(p >> 32) * in[0];
}
LAUNCHER(ovf_wide) { wide_kernel<<<1, 4>>>(in, out, 1LL << 33, 1L << 30); }

/* case ovf_wide_fits */
LAUNCHER(ovf_wide_fits) { wide_kernel<<<1, 4>>>(in, out, -(1LL << 33), 1L << 30); }

/* case ovf_promoted */
__global__ void promoted_kernel(const unsigned short *scale, int *out) {
  const unsigned short s = scale[0];
  out[threadIdx.x] = (unsigned)(s * s) == 0xfffe0001u; /*A*/
}
LAUNCHER(ovf_promoted) {
  cudaMemset(acc, 0xff, 2);
  promoted_kernel<<<1, 4>>>((const unsigned short *)acc, out);
}

/* case ovf_narrow */
__global__ void narrow_kernel(const unsigned short *scale, int *out) {
  const unsigned short s = scale[0];
  short k = (short)(s >> 1);
  unsigned char ring = 250;
  signed char c = 127;
  k++;
  c += 1;
  int sum = 0;
  for (; ring != 4; ring++) sum += ring < 100;
  k *= 2;
  out[threadIdx.x] = (unsigned)s * s == 0xfffe0001u && c < 0 && sum == 4 && k == 0;
}
LAUNCHER(ovf_narrow) {
  cudaMemset(acc, 0xff, 2);
  narrow_kernel<<<1, 4>>>((const unsigned short *)acc, out);
}

/* case ovf_members */
struct Box {
  int4 extent;
  char name[3];
};
__device__ int volume(const Box &b) {
  return b.extent.x * b.extent.y * b.extent.z; /*A*/
}
__global__ void members_kernel(const int *in, int *out, Box b) {
  Box box[2] = {b, b};
  box[1].extent.x = in[0];
  out[threadIdx.x] = volume(box[threadIdx.x % 2]); /*B*/
}
LAUNCHER(ovf_members) { members_kernel<<<1, 8>>>(in, out, Box{{1300, 1300, 1300, 0}, "b"}); }

/* case ovf_members_fit */
LAUNCHER(ovf_members_fit) { members_kernel<<<1, 8>>>(in, out, Box{{1290, 1290, 1290, 0}, "b"}); }

/* case ovf_stride */
__global__ void stride_kernel(int *out, int n, int step) {
  int turns = 0;
  const int stride = blockDim.x * step;
  for (int i = threadIdx.x; i < n && turns < 6; i += stride) turns++; /*A*/
  out[threadIdx.x] = turns;
}
LAUNCHER(ovf_stride) { stride_kernel<<<1, 32>>>(out, INT_MAX - 100, 1 << 25); }

/* case ovf_stride_fits */
__global__ void stride_fits_kernel(int *out, int n, int step) {
  int turns = 0;
  const int stride = blockDim.x * step;
  for (long long i = threadIdx.x; i < n; i += stride) turns++;
  for (int i = threadIdx.x; i < n; turns++) {
    if (i > n - stride) break;
    i += stride;
  }
  out[threadIdx.x] = turns;
}
LAUNCHER(ovf_stride_fits) { stride_fits_kernel<<<1, 32>>>(out, INT_MAX - 100, 1 << 25); }

/* case ovf_host */
LAUNCHER(ovf_host) {
  volatile int most = INT_MAX;
  const int wrapped = most + 1;
  add_kernel<<<1, 32>>>(in, out, wrapped);
}

/* case ovf_of_nothing */
__global__ void of_nothing_kernel(const int *in, int *out, int n) {
  __shared__ int pad[32], half[32];
  if (threadIdx.x < 20) pad[threadIdx.x] = in[threadIdx.x];
  half[threadIdx.x] = pad[threadIdx.x] + 2140000000; /*A*/
  const int twice = half[threadIdx.x] - 2140000000;
  out[threadIdx.x] = threadIdx.x < 20 ? twice : n;
}
LAUNCHER(ovf_of_nothing) { of_nothing_kernel<<<1, 32>>>(in, out, n); }

/* ---- indices that wrapped ---- */

/* case ovf_offset */
__global__ void offset_kernel(const int *in, int *out, unsigned rows, unsigned cols) {
  const unsigned row = rows - 1 + blockIdx.x, c = threadIdx.x;
  unsigned off = row * cols + c; /*A*/
  out[off] = in[c]; /*B*/
}
LAUNCHER(ovf_offset) { offset_kernel<<<1, 32>>>(in, out, K64 + 1, K64); }

/* case ovf_offset_fits */
LAUNCHER(ovf_offset_fits) { offset_kernel<<<1, 32>>>(in, out, 1, K64); }

/* case ovf_cast_late */
__device__ size_t offset_of(unsigned row, unsigned cols) {
  return (size_t)(row * cols); /*A*/
}
__global__ void cast_late_kernel(const int *in, int *out, unsigned cols) {
  const int *mine = in + offset_of(cols, threadIdx.y + cols); /*B*/
  const int i = threadIdx.y * blockDim.x + threadIdx.x;
  out[i] = mine[threadIdx.x]; /*C*/
}
LAUNCHER(ovf_cast_late) { cast_late_kernel<<<1, dim3(8, 1)>>>(in, out, K64); }

/* case ovf_cast_early */
__global__ void cast_early_kernel(const int *in, int *out, unsigned cols, const int *base) {
  const size_t at = (size_t)cols * (threadIdx.y + cols);
  const int *mine = base + at;
  out[threadIdx.y * blockDim.x + threadIdx.x] = mine[threadIdx.x + cols * threadIdx.y - cols * threadIdx.y];
}
LAUNCHER(ovf_cast_early) { cast_early_kernel<<<1, dim3(8, 1)>>>(in, out, K64, in - ((size_t)K64 * K64)); }

/* case ovf_before_start */
__global__ void before_start_kernel(const int *in, int *out, unsigned n) {
  const unsigned i = threadIdx.x;
  out[i] = in[n - 1 - 2 * i]; /*A*/
}
LAUNCHER(ovf_before_start) { before_start_kernel<<<1, 32>>>(in, out, 32); }

/* case ovf_back_and_forth */
__global__ void back_and_forth_kernel(const int *in, int *out, int n, int back) {
  const unsigned i = threadIdx.x, last = blockDim.x - 1 - i;
  const int *p = in + i;
  int sum = in[(i - 1 + n) % n];          /* the one before, around */
  sum += in[i - 1 + 1];
  sum += in[i + back - back];             /* unsigned and negative int */
  sum += in[last];
  sum += i > 0 ? p[-1] : 0;
  sum += i > 0 ? in[i + back] : 0;
  sum += (int)(p - in);
  for (unsigned k = n; k-- > 0;) sum += in[k] == 1;
  for (unsigned k = n - 1; k < (unsigned)n; k--) sum += in[k] == 2;
  out[i] = sum;
}
LAUNCHER(ovf_back_and_forth) { back_and_forth_kernel<<<1, 32>>>(in, out, n, -1); }

/* case ovf_around */
__global__ void around_kernel(const int *in, int *out, unsigned n) {
  const unsigned i = threadIdx.x;
  unsigned left = i - 1, right = i + 1;
  if (left >= n) left += n;
  right = right >= n ? right - n : right;
  const unsigned near = min(i - 1, n - 1); /* 0 becomes the last */
  const unsigned d = i < 7 ? 7 - i : i - 7;
  const int e = abs((int)(i - 7));
  out[i] = in[left] + in[right] + in[near] + in[d] - in[e] + in[max((int)(i - 5), 0)];
}
LAUNCHER(ovf_around) { around_kernel<<<1, 32>>>(in, out, n); }

/* case ovf_sentinels */
__global__ void sentinels_kernel(const int *in, int *out, unsigned n) {
  const unsigned u = threadIdx.x;
  unsigned before = u - 1, found = 0xffffffffu, next = ~0u;
  if (before == ~0u) before = n - 1;
  for (unsigned k = 0; k < n; k++)
    if (in[k] == (int)u + 1) found = k;
  int sum = found != 0xffffffffu ? in[found] : 0;
  for (unsigned k = 0; k < n; k++) sum += in[++next] == 3;
  size_t wide = (size_t)-1;
  for (unsigned k = 0; k < n; k++) sum += in[++wide] == 4;
  out[u] = sum + in[before] + in[u - !!u] + in[u ? u - 1 : n - 1];
}
LAUNCHER(ovf_sentinels) { sentinels_kernel<<<1, 32>>>(in, out, n); }

/* case ovf_backwards */
__global__ void backwards_kernel(const int *in, int *out, unsigned n, int stride) {
  const unsigned i = threadIdx.x, step = (unsigned)stride;
  const long long back = (int)(i - n);
  const int *end = in + n;
  int sum = in[(n - 1) + i * stride] + in[n - 1 + (int)(step * i)] + in[n + ~i] - in[n - 1 - i];
  sum += in[back + n] + end[(int)~i] - end[-(int)i - 1];
  unsigned at = n - 1;
  for (unsigned k = 0; k < n; k++, at += stride) sum += in[at] == 1;
  for (const int *p = end - 1; p >= in; p += stride) sum += *p == 2;
  out[i] = sum;
}
LAUNCHER(ovf_backwards) { backwards_kernel<<<1, 32>>>(in, out, n, -1); }

/* case ovf_queue */
__global__ void queue_kernel(int *acc, int *out, unsigned head, unsigned n) {
  const unsigned tail = head + threadIdx.x; /* past 2^32 for most */
  acc[tail & (n - 1)] = 1;
  out[tail - head] = (int)(tail - head);
}
LAUNCHER(ovf_queue) { queue_kernel<<<1, 32>>>(acc, out, 0xfffffff8u, n); }

/* case ovf_only_compared */
__global__ void only_compared_kernel(const int *in, int *out, int n, unsigned halo) {
  const unsigned i = threadIdx.x;
  const unsigned left = i - halo;
  const int *p = in + left;
  int sum = left < (unsigned)n ? *p : 0;
  if (i < n - 2 * blockDim.x) sum += 100; /* n is below: true for all */
  out[i] = sum;
}
LAUNCHER(ovf_only_compared) { only_compared_kernel<<<1, 32>>>(in, out, n, 3); }

/* case ovf_hashes */
__device__ unsigned lcg(unsigned &state) {
  state = state * 1664525u + 1013904223u;
  return state;
}
__global__ void hashes_kernel(const int *in, int *out, unsigned n) {
  unsigned state = threadIdx.x + 12345, sum = 0, h = 5381, fnv = 2166136261u;
  for (int k = 0; k < 8; k++) {
    const unsigned r = lcg(state);
    h = h * 33 + r;
    fnv = (fnv ^ (r & 255)) * 16777619u;
    sum += in[r % n] > 0;
    sum += in[r & 15] > 0;
    sum += in[r >> 28] > 0;
    sum += in[r - r / n * n] > 0; /* a remainder by hand */
    sum += in[__umulhi(r, n)] > 0;
    sum += in[h - (h / n) * n] > 0;
    sum += in[fnv % n] > 0;
    sum += in[(threadIdx.x * 2654435761u) >> 27] > 0;
    sum += in[(unsigned char)h % 16] > 0;
  }
  out[threadIdx.x] = sum;
}
LAUNCHER(ovf_hashes) { hashes_kernel<<<1, 32>>>(in, out, n); }

/* case ovf_bits */
__global__ void bits_kernel(const int *in, int *out, int packed) {
  const unsigned t = threadIdx.x;
  const unsigned long long both = (unsigned long long)(K64 * 7) << 32 | t;
  const unsigned sum64 = (unsigned)((((unsigned long long)K64 * 7) << 32) + t); /* the lower half of two packed in one */
  const int low = (packed << 28) >> 28; /* four bits, signed */
  out[t] = in[(unsigned)both] + in[sum64] + in[(t << 30 >> 30) + 8] + in[8 + low] + in[(~t + 32) & 31] + in[t ^ 31];
}
LAUNCHER(ovf_bits) { bits_kernel<<<1, 32>>>(in, out, 0x7654321f); }

/* case ovf_large_and_negative */
__global__ void large_and_negative_kernel(const int *in, int *out, const unsigned *large, int d) {
  const int *far = in - (size_t)0xb2b2b2b2u;
  const unsigned base = *large;
  out[threadIdx.x] = far[base + d + threadIdx.x + 1] + in[base - (base - threadIdx.x)];
}
LAUNCHER(ovf_large_and_negative) {
  cudaMemset(acc, 0xb2, 4);
  large_and_negative_kernel<<<1, 16>>>(in, out, (const unsigned *)acc, -1);
}

/* case ovf_unsigned_stride */
__global__ void unsigned_stride_kernel(const int *in, int *out, unsigned n, unsigned stride, unsigned room) {
  int turns = 0;
  for (unsigned i = threadIdx.x; i < n && turns < 5; i += stride, turns++) /*A*/
    if (i < room) out[i] = in[i]; /*B*/
}
LAUNCHER(ovf_unsigned_stride) { unsigned_stride_kernel<<<1, 32>>>(in, out, 0xfffffff0u, 0x40000000u, n); }

/* case ovf_unsigned_stride_ends */
__global__ void unsigned_stride_ends_kernel(const int *in, int *out, unsigned n, unsigned stride, unsigned room) {
  for (unsigned i = threadIdx.x; i < n; i += stride) {
    if (i < room) out[i] = in[i];
    if (i + stride < i) break;
  }
}
LAUNCHER(ovf_unsigned_stride_ends) { unsigned_stride_ends_kernel<<<1, 32>>>(in, out, 0xfffffff0u, 0x40000000u, n); }

/* case ovf_into_int */
__global__ void into_int_kernel(const int *in, int *out, int n, unsigned chunk) {
  int i = blockIdx.x * blockDim.x * chunk + threadIdx.x; /*A*/
  if (i < n) out[i] = in[threadIdx.x]; /*B*/
}
LAUNCHER(ovf_into_int) { into_int_kernel<<<2, 32>>>(in, out, n, 1u << 26); }

/* case ovf_into_int_fits */
LAUNCHER(ovf_into_int_fits) { into_int_kernel<<<2, 32>>>(in, out, n, 1u << 25); }

/* case ovf_cut */
__global__ void cut_kernel(const int *in, int *out, size_t pitch) {
  const int i = (int)(blockIdx.x * pitch + threadIdx.x); /*A*/
  if (blockIdx.x == 1) out[i] = in[threadIdx.x]; /*B*/
}
LAUNCHER(ovf_cut) { cut_kernel<<<2, 32>>>(in, out, (size_t)1 << 32); }

/* case ovf_uncut */
__global__ void uncut_kernel(const int *in, int *out, size_t pitch, int n) {
  const size_t at = blockIdx.x * pitch + threadIdx.x;
  if (at >= (size_t)n) return;
  const int i = (int)(blockIdx.x * pitch + threadIdx.x);
  out[i] = in[i];
}
LAUNCHER(ovf_uncut) { uncut_kernel<<<2, 32>>>(in, out, (size_t)1 << 32, n); }

/* case ovf_shift */
__global__ void shift_kernel(const int *in, int *out, unsigned row, int log_cols) {
  const unsigned t = threadIdx.x;
  out[(row << 20) + t] = in[t]; /*A*/
  out[t] += (row << log_cols) == 0;
}
LAUNCHER(ovf_shift) { shift_kernel<<<1, 32>>>(in, out, 3 << 12, 20); }

/* case ovf_horner */
template <int Rank> struct Shape {
  unsigned extent[Rank];
  __device__ unsigned offset(const unsigned *index) const {
    unsigned off = 0;
    for (int d = 0; d < Rank; d++) off = off * extent[d] + index[d]; /*A*/
    return off;
  }
};
__global__ void horner_kernel(const int *in, int *out, Shape<3> shape, unsigned first) {
  const unsigned index[3] = {first, 0, threadIdx.x};
  out[shape.offset(index)] = in[threadIdx.x]; /*B*/
}
LAUNCHER(ovf_horner) { horner_kernel<<<1, 32>>>(in, out, Shape<3>{{1 << 12, K64, K64}}, 2); }

/* case ovf_horner_fits */
LAUNCHER(ovf_horner_fits) { horner_kernel<<<1, 32>>>(in, out, Shape<3>{{1 << 12, K64, K64}}, 0); }

/* case ovf_quads */
__global__ void quads_kernel(const int4 *in, int4 *out, unsigned quads_a_row, unsigned row) {
  const int4 v = in[row * quads_a_row + threadIdx.x]; /*A*/
  out[threadIdx.x] = v;
}
LAUNCHER(ovf_quads) { quads_kernel<<<1, 8>>>((const int4 *)in, (int4 *)out, 1u << 20, 1u << 13); }

/* case ovf_bins */
__global__ void bins_kernel(int *acc, int *out, unsigned width, unsigned n) {
  const unsigned t = threadIdx.x;
  atomicAdd(&acc[2 * t * width], 1); /*A*/
  atomicAdd(&acc[t * width * 3 % n], 1);
  out[t] = 1;
}
LAUNCHER(ovf_bins) { bins_kernel<<<1, 2>>>(acc, out, 0x80000000u, n); }

/* case ovf_walk */
__global__ void walk_kernel(const int *in, int *out, unsigned rows, unsigned pitch) {
  const int *p = in + threadIdx.x;
  int sum = 0;
  for (int k = 0; k < 3; k++, p += rows * pitch) sum += *p; /*A*/
  out[threadIdx.x] = sum;
}
LAUNCHER(ovf_walk) { walk_kernel<<<1, 16>>>(in, out, K64, K64); }

/* case ovf_walk_fits */
LAUNCHER(ovf_walk_fits) { walk_kernel<<<1, 16>>>(in, out, 2, 5); }

/* case ovf_tile */
template <class T> __device__ T &cell(T *tile, unsigned y, unsigned x, unsigned pitch) {
  return tile[y * pitch + x]; /*A*/
}
__global__ void tile_kernel(const int *in, int *out, unsigned pitch) {
  __shared__ int tile[4][8];
  cell(&tile[0][0], threadIdx.y, threadIdx.x, 8) = in[threadIdx.y * 8 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 8 + threadIdx.x] = cell(&tile[0][0], pitch, threadIdx.x, pitch); /*B*/
}
LAUNCHER(ovf_tile) { tile_kernel<<<1, dim3(8, 4)>>>(in, out, K64); }

/* case ovf_tile_fits */
LAUNCHER(ovf_tile_fits) { tile_kernel<<<1, dim3(8, 4)>>>(in, out, 0); }

/* case ovf_locals */
__global__ void locals_kernel(const int *in, int *out, unsigned k) {
  int v[4] = {in[0], in[1], in[2], in[3]};
  out[threadIdx.x] = v[threadIdx.x % 2 * 4 * k]; /*A*/
}
LAUNCHER(ovf_locals) { locals_kernel<<<1, 8>>>(in, out, 0x40000000u); }

/* case ovf_fields */
struct Node {
  short tag;
  int value[3];
};
__global__ void fields_kernel(Node *node, int *out, unsigned k) {
  if (threadIdx.x % 2) return;
  node[threadIdx.x].value[2] = threadIdx.x;
  out[threadIdx.x] = node[threadIdx.x * k].value[2]; /*A*/
}
LAUNCHER(ovf_fields) { fields_kernel<<<1, 4>>>((Node *)acc, out, 0x80000001u); }

/* case ovf_data */
__global__ void data_kernel(const int *in, int *out, unsigned a) {
  unsigned sum = 0;
  for (int k = 0; k < 32; k++) sum += a * in[k];
  out[threadIdx.x] = (int)(sum - 2 * a + in[threadIdx.x]);
}
LAUNCHER(ovf_data) { data_kernel<<<1, 32>>>(in, out, 0x80000001u); }

/* ---- division ---- */

#pragma clang diagnostic ignored "-Wdivision-by-zero"

/* case div_wide */
__global__ void div_wide_kernel(const int *in, const long long *zero, int *out) {
  unsigned long long u = in[2];
  long long s = in[1];
  out[0] = (int)(s / zero[0]) * 0 + 1; /*A*/
  u %= (unsigned long long)zero[0]; /*B*/
  out[1] = (int)u * 0 + 1;
  out[2] = in[1] / (1 - 1) * 0 + 1; /*C*/
}
LAUNCHER(div_wide) { div_wide_kernel<<<1, 1>>>(in, (const long long *)acc, out); }

/* case div_guarded */
__global__ void div_guarded_kernel(const int *in, const long long *zero, int *out) {
  const int t = threadIdx.x;
  const long long d = zero[0];
  out[t] = (int)(d ? in[t] / d : 1) + (int)(in[t] % (d - 1)) + (int)((unsigned)in[t] / ((unsigned)d - 1));
}
LAUNCHER(div_guarded) { div_guarded_kernel<<<1, 8>>>(in, (const long long *)acc, out); }

} // namespace overflow

/* case ovf_low_mask: the common mask of the lower lanes, right as it wraps */
__global__ void low_mask_kernel(const int *in, int *out) {
  const int lane = threadIdx.x;
  out[lane] = in[lane] & ((1 << lane) - 1);
}
LAUNCHER(ovf_low_mask) { low_mask_kernel<<<1, 32>>>(in, out); }

/* case ovf_wide_mask */
__global__ void wide_mask_kernel(const int *in, int *out) {
  const int lane = threadIdx.x;
  out[lane] = in[lane] & ((2 << lane) - 1); /*A*/
}
LAUNCHER(ovf_wide_mask) { wide_mask_kernel<<<1, 32>>>(in, out); }

/* case ovf_low_bit */
struct Lanes {
  int mask;
  __device__ void next() { mask &= mask - 1; }
};
__global__ void low_bit_kernel(const int *in, int *out) {
  const int lane = threadIdx.x, bit = 1 << lane;
  int turns = 0;
  for (int m = __ballot_sync(~0u, in[lane] % 2 == 0); m; m &= m - 1) turns++;
  for (Lanes l = {(int)__ballot_sync(~0u, lane % 2)}; l.mask; l.next()) turns++;
  out[lane] = turns + ((bit & -bit) == bit) + __popc(bit ^ (bit - 1)) - __popc(~bit & (bit - 1));
}
LAUNCHER(ovf_low_bit) { low_bit_kernel<<<1, 32>>>(in, out); }

/* case ovf_before_lowest */
__global__ void before_lowest_kernel(const int *in, int *out) {
  const int lane = threadIdx.x, bit = 1 << lane;
  const int before = bit - in[0]; /*A*/
  out[lane] = bit & before;
  out[lane] += -bit < 0; /*B*/
}
LAUNCHER(ovf_before_lowest) { before_lowest_kernel<<<1, 32>>>(in, out); }
