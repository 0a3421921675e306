// A thread takes every element that is a whole number of grids away from its first one: any block, any grid, counted in 64 bits.

__global__ void add_grid_stride(const float *a, const float *b, float *c, int n) {
  const size_t stride = (size_t)gridDim.x * blockDim.x;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < (size_t)n; i += stride) c[i] = a[i] + b[i];
}
