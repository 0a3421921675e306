// A block of 64 threads, 4 x 4 elements of C each; strips of A and B, 8 deep, in shared memory, loaded where they exist.

#define BM 32
#define BN 32
#define BK 8
#define TM 4
#define TN 4

__global__ void matmul_register_tiled_published(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float As[BK][BM];
  __shared__ float Bs[BK][BN];
  const int tid = threadIdx.x;
  const int ty = tid / (BN / TN), tx = tid % (BN / TN);

  float acc[TM][TN] = {{0.0f}};
  for (int bk = 0; bk < K; bk += BK) {
    for (int i = tid; i < BM * BK; i += blockDim.x) {
      const int r = i / BK, kk = i % BK, row = blockIdx.y * BM + r;
      if (bk + kk < K) As[kk][r] = row < M ? A[(size_t)row * K + bk + kk] : 0.0f;
    }
    for (int i = tid; i < BK * BN; i += blockDim.x) {
      const int kk = i / BN, c = i % BN, col = blockIdx.x * BN + c;
      if (bk + kk < K) Bs[kk][c] = col < N ? B[(size_t)(bk + kk) * N + col] : 0.0f;
    }
    __syncthreads();

#pragma unroll
    for (int kk = 0; kk < BK; kk++)
      for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j++) acc[i][j] += As[kk][ty * TM + i] * Bs[kk][tx * TN + j];
    __syncthreads();
  }

  for (int i = 0; i < TM; i++)
    for (int j = 0; j < TN; j++) {
      const int row = blockIdx.y * BM + ty * TM + i, col = blockIdx.x * BN + tx * TN + j;
      if (row < M && col < N) C[(size_t)row * N + col] = acc[i][j];
    }
}
