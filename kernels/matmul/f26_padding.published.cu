// Blocks of 16 by 16 threads, one element of C each, tiles in shared memory; zeros in the tile of A make up for a depth that is no
// multiple of 16.

#define TS 16

__global__ void matmul_f26_padding_published(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float Asub[TS][TS];
  __shared__ float Bsub[TS][TS];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TS + ty, col = blockIdx.x * TS + tx;

  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += TS) {
    Asub[ty][tx] = row < M && k0 + tx < K ? A[(size_t)row * K + k0 + tx] : 0.0f;
    if (k0 + ty < K && col < N) Bsub[ty][tx] = B[(size_t)(k0 + ty) * N + col];
    __syncthreads();
    for (int kk = 0; kk < TS; kk++) acc += Asub[ty][kk] * Bsub[kk][tx];
    __syncthreads();
  }
  if (row < M && col < N) C[(size_t)row * N + col] = acc;
}
