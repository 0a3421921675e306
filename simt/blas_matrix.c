/* blas_matrix.c - cuBLAS, levels 2 and 3 but for the products of matrices: gemv, ger, geam, trsm. */
#include "blas.h"
#include <stdlib.h>

static int is_operation(cublasOperation_t t) { return (unsigned)t <= CUBLAS_OP_C; }
static int larger(int a, int b) { return a > b ? a : b; }

/* y = alpha * op(A) * x + beta * y. What is multiplied by 0 is not read. */
static cublasStatus_t gemv(const char *name, cublasHandle_t h, BlasType t, cublasOperation_t op, int m, int n, const void *alpha,
                           const void *pa, int lda, const void *px, int step_x, const void *beta, void *py, int step_y) {
  BlasCall c;
  if (!blas_begin(&c, name, h)) return blas_end(&c);
  blas_require(&c, is_operation(op) && m >= 0 && n >= 0 && lda >= larger(1, m) && step_x && step_y);
  const double al = blas_scalar(&c, "alpha", alpha, t), be = blas_scalar(&c, "beta", beta, t);
  const int is_flipped = op != CUBLAS_OP_N, none = !m || !n || (al == 0 && be == 1);
  const int64_t len_y = none ? 0 : is_flipped ? n : m, len_x = none || al == 0 ? 0 : is_flipped ? m : n;
  const BlasPart a = blas_matrix("A", pa, t, len_x ? m : 0, len_x ? n : 0, lda);
  const BlasPart x = blas_vector("x", px, t, len_x, step_x), y = blas_vector("y", py, t, len_y, step_y);
  blas_use(&c, &a, BLAS_READS);
  blas_use(&c, &x, BLAS_READS);
  blas_use(&c, &y, be == 0 ? BLAS_WRITES : BLAS_READS | BLAS_WRITES);
  if (blas_issue(&c))
    for (int64_t i = 0; i < len_y; i++) {
      double sum = 0;
      for (int64_t k = 0; k < len_x; k++) sum += (is_flipped ? blas_load(&a, k, i) : blas_load(&a, i, k)) * blas_load(&x, 0, k);
      blas_store(&y, 0, i, al * sum + (be == 0 ? 0 : be * blas_load(&y, 0, i)));
    }
  return blas_end(&c);
}

/* A = alpha * x * y^T + A */
static cublasStatus_t ger(const char *name, cublasHandle_t h, BlasType t, int m, int n, const void *alpha, const void *px, int step_x,
                          const void *py, int step_y, void *pa, int lda) {
  BlasCall c;
  if (!blas_begin(&c, name, h)) return blas_end(&c);
  blas_require(&c, m >= 0 && n >= 0 && lda >= larger(1, m) && step_x && step_y);
  const double al = blas_scalar(&c, "alpha", alpha, t);
  if (al == 0) m = n = 0;
  const BlasPart x = blas_vector("x", px, t, n ? m : 0, step_x), y = blas_vector("y", py, t, m ? n : 0, step_y);
  const BlasPart a = blas_matrix("A", pa, t, m, n, lda);
  blas_use(&c, &x, BLAS_READS);
  blas_use(&c, &y, BLAS_READS);
  blas_use(&c, &a, BLAS_READS | BLAS_WRITES);
  if (blas_issue(&c))
    for (int64_t k = 0; k < n; k++)
      for (int64_t i = 0; i < m; i++) blas_store(&a, i, k, al * blas_load(&x, 0, i) * blas_load(&y, 0, k) + blas_load(&a, i, k));
  return blas_end(&c);
}

/* What alpha * op(A) has for an m x n result; nothing if alpha is 0. */
static BlasPart summand(const char *name, const void *p, BlasType t, cublasOperation_t op, int m, int n, int ld, double factor) {
  if (factor == 0) m = n = 0;
  return op == CUBLAS_OP_N ? blas_matrix(name, p, t, m, n, ld) : blas_matrix(name, p, t, n, m, ld);
}

/* C = alpha * op(A) + beta * op(B); C may be A or B, if that is not transposed. */
static cublasStatus_t geam(const char *name, cublasHandle_t h, BlasType t, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n,
                           const void *alpha, const void *pa, int lda, const void *beta, const void *pb, int ldb, void *pc, int ldc) {
  BlasCall c;
  if (!blas_begin(&c, name, h)) return blas_end(&c);
  blas_require(&c, is_operation(op_a) && is_operation(op_b) && m >= 0 && n >= 0 && ldc >= larger(1, m));
  const double al = blas_scalar(&c, "alpha", alpha, t), be = blas_scalar(&c, "beta", beta, t);
  blas_require(&c, al == 0 || lda >= larger(1, op_a == CUBLAS_OP_N ? m : n));
  blas_require(&c, be == 0 || ldb >= larger(1, op_b == CUBLAS_OP_N ? m : n));
  blas_require(&c, !(pa == pc && op_a != CUBLAS_OP_N && al != 0) && !(pb == pc && op_b != CUBLAS_OP_N && be != 0));
  const BlasPart a = summand("A", pa, t, op_a, m, n, lda, al), b = summand("B", pb, t, op_b, m, n, ldb, be), r = blas_matrix("C", pc, t, m, n, ldc);
  blas_use(&c, &a, BLAS_READS);
  blas_use(&c, &b, BLAS_READS);
  blas_use(&c, &r, BLAS_WRITES);
  if (blas_issue(&c))
    for (int64_t k = 0; k < n; k++)
      for (int64_t i = 0; i < m; i++) {
        const double va = al == 0 ? 0 : al * (op_a == CUBLAS_OP_N ? blas_load(&a, i, k) : blas_load(&a, k, i));
        const double vb = be == 0 ? 0 : be * (op_b == CUBLAS_OP_N ? blas_load(&b, i, k) : blas_load(&b, k, i));
        blas_store(&r, i, k, va + vb);
      }
  return blas_end(&c);
}

/* ---- trsm ---- */

/* One column of unknowns, `step` apart: T * x = x in place, with T of `order` rows as blas_take() has it. */
static void solve(const double *t, int64_t order, int is_lower, int is_unit, double *x, int64_t step) {
  for (int64_t n = 0; n < order; n++) {
    const int64_t i = is_lower ? n : order - 1 - n;
    double sum = x[i * step];
    for (int64_t k = is_lower ? 0 : i + 1; k < (is_lower ? i : order); k++) sum -= t[i + k * order] * x[k * step];
    x[i * step] = is_unit ? sum : sum / t[i + i * order];
  }
}

/* op(A) * X = alpha * B, or X * op(A) = alpha * B, which is the same of the transposed ones; X takes the place of B. */
static cublasStatus_t trsm(const char *name, cublasHandle_t h, BlasType t, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t op,
                           cublasDiagType_t diag, int m, int n, const void *alpha, const void *pa, int lda, void *pb, int ldb) {
  BlasCall c;
  const int left = side == CUBLAS_SIDE_LEFT, unit = diag == CUBLAS_DIAG_UNIT, is_lower = uplo == CUBLAS_FILL_MODE_LOWER, order = left ? m : n;
  if (!blas_begin(&c, name, h)) return blas_end(&c);
  blas_require(&c, (unsigned)side <= CUBLAS_SIDE_RIGHT && (unsigned)uplo <= CUBLAS_FILL_MODE_UPPER && is_operation(op) &&
                       (unsigned)diag <= CUBLAS_DIAG_UNIT && m >= 0 && n >= 0 && lda >= larger(1, order) && ldb >= larger(1, m));
  const double al = blas_scalar(&c, "alpha", alpha, t);
  const int used = m && n && al != 0 ? order : 0;
  BlasPart a = blas_matrix("A", pa, t, used, used, lda);
  const BlasPart b = blas_matrix("B", pb, t, n ? m : 0, n, ldb);
  a.shape = is_lower ? unit ? BLAS_LOWER_UNIT : BLAS_LOWER : unit ? BLAS_UPPER_UNIT : BLAS_UPPER;
  blas_use(&c, &a, BLAS_READS);
  blas_use(&c, &b, al == 0 ? BLAS_WRITES : BLAS_READS | BLAS_WRITES);
  if (!blas_issue(&c)) return blas_end(&c);
  const int is_flipped = (op != CUBLAS_OP_N) == left; /* of X * op(A) it is the transpose that is solved */
  double *tri = blas_take(&c, &a, is_flipped), *x = blas_take(&c, &b, 0);
  if (tri && x) {
    for (int64_t i = 0; i < b.rows * b.cols; i++) x[i] = al == 0 ? 0 : al * x[i];
    for (int64_t i = 0; used && i < (left ? n : m); i++) solve(tri, order, is_lower != is_flipped, unit, left ? x + i * m : x + i, left ? 1 : m);
    for (int64_t k = 0; k < b.cols; k++)
      for (int64_t i = 0; i < b.rows; i++) blas_store(&b, i, k, x[i + k * b.rows]);
  }
  free(tri);
  free(x);
  return blas_end(&c);
}

#define LEVEL_2(X, T, type)                                                                                                           \
  cublasStatus_t cublas##X##gemv(cublasHandle_t h, cublasOperation_t op, int m, int n, const T *alpha, const T *a, int lda,           \
                                 const T *x, int step_x, const T *beta, T *y, int step_y) {                                           \
    return gemv("cublas" #X "gemv", h, type, op, m, n, alpha, a, lda, x, step_x, beta, y, step_y);                                    \
  }                                                                                                                                   \
  cublasStatus_t cublas##X##ger(cublasHandle_t h, int m, int n, const T *alpha, const T *x, int step_x, const T *y, int step_y, T *a, \
                                int lda) {                                                                                            \
    return ger("cublas" #X "ger", h, type, m, n, alpha, x, step_x, y, step_y, a, lda);                                                \
  }                                                                                                                                   \
  cublasStatus_t cublas##X##geam(cublasHandle_t h, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, const T *alpha,      \
                                 const T *a, int lda, const T *beta, const T *b, int ldb, T *c, int ldc) {                            \
    return geam("cublas" #X "geam", h, type, op_a, op_b, m, n, alpha, a, lda, beta, b, ldb, c, ldc);                                  \
  }                                                                                                                                   \
  cublasStatus_t cublas##X##trsm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t op,                \
                                 cublasDiagType_t diag, int m, int n, const T *alpha, const T *a, int lda, T *b, int ldb) {           \
    return trsm("cublas" #X "trsm", h, type, side, uplo, op, diag, m, n, alpha, a, lda, b, ldb);                                      \
  }
LEVEL_2(S, float, BLAS_F32)
LEVEL_2(D, double, BLAS_F64)
#undef LEVEL_2
