// One warp a row. A lane takes four neighbouring columns a step, the warp 128; the number of steps is rounded up, and every column
// is compared with the end of the row.

#define COLUMNS_A_LANE 4
#define COLUMNS_A_STEP (32 * COLUMNS_A_LANE)

__global__ void matadd_f52_steps(const float *a, const float *b, float *c, int m, int n) {
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const size_t row = (size_t)blockIdx.x * (blockDim.x / 32) + warp;
  if (row >= (size_t)m) return;

  const unsigned cols = n, steps = (cols + COLUMNS_A_STEP - 1) / COLUMNS_A_STEP;
  const size_t offset = row * cols;
  for (unsigned s = 0; s < steps; s++)
    for (unsigned k = 0; k < COLUMNS_A_LANE; k++) {
      const unsigned col = s * COLUMNS_A_STEP + lane * COLUMNS_A_LANE + k;
      if (col < cols) c[offset + col] = a[offset + col] + b[offset + col];
    }
}
