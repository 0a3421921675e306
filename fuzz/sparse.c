/* sparse.c - which blocks of a case run that is too large to run as a whole. */
#include "sparse.h"
#include "arith.h"
#include "../simt/simt.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

enum { RANDOM_BLOCKS = 3 };

typedef struct Plan {
  const WfCase *c;
  const WfVariant *v;
  const WfGeometry *g;
  WfSparse *out;
  char *why;
  size_t why_size;
} Plan;

/* 0, after writing the reason: callers return it. */
__attribute__((format(printf, 2, 3))) static int no(const Plan *p, const char *format, ...) {
  va_list args;
  if (p->why && p->why_size) {
    va_start(args, format);
    vsnprintf(p->why, p->why_size, format, args);
    va_end(args);
  }
  return 0;
}

static int64_t largest_tensor(const WfCase *c) {
  int64_t most = 0;
  for (int t = 0; t < c->op->n_tensors; t++) {
    int64_t n = wf_case_elems(c, t);
    if (n < 0 || n > most)
      most = n < 0 ? INT64_MAX : n;
  }
  return most;
}

int wf_case_is_large(const WfCase *c, const WfGeometry *g) {
  return largest_tensor(c) > ARBITRARY_WHOLE_ELEMS || wf_geometry_blocks(g) > ARBITRARY_WHOLE_BLOCKS;
}

int64_t wf_case_slice(const WfCase *c, int tensor) {
  const WfTensorDesc *t = &c->op->tensors[tensor];
  if (t->dim[0] != 0)
    return 0;
  return t->rank == 2 ? wf_extent(t, 1, c->dim) : 1;
}

static int64_t output_slice(const WfCase *c) {
  for (int t = 0; t < c->op->n_tensors; t++)
    if (c->op->tensors[t].role == WF_OUT)
      return wf_case_slice(c, t);
  return 0;
}

/* ---- what has room ---- */

static int tensors_have_room(const Plan *p) {
  const int64_t room = (int64_t)(simt_largest_buffer() / sizeof(float));
  for (int i = 0; i < p->c->op->n_dims; i++)
    if (p->c->dim[i] > INT32_MAX)
      return no(p, "%s is %" PRId64 ", and launch statements have it as an int", p->c->op->dims[i].name, p->c->dim[i]);
  for (int t = 0; t < p->c->op->n_tensors; t++) {
    int64_t n = wf_case_elems(p->c, t);
    if (n > room)
      return no(p, "the tensor %s has %" PRId64 " elements, and there is room for %" PRId64, p->c->op->tensors[t].name, n, room);
    if (!wf_case_slice(p->c, t) && n > ARBITRARY_WHOLE_ELEMS)
      return no(p, "the tensor %s has %" PRId64 " elements, and a block may need them all", p->c->op->tensors[t].name, n);
  }
  if (p->g->scratch_bytes > (uint64_t)ARBITRARY_WHOLE_ELEMS * sizeof(float))
    return no(p, "%" PRIu64 " bytes of scratch memory are too many", p->g->scratch_bytes);
  return 1;
}

static int contract_tells(const Plan *p) {
  if (p->c->op->slices_independent && p->v->owns && p->v->flags & WF_BLOCKS_INDEPENDENT && output_slice(p->c))
    return 1;
  int64_t n = largest_tensor(p->c);
  if (n > ARBITRARY_WHOLE_ELEMS)
    return no(p, "too large to run as a whole, %" PRId64 " elements, and the contract does not say what a block owns", n);
  return no(p, "too large to run as a whole, %" PRIu64 " blocks, and the contract does not say what a block owns",
            wf_geometry_blocks(p->g));
}

/* ---- which blocks ---- */

/* Adds a block that is not there yet, and what it owns. 0; -1: the contract's text does not say. */
static int add(const Plan *p, uint64_t b) {
  WfSparse *s = p->out;
  WfOwned o;
  for (size_t i = 0; i < s->n_blocks; i++)
    if (s->block[i] == b)
      return 0;
  if (s->n_blocks == WF_SPARSE_BLOCKS || wf_owns_eval(p->v->owns, p->c, p->g, b, &o, p->why, p->why_size))
    return -1;
  s->block[s->n_blocks++] = b;
  s->n_slices += wf_owned_count(&o);
  s->n_runs += wf_owned_runs(&o);
  return 0;
}

/* The owners of the slice that holds an element, and of both its neighbours: an index that wraps around there lands in a slice of
 * a block that runs for the one, of a block that does not run for the other. */
static int add_around(const Plan *p, int64_t element) {
  int64_t middle = element / output_slice(p->c);
  for (int64_t slice = middle - 1; slice <= middle + 1; slice++) {
    uint64_t b;
    if (slice < 0 || slice >= p->c->dim[0] || wf_owns_find(p->v->owns, p->c, p->g, slice, &b))
      continue;
    if (add(p, b))
      return -1;
  }
  return 0;
}

static int64_t elems_of(const WfCase *c, int64_t n_slices) {
  int64_t slice = 0, n;
  for (int t = 0; t < c->op->n_tensors; t++)
    slice = wf_case_slice(c, t) > slice ? wf_case_slice(c, t) : slice;
  return __builtin_mul_overflow(slice, n_slices, &n) ? INT64_MAX : n;
}

static int fits(const WfCase *c, int64_t n_slices) {
  return n_slices <= ARBITRARY_SPARSE_SLICES && elems_of(c, n_slices) <= ARBITRARY_SPARSE_ELEMS;
}

static uint64_t seed_of(const WfCase *c) {
  uint64_t state = c->schedule;
  for (int i = 0; i < c->op->n_dims; i++)
    state ^= wf_split_mix(&state) + (uint64_t)c->dim[i];
  return wf_split_mix(&state);
}

/* As far as they fit. */
static int add_some(const Plan *p) {
  uint64_t state = seed_of(p->c), n = wf_geometry_blocks(p->g);
  for (int i = 0; i < RANDOM_BLOCKS; i++) {
    WfSparse before = *p->out;
    if (add(p, wf_split_mix(&state) % n))
      return -1;
    if (!fits(p->c, p->out->n_slices))
      *p->out = before;
  }
  return 0;
}

static int choose(const Plan *p) {
  uint64_t n = wf_geometry_blocks(p->g);
  if (n <= WF_SPARSE_BLOCKS) {
    for (uint64_t b = 0; b < n; b++)
      if (add(p, b))
        return -1;
    return 0;
  }
  if (add(p, 0) || add(p, n - 1) || add_around(p, (int64_t)1 << 31) || add_around(p, (int64_t)1 << 32))
    return -1;
  return fits(p->c, p->out->n_slices) ? add_some(p) : 0;
}

static int by_number(const void *a, const void *b) {
  const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

int wf_sparse_plan(const WfCase *c, const WfVariant *v, const WfGeometry *g, WfSparse *out, char *why, size_t why_size) {
  Plan p = {c, v, g, out, why, why_size};
  *out = (WfSparse){0};
  if (!contract_tells(&p) || !tensors_have_room(&p))
    return 0;
  if (wf_geometry_blocks(g) == 0)
    return 1; /* the device refuses that, which is what the case shows */
  if (choose(&p))
    return 0;
  out->n_elems = elems_of(c, out->n_slices);
  if (!fits(c, out->n_slices))
    return no(&p, "too large to run as a whole, and the %zu blocks to run own %" PRId64 " %s, %" PRId64 " elements, more than %d or %d",
              out->n_blocks, out->n_slices, c->op->dims[0].name, out->n_elems, ARBITRARY_SPARSE_SLICES, ARBITRARY_SPARSE_ELEMS);
  qsort(out->block, out->n_blocks, sizeof *out->block, by_number);
  return 1;
}

size_t wf_sparse_slices(const WfCase *c, const WfVariant *v, const WfGeometry *g, const WfSparse *s, int64_t *out) {
  size_t n = 0, kept = 0;
  for (size_t i = 0; i < s->n_blocks; i++) {
    WfOwned o;
    if (wf_owns_eval(v->owns, c, g, s->block[i], &o, NULL, 0))
      continue;
    for (int64_t from = o.first; from < o.end; from += o.step)
      for (int64_t k = from; k < o.end && k < from + o.width && n < (size_t)s->n_slices; k++)
        out[n++] = k;
  }
  qsort(out, n, sizeof *out, by_number);
  for (size_t i = 0; i < n; i++)
    if (i == 0 || out[i] != out[i - 1])
      out[kept++] = out[i];
  return kept;
}

int wf_sparse_has(const int64_t *list, size_t n, int64_t slice) { return bsearch(&slice, list, n, sizeof *list, by_number) != NULL; }
