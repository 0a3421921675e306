// A warp a row; after the shuffles each lane has the sum.
__global__ void row_sums(const float *a, float *out, int cols) {
  float sum = 0;
  for (int i = threadIdx.x; i < cols; i += 32) sum += a[blockIdx.x * cols + i];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffff, sum, d);
  out[blockIdx.x] = sum;
}
