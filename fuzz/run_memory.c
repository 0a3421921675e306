/* run_memory.c - host arrays and device buffers of a case. */
#include "run_impl.h"
#include <stdlib.h>
#include <string.h>

/* What one large case needed is not kept for all the small ones behind it. */
void *wf_array_room(WfArray *a, size_t n, size_t elem_bytes) {
  enum { SMALL_BYTES = 1 << 20 };
  size_t bytes;
  if (__builtin_mul_overflow(n, elem_bytes, &bytes))
    return NULL;
  int is_wasteful = a->room_bytes > SMALL_BYTES && bytes < a->room_bytes / 4;
  if (bytes <= a->room_bytes && a->p && !is_wasteful)
    return a->p;
  free(a->p);
  a->p = malloc(bytes > 0 ? bytes : 1);
  a->room_bytes = a->p ? bytes : 0;
  return a->p;
}

void wf_array_free(WfArray *a) {
  free(a->p);
  *a = (WfArray){0};
}

static int tensor_memory(WfExec *x, int t) {
  if (wf_exec_slices(x, t))
    return wf_sparse_tensor(x, t);
  const WfTensorDesc *desc = &x->c->op->tensors[t];
  int64_t n = wf_case_elems(x->c, t);
  unsigned flags = desc->role == WF_IN || desc->start != WF_START_NOTHING ? SIMT_BUF_INIT : 0;
  size_t bytes;
  if (n < 0 || __builtin_mul_overflow((size_t)n, wf_exec_bytes(x, t, 1), &bytes))
    return -1;
  x->n_elems[t] = (size_t)n;
  if (desc->role == WF_IN) {
    float *host = wf_array_room(&x->runner->values[t], (size_t)n, sizeof(float));
    if (!host)
      return -1;
    wf_case_values(x->c, t, host);
    x->values[t] = host;
  }
  if (desc->role == WF_OUT && x->c->in_place)
    return 0; /* lies where an input does, once all have their place */
  return simt_alloc(x->runner->simt, desc->name, bytes, wf_exec_bytes(x, t, x->c->fill[t].base_offset_elems), flags,
                    &x->args.tensor[t]);
}

/* Not filled: to the engine it is memory that nobody wrote. */
static int scratch_memory(WfExec *x, const WfGeometry *g) {
  x->scratch_bytes = (size_t)g->scratch_bytes;
  if (!x->variant->scratch)
    return 0;
  return simt_alloc(x->runner->simt, "scratch", x->scratch_bytes, 0, 0, &x->args.scratch);
}

static int attempt_memory(WfExec *x) {
  WfRunner *r = x->runner;
  size_t n = x->n_elems[x->output];
  x->first.y = wf_array_room(&r->y[0], n, sizeof(float));
  x->second.y = wf_array_room(&r->y[1], n, sizeof(float));
  x->probe.y = wf_array_room(&r->y[2], n, sizeof(float));
  x->first.unwritten = wf_array_room(&r->unwritten[0], n, 1);
  x->second.unwritten = wf_array_room(&r->unwritten[1], n, 1);
  return x->first.y && x->second.y && x->probe.y && x->first.unwritten && x->second.unwritten ? 0 : -1;
}

void wf_exec_depth(WfExec *x, const WfGeometry *g) {
  const WfVars vars = {x->c->op, x->c->dim, g->grid, g->block, 0, NULL};
  if (!x->variant->depth || wf_expr_eval(x->variant->depth, &vars, &x->depth, NULL, 0) != 0 || x->depth < 1)
    x->depth = 0;
}

int wf_exec_memory(WfExec *x, const WfGeometry *g) {
  memcpy(x->args.dim, x->c->dim, sizeof x->args.dim);
  memcpy(x->args.scalar, x->c->scalar, sizeof x->args.scalar);
  memcpy(x->args.grid, g->grid, sizeof x->args.grid);
  memcpy(x->args.block, g->block, sizeof x->args.block);
  x->args.shared_bytes = g->shared_bytes;
  memcpy(x->dim, x->c->dim, sizeof x->dim);
  if (wf_sparse_begin(x, g) != 0)
    return -1;
  for (int t = 0; t < x->c->op->n_tensors; t++)
    if (tensor_memory(x, t) != 0)
      return -1;
  if (x->c->in_place)
    x->args.tensor[x->output] = x->args.tensor[x->c->in_place - 1];
  wf_exec_depth(x, g);
  if (scratch_memory(x, g) != 0)
    return -1;
  return attempt_memory(x);
}

void wf_ref_args(const WfExec *x, WfRefArgs *a) {
  a->dim = x->dim;
  a->slice = x->slice;
  a->in = x->values;
  a->scalar = x->c->scalar;
  a->masked = x->variant->masked;
  a->depth = x->depth;
  memcpy(a->dtype, x->c->dtype, sizeof a->dtype);
  a->stored = x->c->dtype[x->output];
  a->arith = x->variant->arith;
  a->variant_flags = x->variant->flags | (x->variant->flavor == WF_FASTMATH || x->flavor == WF_GPU_FASTMATH ? WF_FAST_MATH : 0);
}

int wf_exec_reference(WfExec *x) {
  size_t n = x->n_elems[x->output];
  WfRefArgs a;
  if (x->have_ref)
    return 0;
  x->ref = wf_array_room(&x->runner->ref, n, sizeof(double));
  x->bound = wf_array_room(&x->runner->bound, n, sizeof(double));
  if (!x->ref || !x->bound)
    return -1;
  wf_ref_args(x, &a);
  if (x->c->op->reference(&a, x->ref, x->bound) != 0)
    return -1;
  x->have_ref = 1;
  return 0;
}

void wf_exec_bad_init(const WfExec *x, WfBadSet *b, int tensor) {
  wf_bad_init(b, x->c->op, tensor, x->dim);
  b->slice = wf_exec_slices(x, tensor);
  b->dtype = x->c->dtype[tensor];
}

void wf_fill_pattern(void *p, size_t n_bytes, uint32_t pattern) {
  size_t rest = n_bytes % sizeof pattern, whole = n_bytes - rest;
  for (size_t at = 0; at < whole; at += sizeof pattern)
    memcpy((char *)p + at, &pattern, sizeof pattern);
  if (rest > 0)
    memcpy((char *)p + whole, &pattern, rest);
}

void wf_exec_restore(WfExec *x, uint32_t pattern) {
  wf_fill_pattern(x->args.scratch, x->scratch_bytes / sizeof pattern * sizeof pattern, pattern);
  for (int t = 0; t < x->c->op->n_tensors; t++) {
    unsigned char *device = x->args.tensor[t];
    if (wf_sparse_restore(x, t, pattern))
      continue;
    if (x->values[t])
      wf_dtype_store(x->c->dtype[t], device, x->values[t], x->n_elems[t]);
    else if (!x->c->in_place)
      wf_fill_pattern(device, wf_exec_bytes(x, t, x->n_elems[t]), wf_start_bits(x->variant, x->c->op, t, pattern));
  }
}
