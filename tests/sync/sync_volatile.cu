/* sync_volatile.cu - data, flags and whole words in volatile memory: which are in order, and which only look as if. See sync_block.cu. */
#include "pair.h"

/* case volatile_tree: the reduction of NVIDIA's samples */
template <bool Right> __global__ void volatile_tree_kernel(const int *in, int *out) {
  __shared__ volatile int s[128];
  const int t = (int)threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t < 64) s[t] = s[t] + s[t + 64]; /*!*/
  if constexpr (Right) __syncthreads();
  if (t < 32) {
    int v = s[t] + s[t + 32]; /*!*/
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
    if (t == 0) out[0] = v;
  }
}
PAIR(volatile_tree) { volatile_tree_kernel<Right><<<1, 128>>>(in, out); }

/* case volatile_scan: what is read must be read before it is written over */
template <bool Right> __global__ void volatile_scan_kernel(const int *in, int *out) {
  __shared__ volatile int s[96];
  const int t = (int)threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int d = 1; d < 96; d *= 2) {
    const int add = t >= d ? s[t - d] : 0; /*!*/
    if constexpr (Right) __syncthreads();
    else __syncwarp();
    s[t] = s[t] + add; /*!*/
    __syncthreads();
  }
  out[t] = s[t];
}
PAIR(volatile_scan) { volatile_scan_kernel<Right><<<1, 96>>>(in, out); }

/* case volatile_total: one thread tells the block */
template <bool Right> __global__ void volatile_total_kernel(const int *in, int *out) {
  __shared__ volatile int total;
  if (threadIdx.x == 0) total = 1;
  __syncthreads();
  if (threadIdx.x == 0) total = in[9]; /*!*/
  if constexpr (Right) __syncthreads();
  out[threadIdx.x] = threadIdx.x < 32 ? 10 : total; /*!*/
}
PAIR(volatile_total) { volatile_total_kernel<Right><<<1, 64>>>(in, out); }

/* case volatile_found: a flag that any thread may raise, and that saves work; as a result it has to be waited for */
template <bool Right> __global__ void volatile_found_kernel(const int *in, int *out, int n) {
  __shared__ volatile int found;
  if (threadIdx.x == 0) found = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    for (int i = (int)threadIdx.x / 32; i < n && !found; i += 2)
      if (in[i] == 8 || in[i] == 31) found = 1; /*!*/
    if (found) out[threadIdx.x + 64] = 1;
  }
  if constexpr (Right) __syncthreads();
  out[threadIdx.x] = found; /*!*/
}
PAIR(volatile_found) { volatile_found_kernel<Right><<<1, 64>>>(in, out, n); }

/* case volatile_most: the larger of two */
template <bool Right> __global__ void volatile_most_kernel(const int *in, int *out) {
  __shared__ volatile int s[128];
  const int t = (int)threadIdx.x;
  int most = in[t];
  s[t] = most;
  for (int d = 64; d >= 32; d /= 2) {
    if (Right || d == 64) __syncthreads();
    if (t < d) {
      const int other = s[t + d]; /*!*/
      if (other > most) most = other;
      s[t] = most; /*!*/
    }
  }
  for (int d = 16; d > 0; d /= 2) most = max(most, __shfl_down_sync(~0u, most, d));
  if (t == 0) out[0] = most;
}
PAIR(volatile_most) { volatile_most_kernel<Right><<<1, 128>>>(in, out); }

/* case volatile_warps: one warp makes what another one takes */
template <bool Right> __global__ void volatile_warps_kernel(const int *in, int *out) {
  __shared__ volatile int box[32], full;
  const int lane = (int)threadIdx.x % 32;
  if (threadIdx.x == 0) full = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    box[lane] = in[lane]; /*!*/
    if constexpr (Right) __threadfence_block();
    __syncwarp();
    if (lane == 0) full = 1;
  } else {
    while (!full)
      ;
    __threadfence_block();
    out[lane] = box[31 - lane]; /*!*/
  }
}
PAIR(volatile_warps) { volatile_warps_kernel<Right><<<1, 64>>>(in, out); }

/* case volatile_once: whoever comes first makes what all use */
template <bool Right> __global__ void volatile_once_kernel(const int *in, int *out, int *begun, volatile int *ready, volatile int *made) {
  if (!*ready) {
    if (atomicCAS(begun, 0, 1) == 0) {
      *made = in[4]; /*!*/
      if constexpr (Right) __threadfence();
      *ready = 1;
    }
    while (!*ready)
      ;
  }
  __threadfence();
  out[blockIdx.x] = *made; /*!*/
}
PAIR(volatile_once) { volatile_once_kernel<Right><<<8, 1>>>(in, out, acc, acc + 1, acc + 2); }

/* case volatile_progress: the reader takes as much as there is */
template <bool Right> __global__ void volatile_progress_kernel(const int *in, int *out, volatile int *written, volatile int *list) {
  if (blockIdx.x == 0) {
    for (int i = 0; i < 10; i++) {
      list[i] = in[i]; /*!*/
      if constexpr (Right) __threadfence();
      *written = i + 1;
    }
  } else {
    int sum = 0;
    for (int i = 0; i < 10;) {
      const int end = *written;
      __threadfence();
      for (; i < end; i++) sum += list[i]; /*!*/
    }
    out[0] = sum;
  }
}
PAIR(volatile_progress) { volatile_progress_kernel<Right><<<2, 1>>>(in, out, acc, acc + 1); }

/* case volatile_last_block: the example of the CUDA C++ Programming Guide, Memory Fence Functions */
template <bool Right> __global__ void volatile_last_block_kernel(const int *in, int *out, unsigned *count, volatile int *result) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    result[blockIdx.x] = in[blockIdx.x]; /*!*/
    if constexpr (Right) __threadfence();
    is_last = atomicInc(count, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last || threadIdx.x) return;
  int total = 0;
  for (unsigned i = 0; i < gridDim.x; i++) total += result[i]; /*!*/
  out[0] = total;
  *count = 0;
}
PAIR(volatile_last_block) { volatile_last_block_kernel<Right><<<12, 40>>>(in, out, (unsigned *)acc, acc + 1); }

/* case volatile_fence_behind: the fence on the wrong side of the counter, and the reader's own */
template <bool Right> __global__ void volatile_fence_behind_kernel(const int *in, int *out, int *count, volatile int *result) {
  result[blockIdx.x] = in[blockIdx.x]; /*!*/
  if constexpr (Right) __threadfence();
  const int before = atomicAdd(count, 1);
  __threadfence();
  if (before != 5) return;
  int total = 0;
  for (int i = 0; i < 6; i++) total += result[i]; /*!*/
  out[0] = total;
}
PAIR(volatile_fence_behind) { volatile_fence_behind_kernel<Right><<<6, 1>>>(in, out, acc, acc + 1); }

/* case volatile_look_back: an aggregate and its state in two words */
template <bool Right> __global__ void volatile_look_back_kernel(const int *in, int *out, volatile int *state, volatile int *sum, volatile int *prefix) {
  const int b = (int)blockIdx.x;
  int before = 0;
  sum[b] = in[b]; /*!*/
  if constexpr (Right) __threadfence();
  state[b] = 1;
  for (int k = b - 1; k >= 0;) {
    const int what = state[k];
    if (what == 0) continue;
    __threadfence();
    if (what == 2) {
      before += prefix[k];
      break;
    }
    before += sum[k--]; /*!*/
  }
  prefix[b] = before + in[b];
  __threadfence();
  state[b] = 2;
  out[b] = before + in[b];
}
PAIR(volatile_look_back) { volatile_look_back_kernel<Right><<<9, 1>>>(in, out, acc, acc + 9, acc + 18); }

/* case volatile_packed: state and value in one word of 64 bits, looked at by hand or by a whole warp; no fence is needed */
template <bool Right> __global__ void volatile_packed_kernel(const int *in, int *out, volatile unsigned long long *word, volatile int *half) {
  const int b = (int)blockIdx.x, lane = (int)threadIdx.x;
  if (lane == 0 && Right) word[b] = 1ull << 32 | (unsigned)in[b];
  if (lane == 0 && !Right) half[2 * b] = in[b]; /*!*/
  if (lane == 0 && !Right) half[2 * b + 1] = 1;
  const int k = lane < b ? lane : b;
  int v = 0;
  __syncwarp();
  if constexpr (Right) {
    unsigned long long w = word[k];
    while (__any_sync(~0u, w >> 32 == 0)) w = word[k];
    v = (int)w;
  } else {
    while (__any_sync(~0u, half[2 * k + 1] == 0))
      ;
    v = half[2 * k]; /*!*/
  }
  if (lane > b) v = 0;
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
  if (lane == 0) out[b] = v;
}
PAIR(volatile_packed) { volatile_packed_kernel<Right><<<7, 32>>>(in, out, (unsigned long long *)acc, acc); }

/* case volatile_lock: volatile data needs no fence behind the taking of a lock, but one before it is given back */
template <bool Right> __global__ void volatile_lock_kernel(const int *in, int *lock, volatile int *sum) {
  while (atomicCAS(lock, 0, 1))
    ;
  *sum = *sum + in[blockIdx.x]; /*!*/
  if constexpr (Right) __threadfence();
  atomicExch(lock, 0);
}
template <int> __global__ void volatile_copy_kernel(const int *from, int *out) { out[0] = *from; }
PAIR(volatile_lock) {
  volatile_lock_kernel<Right><<<6, 1>>>(in, acc, acc + 1);
  volatile_copy_kernel<0><<<1, 1>>>(acc + 1, out);
}

/* case volatile_rounds: each block reads what its neighbour left in the round before; or whatever is there */
template <bool Right> __global__ void volatile_rounds_kernel(volatile int *a, int from, int to) {
  const int b = (int)blockIdx.x;
  for (int r = from; r < to; r++) {
    volatile int *now = Right ? a + r % 2 * 8 : a, *then = Right ? a + (r + 1) % 2 * 8 : a;
    then[b] = 1 + now[(b + 1) % 8]; /*!*/
  }
}
PAIR(volatile_rounds) {
  for (int r = 0; r < 4; r++) volatile_rounds_kernel<Right><<<8, 1>>>(acc, Right ? r : 4 * r, Right ? r + 1 : 4 * r + 4);
  volatile_copy_kernel<1><<<1, 1>>>(acc, out);
}

/* case volatile_improve: a minimum that is only to improve, in integers looked at by others; in floats it is told that nothing orders it */
template <bool Right> __global__ void volatile_improve_kernel(const int *in, int *best, volatile float *least) {
  const int mine = in[blockIdx.x];
  if constexpr (Right) {
    if (*(volatile int *)best <= mine) return;
    atomicMin(best, mine);
  } else {
    const float old = *least, next = old * 0.5f + (float)mine; /*!*/
    if (next < old) *least = next; /*!*/
  }
}
template <int> __global__ void volatile_start_kernel(int *best, float *least) { *best = 1000, *least = 1e6f; }
PAIR(volatile_improve) {
  volatile_start_kernel<0><<<1, 1>>>(acc, (float *)acc + 1);
  volatile_improve_kernel<Right><<<8, 1>>>(in, acc, (float *)acc + 1);
  volatile_copy_kernel<2><<<1, 1>>>(acc, out);
}

/* case volatile_levels: a breadth-first search marks what has no level yet; the level itself may not be taken from what is being marked */
template <bool Right> __global__ void volatile_levels_kernel(volatile int *level, volatile int *changed, int now) {
  const int b = (int)blockIdx.x, child = 2 * b + 1;
  if constexpr (Right) {
    if (level[b] != now || child >= 8) return;
    for (int c = child; c < child + 2; c++)
      if (level[c] == 0) level[c] = now + 1, *changed = 1;
  } else if (child < 8) {
    level[child] = level[b] + 1; /*!*/
  }
}
template <int> __global__ void volatile_root_kernel(int *level) { level[0] = 1; }
template <int> __global__ void volatile_out_kernel(const int *level, int *out) { out[threadIdx.x] = level[threadIdx.x]; }
PAIR(volatile_levels) {
  volatile_root_kernel<0><<<1, 1>>>(acc);
  for (int now = 1; now < 4; now++) volatile_levels_kernel<Right><<<8, 1>>>(acc, acc + 20, now);
  volatile_out_kernel<0><<<1, 8>>>(acc, out);
}

/* case volatile_meeting: blocks meet by flags, one a block, as before there was a barrier of the grid */
template <bool Right> __global__ void volatile_meeting_kernel(const int *in, int *out, volatile int *here, volatile int *go, volatile int *data) {
  const int b = (int)blockIdx.x, n = (int)gridDim.x, t = (int)threadIdx.x;
  if (t == 0) {
    data[b] = in[b]; /*!*/
    if constexpr (Right) __threadfence();
    here[b] = 1;
  }
  if (b == 0) {
    if (t < n)
      while (here[t] != 1)
        ;
    __threadfence();
    __syncthreads();
    if (t < n) go[t] = 1;
  }
  if (t == 0) {
    while (go[b] != 1)
      ;
    __threadfence();
    out[b] = data[(b + 1) % n]; /*!*/
  }
}
PAIR(volatile_meeting) { volatile_meeting_kernel<Right><<<5, 32>>>(in, out, acc, acc + 5, acc + 10); }

/* case volatile_ring: one block writes, another one reads, over a ring of four places */
template <bool Right> __global__ void volatile_ring_kernel(const int *in, int *out, volatile int *head, volatile int *tail, volatile int *ring) {
  if (blockIdx.x == 0) {
    for (int i = 0; i < 20; i++) {
      while (i - *head == 4)
        ;
      __threadfence();
      ring[i % 4] = in[i]; /*!*/
      if constexpr (Right) __threadfence();
      *tail = i + 1;
    }
  } else {
    for (int h = 0; h < 20;) {
      const int there = *tail - h;
      if (there <= 0) continue;
      __threadfence();
      for (int k = 0; k < there; k++) out[h + k] = ring[(h + k) % 4]; /*!*/
      h += there;
      __threadfence();
      *head = h;
    }
  }
}
PAIR(volatile_ring) { volatile_ring_kernel<Right><<<2, 1>>>(in, out, acc, acc + 1, acc + 2); }

/* case volatile_cached: read by __ldcg(), as atomics and flags are */
template <bool Right> __global__ void volatile_cached_kernel(const int *in, int *out, int *flag, int *box) {
  if (blockIdx.x == 0) {
    *(volatile int *)box = in[2]; /*!*/
    if constexpr (Right) __threadfence();
    atomicExch(flag, 1);
  } else {
    while (!__ldcg(flag))
      ;
    __threadfence();
    out[0] = __ldcg(box); /*!*/
  }
}
PAIR(volatile_cached) { volatile_cached_kernel<Right><<<2, 1>>>(in, out, acc, acc + 1); }

/* case volatile_again: read once more when the number has changed meanwhile, a sequence lock; or without a look at the number */
template <bool Right> __global__ void volatile_again_kernel(const int *in, int *out, volatile unsigned *number, volatile int *data) {
  if (blockIdx.x == 0) {
    for (int k = 0; k < 3; k++) {
      *number = 2 * k + 1;
      __threadfence();
      for (int i = 0; i < 3; i++) data[i] = in[k]; /*!*/
      __threadfence();
      *number = 2 * k + 2;
    }
  } else {
    int copy[3];
    unsigned seen;
    if constexpr (Right) {
      for (;;) {
        seen = *number;
        if (seen & 1) continue;
        __threadfence();
        for (int i = 0; i < 3; i++) copy[i] = data[i];
        __threadfence();
        if (*number == seen) break;
      }
    } else {
      for (int i = 0; i < 3; i++) copy[i] = data[i]; /*!*/
    }
    out[0] = copy[0] - copy[2];
  }
}
PAIR(volatile_again) { volatile_again_kernel<Right><<<2, 1>>>(in, out, (unsigned *)acc, acc + 1); }

/* case volatile_sign: a mass below zero is one that is not there yet, as in a tree of bodies; a limit is no such sign */
template <bool Right> __global__ void volatile_sign_kernel(const int *in, int *out, volatile float *mass, float limit) {
  const int b = (int)blockIdx.x, child = b + 1;
  if (child == (int)gridDim.x) {
    mass[b] = (float)in[b]; /*!*/
    return;
  }
  float m = -1;
  if constexpr (Right) {
    do m = mass[child];
    while (!(m >= 0.0f));
  } else {
    m = mass[child]; /*!*/
    if (m > limit) m = limit;
  }
  mass[b] = m + (float)in[b]; /*!*/
  out[b] = (int)m;
}
template <int> __global__ void volatile_minus_kernel(float *mass) { mass[threadIdx.x] = -1; }
PAIR(volatile_sign) {
  volatile_minus_kernel<0><<<1, 8>>>((float *)acc);
  volatile_sign_kernel<Right><<<5, 1>>>(in, out, (float *)acc, 3.0f);
}

/* case volatile_children: the same as a loop would do it that goes on with others meanwhile */
template <bool Right> __global__ void volatile_children_kernel(const int *in, int *out, volatile float *mass, volatile int *ready) {
  const int b = (int)blockIdx.x;
  if (b) {
    const float own = (float)in[b];
    if constexpr (Right) mass[b] = own;
    else {
      mass[b] = own; /*!*/
      ready[b] = 1;
    }
    return;
  }
  float sum = 0;
  int missing = 0x3e;
  while (missing)
    for (int c = 1; c < 6; c++) {
      if (!(missing >> c & 1)) continue;
      if constexpr (Right) {
        const float m = mass[c];
        if (m >= 0.0f) sum += m, missing &= ~(1 << c);
      } else if (ready[c]) {
        sum += mass[c], missing &= ~(1 << c); /*!*/
      }
    }
  out[0] = (int)sum;
}
PAIR(volatile_children) {
  volatile_minus_kernel<1><<<1, 8>>>((float *)acc);
  volatile_children_kernel<Right><<<6, 1>>>(in, out, (float *)acc, acc + 8);
}

/* case volatile_scope: a fence of the block's does not reach other blocks */
template <bool Right> __global__ void volatile_scope_kernel(const int *in, int *out, volatile int *flag, volatile float *box) {
  if (blockIdx.x == 0) {
    *box = (float)in[6]; /*!*/
    if constexpr (Right) __threadfence();
    else __threadfence_block();
    *flag = 1;
  } else {
    while (*flag == 0)
      ;
    __threadfence();
    out[0] = (int)*box; /*!*/
  }
}
PAIR(volatile_scope) { volatile_scope_kernel<Right><<<2, 1>>>(in, out, acc, (float *)acc + 1); }

/* case volatile_given_back: a place that is written again after its reader has given it back needs the reader's fence too */
template <bool Right> __global__ void volatile_given_back_kernel(const int *in, int *out, volatile int *full, volatile int *box) {
  for (int i = 0; i < 4; i++)
    if (blockIdx.x == 0) {
      while (*full)
        ;
      __threadfence();
      *box = in[i]; /*!*/
      __threadfence();
      *full = 1;
    } else {
      while (!*full)
        ;
      __threadfence();
      out[i] = *box; /*!*/
      if constexpr (Right) __threadfence();
      *full = 0;
    }
}
PAIR(volatile_given_back) { volatile_given_back_kernel<Right><<<2, 1>>>(in, out, acc, acc + 1); }

/* case volatile_sums: partial sums of warps, as data in another warp; each its own for the rest */
template <bool Right> __global__ void volatile_sums_kernel(const int *in, int *out) {
  __shared__ volatile float sums[4];
  const int lane = (int)threadIdx.x % 32, w = (int)threadIdx.x / 32;
  float v = (float)in[threadIdx.x];
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
  if (lane == 0) sums[w] = v; /*!*/
  if constexpr (Right) __syncthreads();
  else __syncwarp();
  v = 0;
  for (int k = 0; k < w; k++) v += sums[k]; /*!*/
  out[threadIdx.x] = (int)v;
}
PAIR(volatile_sums) { volatile_sums_kernel<Right><<<1, 128>>>(in, out); }
