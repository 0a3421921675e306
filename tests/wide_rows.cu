/* wide_rows.cu - softmax launchers that were written with shorter rows in mind, and one that takes any: 393,216 columns are
 * 1.5 MB a row, and 6 * 65,536. What a faulty one does not compute stays as the memset left it. Run by test_wide_rows.c. */
#include "../fuzz/op.h"
#include <float.h>
#include <math.h>

namespace {

constexpr int kThreads = 1024, kMaxItems = 64;

__device__ float block_max(float v) {
  __shared__ float slots[32];
  for (int d = 16; d > 0; d /= 2) v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, d));
  if (threadIdx.x % 32 == 0) slots[threadIdx.x / 32] = v;
  __syncthreads();
  for (int w = 0; w < kThreads / 32; w++) v = fmaxf(v, slots[w]);
  return v;
}

__device__ float block_sum(float v) {
  __shared__ float slots[32];
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
  if (threadIdx.x % 32 == 0) slots[threadIdx.x / 32] = v;
  __syncthreads();
  v = 0;
  for (int w = 0; w < kThreads / 32; w++) v += slots[w];
  return v;
}

/* The row in registers, Items values a thread. */
template <int Items>
__global__ void in_registers(const float *x, float *y, int cols) {
  const float *in = x + (size_t)blockIdx.x * cols;
  float *out = y + (size_t)blockIdx.x * cols;
  float v[Items], m = -INFINITY, sum = 0;
  for (int k = 0; k < Items; k++) {
    const int c = k * kThreads + threadIdx.x;
    v[k] = c < cols ? in[c] : -INFINITY;
    m = fmaxf(m, v[k]);
  }
  m = block_max(m);
  for (int k = 0; k < Items; k++) sum += v[k] = expf(v[k] - m);
  sum = block_sum(sum);
  for (int k = 0; k < Items; k++) {
    const int c = k * kThreads + threadIdx.x;
    if (c < cols) out[c] = v[k] / sum;
  }
}

template <class Count>
__global__ void in_a_loop(const float *x, float *y, int cols) {
  const float *in = x + (size_t)blockIdx.x * cols;
  float *out = y + (size_t)blockIdx.x * cols;
  const Count n = cols;
  float m = -INFINITY, sum = 0;
  for (int c = threadIdx.x; c < n; c += kThreads) m = fmaxf(m, in[c]);
  m = block_max(m);
  for (int c = threadIdx.x; c < n; c += kThreads) sum += expf(in[c] - m);
  sum = block_sum(sum);
  for (int c = threadIdx.x; c < n; c += kThreads) out[c] = expf(in[c] - m) / sum;
}

/* Doubles the number of items until the row fits. 1: launched. */
template <int Items = 1>
bool launch_that_fits(const float *x, float *y, int rows, int cols) {
  if (cols <= Items * kThreads) {
    in_registers<Items><<<rows, kThreads>>>(x, y, cols);
    return true;
  }
  if constexpr (Items < kMaxItems) return launch_that_fits<2 * Items>(x, y, rows, cols);
  return false;
}

/* Maximum and sum of a row, then quotients a slice of columns at a time. */
__global__ void statistics(const float *x, float *stat, int cols) {
  float m = -INFINITY, sum = 0;
  for (int c = threadIdx.x; c < cols; c += kThreads) m = fmaxf(m, x[c]);
  m = block_max(m);
  for (int c = threadIdx.x; c < cols; c += kThreads) sum += expf(x[c] - m);
  sum = block_sum(sum);
  if (threadIdx.x == 0) stat[0] = m;
  if (threadIdx.x == 0) stat[1] = sum;
}

__global__ void quotients(const float *x, const float *stat, float *y, int from, int cols) {
  const int c = from + blockIdx.x * kThreads + threadIdx.x;
  if (c < cols) y[c] = expf(x[c] - stat[0]) / stat[1];
}

void zero_output(const WfLaunchArgs *a) { cudaMemset(a->tensor[1], 0, a->dim[0] * a->dim[1] * sizeof(float)); }
const float *x_of(const WfLaunchArgs *a) { return static_cast<const float *>(a->tensor[0]); }
float *y_of(const WfLaunchArgs *a) { return static_cast<float *>(a->tensor[1]); }

} // namespace

/* Block sizes up to a limit, and nothing is launched beyond it. */
extern "C" void wide_no_size_fits(const WfLaunchArgs *a) {
  zero_output(a);
  launch_that_fits(x_of(a), y_of(a), a->dim[0], a->dim[1]);
}

/* The same, and what does not fit is done in a loop. */
extern "C" void wide_some_way_fits(const WfLaunchArgs *a) {
  zero_output(a);
  if (!launch_that_fits(x_of(a), y_of(a), a->dim[0], a->dim[1]))
    in_a_loop<int><<<a->dim[0], kThreads>>>(x_of(a), y_of(a), a->dim[1]);
}

/* The columns counted in 16 bits: none of these 6 * 65,536. */
extern "C" void wide_short_count(const WfLaunchArgs *a) {
  zero_output(a);
  in_a_loop<unsigned short><<<a->dim[0], kThreads>>>(x_of(a), y_of(a), a->dim[1]);
}

/* Slices of 65,536 columns, as many as somebody thought enough: 4. The statistics are right, the last third is zero. */
static void in_slices(const WfLaunchArgs *a, int max_slices) {
  const int slice = 64 * kThreads, cols = a->dim[1];
  float *stat = static_cast<float *>(a->scratch);
  zero_output(a);
  for (long long row = 0; row < a->dim[0]; row++) {
    statistics<<<1, kThreads>>>(x_of(a) + row * cols, stat, cols);
    for (int s = 0; s < max_slices && s * slice < cols; s++)
      quotients<<<64, kThreads>>>(x_of(a) + row * cols, stat, y_of(a) + row * cols, s * slice, cols);
  }
}
extern "C" void wide_few_slices(const WfLaunchArgs *a) { in_slices(a, 4); }
extern "C" void wide_all_slices(const WfLaunchArgs *a) { in_slices(a, 1 << 15); }
