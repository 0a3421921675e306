/* blas.h - what the functions of cuBLAS (blas_*.c) share. Internal to the engine.
 *
 * A call is an operation of its handle's stream. It names each part of memory that it uses (BlasPart), which is looked at as a copy's sides are;
 * then it computes, and what it reads and writes is marked for race detection.
 *
 *   BlasCall c;
 *   if (blas_begin(&c, "cublasSscal", handle)) ...
 *   BlasPart x = ...; blas_use(&c, &x, BLAS_READS | BLAS_WRITES); ...
 *   if (blas_issue(&c)) compute;
 *   return blas_end(&c);
 *
 * Elements are taken and left as double. Sums are made in double, in ascending order, and each result is rounded to its type once: the same bits on
 * every machine, which a library tuned for the processor would not give. The result of cuBLAS lies within the bounds for float sums around it. */
#ifndef SIMT_BLAS_INTERNAL_H
#define SIMT_BLAS_INTERNAL_H
#include "include/cublas_api.h"
#include "runtime.h"

typedef enum BlasType { BLAS_F32, BLAS_F64, BLAS_F16, BLAS_BF16, BLAS_POINTER, BLAS_I32 } BlasType;
size_t blas_bytes(BlasType t);
int blas_type_of(cudaDataType t, BlasType *out); /* 0; -1: none that there is */

enum BlasState { BLAS_ALIVE = 0x77626c61, BLAS_DEAD };
struct cublasContext {
  void *next; /* one that is to be freed with the context as well */
  enum BlasState state;
  const SimtSite *destroyed;
  cudaStream_t stream;
  cublasPointerMode_t pointers;
  cublasMath_t math;
  cublasAtomicsMode_t atomics;
};
int blas_is_alive(Simt *s, const char *call, const struct cublasContext *h); /* 0: not, and if it has been, that is reported */

/* Which elements of a matrix are there. */
typedef enum BlasShape { BLAS_FULL, BLAS_LOWER, BLAS_UPPER, BLAS_LOWER_UNIT, BLAS_UPPER_UNIT } BlasShape; /* _UNIT: without the diagonal */

/* A matrix, column by column: element (i, k) is at + (i + k * ld) elements. A vector is a row with the distance of its elements as ld. */
typedef struct BlasPart {
  const char *name; /* "A" */
  void *at;
  BlasType type;
  int64_t rows, cols, ld; /* elements */
  BlasShape shape;
} BlasPart;

enum { BLAS_READS = 1, BLAS_WRITES = 2 };
typedef struct BlasUse {
  BlasPart part;
  Side side;
  unsigned how;
} BlasUse;

typedef struct BlasCall {
  const char *name;
  Simt *s;
  struct cublasContext *h;
  BlasUse *use;
  size_t n, room;
  int stream, issued;
  int host_waits; /* until it is done: then the result is written */
  void *result;
  size_t result_bytes;
  cublasStatus_t status; /* the first thing that went wrong */
} BlasCall;

/* 1: go on. Otherwise blas_end() gives the status, as it does in any case. */
int blas_begin(BlasCall *c, const char *name, cublasHandle_t handle);
int blas_require(BlasCall *c, int condition); /* CUBLAS_STATUS_INVALID_VALUE if not */
int blas_use(BlasCall *c, const BlasPart *p, unsigned how); /* 1: it is good */
int blas_issue(BlasCall *c); /* 1: compute now */
cublasStatus_t blas_end(BlasCall *c);
cublasStatus_t blas_refuse(BlasCall *c, const char *what); /* in place of blas_end() */

/* A number that the caller gives, on the host or on the device as the handle says. */
double blas_scalar(BlasCall *c, const char *name, const void *p, BlasType type);
int blas_result(BlasCall *c, const void *p, BlasType type); /* the place for a result: 1: it is good */
void blas_give(BlasCall *c, void *p, BlasType type, double value); /* leaves it there; the host has waited, if the place is the host's */

/* From 0. A step below 0 goes through the vector from its end. */
BlasPart blas_vector(const char *name, const void *at, BlasType type, int64_t n, int64_t step);
BlasPart blas_matrix(const char *name, const void *at, BlasType type, int64_t rows, int64_t cols, int64_t ld);
double blas_load(const BlasPart *p, int64_t row, int64_t col);
void blas_store(const BlasPart *p, int64_t row, int64_t col, double value);

/* All of it, dense: element (i, k) is [i + k * rows], of the transposed matrix if that is asked for; what is not there is 0. malloc()ed; NULL: no
 * memory, and the call has failed. */
double *blas_take(BlasCall *c, const BlasPart *p, int transposed);

#endif
