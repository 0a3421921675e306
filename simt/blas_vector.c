/* blas_vector.c - cuBLAS, level 1: vectors; and the copies of vectors and matrices between host and device. */
#include "blas.h"
#include <math.h>

static double at(const BlasPart *v, int64_t i) { return blas_load(v, 0, i); }
static void put(const BlasPart *v, int64_t i, double value) { blas_store(v, 0, i, value); }

/* ---- from vectors to vectors ---- */

static cublasStatus_t axpy(const char *name, cublasHandle_t h, BlasType t, int n, const void *alpha, const void *px, int step_x, void *py,
                           int step_y) {
  BlasCall c;
  if (!blas_begin(&c, name, h)) return blas_end(&c);
  const double a = blas_scalar(&c, "alpha", alpha, t);
  const BlasPart x = blas_vector("x", px, t, a == 0 ? 0 : n, step_x), y = blas_vector("y", py, t, a == 0 ? 0 : n, step_y);
  blas_use(&c, &x, BLAS_READS);
  blas_use(&c, &y, BLAS_READS | BLAS_WRITES);
  if (blas_issue(&c))
    for (int64_t i = 0; i < y.cols; i++) put(&y, i, a * at(&x, i) + at(&y, i));
  return blas_end(&c);
}

static cublasStatus_t scal(const char *name, cublasHandle_t h, BlasType t, int n, const void *alpha, void *px, int step) {
  BlasCall c;
  if (!blas_begin(&c, name, h)) return blas_end(&c);
  const double a = blas_scalar(&c, "alpha", alpha, t);
  const BlasPart x = blas_vector("x", px, t, step > 0 ? n : 0, step);
  blas_use(&c, &x, BLAS_READS | BLAS_WRITES);
  if (blas_issue(&c))
    for (int64_t i = 0; i < x.cols; i++) put(&x, i, a * at(&x, i));
  return blas_end(&c);
}

/* swaps: both are read and written. */
static cublasStatus_t move(const char *name, cublasHandle_t h, BlasType t, int n, void *px, int step_x, void *py, int step_y, int swaps) {
  BlasCall c;
  if (!blas_begin(&c, name, h)) return blas_end(&c);
  const BlasPart x = blas_vector("x", px, t, n, step_x), y = blas_vector("y", py, t, n, step_y);
  blas_use(&c, &x, swaps ? BLAS_READS | BLAS_WRITES : BLAS_READS);
  blas_use(&c, &y, swaps ? BLAS_READS | BLAS_WRITES : BLAS_WRITES);
  if (blas_issue(&c))
    for (int64_t i = 0; i < y.cols; i++) {
      const double old = at(&y, i);
      put(&y, i, at(&x, i));
      if (swaps) put(&x, i, old);
    }
  return blas_end(&c);
}

/* ---- from vectors to a number ---- */

typedef enum Number { DOT, NORM, SUM, LARGEST, SMALLEST } Number;

/* Scaled, so that squares neither overflow nor vanish. */
static double norm(const BlasPart *x) {
  double largest = 0, sum = 0;
  for (int64_t i = 0; i < x->cols; i++)
    if (!(fabs(at(x, i)) <= largest)) largest = fabs(at(x, i));
  if (largest == 0 || isinf(largest) || isnan(largest)) return largest;
  for (int64_t i = 0; i < x->cols; i++) sum += at(x, i) / largest * (at(x, i) / largest);
  return largest * sqrt(sum);
}

/* From 1; 0: there is no element. */
static int64_t extreme(const BlasPart *x, int is_largest) {
  int64_t best = 0;
  for (int64_t i = 1; i < x->cols; i++) {
    const double a = fabs(at(x, i)), b = fabs(at(x, best));
    if (is_largest ? a > b : a < b) best = i;
  }
  return x->cols ? best + 1 : 0;
}

static double number_of(Number what, const BlasPart *x, const BlasPart *y) {
  double sum = 0;
  switch (what) {
  case NORM: return norm(x);
  case LARGEST:
  case SMALLEST: return (double)extreme(x, what == LARGEST);
  case DOT:
    for (int64_t i = 0; i < x->cols; i++) sum += at(x, i) * at(y, i);
    break;
  case SUM:
    for (int64_t i = 0; i < x->cols; i++) sum += fabs(at(x, i));
    break;
  }
  return sum;
}

static cublasStatus_t reduce(const char *name, cublasHandle_t h, Number what, BlasType t, int n, const void *px, int step_x, const void *py,
                             int step_y, void *result) {
  BlasCall c;
  const BlasType type = what == LARGEST || what == SMALLEST ? BLAS_I32 : t;
  if (!blas_begin(&c, name, h)) return blas_end(&c);
  const BlasPart x = blas_vector("x", px, t, what == DOT || step_x > 0 ? n : 0, step_x), y = blas_vector("y", py, t, n, step_y);
  blas_use(&c, &x, BLAS_READS);
  if (what == DOT) blas_use(&c, &y, BLAS_READS);
  if (blas_result(&c, result, type) && blas_issue(&c)) blas_give(&c, result, type, number_of(what, &x, &y));
  return blas_end(&c);
}

#define LEVEL_1(X, x, T, type)                                                                                                     \
  cublasStatus_t cublas##X##axpy(cublasHandle_t h, int n, const T *alpha, const T *px, int step_x, T *py, int step_y) {            \
    return axpy("cublas" #X "axpy", h, type, n, alpha, px, step_x, py, step_y);                                                    \
  }                                                                                                                                \
  cublasStatus_t cublas##X##scal(cublasHandle_t h, int n, const T *alpha, T *px, int step) {                                       \
    return scal("cublas" #X "scal", h, type, n, alpha, px, step);                                                                  \
  }                                                                                                                                \
  cublasStatus_t cublas##X##copy(cublasHandle_t h, int n, const T *px, int step_x, T *py, int step_y) {                            \
    return move("cublas" #X "copy", h, type, n, (T *)(uintptr_t)px, step_x, py, step_y, 0);                                        \
  }                                                                                                                                \
  cublasStatus_t cublas##X##swap(cublasHandle_t h, int n, T *px, int step_x, T *py, int step_y) {                                  \
    return move("cublas" #X "swap", h, type, n, px, step_x, py, step_y, 1);                                                        \
  }                                                                                                                                \
  cublasStatus_t cublas##X##dot(cublasHandle_t h, int n, const T *px, int step_x, const T *py, int step_y, T *result) {            \
    return reduce("cublas" #X "dot", h, DOT, type, n, px, step_x, py, step_y, result);                                             \
  }                                                                                                                                \
  cublasStatus_t cublas##X##nrm2(cublasHandle_t h, int n, const T *px, int step, T *result) {                                      \
    return reduce("cublas" #X "nrm2", h, NORM, type, n, px, step, NULL, 1, result);                                                \
  }                                                                                                                                \
  cublasStatus_t cublas##X##asum(cublasHandle_t h, int n, const T *px, int step, T *result) {                                      \
    return reduce("cublas" #X "asum", h, SUM, type, n, px, step, NULL, 1, result);                                                 \
  }                                                                                                                                \
  cublasStatus_t cublasI##x##amax(cublasHandle_t h, int n, const T *px, int step, int *result) {                                   \
    return reduce("cublasI" #x "amax", h, LARGEST, type, n, px, step, NULL, 1, result);                                            \
  }                                                                                                                                \
  cublasStatus_t cublasI##x##amin(cublasHandle_t h, int n, const T *px, int step, int *result) {                                   \
    return reduce("cublasI" #x "amin", h, SMALLEST, type, n, px, step, NULL, 1, result);                                           \
  }
LEVEL_1(S, s, float, BLAS_F32)
LEVEL_1(D, d, double, BLAS_F64)
#undef LEVEL_1

/* ---- copies ---- */

typedef struct Transfer {
  const char *call;
  int rows, cols, elem_bytes, from_step, to_step; /* columns, and the distance of their beginnings, in elements */
  enum cudaMemcpyKind kind;
  cudaStream_t stream;
  int is_async;
} Transfer;

static cublasStatus_t transfer(const Transfer *t, const void *from, void *to) {
  Simt *s;
  if (t->rows < 0 || t->cols < 0 || t->elem_bytes <= 0 || t->from_step < t->rows || t->to_step < t->rows || !t->from_step || !t->to_step)
    return CUBLAS_STATUS_INVALID_VALUE;
  cudaError_t e = simt_call_begin(&s);
  const int is_dense = t->from_step == t->rows && t->to_step == t->rows;
  const size_t bytes = (size_t)t->elem_bytes, per_row = (size_t)t->rows * bytes, cols = (size_t)t->cols;
  if (!e)
    e = simt_copy(s, &(Copy){.call = t->call, .to = to, .from = from, .to_pitch = (size_t)t->to_step * bytes,
                             .from_pitch = (size_t)t->from_step * bytes, .width = is_dense ? per_row * cols : per_row,
                             .height = is_dense ? 1 : cols, .depth = 1, .kind = t->kind, .stream = t->stream, .is_async = t->is_async});
  simt_call_end(s, cudaSuccess);
  return e ? CUBLAS_STATUS_MAPPING_ERROR : CUBLAS_STATUS_SUCCESS;
}

#define TRANSFER(Way, direction)                                                                                                     \
  cublasStatus_t cublas##Way##Vector(int n, int bytes, const void *x, int step_x, void *y, int step_y) {                             \
    return transfer(&(Transfer){"cublas" #Way "Vector", n > 0, n, bytes, step_x, step_y, direction, NULL, 0}, x, y);                 \
  }                                                                                                                                  \
  cublasStatus_t cublas##Way##Matrix(int rows, int cols, int bytes, const void *a, int lda, void *b, int ldb) {                      \
    return transfer(&(Transfer){"cublas" #Way "Matrix", rows, cols, bytes, lda, ldb, direction, NULL, 0}, a, b);                     \
  }                                                                                                                                  \
  cublasStatus_t cublas##Way##VectorAsync(int n, int bytes, const void *x, int step_x, void *y, int step_y, cudaStream_t stream) {   \
    return transfer(&(Transfer){"cublas" #Way "VectorAsync", n > 0, n, bytes, step_x, step_y, direction, stream, 1}, x, y);          \
  }                                                                                                                                  \
  cublasStatus_t cublas##Way##MatrixAsync(int rows, int cols, int bytes, const void *a, int lda, void *b, int ldb,                   \
                                          cudaStream_t stream) {                                                                     \
    return transfer(&(Transfer){"cublas" #Way "MatrixAsync", rows, cols, bytes, lda, ldb, direction, stream, 1}, a, b);              \
  }
TRANSFER(Set, cudaMemcpyHostToDevice)
TRANSFER(Get, cudaMemcpyDeviceToHost)
#undef TRANSFER
