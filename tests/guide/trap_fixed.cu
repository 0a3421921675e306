// A thread a column of a row, and every blockDim.x-th one from there.
__global__ void row_sums(const float *a, float *out, int cols) {
  for (int i = threadIdx.x; i < cols; i += blockDim.x) atomicAdd(&out[blockIdx.x], a[blockIdx.x * cols + i]);
}
