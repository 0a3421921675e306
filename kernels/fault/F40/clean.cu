// Softmax of several inputs, each in a stream of its own, so that small ones share the device. In each, blocks first leave the
// maximum and the sum of exponentials of their slice of a row in a workspace; a second kernel merges those of the row and writes the
// quotients. Every input has a part of the workspace. The side streams begin behind what the caller's stream holds, and it waits for
// all of them. A power of two of threads, four columns each.
#include <float.h>
#include <math.h>

#define COLUMNS_A_THREAD 4

// x: a maximum, never below -FLT_MAX; y: the sum of exp(v - x).
__device__ __forceinline__ float2 combine(float2 a, float2 b) {
  const float m = fmaxf(a.x, b.x);
  return make_float2(m, a.y * expf(a.x - m) + b.y * expf(b.x - m));
}

__global__ void softmax_slices(const float *x, float2 *workspace, int cols, int slices) {
  extern __shared__ float2 pairs[];
  const unsigned tid = threadIdx.x, n = cols, slice = blockIdx.x % slices;
  const float *in = x + (size_t)(blockIdx.x / slices) * n;
  const unsigned begin = slice * (COLUMNS_A_THREAD * blockDim.x);

  float2 mine = make_float2(-FLT_MAX, 0.0f);
  for (unsigned c = begin + tid, k = 0; k < COLUMNS_A_THREAD && c < n; k++, c += blockDim.x) {
    const float m = fmaxf(mine.x, in[c]);
    mine = make_float2(m, mine.y * expf(mine.x - m) + expf(in[c] - m));
  }
  pairs[tid] = mine;
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (tid < half) pairs[tid] = combine(pairs[tid], pairs[tid + half]);
  }
  if (tid == 0) workspace[blockIdx.x] = pairs[0];
}

__global__ void softmax_merge_slices(const float *x, const float2 *workspace, float *y, int cols, int slices) {
  const unsigned n = cols, slice = blockIdx.x % slices;
  const size_t row = blockIdx.x / slices;
  const unsigned begin = slice * (COLUMNS_A_THREAD * blockDim.x);

  float2 all = workspace[row * slices];
  for (int s = 1; s < slices; s++) all = combine(all, workspace[row * slices + s]);
  for (unsigned c = begin + threadIdx.x, k = 0; k < COLUMNS_A_THREAD && c < n; k++, c += blockDim.x)
    y[row * n + c] = expf(x[row * n + c] - all.x) / all.y;
}

// workspace: a pair for each block of each input.
static void softmax_inputs(const float *x, float *y, float2 *workspace, int inputs, int rows, int cols, dim3 grid, dim3 block,
                           size_t shared, cudaStream_t stream) {
  const int slices = grid.x / rows;
  const size_t elements = (size_t)rows * cols;
  cudaEvent_t begin, end;
  cudaEventCreateWithFlags(&begin, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&end, cudaEventDisableTiming);
  cudaEventRecord(begin, stream);
  for (int i = 0; i < inputs; i++) {
    cudaStream_t side;
    cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
    cudaStreamWaitEvent(side, begin, 0);
    float2 *mine = workspace + (size_t)i * grid.x;
    softmax_slices<<<grid, block, shared, side>>>(x + i * elements, mine, cols, slices);
    softmax_merge_slices<<<grid, block, 0, side>>>(x + i * elements, mine, y + i * elements, cols, slices);
    cudaEventRecord(end, side);
    cudaStreamWaitEvent(stream, end, 0);
    cudaStreamDestroy(side);
  }
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
}
