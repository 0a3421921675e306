// Four elements a thread.
__global__ void add(const float *a, const float *b, float *c, int n) {
  const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i + 3 < n)
    for (int k = i; k < i + 4; k++) c[k] = a[k] + b[k];
}
