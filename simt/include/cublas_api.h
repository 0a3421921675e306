/* cublas_api.h - cuBLAS on the engine (simt/blas_*.c), for C and C++. doc/RUNTIME.md says what there is and how it differs. A call is an operation
 * of its stream: what it reads and writes counts for races as a copy's accesses do. */
#ifndef CUBLAS_API_H_
#define CUBLAS_API_H_
#include "cuda_runtime_api.h"
#include "library_types.h"
#include <stdint.h>
#if defined(__cplusplus) && !defined(SIMT_HOST_ONLY)
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#else
typedef struct { unsigned short x; } __half;
#endif

#define CUBLAS_VER_MAJOR 13
#define CUBLAS_VER_MINOR 0
#define CUBLAS_VER_PATCH 0
#define CUBLAS_VERSION 130000
#define CUBLASAPI
#define CUBLASWINAPI

typedef enum {
#define ROW(name, number) name = number,
#include "simt_blas_status.def"
#undef ROW
} cublasStatus_t;
typedef enum { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2, CUBLAS_OP_HERMITAN = 2, CUBLAS_OP_CONJG = 3 } cublasOperation_t;
typedef enum { CUBLAS_FILL_MODE_LOWER = 0, CUBLAS_FILL_MODE_UPPER = 1, CUBLAS_FILL_MODE_FULL = 2 } cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 } cublasAtomicsMode_t;
typedef enum {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3,
  CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
typedef enum {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_16F_PEDANTIC = 65,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_PEDANTIC = 69,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_64F_PEDANTIC = 71,
  CUBLAS_COMPUTE_32I = 72,
  CUBLAS_COMPUTE_32I_PEDANTIC = 73,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77
} cublasComputeType_t;
typedef enum {
  CUBLAS_GEMM_DFALT = -1,
  CUBLAS_GEMM_DEFAULT = -1,
  CUBLAS_GEMM_ALGO0 = 0,
  CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
  CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
  CUBLAS_GEMM_ALGO0_TENSOR_OP = 100
} cublasGemmAlgo_t;
typedef cudaDataType cublasDataType_t;
typedef struct cublasContext *cublasHandle_t;

#ifdef __cplusplus
extern "C" {
#endif

/* ---- handles ---- */
cublasStatus_t cublasCreate(cublasHandle_t *handle) SIMT_RUNTIME(cublasCreate);
cublasStatus_t cublasDestroy(cublasHandle_t handle) SIMT_RUNTIME(cublasDestroy);
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int *version) SIMT_RUNTIME(cublasGetVersion);
cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value) SIMT_RUNTIME(cublasGetProperty);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) SIMT_RUNTIME(cublasSetStream);
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t *stream) SIMT_RUNTIME(cublasGetStream);
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode) SIMT_RUNTIME(cublasSetPointerMode);
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t *mode) SIMT_RUNTIME(cublasGetPointerMode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) SIMT_RUNTIME(cublasSetMathMode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode) SIMT_RUNTIME(cublasGetMathMode);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode) SIMT_RUNTIME(cublasSetAtomicsMode);
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t *mode) SIMT_RUNTIME(cublasGetAtomicsMode);
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void *workspace, size_t bytes) SIMT_RUNTIME(cublasSetWorkspace);
const char *cublasGetStatusName(cublasStatus_t status) SIMT_RUNTIME(cublasGetStatusName);
const char *cublasGetStatusString(cublasStatus_t status) SIMT_RUNTIME(cublasGetStatusString);

/* ---- copies ---- */
cublasStatus_t cublasSetVector(int n, int elemSize, const void *x, int incx, void *devicePtr, int incy) SIMT_RUNTIME(cublasSetVector);
cublasStatus_t cublasGetVector(int n, int elemSize, const void *x, int incx, void *y, int incy) SIMT_RUNTIME(cublasGetVector);
cublasStatus_t cublasSetMatrix(int rows, int cols, int elemSize, const void *A, int lda, void *B, int ldb) SIMT_RUNTIME(cublasSetMatrix);
cublasStatus_t cublasGetMatrix(int rows, int cols, int elemSize, const void *A, int lda, void *B, int ldb) SIMT_RUNTIME(cublasGetMatrix);
cublasStatus_t cublasSetVectorAsync(int n, int elemSize, const void *x, int incx, void *y, int incy,
    cudaStream_t stream) SIMT_RUNTIME(cublasSetVectorAsync);
cublasStatus_t cublasGetVectorAsync(int n, int elemSize, const void *x, int incx, void *y, int incy,
    cudaStream_t stream) SIMT_RUNTIME(cublasGetVectorAsync);
cublasStatus_t cublasSetMatrixAsync(int rows, int cols, int elemSize, const void *A, int lda, void *B, int ldb,
    cudaStream_t stream) SIMT_RUNTIME(cublasSetMatrixAsync);
cublasStatus_t cublasGetMatrixAsync(int rows, int cols, int elemSize, const void *A, int lda, void *B, int ldb,
    cudaStream_t stream) SIMT_RUNTIME(cublasGetMatrixAsync);

/* ---- float and double ---- */
#define SIMT_BLAS(X, i, T)                                                                                                            \
  cublasStatus_t cublas##X##axpy(cublasHandle_t handle, int n, const T *alpha, const T *x, int incx, T *y, int incy)                 \
      SIMT_RUNTIME(cublas##X##axpy);                                                                                                  \
  cublasStatus_t cublas##X##dot(cublasHandle_t handle, int n, const T *x, int incx, const T *y, int incy, T *result)                 \
      SIMT_RUNTIME(cublas##X##dot);                                                                                                   \
  cublasStatus_t cublas##X##nrm2(cublasHandle_t handle, int n, const T *x, int incx, T *result) SIMT_RUNTIME(cublas##X##nrm2);       \
  cublasStatus_t cublas##X##asum(cublasHandle_t handle, int n, const T *x, int incx, T *result) SIMT_RUNTIME(cublas##X##asum);       \
  cublasStatus_t cublas##X##scal(cublasHandle_t handle, int n, const T *alpha, T *x, int incx) SIMT_RUNTIME(cublas##X##scal);        \
  cublasStatus_t cublas##X##copy(cublasHandle_t handle, int n, const T *x, int incx, T *y, int incy) SIMT_RUNTIME(cublas##X##copy);  \
  cublasStatus_t cublas##X##swap(cublasHandle_t handle, int n, T *x, int incx, T *y, int incy) SIMT_RUNTIME(cublas##X##swap);        \
  cublasStatus_t cublasI##i##amax(cublasHandle_t handle, int n, const T *x, int incx, int *result) SIMT_RUNTIME(cublasI##i##amax);   \
  cublasStatus_t cublasI##i##amin(cublasHandle_t handle, int n, const T *x, int incx, int *result) SIMT_RUNTIME(cublasI##i##amin);   \
  cublasStatus_t cublas##X##gemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n, const T *alpha, const T *A, int lda,   \
      const T *x, int incx, const T *beta, T *y, int incy) SIMT_RUNTIME(cublas##X##gemv);                                            \
  cublasStatus_t cublas##X##ger(cublasHandle_t handle, int m, int n, const T *alpha, const T *x, int incx, const T *y, int incy,     \
      T *A, int lda) SIMT_RUNTIME(cublas##X##ger);                                                                                    \
  cublasStatus_t cublas##X##gemm(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,      \
      const T *alpha, const T *A, int lda, const T *B, int ldb, const T *beta, T *C, int ldc) SIMT_RUNTIME(cublas##X##gemm);          \
  cublasStatus_t cublas##X##gemmBatched(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,      \
      int k, const T *alpha, const T *const A[], int lda, const T *const B[], int ldb, const T *beta, T *const C[], int ldc,          \
      int count) SIMT_RUNTIME(cublas##X##gemmBatched);                                                                                \
  cublasStatus_t cublas##X##gemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,      \
      int n, int k, const T *alpha, const T *A, int lda, long long strideA, const T *B, int ldb, long long strideB, const T *beta,    \
      T *C, int ldc, long long strideC, int count) SIMT_RUNTIME(cublas##X##gemmStridedBatched);                                       \
  cublasStatus_t cublas##X##geam(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,             \
      const T *alpha, const T *A, int lda, const T *beta, const T *B, int ldb, T *C, int ldc) SIMT_RUNTIME(cublas##X##geam);          \
  cublasStatus_t cublas##X##trsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans,        \
      cublasDiagType_t diag, int m, int n, const T *alpha, const T *A, int lda, T *B, int ldb) SIMT_RUNTIME(cublas##X##trsm);
SIMT_BLAS(S, s, float)
SIMT_BLAS(D, d, double)
#undef SIMT_BLAS

/* ---- halves, and mixed types ---- */
cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
    const __half *alpha, const __half *A, int lda, const __half *B, int ldb, const __half *beta, __half *C,
    int ldc) SIMT_RUNTIME(cublasHgemm);
cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
    const __half *alpha, const __half *A, int lda, long long strideA, const __half *B, int ldb, long long strideB, const __half *beta,
    __half *C, int ldc, long long strideC, int count) SIMT_RUNTIME(cublasHgemmStridedBatched);
cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
    const float *alpha, const void *A, cudaDataType Atype, int lda, const void *B, cudaDataType Btype, int ldb, const float *beta,
    void *C, cudaDataType Ctype, int ldc) SIMT_RUNTIME(cublasSgemmEx);
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
    const void *alpha, const void *A, cudaDataType Atype, int lda, const void *B, cudaDataType Btype, int ldb, const void *beta, void *C,
    cudaDataType Ctype, int ldc, cublasComputeType_t computeType, cublasGemmAlgo_t algo) SIMT_RUNTIME(cublasGemmEx);
cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
    const void *alpha, const void *const A[], cudaDataType Atype, int lda, const void *const B[], cudaDataType Btype, int ldb,
    const void *beta, void *const C[], cudaDataType Ctype, int ldc, int count, cublasComputeType_t computeType,
    cublasGemmAlgo_t algo) SIMT_RUNTIME(cublasGemmBatchedEx);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,
    int k, const void *alpha, const void *A, cudaDataType Atype, int lda, long long strideA, const void *B, cudaDataType Btype, int ldb,
    long long strideB, const void *beta, void *C, cudaDataType Ctype, int ldc, long long strideC, int count,
    cublasComputeType_t computeType, cublasGemmAlgo_t algo) SIMT_RUNTIME(cublasGemmStridedBatchedEx);

/* ---- what there is not: a call says so, and returns CUBLAS_STATUS_NOT_SUPPORTED ---- */
#ifdef __cplusplus
#define SIMT_ANYTHING ...
#else
#define SIMT_ANYTHING
#endif
#define ROW(name) cublasStatus_t name(SIMT_ANYTHING) SIMT_RUNTIME(name);
#include "simt_blas_refused.def"
#undef ROW
#undef SIMT_ANYTHING

#ifdef __cplusplus
}

/* GemmEx before CUDA 11 names the type that it computes in like those of elements. */
static inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
    const void *alpha, const void *A, cudaDataType Atype, int lda, const void *B, cudaDataType Btype, int ldb, const void *beta, void *C,
    cudaDataType Ctype, int ldc, cudaDataType computeType, cublasGemmAlgo_t algo) {
  const cublasComputeType_t type = computeType == CUDA_R_64F   ? CUBLAS_COMPUTE_64F
                                   : computeType == CUDA_R_16F ? CUBLAS_COMPUTE_16F
                                   : computeType == CUDA_R_32F ? CUBLAS_COMPUTE_32F
                                                               : CUBLAS_COMPUTE_32I;
  return cublasGemmEx(handle, transa, transb, m, n, k, alpha, A, Atype, lda, B, Btype, ldb, beta, C, Ctype, ldc, type, algo);
}
#endif

#endif
