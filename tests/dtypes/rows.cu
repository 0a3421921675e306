/* rows.cu - softmax, rmsnorm and sums of rows of 16 bits in foreign style, right and with a fault each (-D FAULT=n). T: the element type. */
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#ifndef FAULT
#define FAULT 0
#endif

__device__ inline float load(__half v) { return __half2float(v); }
__device__ inline float load(__nv_bfloat16 v) { return __bfloat162float(v); }
__device__ inline float load(float v) { return v; }
__device__ inline void store(__half *p, float v) { *p = __float2half(v); }
__device__ inline void store(__nv_bfloat16 *p, float v) { *p = __float2bfloat16(v); }
__device__ inline void store(float *p, float v) { *p = v; }

__device__ float all_of(float v, bool is_max) {
  for (int step = 16; step > 0; step /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, v, step);
    v = is_max ? fmaxf(v, other) : v + other;
  }
  return v;
}

/* A warp a row, accumulators of float. FAULT 1: a lost column. 2: the exponentials go through 16 bits. 3: cut off, not rounded. */
template <class T, class Out> __global__ void softmax(const T *x, Out *y, int rows, int cols) {
  const int row = blockIdx.x, lane = threadIdx.x;
  const T *from = x + (size_t)row * cols;
  float most = -INFINITY, sum = 0;
  for (int c = lane; c < cols; c += 32) most = fmaxf(most, load(from[c]));
  most = all_of(most, true);
  for (int c = lane; c < cols; c += 32) {
    float e = expf(load(from[c]) - most);
#if FAULT == 1
    if (c == 7) e = 0;
#elif FAULT == 2
    T through;
    store(&through, e);
    e = load(through);
#endif
    sum += e;
  }
  sum = all_of(sum, false);
  for (int c = lane; c < cols; c += 32) {
    float v = expf(load(from[c]) - most) / sum;
#if FAULT == 3
    v = __uint_as_float(__float_as_uint(v) & 0xffff0000u);
#endif
    store(y + (size_t)row * cols + c, v);
  }
}

/* Pairs, and a tail of one. FAULT 4: there is no tail. */
__global__ void add(const __half *a, const __half *b, __half *c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 2)
    reinterpret_cast<__half2 *>(c)[i] = __hadd2(reinterpret_cast<const __half2 *>(a)[i], reinterpret_cast<const __half2 *>(b)[i]);
#if FAULT != 4
  if (i == 0 && n % 2) c[n - 1] = __hadd(a[n - 1], b[n - 1]);
#endif
}

/* One thread a row. FAULT 5: the accumulator has 16 bits. */
__global__ void row_sum(const __half *a, __half *out, int m, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m) return;
#if FAULT == 5
  __half sum = __float2half(0);
  for (int c = 0; c < n; c++) sum = __hadd(sum, a[(size_t)row * n + c]);
  out[row] = sum;
#else
  float sum = 0;
  for (int c = 0; c < n; c++) sum += __half2float(a[(size_t)row * n + c]);
  out[row] = __float2half(sum);
#endif
}
