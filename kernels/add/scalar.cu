// One thread an element, as many blocks as it takes. Indices are 64 bits wide.

__global__ void add_scalar(const float *a, const float *b, float *c, int n) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < (size_t)n) c[i] = a[i] + b[i];
}
