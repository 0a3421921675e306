// Halving tree in shared memory; one warp reduces the last 64 partial sums in lock step, through volatile and without barriers.

__device__ void warp_reduce(volatile float *s, unsigned tid) {
  s[tid] += s[tid + 32];
  s[tid] += s[tid + 16];
  s[tid] += s[tid + 8];
  s[tid] += s[tid + 4];
  s[tid] += s[tid + 2];
  s[tid] += s[tid + 1];
}

__global__ void reduce_sum_volatile_tail_published(const float *a, float *out, int n) {
  extern __shared__ float partial[];
  const unsigned tid = threadIdx.x;
  const unsigned i = blockIdx.x * blockDim.x + tid;

  partial[tid] = i < (unsigned)n ? a[i] : 0.0f;
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 32; s >>= 1) {
    if (tid < s) partial[tid] += partial[tid + s];
    __syncthreads();
  }
  if (tid < 32) warp_reduce(partial, tid);
  if (tid == 0) atomicAdd(out, partial[0]);
}
