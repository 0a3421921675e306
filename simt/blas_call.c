/* blas_call.c - calls of cuBLAS as operations: what a call uses of memory, and what is wrong with it. */
#include "blas.h"
#include "device_half.h"
#include <stdlib.h>
#include <string.h>

static const char rule_range[] = "a call must stay within one allocation with each of its matrices and vectors (cuBLAS, Data Layout)";
static const char rule_host[] = "matrices and vectors are in device memory; scalars are where the pointer mode says (cuBLAS, Scalar Parameters)";
static const char rule_unwritten[] = "memory that nobody has written holds no value (CUDA Runtime API, cudaMalloc(): it is not cleared)";

/* ---- elements ---- */

size_t blas_bytes(BlasType t) {
  switch (t) {
  case BLAS_F32:
  case BLAS_I32: return 4;
  case BLAS_F64:
  case BLAS_POINTER: return 8;
  case BLAS_F16:
  case BLAS_BF16: return 2;
  }
  return 0;
}

int blas_type_of(cudaDataType t, BlasType *out) {
  if (t == CUDA_R_32F) *out = BLAS_F32;
  else if (t == CUDA_R_64F) *out = BLAS_F64;
  else if (t == CUDA_R_16F) *out = BLAS_F16;
  else if (t == CUDA_R_16BF) *out = BLAS_BF16;
  else return -1;
  return 0;
}

static double value_at(const char *p, BlasType t) {
  float f;
  double d = 0;
  uint16_t half;
  int i;
  switch (t) {
  case BLAS_F32: memcpy(&f, p, sizeof f); return f;
  case BLAS_F64: memcpy(&d, p, sizeof d); return d;
  case BLAS_F16: memcpy(&half, p, sizeof half); return simt_half_value(half);
  case BLAS_BF16: memcpy(&half, p, sizeof half); return simt_bfloat_value(half);
  case BLAS_I32: memcpy(&i, p, sizeof i); return i;
  case BLAS_POINTER: break;
  }
  return d;
}

static void leave_at(char *p, BlasType t, double v) {
  const float f = (float)v;
  uint16_t half;
  int i;
  switch (t) {
  case BLAS_F32: memcpy(p, &f, sizeof f); return;
  case BLAS_F64: memcpy(p, &v, sizeof v); return;
  case BLAS_F16: half = simt_half_of(SIMT_TO_NEAREST, v); memcpy(p, &half, sizeof half); return;
  case BLAS_BF16: half = simt_bfloat_of(SIMT_TO_NEAREST, v); memcpy(p, &half, sizeof half); return;
  case BLAS_I32: i = (int)v; memcpy(p, &i, sizeof i); return;
  case BLAS_POINTER: return;
  }
}

/* ---- parts ---- */

BlasPart blas_vector(const char *name, const void *at, BlasType type, int64_t n, int64_t step) {
  char *first = (char *)(uintptr_t)at;
  if (step < 0 && n > 0) first += (uint64_t)((1 - n) * step) * blas_bytes(type);
  return (BlasPart){.name = name, .at = first, .type = type, .rows = n > 0, .cols = n > 0 ? n : 0, .ld = step};
}

BlasPart blas_matrix(const char *name, const void *at, BlasType type, int64_t rows, int64_t cols, int64_t ld) {
  return (BlasPart){.name = name, .at = (void *)(uintptr_t)at, .type = type, .rows = rows, .cols = cols, .ld = ld};
}

static char *place(const BlasPart *p, int64_t row, int64_t col) { return (char *)p->at + (row + col * p->ld) * (int64_t)blas_bytes(p->type); }
double blas_load(const BlasPart *p, int64_t row, int64_t col) { return value_at(place(p, row, col), p->type); }
void blas_store(const BlasPart *p, int64_t row, int64_t col, double value) { leave_at(place(p, row, col), p->type, value); }

/* The rows of a column that are there: from *first on. */
static int64_t rows_of(const BlasPart *p, int64_t col, int64_t *first) {
  int64_t end = p->rows;
  *first = 0;
  switch (p->shape) {
  case BLAS_FULL: break;
  case BLAS_LOWER: *first = col; break;
  case BLAS_LOWER_UNIT: *first = col + 1; break;
  case BLAS_UPPER: end = col + 1; break;
  case BLAS_UPPER_UNIT: end = col; break;
  }
  return end > *first ? end - *first : 0;
}

double *blas_take(BlasCall *c, const BlasPart *p, int transposed) {
  double *all = calloc((size_t)(p->rows * p->cols) + 1, sizeof *all);
  if (!all) c->status = CUBLAS_STATUS_ALLOC_FAILED;
  for (int64_t k = 0, first; all && k < p->cols; k++)
    for (int64_t n = rows_of(p, k, &first), i = first; i < first + n; i++) all[transposed ? k + i * p->cols : i + k * p->rows] = blas_load(p, i, k);
  return all;
}

/* ---- what is wrong with a part ---- */

static SimtFinding *report(BlasCall *c, SimtClass cls, SimtSeverity severity, const char *rule) {
  SimtFinding *f = simt_report_call(c->s, cls, severity, c->name);
  if (f) f->rule = rule;
  return f;
}

/* From the lowest byte to behind the highest; with a negative distance the first element is the highest. */
static uint64_t extent(const BlasPart *p, char **low) {
  const int64_t bytes = (int64_t)blas_bytes(p->type), last = (p->cols - 1) * p->ld;
  *low = (char *)p->at + (last < 0 ? last * bytes : 0);
  return (uint64_t)(((last < 0 ? -last : last) + p->rows) * bytes);
}

static int is_inside(BlasCall *c, const BlasPart *p, const Side *d, const char *way) {
  char what[200], *low;
  const uint64_t bytes = extent(p, &low), off = (uintptr_t)low - d->base;
  if (d->kind == SIDE_REGISTERED || (d->kind == SIDE_PAGEABLE && simt_is_managed_place(low))) return 1;
  if (d->kind == SIDE_PAGEABLE || d->kind == SIDE_NULL || d->kind == SIDE_NOWHERE) {
    SimtFinding *f = report(c, SIMT_OOB_GLOBAL, SIMT_ERROR, d->kind == SIDE_PAGEABLE ? rule_host : rule_range);
    simt_describe_address(c->s, low, what, sizeof what);
    if (f) simt_detail(f, "%s %s %s at %s", c->name, way, p->name, what);
    return 0;
  }
  if (bytes <= d->bytes - off) return 1;
  SimtFinding *f = report(c, SIMT_OOB_GLOBAL, SIMT_ERROR, rule_range);
  if (!f) return 0;
  f->object = d->name;
  f->offset_bytes = (int64_t)off;
  simt_detail(f, "%s %s %s: %llu bytes at byte %llu of %s, which has %llu", c->name, way, p->name, (unsigned long long)bytes,
              (unsigned long long)off, d->name, (unsigned long long)d->bytes);
  return 0;
}

/* Elements without a gap from column col on: how many columns they are; from *at on, *n of them. */
static int64_t stretch(const BlasPart *p, int64_t col, char **at, int64_t *n) {
  int64_t first;
  if (p->shape == BLAS_FULL && (p->ld == p->rows || (p->rows == 1 && p->ld == -1))) {
    *n = (int64_t)(extent(p, at) / blas_bytes(p->type));
    return p->cols;
  }
  *n = rows_of(p, col, &first);
  *at = place(p, first, col);
  return 1;
}

static void check_written(BlasCall *c, const BlasUse *u) {
  const Slot *o = u->side.slot;
  uint64_t bad;
  if (!(c->s->run.detect & SIMT_DETECT_UNINIT) || u->side.kind != SIDE_DEVICE || o->flags & SIMT_BUF_INIT || o->lazy) return;
  char *p;
  for (int64_t k = 0, n; k < u->part.cols;) {
    k += stretch(&u->part, k, &p, &n);
    if (!n || !simt_unwritten(c->s, p, blas_bytes(u->part.type), (uint64_t)n, &bad)) continue;
    SimtFinding *f = report(c, SIMT_UNINIT_GLOBAL, SIMT_WARNING, rule_unwritten);
    if (!f) return;
    f->object = u->side.name;
    f->offset_bytes = (int64_t)((uintptr_t)p + bad * blas_bytes(u->part.type) - u->side.base);
    simt_detail(f, "%s reads %s at byte %lld of %s, where nobody has written", c->name, u->part.name, (long long)f->offset_bytes, f->object);
    return;
  }
}

/* Of a buffer that is larger than memory, the part has to be there. */
static int is_there(BlasCall *c, const BlasPart *p, const Side *d) {
  char *low;
  const uint64_t bytes = extent(p, &low);
  return !d->slot || !simt_side_touch(c->s, d, (uintptr_t)low - d->slot->base, bytes);
}

int blas_use(BlasCall *c, const BlasPart *p, unsigned how) {
  if (c->status) return 0;
  if (p->rows <= 0 || p->cols <= 0) return 1;
  char *low;
  extent(p, &low);
  BlasUse u = {*p, simt_side(c->s, low), how};
  if (!is_inside(c, p, &u.side, how & BLAS_WRITES ? "writes" : "reads") || !is_there(c, p, &u.side)) {
    c->status = CUBLAS_STATUS_EXECUTION_FAILED;
    return 0;
  }
  if (c->n == c->room) {
    size_t room = c->room ? 2 * c->room : 8;
    BlasUse *more = realloc(c->use, room * sizeof *more);
    if (!more) c->status = CUBLAS_STATUS_ALLOC_FAILED;
    if (!more) return 0;
    c->use = more;
    c->room = room;
  }
  if (how & BLAS_READS) check_written(c, &u);
  c->use[c->n++] = u;
  return 1;
}

/* ---- scalars ---- */

/* A place that the host is to read or write itself: 1: it can. A machine would stop here. */
static int is_for_host(BlasCall *c, const void *p, const char *way, const char *name) {
  const Side d = simt_side(c->s, p);
  if (d.kind != SIDE_DEVICE && d.kind != SIDE_NOWHERE && (d.kind != SIDE_PAGEABLE || simt_is_mapped((uintptr_t)p))) return 1;
  char what[200];
  SimtFinding *f = report(c, SIMT_OOB_GLOBAL, SIMT_ERROR, rule_host);
  simt_describe_address(c->s, p, what, sizeof what);
  if (f) simt_detail(f, way, c->name, name, what);
  c->status = CUBLAS_STATUS_EXECUTION_FAILED;
  return 0;
}

double blas_scalar(BlasCall *c, const char *name, const void *p, BlasType type) {
  if (c->status || !blas_require(c, p != NULL)) return 0;
  const BlasPart part = blas_matrix(name, p, type, 1, 1, 1);
  if (c->h->pointers == CUBLAS_POINTER_MODE_DEVICE) return blas_use(c, &part, BLAS_READS) ? blas_load(&part, 0, 0) : 0;
  if (!is_for_host(c, p, "%s takes %s from the host, and it is %s", name)) return 0;
  simt_host_access((void *)(uintptr_t)p, blas_bytes(type), 0, simt_place()); /* a kernel may be about to write it */
  return value_at(p, type);
}

int blas_result(BlasCall *c, const void *p, BlasType type) {
  if (c->status || !blas_require(c, p != NULL)) return 0;
  const BlasPart part = blas_matrix("the result", p, type, 1, 1, 1);
  if (c->h->pointers == CUBLAS_POINTER_MODE_DEVICE) return blas_use(c, &part, BLAS_WRITES);
  return is_for_host(c, p, "%s leaves %s on the host, and the place is %s", "its result");
}

void blas_give(BlasCall *c, void *p, BlasType type, double value) {
  c->host_waits = c->h->pointers == CUBLAS_POINTER_MODE_HOST;
  c->result = p;
  c->result_bytes = blas_bytes(type);
  c->s->in_engine = !c->host_waits; /* what the host's own address leads to is host code's business */
  leave_at(p, type, value);
  c->s->in_engine = 1;
}

/* ---- a call ---- */

int blas_begin(BlasCall *c, const char *name, cublasHandle_t h) {
  *c = (BlasCall){.name = name, .h = h};
  const cudaError_t e = simt_call_begin(&c->s);
  if (!blas_is_alive(c->s, name, h)) c->status = CUBLAS_STATUS_NOT_INITIALIZED;
  else if (e) c->status = CUBLAS_STATUS_EXECUTION_FAILED;
  else if ((c->stream = simt_stream_index(c->s, h->stream)) < 0) c->status = CUBLAS_STATUS_EXECUTION_FAILED;
  return !c->status;
}

int blas_require(BlasCall *c, int condition) {
  if (!c->status && !condition) c->status = CUBLAS_STATUS_INVALID_VALUE;
  return !c->status;
}

static void mark(const BlasUse *u, uint32_t seg, int writes) {
  const Slot *o = u->side.slot;
  char *p;
  for (int64_t k = 0, n; o && k < u->part.cols;) {
    k += stretch(&u->part, k, &p, &n);
    if (n) simt_mark_host(u->side.slot, (uintptr_t)p - o->base, (uint64_t)n * blas_bytes(u->part.type), seg, simt_place(), writes);
  }
}

int blas_issue(BlasCall *c) {
  if (c->status) return 0;
  c->s->in_engine = 1;
  simt_stream_issue(c->s, (unsigned)c->stream);
  c->issued = 1;
  const uint32_t seg = simt_host_segment(c->s, SIMT_HOST_BLAS);
  for (size_t i = 0; i < c->n; i++)
    if (c->use[i].how & BLAS_READS) mark(&c->use[i], seg, 0);
  for (size_t i = 0; i < c->n; i++)
    if (c->use[i].how & BLAS_WRITES) mark(&c->use[i], seg, 1);
  return 1;
}

cublasStatus_t blas_end(BlasCall *c) {
  if (c->issued) simt_stream_done(c->s, NULL);
  if (c->s) c->s->in_engine = 0;
  if (c->issued && c->host_waits) {
    simt_stream_synchronize(c->h->stream);
    simt_host_access(c->result, c->result_bytes, SIMT_HOST_WRITES, simt_place());
  }
  free(c->use);
  simt_call_end(c->s, cudaSuccess);
  return c->status;
}

cublasStatus_t blas_refuse(BlasCall *c, const char *what) {
  blas_end(c);
  simt_refused(what);
  return CUBLAS_STATUS_NOT_SUPPORTED;
}
