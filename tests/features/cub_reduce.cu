// cub_reduce.cu - cub::BlockReduce and cub::WarpReduce: sums, maxima, a structure with a function of the user's.
#include <cub/cub.cuh>
#include "feature.h"

struct Best {
  float value;
  int index;
};
struct BestOp {
  __device__ __forceinline__ Best operator()(const Best &a, const Best &b) const {
    return a.value > b.value || (a.value == b.value && a.index < b.index) ? a : b;
  }
};

template <int Threads, bool Waits> __global__ void right(double *out) {
  typedef cub::BlockReduce<float, Threads> BlockReduce;
  __shared__ typename BlockReduce::TempStorage temp;
  __shared__ float mean;
  const float sum = BlockReduce(temp).Sum(float(threadIdx.x));
  if (threadIdx.x == 0) mean = sum / Threads;
  if (Waits) __syncthreads();
  const float spread = BlockReduce(temp).Sum(fabsf(threadIdx.x - (Waits ? mean : 1.0f)));
  __shared__ typename cub::BlockReduce<Best, Threads>::TempStorage best_temp;
  const Best best = cub::BlockReduce<Best, Threads>(best_temp).Reduce(Best{float(threadIdx.x % 50), int(threadIdx.x)}, BestOp());
  __shared__ typename cub::WarpReduce<int>::TempStorage warp_temp[Threads / 32];
  const int warp = threadIdx.x / 32, lanes = cub::WarpReduce<int>(warp_temp[warp]).Sum(1);
  if (threadIdx.x == 0) out[0] = sum, out[1] = spread, out[2] = best.index, out[3] = lanes;
}

RIGHT(cub_reduce) { right<128, true><<<1, 128>>>(out); }
WRONG(cub_reduce) { right<128, false><<<1, 128>>>(out); } // the memory is used again without a barrier
EXPECTED(cub_reduce) {
  const double value[] = {127 * 64, 128 * 32, 49, 32};
  return value[i];
}
