// Blocks of 32 by 32 threads, one element of C each; tiles of A and B in shared memory, padded with zeros.

#define TILE_WIDTH 32

__global__ void matmul_tiled_published(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float As[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Bs[TILE_WIDTH][TILE_WIDTH];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE_WIDTH + ty;
  int col = blockIdx.x * TILE_WIDTH + tx;

  float acc = 0.0f;
  for (int t = 0; t < (K + TILE_WIDTH - 1) / TILE_WIDTH; t++) {
    if (row < M && t * TILE_WIDTH + tx < K)
      As[ty][tx] = A[(size_t)row * K + t * TILE_WIDTH + tx];
    else
      As[ty][tx] = 0.0f;
    if (col < N && t * TILE_WIDTH + ty < K)
      Bs[ty][tx] = B[(size_t)(t * TILE_WIDTH + ty) * N + col];
    else
      Bs[ty][tx] = 0.0f;
    __syncthreads();

    for (int i = 0; i < TILE_WIDTH; i++) acc += As[ty][i] * Bs[i][tx];
  }
  if (row < M && col < N) C[(size_t)row * N + col] = acc;
}
