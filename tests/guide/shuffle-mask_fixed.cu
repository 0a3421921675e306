// A warp a row.
__global__ void row_sums(const float *a, float *out, int cols) {
  const int lane = threadIdx.x;
  float sum = 0;
  for (int i = lane; i < cols; i += 32) sum += a[blockIdx.x * cols + i];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
  if (lane == 0) out[blockIdx.x] = sum;
}
