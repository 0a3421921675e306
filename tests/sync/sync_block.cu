/* sync_block.cu - threads of one block, which meet at barriers: pairs of a right and a wrong form. See pair.h; what is expected is in
 * sync_block.def. Marked lines are where a finding may be. */
#include "pair.h"

/* case tree */
template <bool Right> __global__ void tree_kernel(const int *in, int *out) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d]; /*!*/
    if constexpr (Right) __syncthreads();
  }
  if (t == 0) out[0] = s[0];
}
PAIR(tree) { tree_kernel<Right><<<1, 128>>>(in, out); }

/* case trips */
template <bool Right> __global__ void trips_kernel(const int *in, int *out) {
  __shared__ int s[96];
  const int t = threadIdx.x, trips = Right ? 3 : 2 + t / 32;
  int sum = 0;
  for (int k = 0; k < trips; k++) {
    s[t] = in[t] + k;
    __syncthreads(); /*!*/
    sum += s[(t + 1) % blockDim.x / 32 * 32 + t % 32];
    __syncthreads(); /*!*/
  }
  out[t] = sum; /*!*/
}
PAIR(trips) { trips_kernel<Right><<<1, 96>>>(in, out); }

/* case conditional: a half block meets, the other half runs on */
template <bool Right> __global__ void conditional_kernel(const int *in, int *out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  if (t < 32) {
    s[t] = in[t];
    if constexpr (!Right) __syncthreads(); /*!*/
  }
  if constexpr (Right) __syncthreads();
  if (t < 32) out[t] = s[31 - t];
  else out[t] = in[t];
  __syncthreads(); /*!*/
}
PAIR(conditional) { conditional_kernel<Right><<<1, 64>>>(in, out); }

/* case early_return */
template <bool Right> __global__ void early_return_kernel(const int *in, int *out, int n) {
  __shared__ int s[64];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if constexpr (!Right)
    if (i >= n) return;
  s[t] = i < n ? in[i] : 0;
  __syncthreads(); /*!*/
  if (i < n) out[i] = s[t ^ 1];
}
PAIR(early_return) { early_return_kernel<Right><<<2, 64>>>(in, out, n); }

/* case arms: each barrier of the two arms waits for the other one's threads */
template <bool Right> __global__ void arms_kernel(const int *in, int *out) {
  __shared__ int s[64];
  const int t = threadIdx.x, odd = (Right ? blockIdx.x : t) & 1;
  if (odd) {
    s[t] = in[t];
    __syncthreads(); /*!*/
  } else {
    s[t] = -in[t];
    __syncthreads(); /*!*/
  }
  out[blockIdx.x * blockDim.x + t] = s[63 - t];
}
PAIR(arms) { arms_kernel<Right><<<2, 64>>>(in, out); }

/* case phases: one warp is a barrier behind */
template <bool Right> __global__ void phases_kernel(const int *in, int *out) {
  __shared__ int a[96], b[96];
  const int t = threadIdx.x;
  a[t] = in[t];
  if (Right || t >= 32) __syncthreads(); /*!*/
  b[t] = in[t] + 1; /*!*/
  __syncthreads(); /*!*/
  out[t] = t < 32 ? b[t] : b[t] + a[t]; /*!*/
}
PAIR(phases) { phases_kernel<Right><<<1, 96>>>(in, out); }

/* case leave_loop: a thread that is done leaves the loop; the block must do so together */
template <bool Right> __global__ void leave_loop_kernel(const int *in, int *out) {
  __shared__ int s[70];
  const int t = threadIdx.x;
  int left = in[t] % 5, rounds = 0;
  for (;;) {
    s[t] = left;
    bool more;
    if constexpr (Right) more = __syncthreads_or(left > 0);
    else {
      __syncthreads(); /*!*/
      more = left > 0;
    }
    if (!more) break;
    rounds += s[t] > 0;
    left--;
  }
  __syncthreads(); /*!*/
  out[t] = rounds;
}
PAIR(leave_loop) { leave_loop_kernel<Right><<<1, 70>>>(in, out); }

/* case reset_flag: who resets the flag must know that all have read it */
template <bool Right> __global__ void reset_flag_kernel(const int *in, int *out) {
  __shared__ int found;
  const int t = threadIdx.x;
  int hits = 0;
  if (t == 0) found = 0;
  __syncthreads();
  for (int k = 0; k < 4; k++) {
    if (in[t] == 10 * k + 1) found = 1; /*!*/
    __syncthreads();
    hits += found; /*!*/
    if constexpr (Right) __syncthreads();
    if (t == 0) found = 0; /*!*/
    __syncthreads();
  }
  out[t] = hits;
}
PAIR(reset_flag) { reset_flag_kernel<Right><<<1, 45>>>(in, out); }

/* case ping_pong: with two buffers one barrier a round is enough, with one it is not */
template <bool Right> __global__ void ping_pong_kernel(const int *in, int *out) {
  __shared__ int s[2][64];
  const int t = threadIdx.x;
  s[0][t] = in[t];
  __syncthreads();
  for (int k = 0; k < 5; k++) {
    const int from = Right ? k & 1 : 0, to = Right ? ~k & 1 : 0;
    const int next = s[from][(t + 1) % 64]; /*!*/
    s[to][t] = next; /*!*/
    __syncthreads();
  }
  out[t] = s[Right ? 1 : 0][t];
}
PAIR(ping_pong) { ping_pong_kernel<Right><<<1, 64>>>(in, out); }

/* case tiles: the next tile is loaded over the one that others still multiply with */
template <bool Right, int T> __global__ void tiles_kernel(const int *a, int *c, int n) {
  __shared__ int x[T][T], y[T][T];
  const int r = blockIdx.y * T + threadIdx.y, q = blockIdx.x * T + threadIdx.x;
  int sum = 0;
  for (int k = 0; k < n; k += T) {
    x[threadIdx.y][threadIdx.x] = a[r * n + k + threadIdx.x]; /*!*/
    y[threadIdx.y][threadIdx.x] = a[(k + threadIdx.y) * n + q] & 1; /*!*/
    __syncthreads();
    for (int j = 0; j < T; j++) sum += x[threadIdx.y][j] * y[j][threadIdx.x]; /*!*/
    if constexpr (Right) __syncthreads();
  }
  c[r * n + q] = sum;
}
PAIR(tiles) { tiles_kernel<Right, 6><<<dim3(2, 2), dim3(6, 6)>>>(in, out, 12); }

/* case volume: a block of three dimensions, of no whole warps */
template <bool Right> __global__ void volume_kernel(const int *in, int *out) {
  __shared__ int s[3][5][7];
  const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z, i = (z * 5 + y) * 7 + x;
  s[z][y][x] = in[i]; /*!*/
  if constexpr (Right) __syncthreads();
  out[i] = s[2 - z][4 - y][6 - x]; /*!*/
}
PAIR(volume) { volume_kernel<Right><<<1, dim3(7, 5, 3)>>>(in, out); }

/* case helper: a helper with a barrier is called by all, or by some */
template <int N> __device__ int block_sum(int v, int *s) {
  s[threadIdx.x] = v;
  __syncthreads(); /*!*/
  int sum = 0;
  for (int k = 0; k < N; k++) sum += s[k];
  return sum;
}
template <bool Right> __global__ void helper_kernel(const int *in, int *out) {
  __shared__ int s[40];
  const int t = threadIdx.x;
  s[t] = 0;
  __syncthreads();
  int sum = 0;
  if (Right || t < 20) sum = block_sum<40>(t < 20 ? in[t] : 0, s); /*!*/
  __syncthreads(); /*!*/
  out[t] = sum;
}
PAIR(helper) { helper_kernel<Right><<<1, 40>>>(in, out); }

/* case reuse: the result is read from the buffer that the next reduction writes */
template <bool Right> __global__ void reuse_kernel(const int *in, int *out) {
  __shared__ int part[4];
  const int t = threadIdx.x;
  int result[2];
  for (int k = 0; k < 2; k++) {
    int v = k ? -in[t] : in[t];
    for (int d = 16; d; d /= 2) v = max(v, __shfl_xor_sync(~0u, v, d));
    if (t % 32 == 0) part[t / 32] = v; /*!*/
    __syncthreads();
    result[k] = part[0]; /*!*/
    for (int w = 1; w < 4; w++) result[k] = max(result[k], part[w]); /*!*/
    if constexpr (Right) __syncthreads();
  }
  out[t] = result[0] * 10 + result[1];
}
PAIR(reuse) { reuse_kernel<Right><<<1, 128>>>(in, out); }

/* case start: a total is set to zero by one thread */
template <bool Right> __global__ void start_kernel(const int *in, int *out) {
  __shared__ int total;
  if (threadIdx.x == 32) total = 0; /*!*/
  if constexpr (Right) __syncthreads();
  atomicAdd(&total, in[threadIdx.x]); /*!*/
  __syncthreads();
  out[threadIdx.x] = total;
}
PAIR(start) { start_kernel<Right><<<1, 50>>>(in, out); }

/* case halo: the edges of a tile come from other threads */
template <bool Right> __global__ void halo_kernel(const int *in, int *out, int n) {
  __shared__ int s[33 + 2];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t + 1] = i < n ? in[i] : 0; /*!*/
  if (t == 0) s[0] = i ? in[i - 1] : 0; /*!*/
  if (t == (int)blockDim.x - 1) s[t + 2] = i + 1 < n ? in[i + 1] : 0; /*!*/
  if constexpr (Right) __syncthreads();
  if (i < n) out[i] = s[t] + s[t + 1] + s[t + 2]; /*!*/
}
PAIR(halo) { halo_kernel<Right><<<3, 33>>>(in, out, n); }

/* case poll_barrier: a barrier by polling; whoever comes last lets the others go on */
template <bool Waits> static __device__ void meet(unsigned *arrived, unsigned *phase) {
  __threadfence_block();
  const unsigned now = atomicAdd(phase, 0);
  if (atomicAdd(arrived, 1) == blockDim.x - 1) {
    atomicExch(arrived, 0);
    __threadfence_block();
    atomicAdd(phase, 1);
  } else if constexpr (Waits) {
    while (atomicAdd(phase, 0) == now) {}
  }
  __threadfence_block();
}
template <bool Right> __global__ void poll_barrier_kernel(const int *in, int *out) {
  __shared__ unsigned arrived, phase;
  __shared__ int s[96];
  const int t = threadIdx.x;
  if (t == 0) arrived = phase = 0;
  __syncthreads();
  for (int i = 0; i < 2; i++) meet<true>(&arrived, &phase);
  s[t] = in[t]; /*!*/
  meet<Right>(&arrived, &phase);
  out[t] = s[(t + 40) % 96]; /*!*/
}
PAIR(poll_barrier) { poll_barrier_kernel<Right><<<1, 96>>>(in, out); }

/* case scan: reads and writes of one array, with a barrier between them */
template <bool Right> __global__ void scan_kernel(const int *in, int *out) {
  __shared__ int s[77];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int d = 1; d < 77; d *= 2) {
    const int below = t >= d ? s[t - d] : 0; /*!*/
    if constexpr (Right) __syncthreads();
    s[t] += below; /*!*/
    __syncthreads();
  }
  out[t] = s[t];
}
PAIR(scan) { scan_kernel<Right><<<1, 77>>>(in, out); }

/* case equal_values: all write the same */
template <bool Right> __global__ void equal_values_kernel(const int *in, int *out) {
  __shared__ int top;
  if (!Right || threadIdx.x == 0) top = in[63]; /*!*/
  __syncthreads();
  out[threadIdx.x] = top;
}
PAIR(equal_values) { equal_values_kernel<Right><<<1, 64>>>(in, out); }

/* case bins_cleared: bins are cleared by other threads than count in them */
template <bool Right> __global__ void bins_cleared_kernel(const int *in, int *out, int n) {
  __shared__ unsigned bin[8];
  for (int i = threadIdx.x; i < 8; i += blockDim.x) bin[i] = 0; /*!*/
  if constexpr (Right) __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&bin[in[i] % 8], 1u); /*!*/
  __syncthreads();
  for (int i = threadIdx.x; i < 8; i += blockDim.x) out[i] = (int)bin[i];
}
PAIR(bins_cleared) { bins_cleared_kernel<Right><<<1, 48>>>(in, out, n); }

/* case bins_plain: counting without an atomic operation */
template <bool Right> __global__ void bins_plain_kernel(const int *in, int *out, int n) {
  __shared__ int bin[8];
  if (threadIdx.x < 8) bin[threadIdx.x] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    if constexpr (Right) atomicAdd(&bin[in[i] % 8], 1);
    else bin[in[i] % 8]++; /*!*/
  __syncthreads();
  if (threadIdx.x < 8) out[threadIdx.x] = bin[threadIdx.x];
}
PAIR(bins_plain) { bins_plain_kernel<Right><<<1, 64>>>(in, out, n); }

/* case mixed: a counter is read in passing while others count */
template <bool Right> __global__ void mixed_kernel(const int *in, int *out) {
  __shared__ int count;
  const int t = threadIdx.x;
  if (t == 0) count = 0;
  __syncthreads();
  atomicAdd(&count, in[t] & 1); /*!*/
  int seen;
  if constexpr (Right) seen = atomicAdd(&count, 0);
  else seen = count; /*!*/
  out[t] = seen >= (in[t] & 1);
}
PAIR(mixed) { mixed_kernel<Right><<<1, 64>>>(in, out); }

/* case sort: a step of the network reads what others wrote in the step before */
template <bool Right> __global__ void sort_kernel(const int *in, int *out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = (in[t] * 37) % 64;
  __syncthreads();
  for (int k = 2; k <= 64; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      const int p = t ^ j;
      if (p > t) {
        const int a = s[t], b = s[p]; /*!*/
        if ((a > b) == !(t & k)) s[t] = b, s[p] = a; /*!*/
      }
      if (Right || j == 1) __syncthreads();
    }
  out[t] = s[t];
}
PAIR(sort) { sort_kernel<Right><<<1, 64>>>(in, out); }

/* case broadcast: the next piece of work is told to the block in one shared variable */
template <bool Right> __global__ void broadcast_kernel(const int *in, int *out, int *next, int n) {
  __shared__ int piece;
  for (;;) {
    if (threadIdx.x == 0) piece = atomicAdd(next, 1); /*!*/
    __syncthreads(); /*!*/
    const int i = piece * (int)blockDim.x; /*!*/
    if (i >= n) break;
    if (i + (int)threadIdx.x < n) out[i + threadIdx.x] = 2 * in[i + threadIdx.x];
    if constexpr (Right) __syncthreads();
  } /*!*/
}
PAIR(broadcast) { broadcast_kernel<Right><<<3, 40>>>(in, out, acc, n); }

/* case warp_for_block: __syncwarp() does not reach the other warps */
template <bool Right> __global__ void warp_for_block_kernel(const int *in, int *out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = in[t]; /*!*/
  if constexpr (Right) __syncthreads();
  else __syncwarp();
  out[t] = s[63 - t]; /*!*/
}
PAIR(warp_for_block) { warp_for_block_kernel<Right><<<1, 64>>>(in, out); }

/* case lambda: the same through a function object, on dynamic shared memory */
template <class F> __device__ void for_own(int n, F f) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) f(i);
}
template <bool Right> __global__ void lambda_kernel(const int *in, int *out, int n) {
  extern __shared__ int buffer[];
  for_own(n, [=](int i) { buffer[i] = in[i]; }); /*!*/
  if constexpr (Right) __syncthreads();
  for_own(n, [=](int i) { out[i] = buffer[n - 1 - i]; }); /*!*/
}
PAIR(lambda) { lambda_kernel<Right><<<1, 40, n * sizeof(int)>>>(in, out, n); }

/* case two_dimensions: a column is summed of what other rows of threads wrote */
template <bool Right> __global__ void two_dimensions_kernel(const int *in, int *out) {
  __shared__ int s[8][9];
  const int x = threadIdx.x, y = threadIdx.y;
  s[y][x] = in[y * 9 + x]; /*!*/
  if constexpr (Right) __syncthreads();
  if (y == 0) {
    int sum = 0;
    for (int k = 0; k < 8; k++) sum += s[k][x]; /*!*/
    out[x] = sum;
  }
}
PAIR(two_dimensions) { two_dimensions_kernel<Right><<<1, dim3(9, 8)>>>(in, out); }

/* case global_in_block: global memory is no different */
template <bool Right> __global__ void global_in_block_kernel(const int *in, int *out, int *tmp) {
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  tmp[i] = in[i]; /*!*/
  if constexpr (Right) __syncthreads();
  out[i] = tmp[blockIdx.x * blockDim.x + (t + 33) % blockDim.x]; /*!*/
}
PAIR(global_in_block) { global_in_block_kernel<Right><<<2, 80>>>(in, out, acc); }

/* case bound: the bound of a loop with a barrier is read from memory that the loop changes */
template <bool Right> __global__ void bound_kernel(const int *in, int *out) {
  __shared__ int left;
  const int t = threadIdx.x;
  if (t == 0) left = 3;
  __syncthreads();
  int rounds = 0;
  while (left > 0) { /*!*/
    rounds++;
    if constexpr (Right) __syncthreads();
    if (t == 0) left--; /*!*/
    __syncthreads(); /*!*/
  }
  out[t] = rounds + in[t]; /*!*/
}
PAIR(bound) { bound_kernel<Right><<<1, 64>>>(in, out); }
