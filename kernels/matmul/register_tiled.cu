// A block of 64 threads computes 32 by 32 elements of c, a thread 4 by 4 of them in registers. Strips of a and b, 8 deep, pass
// through shared memory, padded with zeros beyond the edges, so that each element loaded serves four products of a thread.

#define TILE 32   // edge of the block's part of c
#define DEPTH 8   // of a strip
#define MINE 4    // edge of a thread's part of c
#define THREADS (TILE / MINE * (TILE / MINE))

__global__ void matmul_register_tiled(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float a_strip[DEPTH][TILE], b_strip[DEPTH][TILE];
  const unsigned tid = threadIdx.x, rows = m, cols = n, depth = k;
  const unsigned first_row = blockIdx.y * TILE, first_col = blockIdx.x * TILE;
  const unsigned y = tid / (TILE / MINE) * MINE, x = tid % (TILE / MINE) * MINE;

  float sum[MINE][MINE] = {};
  for (unsigned first = 0; first < depth; first += DEPTH) {
    for (unsigned i = tid; i < TILE * DEPTH; i += THREADS) {
      const unsigned row = first_row + i / DEPTH, e = first + i % DEPTH;
      a_strip[i % DEPTH][i / DEPTH] = row < rows && e < depth ? a[(size_t)row * depth + e] : 0.0f;
    }
    for (unsigned i = tid; i < TILE * DEPTH; i += THREADS) {
      const unsigned e = first + i / TILE, col = first_col + i % TILE;
      b_strip[i / TILE][i % TILE] = e < depth && col < cols ? b[(size_t)e * cols + col] : 0.0f;
    }
    __syncthreads();
    for (unsigned e = 0; e < DEPTH; e++)
      for (unsigned i = 0; i < MINE; i++)
        for (unsigned j = 0; j < MINE; j++) sum[i][j] += a_strip[e][y + i] * b_strip[e][x + j];
    __syncthreads();  // the strips have been read: free for the next ones
  }

  for (unsigned i = 0; i < MINE; i++)
    for (unsigned j = 0; j < MINE; j++) {
      const unsigned row = first_row + y + i, col = first_col + x + j;
      if (row < rows && col < cols) c[(size_t)row * cols + col] = sum[i][j];
    }
}
