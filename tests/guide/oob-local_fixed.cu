// A warp a row: each lane keeps its share in registers, eight numbers at a time.
__global__ void row_sums(const float *a, float *out, int cols) {
  const int lane = threadIdx.x;
  float mine[8], sum = 0;
  for (int first = lane; first < cols; first += 8 * 32) {
    int n = 0;
    for (int i = first; i < cols && n < 8; i += 32) mine[n++] = a[blockIdx.x * cols + i];
    for (int k = 0; k < n; k++) sum += mine[k];
  }
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
  if (lane == 0) out[blockIdx.x] = sum;
}
