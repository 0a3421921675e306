// The first warp loads a, the second one b.
__global__ void add(const float *a, const float *b, float *c, int n) {
  __shared__ float of_a[32], of_b[32];
  const int t = threadIdx.x % 32, i = blockIdx.x * 32 + t;
  if (threadIdx.x < 32) {
    of_a[t] = i < n ? a[i] : 0;
    __syncthreads();
  } else {
    of_b[t] = i < n ? b[i] : 0;
    __syncthreads();
  }
  if (threadIdx.x < 32 && i < n) c[i] = of_a[t] + of_b[t];
}
