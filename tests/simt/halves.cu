/* halves.cu - half and half2 in memory: each an access of its size, through operators and functions that take references too. Rows:
 * halves.def. */
#include "launcher.h"
#include <cuda_fp16.h>

namespace halves_in_memory {

__device__ int whole(half v) { return __half2int_rn(v); }

/* ---- races ---- */

/* case half_neighbours */
__global__ void neighbours_kernel(const int *in, int *out) {
  __shared__ half s[64];
  const int t = threadIdx.x;
  s[t] = __int2half_rn(in[t]); /* two threads a word */
  __syncthreads();
  out[t] = whole(s[63 - t]);
}
LAUNCHER(half_neighbours) { neighbours_kernel<<<1, 64>>>(in, out); }

/* case half_neighbours_race */
__global__ void neighbours_race_kernel(const int *in, int *out) {
  __shared__ half s[64];
  const int t = threadIdx.x;
  s[t] = __int2half_rn(in[t]); /*A*/
  s[t ^ 1] = half(1.0f);       /*B*/
  __syncthreads();
  out[t] = whole(s[t]);
}
LAUNCHER(half_neighbours_race) { neighbours_race_kernel<<<1, 64>>>(in, out); }

/* case half_operators */
template <bool Barrier> __global__ void operators_kernel(const int *in, int *out) {
  __shared__ half s[64];
  const int t = threadIdx.x;
  s[t] = in[t]; /*A*/
  if (Barrier) __syncthreads();
  const half sum = s[t] + s[63 - t]; /*B*/
  if (Barrier) __syncthreads();
  s[t] += sum; /*C*/
  out[t] = s[t];
}
LAUNCHER(half_operators) { operators_kernel<false><<<1, 64>>>(in, out); }
LAUNCHER(half_operators_repaired) { operators_kernel<true><<<1, 64>>>(in, out); }

/* case half_tree */
template <bool Barrier> __global__ void tree_kernel(const int *in, int *out) {
  __shared__ half2 s[128];
  const int t = threadIdx.x;
  s[t] = __floats2half2_rn(in[t] & 7, 1.0f);
  __syncthreads();
  for (int k = 64; k > 0; k /= 2) {
    if (t < k) s[t] = __hadd2(s[t], s[t + k]); /*A*/
    if (Barrier) __syncthreads();
  }
  if (t == 0) out[0] = whole(__low2half(s[0])), out[1] = whole(__high2half(s[0]));
}
LAUNCHER(half_tree) { tree_kernel<false><<<1, 128>>>(in, out); }
LAUNCHER(half_tree_repaired) { tree_kernel<true><<<1, 128>>>(in, out); }

/* case half_pair_and_part */
template <int Part> __global__ void pair_and_part_kernel(int *out) {
  __shared__ half2 s[2];
  half *parts = reinterpret_cast<half *>(s);
  if (threadIdx.x == 0) s[0] = __float2half2_rn(1.0f); /*A*/
  if (threadIdx.x == 40) parts[Part] = __float2half(2.0f); /*B*/
  __syncthreads();
  if (threadIdx.x == 0) out[0] = whole(parts[Part]), out[1] = whole(parts[0]);
}
LAUNCHER(half_pair_and_part) { pair_and_part_kernel<1><<<1, 64>>>(out); }
LAUNCHER(half_pair_and_part_repaired) { pair_and_part_kernel<2><<<1, 64>>>(out); }

/* case half_atomics */
template <bool Pairs> __global__ void atomics_kernel(int *acc, int *out) {
  half *sums = reinterpret_cast<half *>(acc);
  half2 *pairs = reinterpret_cast<half2 *>(acc);
  atomicAdd(&sums[threadIdx.x % 2], half(1.0f));
  if (Pairs) atomicAdd(pairs, __float2half2_rn(2.0f)); /* of each half by itself */
  __syncthreads();
  if (threadIdx.x == 0) out[0] = whole(atomicAdd(&sums[0], half(0.0f))), out[1] = whole(atomicAdd(&pairs[0], half2(0.0f, 0.0f)).y);
}
LAUNCHER(half_atomics) { atomics_kernel<false><<<1, 64>>>(acc, out); }
LAUNCHER(half_atomics_pairs) { atomics_kernel<true><<<1, 64>>>(acc, out); }

/* case half_atomics_and_store */
__global__ void atomics_and_store_kernel(int *acc) {
  half *sums = reinterpret_cast<half *>(acc);
  if (threadIdx.x < 32) atomicAdd(&sums[1], half(1.0f)); /*A*/
  if (threadIdx.x == 63) sums[1] = half(3.0f);           /*B*/
  if (threadIdx.x == 62) sums[0] = half(3.0f);
}
LAUNCHER(half_atomics_and_store) { atomics_and_store_kernel<<<1, 64>>>(acc); }

/* ---- edges and alignment ---- */

/* case half_one_past */
template <int Spare> __global__ void one_past_kernel(const half *in, half *out, int n) {
  const int i = 2 * threadIdx.x;
  if (i + 1 < n + Spare) { /* pairs up to the end, or up to one half behind it */
    const half2 v = *reinterpret_cast<const half2 *>(in + i); /*A*/
    if (i < n) out[i] = v.x;
    if (i + 1 < n) out[i + 1] = v.y;
  } else if (i < n) out[i] = in[i];
}
LAUNCHER(half_one_past) { one_past_kernel<4><<<1, 16>>>((const half *)in, (half *)out, 2 * n); }
LAUNCHER(half_one_past_repaired) { one_past_kernel<0><<<1, 16>>>((const half *)in, (half *)out, 2 * n - 1); }

/* case half_shared_end */
template <bool Guard> __global__ void shared_end_kernel(const int *in, int *out) {
  __shared__ half s[33];
  const int t = threadIdx.x;
  if (t == 0) s[32] = half(0.0f);
  s[t] = in[t];
  __syncthreads();
  half v = s[t + 1];
  if (!Guard || t < 31) v = __hadd(v, s[t + 2]); /*A*/
  out[t] = whole(v);
}
LAUNCHER(half_shared_end) { shared_end_kernel<false><<<1, 32>>>(in, out); }
LAUNCHER(half_shared_end_repaired) { shared_end_kernel<true><<<1, 32>>>(in, out); }

/* case half_odd_rows */
template <bool Whole> __global__ void odd_rows_kernel(const half *in, half *out, int rows, int cols) {
  const int row = threadIdx.x;
  if (row >= rows) return;
  const half *from = in + row * cols;
  half *to = out + row * cols;
  int c = 0;
  if (Whole)
    for (; c + 1 < cols; c += 2)
      *reinterpret_cast<half2 *>(to + c) = __hadd2(*reinterpret_cast<const half2 *>(from + c), half2(0, 0)); /*A*/
  for (; c < cols; c++) to[c] = from[c];
}
LAUNCHER(half_odd_rows) { odd_rows_kernel<true><<<1, 32>>>((const half *)in, (half *)out, 4, 5); }
LAUNCHER(half_odd_rows_repaired) { odd_rows_kernel<false><<<1, 32>>>((const half *)in, (half *)out, 4, 5); }
LAUNCHER(half_even_rows) { odd_rows_kernel<true><<<1, 32>>>((const half *)in, (half *)out, 4, 6); }

/* case half_odd_byte */
__global__ void odd_byte_kernel(const int *in, int *out) {
  const half *p = reinterpret_cast<const half *>(reinterpret_cast<const char *>(in) + 1);
  out[threadIdx.x] = __half_as_ushort(p[2 * threadIdx.x]); /*A*/
}
LAUNCHER(half_odd_byte) { odd_byte_kernel<<<1, 8>>>(in, out); }

/* case half_odd_ldg */
template <int At> __global__ void odd_ldg_kernel(const int *in, int *out) {
  const half2 *p = reinterpret_cast<const half2 *>(reinterpret_cast<const half *>(in) + At);
  const half2 v = __ldg(p + threadIdx.x); /*A*/
  out[threadIdx.x] = __half_as_ushort(v.x) + __half_as_ushort(v.y);
}
LAUNCHER(half_odd_ldg) { odd_ldg_kernel<1><<<1, 8>>>(in, out); }
LAUNCHER(half_odd_ldg_repaired) { odd_ldg_kernel<2><<<1, 8>>>(in, out); }

/* case half_odd_sum */
template <int At> __global__ void odd_sum_kernel(const int *in, int *out) {
  const half2 *p = reinterpret_cast<const half2 *>(reinterpret_cast<const half *>(in) + At);
  const half2 v = p[0] + p[threadIdx.x]; /*A*/
  out[threadIdx.x] = __half_as_ushort(v.x);
}
LAUNCHER(half_odd_sum) { odd_sum_kernel<1><<<1, 8>>>(in, out); }
LAUNCHER(half_odd_sum_repaired) { odd_sum_kernel<2><<<1, 8>>>(in, out); }

/* case half_odd_atomic */
template <int At> __global__ void odd_atomic_kernel(int *acc, int *out) {
  half2 *p = reinterpret_cast<half2 *>(reinterpret_cast<half *>(acc) + At);
  if (threadIdx.x == 0) out[0] = whole(atomicAdd(p, half2(1.0f, 2.0f)).x); /*A*/
}
LAUNCHER(half_odd_atomic) { odd_atomic_kernel<1><<<1, 8>>>(acc, out); }
LAUNCHER(half_odd_atomic_repaired) { odd_atomic_kernel<2><<<1, 8>>>(acc, out); }

/* case half_member */
struct Entry { int key; half weight; half2 pair; };
__global__ void member_kernel(const int *in, int *out) {
  __shared__ Entry e[32];
  const int t = threadIdx.x;
  e[t] = Entry{in[t], half(2.0f), half2(1.0f, in[t])};
  __syncthreads();
  const Entry &other = e[t ^ 1];
  out[t] = whole(other.weight * other.pair.y) + other.key;
}
LAUNCHER(half_member) { member_kernel<<<1, 32>>>(in, out); }

/* ---- values nobody wrote ---- */

/* case half_unwritten */
template <bool All> __global__ void unwritten_kernel(const int *in, int *out) {
  __shared__ half s[64];
  const int t = threadIdx.x;
  if (All || t != 62) s[t] = in[t];
  __syncthreads();
  half sum = 0.0f;
  for (int i = 0; i < 64; i++) sum += s[i]; /*A*/
  out[t] = whole(sum);
}
LAUNCHER(half_unwritten) { unwritten_kernel<false><<<1, 64>>>(in, out); }
LAUNCHER(half_unwritten_repaired) { unwritten_kernel<true><<<1, 64>>>(in, out); }

/* case half_unwritten_maximum */
template <bool All> __global__ void unwritten_maximum_kernel(const int *in, int *out) {
  __shared__ half s[64];
  const int t = threadIdx.x;
  if (All || t != 63) s[t] = in[t];
  __syncthreads();
  half most = -65504.0f;
  for (int i = 0; i < 64; i++) most = __hmax(most, s[i]); /*A*/
  out[t] = whole(most);
}
LAUNCHER(half_unwritten_maximum) { unwritten_maximum_kernel<false><<<1, 64>>>(in, out); }
LAUNCHER(half_unwritten_maximum_repaired) { unwritten_maximum_kernel<true><<<1, 64>>>(in, out); }

/* case half_unwritten_minimum */
template <bool All> __global__ void unwritten_minimum_kernel(const int *in, int *out) {
  __shared__ half s[64];
  const int t = threadIdx.x;
  if (All || t != 62) s[t] = -100 * in[t];
  __syncthreads();
  half least = 65504.0f;
  for (int i = 0; i < 64; i++) least = __hmin(least, s[i]); /*A*/
  out[t] = whole(least);
}
LAUNCHER(half_unwritten_minimum) { unwritten_minimum_kernel<false><<<1, 64>>>(in, out); }
LAUNCHER(half_unwritten_minimum_repaired) { unwritten_minimum_kernel<true><<<1, 64>>>(in, out); }

/* case half_unwritten_part */
template <bool Both> __global__ void unwritten_part_kernel(const int *in, int *out) {
  __shared__ half2 s[32];
  const int t = threadIdx.x;
  s[t].x = in[t];
  if (Both) s[t].y = half(1.0f);
  __syncthreads();
  const half2 v = s[t ^ 1]; /*A*/
  out[t] = whole(__hadd(v.x, v.y));
}
LAUNCHER(half_unwritten_part) { unwritten_part_kernel<false><<<1, 32>>>(in, out); }
LAUNCHER(half_unwritten_part_repaired) { unwritten_part_kernel<true><<<1, 32>>>(in, out); }

/* ---- warps ---- */

/* case half_shuffle */
template <unsigned Mask> __global__ void shuffle_kernel(const int *in, int *out) {
  half v = in[threadIdx.x];
  half2 w(v, half(1.0f));
  for (int lanes = 16; lanes > 0; lanes /= 2) {
    v += __shfl_down_sync(Mask, v, lanes); /*A*/
    w = __hadd2(w, __shfl_xor_sync(Mask, w, lanes)); /*B*/
  }
  if (threadIdx.x == 0) out[0] = whole(v), out[1] = whole(w.x), out[2] = whole(w.y);
}
LAUNCHER(half_shuffle) { shuffle_kernel<0xffffffffu><<<1, 32>>>(in, out); }

/* case half_shuffle_absent */
__global__ void shuffle_absent_kernel(const int *in, int *out) {
  const half v = in[threadIdx.x];
  const half w = __shfl_sync(0xffffffffu, v, 31 - threadIdx.x); /*A*/
  out[threadIdx.x] = whole(w);
}
LAUNCHER(half_shuffle_absent) { shuffle_absent_kernel<<<1, 24>>>(in, out); }

} // namespace halves_in_memory
