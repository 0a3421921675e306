// A block takes one element a thread, halves the number of partial sums round by round in shared memory, and adds its sum to the
// result. Any block: an odd partial sum waits for the next round.

__global__ void reduce_sum_tree(const float *a, float *out, int n) {
  extern __shared__ float partial[];
  const unsigned tid = threadIdx.x;
  const unsigned i = blockIdx.x * blockDim.x + tid;

  partial[tid] = i < (unsigned)n ? a[i] : 0.0f;
  for (unsigned count = blockDim.x; count > 1;) {
    const unsigned half = (count + 1) / 2;
    __syncthreads();
    if (tid + half < count) partial[tid] += partial[tid + half];
    count = half;
  }
  if (tid == 0) atomicAdd(out, partial[0]);
}
