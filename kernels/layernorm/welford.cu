// Blocks stride over the rows, threads over the columns. Each thread updates a running mean and second moment with one column after
// the other (Welford); the threads' triples are merged by shuffles, the warps' by the first warp. Merging takes the larger part
// first. Blocks of whole warps, any grid.
#include <math.h>

struct Moments {
  float count, mean, square;  // square: sum of squared differences from the mean
};

// a has at least half as many elements as b, so that it has some if b has.
__device__ __forceinline__ Moments merge(Moments a, Moments b) {
  if (b.count == 0.0f) return a;
  const float count = a.count + b.count, share = b.count / count, d = b.mean - a.mean;
  return {count, a.mean + d * share, a.square + b.square + d * d * a.count * share};
}

__device__ __forceinline__ Moments warp_merge(Moments m) {
  for (unsigned offset = 16; offset > 0; offset /= 2) {
    const Moments other = {__shfl_down_sync(0xffffffffu, m.count, offset), __shfl_down_sync(0xffffffffu, m.mean, offset),
                           __shfl_down_sync(0xffffffffu, m.square, offset)};
    m = merge(m, other);  // past the last lane with itself, which comes to nothing in lane 0
  }
  return m;  // of the whole warp in lane 0
}

__global__ void layernorm_welford(const float *x, const float *gamma, const float *beta, float *y, int rows, int cols,
                                  float eps) {
  __shared__ Moments slots[32];
  __shared__ float mean, scale;
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, n = cols;

  for (unsigned row = blockIdx.x; row < (unsigned)rows; row += gridDim.x) {
    const float *in = x + (size_t)row * n;
    float *out = y + (size_t)row * n;

    Moments m = {0.0f, 0.0f, 0.0f};
    for (unsigned c = threadIdx.x; c < n; c += blockDim.x) {
      const float v = in[c], d = v - m.mean;
      m.count += 1.0f;
      m.mean += d / m.count;
      m.square += d * (v - m.mean);
    }
    m = warp_merge(m);
    if (lane == 0) slots[warp] = m;
    __syncthreads();
    if (warp == 0) {
      m = lane < blockDim.x / 32 ? slots[lane] : Moments{};
      m = warp_merge(m);
      if (lane == 0) {
        mean = m.mean;
        scale = rsqrtf(m.square / n + eps);
      }
    }
    __syncthreads();

    for (unsigned c = threadIdx.x; c < n; c += blockDim.x) out[c] = (in[c] - mean) * scale * gamma[c] + beta[c];
  }
}
