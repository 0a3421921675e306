// Blocks stride over chunks of one element a thread. The first warp adds up the chunk, a share a lane, then thread 0 the lanes; the
// barrier in between is behind the branch, where all threads come by. Blocks of whole warps.

__global__ void reduce_sum_barrier_in_branch(const float *a, float *out, int n) {
  __shared__ float partial[1024], lanes[32];
  const unsigned tid = threadIdx.x;

  for (size_t first = (size_t)blockIdx.x * blockDim.x; first < (size_t)n; first += (size_t)gridDim.x * blockDim.x) {
    partial[tid] = first + tid < (size_t)n ? a[first + tid] : 0.0f;
    __syncthreads();
    if (tid < 32) {
      float sum = 0.0f;
      for (unsigned i = tid; i < blockDim.x; i += 32) sum += partial[i];
      lanes[tid] = sum;
    }
    __syncthreads();
    if (tid == 0) {
      float sum = 0.0f;
      for (unsigned lane = 0; lane < 32; lane++) sum += lanes[lane];
      atomicAdd(out, sum);
    }
    __syncthreads();  // partial and lanes are free for the next chunk
  }
}
