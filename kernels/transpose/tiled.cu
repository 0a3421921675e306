// A tile of 32 by 32 goes through shared memory, so that both reads and writes are coalesced. Its rows are one column longer, so
// that a column lies in 32 banks. Blocks are 32 wide and of any height up to 32; threads go down the tile.

#define TILE 32

__global__ void transpose_tiled(const float *a, float *b, int m, int n) {
  __shared__ float tile[TILE][TILE + 1];
  const unsigned rows = m, cols = n, first_row = blockIdx.y * TILE, first_col = blockIdx.x * TILE;

  const unsigned col = first_col + threadIdx.x;
  for (unsigned y = threadIdx.y; y < TILE; y += blockDim.y) {
    const unsigned row = first_row + y;
    if (row < rows && col < cols) tile[y][threadIdx.x] = a[(size_t)row * cols + col];
  }
  __syncthreads();

  const unsigned out_col = first_row + threadIdx.x;
  for (unsigned y = threadIdx.y; y < TILE; y += blockDim.y) {
    const unsigned out_row = first_col + y;
    if (out_row < cols && out_col < rows) b[(size_t)out_row * rows + out_col] = tile[threadIdx.x][y];
  }
}
