/* warps.cu - shuffles, votes, matches, reductions and __syncwarp. Rows: warps.def. */
#include "launcher.h"
#include <cuda_runtime.h>

namespace warps {

#define FULL 0xffffffffu

__device__ __forceinline__ int lane() { return threadIdx.x & 31; }

/* ---- clean ---- */

/* case warp_butterfly */
template <typename T> __device__ T warp_sum(T v) {
#pragma unroll
  for (int mask = 16; mask > 0; mask /= 2) v += __shfl_xor_sync(FULL, v, mask);
  return v;
}
__global__ void butterfly_kernel(const int *in, int *out) { out[threadIdx.x] = warp_sum(in[threadIdx.x]); }
LAUNCHER(warp_butterfly) { butterfly_kernel<<<1, 64>>>(in, out); }

/* case warp_scan */
__global__ void scan_kernel(const int *in, int *out) {
  int v = in[threadIdx.x];
  for (int d = 1; d < warpSize; d <<= 1) {
    const int below = __shfl_up_sync(FULL, v, d);
    if (lane() >= d) v += below;
  }
  out[threadIdx.x] = v;
}
LAUNCHER(warp_scan) { scan_kernel<<<1, 96>>>(in, out); }

/* case warp_widths */
__global__ void widths_kernel(const int *in, int *out) {
  const int v = in[threadIdx.x];
  const int down = __shfl_down_sync(FULL, v, 3, 8), up = __shfl_up_sync(FULL, v, 2, 4);
  const int at = __shfl_sync(FULL, v, 19, 16), x = __shfl_xor_sync(FULL, v, 5, 8);
  out[threadIdx.x] = down + 100 * up + 10000 * at + 1000000 * x;
}
LAUNCHER(warp_widths) { widths_kernel<<<1, 32>>>(in, out); }

/* case warp_wide_types */
struct Pair { double d; long long k; };
__device__ Pair from_lane(Pair p, int src) {
  p.d = __shfl_sync(FULL, p.d, src);
  p.k = __shfl_sync(FULL, p.k, src);
  return p;
}
__global__ void wide_types_kernel(const int *in, int *out) {
  const Pair p = from_lane(Pair{in[threadIdx.x] * 0.5, (long long)in[threadIdx.x] << 40}, (lane() + 5) % 32);
  out[threadIdx.x] = (int)(p.d * 2) + (int)(p.k >> 40);
}
LAUNCHER(warp_wide_types) { wide_types_kernel<<<1, 32>>>(in, out); }

/* case warp_halves */
__global__ void halves_kernel(const int *in, int *out) {
  int v = in[threadIdx.x];
  if (lane() < 16) {
    for (int d = 8; d; d >>= 1) v += __shfl_xor_sync(0x0000ffffu, v, d);
  } else {
    for (int d = 8; d; d >>= 1) v = max(v, __shfl_xor_sync(0xffff0000u, v, d));
  }
  out[threadIdx.x] = v;
}
LAUNCHER(warp_halves) { halves_kernel<<<1, 32>>>(in, out); }

/* case warp_quarters */
__global__ void quarters_kernel(const int *in, int *out) {
  const unsigned mask = 0xffu << (lane() & ~7);
  int v = in[threadIdx.x];
  switch (lane() / 8) {
  case 0: v = __shfl_sync(mask, v, 3); break;
  case 1: v = __popc(__ballot_sync(mask, v & 1)); break;
  case 2: v = __all_sync(mask, v > 16) ? -1 : -2; break;
  default: v = __shfl_down_sync(mask, v, 1, 8);
  }
  __syncwarp();
  out[threadIdx.x] = v;
}
LAUNCHER(warp_quarters) { quarters_kernel<<<1, 32>>>(in, out); }

/* case warp_votes */
__global__ void votes_kernel(const int *in, int *out) {
  const int v = in[threadIdx.x];
  int r = __all_sync(FULL, v) ? 1 : 0;
  r |= __all_sync(FULL, v < 40) ? 2 : 0;
  r |= __any_sync(FULL, v == 40) ? 4 : 0;
  r |= __ballot_sync(FULL, v % 2) == 0x55555555u ? 8 : 0;
  r |= __uni_sync(FULL, v < 33) ? 16 : 0;
  out[threadIdx.x] = r;
}
LAUNCHER(warp_votes) { votes_kernel<<<1, 64>>>(in, out); }

/* case warp_partial_ballot */
__global__ void partial_ballot_kernel(int *out) { out[threadIdx.x] = (int)__ballot_sync(FULL, 1); }
LAUNCHER(warp_partial_ballot) { partial_ballot_kernel<<<1, 45>>>(out); }

/* case warp_match */
__global__ void match_kernel(const int *in, int *out) {
  const unsigned peers = __match_any_sync(FULL, in[threadIdx.x] % 5);
  int same = 0;
  const unsigned all = __match_all_sync(FULL, in[threadIdx.x] / 100, &same);
  out[threadIdx.x] = __popc(peers) + (same && all == FULL ? 100 : 0);
}
LAUNCHER(warp_match) { match_kernel<<<1, 32>>>(in, out); }

/* case warp_reduce */
__global__ void reduce_kernel(const int *in, int *out) {
  const int v = in[threadIdx.x] - 10;
  const unsigned u = in[threadIdx.x];
  out[threadIdx.x] = __reduce_add_sync(FULL, v) + 1000 * __reduce_min_sync(FULL, v) + 100000 * __reduce_max_sync(FULL, v) +
                     (int)(__reduce_and_sync(FULL, u | 64) + __reduce_or_sync(FULL, u) + __reduce_xor_sync(FULL, u));
}
LAUNCHER(warp_reduce) { reduce_kernel<<<1, 32>>>(in, out); }

/* case warp_active */
__global__ void active_kernel(const int *in, int *out, int *acc) {
  const int v = in[threadIdx.x];
  if (v % 3 == 0) {
    const unsigned m = __activemask();
    const int leader = __ffs(m) - 1;
    int base = 0;
    if (lane() == leader) base = atomicAdd(&acc[0], __popc(m));
    base = __shfl_sync(m, base, leader);
    acc[1 + base + __popc(m & ((1u << lane()) - 1))] = v;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int i = 0; i < acc[0]; i++) sum += acc[1 + i];
    out[0] = sum;
  }
}
LAUNCHER(warp_active) { active_kernel<<<1, 70>>>(in, out, acc); }

/* case warp_sync_halves */
__global__ void sync_halves_kernel(const int *in, int *out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  const unsigned half = lane() < 16 ? 0xffffu : 0xffff0000u;
  s[t] = in[t];
  __syncwarp(half);
  int v = s[t ^ 15];
  __syncwarp(half);
  s[t] = v;
  __syncwarp();
  v = s[t ^ 16];
  out[t] = v;
}
LAUNCHER(warp_sync_halves) { sync_halves_kernel<<<1, 64>>>(in, out); }

/* case warp_vote_loop */
__global__ void vote_loop_kernel(const int *in, int *out) {
  int k = 0;
  const int mine = in[threadIdx.x] % 7;
  while (__any_sync(FULL, k < mine)) k++;
  out[threadIdx.x] = k;
}
LAUNCHER(warp_vote_loop) { vote_loop_kernel<<<1, 32>>>(in, out); }

/* case warp_leave_loop */
__global__ void leave_loop_kernel(const int *in, int *out) {
  unsigned left = FULL;
  int rounds = 0;
  for (;;) {
    const bool stay = rounds < in[threadIdx.x] % 4;
    left = __ballot_sync(left, stay);
    if (!stay) break;
    rounds++;
  }
  out[threadIdx.x] = rounds;
}
LAUNCHER(warp_leave_loop) { leave_loop_kernel<<<1, 32>>>(in, out); }

/* case warp_exited_named */
__global__ void exited_named_kernel(const int *in, int *out, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  int v = in[i];
  const unsigned there = __ballot_sync(FULL, 1);
  v = __shfl_sync(FULL, v, 0) + __popc(there);
  out[i] = v;
}
LAUNCHER(warp_exited_named) { exited_named_kernel<<<1, 64>>>(in, out, n); }

/* case warp_ballot_mask */
__global__ void ballot_mask_kernel(const int *in, int *out, int n) {
  const int i = threadIdx.x;
  const unsigned mask = __ballot_sync(FULL, i < n);
  if (i < n) {
    int v = in[i];
    for (int d = 16; d > 0; d /= 2) {
      const int other = __shfl_down_sync(mask, v, d); /*A*/
      if (lane() + d < 32 && mask >> (lane() + d) & 1) v += other;
    }
    if (lane() == 0) out[i] = v;
  }
}
LAUNCHER(warp_ballot_mask) { ballot_mask_kernel<<<1, 64>>>(in, out, n); }

/* case warp_guarded_tail */
__global__ void guarded_tail_kernel(const int *in, int *out, int n) {
  const int i = threadIdx.x, there = min(32, n - (i & ~31));
  int v = in[i];
  for (int d = 16; d > 0; d /= 2) {
    const int other = __shfl_down_sync(FULL, v, d); /*A*/
    v += lane() + d < there ? other : 0;
  }
  if (lane() == 0) out[i] = v;
}
LAUNCHER(warp_guarded_tail) { guarded_tail_kernel<<<1, n>>>(in, out, n); }

/* case warp_unused_source */
__global__ void unused_source_kernel(const int *in, int *out) {
  const int t = threadIdx.x;
  if (lane() >= 20) return;
  const int v = __shfl_sync(0xfffffu, in[t], lane() + 4); /*A*/
  if (lane() < 16) out[t] = v;
}
LAUNCHER(warp_unused_source) { unused_source_kernel<<<1, 32>>>(in, out); }

/* case warp_last_in_branch */
__global__ void last_in_branch_kernel(const int *in, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const int v = __reduce_add_sync(FULL, in[i]);
    out[i] = v + __popc(__ballot_sync(FULL, 1));
  }
}
LAUNCHER(warp_last_in_branch) { last_in_branch_kernel<<<2, 32>>>(in, out, n); }

/* case warp_break_behind */
/* What is computed in front of the shuffle is used after the loop, which is left behind it. */
__global__ void break_behind_kernel(const int *in, int *out) {
  int v = in[threadIdx.x], passed = 0;
  for (int d = 1; d < 32; d <<= 1) {
    passed += d;
    v += __shfl_xor_sync(FULL, v, d);
    if (d == 8) break;
  }
  out[threadIdx.x] = v * 100 + passed;
}
LAUNCHER(warp_break_behind) { break_behind_kernel<<<1, 64>>>(in, out); }

/* case warp_leaves_loop_and_kernel */
__global__ void leaves_loop_and_kernel_kernel(const int *in, int *out, int n) {
  for (int base = 0;; base += 32) {
    const int i = base + threadIdx.x;
    if (i >= n) return;
    const int first = __shfl_sync(FULL, in[i], 0);
    out[i] = in[i] - first;
    __syncwarp();
  }
}
LAUNCHER(warp_leaves_loop_and_kernel) { leaves_loop_and_kernel_kernel<<<1, 32>>>(in, out, n); }

/* case warp_first_warp_only */
__global__ void first_warp_only_kernel(const int *in, int *out) {
  __shared__ int sums[3];
  int v = __reduce_add_sync(FULL, in[threadIdx.x]);
  if (lane() == 0) sums[threadIdx.x / 32] = v;
  __syncthreads();
  v = threadIdx.x < 3 ? sums[lane()] : 0;
  if (threadIdx.x / 32 == 0) {
    for (int d = 2; d > 0; d /= 2) v += __shfl_down_sync(FULL, v, d);
  }
  if (threadIdx.x == 0) out[0] = v;
}
LAUNCHER(warp_first_warp_only) { first_warp_only_kernel<<<1, 96>>>(in, out); }

/* case warp_flat_blocks */
__global__ void flat_blocks_kernel(int *out) {
  const int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  int v = t;
  v = __shfl_sync(FULL, v, 9);
  out[blockIdx.x * 60 + t] = v;
}
LAUNCHER(warp_flat_blocks) { flat_blocks_kernel<<<2, dim3(5, 4, 3)>>>(out); }

/* case warp_lambda */
__global__ void lambda_scan_kernel(const int *in, int *out) {
  const auto combine = [](int a, int b) { return a > b ? a : b; };
  const auto scan = [&](auto op, int v) {
    for (int d = 1; d < 32; d *= 2) {
      int o = __shfl_up_sync(FULL, v, d);
      v = lane() < d ? v : op(v, o);
    }
    return v;
  };
  out[threadIdx.x] = scan(combine, in[threadIdx.x] % 10);
}
LAUNCHER(warp_lambda) { lambda_scan_kernel<<<1, 32>>>(in, out); }

/* case warp_active_while_spinning */
__global__ void active_while_spinning_kernel(int *out, int *acc) {
  volatile int *flag = acc;
  if (threadIdx.x < 32) {
    const unsigned m = __activemask();
    if (lane() == __ffs(m) - 1) atomicAdd(&acc[1], __popc(m));
    __syncwarp();
    if (threadIdx.x == 0) *flag = 1;
  } else {
    while (*flag == 0) {
    }
  }
  out[threadIdx.x] = 3;
}
LAUNCHER(warp_active_while_spinning) { active_while_spinning_kernel<<<1, 64>>>(out, acc); }

/* case warp_poll_lane */
__global__ void poll_lane_kernel(const int *in, int *out, volatile int *flag) {
  if (lane() == 0) {
    while (*flag != 7)
      ;
    out[0] = 1;
  } else if (lane() == 9) {
    *flag = in[6];
  }
  __syncwarp();
  out[1 + threadIdx.x] = 2;
}
LAUNCHER(warp_poll_lane) { poll_lane_kernel<<<1, 32>>>(in, out, acc); }

/* case warp_many_groups */
__global__ void many_groups_kernel(const int *in, int *out) {
  int v = in[threadIdx.x];
  for (int k = 0; k < 20; k++) {
    const int width = 2 << (lane() / 8);
    const unsigned mask = (width == 32 ? FULL : (1u << width) - 1) << (lane() & ~(width - 1));
    const unsigned own = mask & (0xffu << (lane() & ~7));
    v = __shfl_sync(own, v, lane() ^ 1);
    if (k % 3 == lane() / 8) __syncwarp(own);
  }
  out[threadIdx.x] = v;
}
LAUNCHER(warp_many_groups) { many_groups_kernel<<<1, 32>>>(in, out); }

/* case warp_order_by_group */
__global__ void order_by_group_kernel(const int *in, int *out) {
  __shared__ int s[32];
  const unsigned low = 0x0fu, all = 0xffu;
  const int l = lane();
  if (l >= 8) return;
  if (l < 4) {
    s[l] = in[l];
    __syncwarp(low);
    s[l] += s[l ^ 1] * 0; /*A*/
  }
  __syncwarp(all);
  out[l] = s[l & 3];
}
LAUNCHER(warp_order_by_group) { order_by_group_kernel<<<1, 32>>>(in, out); }

/* ---- the caller is not named ---- */

/* case warp_not_named */
__global__ void not_named_kernel(const int *in, int *out) {
  int v = in[threadIdx.x];
  v += __shfl_xor_sync(0x0000ffffu, v, 1); /*A*/
  out[threadIdx.x] = v;
}
LAUNCHER(warp_not_named) { not_named_kernel<<<1, 32>>>(in, out); }

/* case warp_vote_not_named */
__global__ void vote_not_named_kernel(const int *in, int *out) {
  const unsigned mask = (1u << 31) - 1;
  out[threadIdx.x] = __any_sync(mask, in[threadIdx.x] == 5); /*A*/
}
LAUNCHER(warp_vote_not_named) { vote_not_named_kernel<<<1, 32>>>(in, out); }

/* case warp_sync_nobody */
__device__ void sync_group(unsigned mask) {
  __syncwarp(mask); /*A*/
}
__global__ void sync_nobody_kernel(int *out) {
  sync_group(lane() < 16 ? 0xffffu : 0u); /*B*/
  out[threadIdx.x] = 1;
}
LAUNCHER(warp_sync_nobody) { sync_nobody_kernel<<<1, 32>>>(out); }

/* case warp_shifted_mask */
__global__ void shifted_mask_kernel(const int *in, int *out) {
  const int n = 20;
  int v = in[threadIdx.x];
  if (threadIdx.x < n) v = __reduce_max_sync((1u << (n - 1)) - 1, v); /*A*/
  out[threadIdx.x] = v;
}
LAUNCHER(warp_shifted_mask) { shifted_mask_kernel<<<1, 32>>>(in, out); }

/* ---- a named lane never arrives ---- */

/* case warp_waits_for_barrier */
__global__ void waits_for_barrier_kernel(const int *in, int *out) {
  int v = in[threadIdx.x];
  if (lane() < 16) v += __shfl_down_sync(FULL, v, 8); /*A*/
  __syncthreads(); /*B*/
  out[threadIdx.x] = v;
}
LAUNCHER(warp_waits_for_barrier) { waits_for_barrier_kernel<<<1, 64>>>(in, out); }

/* case warp_waits_for_warp */
__global__ void waits_for_warp_kernel(const int *in, int *out) {
  const int v = lane() < 24 ? __shfl_up_sync(FULL, in[threadIdx.x], 1) : 0; /*A*/
  __syncwarp(); /*B*/
  out[threadIdx.x] = v;
}
LAUNCHER(warp_waits_for_warp) { waits_for_warp_kernel<<<2, 32>>>(in, out); }

/* case warp_divergent_loop */
__global__ void divergent_loop_kernel(const int *in, int *out) {
  int v = in[threadIdx.x];
  for (int k = 0; k < v % 3; k++) v += 3 * __shfl_xor_sync(FULL, v, 1); /*A*/
  v = __reduce_add_sync(FULL, v); /*B*/
  out[threadIdx.x] = v;
}
LAUNCHER(warp_divergent_loop) { divergent_loop_kernel<<<1, 32>>>(in, out); }

/* case warp_two_operations */
__global__ void two_operations_kernel(const int *in, int *out) {
  int v = in[threadIdx.x];
  if (lane() & 1)
    v = __shfl_up_sync(FULL, v, 1); /*A*/
  else
    v = __shfl_down_sync(FULL, v, 1); /*B*/
  out[threadIdx.x] = v;
}
LAUNCHER(warp_two_operations) { two_operations_kernel<<<1, 32>>>(in, out); }

/* case warp_two_masks */
__global__ void two_masks_kernel(const int *in, int *out) {
  int v = in[threadIdx.x];
  const unsigned mask = lane() < 16 ? FULL : 0xffff0001u;
  v = __shfl_sync(mask, v, 0); /*A*/
  out[threadIdx.x] = v;
}
LAUNCHER(warp_two_masks) { two_masks_kernel<<<1, 32>>>(in, out); }

/* case warp_helper_deadlock */
__device__ int first_of_warp(int v) {
  return __shfl_sync(FULL, v, 0); /*A*/
}
__global__ void helper_deadlock_kernel(const int *in, int *out) {
  __shared__ int total;
  if (threadIdx.x == 0) {
    total = first_of_warp(in[0]); /*C*/
  }
  __syncthreads(); /*B*/
  out[threadIdx.x] = total;
}
LAUNCHER(warp_helper_deadlock) { helper_deadlock_kernel<<<1, 40>>>(in, out); }

/* case warp_half_in_branch */
__global__ void half_in_branch_kernel(const int *in, int *out) {
  int v = in[threadIdx.x];
  if (threadIdx.x < 16) {
    for (int d = 8; d > 0; d /= 2) v += __shfl_xor_sync(FULL, v, d); /*A*/
  }
  out[threadIdx.x] = v; /*B*/
}
LAUNCHER(warp_half_in_branch) { half_in_branch_kernel<<<1, 32>>>(in, out); }

/* case warp_stride_loop */
__global__ void stride_loop_kernel(const int *in, int *out, int n) {
  int v = 0;
  for (int i = threadIdx.x; i < n; i += 32) {
    v += in[i];
    if (__any_sync(FULL, v > 1000)) v = 0; /*A*/
  }
  out[threadIdx.x] = v; /*B*/
}
LAUNCHER(warp_stride_loop) { stride_loop_kernel<<<1, 32>>>(in, out, n); }

/* case warp_skips_sync */
__device__ void publish(int *s, int v) {
  s[lane()] = v;
  __syncwarp(); /*A*/
}
__global__ void skips_sync_kernel(const int *in, int *out) {
  __shared__ int s[32];
  const int t = threadIdx.x;
  int v = 0;
  if (in[t] % 4) {
    publish(s, in[t]); /*C*/
    v = s[t];
  }
  out[t] = v; /*B*/
}
LAUNCHER(warp_skips_sync) { skips_sync_kernel<<<1, 32>>>(in, out); }

/* ---- a value of a lane that is not there is used ---- */

/* case warp_exited_read */
__global__ void exited_read_kernel(const int *in, int *out, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  int v = in[i];
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(FULL, v, d); /*A*/
  if (lane() == 0) out[0] = v;
}
LAUNCHER(warp_exited_read) { exited_read_kernel<<<1, 32>>>(in, out, n); }

/* case warp_absent_read */
__global__ void absent_read_kernel(const int *in, int *out) {
  float v = (float)in[threadIdx.x];
  v = fmaxf(v, __shfl_xor_sync(FULL, v, 8)); /*A*/
  out[threadIdx.x] = (int)v;
}
LAUNCHER(warp_absent_read) { absent_read_kernel<<<1, 12>>>(in, out); }

/* case warp_unnamed_read */
__global__ void unnamed_read_kernel(const int *in, int *out) {
  int v = in[threadIdx.x];
  if (lane() < 16) v = __shfl_sync(0x0000ffffu, v, 20); /*A*/
  out[threadIdx.x] = v;
}
LAUNCHER(warp_unnamed_read) { unnamed_read_kernel<<<1, 32>>>(in, out); }

/* case warp_unguarded_tail */
template <int Threads> __global__ void unguarded_tail_kernel(const int *in, int *out) {
  int v = in[threadIdx.x];
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(FULL, v, d); /*A*/
  if (lane() == 0) out[threadIdx.x] = v;
}
LAUNCHER(warp_unguarded_tail) { unguarded_tail_kernel<45><<<1, 45>>>(in, out); }

/* case warp_odd_width */
__global__ void odd_width_kernel(const int *in, int *out) {
  int v = in[threadIdx.x];
  for (int d = 12; d > 0; d /= 2)
    v += __shfl_down_sync(FULL, v, d, 24); /*A*/
  if (lane() == 0) out[0] = v;
}
LAUNCHER(warp_odd_width) { odd_width_kernel<<<1, 32>>>(in, out); }

} // namespace warps
