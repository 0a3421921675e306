/* run_relations.c - what further runs of a case that is right so far can show: the relations of its op, and a repeat. */
#include "number.h"
#include "run_impl.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* Of so many cases one gets each check, when not all are asked for. What it costs is in doc/ORACLE.md. */
#define ARBITRARY_PERIOD 16

/* ---- which cases ---- */

static uint64_t mix(uint64_t h, uint64_t v) {
  h = (h ^ v) * 0x9e3779b97f4a7c15u;
  return h ^ (h >> 29);
}

static uint64_t bits_of(double d) {
  uint64_t u;
  memcpy(&u, &d, sizeof u);
  return u;
}

/* Of all that decides what runs; cheaper than wf_case_key(), which prints the case. */
static uint64_t case_hash(const WfCase *c) {
  uint64_t h = c->schedule;
  for (int i = 0; i < c->op->n_dims; i++)
    h = mix(h, (uint64_t)c->dim[i]);
  for (int i = 0; i < 3; i++)
    h = mix(h, (uint64_t)c->grid[i] << 32 | c->block[i]);
  h = c->in_place ? mix(h, c->in_place) : h;
  for (int t = 0; t < c->op->n_tensors; t++) {
    const WfFill *f = &c->fill[t];
    h = mix(mix(mix(mix(h, f->seed), bits_of(f->scale)), bits_of(f->offset)), (uint64_t)f->dist << 32 | f->base_offset_elems);
  }
  for (uint32_t i = 0; i < c->n_edits; i++)
    h = mix(mix(h, bits_of(c->edits[i].value)), (uint64_t)c->edits[i].sel[0].first);
  return mix(h, c->n_edits);
}

/* ---- relations ---- */

/* The arrays of one relation, over the runner's. */
typedef struct Change {
  float *in[WF_MAX_TENSORS]; /* NULL at the output */
  double factor;      /* of the changed output */
  int64_t *at;
  float *y;           /* the changed output, in the order of the first */
  double *ref, *bound; /* what it is compared with, and how near it must come */
  double *changed_bound; /* of the changed inputs, in their order */
} Change;

static float *copy_of(WfExec *x, int t) {
  float *copy = wf_array_room(&x->runner->changed[t], x->n_elems[t], sizeof *copy);
  if (copy && x->n_elems[t] > 0)
    memcpy(copy, x->values[t], x->n_elems[t] * sizeof *copy);
  return copy;
}

static int change_memory(WfExec *x, Change *c) {
  WfRunner *r = x->runner;
  size_t n = x->n_elems[x->output];
  int good = 1;
  memset(c, 0, sizeof *c);
  for (int t = 0; t < x->c->op->n_tensors; t++)
    if (x->values[t])
      good &= (c->in[t] = copy_of(x, t)) != NULL;
  c->at = wf_array_room(&r->at, n, sizeof *c->at);
  c->y = wf_array_room(&r->moved, n, sizeof *c->y);
  c->ref = wf_array_room(&r->moved_ref, n, sizeof *c->ref);
  c->bound = wf_array_room(&r->moved_bound, n, sizeof *c->bound);
  c->changed_bound = wf_array_room(&r->changed_bound, n, sizeof *c->changed_bound);
  return good && c->at && c->y && c->ref && c->bound && c->changed_bound ? 0 : -1;
}

/* The first attempt again, over the changed inputs. 1: it came to its end; 0; -1: a device failed. */
static int attempt_changed(WfExec *x, const Change *c) {
  const float *values[WF_MAX_TENSORS];
  memcpy(values, x->values, sizeof values);
  for (int t = 0; t < x->c->op->n_tensors; t++)
    if (c->in[t])
      x->values[t] = c->in[t];
  int rc = 1;
  if (x->again) {
    rc = x->again(x);
  } else {
    x->probe.run = x->first.run;
    x->probe.pattern = x->first.pattern;
    x->probe.n_unwritten = 0;
    wf_exec_attempt(x, &x->probe);
    rc = !x->probe.stats.abandoned;
  }
  memcpy(x->values, values, sizeof values);
  return rc;
}

/* 0 where it means nothing: the class decides there. */
static double tolerance(const WfExec *x, double ref) {
  return isfinite(ref) ? x->opt->rtol * fabs(ref) + x->opt->atol : 0;
}

/* Both outputs, the first one multiplied by the factor, lie within their bounds of the same value, so they are at most the sum
 * apart. Not where the first one overflows: a smaller one need not. */
static void compare_element(const WfExec *x, Change *c, size_t i) {
  double first = (double)x->first.y[i], ref = x->ref[i], size = fabs(c->factor);
  int64_t at = c->at[i];
  c->y[i] = at >= 0 ? x->probe.y[at] : NAN;
  c->ref[i] = at >= 0 ? c->factor * first : NAN;
  WfDtype type = x->c->dtype[x->output];
  if (at < 0 || ((c->factor != 1 || type != WF_F32) && isinf(first) && isfinite(ref)))
    c->bound[i] = INFINITY;
  else
    c->bound[i] = size * (x->bound[i] + tolerance(x, ref) + wf_dtype_rounding(type, first)) + c->changed_bound[at] +
                  tolerance(x, c->factor * ref) + wf_dtype_rounding(type, (double)c->y[i]);
}

static int compare_with_first(const WfExec *x, const WfRefArgs *a, Change *c) {
  const float *changed[WF_MAX_TENSORS] = {NULL};
  WfRefArgs b = *a;
  for (int t = 0; t < x->c->op->n_tensors; t++)
    changed[t] = c->in[t];
  b.in = changed;
  if (x->c->op->reference(&b, c->ref, c->changed_bound) != 0)
    return -1;
  for (size_t i = 0; i < x->n_elems[x->output]; i++)
    compare_element(x, c, i);
  return 0;
}

static void judge_change(WfExec *x, const WfRelation *r, const Change *c) {
  WfJudge j = {.op = x->c->op,
               .variant = x->variant,
               .dim = x->dim,
               .slice = wf_exec_slices(x, x->output),
               .y = c->y,
               .ref = c->ref,
               .bound = c->bound,
               .n_elems = (int64_t)x->n_elems[x->output],
               .dtype = x->c->dtype[x->output],
               .change = r->change,
               .rule = r->rule,
               .device = x->device,
               .build = x->build};
  wf_judge(&j, x->out);
}

/* Other bits within the bound: a warning, for an algorithm may choose its way by what its warp or block sees. */
static void compare_bits(WfExec *x, const WfRelation *r, const Change *c) {
  char where[WF_ELEMENT_TEXT];
  WfBadSet bad;
  WfFinding f;
  wf_exec_bad_init(x, &bad, x->output);
  for (size_t i = 0; i < x->n_elems[x->output]; i++)
    if (c->at[i] >= 0 && !(isnan(c->y[i]) && isnan(x->first.y[i])) && memcmp(&c->y[i], &x->first.y[i], sizeof(float)) != 0)
      wf_bad_mark(&bad, (int64_t)i);
  if (bad.count == 0)
    return;
  wf_bad_finding(&f, &bad, SIMT_WRONG_RESULT, r->rule, x->first.y[bad.first], c->y[bad.first]);
  f.simt.severity = SIMT_WARNING;
  f.variant = x->variant;
  f.device = x->device;
  f.build = x->build;
  f.bound = c->bound[bad.first];
  snprintf(f.simt.detail, sizeof f.simt.detail, "with %.60s, %s has other bits, within the bound", r->change,
           wf_element_text(&bad, bad.first, where));
  wf_verdict_add(x->out, &f);
}

/* Beyond which no input's type has a number, nor the contract wants one. */
static double largest_value(const WfExec *x) {
  double limit = x->variant->values > 0 ? x->variant->values : FLT_MAX;
  for (int t = 0; t < x->c->op->n_tensors; t++)
    if (x->values[t])
      limit = fmin(limit, wf_dtype_max(x->c->dtype[t]));
  return limit;
}

/* A sum or a product that is exact as a float need not be a number of a 16-bit type. */
static int types_hold(const WfExec *x, const Change *c) {
  for (int t = 0; t < x->c->op->n_tensors; t++)
    if (c->in[t] && !wf_dtype_holds(x->c->dtype[t], c->in[t], x->n_elems[t]))
      return 0;
  return 1;
}

/* What the engine sees in the changed run is left to cases of its own: a report could not show its input. */
static int check_relation(WfExec *x, const WfRelation *r, uint64_t seed) {
  Change c;
  WfRefArgs a;
  if (change_memory(x, &c) != 0)
    return -1;
  wf_ref_args(x, &a);
  double limit = largest_value(x);
  c.factor = r->factor ? r->factor(&a, limit, seed) : 1;
  if (c.factor == 0 || !r->apply(&a, limit, seed, c.in, c.at) || !types_hold(x, &c))
    return 0;
  int rc = attempt_changed(x, &c);
  if (rc <= 0)
    return rc;
  if (compare_with_first(x, &a, &c) != 0)
    return -1;
  judge_change(x, r, &c);
  if (!x->out->errors && r->same_bits && (x->variant->flags & WF_DETERMINISTIC))
    compare_bits(x, r, &c);
  return 0;
}

/* ---- repeat ---- */

/* The same run once more. Where the variant is deterministic other bits are an error; elsewhere a warning, for the
 * schedule is the same and only state that outlives a launch is left to explain them. */
static void check_repeat(WfExec *x) {
  char where[WF_ELEMENT_TEXT], first_text[WF_NUMBER_SIZE], second_text[WF_NUMBER_SIZE];
  WfBadSet bad;
  WfFinding f;
  x->probe.run = x->first.run;
  x->probe.pattern = x->first.pattern;
  x->probe.n_unwritten = 0;
  wf_exec_attempt(x, &x->probe);
  if (x->probe.stats.abandoned) {
    wf_exec_take_findings(x, wf_exec_classes(x));
    return;
  }
  wf_exec_bad_init(x, &bad, x->output);
  if (wf_attempt_diff(x, &x->first, &x->probe, &bad) < 0)
    return;
  float a = x->first.y[bad.first], b = x->probe.y[bad.first];
  wf_bad_finding(&f, &bad, SIMT_NONDETERMINISTIC, "the same run, repeated, must give the same bits", a, b);
  f.simt.severity = x->variant->flags & WF_DETERMINISTIC ? SIMT_ERROR : SIMT_WARNING;
  f.variant = x->variant;
  snprintf(f.simt.detail, sizeof f.simt.detail, "%s is %s, and %s when the same run is repeated",
           wf_element_text(&bad, bad.first, where), wf_number_print_float(first_text, a),
           wf_number_print_float(second_text, b));
  wf_verdict_add(x->out, &f);
}

int wf_check_relations(WfExec *x) {
  const WfRelation *const *r = x->c->op->relations;
  uint64_t hash = case_hash(x->c), turn = hash % ARBITRARY_PERIOD;
  if (!x->again && (x->opt->all_relations || turn == 0))
    check_repeat(x);
  for (uint64_t i = 1; r && *r && !x->out->errors; r++, i++)
    if ((x->opt->all_relations || turn == i) && check_relation(x, *r, hash) != 0)
      return -1;
  return 0;
}
