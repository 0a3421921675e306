/* run_sparse.c - a case of which only some blocks run: tensors lie in lazy buffers, the host's arrays hold the slices that these
 * blocks own, one after the other, and what was touched beyond them is looked at where it was touched. */
#include "run_impl.h"
#include <string.h>

enum { MOST_CHUNK_ELEMS = SIMT_CHUNK_BYTES / 2 };

static int is_sliced(const WfExec *x, int t) { return x->slice && wf_case_slice(x->c, t) > 0; }

const int64_t *wf_exec_slices(const WfExec *x, int t) { return is_sliced(x, t) ? x->slice : NULL; }

size_t wf_exec_stretch(const WfExec *x, int t, size_t at, size_t *device) {
  *device = at;
  if (!is_sliced(x, t))
    return x->n_elems[t] - at;
  size_t elems = (size_t)wf_case_slice(x->c, t), i = at / elems, last = i;
  *device = (size_t)x->slice[i] * elems + at % elems;
  while (last + 1 < x->n_slices && x->slice[last + 1] == x->slice[last] + 1)
    last++;
  return (last + 1) * elems - at;
}

/* ---- memory ---- */

/* Called by the engine, on a kernel's stack. */
static void fill(void *ctx, uint64_t offset_bytes, uint64_t bytes, void *to) {
  const WfLazyTensor *l = ctx;
  const WfDtype type = l->c->dtype[l->tensor];
  size_t n = bytes / wf_dtype_bytes(type);
  float values[MOST_CHUNK_ELEMS];
  if (!l->is_input) {
    wf_fill_pattern(to, bytes, wf_dtype_pattern(type, l->pattern));
    return;
  }
  wf_case_values_at(l->c, l->tensor, (int64_t)(offset_bytes / wf_dtype_bytes(type)), (int64_t)n, values);
  wf_dtype_store(type, to, values, n);
}

static int slices(WfExec *x, const WfGeometry *g) {
  int64_t *list = wf_array_room(&x->runner->slices, (size_t)x->plan.n_slices, sizeof *list);
  if (!list)
    return -1;
  x->slice = list;
  x->n_slices = wf_sparse_slices(x->c, x->variant, g, &x->plan, list);
  x->dim[0] = (int64_t)x->n_slices;
  return 0;
}

static int lazy_tensor(WfExec *x, int t) {
  const WfTensorDesc *desc = &x->c->op->tensors[t];
  WfLazyTensor *l = &x->lazy[t];
  *l = (WfLazyTensor){x->c, t, desc->role == WF_IN, 0};
  x->n_elems[t] = x->n_slices * (size_t)wf_case_slice(x->c, t);
  SimtLazyBuffer b = {.name = desc->name,
                      .bytes = wf_exec_bytes(x, t, (size_t)wf_case_elems(x->c, t)),
                      .base_offset_bytes = wf_exec_bytes(x, t, x->c->fill[t].base_offset_elems),
                      .expected_bytes = wf_exec_bytes(x, t, x->n_elems[t]),
                      .flags = l->is_input ? SIMT_BUF_INIT : 0,
                      .fill = fill,
                      .ctx = l};
  return simt_alloc_lazy(x->runner->simt, &b, &x->args.tensor[t]);
}

static int host_values(WfExec *x, int t) {
  float *host = wf_array_room(&x->runner->values[t], x->n_elems[t], sizeof(float));
  if (!host)
    return -1;
  for (size_t at = 0, n, device; at < x->n_elems[t]; at += n) {
    n = wf_exec_stretch(x, t, at, &device);
    wf_case_values_at(x->c, t, (int64_t)device, (int64_t)n, host + at);
  }
  x->values[t] = host;
  return 0;
}

int wf_sparse_host(WfExec *x, int t) {
  int64_t slice = wf_case_slice(x->c, t), n = slice > 0 ? (int64_t)x->n_slices * slice : wf_case_elems(x->c, t);
  x->n_elems[t] = (size_t)n;
  return x->c->op->tensors[t].role == WF_IN ? host_values(x, t) : 0;
}

int wf_sparse_tensor(WfExec *x, int t) {
  if (lazy_tensor(x, t) != 0)
    return -1;
  return x->lazy[t].is_input ? host_values(x, t) : 0;
}

int wf_sparse_begin(WfExec *x, const WfGeometry *g) {
  int wanted = wf_case_is_large(x->c, g) || (x->opt->some_blocks && !x->c->in_place);
  if (!wanted || !wf_sparse_plan(x->c, x->variant, g, &x->plan, NULL, 0))
    return 0; /* it was admitted: it can be run as a whole */
  return slices(x, g);
}

/* Inputs of a relation differ from the case's in slices that are judged. */
static int write_values(WfExec *x, int t) {
  for (size_t at = 0, n, device; at < x->n_elems[t]; at += n) {
    n = wf_exec_stretch(x, t, at, &device);
    void *to = wf_exec_element(x, t, device);
    if (simt_touch(x->runner->simt, to, wf_exec_bytes(x, t, n)) != 0)
      return -1;
    wf_dtype_store(x->c->dtype[t], to, x->values[t] + at, n);
  }
  return 0;
}

int wf_sparse_restore(WfExec *x, int t, uint32_t pattern) {
  if (!is_sliced(x, t))
    return 0;
  x->lazy[t].pattern = pattern;
  simt_refresh(x->runner->simt, x->args.tensor[t]);
  if (x->values[t] && x->values[t] != x->runner->values[t].p)
    write_values(x, t); /* fits: plans are smaller than what may be touched */
  return 1;
}

void wf_exec_fetch(WfExec *x, float *y) {
  for (size_t at = 0, n, device; at < x->n_elems[x->output]; at += n) {
    n = wf_exec_stretch(x, x->output, at, &device);
    void *from = wf_exec_element(x, x->output, device);
    if (is_sliced(x, x->output))
      simt_touch(x->runner->simt, from, wf_exec_bytes(x, x->output, n)); /* where that fails nobody has written, and nothing is compared */
    wf_dtype_load(x->c->dtype[x->output], y + at, from, n);
  }
}

/* ---- what was touched ---- */

/* Element at which the chunk begins, and how many it has. */
static size_t chunk_elems(const WfExec *x, int t, uint64_t offset_bytes, size_t *first) {
  size_t all = (size_t)wf_case_elems(x->c, t);
  size_t most = SIMT_CHUNK_BYTES / wf_dtype_bytes(x->c->dtype[t]);
  *first = offset_bytes / wf_dtype_bytes(x->c->dtype[t]);
  return all - *first < most ? all - *first : most;
}

int wf_sparse_changed(WfExec *x, int t, WfBadSet *bad) {
  float was[MOST_CHUNK_ELEMS], now[MOST_CHUNK_ELEMS];
  size_t n_chunks, first;
  if (!is_sliced(x, t))
    return 0;
  const uint64_t *chunk = simt_touched(x->runner->simt, x->args.tensor[t], &n_chunks);
  wf_bad_init(bad, x->c->op, t, x->c->dim);
  for (size_t k = 0; k < n_chunks; k++) {
    size_t n = chunk_elems(x, t, chunk[k], &first);
    wf_case_values_at(x->c, t, (int64_t)first, (int64_t)n, was);
    wf_dtype_load(x->c->dtype[t], now, wf_exec_element(x, t, first), n);
    if (memcmp(was, now, n * sizeof *was) == 0)
      continue;
    for (size_t i = 0; i < n; i++)
      if (memcmp(&was[i], &now[i], sizeof *was) != 0)
        wf_bad_mark(bad, (int64_t)(first + i));
  }
  return 1;
}

/* The block that owns the element was left out; it writes the element as well, and nothing orders the two. */
static void report_foreign(WfExec *x, int64_t index) {
  char where[WF_ELEMENT_TEXT];
  WfBadSet shape;
  WfFinding f;
  wf_bad_init(&shape, x->c->op, x->output, x->c->dim);
  memset(&f, 0, sizeof f);
  f.op = x->c->op;
  f.variant = x->variant;
  SimtFinding *s = &f.simt;
  simt_last_write(x->runner->simt, wf_exec_element(x, x->output, (size_t)index), &s->here);
  s->cls = SIMT_RACE_GLOBAL;
  s->severity = SIMT_ERROR;
  s->kernel = s->other.access = "";
  if (!s->here.access)
    s->here.access = "write";
  s->object = x->c->op->tensors[x->output].name;
  s->size_bytes = wf_dtype_bytes(x->c->dtype[x->output]);
  s->offset_bytes = index * (int64_t)s->size_bytes;
  s->count = 1;
  s->rule = "each block writes the part of the output that it owns by the contract, and no other: whoever owns an element "
            "writes it too, without order (PTX ISA, Memory Consistency Model, Data Races)";
  wf_element_index(&shape, index, s->element, sizeof s->element);
  snprintf(s->detail, sizeof s->detail, "block %u writes %s, which another block owns (%.60s)", s->here.block[0],
           wf_element_text(&shape, index, where), x->variant->owns);
  wf_verdict_add(x->out, &f);
}

/* Elements first .. first + n - 1 of a slice that no block that ran owns. */
static void check_foreign(WfExec *x, size_t first, size_t n) {
  Simt *s = x->runner->simt;
  const size_t elem_bytes = wf_exec_bytes(x, x->output, 1);
  uint64_t at;
  if (simt_unwritten(s, wf_exec_element(x, x->output, first), elem_bytes, n, &at) == n)
    return;
  for (size_t i = first; i < first + n; i++)
    if (simt_unwritten(s, wf_exec_element(x, x->output, i), elem_bytes, 1, &at) == 0)
      report_foreign(x, (int64_t)i);
}

void wf_check_ownership(WfExec *x) {
  size_t n_chunks, first;
  if (!is_sliced(x, x->output) || x->out->errors >> SIMT_INT_OVERFLOW & 1)
    return; /* where an index led that had wrapped is a consequence */
  size_t elems = (size_t)wf_case_slice(x->c, x->output);
  const uint64_t *chunk = simt_touched(x->runner->simt, x->args.tensor[x->output], &n_chunks);
  for (size_t k = 0; k < n_chunks; k++) {
    size_t end = chunk_elems(x, x->output, chunk[k], &first);
    end += first;
    for (size_t i = first, next; i < end; i = next) {
      next = (i / elems + 1) * elems < end ? (i / elems + 1) * elems : end;
      if (!wf_sparse_has(x->slice, x->n_slices, (int64_t)(i / elems)))
        check_foreign(x, i, next - i);
    }
  }
}
