/* sync_real.cu - whole kernels of the kinds that libraries have, each right and with one thing left out. See sync_block.cu. */
#include "pair.h"
#include <cooperative_groups.h>

/* PTX's own orders, for which CUDA C++ has no function of the old kind. */
__device__ int load_acquire(const int *p) {
  int v;
  asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}
__device__ int load_relaxed(const int *p) {
  int v;
  asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}
__device__ void store_release(int *p, int v) { asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(p), "r"(v) : "memory"); }
__device__ void store_relaxed(int *p, int v) { asm volatile("st.relaxed.gpu.global.s32 [%0], %1;" ::"l"(p), "r"(v) : "memory"); }
__device__ void store_release_block(int *p, int v) { asm volatile("st.release.cta.global.s32 [%0], %1;" ::"l"(p), "r"(v) : "memory"); }
__device__ int add_acq_rel(int *p, int v) {
  int old;
  asm volatile("atom.acq_rel.gpu.global.add.s32 %0, [%1], %2;" : "=r"(old) : "l"(p), "r"(v) : "memory");
  return old;
}
__device__ int add_relaxed(int *p, int v) {
  int old;
  asm volatile("atom.relaxed.gpu.global.add.s32 %0, [%1], %2;" : "=r"(old) : "l"(p), "r"(v) : "memory");
  return old;
}

/* case release_store */
template <bool Right> __global__ void release_store_kernel(const int *in, int *out, int *box, int *flag) {
  if (blockIdx.x == 0) {
    *box = in[4]; /*!*/
    if constexpr (Right) store_release(flag, 1);
    else store_relaxed(flag, 1);
  } else {
    while (!load_acquire(flag))
      ;
    out[0] = *box; /*!*/
  }
}
PAIR(release_store) { release_store_kernel<Right><<<2, 1>>>(in, out, acc, acc + 4); }

/* case acquire_load: the acquire alone is missing */
template <bool Right> __global__ void acquire_load_kernel(const int *in, int *out, int *box, int *flag) {
  if (blockIdx.x == 0) {
    *box = in[4]; /*!*/
    store_release(flag, 1);
  } else {
    while (!load_relaxed(flag))
      ;
    if constexpr (Right) load_acquire(flag);
    out[0] = *box; /*!*/
  }
}
PAIR(acquire_load) { acquire_load_kernel<Right><<<2, 1>>>(in, out, acc, acc + 4); }

/* case release_elsewhere: a release orders at its own address, not what is stored to another one behind it */
template <bool Right> __global__ void release_elsewhere_kernel(const int *in, int *out, int *box, int *flag) {
  if (blockIdx.x == 0) {
    *box = in[4]; /*!*/
    store_release(&flag[0], 1);
    store_relaxed(&flag[1], 1);
  } else {
    while (!load_acquire(&flag[Right ? 0 : 1]))
      ;
    out[0] = *box; /*!*/
  }
}
PAIR(release_elsewhere) { release_elsewhere_kernel<Right><<<2, 1>>>(in, out, acc, acc + 4); }

/* case release_scope */
template <bool Right> __global__ void release_scope_kernel(const int *in, int *out, int *box, int *flag) {
  if (blockIdx.x == 0) {
    *box = in[4]; /*!*/
    if constexpr (Right) store_release(flag, 1);
    else store_release_block(flag, 1); /*!*/
  } else {
    while (!load_acquire(flag)) /*!*/
      ;
    out[0] = *box; /*!*/
  }
}
PAIR(release_scope) { release_scope_kernel<Right><<<2, 1>>>(in, out, acc, acc + 4); }

/* case chain_acq_rel: three blocks, each passes on by one atomic operation what it has learnt by it */
template <bool Right> __global__ void chain_acq_rel_kernel(const int *in, int *out, int *box, int *ticket) {
  __shared__ int last;
  box[blockIdx.x] = in[blockIdx.x]; /*!*/
  if constexpr (Right) last = add_acq_rel(ticket, 1);
  else last = add_relaxed(ticket, 1);
  if (last != (int)gridDim.x - 1) return;
  int sum = 0;
  for (unsigned k = 0; k < gridDim.x; k++) sum += box[k]; /*!*/
  out[0] = sum;
}
PAIR(chain_acq_rel) { chain_acq_rel_kernel<Right><<<5, 1>>>(in, out, acc, acc + 8); }

/* case scan_blocks: a scan in one pass, with look-back by a whole warp */
template <bool Right> __global__ void scan_blocks_kernel(const int *in, int *out, int *value, int *state, int *order) {
  __shared__ int s[64], base, tile;
  const int t = threadIdx.x;
  if (t == 0) tile = atomicAdd(order, 1);
  __syncthreads();
  const int b = tile, i = b * 64 + t;
  s[t] = in[i];
  for (int d = 1; d < 64; d *= 2) {
    __syncthreads();
    const int below = t >= d ? s[t - d] : 0;
    __syncthreads();
    s[t] += below;
  }
  __syncthreads();
  if (t == 0) {
    value[2 * b] = s[63]; /*!*/
    if constexpr (Right) __threadfence();
    atomicExch(&state[b], 1);
  }
  if (t < 32) {
    int before = 0;
    for (int from = b - 1; from >= 0; from -= 32) {
      const int p = from - t;
      int seen = 2;
      while (p >= 0 && (seen = *(volatile int *)&state[p]) == 0)
        ;
      __threadfence();
      const unsigned whole = __ballot_sync(~0u, seen == 2);
      const int first = whole ? __ffs(whole) - 1 : 31;
      int v = p >= 0 && t <= first ? value[2 * p + (seen == 2)] : 0; /*!*/
      for (int d = 16; d; d /= 2) v += __shfl_xor_sync(~0u, v, d);
      before += v;
      if (whole) break;
    }
    if (t == 0) {
      base = before;
      value[2 * b + 1] = before + s[63]; /*!*/
      if constexpr (Right) __threadfence();
      atomicExch(&state[b], 2);
    }
  }
  __syncthreads();
  out[i] = base + s[t];
}
PAIR(scan_blocks) { scan_blocks_kernel<Right><<<6, 64>>>(in, out, acc, acc + 64, acc + 128); }

/* case split_k: the parts of one output are added in order, each behind its predecessor's semaphore */
template <bool Right> __global__ void split_k_kernel(const int *in, int *sum, int *semaphore) {
  const int t = threadIdx.x, part = blockIdx.y, tile = blockIdx.x;
  const int v = in[tile * 24 + t] * (part + 1);
  if (t == 0)
    while (*(volatile int *)&semaphore[tile] != part)
      ;
  __syncthreads();
  __threadfence();
  sum[tile * 24 + t] = (part ? sum[tile * 24 + t] : 0) + v; /*!*/
  __threadfence();
  if constexpr (Right) __syncthreads();
  if (t == 0) atomicExch(&semaphore[tile], part + 1);
}
template <int> __global__ void copy_out_kernel(const int *from, int *to) { to[threadIdx.x] = from[threadIdx.x]; }
PAIR(split_k) {
  split_k_kernel<Right><<<dim3(2, 3), 24>>>(in, acc, acc + 64);
  if constexpr (Right) copy_out_kernel<0><<<1, 48>>>(acc, out);
}

/* case stream_k: a block that ends in the middle of a tile leaves its part to the block that began it */
template <bool Right> __global__ void stream_k_kernel(const int *in, int *out, int *part, int *ready, int n) {
  const int share = n / gridDim.x, t = threadIdx.x;
  for (int i = blockIdx.x * share, end = i + share; i < end;) {
    const int tile = i / 10, stop = min(tile * 10 + 10, end);
    int sum = 0;
    for (int k = i; k < stop; k++) sum += in[k] * (t + 1);
    if (i % 10) {
      part[blockIdx.x * 8 + t] = sum; /*!*/
      if constexpr (Right) __threadfence();
      __syncthreads();
      if (t == 0) atomicExch(&ready[blockIdx.x], 1);
    } else {
      for (int covered = stop, from = blockIdx.x + 1; covered < tile * 10 + 10; covered += share, from++) {
        if (t == 0)
          while (!atomicAdd(&ready[from], 0)) __nanosleep(40);
        __syncthreads();
        __threadfence();
        sum += part[from * 8 + t]; /*!*/
      }
      out[tile * 8 + t] = sum;
    }
    i = stop;
  }
}
PAIR(stream_k) { stream_k_kernel<Right><<<4, 8>>>(in, out, acc, acc + 32, 60); }

/* case work_queue: pieces beget pieces, until nothing is left to do */
template <bool Right> __global__ void work_queue_kernel(const int *in, int *out, int *item, int *there, int *tail, int *head, int n) {
  __shared__ int mine;
  for (;;) {
    if (threadIdx.x == 0) {
      mine = atomicAdd(head, 1);
      if (mine < n)
        while (!atomicAdd(&there[mine], 0)) __nanosleep(20);
      __threadfence();
    }
    __syncthreads();
    if (mine >= n) return;
    const int i = item[mine]; /*!*/
    if ((int)threadIdx.x < 2 && 2 * i + 1 + (int)threadIdx.x < n) {
      const int at = atomicAdd(tail, 1);
      item[at] = 2 * i + 1 + (int)threadIdx.x; /*!*/
      if constexpr (Right) __threadfence();
      atomicExch(&there[at], 1);
    }
    if (threadIdx.x == 2) out[i] = in[i];
    __syncthreads();
  }
}
template <int> __global__ void first_item_kernel(int *item, int *there, int *tail) { item[0] = 0, there[0] = *tail = 1; }
PAIR(work_queue) {
  first_item_kernel<0><<<1, 1>>>(acc, acc + 24, acc + 48);
  work_queue_kernel<Right><<<3, 32>>>(in, out, acc, acc + 24, acc + 48, acc + 49, 20);
}

/* case softmax_blocks: a row is shared by blocks, which exchange maxima and sums behind flags */
template <bool Right> __global__ void softmax_blocks_kernel(const int *in, int *out, int *top, int *sum, int *arrived) {
  __shared__ int s[64];
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  const int x = in[i] * 29 % 101;
  for (int round = 0; round < 2; round++) {
    int v = x;
    if (round) {
      v = 0;
      for (unsigned b = 0; b < gridDim.x; b++) v = max(v, top[b]); /*!*/
      v = v - x;
    }
    s[t] = v;
    __syncthreads();
    for (int d = 32; d; d /= 2) {
      if (t < d) s[t] = round ? s[t] + s[t + d] : max(s[t], s[t + d]);
      __syncthreads();
    }
    if (t == 0) {
      (round ? sum : top)[blockIdx.x] = s[0]; /*!*/
      if (Right || round) __threadfence();
      atomicAdd(arrived, 1);
      while (atomicAdd(arrived, 0) < (round + 1) * (int)gridDim.x)
        ;
      __threadfence();
    }
    __syncthreads();
  }
  int all = 0;
  for (unsigned b = 0; b < gridDim.x; b++) all += sum[b]; /*!*/
  out[i] = all;
}
PAIR(softmax_blocks) { softmax_blocks_kernel<Right><<<3, 64>>>(in, out, acc, acc + 8, acc + 16); }

/* case top_k: each block merges its best into the common list under a lock */
template <bool Right> __global__ void top_k_kernel(const int *in, int *best, int *lock) {
  __shared__ int mine[32];
  const int t = threadIdx.x;
  mine[t] = in[blockIdx.x * 32 + t] * 37 % 193;
  __syncthreads();
  if (t) return;
  while (atomicCAS(lock, 0, 1)) __nanosleep(64);
  __threadfence();
  for (int k = 0; k < 32; k++)
    for (int v = mine[k], j = 0; j < 4; j++)
      if (v > best[j]) { /*!*/
        const int down = best[j]; /*!*/
        best[j] = v; /*!*/
        v = down;
      }
  if constexpr (Right) __threadfence();
  atomicExch(lock, 0);
}
PAIR(top_k) {
  top_k_kernel<Right><<<6, 32>>>(in, acc, acc + 8);
  copy_out_kernel<0><<<1, 4>>>(acc, out);
}

/* case digits: a pass of a radix sort: counts of all blocks, then their scan by the last one */
template <bool Right> __global__ void digits_kernel(const int *in, int *out, unsigned *count, unsigned *done) {
  __shared__ unsigned mine[8];
  __shared__ bool last;
  const int t = threadIdx.x;
  if (t < 8) mine[t] = 0;
  __syncthreads();
  atomicAdd(&mine[in[blockIdx.x * 40 + t] % 8], 1u);
  __syncthreads();
  if (t < 8) {
    count[t * gridDim.x + blockIdx.x] = mine[t]; /*!*/
    if constexpr (Right) __threadfence();
  }
  __syncthreads();
  if (t == 0) last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1;
  __syncthreads();
  if (!last) return;
  __threadfence();
  if (t < 8) {
    unsigned before = 0;
    for (unsigned k = 0; k < t * gridDim.x; k++) before += count[k]; /*!*/
    out[t] = (int)before;
  }
}
PAIR(digits) { digits_kernel<Right><<<4, 40>>>(in, out, (unsigned *)acc, (unsigned *)acc + 40); }

/* case bins_private: bins of each warp, added up by the block, then by all */
template <bool Right> __global__ void bins_private_kernel(const int *in, int *out, int n) {
  __shared__ int bin[3][16];
  const int t = threadIdx.x + blockDim.x * threadIdx.y, threads = blockDim.x * blockDim.y;
  for (int i = t; i < 3 * 16; i += threads) (&bin[0][0])[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * threads + t; i < n; i += gridDim.x * threads) atomicAdd(&bin[t / 32][in[i] % 16], 1); /*!*/
  if constexpr (Right) __syncthreads();
  for (int k = t; k < 16; k += threads) atomicAdd(&out[k], bin[0][k] + bin[1][k] + bin[2][k]); /*!*/
}
PAIR(bins_private) {
  cudaMemsetAsync(out, 0, 16 * sizeof(int));
  bins_private_kernel<Right><<<3, dim3(16, 6)>>>(in, out, n);
}

/* case warp_sort: a bitonic sort of a warp by shuffles, merged with the next warp's through shared memory */
__device__ int compare_and_keep(int v, int distance, bool ascending) {
  const int other = __shfl_xor_sync(~0u, v, distance);
  const bool lower = !(threadIdx.x & distance);
  return lower == ascending ? min(v, other) : max(v, other);
}
template <bool Right> __global__ void warp_sort_kernel(const int *in, int *out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  int v = in[t] * 23 % 64;
  for (int k = 2; k <= 32; k *= 2)
    for (int d = k / 2; d; d /= 2) v = compare_and_keep(v, d, !(t & k));
  s[t] = v; /*!*/
  if constexpr (Right) __syncthreads();
  else __syncwarp();
  const int other = s[t ^ 32]; /*!*/
  v = t < 32 ? min(v, other) : max(v, other);
  for (int d = 16; d; d /= 2) v = compare_and_keep(v, d, true);
  out[t] = v;
}
PAIR(warp_sort) { warp_sort_kernel<Right><<<1, 64>>>(in, out); }

/* case bfs: levels of a search with two work lists and a barrier of all blocks */
template <bool Right> __global__ void bfs_kernel(int *level, int *list, int *n, unsigned *count, int nodes) {
  unsigned goal = 0;
  for (int l = 0, any = 1; any; l++) {
    const int *from = list + (l & 1) * 32;
    int *to = list + (~l & 1) * 32;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n[l]; i += gridDim.x * blockDim.x) { /*!*/
      const int v = from[i]; /*!*/
      for (int e = 1; e <= 2; e++) {
        const int w = 2 * v + e;
        if (w < nodes && atomicCAS(&level[w], 0, l + 1) == 0) to[atomicAdd(&n[l + 1], 1)] = w; /*!*/
      }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      if constexpr (Right) __threadfence();
      goal += gridDim.x;
      atomicAdd(count, 1u);
      while (*(volatile unsigned *)count < goal)
        ;
      if constexpr (Right) __threadfence();
    }
    __syncthreads();
    any = n[l + 1]; /*!*/
  }
}
PAIR(bfs) {
  first_item_kernel<0><<<1, 1>>>(acc + 32, acc, acc + 96);
  bfs_kernel<Right><<<2, 4>>>(acc, acc + 32, acc + 96, (unsigned *)acc + 120, 30);
  if constexpr (Right) copy_out_kernel<0><<<1, 30>>>(acc, out);
}

/* case life: a game of life in one launch, on two boards */
template <bool Right> __global__ void life_kernel(int *board, unsigned *count) {
  const int x = threadIdx.x, y = blockIdx.x * blockDim.y + threadIdx.y;
  for (int g = 0; g < 3; g++) {
    const int *from = board + (g & 1) * 64;
    int around = 0;
    for (int k = 0; k < 9; k++) around += k == 4 ? 0 : from[(y + k / 3 + 7) % 8 * 8 + (x + k % 3 + 7) % 8]; /*!*/
    board[(~g & 1) * 64 + y * 8 + x] = around == 3 || (around == 2 && from[y * 8 + x]); /*!*/
    __syncthreads();
    if (x == 0 && threadIdx.y == 0) {
      if constexpr (Right) __threadfence();
      atomicAdd(count, 1u);
      while (atomicAdd(count, 0u) < (g + 1) * gridDim.x)
        ;
      if constexpr (Right) __threadfence();
    }
    __syncthreads();
  }
}
template <int> __global__ void glider_kernel(int *board) {
  const int t = threadIdx.x;
  board[t] = t == 1 || t == 10 || t == 16 || t == 17 || t == 18;
}
PAIR(life) {
  glider_kernel<0><<<1, 64>>>(acc);
  life_kernel<Right><<<2, dim3(8, 4)>>>(acc, (unsigned *)acc + 128);
  copy_out_kernel<0><<<1, 64>>>(acc + 64, out);
}

/* case grid_reduce: a reduction in one launch, by the grid's own barrier */
template <bool Right> __global__ void grid_reduce_kernel(const int *in, int *out, int *part, int n) {
  __shared__ int s[40];
  const int t = threadIdx.x;
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  s[t] = sum;
  __syncthreads();
  if (t == 0) {
    sum = 0;
    for (int k = 0; k < 40; k++) sum += s[k];
    part[blockIdx.x] = sum; /*!*/
  }
  if constexpr (Right) cooperative_groups::this_grid().sync();
  else {
    __syncthreads();
    __threadfence();
  }
  sum = 0;
  for (unsigned b = 0; b < gridDim.x; b++) sum += part[b]; /*!*/
  out[blockIdx.x * blockDim.x + t] = sum;
}
PAIR(grid_reduce) { grid_reduce_kernel<Right><<<5, 40>>>(in, out, acc, n); }

/* case grid_rounds: rounds of a stencil in place, each with two barriers of the grid */
template <bool Right> __global__ void grid_rounds_kernel(const int *in, int *out, int *cell, int n) {
  const int i = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  cell[i] = in[i]; /*!*/
  for (int k = 0; k < 3; k++) {
    cooperative_groups::this_grid().sync();
    const int next = cell[(i + 1) % n] + cell[(i + n - 1) % n]; /*!*/
    if constexpr (Right) cooperative_groups::this_grid().sync();
    cell[i] = next; /*!*/
  }
  out[i] = cell[i];
}
PAIR(grid_rounds) { grid_rounds_kernel<Right><<<4, dim3(5, 3)>>>(in, out, acc, n); }

/* case grid_skips: a block that has nothing to do leaves before the barrier of the grid */
template <bool Right> __global__ void grid_skips_kernel(const int *in, int *out, int *part) {
  if (!Right && blockIdx.x == 2) return;
  if (threadIdx.x == 0) part[blockIdx.x] = in[blockIdx.x];
  cooperative_groups::this_grid().sync(); /*!*/
  out[blockIdx.x * 8 + threadIdx.x] = part[(blockIdx.x + 1) % gridDim.x];
}
PAIR(grid_skips) { grid_skips_kernel<Right><<<4, 8>>>(in, out, acc); }

/* case grid_early: threads that left earlier are not waited for, but then the grid's barrier is not reached by all */
template <bool Right> __global__ void grid_early_kernel(const int *in, int *out, int *part, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if constexpr (!Right)
    if (i >= n) return;
  if (i < n) part[i] = in[i];
  cooperative_groups::this_grid().sync(); /*!*/
  if (i < n) out[i] = part[n - 1 - i];
}
PAIR(grid_early) { grid_early_kernel<Right><<<3, 16>>>(in, out, acc, n); }

/* case row_by_row: a triangular solve without levels: each row waits for the one before it, which is in another block */
template <bool Right> __global__ void row_by_row_kernel(int *out, volatile int *ready, int n) {
  const int i = threadIdx.x * gridDim.x + blockIdx.x;
  if (i >= n) return;
  int x = 1;
  if (i) {
    while (!ready[i - 1]) continue;
    __threadfence();
    x += out[i - 1]; /*!*/
  }
  out[i] = x; /*!*/
  if constexpr (Right) __threadfence();
  ready[i] = 1;
}
PAIR(row_by_row) { row_by_row_kernel<Right><<<4, 32>>>(out, acc, n); }

/* case line_of_cells: each step of a line of cells waits for both neighbours' step before */
template <bool Right> __global__ void line_of_cells_kernel(const int *in, int *out, volatile int *step, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i]; /*!*/
  for (int r = 1; r <= 4; r++) {
    if constexpr (Right) __threadfence();
    step[i] = r;
    if (Right && i)
      while (step[i - 1] < r) continue;
    if (i + 1 < n)
      while (step[i + 1] < r) continue;
    __threadfence();
  }
  if (i && out[i - 1] < 0) out[i] = 0; /*!*/
}
PAIR(line_of_cells) { line_of_cells_kernel<Right><<<8, 24>>>(in, out, acc, n); }

/* case round_table: a word that goes from thread to thread, each in another block; everybody asks for it with an atomic operation that changes nothing */
template <bool Right> __global__ void round_table_kernel(int *out, int *turn) {
  const int i = threadIdx.x * gridDim.x + blockIdx.x;
  bool again;
  do {
    again = false;
    if (atomicAdd(turn, 0) == i) {
      __threadfence();
      out[i] = i ? out[i - 1] + 1 : 1; /*!*/
      if constexpr (Right) __threadfence();
      atomicExch(turn, i + 1);
    } else
      again = true;
  } while (again);
}
PAIR(round_table) { round_table_kernel<Right><<<4, 32>>>(out, acc); }

/* case least_of_all: each of many threads offers many values to one minimum, which most of them leave as it is: that is work, not waiting */
template <bool Right> __global__ void least_of_all_kernel(int *out, int *least) {
  for (int k = 1024; k > 0; k--) atomicMin(least, -(int)threadIdx.x - 1); /*!*/
  if constexpr (Right) __syncthreads();
  if (threadIdx.x == 0) out[0] = *least + 1024; /*!*/
}
PAIR(least_of_all) { least_of_all_kernel<Right><<<1, 1024>>>(out, acc); }
