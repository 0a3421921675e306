/* blas_product.c - cuBLAS's products of matrices: gemm in all types, alone and in batches. */
#include "blas.h"
#include <stdlib.h>

/* One of the three matrices. Batches lie a distance apart, or where an array in device memory says. */
typedef struct Operand {
  const char *name, *array_name;
  const void *at;
  BlasType type;
  int64_t rows, cols, ld, stride; /* elements */
} Operand;

typedef struct Product {
  const char *name;
  cublasOperation_t op_a, op_b;
  int m, n, k, count;
  int is_array; /* `at` of each is an array of pointers */
  const void *alpha, *beta;
  BlasType scalar;
  Operand a, b, c;
} Product;

static int larger(int64_t a, int64_t b) { return (int)(a > b ? a : b); }

/* The i-th of a batch. rows 0: it cannot be used. */
static BlasPart part_of(BlasCall *c, const Product *p, const Operand *o, int i) {
  const char *at = o->at;
  if (p->is_array) {
    const BlasPart pointers = blas_matrix(o->array_name, (const char *)o->at + 8 * (int64_t)i, BLAS_POINTER, 1, 1, 1);
    if (!blas_use(c, &pointers, BLAS_READS)) return (BlasPart){.name = o->name};
    at = ((const char *const *)o->at)[i];
  } else if (at)
    at += (int64_t)i * o->stride * (int64_t)blas_bytes(o->type);
  return blas_matrix(o->name, at, o->type, o->rows, o->cols, o->ld);
}

/* The product of a (m x k) and b (k x n), dense and by columns, into r: alpha * sum + beta * r. */
static void multiply(const double *a, const double *b, int64_t m, int64_t n, int64_t k, double alpha, double beta, const BlasPart *r, double *sum) {
  for (int64_t col = 0; col < n; col++) {
    for (int64_t i = 0; i < m; i++) sum[i] = 0;
    for (int64_t l = 0; l < k; l++) {
      const double factor = b[l + col * k];
      for (int64_t i = 0; i < m; i++) sum[i] += a[i + l * m] * factor;
    }
    for (int64_t i = 0; i < m; i++) {
      const double old = beta == 0 ? 0 : beta * blas_load(r, i, col);
      blas_store(r, i, col, (k ? alpha * sum[i] : 0) + old);
    }
  }
}

static void compute(BlasCall *c, const Product *p, const BlasPart *part, int64_t k, double alpha, double beta) {
  double *a = blas_take(c, &part[0], p->op_a != CUBLAS_OP_N), *b = blas_take(c, &part[1], p->op_b != CUBLAS_OP_N);
  double *sum = malloc(((size_t)p->m + 1) * sizeof *sum);
  if (!sum) c->status = CUBLAS_STATUS_ALLOC_FAILED;
  if (a && b && sum) multiply(a, b, p->m, p->n, k, alpha, beta, &part[2], sum);
  free(a);
  free(b);
  free(sum);
}

static int is_valid(const Product *p) {
  return (unsigned)p->op_a <= CUBLAS_OP_C && (unsigned)p->op_b <= CUBLAS_OP_C && p->m >= 0 && p->n >= 0 && p->k >= 0 && p->count >= 0 &&
         p->a.ld >= larger(1, p->a.rows) && p->b.ld >= larger(1, p->b.rows) && p->c.ld >= larger(1, p->m);
}

/* blas_begin() was good. Where alpha is 0, A and B are not read; where beta is, C is not. */
static void run(BlasCall *c, Product *p) {
  if (!blas_require(c, is_valid(p))) return;
  const double alpha = blas_scalar(c, "alpha", p->alpha, p->scalar), beta = blas_scalar(c, "beta", p->beta, p->scalar);
  const int64_t k = alpha == 0 ? 0 : p->k;
  const int count = c->status || !p->m || !p->n || (!k && beta == 1) ? 0 : p->count;
  BlasPart *part = calloc(3 * (size_t)count + 1, sizeof *part);
  if (!part) c->status = CUBLAS_STATUS_ALLOC_FAILED;
  if (!k) p->a.rows = p->a.cols = p->b.rows = p->b.cols = 0;
  for (int i = 0; i < count && !c->status; i++) {
    BlasPart *b = part + 3 * i;
    b[0] = k ? part_of(c, p, &p->a, i) : (BlasPart){.name = "A"};
    b[1] = k ? part_of(c, p, &p->b, i) : (BlasPart){.name = "B"};
    b[2] = part_of(c, p, &p->c, i);
    blas_use(c, &b[0], BLAS_READS);
    blas_use(c, &b[1], BLAS_READS);
    blas_use(c, &b[2], beta == 0 ? BLAS_WRITES : BLAS_READS | BLAS_WRITES);
  }
  if (count && blas_issue(c))
    for (int i = 0; i < count; i++) compute(c, p, part + 3 * i, k, alpha, beta);
  free(part);
}

static Operand operand(const char *name, const char *array_name, const void *at, BlasType type, cublasOperation_t op, int rows, int cols, int ld,
                       long long stride) {
  const int is_flipped = op != CUBLAS_OP_N;
  return (Operand){name, array_name, at, type, is_flipped ? cols : rows, is_flipped ? rows : cols, ld, stride};
}

static cublasStatus_t product(cublasHandle_t h, Product p) {
  BlasCall c;
  if (blas_begin(&c, p.name, h)) run(&c, &p);
  return blas_end(&c);
}

/* Of one type. */
static Product plain(const char *name, BlasType t, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k, const void *alpha,
                     const void *a, int lda, long long stride_a, const void *b, int ldb, long long stride_b, const void *beta, void *c, int ldc,
                     long long stride_c, int count, int is_array) {
  return (Product){.name = name, .op_a = op_a, .op_b = op_b, .m = m, .n = n, .k = k, .count = count, .is_array = is_array, .alpha = alpha,
                   .beta = beta, .scalar = t, .a = operand("A", "Aarray", a, t, op_a, m, k, lda, stride_a),
                   .b = operand("B", "Barray", b, t, op_b, k, n, ldb, stride_b), .c = operand("C", "Carray", c, t, CUBLAS_OP_N, m, n, ldc, stride_c)};
}

#define GEMM(X, T, type)                                                                                                              \
  cublasStatus_t cublas##X##gemm(cublasHandle_t h, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,               \
                                 const T *alpha, const T *a, int lda, const T *b, int ldb, const T *beta, T *c, int ldc) {            \
    return product(h, plain("cublas" #X "gemm", type, op_a, op_b, m, n, k, alpha, a, lda, 0, b, ldb, 0, beta, c, ldc, 0, 1, 0));      \
  }                                                                                                                                   \
  cublasStatus_t cublas##X##gemmStridedBatched(cublasHandle_t h, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k, \
                                               const T *alpha, const T *a, int lda, long long sa, const T *b, int ldb, long long sb,  \
                                               const T *beta, T *c, int ldc, long long sc, int count) {                               \
    return product(h, plain("cublas" #X "gemmStridedBatched", type, op_a, op_b, m, n, k, alpha, a, lda, sa, b, ldb, sb, beta, c, ldc, \
                            sc, count, 0));                                                                                           \
  }
#define GEMM_BATCHED(X, T, type)                                                                                                      \
  cublasStatus_t cublas##X##gemmBatched(cublasHandle_t h, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,        \
                                        const T *alpha, const T *const a[], int lda, const T *const b[], int ldb, const T *beta,      \
                                        T *const c[], int ldc, int count) {                                                           \
    return product(h, plain("cublas" #X "gemmBatched", type, op_a, op_b, m, n, k, alpha, a, lda, 0, b, ldb, 0, beta,                  \
                            (void *)(uintptr_t)c, ldc, 0, count, 1));                                                                 \
  }
GEMM(S, float, BLAS_F32)
GEMM(D, double, BLAS_F64)
GEMM(H, __half, BLAS_F16)
GEMM_BATCHED(S, float, BLAS_F32)
GEMM_BATCHED(D, double, BLAS_F64)
#undef GEMM
#undef GEMM_BATCHED

/* ---- types by number ---- */

typedef struct Types {
  cudaDataType a, b, c;
  cublasComputeType_t compute;
} Types;

/* The type to compute in, which is that of alpha and beta. 0; -1: it is not there. */
static int scalar_type(cublasComputeType_t compute, BlasType *out) {
  switch (compute) {
  case CUBLAS_COMPUTE_16F:
  case CUBLAS_COMPUTE_16F_PEDANTIC: *out = BLAS_F16; return 0;
  case CUBLAS_COMPUTE_32F:
  case CUBLAS_COMPUTE_32F_PEDANTIC:
  case CUBLAS_COMPUTE_32F_FAST_16F:
  case CUBLAS_COMPUTE_32F_FAST_16BF:
  case CUBLAS_COMPUTE_32F_FAST_TF32: *out = BLAS_F32; return 0;
  case CUBLAS_COMPUTE_64F:
  case CUBLAS_COMPUTE_64F_PEDANTIC: *out = BLAS_F64; return 0;
  case CUBLAS_COMPUTE_32I:
  case CUBLAS_COMPUTE_32I_PEDANTIC: break;
  }
  return -1;
}

/* The table of cuBLAS, cublasGemmEx(): A and B are of one type; halves and bfloats in floats give their own type, or floats; else all is of
 * the type to compute in. The fast ways are for floats. */
static int is_supported(const Product *p, cublasComputeType_t compute) {
  const BlasType in = p->a.type, out = p->c.type;
  const int is_plain = compute == CUBLAS_COMPUTE_32F || compute == CUBLAS_COMPUTE_32F_PEDANTIC;
  if (p->b.type != in) return 0;
  if (is_plain && (in == BLAS_F16 || in == BLAS_BF16)) return out == in || out == BLAS_F32;
  return in == p->scalar && out == p->scalar;
}

/* 0; -1: one of the types is not there. */
static int set_types(Product *p, const Types *t) {
  if (scalar_type(t->compute, &p->scalar)) return -1;
  return blas_type_of(t->a, &p->a.type) || blas_type_of(t->b, &p->b.type) || blas_type_of(t->c, &p->c.type) ? -1 : 0;
}

static cublasStatus_t typed(cublasHandle_t h, Product p, const char *refused, Types t) {
  BlasCall c;
  if (!blas_begin(&c, p.name, h)) return blas_end(&c);
  if (set_types(&p, &t)) return blas_refuse(&c, refused);
  if (is_supported(&p, t.compute)) run(&c, &p);
  else c.status = CUBLAS_STATUS_NOT_SUPPORTED;
  return blas_end(&c);
}

static const char refused_one[] = "cublasGemmEx of these types", refused_array[] = "cublasGemmBatchedEx of these types",
                  refused_strided[] = "cublasGemmStridedBatchedEx of these types", refused_single[] = "cublasSgemmEx of these types";

cublasStatus_t cublasGemmEx(cublasHandle_t h, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k, const void *alpha,
                            const void *a, cudaDataType ta, int lda, const void *b, cudaDataType tb, int ldb, const void *beta, void *c,
                            cudaDataType tc, int ldc, cublasComputeType_t compute, cublasGemmAlgo_t algo) {
  (void)algo;
  return typed(h, plain("cublasGemmEx", BLAS_F32, op_a, op_b, m, n, k, alpha, a, lda, 0, b, ldb, 0, beta, c, ldc, 0, 1, 0), refused_one,
               (Types){ta, tb, tc, compute});
}

cublasStatus_t cublasSgemmEx(cublasHandle_t h, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k, const float *alpha,
                             const void *a, cudaDataType ta, int lda, const void *b, cudaDataType tb, int ldb, const float *beta, void *c,
                             cudaDataType tc, int ldc) {
  return typed(h, plain("cublasSgemmEx", BLAS_F32, op_a, op_b, m, n, k, alpha, a, lda, 0, b, ldb, 0, beta, c, ldc, 0, 1, 0), refused_single,
               (Types){ta, tb, tc, CUBLAS_COMPUTE_32F});
}

cublasStatus_t cublasGemmBatchedEx(cublasHandle_t h, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k, const void *alpha,
                                   const void *const a[], cudaDataType ta, int lda, const void *const b[], cudaDataType tb, int ldb,
                                   const void *beta, void *const c[], cudaDataType tc, int ldc, int count, cublasComputeType_t compute,
                                   cublasGemmAlgo_t algo) {
  (void)algo;
  return typed(h, plain("cublasGemmBatchedEx", BLAS_F32, op_a, op_b, m, n, k, alpha, a, lda, 0, b, ldb, 0, beta, (void *)(uintptr_t)c, ldc, 0,
                        count, 1), refused_array, (Types){ta, tb, tc, compute});
}

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t h, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,
                                          const void *alpha, const void *a, cudaDataType ta, int lda, long long sa, const void *b,
                                          cudaDataType tb, int ldb, long long sb, const void *beta, void *c, cudaDataType tc, int ldc,
                                          long long sc, int count, cublasComputeType_t compute, cublasGemmAlgo_t algo) {
  (void)algo;
  return typed(h, plain("cublasGemmStridedBatchedEx", BLAS_F32, op_a, op_b, m, n, k, alpha, a, lda, sa, b, ldb, sb, beta, c, ldc, sc, count, 0),
               refused_strided, (Types){ta, tb, tc, compute});
}
