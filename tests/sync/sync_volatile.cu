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
typedef unsigned long long Word;
struct Parts {
  int value, state;
};
union Packed {
  Word w;
  Parts p;
};
template <bool Right> __global__ void volatile_packed_kernel(const int *in, int *out, volatile Word *word, volatile int *half) {
  const int b = (int)blockIdx.x, lane = (int)threadIdx.x;
  if (lane == 0 && Right) word[b] = 1ull << 32 | (unsigned)in[b];
  if (lane == 0 && !Right) half[2 * b] = in[b]; /*!*/
  if (lane == 0 && !Right) half[2 * b + 1] = 1;
  const int k = lane < b ? lane : b;
  int v = 0;
  __syncwarp();
  if constexpr (Right) {
    if (b & 1) {
      Packed q;
      q.w = word[k];
      while (__any_sync(~0u, q.p.state == 0)) q.w = word[k];
      v = q.p.value;
    } else {
      unsigned long long w = word[k];
      while (__any_sync(~0u, w >> 32 == 0)) w = word[k];
      v = (int)w;
    }
  } else {
    while (__any_sync(~0u, half[2 * k + 1] == 0))
      ;
    v = half[2 * k]; /*!*/
  }
  if (lane > b) v = 0;
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
  if (lane == 0) out[b] = v;
}
PAIR(volatile_packed) { volatile_packed_kernel<Right><<<7, 32>>>(in, out, (Word *)acc, acc); }

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

/* case volatile_parts: a state and a value in one word, taken apart in every way there is; the value in a word of its own needs a fence */
static __device__ Packed peek(const volatile Word *p) {
  Packed q;
  q.w = *p;
  return q;
}
static __device__ void fetch(const volatile Word *p, Parts &q) {
  const Word w = *p;
  memcpy(&q, &w, sizeof q);
}
template <int Form> static __device__ int wait_for(const volatile Word *p) {
  if constexpr (Form == 0) {
    Packed q;
    do q.w = *p;
    while (q.p.state == 0);
    return q.p.value;
  } else if constexpr (Form == 1) {
    Parts q;
    do fetch(p, q);
    while (q.state == 0);
    return q.value;
  } else if constexpr (Form == 2) {
    Word w;
    Parts q;
    do {
      w = *p;
      q = *reinterpret_cast<Parts *>(&w);
    } while (!q.state);
    return q.value;
  } else if constexpr (Form == 3) {
    Word w;
    int2 q;
    for (;;) {
      w = *p;
      q = *(int2 *)&w;
      if (q.y) return q.x;
      __nanosleep(20);
    }
  } else if constexpr (Form == 4) {
    double x;
    do x = __longlong_as_double((long long)*p);
    while (__double2hiint(x) == 0);
    return __double2loint(x);
  } else {
    Packed q = peek(p);
    while (q.p.state == 0) q = peek(p);
    return q.p.value;
  }
}
template <bool Right, int Form> static __device__ void pass_on(const int *in, volatile Word *word, volatile int *beside, int *out) {
  const int b = (int)blockIdx.x;
  int before = 0;
  if (b) before = wait_for<Form>(word + b - 1);
  if constexpr (!Right)
    if (b) before = beside[b - 1]; /*!*/
  Packed m;
  m.p.value = before + in[b];
  m.p.state = 1;
  if constexpr (!Right) beside[b] = m.p.value; /*!*/
  word[b] = m.w;
  out[b] = m.p.value;
}
template <bool Right> __global__ void volatile_parts_kernel(const int *in, Word *word, int *beside, int *out) {
  pass_on<Right, 0>(in, word, beside, out);         /*!*/
  pass_on<Right, 1>(in, word + 6, beside + 6, out + 6);   /*!*/
  pass_on<Right, 2>(in, word + 12, beside + 12, out + 12); /*!*/
  pass_on<Right, 3>(in, word + 18, beside + 18, out + 18); /*!*/
  pass_on<Right, 4>(in, word + 24, beside + 24, out + 24); /*!*/
  pass_on<Right, 5>(in, word + 30, beside + 30, out + 30); /*!*/
}
PAIR(volatile_parts) { volatile_parts_kernel<Right><<<6, 1>>>(in, (Word *)acc, acc + 84, out); }

/* case volatile_summed: a state in the running sum says nothing of the last word that went into it */
template <bool Right> __global__ void volatile_summed_kernel(const int *in, volatile int *word, int *out) {
  if (blockIdx.x) {
    word[blockIdx.x] = in[blockIdx.x]; /*!*/
    return;
  }
  int sum[2] = {0, 0};
  for (int k = 1; k < 5; k++) {
    int w = word[k]; /*!*/
    if constexpr (Right)
      while (w == 0) w = word[k];
    sum[k % 2] += w;
  }
  if (sum[0] > 3) out[0] = sum[0] + sum[1];
}
PAIR(volatile_summed) { volatile_summed_kernel<Right><<<5, 1>>>(in, acc, out); }

/* case volatile_lane_levels: as volatile_levels, in one warp */
template <bool Right> __global__ void volatile_lane_levels_kernel(volatile int *level, volatile int *changed, int now) {
  const int t = (int)threadIdx.x, child = 2 * t + 1;
  if constexpr (Right) {
    if (level[t] != now || child >= 8) return;
    for (int c = child; c < child + 2 && c < 8; c++)
      if (level[c] == 0) level[c] = now + 1, *changed = 1;
  } else if (child < 8) {
    level[child] = level[t] + 1; /*!*/
  }
}
PAIR(volatile_lane_levels) {
  volatile_root_kernel<1><<<1, 1>>>(acc);
  for (int now = 1; now < 4; now++) volatile_lane_levels_kernel<Right><<<1, 8>>>(acc, acc + 20, now);
  volatile_out_kernel<1><<<1, 8>>>(acc, out);
}

/* case volatile_lane_nan: lanes wait for each other's results, which are no numbers until then; or take what is there */
template <int> __global__ void volatile_nan_kernel(float *x) { x[threadIdx.x] = nanf(""); }
template <bool Right> __global__ void volatile_lane_nan_kernel(const int *in, volatile float *x, int *out) {
  const int t = (int)threadIdx.x;
  float sum = (float)in[t];
  for (int k = t - 1; k >= 0 && k >= t - 2;) {
    const float there = x[k]; /*!*/
    if (!Right || there == there) sum += there, k--;
  }
  x[t] = sum; /*!*/
  if constexpr (Right) out[t] = (int)sum;
}
PAIR(volatile_lane_nan) {
  volatile_nan_kernel<0><<<1, 16>>>((float *)acc);
  volatile_lane_nan_kernel<Right><<<1, 16>>>(in, (float *)acc, out);
}

/* case volatile_lane_ready: the same with a flag for each, behind a fence */
template <bool Right> __global__ void volatile_lane_ready_kernel(const int *in, volatile float *x, volatile char *ready, int *out) {
  const int t = (int)threadIdx.x;
  float sum = (float)in[t];
  for (int k = t - 1; k >= -1;) {
    while (k >= 0 && ready[k] == 1) sum += k >= t - 2 ? x[k] : 0.0f, k--; /*!*/
    if (k >= 0) continue;
    x[t] = sum; /*!*/
    if constexpr (Right) __threadfence();
    ready[t] = 1;
    break;
  }
  out[t] = (int)sum;
}
PAIR(volatile_lane_ready) { volatile_lane_ready_kernel<Right><<<1, 16>>>(in, (float *)acc, (char *)(acc + 16), out); }

/* case volatile_lane_error: any lane may say that something is wrong, and lanes that see it leave; what it is is data */
template <bool Right> __global__ void volatile_lane_error_kernel(const int *in, volatile int *error, int *out) {
  const int t = (int)threadIdx.x;
  if (in[t] > 28) *error = Right ? 1 : t; /*!*/
  if constexpr (Right) {
    if (*error) return;
    out[t] = 1;
  } else {
    out[t] = *error; /*!*/
  }
}
PAIR(volatile_lane_error) { volatile_lane_error_kernel<Right><<<1, 32>>>(in, acc, out); }

/* case volatile_changed: all write the same, in shared memory and in global; or not the same */
template <bool Right> __global__ void volatile_changed_kernel(volatile int *changed, int *out) {
  __shared__ volatile int any;
  const int t = (int)threadIdx.x;
  any = 0;
  __syncthreads();
  if (t % 3) any = Right ? 1 : t; /*!*/
  if (t % 3) *changed = 1;
  __syncthreads();
  if (t == 0) out[0] = any != 0;
}
PAIR(volatile_changed) { volatile_changed_kernel<Right><<<1, 32>>>(acc, out); }

/* case volatile_parents: union-find, parents halved on the way; parents that are not volatile are a race */
template <bool Volatile> struct Parent {
  typedef volatile int type;
};
template <> struct Parent<false> {
  typedef int type;
};
template <bool Right> static __device__ int root_of(typename Parent<Right>::type *p, int x) {
  while (p[x] != x) { /*!*/
    p[x] = p[p[x]]; /*!*/
    x = p[x]; /*!*/
  }
  return x;
}
template <bool Right> __global__ void volatile_parents_kernel(int *p) {
  int a = (int)(blockIdx.x * blockDim.x + threadIdx.x), b = (a + 2) % 64;
  for (;;) {
    a = root_of<Right>(p, a), b = root_of<Right>(p, b); /*!*/
    if (a == b) return;
    const int high = a > b ? a : b, low = a > b ? b : a;
    if (atomicCAS(p + high, high, low) == high) return; /*!*/
  }
}
template <int> __global__ void volatile_own_kernel(int *p) { p[threadIdx.x] = (int)threadIdx.x; }
template <int> __global__ void volatile_roots_kernel(const int *p, int *out) {
  int x = (int)threadIdx.x;
  while (p[x] != x) x = p[x];
  out[threadIdx.x] = x;
}
PAIR(volatile_parents) {
  volatile_own_kernel<0><<<1, 64>>>(acc);
  volatile_parents_kernel<Right><<<4, 16>>>(acc);
  volatile_roots_kernel<0><<<1, 64>>>(acc, out);
}

/* case volatile_components: the same as ECL-CC does it */
template <bool Right> static __device__ int component_of(typename Parent<Right>::type *p, int x) {
  int at = p[x]; /*!*/
  if (at == x) return at;
  for (int before = x, next; at > (next = p[at]); before = x, at = next) { /*!*/
    p[before] = next; /*!*/
    x = at;
  }
  return at;
}
template <bool Right> __global__ void volatile_components_kernel(int *p) {
  const int v = (int)(blockIdx.x * blockDim.x + threadIdx.x), w = (v + 2) % 64;
  int a = component_of<Right>(p, v), b = component_of<Right>(p, w); /*!*/
  while (a != b) {
    const int high = a > b ? a : b, low = a > b ? b : a, seen = atomicCAS(p + high, high, low); /*!*/
    if (seen == high) return;
    a = low, b = seen;
  }
}
PAIR(volatile_components) {
  volatile_own_kernel<1><<<1, 64>>>(acc);
  volatile_components_kernel<Right><<<4, 16>>>(acc);
  volatile_roots_kernel<1><<<1, 64>>>(acc, out);
}

/* case volatile_tail_most: the larger of two at the end of a reduction, lanes of one warp: a comparison there is no look */
template <bool Right, int Form> static __device__ int most_of_warp(volatile int *s, int t) {
  for (int d = 16; d > 0; d /= 2) {
    if (t < d) {
      if constexpr (Form == 0) s[t] = max(s[t], s[t + d]); /*!*/
      else if (s[t] < s[t + d]) s[t] = s[t + d]; /*!*/
    }
    if constexpr (Right) __syncwarp();
  }
  return s[0];
}
template <bool Right> __global__ void volatile_tail_most_kernel(const int *in, int *out) {
  __shared__ volatile int s[32];
  const int t = (int)threadIdx.x;
  s[t] = in[t];
  __syncwarp();
  const int a = most_of_warp<Right, 0>(s, t); /*!*/
  __syncwarp();
  s[t] = in[31 - t];
  __syncwarp();
  const int b = most_of_warp<Right, 1>(s, t); /*!*/
  out[t] = a + b;
}
PAIR(volatile_tail_most) { volatile_tail_most_kernel<Right><<<1, 32>>>(in, out); }

/* case volatile_added: a sum over all blocks, each of which reads it and writes it back; or in the order in which launches are */
template <bool Right> __global__ void volatile_added_kernel(const int *in, volatile int *sum, int from) {
  const int b = from + (int)blockIdx.x;
  const int old = *sum; /*!*/
  *sum = (old + in[b]); /*!*/
}
PAIR(volatile_added) {
  for (int b = 0; b < (Right ? 6 : 1); b++) volatile_added_kernel<Right><<<Right ? 1 : 6, 1>>>(in, acc, b);
  volatile_copy_kernel<3><<<1, 1>>>(acc, out);
}

/* case volatile_added_float: a variable of the device's; the right form has a lock with its fences */
__device__ volatile float volatile_total_of_all;
__device__ int volatile_total_lock;
template <bool Right> __global__ void volatile_added_float_kernel(const int *in) {
  float part = (float)in[blockIdx.x * 2];
  for (int i = 1; i < 2; i++) part += (float)in[blockIdx.x * 2 + i];
  bool done = false;
  while (Right && !done) {
    if (atomicCAS(&volatile_total_lock, 0, 1)) continue;
    volatile_total_of_all += part;
    __threadfence();
    atomicExch(&volatile_total_lock, 0);
    done = true;
  }
  if constexpr (!Right) volatile_total_of_all = fmaf(part, 1.0f, volatile_total_of_all); /*!*/
}
template <int> __global__ void volatile_total_start_kernel() { volatile_total_of_all = 0, volatile_total_lock = 0; }
template <int> __global__ void volatile_total_end_kernel(int *out) { out[0] = (int)volatile_total_of_all; }
PAIR(volatile_added_float) {
  volatile_total_start_kernel<0><<<1, 1>>>();
  volatile_added_float_kernel<Right><<<3, 1>>>(in);
  volatile_total_end_kernel<0><<<1, 1>>>(out);
}

/* case volatile_tickets: a number for each block, drawn without an atomic */
template <bool Right> __global__ void volatile_tickets_kernel(volatile int *next, int *out, int n) {
  int mine;
  if constexpr (Right) mine = atomicAdd((int *)next, 1);
  else if ((mine = *next) < n) ++*next; /*!*/
  if (mine < n) atomicAdd(out + mine, 1);
}
template <int> __global__ void volatile_zero_kernel(int *out) { out[threadIdx.x] = 0; }
PAIR(volatile_tickets) {
  volatile_zero_kernel<0><<<1, 8>>>(out);
  volatile_tickets_kernel<Right><<<8, 1>>>(acc, out, 8);
}

/* case volatile_turns: each waits until it is its turn, and says whose is next; what else it leaves to the next one needs a fence */
template <bool Right> __global__ void volatile_turns_kernel(const int *in, int *out, volatile int *turn, volatile int *passed) {
  const int b = (int)blockIdx.x;
  for (;;) {
    if (*turn == b) break;
    __nanosleep(10);
  }
  if constexpr (Right) out[b] = in[b];
  else {
    if (b) out[b] = passed[b - 1]; /*!*/
    passed[b] = in[b]; /*!*/
  }
  if constexpr (Right) *turn = b + 1;
  else *turn = *turn + 1; /*!*/
}
PAIR(volatile_turns) { volatile_turns_kernel<Right><<<6, 1>>>(in, out, acc, acc + 1); }
