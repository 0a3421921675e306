// Blocks of 32 by 32 threads, one element of c each. Tiles of a and b pass through shared memory, padded with zeros beyond the
// edges; threads outside of c load with the others, and leave at the end.

#define TILE 32

__global__ void matmul_tiled(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float a_tile[TILE][TILE], b_tile[TILE][TILE];
  const unsigned x = threadIdx.x, y = threadIdx.y, rows = m, cols = n, depth = k;
  const unsigned row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;

  float sum = 0.0f;
  for (unsigned first = 0; first < depth; first += TILE) {
    const unsigned a_col = first + x, b_row = first + y;
    a_tile[y][x] = row < rows && a_col < depth ? a[(size_t)row * depth + a_col] : 0.0f;
    b_tile[y][x] = b_row < depth && col < cols ? b[(size_t)b_row * cols + col] : 0.0f;
    __syncthreads();
    for (unsigned e = 0; e < TILE; e++) sum += a_tile[y][e] * b_tile[e][x];
    __syncthreads();  // the tiles have been read: free for the next ones
  }
  if (row < rows && col < cols) c[(size_t)row * cols + col] = sum;
}
