// One warp a row. A lane takes four neighbouring columns a step, the warp 128; n / 128 steps make a row.

#define VEC 4

__global__ void matadd_f52_steps_published(const float *a, const float *b, float *c, int m, int n) {
  const int lane = threadIdx.x % 32;
  const int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (row >= m) return;
  a += (size_t)row * n;
  b += (size_t)row * n;
  c += (size_t)row * n;

  const int iterations = n / (32 * VEC);
  for (int it = 0; it < iterations; it++) {
    const int col = (it * 32 + lane) * VEC;
#pragma unroll
    for (int k = 0; k < VEC; k++) c[col + k] = a[col + k] + b[col + k];
  }
}
