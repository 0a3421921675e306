__global__ void row_sums(const float *a, float *out, int cols) {
  __shared__ float s[32];
  const int lane = threadIdx.x;
  float sum = 0;
  for (int i = lane; i < cols; i += 32) sum += a[blockIdx.x * cols + i];
  s[lane] = sum;
  __syncwarp();
  for (int d = 16; d > 0; d /= 2) {
    if (lane < d) s[lane] += s[lane + d];
    __syncwarp();
  }
  if (lane == 0) out[blockIdx.x] = s[0];
}
