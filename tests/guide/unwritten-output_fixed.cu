// Four elements a thread, fewer at the end.
__global__ void add(const float *a, const float *b, float *c, int n) {
  const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  for (int k = i; k < i + 4 && k < n; k++) c[k] = a[k] + b[k];
}
