/* case_order.c - the order of cases, most telling part first. */
#include "case_order.h"
#include <stdlib.h>
#include <string.h>

typedef struct Measure {
  uint64_t elems, threads, blocks, align, parameters;
} Measure;

int wf_dist_rank(WfDist d) {
  static const int rank[WF_DIST_COUNT] = {
      [WF_DIST_CONSTANT] = 0, [WF_DIST_RAMP] = 1, [WF_DIST_INTEGERS] = 2, [WF_DIST_DISTINCT] = 3, [WF_DIST_UNIFORM] = 4, [WF_DIST_NORMAL] = 5,
      [WF_DIST_HASH] = 6,     [WF_DIST_MEAN] = 7, [WF_DIST_HUGE] = 8,     [WF_DIST_MIXED] = 9,    [WF_DIST_DENORMAL] = 10};
  return rank[d];
}

static int compare_u64(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

/* UINT64_MAX where it is more. */
static uint64_t times(uint64_t a, uint64_t b) {
  uint64_t product;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static uint64_t volume(const uint32_t e[3]) { return times(times(e[0], e[1]), e[2]); }

/* Parameters that a file must name. */
static uint64_t named_parameters(const WfFill *f) {
  double offset = f->dist == WF_DIST_MEAN ? 1000 : 0;
  return (uint64_t)(f->seed != 0) + (f->scale != 1) + (f->offset != offset);
}

/* 1; 0: the case has no launch. */
static int measure(const WfCase *c, const WfVariant *v, Measure *out) {
  WfGeometry g;
  *out = (Measure){0};
  if (!wf_case_launch(c, v, &g, NULL, 0))
    return 0;
  for (int t = 0; t < c->op->n_tensors; t++) {
    out->elems += (uint64_t)wf_case_elems(c, t);
    out->align += c->fill[t].base_offset_elems;
    if (c->op->tensors[t].role == WF_IN)
      out->parameters += named_parameters(&c->fill[t]);
  }
  out->blocks = volume(g.grid);
  out->threads = times(out->blocks, volume(g.block));
  return 1;
}

static int compare_dims(const WfCase *a, const WfCase *b) {
  int order = 0;
  for (int i = 0; order == 0 && i < a->op->n_dims; i++)
    order = (a->dim[i] > b->dim[i]) - (a->dim[i] < b->dim[i]);
  return order;
}

static int compare_dists(const WfCase *a, const WfCase *b) {
  int order = 0;
  for (int t = 0; order == 0 && t < a->op->n_tensors; t++)
    if (a->op->tensors[t].role == WF_IN)
      order = wf_dist_rank(a->fill[t].dist) - wf_dist_rank(b->fill[t].dist);
  return order;
}

static char *plain_text(const WfCase *c) {
  WfCase plain = *c;
  plain.variant = NULL;
  plain.expect = 0;
  return wf_case_print(&plain);
}

static int compare_texts(const WfCase *a, const WfCase *b) {
  char *x = plain_text(a), *y = plain_text(b);
  int order = x && y ? compare_u64(strlen(x), strlen(y)) : 0;
  if (x && y && order == 0)
    order = strcmp(x, y);
  free(x);
  free(y);
  return order;
}

int wf_case_compare(const WfCase *a, const WfCase *b, const WfVariant *v) {
  Measure x, y;
  int has_x = measure(a, v, &x), has_y = measure(b, v, &y), order = has_y - has_x;
  if (order == 0)
    order = compare_u64(x.elems, y.elems);
  if (order == 0)
    order = compare_u64(x.threads, y.threads);
  if (order == 0)
    order = compare_u64(a->n_edits, b->n_edits);
  if (order == 0)
    order = compare_dims(a, b);
  if (order == 0)
    order = compare_u64(x.blocks, y.blocks);
  if (order == 0)
    order = compare_u64(a->schedule, b->schedule);
  if (order == 0)
    order = (a->in_place != 0) - (b->in_place != 0);
  if (order == 0)
    order = compare_dists(a, b);
  if (order == 0)
    order = compare_u64(x.align, y.align);
  if (order == 0)
    order = compare_u64(x.parameters, y.parameters);
  return order ? order : compare_texts(a, b);
}
