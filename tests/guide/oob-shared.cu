// A block a row: a sum in each warp, then the first warp adds those up.
__global__ void row_sums(const float *a, float *out, int cols) {
  __shared__ float of_warp[8];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  float sum = 0;
  for (int i = threadIdx.x; i < cols; i += blockDim.x) sum += a[blockIdx.x * cols + i];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
  if (lane == 0) of_warp[warp] = sum;
  __syncthreads();
  if (warp > 0) return;
  sum = lane < warps ? of_warp[lane] : 0;
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
  if (lane == 0) out[blockIdx.x] = sum;
}
