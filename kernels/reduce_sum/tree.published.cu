// A block takes one element a thread and halves the number of partial sums round by round, from blockDim.x / 2 on.

__global__ void reduce_sum_tree_published(const float *a, float *out, int n) {
  extern __shared__ float partial[];
  const unsigned tid = threadIdx.x;
  const unsigned i = blockIdx.x * blockDim.x + tid;

  partial[tid] = i < (unsigned)n ? a[i] : 0.0f;
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s) partial[tid] += partial[tid + s];
    __syncthreads();
  }
  if (tid == 0) atomicAdd(out, partial[0]);
}
