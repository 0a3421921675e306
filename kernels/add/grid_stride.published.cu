// A thread takes every element that is a whole number of grids away from its first one, counted in an int. All threads make the
// same number of rounds.

__global__ void add_grid_stride_published(const float *a, const float *b, float *c, int n) {
  const int stride = blockDim.x * gridDim.x;
  const int rounds = n / stride + 1;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int r = 0; r < rounds; r++) {
    if (i < n) c[i] = a[i] + b[i];
    i += stride;
  }
}
