__global__ void add(const float *a, const float *b, float *c, int n) {
  __shared__ float s[128];
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  if (i < n) s[t] = a[i] + b[i];
  __syncthreads();
  if (i < n) c[i] = s[t];
}
