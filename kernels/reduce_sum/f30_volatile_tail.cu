// Halving tree in shared memory; the last 64 partial sums are reduced by one warp without block barriers, its lanes kept together by a
// __syncwarp between all reads and all writes. Blocks of a power of two from 64 on.

__device__ __forceinline__ void warp_tail(float *s, unsigned tid) {
  float v = s[tid] + s[tid + 32];
  for (unsigned distance = 16; distance > 0; distance /= 2) {
    s[tid] = v;
    __syncwarp();
    v += s[tid + distance];
    __syncwarp();
  }
  s[tid] = v;
}

__global__ void reduce_sum_volatile_tail(const float *a, float *out, int n) {
  extern __shared__ float partial[];
  const unsigned tid = threadIdx.x;
  const unsigned i = blockIdx.x * blockDim.x + tid;

  partial[tid] = i < (unsigned)n ? a[i] : 0.0f;
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 32; s >>= 1) {
    if (tid < s) partial[tid] += partial[tid + s];
    __syncthreads();
  }
  if (tid < 32) warp_tail(partial, tid);
  if (tid == 0) atomicAdd(out, partial[0]);
}
