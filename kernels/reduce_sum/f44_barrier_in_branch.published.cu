// The first warp adds up a chunk, a share a lane, then thread 0 the lanes, with a barrier in between that the first warp alone meets.

__global__ void reduce_sum_barrier_in_branch_published(const float *a, float *out, int n) {
  __shared__ float partial[1024], lanes[32];
  const unsigned tid = threadIdx.x;

  for (size_t first = (size_t)blockIdx.x * blockDim.x; first < (size_t)n; first += (size_t)gridDim.x * blockDim.x) {
    partial[tid] = first + tid < (size_t)n ? a[first + tid] : 0.0f;
    __syncthreads();
    if (tid < 32) {
      float sum = 0.0f;
      for (unsigned i = tid; i < blockDim.x; i += 32) sum += partial[i];
      lanes[tid] = sum;
      __syncthreads();
      if (tid == 0) {
        float total = 0.0f;
        for (unsigned lane = 0; lane < 32; lane++) total += lanes[lane];
        atomicAdd(out, total);
      }
    }
    __syncthreads();
  }
}
