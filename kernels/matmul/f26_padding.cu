// Blocks of 16 by 16 threads, one element of c each, tiles in shared memory. Beyond k both tiles are padded with zeros: a zero in
// one of them would not do, for 0 times what the other happens to hold may be NaN.

#define TILE 16

__global__ void matmul_f26_padding(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float a_tile[TILE][TILE], b_tile[TILE][TILE];
  const unsigned x = threadIdx.x, y = threadIdx.y, rows = m, cols = n, depth = k;
  const unsigned row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;

  float sum = 0.0f;
  for (unsigned first = 0; first < depth; first += TILE) {
    const bool has_a = row < rows && first + x < depth, has_b = col < cols && first + y < depth;
    a_tile[y][x] = has_a ? a[(size_t)row * depth + first + x] : 0.0f;
    b_tile[y][x] = has_b ? b[(size_t)(first + y) * cols + col] : 0.0f;
    __syncthreads();
    for (unsigned e = 0; e < TILE; e++) sum += a_tile[y][e] * b_tile[e][x];
    __syncthreads();  // the tiles have been read: free for the next ones
  }
  if (row < rows && col < cols) c[(size_t)row * cols + col] = sum;
}
