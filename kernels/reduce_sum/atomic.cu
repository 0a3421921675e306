// Every thread adds its element to the result with an atomicAdd: the order of the additions, and so the last bits, are left to chance.

__global__ void reduce_sum_atomic(const float *a, float *out, int n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < (unsigned)n) atomicAdd(out, a[i]);
}
