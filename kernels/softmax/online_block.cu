// Blocks stride over the rows. Each thread keeps a running maximum and a running sum of exponentials over its columns; the
// threads' pairs are merged by a halving tree in dynamic shared memory, each sum rescaled to the maximum of both. Any block up
// to 1024 threads, any grid.
#include <float.h>
#include <math.h>

struct Partial {
  float max, sum;  // sum of exp(v - max)
};

__device__ __forceinline__ Partial merge(Partial a, Partial b) {
  const float m = fmaxf(a.max, b.max);
  return {m, a.sum * expf(a.max - m) + b.sum * expf(b.max - m)};
}

__global__ void softmax_online_block(const float *x, float *y, int rows, int cols) {
  extern __shared__ Partial partials[];
  const unsigned tid = threadIdx.x, n = cols;

  for (size_t row = blockIdx.x; row < (size_t)rows; row += gridDim.x) {
    const float *in = x + row * n;
    float *out = y + row * n;

    Partial mine = {-FLT_MAX, 0.0f};  // finite: a thread that sees only -inf must not compute -inf - -inf
    for (unsigned c = tid; c < n; c += blockDim.x) {
      const float v = in[c], m = fmaxf(mine.max, v);
      mine.sum = mine.sum * expf(mine.max - m) + expf(v - m);
      mine.max = m;
    }
    partials[tid] = mine;
    for (unsigned count = blockDim.x; count > 1;) {
      const unsigned half = (count + 1) / 2;
      __syncthreads();
      if (tid + half < count) partials[tid] = merge(partials[tid], partials[tid + half]);
      count = half;
    }
    __syncthreads();
    const Partial all = partials[0];

    for (unsigned c = tid; c < n; c += blockDim.x) out[c] = expf(in[c] - all.max) / all.sum;
    __syncthreads();  // every thread has read the result: the pairs are free for the next row
  }
}
