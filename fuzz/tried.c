/* tried.c - counts what was tried of a variant. */
#include "tried.h"
#include <math.h>

int wf_tried_bin(int64_t v) {
  int bin = v > 0 ? 64 - __builtin_clzll((unsigned long long)v) : 0;
  return bin < WF_TRIED_BINS ? bin : WF_TRIED_BINS - 1;
}

/* Rows by columns, for each pair of dims that follow each other; then the last dim but of filters by the block. -1: the block. */
static int axes_of(const WfOp *op, int x[WF_TRIED_MAPS], int y[WF_TRIED_MAPS]) {
  int n = 0;
  for (int i = 1; i < op->n_dims && n < WF_TRIED_MAPS - 1; i++) {
    x[n] = i;
    y[n++] = i - 1;
  }
  x[n] = -1;
  y[n++] = op->n_dims > 1 ? 1 : 0;
  return n;
}

int wf_tried_axes(const WfOp *op, const char *x[WF_TRIED_MAPS], const char *y[WF_TRIED_MAPS]) {
  int at_x[WF_TRIED_MAPS], at_y[WF_TRIED_MAPS], n = axes_of(op, at_x, at_y);
  for (int i = 0; i < n; i++) {
    x[i] = at_x[i] < 0 ? "block" : op->dims[at_x[i]].name;
    y[i] = op->dims[at_y[i]].name;
  }
  return n;
}

/* As it was launched, or else as the case has it. */
static int64_t threads_of(const WfCase *c, const SimtStats *s) {
  if (s->launches == 1 && s->blocks) return (int64_t)(s->threads / s->blocks);
  return (int64_t)c->block[0] * c->block[1] * c->block[2];
}

static int output_of(const WfOp *op) {
  for (int i = 0; i < op->n_tensors; i++)
    if (op->tensors[i].role == WF_OUT) return i;
  return 0;
}

static void take_error(WfTriedError *e, const WfCase *c, const WfVerdict *v) {
  if (!v->has_worst) return;
  if (v->worst_share > e->share) e->share = v->worst_share;
  if (e->key && v->worst_ulp <= e->ulp) return;
  e->ulp = v->worst_ulp;
  e->key = wf_case_key(c); /* rare */
}

void wf_tried_take(WfTried *t, const WfCase *c, const WfVerdict *v, uint64_t elapsed_ns) {
  int x[WF_TRIED_MAPS], y[WF_TRIED_MAPS], n = axes_of(c->op, x, y);
  if (v->outside[0]) return;
  t->n++;
  t->elapsed_ns += elapsed_ns;
  for (int i = 0; i < n; i++) {
    int bin_x = wf_tried_bin(x[i] < 0 ? threads_of(c, &v->stats) : c->dim[x[i]]), bin_y = wf_tried_bin(c->dim[y[i]]);
    t->map[i].tried[bin_x][bin_y]++;
    t->map[i].failing[bin_x][bin_y] += v->errors != 0;
  }
  take_error(&t->error[wf_tried_bin(wf_case_elems(c, output_of(c->op)))], c, v);
}
