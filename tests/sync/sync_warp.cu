/* sync_warp.cu - lanes of one warp, and warps of one block that wait for each other by flags: pairs of a right and a wrong form. See
 * sync_block.cu. */
#include "pair.h"

/* case warp_tail */
template <bool Right> __global__ void warp_tail_kernel(const int *in, int *out) {
  __shared__ volatile int s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t < 32) {
    int v = s[t] + s[t + 32];
    for (int d = 16; d > 0; d /= 2) {
      if constexpr (Right) __syncwarp();
      s[t] = v; /*!*/
      if constexpr (Right) __syncwarp();
      v += s[(t + d) % 64 < 32 ? t + d : t]; /*!*/
    }
    if (t == 0) out[0] = v;
  }
}
PAIR(warp_tail) { warp_tail_kernel<Right><<<1, 64>>>(in, out); }

/* case partial_mask: a barrier of the lower half does not wait for the upper one */
template <bool Right> __global__ void partial_mask_kernel(const int *in, int *out) {
  __shared__ int s[32];
  const int t = threadIdx.x;
  s[t] = in[t]; /*!*/
  if constexpr (Right) __syncwarp();
  else __syncwarp(t < 16 ? 0x0000ffffu : 0xffff0000u);
  out[t] = s[31 - t]; /*!*/
}
PAIR(partial_mask) { partial_mask_kernel<Right><<<1, 32>>>(in, out); }

/* case halves: each half meets by its own mask, and exchanges within itself */
template <bool Right> __global__ void halves_kernel(const int *in, int *out) {
  __shared__ int s[64];
  const int t = threadIdx.x, l = t % 32;
  const unsigned mask = l < 16 ? 0x0000ffffu : 0xffff0000u;
  for (int k = 0; k < 3; k++) {
    s[t] = in[t] + k; /*!*/
    __syncwarp(mask);
    const int v = s[t ^ 5]; /*!*/
    if constexpr (Right) __syncwarp(mask);
    if (k == 2) out[t] = v;
  }
}
PAIR(halves) { halves_kernel<Right><<<1, 64>>>(in, out); }

/* case branch_mask: a shuffle in a branch must name those who are in it */
template <bool Right> __global__ void branch_mask_kernel(const int *in, int *out) {
  const int t = threadIdx.x;
  const unsigned low = __ballot_sync(~0u, in[t] <= 20);
  int v = in[t];
  if (in[t] <= 20) v += __shfl_sync(Right ? low : ~0u, v, 3); /*!*/
  out[t] = v; /*!*/
}
PAIR(branch_mask) { branch_mask_kernel<Right><<<1, 32>>>(in, out); }

/* case shuffle_is_no_fence */
template <bool Right> __global__ void shuffle_is_no_fence_kernel(const int *in, int *out) {
  __shared__ int s[32];
  const int t = threadIdx.x;
  s[t] = in[t]; /*!*/
  const int far = __shfl_xor_sync(~0u, t, 7);
  if constexpr (Right) __syncwarp();
  out[t] = s[far]; /*!*/
}
PAIR(shuffle_is_no_fence) { shuffle_is_no_fence_kernel<Right><<<1, 32>>>(in, out); }

/* case ballot_is_no_fence */
template <bool Right> __global__ void ballot_is_no_fence_kernel(const int *in, int *out) {
  __shared__ int kept[32];
  const int t = threadIdx.x, keep = in[t] % 3 == 0;
  const unsigned yes = __ballot_sync(~0u, keep);
  if (keep) kept[__popc(yes & ((1u << t) - 1))] = in[t]; /*!*/
  if constexpr (Right) __syncwarp();
  else __ballot_sync(~0u, 1);
  out[t] = t < __popc(yes) ? kept[t] : 0; /*!*/
}
PAIR(ballot_is_no_fence) { ballot_is_no_fence_kernel<Right><<<1, 32>>>(in, out); }

/* case tile_mask: tiles of 8 lanes take different numbers of rounds */
template <bool Right> __global__ void tile_mask_kernel(const int *in, int *out) {
  const int t = threadIdx.x, tile = t % 32 / 8;
  const unsigned mask = Right ? 0xffu << 8 * tile : ~0u;
  int v = in[t];
  for (int k = 0; k <= tile; k++) v += __shfl_xor_sync(mask, v, 1, 8); /*!*/
  out[t] = v; /*!*/
}
PAIR(tile_mask) { tile_mask_kernel<Right><<<1, 64>>>(in, out); }

/* case poll_lane: one lane waits for another one's flag, then reads what it wrote */
template <bool Right> __global__ void poll_lane_kernel(const int *in, int *out) {
  __shared__ volatile int ready;
  __shared__ int data;
  if (threadIdx.x == 0) ready = 0;
  __syncwarp();
  if (threadIdx.x == 7) {
    data = in[5]; /*!*/
    if constexpr (Right) __threadfence_block();
    ready = 1;
  } else if (threadIdx.x == 20) {
    while (!ready)
      ;
    __threadfence_block();
    out[0] = data; /*!*/
  }
}
PAIR(poll_lane) { poll_lane_kernel<Right><<<1, 32>>>(in, out); }

/* case aggregated: one lane adds for all that are together */
template <bool Right> __global__ void aggregated_kernel(const int *in, int *out, int *count, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  if (i >= n || in[i] % 3) return;
  const unsigned together = __activemask();
  const int leader = __ffs(together) - 1;
  int base = 0;
  if (lane == leader) {
    if constexpr (Right) base = atomicAdd(count, __popc(together));
    else base = *count, *count = base + __popc(together); /*!*/
  }
  base = __shfl_sync(together, base, leader);
  out[base + __popc(together & ((1u << lane) - 1))] = 1; /*!*/
}
PAIR(aggregated) { aggregated_kernel<Right><<<3, 64>>>(in, out, acc, n); }

/* case warp_transpose */
template <bool Right> __global__ void warp_transpose_kernel(const int *in, int *out) {
  __shared__ int s[2][8][9];
  const int w = threadIdx.x / 32, l = threadIdx.x % 32;
  for (int k = l; k < 64; k += 32) s[w][k / 8][k % 8] = in[w * 64 + k]; /*!*/
  if constexpr (Right) __syncwarp();
  for (int k = l; k < 64; k += 32) out[w * 64 + k] = s[w][k % 8][k / 8]; /*!*/
}
PAIR(warp_transpose) { warp_transpose_kernel<Right><<<1, 64>>>(in, out); }

/* case part_warp: the last warp of the block has 13 lanes; the full mask may name the missing ones */
template <bool Right> __global__ void part_warp_kernel(const int *in, int *out) {
  __shared__ int s[45];
  const int t = threadIdx.x, first = t / 32 * 32, lanes = min(32, (int)blockDim.x - first);
  s[t] = in[t]; /*!*/
  if constexpr (Right) __syncwarp();
  out[t] = s[first + (t - first + 1) % lanes]; /*!*/
}
PAIR(part_warp) { part_warp_kernel<Right><<<1, 45>>>(in, out); }

/* case lane_broadcast: lane 0 writes the next value while others read the last */
template <bool Right> __global__ void lane_broadcast_kernel(const int *in, int *out) {
  __shared__ int s;
  int sum = 0;
  for (int k = 0; k < 4; k++) {
    if (threadIdx.x == 0) s = in[k]; /*!*/
    __syncwarp();
    sum += s; /*!*/
    if constexpr (Right) __syncwarp();
  }
  out[threadIdx.x] = sum;
}
PAIR(lane_broadcast) { lane_broadcast_kernel<Right><<<1, 32>>>(in, out); }

/* case lock_lanes: lanes of one warp take a lock one after the other */
template <bool Right> __global__ void lock_lanes_kernel(const int *in, int *out) {
  __shared__ int lock, sum;
  if (threadIdx.x == 0) lock = sum = 0;
  __syncthreads();
  for (bool done = false; !done;)
    if (atomicCAS(&lock, 0, 1) == 0) {
      if constexpr (Right) __threadfence_block();
      sum += in[threadIdx.x]; /*!*/
      if constexpr (Right) __threadfence_block();
      atomicExch(&lock, 0);
      done = true;
    }
  __syncthreads();
  if (threadIdx.x == 0) out[0] = sum;
}
PAIR(lock_lanes) { lock_lanes_kernel<Right><<<1, 32>>>(in, out); }

/* ---- warps wait for warps ---- */

/* case producer: a warp fills a buffer, another one waits for the flag */
template <bool Right> __global__ void producer_kernel(const int *in, int *out) {
  __shared__ int data[32];
  __shared__ volatile int full;
  const int t = threadIdx.x, l = t % 32;
  if (t == 0) full = 0;
  __syncthreads();
  if (t < 32) {
    data[l] = in[l]; /*!*/
    __syncwarp();
    if (l == 0) {
      if constexpr (Right) __threadfence_block();
      full = 1;
    }
  } else {
    while (!full)
      ;
    __threadfence_block();
    out[l] = data[31 - l]; /*!*/
  }
}
PAIR(producer) { producer_kernel<Right><<<1, 64>>>(in, out); }

/* case consumer_fence: the reader's fence alone is missing */
template <bool Right> __global__ void consumer_fence_kernel(const int *in, int *out) {
  __shared__ int data[32];
  __shared__ int full;
  const int t = threadIdx.x, l = t % 32;
  if (t == 0) full = 0;
  __syncthreads();
  if (t < 32) {
    data[l] = in[l]; /*!*/
    __threadfence_block();
    atomicAdd(&full, 1);
  } else {
    while (atomicAdd(&full, 0) < 32)
      ;
    if constexpr (Right) __threadfence_block();
    out[l] = data[31 - l]; /*!*/
  }
}
PAIR(consumer_fence) { consumer_fence_kernel<Right><<<1, 64>>>(in, out); }

/* case ring: two stages, with a flag for full and one for empty; the wrong producer does not wait for empty */
template <bool Right> __global__ void ring_kernel(const int *in, int *out) {
  __shared__ int stage[2][32];
  __shared__ volatile int full[2], empty[2];
  const int t = threadIdx.x, l = t % 32;
  if (t < 2) full[t] = empty[t] = 0;
  __syncthreads();
  for (int k = 0; k < 5; k++) {
    const int b = k & 1, turn = k / 2 + 1;
    if (t < 32) {
      if constexpr (Right) {
        while (empty[b] < turn - 1)
          ;
        __threadfence_block();
      }
      stage[b][l] = in[k * 32 + l]; /*!*/
      __threadfence_block();
      __syncwarp();
      if (l == 0) full[b] = turn;
    } else {
      while (full[b] < turn)
        ;
      __threadfence_block();
      out[k * 32 + l] = stage[b][(l + 1) % 32]; /*!*/
      __threadfence_block();
      __syncwarp();
      if (l == 0) empty[b] = turn;
    }
  }
}
PAIR(ring) { ring_kernel<Right><<<1, 64>>>(in, out); }

/* case many_consumers: each warp but the first waits for its own flag */
template <bool Right> __global__ void many_consumers_kernel(const int *in, int *out) {
  __shared__ int data[4];
  __shared__ int flag[4];
  const int t = threadIdx.x + 16 * (threadIdx.y + 2 * threadIdx.z), w = t / 32;
  if (t < 4) flag[t] = 0;
  __syncthreads();
  if (t == 0)
    for (int k = 1; k < 4; k++) {
      data[k] = in[k]; /*!*/
      if (Right || k > 1) __threadfence_block();
      atomicExch(&flag[k], 1);
    }
  if (w > 0) {
    if (t % 32 == 0)
      while (atomicCAS(&flag[w], 1, 2) != 1) __nanosleep(10);
    __syncwarp();
    __threadfence_block();
    out[t] = data[w]; /*!*/
  }
}
PAIR(many_consumers) { many_consumers_kernel<Right><<<1, dim3(16, 2, 4)>>>(in, out); }

/* case count_down: the last warp to arrive reads what the others left */
template <bool Right> __global__ void count_down_kernel(const int *in, int *out) {
  __shared__ int part[4], left;
  const int t = threadIdx.x, w = t / 32;
  if (t == 0) left = 4;
  __syncthreads();
  int v = in[t];
  for (int d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d);
  if (t % 32 == 0) {
    part[w] = v; /*!*/
    if constexpr (Right) __threadfence_block();
    if (atomicSub(&left, 1) == 1) {
      __threadfence_block();
      out[0] = part[0] + part[1] + part[2] + part[3]; /*!*/
    }
  }
}
PAIR(count_down) { count_down_kernel<Right><<<1, 128>>>(in, out); }

/* case warp_lock: the warps of a block take a lock, one lane each */
template <bool Right> __global__ void warp_lock_kernel(const int *in, int *out) {
  __shared__ int lock, low, high;
  if (threadIdx.x == 0) lock = 0, low = 1000, high = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(&lock, 0, 1)) __nanosleep(100);
    __threadfence_block();
    low = min(low, in[threadIdx.x]); /*!*/
    high = max(high, in[threadIdx.x]); /*!*/
    if constexpr (Right) __threadfence_block();
    atomicExch(&lock, 0);
  }
  __syncthreads();
  out[threadIdx.x] = 100 * low + high;
}
PAIR(warp_lock) { warp_lock_kernel<Right><<<1, 96>>>(in, out); }

/* case wait_before_barrier: one warp waits for a flag that is raised only behind the barrier */
template <bool Right> __global__ void wait_before_barrier_kernel(const int *in, int *out) {
  __shared__ volatile int go;
  const int t = threadIdx.x;
  if (t == 0) go = 0;
  __syncthreads();
  if (!Right && t == 40)
    while (!go) /*!*/
      ;
  __syncthreads();
  if (t == 3) go = 1;
  if (Right && t == 40)
    while (!go)
      ;
  out[t] = in[t];
}
PAIR(wait_before_barrier) { wait_before_barrier_kernel<Right><<<1, 64>>>(in, out); }
