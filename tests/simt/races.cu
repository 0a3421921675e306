/* races.cu - conflicting accesses with and without order. Rows: races.def. */
#include "launcher.h"
#include <cuda_runtime.h>

namespace races {

/* ---- clean ---- */

/* case race_double_buffer */
__global__ void double_buffer_kernel(const int *in, int *out, int rounds) {
  __shared__ int s[2][64];
  const int t = threadIdx.x;
  s[0][t] = in[t];
  __syncthreads();
  for (int k = 0; k < rounds; k++) {
    s[(k + 1) & 1][t] = s[k & 1][(t + 1) % 64];
    __syncthreads();
  }
  out[t] = s[rounds & 1][t];
}
LAUNCHER(race_double_buffer) { double_buffer_kernel<<<1, 64>>>(in, out, 5); }

/* case race_histogram */
#define BINS 10
__global__ void histogram_kernel(const int *in, int *hist, int n) {
  __shared__ unsigned local[BINS];
  for (int b = threadIdx.x; b < BINS; b += blockDim.x) local[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&local[in[i] % BINS], 1);
  __syncthreads();
  for (int b = threadIdx.x; b < BINS; b += blockDim.x) atomicAdd(&hist[b], (int)local[b]);
}
__global__ void copy_kernel(const int *from, int *to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i];
}
LAUNCHER(race_histogram) {
  histogram_kernel<<<3, 40>>>(in, acc, n);
  copy_kernel<<<(n + 63) / 64, 64>>>(acc, out, n);
}

/* case race_last_block */
__device__ bool arrives_last(int *counter) {
  __shared__ bool last;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(counter, 1) == (int)gridDim.x - 1;
  __syncthreads();
  __threadfence();
  return last;
}
__global__ void last_block_kernel(const int *in, int *out, int *partial, int *counter) {
  int v = in[blockIdx.x * 32 + threadIdx.x];
  for (int d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d);
  if (threadIdx.x == 0) partial[blockIdx.x] = v;
  if (!arrives_last(counter)) return;
  int sum = 0;
  for (int b = 0; b < (int)gridDim.x; b++) sum += partial[b];
  out[threadIdx.x] = sum;
}
LAUNCHER(race_last_block) { last_block_kernel<<<4, 32>>>(in, out, acc, acc + 64); }

/* case race_last_block_volatile */
__global__ void last_block_volatile_kernel(const int *in, int *out, volatile int *partial, unsigned *ticket) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = in[blockIdx.x];
    __threadfence();
    last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x < gridDim.x) out[threadIdx.x] = partial[threadIdx.x];
}
LAUNCHER(race_last_block_volatile) { last_block_volatile_kernel<<<5, 40>>>(in, out, acc, (unsigned *)acc + 64); }

/* case race_last_block_global */
__device__ unsigned blocks_done;
__global__ void last_block_global_kernel(const int *in, int *out, int *partial) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = in[blockIdx.x];
    __threadfence();
    last = atomicInc(&blocks_done, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  if (threadIdx.x < gridDim.x) out[threadIdx.x] = partial[threadIdx.x];
}
LAUNCHER(race_last_block_global) { last_block_global_kernel<<<6, 33>>>(in, out, acc); }

/* case race_buffer_table */
struct Stage { int *from, *to; int by; };
__device__ void shift(Stage stage, int n) { stage.to[threadIdx.x] = stage.from[(threadIdx.x + stage.by) % n]; }
__global__ void buffer_table_kernel(const int *in, int *out) {
  __shared__ int first[48], second[48];
  int *buffer[2] = {first, second};
  buffer[0][threadIdx.x] = in[blockIdx.x * 48 + threadIdx.x];
  __syncthreads();
  for (int k = 0; k < 3; k++) {
    buffer[(k + 1) & 1][threadIdx.x] = buffer[k & 1][(threadIdx.x + 1) % 48];
    __syncthreads();
  }
  const Stage last[] = {{second, first, 2}, {first, second + 0, 0}};
  for (int k = 0; k < 2; k++) {
    shift(last[k], 48);
    __syncthreads();
  }
  out[blockIdx.x * 48 + threadIdx.x] = buffer[1][threadIdx.x];
}
LAUNCHER(race_buffer_table) { buffer_table_kernel<<<3, 48>>>(in, out); }

/* case race_buffer_table_no_barrier */
__global__ void buffer_table_no_barrier_kernel(const int *in, int *out) {
  __shared__ int a[64], b[64];
  int *ab[2] = {a, b};
  a[threadIdx.x] = b[threadIdx.x] = 0;
  __syncthreads();
  for (int k = 0; k < 2; k++) ab[k][threadIdx.x] = in[threadIdx.x]; /*A*/
  out[threadIdx.x] = ab[1][63 - threadIdx.x];                      /*B*/
}
LAUNCHER(race_buffer_table_no_barrier) { buffer_table_no_barrier_kernel<<<1, 64>>>(in, out); }

/* case race_bytes */
__global__ void bytes_kernel(const int *in, char *out, int n) {
  __shared__ unsigned char s[40];
  __shared__ short h[40];
  const int t = threadIdx.x;
  s[t] = (unsigned char)in[t];
  h[39 - t] = (short)(in[t] * 2);
  __syncthreads();
  if (t < n * 4) out[t] = (char)(s[39 - t] + h[t]);
}
LAUNCHER(race_bytes) { bytes_kernel<<<1, 40>>>(in, (char *)out, n); }

/* case race_fields */
struct __align__(8) Record { short kind; unsigned char low, high; float weight; };
__global__ void fields_kernel(const int *in, int *out) {
  __shared__ Record r[16];
  const int k = threadIdx.x % 16;
  switch (threadIdx.x / 16) {
  case 0: r[k].kind = (short)in[k]; break;
  case 1: r[k].low = 1; break;
  case 2: r[k].high = 2; break;
  case 3: r[k].weight = 0.5f; break;
  }
  __syncthreads();
  const Record mine = r[k];
  out[threadIdx.x] = mine.kind + mine.low + mine.high + (int)(2 * mine.weight);
}
LAUNCHER(race_fields) { fields_kernel<<<1, 64>>>(in, out); }

/* case race_read_read */
__constant__ int factor = 3;
__global__ void read_read_kernel(const int *__restrict__ in, int *__restrict__ out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[0] * factor + __ldg(&in[n - 1]) + in[i / 2];
}
LAUNCHER(race_read_read) { read_read_kernel<<<3, 30>>>(in, out, n); }

/* case race_warp_tail */
__global__ void warp_tail_kernel(const int *in, int *out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t < 32) {
    int v = s[t] + s[t + 32];
    s[t] = v; __syncwarp();
    if (t < 16) v += s[t + 16];
    __syncwarp(); s[t] = v; __syncwarp();
    if (t < 8) v += s[t + 8];
    __syncwarp(); s[t] = v; __syncwarp();
    if (t == 0) {
      for (int k = 1; k < 8; k++) v += s[k];
      out[0] = v;
    }
  }
}
LAUNCHER(race_warp_tail) { warp_tail_kernel<<<1, 64>>>(in, out); }

/* case race_transpose */
template <int Tile, int Rows> __global__ void transpose_kernel(const int *in, int *out, int width, int height) {
  __shared__ int tile[Tile][Tile + 1];
  int x = blockIdx.x * Tile + threadIdx.x, y = blockIdx.y * Tile + threadIdx.y;
  for (int j = 0; j < Tile; j += Rows)
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * Tile + threadIdx.x;
  y = blockIdx.x * Tile + threadIdx.y;
  for (int j = 0; j < Tile; j += Rows)
    if (x < height && y + j < width) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}
LAUNCHER(race_transpose) { transpose_kernel<8, 4><<<dim3(3, 2), dim3(8, 4)>>>(in, out, 20, 13); }

/* case race_vectors */
union Quad { float4 v; float f[4]; };
__global__ void vectors_kernel(const float4 *in, float4 *out, int quads) {
  __shared__ float4 s[16];
  __shared__ float3 p[16];
  const int t = threadIdx.x;
  if (t < quads) s[t] = in[t];
  p[t] = make_float3(1.f, 2.f, (float)t);
  __syncthreads();
  if (t >= quads) return;
  Quad q;
  q.v = s[quads - 1 - t];
  const float3 w = p[15 - t];
  for (int k = 0; k < 4; k++) q.f[k] = __int_as_float(__float_as_int(q.f[k]) + (int)(w.x * w.y));
  out[t] = q.v;
}
LAUNCHER(race_vectors) { vectors_kernel<<<1, 16>>>((const float4 *)in, (float4 *)out, n / 4); }

/* case race_message */
__global__ void message_kernel(const int *in, int *out, int *data, volatile int *flag) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    data[0] = in[4];
    __threadfence();
    *flag = 1;
  }
  if (blockIdx.x == 1 && threadIdx.x == 32) {
    while (*flag == 0) {
    }
    __threadfence();
    out[0] = data[0];
  }
}
LAUNCHER(race_message) { message_kernel<<<2, 64>>>(in, out, acc, acc + 1); }

/* case race_message_in_block */
__global__ void message_in_block_kernel(const int *in, int *out) {
  __shared__ int data, ready;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  if (threadIdx.x == 63) {
    data = in[8];
    __threadfence_block();
    atomicExch(&ready, 1);
  } else if (threadIdx.x == 0) {
    while (atomicAdd(&ready, 0) == 0) {
    }
    __threadfence_block();
    out[0] = data;
  }
}
LAUNCHER(race_message_in_block) { message_in_block_kernel<<<1, 64>>>(in, out); }

/* case race_poll_other_warp */
__global__ void poll_other_warp_kernel(const int *in, int *out, volatile int *ready) {
  const int t = threadIdx.x;
  if (t == 63) {
    out[1] = in[t];
    __threadfence();
    ready[0] = 1;
  }
  if (t == 0) {
    while (!ready[0])
      ;
    __threadfence();
    out[0] = out[1];
  }
}
LAUNCHER(race_poll_other_warp) { poll_other_warp_kernel<<<1, 64>>>(in, out, acc); }

/* case race_poll_own_warp */
__global__ void poll_own_warp_kernel(const int *in, int *out, int *ready) {
  const int t = threadIdx.x;
  if (t == 0 || t == 31) {
    while (atomicAdd(ready, 0) == 0)
      ;
    __threadfence();
    out[t] = out[5];
  } else if (t == 5) {
    out[t] = in[t];
    __threadfence();
    atomicExch(ready, 1);
  }
}
LAUNCHER(race_poll_own_warp) { poll_own_warp_kernel<<<1, 32>>>(in, out, acc); }

/* case race_lock */
struct Lock {
  int *word;
  __device__ void take() {
    while (atomicCAS(word, 0, 1) != 0) {
    }
    __threadfence();
  }
  __device__ void give() {
    __threadfence();
    atomicExch(word, 0);
  }
};
__global__ void lock_kernel(const int *in, Lock lock, int *sum, int *out) {
  if (threadIdx.x % 32 == 0) {
    lock.take();
    *sum += in[blockIdx.x];
    lock.give();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
LAUNCHER(race_lock) { lock_kernel<<<3, 64>>>(in, Lock{acc}, acc + 1, out); }

/* case race_lock_lanes */
__global__ void lock_lanes_kernel(int *lock, int *sum, int *out) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      *sum += 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) out[0] = *sum;
}
LAUNCHER(race_lock_lanes) { lock_lanes_kernel<<<1, 40>>>(acc, acc + 1, out); }

/* case race_grid_barrier */
__global__ void grid_barrier_kernel(const int *in, int *out, int *row, int *arrived) {
  row[blockIdx.x] = in[blockIdx.x];
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(arrived, 1);
    while (atomicAdd(arrived, 0) < (int)gridDim.x) {
    }
  }
  __syncthreads();
  __threadfence();
  out[blockIdx.x] = row[(blockIdx.x + 1) % gridDim.x];
}
LAUNCHER(race_grid_barrier) { grid_barrier_kernel<<<4, 1>>>(in, out, acc, acc + 8); }

/* case race_float_maximum */
__device__ float maximum(float *address, float v) {
  int *bits = (int *)address, old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __float_as_int(fmaxf(v, __int_as_float(assumed))));
  } while (assumed != old);
  return __int_as_float(old);
}
__global__ void float_maximum_kernel(const int *in, float *best, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) maximum(best, (float)in[i]);
}
__global__ void to_int_kernel(const float *best, int *out) { out[0] = (int)*best; }
LAUNCHER(race_float_maximum) {
  float_maximum_kernel<<<2, 40>>>(in, (float *)acc, n);
  to_int_kernel<<<1, 1>>>((const float *)acc, out);
}

/* case race_minimum_member */
struct Best {
  int *slot;
  int n;
};
__device__ void lower(Best best, int at, int v) {
  int old = best.slot[at], assumed;
  do {
    assumed = old;
    if (assumed <= v) return;
    old = atomicCAS(&best.slot[at], assumed, v);
  } while (old != assumed);
}
__global__ void minimum_kernel(const int *in, int *slot, int n) {
  const Best best = {slot, 1};
  if (threadIdx.x < n) lower(best, 0, -in[threadIdx.x]);
}
__global__ void show_kernel(const int *slot, int *out) { out[0] = *slot; }
LAUNCHER(race_minimum_member) {
  minimum_kernel<<<3, 40>>>(in, acc, n);
  show_kernel<<<1, 1>>>(acc, out);
}

/* case race_total_no_fence */
__global__ void total_no_fence_kernel(const int *in, int *total, unsigned *count, int *out) {
  if (threadIdx.x == 0) {
    atomicAdd(total, in[blockIdx.x]); /*A*/
    if (atomicInc(count, gridDim.x - 1) == gridDim.x - 1)
      out[0] = *total; /*B*/
  }
}
LAUNCHER(race_total_no_fence) { total_no_fence_kernel<<<8, 32>>>(in, acc, (unsigned *)(acc + 8), out); }

/* case race_total_in_block */
__global__ void total_in_block_kernel(const int *in, int *out) {
  __shared__ int sum;
  __shared__ int done;
  if (threadIdx.x == 0) sum = done = 0;
  __syncthreads();
  if (threadIdx.x % 32) return;
  atomicAdd(&sum, in[threadIdx.x]); /*A*/
  if (atomicAdd(&done, 1) == (blockDim.x - 1) / 32)
    out[0] = sum; /*B*/
}
LAUNCHER(race_total_in_block) { total_in_block_kernel<<<1, 48>>>(in, out); }

/* case race_total */
__global__ void total_kernel(const int *in, int *total, unsigned *count, int *out) {
  __shared__ int sum, last;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, in[blockIdx.x * blockDim.x + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(total, sum);
    __threadfence();
    last = atomicAdd(count, 1u) == gridDim.x - 1;
    if (last) {
      __threadfence();
      out[0] = *total;
      *count = 0;
    }
  }
}
LAUNCHER(race_total) { total_kernel<<<4, 24>>>(in, acc, (unsigned *)(acc + 8), out); }

/* case race_total_barrier */
__global__ void total_barrier_kernel(const int *in, int *out) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, in[threadIdx.x]);
  __syncthreads();
  out[threadIdx.x] = sum;
}
LAUNCHER(race_total_barrier) { total_barrier_kernel<<<1, 48>>>(in, out); }

/* case race_double_sum */
__device__ double add(double *address, double v) {
  unsigned long long *bits = (unsigned long long *)address, old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __double_as_longlong(v + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}
__global__ void double_sum_kernel(const int *in, double *sums, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) add(&sums[in[i] % 3], (double)in[i]);
}
__global__ void doubles_to_int_kernel(const double *sums, int *out) { out[threadIdx.x] = (int)sums[threadIdx.x]; }
LAUNCHER(race_double_sum) {
  double_sum_kernel<<<3, 16>>>(in, (double *)acc, n);
  doubles_to_int_kernel<<<1, 3>>>((const double *)acc, out);
}

/* case race_many_blocks_meet */
__global__ void many_blocks_meet_kernel(int *out, volatile int *seen, int *arrived) {
  if (threadIdx.x == 0) {
    seen[blockIdx.x] = 1;
    __threadfence();
    atomicAdd(arrived, 1);
    while (atomicAdd(arrived, 0) < (int)gridDim.x) __nanosleep(50);
    __threadfence();
  }
  __syncthreads();
  out[blockIdx.x * 32 + threadIdx.x] = seen[(blockIdx.x + 7) % gridDim.x];
}
LAUNCHER(race_many_blocks_meet) { many_blocks_meet_kernel<<<24, 32>>>(out, acc, acc + 32); }

/* case race_forgotten_start */
__global__ void forgotten_start_kernel(const int *in, int *out) {
  __shared__ int sum;
  if (threadIdx.x == 0)
    sum = 0; /*A*/
  int v = in[threadIdx.x];
  if (threadIdx.x % 32 == 0)
    atomicAdd(&sum, v); /*B*/
  __syncthreads();
  if (threadIdx.x == 0) out[0] = sum;
}
LAUNCHER(race_forgotten_start) { forgotten_start_kernel<<<1, 96>>>(in, out); }

/* case race_start */
__global__ void start_kernel(const int *in, int *out) {
  __shared__ alignas(8) int sum;
  if (threadIdx.x == 0) {
    sum = 0;
    atomicAdd(&sum, 1);
  }
  __syncthreads();
  register int v = in[threadIdx.x];
  atomicAdd(&sum, v);
  __syncthreads();
  if (threadIdx.x == 0) out[0] = sum;
}
LAUNCHER(race_start) { start_kernel<<<1, 96>>>(in, out); }

/* case race_start_in_warp */
__global__ void start_in_warp_kernel(const int *in, int *out) {
  __shared__ int sum;
  if (threadIdx.x == 0)
    sum = 0; /*A*/
  __syncwarp();
  atomicAdd(&sum, in[threadIdx.x]); /*B*/
  __syncthreads();
  if (threadIdx.x == 0) out[0] = sum;
}
LAUNCHER(race_start_in_warp) { start_in_warp_kernel<<<1, 64>>>(in, out); }

/* case race_a_block_a_multiprocessor */
__device__ void meet(unsigned *count, unsigned goal) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(count, 1u);
    while (*(volatile unsigned *)count < goal)
      ;
    __threadfence();
  }
  __syncthreads();
}
__global__ void persistent_kernel(const int *in, int *out, int *part, unsigned *count) {
  part[blockIdx.x] = in[blockIdx.x];
  meet(count, gridDim.x);
  out[blockIdx.x] = part[(blockIdx.x + 1) % gridDim.x];
}
LAUNCHER(race_a_block_a_multiprocessor) { persistent_kernel<<<132, 1>>>(in, out, acc, (unsigned *)(acc + 132)); }

/* case race_stride_loop */
__global__ void stride_loop_kernel(const int *in, int *out, int n) {
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    out[i] = in[i];
    out[i] += out[i] * 2;
  }
}
LAUNCHER(race_stride_loop) { stride_loop_kernel<<<2, 48>>>(in, out, n); }

/* case race_producer_warps */
__global__ void producer_warps_kernel(const int *in, int *out) {
  __shared__ int ring[2][32];
  __shared__ volatile int filled, drained;
  const int l = threadIdx.x % 32;
  if (threadIdx.x == 0) filled = drained = 0;
  __syncthreads();
  for (int k = 0; k < 4; k++) {
    if (threadIdx.x < 32) {
      while (drained + 2 <= k)
        ;
      __threadfence_block();
      ring[k & 1][l] = in[k * 32 + l];
      __threadfence_block();
      __syncwarp();
      if (l == 0) filled = k + 1;
    } else {
      while (filled <= k)
        ;
      __threadfence_block();
      out[k * 32 + l] = ring[k & 1][l];
      __threadfence_block();
      __syncwarp();
      if (l == 0) drained = k + 1;
    }
  }
}
LAUNCHER(race_producer_warps) { producer_warps_kernel<<<1, 64>>>(in, out); }

/* case race_own_slices */
__global__ void own_slices_kernel(const int *in, int *out) {
  int mine[4], *to = out + 4 * threadIdx.x;
  memcpy(mine, in + 4 * threadIdx.x, sizeof mine);
  for (int k = 0; k < 4; k++) mine[k] = -mine[k];
  memset(to, 0, sizeof mine);
  memcpy(to, mine, sizeof mine);
}
LAUNCHER(race_own_slices) { own_slices_kernel<<<1, 20>>>(in, out); }

/* case race_block_scope_inside */
__global__ void block_scope_inside_kernel(const int *in, int *out) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  atomicAdd_block(&total, in[threadIdx.x]);
  __syncthreads();
  out[threadIdx.x] = total;
}
LAUNCHER(race_block_scope_inside) { block_scope_inside_kernel<<<1, 50>>>(in, out); }

/* case race_warp_slices */
__global__ void warp_slices_kernel(const int *in, int *out) {
  extern __shared__ __align__(16) unsigned char arena[];
  int *mine = reinterpret_cast<int *>(arena) + threadIdx.x / 32 * 33;
  const int l = threadIdx.x % 32;
  for (int k = 0; k < 3; k++) {
    mine[l] = k ? out[threadIdx.x] : in[threadIdx.x];
    __syncwarp();
    out[threadIdx.x] = mine[(l + 1) & 31];
    __syncwarp();
  }
}
LAUNCHER(race_warp_slices) { warp_slices_kernel<<<1, 96, 3 * 33 * sizeof(int)>>>(in, out); }

/* ---- a barrier is missing ---- */

/* case race_no_barrier */
__global__ void no_barrier_kernel(const int *in, int *out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = 0;
  __syncthreads();
  s[t] = in[t];       /*A*/
  out[t] = s[63 - t]; /*B*/
}
LAUNCHER(race_no_barrier) { no_barrier_kernel<<<1, 64>>>(in, out); }

/* case race_in_warp */
__global__ void in_warp_kernel(const int *in, int *out) {
  __shared__ float s[32];
  const int t = threadIdx.x;
  s[t] = 0;
  __syncwarp();
  s[t] = (float)in[t];           /*A*/
  out[t] = (int)s[(t + 1) % 32]; /*B*/
}
LAUNCHER(race_in_warp) { in_warp_kernel<<<1, 32>>>(in, out); }

/* case race_tree */
__global__ void tree_kernel(const int *in, int *out) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int d = 64; d >= 32; d /= 2) {
    if (t < d)
      s[t] +=                /*A*/
          s[t + d];          /*B*/
  }
  __syncthreads();
  out[t] = s[t % 32];
}
LAUNCHER(race_tree) { tree_kernel<<<1, 128>>>(in, out); }

/* case race_reuse */
__device__ int block_maximum(int v, int *s) {
  s[threadIdx.x] = v;  /*A*/
  __syncthreads();
  int best = s[0];     /*B*/
  for (int k = 1; k < (int)blockDim.x; k++) best = max(best, s[k]); /*C*/
  return best;
}
__global__ void reuse_kernel(const int *in, int *out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  const int top = block_maximum(in[t], s);      /*D*/
  const int low = -block_maximum(-in[t], s);    /*E*/
  out[t] = top * 100 + low;
}
LAUNCHER(race_reuse) { reuse_kernel<<<1, 64>>>(in, out); }

/* case race_scan */
__global__ void scan_kernel(const int *in, int *out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
    const int below = t >= d ? s[t - d] : 0; /*A*/
    s[t] += below;                           /*B*/
    __syncthreads();
  }
  out[t] = s[t];
}
LAUNCHER(race_scan) { scan_kernel<<<1, 64>>>(in, out); }

/* ---- the lock-step tail ---- */

/* case race_found_flag */
__global__ void found_kernel(const int *in, int key, int *out, int n) {
  __shared__ volatile int found;
  if (threadIdx.x == 0) found = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n && !found; i += blockDim.x)
    if (in[i] == key) {
      found = 1;
      out[0] = i;
    }
}
LAUNCHER(race_found_flag) { found_kernel<<<1, 32>>>(in, 70, out, n); }

/* case race_poll_with_limit */
__global__ void poll_limit_kernel(const int *in, int *out) {
  __shared__ volatile int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 3) {
    int spins = 0;
    while (flag == 0) {
      if (++spins > 1000000) __trap();
      __nanosleep(20);
    }
    out[0] = 3;
  } else if (threadIdx.x == 9)
    flag = in[0];
}
LAUNCHER(race_poll_with_limit) { poll_limit_kernel<<<1, 32>>>(in, out); }

/* case race_poll_and_fence */
__global__ void poll_fence_kernel(int *out) {
  __shared__ volatile int flag[2];
  if (threadIdx.x < 2) flag[threadIdx.x] = 0;
  __syncthreads();
  if (threadIdx.x == 5) {
    int seen;
    do {
      seen = flag[0];
      __threadfence_block();
    } while (seen != 1);
    bool ok = false;
    while (!ok) ok = flag[1] != 0;
    out[0] = 5;
  } else if (threadIdx.x == 6) {
    flag[0] = 1;
    flag[1] = 1;
  }
}
LAUNCHER(race_poll_and_fence) { poll_fence_kernel<<<1, 32>>>(out); }

/* case race_or_tail */
__global__ void or_tail_kernel(const int *in, int *out) {
  __shared__ volatile int s[32];
  const int t = threadIdx.x;
  s[t] = in[t] == 25;
  __syncwarp();
  if (t < 16 && s[t + 16]) s[t] = 1; /*A*/
  if (t < 8 && s[t + 8]) s[t] = 1;   /*B*/
  out[t] = in[t];
}
LAUNCHER(race_or_tail) { or_tail_kernel<<<1, 32>>>(in, out); }

/* case race_one_look */
__global__ void one_look_kernel(const int *in, int *out) {
  __shared__ volatile int go;
  if (threadIdx.x == 0) go = 0;
  __syncthreads();
  if (threadIdx.x == 5) go = in[2]; /*A*/
  if (go > 2) /*B*/
    out[threadIdx.x] = 1;
  else
    out[threadIdx.x] = 2;
}
LAUNCHER(race_one_look) { one_look_kernel<<<1, 32>>>(in, out); }

/* case race_volatile_tail */
__device__ void volatile_tail(volatile int *s, int t) {
  if (t < 16) s[t] += s[t + 16]; /*A*/
  if (t < 8) s[t] += s[t + 8];   /*B*/
}
__global__ void volatile_tail_kernel(const int *in, int *out) {
  __shared__ int s[32];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  volatile_tail(s, threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
LAUNCHER(race_volatile_tail) { volatile_tail_kernel<<<1, 32>>>(in, out); }

/* case race_plain_tail */
__global__ void plain_tail_kernel(const int *in, int *out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t < 32) {
    int v = s[t] + s[t + 32];
    s[t] = v;                  /*A*/
    if (t < 16) v += s[t + 16]; /*B*/
    if (t == 0) out[0] = v;
  }
}
LAUNCHER(race_plain_tail) { plain_tail_kernel<<<1, 64>>>(in, out); }

/* ---- two writers ---- */

/* case race_same_value */
__global__ void same_value_kernel(const int *in, int *out) {
  __shared__ bool found;
  if (threadIdx.x == 0) found = false;
  __syncthreads();
  if (in[threadIdx.x] % 5 == 0) found = true; /*A*/
  __syncthreads();
  out[threadIdx.x] = found;
}
LAUNCHER(race_same_value) { same_value_kernel<<<1, 64>>>(in, out); }

/* case race_other_value */
__global__ void other_value_kernel(const int *in, int *out) {
  out[in[threadIdx.x] / 33] = (int)threadIdx.x; /*A*/
}
LAUNCHER(race_other_value) { other_value_kernel<<<1, 64>>>(in, out); }

/* case race_blocks */
__global__ void blocks_kernel(const int *in, int *out, int n) {
  const int i = (int)(blockIdx.x * 15 + threadIdx.x);
  if (i < n) out[i] = in[i] + (int)blockIdx.x; /*A*/
}
LAUNCHER(race_blocks) { blocks_kernel<<<3, 16>>>(in, out, n); }

/* case race_blocks_same_value */
__global__ void blocks_same_value_kernel(const int *in, int *out, int n) {
  const int i = (int)(blockIdx.x * 15 + threadIdx.x);
  if (i < n) out[i] = in[i]; /*A*/
}
LAUNCHER(race_blocks_same_value) { blocks_same_value_kernel<<<3, 16>>>(in, out, n); }

/* case race_stencil */
__global__ void stencil_kernel(int *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 >= n) return;
  const int right = x[i + 1]; /*A*/
  __syncthreads(); /*C*/
  x[i] = right;               /*B*/
}
LAUNCHER(race_stencil) { stencil_kernel<<<4, 16>>>(acc, n); }

/* ---- atomics ---- */

/* case race_read_across_blocks */
__global__ void read_across_blocks_kernel(int *out, int *x) {
  int v = 0;
  if (threadIdx.x == 0) v = x[0]; /*A*/
  __syncthreads();
  if (blockIdx.x == 1 && threadIdx.x == 33) {
    v = x[0];
    x[0] = v + 1; /*B*/
  }
  out[blockIdx.x * 64 + threadIdx.x] = v >= 0;
}
LAUNCHER(race_read_across_blocks) { read_across_blocks_kernel<<<3, 64>>>(out, acc); }

/* case race_atomic_and_read */
__global__ void atomic_and_read_kernel(const int *in, int *out, int *total) {
  atomicAdd(total, in[threadIdx.x]); /*A*/
  out[blockIdx.x] = *total;          /*B*/
}
LAUNCHER(race_atomic_and_read) { atomic_and_read_kernel<<<2, 1>>>(in, out, acc); }

/* case race_atomic_and_write */
__global__ void atomic_and_write_kernel(const int *in, int *out) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;                              /*A*/
  if (threadIdx.x == 32) atomicAdd(&total, in[threadIdx.x]);    /*B*/
  __syncthreads();
  out[threadIdx.x] = total;
}
LAUNCHER(race_atomic_and_write) { atomic_and_write_kernel<<<1, 64>>>(in, out); }

/* case race_block_scope */
__global__ void block_scope_kernel(int *total) {
  if (threadIdx.x == 0) atomicAdd_block(total, 1); /*A*/
}
LAUNCHER(race_block_scope) { block_scope_kernel<<<2, 32>>>(acc); }

/* ---- fences ---- */

/* case race_last_block_no_fence */
__global__ void last_block_no_fence_kernel(const int *in, int *out, int *partial, int *counter) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = in[blockIdx.x]; /*A*/
    last = atomicAdd(counter, 1) == (int)gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x < gridDim.x) out[threadIdx.x] = partial[threadIdx.x]; /*B*/
}
LAUNCHER(race_last_block_no_fence) { last_block_no_fence_kernel<<<3, 32>>>(in, out, acc, acc + 8); }

/* case race_last_block_no_acquire */
__global__ void last_block_no_acquire_kernel(const int *in, int *out, int *partial, int *counter) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = in[blockIdx.x]; /*A*/
    __threadfence();
    last = atomicAdd(counter, 1) == (int)gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x < gridDim.x) out[threadIdx.x] = partial[threadIdx.x]; /*B*/
}
LAUNCHER(race_last_block_no_acquire) { last_block_no_acquire_kernel<<<3, 32>>>(in, out, acc, acc + 8); }

/* case race_last_block_small_fence */
__global__ void last_block_small_fence_kernel(const int *in, int *out, int *partial, int *counter) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = in[blockIdx.x]; /*A*/
    __threadfence_block();
    last = atomicAdd(counter, 1) == (int)gridDim.x - 1;
    __threadfence_block();
  }
  __syncthreads();
  if (last && threadIdx.x < gridDim.x) out[threadIdx.x] = partial[threadIdx.x]; /*B*/
}
LAUNCHER(race_last_block_small_fence) { last_block_small_fence_kernel<<<3, 32>>>(in, out, acc, acc + 8); }

/* case race_fence_too_early */
__global__ void fence_too_early_kernel(const int *in, int *out, int *data, int *flag) {
  if (threadIdx.x == 0) {
    __threadfence();
    data[0] = in[4]; /*A*/
    atomicExch(flag, 1);
  } else if (threadIdx.x == 32) {
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
    out[0] = data[0]; /*B*/
  }
}
LAUNCHER(race_fence_too_early) { fence_too_early_kernel<<<1, 64>>>(in, out, acc, acc + 1); }

/* case race_message_no_fence */
__global__ void message_no_fence_kernel(const int *in, int *out, int *data, volatile int *flag) {
  if (threadIdx.x == 0) {
    data[0] = in[4]; /*A*/
    *flag = 1;
  } else if (threadIdx.x == 32) {
    while (!*flag) {
    }
    out[0] = data[0]; /*B*/
  }
}
LAUNCHER(race_message_no_fence) { message_no_fence_kernel<<<1, 64>>>(in, out, acc, acc + 1); }

/* ---- overlaps ---- */

/* case race_quad_and_scalar */
__global__ void quad_and_scalar_kernel(const int *in, int *out) {
  __shared__ float4 s[16];
  const int t = threadIdx.x;
  reinterpret_cast<float *>(s)[t] = 0;
  __syncthreads();
  if (t < 16) s[t] = make_float4(in[t], 0, 0, 1);     /*A*/
  const float w = reinterpret_cast<float *>(s)[63 - t]; /*B*/
  out[t] = w > 0;
}
LAUNCHER(race_quad_and_scalar) { quad_and_scalar_kernel<<<1, 64>>>(in, out); }

/* case race_struct_copy */
struct Particle { float3 at; int id; };
__global__ void struct_copy_kernel(const int *in, int *out) {
  __shared__ Particle p[40];
  const int t = threadIdx.x;
  p[t] = Particle{make_float3(0.f, 1.f, 2.f), in[t]};
  __syncthreads();
  p[t].id = t;                             /*A*/
  const Particle next = p[(t + 32) % 40];  /*B*/
  out[t] = (int)next.at.z;
}
LAUNCHER(race_struct_copy) { struct_copy_kernel<<<1, 40>>>(in, out); }

/* case race_memset */
__global__ void memset_kernel(const int *in, int *out) {
  __shared__ int s[40];
  if (threadIdx.x == 0) memset(s, 0, sizeof s); /*A*/
  if (threadIdx.x >= 32) s[threadIdx.x] = in[threadIdx.x]; /*B*/
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
LAUNCHER(race_memset) { memset_kernel<<<1, 40>>>(in, out); }

/* case race_same_byte */
__global__ void same_byte_kernel(const int *in, int *out) {
  __shared__ unsigned char s[32];
  const int t = threadIdx.x;
  s[t / 2] = (unsigned char)in[t]; /*A*/
  __syncthreads();
  out[t] = s[t / 2] > 0;
}
LAUNCHER(race_same_byte) { same_byte_kernel<<<1, 64>>>(in, out); }

/* case race_byte_and_word */
__global__ void byte_and_word_kernel(const int *in, int *out, int *word) {
  if (threadIdx.x == 0) out[0] = reinterpret_cast<volatile const char *>(word)[2]; /*A*/
  if (threadIdx.x == 32) *word = in[3]; /*B*/
}
LAUNCHER(race_byte_and_word) { byte_and_word_kernel<<<1, 64>>>(in, out, acc); }

/* case race_aliases */
extern __shared__ float values[];
extern __shared__ int indices[];
__global__ void aliases_kernel(const int *in, int *out) {
  const int t = threadIdx.x;
  values[t] = (float)in[t];  /*A*/
  indices[63 - t] = t;       /*B*/
  __syncthreads();
  out[t] = indices[t % 32] >= 0;
}
LAUNCHER(race_aliases) { aliases_kernel<<<1, 64, 64 * sizeof(float)>>>(in, out); }

/* case race_mixed_widths */
/* A value and its flag in one 64-bit word, written at once, of which the reader polls the upper half. */
template <typename Poll> __global__ void mixed_widths_kernel(const int *in, int *out, unsigned long long *word) {
  if (threadIdx.x == 0) {
    atomicExch(word, 1ull << 32 | (unsigned)in[4]); /*A*/
  } else if (threadIdx.x == 32) {
    Poll *flag = reinterpret_cast<Poll *>(word + 1) - 1;
    while (atomicAdd(flag, 0) < (Poll)1) { /*B*/
    }
    out[0] = 1;
  }
}
LAUNCHER(race_mixed_widths) { mixed_widths_kernel<unsigned><<<1, 64>>>(in, out, (unsigned long long *)acc); }
LAUNCHER(race_mixed_widths_repaired) { mixed_widths_kernel<unsigned long long><<<1, 64>>>(in, out, (unsigned long long *)acc); }

/* case race_half_word_counter */
/* Counters of 16 bits by compare-and-swap of the word around them; others read theirs alone. */
template <bool Whole> __global__ void half_word_counter_kernel(int *out, unsigned *words) {
  const int t = threadIdx.x;
  if (t % 32) return;
  unsigned *word = words, old = *(volatile unsigned *)word, seen;
  do {
    seen = old;
    old = atomicCAS(word, seen, seen + (t < 32 ? 1u : 1u << 16)); /*A*/
  } while (old != seen);
  const unsigned short now = Whole ? (unsigned short)(atomicAdd(word, 0u) >> 16)
                                   : *reinterpret_cast<volatile unsigned short *>((char *)word + 2); /*B*/
  out[t] = now <= 32;
}
LAUNCHER(race_half_word_counter) { half_word_counter_kernel<false><<<1, 64>>>(out, (unsigned *)acc); }
LAUNCHER(race_half_word_counter_repaired) { half_word_counter_kernel<true><<<1, 64>>>(out, (unsigned *)acc); }

/* case race_same_width_types */
__global__ void same_width_types_kernel(int *out, int *bits) { /* as float, int and unsigned: of one width */
  float *f = reinterpret_cast<float *>(bits);
  unsigned *u = reinterpret_cast<unsigned *>(bits);
  if (threadIdx.x % 3 == 0) atomicAdd(f, 0.0f);
  if (threadIdx.x % 3 == 1) atomicMax(bits, 0);
  if (threadIdx.x % 3 == 2) atomicOr(u, 0u);
  out[threadIdx.x] = *(volatile int *)bits;
}
LAUNCHER(race_same_width_types) { same_width_types_kernel<<<1, 64>>>(out, acc); }

/* case race_widths_apart */
__global__ void widths_apart_kernel(int *out, unsigned long long *pair) { /* 64 bits, then halves, a barrier between */
  atomicAdd(pair, 1ull | 1ull << 32);
  __syncthreads();
  atomicAdd(reinterpret_cast<unsigned *>(pair) + threadIdx.x % 2, 1u);
  __syncthreads();
  out[threadIdx.x] = (int)(*pair >> 32) + (int)(unsigned)*pair;
}
LAUNCHER(race_widths_apart) { widths_apart_kernel<<<1, 64>>>(out, (unsigned long long *)acc); }

/* case race_slot_reused */
template <bool Fence> __global__ void slot_reused_kernel(const int *in, int *slot, int *full, int *out, int rounds) {
  if (threadIdx.x) return;
  for (int r = 0; r < rounds; r++)
    if (blockIdx.x == 0) {
      while (atomicAdd(full, 0) != 0) {
      }
      __threadfence();
      *slot = in[r]; /*A*/
      __threadfence();
      atomicExch(full, 1);
    } else {
      while (atomicAdd(full, 0) != 1) {
      }
      __threadfence();
      out[r] = *slot; /*B*/
      if (Fence) __threadfence();
      atomicExch(full, 0);
    }
}
LAUNCHER(race_slot_reused) { slot_reused_kernel<false><<<2, 32>>>(in, acc, acc + 1, out, 12); }
LAUNCHER(race_slot_reused_repaired) { slot_reused_kernel<true><<<2, 32>>>(in, acc, acc + 1, out, 12); }

} // namespace races
