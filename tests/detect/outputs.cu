/* outputs.cu - outputs nobody wrote, inputs that change, results that depend on the schedule, values nobody wrote that reach
 * the output: faulty kernels, their repairs, and what looks alike. Rows: outputs.def. */
#include "entry.h"
#include <cuda_fp16.h>
#include <cuda_runtime.h>

namespace outputs {

__device__ __forceinline__ float want(float x, float w) { return 2 * x + w; }

/* ---- outputs nobody wrote ---- */

template <int Round> __global__ void flat_kernel(const float *x, const float *w, float *y, int n, int cols) {
  const int blocks = (n + Round) / (int)blockDim.x;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if ((int)blockIdx.x < blocks && i < n) y[i] = want(x[i], w[i % cols]);
}
ENTRY(out_tail) { flat_kernel<0><<<(rows * cols + 31) / 32, 32>>>(x, w, y, rows * cols, cols); }
ENTRY(out_tail_repaired) { flat_kernel<31><<<(rows * cols + 31) / 32, 32>>>(x, w, y, rows * cols, cols); }

template <bool Tail> __global__ void quads_kernel(const float *x, const float *w, float *y, int cols) {
  const float *from = x + blockIdx.x * cols;
  float *to = y + blockIdx.x * cols;
  for (int q = threadIdx.x; q < cols / 4; q += blockDim.x)
    for (int k = 0; k < 4; k++) to[4 * q + k] = want(from[4 * q + k], w[4 * q + k]);
  if (Tail)
    for (int c = cols / 4 * 4 + threadIdx.x; c < cols; c += blockDim.x) to[c] = want(from[c], w[c]);
}
ENTRY(out_quads) { quads_kernel<false><<<rows, block>>>(x, w, y, cols); }
ENTRY(out_quads_repaired) { quads_kernel<true><<<rows, block>>>(x, w, y, cols); }

template <bool All> __global__ void positive_kernel(const float *x, const float *w, float *y, int cols) {
  for (int c = threadIdx.x; c < cols; c += blockDim.x) {
    const float v = x[blockIdx.x * cols + c];
    if (All || v > 0) y[blockIdx.x * cols + c] = want(v, w[c]);
  }
}
ENTRY(out_positive) { positive_kernel<false><<<rows, block>>>(x, w, y, cols); }
ENTRY(out_positive_repaired) { positive_kernel<true><<<rows, block>>>(x, w, y, cols); }

template <bool Grid> __global__ void one_row_a_block_kernel(const float *x, const float *w, float *y, int rows, int cols) {
  for (int r = blockIdx.x; r < rows; r += gridDim.x) {
    for (int c = threadIdx.x; c < cols; c += blockDim.x) y[r * cols + c] = want(x[r * cols + c], w[c]);
    if (!Grid) return;
  }
}
ENTRY(out_rows) { one_row_a_block_kernel<false><<<2, block>>>(x, w, y, rows, cols); }
ENTRY(out_rows_repaired) { one_row_a_block_kernel<true><<<2, block>>>(x, w, y, rows, cols); }

struct Pitch {
  float *data;
  int pitch;
  __device__ float &at(int r, int c) const { return data[r * pitch + c]; }
};
template <bool Swap> __global__ void pitch_kernel(const float *x, const float *w, Pitch y, int rows, int cols) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
  if (c >= cols - Swap || r >= rows) return;
  y.at(r, c) = want(x[r * cols + c], w[c]);
}
ENTRY(out_last_column) { pitch_kernel<true><<<dim3((cols + 7) / 8, (rows + 3) / 4), dim3(8, 4)>>>(x, w, Pitch{y, cols}, rows, cols); }
ENTRY(out_last_column_repaired) {
  pitch_kernel<false><<<dim3((cols + 7) / 8, (rows + 3) / 4), dim3(8, 4)>>>(x, w, Pitch{y, cols}, rows, cols);
}

__global__ void half_element_kernel(const float *x, const float *w, unsigned short *y, int n, int cols) { /* the upper half only */
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    const unsigned bits = __float_as_uint(want(x[i], w[i % cols]));
    if (i != 5) y[2 * i] = (unsigned short)bits;
    y[2 * i + 1] = (unsigned short)(bits >> 16);
  }
}
ENTRY(out_half_element) { half_element_kernel<<<1, block>>>(x, w, (unsigned short *)y, rows * cols, cols); }

__global__ void bytes_kernel(const float *x, const float *w, char *y, int n, int cols) { /* an element in four parts */
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    const float v = want(x[i], w[i % cols]);
    char part[4];
    memcpy(part, &v, 4);
    for (int k = 3; k >= 0; k--) y[4 * i + k] = part[k];
  }
}
ENTRY(out_bytes) { bytes_kernel<<<1, block>>>(x, w, (char *)y, rows * cols, cols); }

__global__ void copies_kernel(const float *x, const float *w, float *y, int cols) { /* by memcpy from shared memory */
  extern __shared__ float line[];
  for (int c = threadIdx.x; c < cols; c += blockDim.x) line[c] = want(x[blockIdx.x * cols + c], w[c]);
  __syncthreads();
  if (threadIdx.x == 0) memcpy(y + blockIdx.x * cols, line, cols * sizeof(float));
}
ENTRY(out_memcpy) { copies_kernel<<<rows, block, cols * sizeof(float)>>>(x, w, y, cols); }

__global__ void poison_pattern_kernel(const float *x, const float *w, float *y, int n, int cols) { /* what the buffer held before */
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    const float v = want(x[i], w[i % cols]);
    y[i] = v != v ? __int_as_float(0x7fc0dead) : v;
  }
}
ENTRY(out_poison_pattern) { poison_pattern_kernel<<<1, block>>>(x, w, y, rows * cols, cols); }

__global__ void twice_kernel(const float *x, const float *w, float *y, int n, int cols) { /* written twice, by the same thread */
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    y[i] = -1;
    y[i] = want(x[i], w[i % cols]);
  }
}
ENTRY(out_twice) { twice_kernel<<<1, block>>>(x, w, y, rows * cols, cols); }

__global__ void clear_kernel(float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = 0;
}
__global__ void add_kernel(const float *x, const float *w, float *y, int n, int cols) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&y[i], want(x[i], w[i % cols]));
}
ENTRY(out_accumulated) {
  clear_kernel<<<2, 32>>>(y, rows * cols);
  add_kernel<<<1, block>>>(x, w, y, rows * cols, cols);
}

/* ---- inputs that change ---- */

template <bool Own> __global__ void in_place_kernel(float *x, const float *w, float *y, int n, int cols) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    const float twice = 2 * x[i];
    if (!Own) x[i] = twice;
    y[i] = (Own ? twice : x[i]) + w[i % cols];
  }
}
ENTRY(in_place) { in_place_kernel<false><<<1, block>>>(x, w, y, rows * cols, cols); }
ENTRY(in_place_repaired) { in_place_kernel<true><<<1, block>>>(x, w, y, rows * cols, cols); }

template <int Put> __global__ void sentinel_kernel(const float *x, float *w, float *y, int n, int cols) { /* a mark in the weights */
  const float last = w[cols - 1];
  __syncthreads();
  if (Put && threadIdx.x == 0) w[cols - 1] = -12345;
  for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = want(x[i], i % cols == cols - 1 ? last : w[i % cols]);
  __syncthreads();
  if (Put == 2 && threadIdx.x == 0) w[cols - 1] = last;
}
ENTRY(in_sentinel) { sentinel_kernel<1><<<1, block>>>(x, w, y, rows * cols, cols); }
ENTRY(in_sentinel_put_back) { sentinel_kernel<2><<<1, block>>>(x, w, y, rows * cols, cols); }
ENTRY(in_sentinel_repaired) { sentinel_kernel<0><<<1, block>>>(x, w, y, rows * cols, cols); }

template <bool Same> __global__ void negate_zero_kernel(float *x, const float *w, float *y, int n, int cols) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    const float v = x[i];
    x[i] = Same ? v : v * 0 == 0 && v == 0 ? -v : v;
    y[i] = want(v, w[i % cols]);
  }
}
ENTRY(in_sign_of_zero) { negate_zero_kernel<false><<<1, block>>>(x, w, y, rows * cols, cols); }
ENTRY(in_same_value) { negate_zero_kernel<true><<<1, block>>>(x, w, y, rows * cols, cols); }

__global__ void counter_kernel(const float *x, float *w, float *y, int n, int cols) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = want(x[i], w[i % cols]);
  atomicAdd(&w[cols], 0.0f * cols); /* beyond the weights */
}
ENTRY(in_beyond) { counter_kernel<<<1, block>>>(x, w, y, rows * cols, cols); }

__global__ void atomic_input_kernel(const float *x, float *w, float *y, int n, int cols) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = want(x[i], w[i % cols]);
  __syncthreads();
  if (threadIdx.x < 3) atomicAdd(&w[0], 1.0f);
}
ENTRY(in_atomic) { atomic_input_kernel<<<1, block>>>(x, w, y, rows * cols, cols); }

template <bool Const> __global__ void scratch_kernel(float *x, const float *w, float *y, int cols) { /* a row summed in the input itself */
  float *row = x + blockIdx.x * cols;
  extern __shared__ float own[];
  for (int c = threadIdx.x; c < cols; c += blockDim.x) y[blockIdx.x * cols + c] = want(row[c], w[c]);
  __syncthreads();
  float *to = Const ? own : row;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) to[c] = row[c] + 1;
}
ENTRY(in_scratch) { scratch_kernel<false><<<rows, block, cols * sizeof(float)>>>(x, w, y, cols); }
ENTRY(in_scratch_repaired) { scratch_kernel<true><<<rows, block, cols * sizeof(float)>>>(x, w, y, cols); }

/* ---- results that depend on the schedule ---- */

/* Adds to every element a sum over the block that is zero in exact arithmetic, or in any order of this one. */
template <bool Exact> __global__ void atomic_sum_kernel(const float *x, const float *w, float *y, int n, int cols) {
  __shared__ float sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  const float mine = Exact ? (float)(int)threadIdx.x : 1.0f / (1 + threadIdx.x);
  atomicAdd(&sum, mine);
  __syncthreads();
  float in_order = 0;
  for (unsigned t = 0; t < blockDim.x; t++) in_order += Exact ? (float)(int)t : 1.0f / (1 + t);
  for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = want(x[i], w[i % cols]) + (sum - in_order);
}
ENTRY(det_atomic_sum) { atomic_sum_kernel<false><<<1, block>>>(x, w, y, rows * cols, cols); }
ENTRY(det_atomic_sum_exact) { atomic_sum_kernel<true><<<1, block>>>(x, w, y, rows * cols, cols); }

__device__ unsigned ticket;
__device__ int winner;

template <bool Ticket> __global__ void ticket_kernel(const float *x, const float *w, float *y, int n, int cols) {
  __shared__ unsigned mine;
  if (threadIdx.x == 0) mine = Ticket ? atomicAdd(&ticket, 1) : blockIdx.x;
  __syncthreads();
  const float nudge = mine * 1e-7f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] = want(x[i], w[i % cols]) * (1 + nudge);
}
ENTRY(det_ticket) { ticket_kernel<true><<<3, 8>>>(x, w, y, rows * cols, cols); }
ENTRY(det_ticket_repaired) { ticket_kernel<false><<<3, 8>>>(x, w, y, rows * cols, cols); }

__global__ void ticket_unused_kernel(const float *x, const float *w, float *y, int rows, int cols) { /* who takes which row is left open */
  __shared__ int row;
  for (;;) {
    if (threadIdx.x == 0) row = (int)atomicAdd(&ticket, 1);
    __syncthreads();
    const int r = row;
    __syncthreads();
    if (r >= rows) return;
    for (int c = threadIdx.x; c < cols; c += blockDim.x) y[r * cols + c] = want(x[r * cols + c], w[c]);
  }
}
ENTRY(det_queue) { ticket_unused_kernel<<<3, block>>>(x, w, y, rows, cols); }

template <bool Least> __global__ void winner_kernel(const float *x, const float *w, float *y, int n, int cols) { /* the first to come decides */
  if (Least) atomicMax(&winner, 1 + (int)threadIdx.x);
  else atomicCAS(&winner, 0, 1 + (int)threadIdx.x);
  __syncthreads();
  const int who = atomicAdd(&winner, 0);
  for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = want(x[i], w[i % cols]) * (1 + who * 1e-7f);
}
ENTRY(det_winner) { winner_kernel<false><<<1, block>>>(x, w, y, rows * cols, cols); }
ENTRY(det_winner_repaired) { winner_kernel<true><<<1, block>>>(x, w, y, rows * cols, cols); }

__global__ void active_kernel(const float *x, const float *w, float *y, int n, int cols) { /* which lanes are there is left open */
  const float scale = 1 + 1e-7f * __popc(__activemask());
  for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = want(x[i], w[i % cols]) * scale;
}
ENTRY(det_active) { active_kernel<<<1, block>>>(x, w, y, rows * cols, cols); }

__global__ void aggregated_kernel(const float *x, const float *w, float *y, int n, int cols) { /* and does not matter here */
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  const unsigned active = __activemask();
  if ((int)(threadIdx.x % 32) == __ffs((int)active) - 1) atomicAdd(&count, __popc(active));
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = want(x[i], w[i % cols]) + (float)(count - (int)blockDim.x);
}
ENTRY(det_aggregated) { aggregated_kernel<<<1, block>>>(x, w, y, rows * cols, cols); }

__global__ void last_writer_kernel(const float *x, const float *w, float *y, int n, int cols) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = want(x[i], w[i % cols]);
  if (threadIdx.x == 0) atomicExch(&y[0], want(x[0], w[0]) * (1 + 1e-7f * blockIdx.x));
}
ENTRY(det_last_writer) {
  clear_kernel<<<1, 32>>>(y, 1);
  last_writer_kernel<<<3, 8>>>(x, w, y, rows * cols, cols);
}

/* ---- values nobody wrote ---- */

template <int Way, typename T = float> __global__ void padding_kernel(const float *x, const float *w, float *y, int cols) {
  __shared__ T s[64];
  const int t = threadIdx.x;
  if (t < cols) s[t] = w[t];
  if (Way == 2 && t >= cols) s[t] = 0;
  __syncthreads();
  const float v = s[(t + 1) % 64], keep = (t + 1) % 64 < cols ? 1.0f : 0.0f;
  const float pad = Way == 1 ? (keep != 0 ? v : 0) * 0 : v * keep * 0;
  if (t < cols) y[blockIdx.x * cols + t] = want(x[blockIdx.x * cols + t], w[t]) + pad;
}
ENTRY(un_times_zero) { padding_kernel<0><<<rows, 64>>>(x, w, y, cols); }
ENTRY(un_selected) { padding_kernel<1><<<rows, 64>>>(x, w, y, cols); }
ENTRY(un_times_zero_repaired) { padding_kernel<2><<<rows, 64>>>(x, w, y, cols); }
ENTRY(un_half_times_zero) { padding_kernel<0, half><<<rows, 64>>>(x, w, y, cols); }
ENTRY(un_half_selected) { padding_kernel<1, half><<<rows, 64>>>(x, w, y, cols); }
ENTRY(un_half_times_zero_repaired) { padding_kernel<2, half><<<rows, 64>>>(x, w, y, cols); }

// The largest magnitude of a row: NaN and negative numbers behind its end change nothing, only large ones do.
template <bool Guard> __global__ void half_maximum_kernel(const float *x, const float *w, float *y, int cols) {
  __shared__ half s[64];
  const int t = threadIdx.x;
  if (t < cols) s[t] = fabsf(w[t]);
  __syncthreads();
  half most = half(0.0f);
  for (int i = 0; i < (Guard ? cols : 64); i++) most = __hmax(most, s[i]);
  if (t < cols) y[blockIdx.x * cols + t] = want(x[blockIdx.x * cols + t], w[t]) + (__half2float(most) > 100 ? 1 : 0);
}
ENTRY(un_half_maximum) { half_maximum_kernel<false><<<rows, 64>>>(x, w, y, cols); }
ENTRY(un_half_maximum_repaired) { half_maximum_kernel<true><<<rows, 64>>>(x, w, y, cols); }

template <bool Start> __global__ void plus_equals_kernel(const float *x, const float *w, float *y, int n, int cols) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    if (Start) y[i] = 0;
    y[i] += want(x[i], w[i % cols]);
  }
}
ENTRY(un_plus_equals) { plus_equals_kernel<false><<<1, block>>>(x, w, y, rows * cols, cols); }
ENTRY(un_plus_equals_repaired) { plus_equals_kernel<true><<<1, block>>>(x, w, y, rows * cols, cols); }

ENTRY(un_atomic) { add_kernel<<<1, block>>>(x, w, y, rows * cols, cols); }

template <bool Set> __global__ void flag_kernel(const float *x, const float *w, float *y, int n, int cols) {
  __shared__ int skip;
  if (Set && threadIdx.x == 0) skip = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    if (skip > 5) y[i] = want(x[i], w[i % cols]);
    else y[i] = 2 * x[i] + w[i % cols];
}
ENTRY(un_branch) { flag_kernel<false><<<1, block>>>(x, w, y, rows * cols, cols); }
ENTRY(un_branch_repaired) { flag_kernel<true><<<1, block>>>(x, w, y, rows * cols, cols); }

__global__ void copy_out_kernel(const float *x, const float *w, float *y, int cols) { /* a line is written whole, and half of it is known */
  __shared__ float line[64];
  for (int c = threadIdx.x; c < cols - 3; c += blockDim.x) line[c] = want(x[blockIdx.x * cols + c], w[c]);
  __syncthreads();
  if (threadIdx.x == 0) memcpy(y + blockIdx.x * cols, line, cols * sizeof(float));
}
ENTRY(un_memcpy) { copy_out_kernel<<<rows, block>>>(x, w, y, cols); }

__global__ void clamp_kernel(const float *x, const float *w, float *y, int n, int cols) { /* any index at all becomes a good one */
  __shared__ int at[64];
  const int t = threadIdx.x;
  if (t < 10) at[t] = t;
  __syncthreads();
  for (int i = t; i < n; i += blockDim.x) {
    const int k = at[i % 20];
    y[i] = want(x[i], w[i % cols]) + 0 * w[i % 20 < 10 ? k % cols : 0];
  }
}
ENTRY(un_index_unused) { clamp_kernel<<<1, block>>>(x, w, y, rows * cols, cols); }

} // namespace outputs
