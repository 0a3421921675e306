// A matrix product in tiles, launched by a static function of a class template.
#include <cuda_runtime.h>
#include <type_traits>

template <int TILE, class T = float>
class MatMul {
  static_assert(TILE * TILE <= 1024 && std::is_floating_point<T>::value, "a block has at most 1024 threads");

 public:
  static void run(const T *A, const T *B, T *C, int M, int N, int K);
};

template <int TILE, class T>
__global__ void matmul_tiled(const T *A, const T *B, T *C, int M, int N, int K) {
  __shared__ T As[TILE][TILE];
  __shared__ T Bs[TILE][TILE + 1];
  const int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
  T acc = 0;
#ifdef FAULT // the last tile of K, where it is no whole one, is left out
  const int tiles = K / TILE;
#else
  const int tiles = (K + TILE - 1) / TILE;
#endif
  for (int t = 0; t < tiles; ++t) {
    const int a_col = t * TILE + threadIdx.x, b_row = t * TILE + threadIdx.y;
    As[threadIdx.y][threadIdx.x] = row < M && a_col < K ? A[row * K + a_col] : T(0);
    Bs[threadIdx.y][threadIdx.x] = b_row < K && col < N ? B[b_row * N + col] : T(0);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < TILE; ++i) acc += As[threadIdx.y][i] * Bs[i][threadIdx.x];
    __syncthreads();
  }
  if (row < M && col < N) C[row * N + col] = acc;
}

template <int TILE, class T>
void MatMul<TILE, T>::run(const T *A, const T *B, T *C, int M, int N, int K) {
  const dim3 threads(TILE, TILE), blocks((N + TILE - 1) / TILE, (M + TILE - 1) / TILE);
  matmul_tiled<TILE, T><<<blocks, threads>>>(A, B, C, M, N, K);
}
