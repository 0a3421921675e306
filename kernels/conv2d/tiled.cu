// A block of 32 x 32 loads a tile of x, and its first 33 - k threads each way have an output each. A filter that leaves too few of them, or
// none, goes element by element from global memory.
#define TILE 32

__global__ void conv2d_tiled_kernel(const float *x, const float *w, float *y, int m, int n, int k) {
  __shared__ float tile[TILE][TILE];
  const int edge = TILE - k + 1, height = m - k + 1, width = n - k + 1;
  const int row = blockIdx.y * edge + threadIdx.y, col = blockIdx.x * edge + threadIdx.x;

  tile[threadIdx.y][threadIdx.x] = row < m && col < n ? x[(size_t)row * n + col] : 0.0f;
  __syncthreads();
  if ((int)threadIdx.y < edge && (int)threadIdx.x < edge && row < height && col < width) {
    float sum = 0.0f;
    for (int p = 0; p < k; p++)
      for (int q = 0; q < k; q++) sum += tile[threadIdx.y + p][threadIdx.x + q] * w[p * k + q];
    y[(size_t)row * width + col] = sum;
  }
}

__global__ void conv2d_direct_kernel(const float *x, const float *w, float *y, int m, int n, int k) {
  const int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x, height = m - k + 1, width = n - k + 1;
  if (row >= height || col >= width) return;

  float sum = 0.0f;
  for (int p = 0; p < k; p++)
    for (int q = 0; q < k; q++) sum += x[(size_t)(row + p) * n + col + q] * w[p * k + q];
  y[(size_t)row * width + col] = sum;
}

static void conv2d_tiled(const float *x, const float *w, float *y, int m, int n, int k, dim3 block, cudaStream_t stream) {
  const int edge = k <= TILE / 2 ? TILE - k + 1 : TILE;
  const dim3 grid((n - k + edge) / edge, (m - k + edge) / edge);
  if (k <= TILE / 2)
    conv2d_tiled_kernel<<<grid, block, 0, stream>>>(x, w, y, m, n, k);
  else
    conv2d_direct_kernel<<<grid, block, 0, stream>>>(x, w, y, m, n, k);
}
