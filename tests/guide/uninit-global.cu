// c is what cudaMalloc() returned.
__global__ void add(const float *a, const float *b, float *c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  c[i] += a[i];
  c[i] += b[i];
}
