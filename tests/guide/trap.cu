#include <assert.h>

// A thread a column of a row.
__global__ void row_sums(const float *a, float *out, int cols) {
  assert(cols <= blockDim.x);
  if (threadIdx.x < cols) atomicAdd(&out[blockIdx.x], a[blockIdx.x * cols + threadIdx.x]);
}
