// cublas.cu - cuBLAS from host code, between kernels: products alone, in batches and of mixed types; vectors, triangular systems; streams.
#include <cublas_v2.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include "feature.h"

// Small whole numbers: every sum is exact, in any order. Column-major, as cuBLAS has it.
enum { M = 5, N = 4, K = 3, LDA = 7, PER_MATRIX = M * N };

__host__ __device__ static int value(int i) { return (i * 7 + 3) % 5 - 2; }

template <class T> __global__ void fill(T *p, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) p[i] = T(float(value(i)));
}
template <class T> __global__ void widen(double *to, const T *from, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) to[i] = double(float(from[i]));
}
__global__ void point(float **to, float *base, int distance, int n) {
  for (int i = 0; i < n; i++) to[i] = base + i * distance;
}

struct Buffers {
  float *a, *b, *c, **pointers;
  __half *ha, *hb;
  double *d;
};

static Buffers make() {
  Buffers m;
  cudaMalloc(&m.a, 64 * sizeof *m.a);
  cudaMalloc(&m.b, 64 * sizeof *m.b);
  cudaMalloc(&m.c, 64 * sizeof *m.c);
  cudaMalloc(&m.pointers, 6 * sizeof *m.pointers);
  cudaMalloc(&m.ha, 64 * sizeof *m.ha);
  cudaMalloc(&m.hb, 64 * sizeof *m.hb);
  cudaMalloc(&m.d, 64 * sizeof *m.d);
  fill<<<1, 32>>>(m.a, 64);
  fill<<<1, 32>>>(m.b, 64);
  fill<<<1, 32>>>(m.ha, 64);
  fill<<<1, 32>>>(m.hb, 64);
  fill<<<1, 32>>>(m.d, 64);
  return m;
}

static void drop(const Buffers &m) {
  cudaFree(m.a), cudaFree(m.b), cudaFree(m.c), cudaFree(m.pointers), cudaFree(m.ha), cudaFree(m.hb), cudaFree(m.d);
}

static void products(cublasHandle_t h, const Buffers &m, double *out) {
  const float two = 2, zero = 0, one = 1;
  cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &two, m.a, LDA, m.b, K, &zero, m.c, M); // c: nobody has written it before
  cublasSgemm(h, CUBLAS_OP_T, CUBLAS_OP_N, M, N, K, &one, m.a, LDA, m.b, K, &one, m.c, M);
  widen<<<1, 32>>>(out, m.c, PER_MATRIX);
  cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_T, M, N, K, &one, m.ha, CUDA_R_16F, LDA, m.hb, CUDA_R_16F, N, &zero, m.c, CUDA_R_32F, M,
               CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
  widen<<<1, 32>>>(out + PER_MATRIX, m.c, PER_MATRIX);
  cublasSgemmStridedBatched(h, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, m.a, 2, 4, m.b, 2, 0, &zero, m.c, 2, 4, 2);
  point<<<1, 1>>>(m.pointers, m.a, 8, 2);
  point<<<1, 1>>>(m.pointers + 2, m.b, 16, 2);
  point<<<1, 1>>>(m.pointers + 4, m.c + 8, 4, 2);
  cublasSgemmBatched(h, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, m.pointers, 2, m.pointers + 2, 2, &zero, m.pointers + 4, 2, 2);
  widen<<<1, 32>>>(out + 2 * PER_MATRIX, m.c, 16);
}

static void vectors(cublasHandle_t h, const Buffers &m, double *out) { // 24 doubles
  const double two = 2, zero = 0, one = 1;
  double dot, sum;
  int largest;
  fill<<<1, 32>>>(out, 24);
  cublasDaxpy(h, 4, &two, m.d, 2, out, -1);
  cublasDgemv(h, CUBLAS_OP_T, 3, 4, &one, m.d, 3, m.d + 8, 1, &zero, out + 4, 1);
  cublasDger(h, 2, 2, &one, m.d, 1, m.d + 1, 1, out + 8, 2);
  cublasDgeam(h, CUBLAS_OP_T, CUBLAS_OP_N, 2, 2, &two, m.d, 2, &one, m.d + 4, 2, out + 12, 2);
  cublasDtrsm(h, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, 2, 1, &one, m.d, 2, out + 16, 2);
  cublasDdot(h, 5, m.d, 1, m.d + 5, 1, &dot);
  cublasDasum(h, 5, m.d, 1, &sum);
  cublasIdamax(h, 5, m.d + 1, 1, &largest); // two are as large: the first
  const double numbers[4] = {dot, sum, (double)largest, 3};
  cublasSetVector(4, sizeof *out, numbers, 1, out + 18, 1);
  cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE);
  cublasDscal(h, 1, out + 21, out + 22, 1);
  cublasDnrm2(h, 1, m.d + 1, 1, out + 23);
}

RIGHT(cublas) {
  cublasHandle_t h;
  cublasCreate(&h);
  const Buffers m = make();
  products(h, m, out);
  vectors(h, m, out + 56);
  cublasDestroy(h);
  drop(m);
}

// The kernel of another stream that does not wait for the product.
WRONG(cublas) {
  const double one = 1, zero = 0;
  cudaStream_t ours, others;
  cublasHandle_t h;
  cublasCreate(&h);
  cudaStreamCreateWithFlags(&ours, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&others, cudaStreamNonBlocking);
  cublasSetStream(h, ours);
  const Buffers m = make();
  cudaDeviceSynchronize();
  cublasDgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, m.d, 4, m.d, 4, &zero, out, 4);
  fill<<<1, 32, 0, others>>>(out + 15, 1);
  cudaDeviceSynchronize();
  cublasDestroy(h);
  cudaStreamDestroy(ours), cudaStreamDestroy(others);
  drop(m);
}

static double element(int i, int k, int ld) { return value(i + k * ld); }

static double product(int i) {
  double n = 0, t = 0;
  for (int k = 0; k < K; k++) {
    n += element(i % M, k, LDA) * element(k, i / M, K);
    t += element(k, i % M, LDA) * element(k, i / M, K);
  }
  return 2 * n + t;
}

static double of_halves(int i) {
  double sum = 0;
  for (int k = 0; k < K; k++) sum += element(i % M, k, LDA) * element(i / M, k, N);
  return sum;
}

static double in_batch(int i) {
  const int a = i < 8 ? i / 4 * 4 : (i - 8) / 4 * 8, b = i < 8 ? 0 : (i - 8) / 4 * 16, row = i % 2, col = i % 4 / 2;
  return value(a + row) * value(b + 2 * col) + value(a + row + 2) * value(b + 2 * col + 1);
}

static double of_vectors(int i) {
  double sum = 0;
  if (i < 4) return value(i) + 2 * value(2 * (3 - i));
  if (i < 8) {
    for (int k = 0; k < 3; k++) sum += value(k + 3 * (i - 4)) * value(8 + k);
    return sum;
  }
  if (i < 12) return value(i) + value(i % 2) * value(1 + (i - 8) / 2);
  if (i < 16) return 2 * value((i - 12) % 2 * 2 + (i - 12) / 2) + value(i - 12 + 4);
  if (i < 18) return value(i) - (i == 17 ? value(1) * value(16) : 0);
  for (int k = 0; k < 5; k++) sum += i == 18 ? value(k) * value(5 + k) : value(k) < 0 ? -value(k) : value(k);
  const double rest[4] = {1, 3, 3.0 * value(22), (double)(value(1) < 0 ? -value(1) : value(1))};
  return i < 20 ? sum : rest[i - 20];
}

EXPECTED(cublas) {
  if (i < PER_MATRIX) return product(i);
  if (i < 2 * PER_MATRIX) return of_halves(i - PER_MATRIX);
  return i < 56 ? in_batch(i - 40) : of_vectors(i - 56);
}
