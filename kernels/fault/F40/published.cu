// Softmax of several inputs, a stream each: blocks leave maximum and sum of their slice of a row in a fixed workspace of the module,
// a second kernel of the same stream merges those of a row. A power of two of threads, four columns each.
#include <float.h>
#include <math.h>

constexpr int kColumnsPerThread = 4;
constexpr int kMaxPartials = 4096;

__device__ float2 g_partials[kMaxPartials];

struct MaxSum {
  float max, sum;
};

__device__ inline MaxSum join(MaxSum a, MaxSum b) {
  const float m = fmaxf(a.max, b.max);
  return {m, a.sum * expf(a.max - m) + b.sum * expf(b.max - m)};
}

__global__ void partial_softmax(const float *x, int cols, int splits) {
  extern __shared__ MaxSum smem[];
  const unsigned row = blockIdx.x / splits, split = blockIdx.x % splits, width = cols;
  const float *row_ptr = x + (size_t)row * width;
  unsigned col = split * blockDim.x * kColumnsPerThread + threadIdx.x;

  float v[kColumnsPerThread], local_max = -FLT_MAX, local_sum = 0.0f;
  for (int k = 0; k < kColumnsPerThread; k++, col += blockDim.x) {
    v[k] = col < width ? row_ptr[col] : -INFINITY;
    local_max = fmaxf(local_max, v[k]);
  }
  for (int k = 0; k < kColumnsPerThread; k++) local_sum += expf(v[k] - local_max);

  smem[threadIdx.x] = {local_max, local_sum};
  __syncthreads();
  for (unsigned s = blockDim.x >> 1; s > 0; s >>= 1) {
    if (threadIdx.x < s) smem[threadIdx.x] = join(smem[threadIdx.x], smem[threadIdx.x + s]);
    __syncthreads();
  }
  if (threadIdx.x == 0) g_partials[blockIdx.x] = make_float2(smem[0].max, smem[0].sum);
}

__global__ void finalize_softmax(const float *x, float *y, int cols, int splits) {
  const unsigned row = blockIdx.x / splits, split = blockIdx.x % splits, width = cols;
  MaxSum total = {-FLT_MAX, 0.0f};
  for (int i = 0; i < splits; i++) {
    const float2 p = g_partials[row * splits + i];
    total = join(total, {p.x, p.y});
  }
  const size_t offset = (size_t)row * width;
  unsigned col = split * blockDim.x * kColumnsPerThread + threadIdx.x;
  for (int k = 0; k < kColumnsPerThread && col < width; k++, col += blockDim.x)
    y[offset + col] = expf(x[offset + col] - total.max) / total.sum;
}

static void split_softmax(const float *x, float *y, int rows, int cols, dim3 grid, dim3 block, size_t shared, cudaStream_t stream) {
  const int splits = grid.x / rows;
  partial_softmax<<<grid, block, shared, stream>>>(x, cols, splits);
  finalize_softmax<<<grid, block, 0, stream>>>(x, y, cols, splits);
}

static void split_softmax_batch(const float *x, float *y, int inputs, int rows, int cols, dim3 grid, dim3 block, size_t shared,
                                cudaStream_t stream) {
  constexpr int kMaxInputs = 4;
  cudaStream_t streams[kMaxInputs];
  cudaEvent_t ready, done[kMaxInputs];
  cudaEventCreateWithFlags(&ready, cudaEventDisableTiming);
  cudaEventRecord(ready, stream);
  for (int i = 0; i < inputs; i++) {
    cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&done[i], cudaEventDisableTiming);
    cudaStreamWaitEvent(streams[i], ready, 0);
    const size_t offset = (size_t)i * rows * cols;
    split_softmax(x + offset, y + offset, rows, cols, grid, block, shared, streams[i]);
    cudaEventRecord(done[i], streams[i]);
  }
  for (int i = 0; i < inputs; i++) {
    cudaStreamWaitEvent(stream, done[i], 0);
    cudaEventDestroy(done[i]);
    cudaStreamDestroy(streams[i]);
  }
  cudaEventDestroy(ready);
}
