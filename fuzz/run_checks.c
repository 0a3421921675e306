/* run_checks.c - checks between attempts: inputs, unwritten outputs, values nobody wrote, schedules. */
#include "number.h"
#include "run_impl.h"
#include <math.h>
#include <string.h>

static void add(WfExec *x, WfFinding *f) {
  f->op = x->c->op;
  f->variant = x->variant;
  f->device = x->device;
  f->build = x->build;
  wf_verdict_add(x->out, f);
}

static int same_bits(const float *a, const float *b) {
  return memcmp(a, b, sizeof *a) == 0;
}

/* Devices give one canonical NaN where x86 passes an operand's payload on, so payloads say nothing. */
static int same_value(const float *a, const float *b) {
  return same_bits(a, b) || (isnan(*a) && isnan(*b));
}

/* ---- inputs ---- */

static void report_input(WfExec *x, int t, const WfBadSet *bad, float is) {
  char where[WF_ELEMENT_TEXT], was_text[WF_NUMBER_SIZE], is_text[WF_NUMBER_SIZE];
  float was = wf_case_value(x->c, t, bad->first);
  WfFinding f;
  wf_bad_finding(&f, bad, SIMT_INPUT_WRITTEN, "the kernel must leave its inputs as they were", was, is);
  snprintf(f.simt.detail, sizeof f.simt.detail, "input %s changed from %s to %s",
           wf_element_text(bad, bad->first, where), wf_number_print_float(was_text, was),
           wf_number_print_float(is_text, is));
  add(x, &f);
}

static float input_now(const WfExec *x, int t, size_t i) {
  float now;
  wf_dtype_load(x->c->dtype[t], &now, wf_exec_element(x, t, i), 1);
  return now;
}

static void compare_input(const WfExec *x, int t, WfBadSet *bad) {
  const float *was = x->values[t];
  wf_bad_init(bad, x->c->op, t, x->c->dim);
  if (x->c->dtype[t] == WF_F32 && memcmp(was, x->args.tensor[t], x->n_elems[t] * sizeof *was) == 0)
    return;
  for (size_t i = 0; i < x->n_elems[t]; i++) {
    float now = input_now(x, t, i);
    if (!same_bits(&was[i], &now))
      wf_bad_mark(bad, (int64_t)i);
  }
}

void wf_check_inputs(WfExec *x) {
  for (int t = 0; t < x->c->op->n_tensors; t++) {
    WfBadSet bad;
    if (!x->values[t] || x->c->in_place == (uint32_t)t + 1)
      continue;
    if (!wf_sparse_changed(x, t, &bad))
      compare_input(x, t, &bad);
    bad.dtype = x->c->dtype[t];
    if (bad.count > 0)
      report_input(x, t, &bad, input_now(x, t, (size_t)bad.first));
  }
}

/* ---- outputs nobody wrote ---- */

/* The engine counts over ranges: halve them until they are all or nothing. */
static void find_unwritten(Simt *s, const char *y, size_t elem_bytes, size_t n, uint8_t *mask) {
  uint64_t first, missing = n > 0 ? simt_unwritten(s, y, elem_bytes, n, &first) : 0;
  if (missing == 0 || missing >= n) {
    memset(mask, missing > 0, n);
    return;
  }
  find_unwritten(s, y, elem_bytes, n / 2, mask);
  find_unwritten(s, y + n / 2 * elem_bytes, elem_bytes, n - n / 2, mask + n / 2);
}

void wf_report_unwritten(WfExec *x, const WfAttempt *a) {
  char where[WF_ELEMENT_TEXT];
  WfBadSet bad;
  WfFinding f;
  wf_exec_bad_init(x, &bad, x->output);
  for (size_t i = 0; i < x->n_elems[x->output]; i++)
    if (a->unwritten[i])
      wf_bad_mark(&bad, (int64_t)i);
  wf_bad_finding(&f, &bad, SIMT_UNWRITTEN_OUTPUT, "every element of the output must be written", x->ref[bad.first],
                 a->y[bad.first]);
  f.bound = x->bound[bad.first];
  snprintf(f.simt.detail, sizeof f.simt.detail, "no thread wrote %s", wf_element_text(&bad, bad.first, where));
  add(x, &f);
}

/* mask may be NULL: only counts. */
static uint64_t unwritten(WfExec *x, uint8_t *mask) {
  Simt *s = x->runner->simt;
  const size_t elem_bytes = wf_exec_bytes(x, x->output, 1);
  uint64_t first, missing = 0;
  for (size_t at = 0, n, device; at < x->n_elems[x->output]; at += n) {
    n = wf_exec_stretch(x, x->output, at, &device);
    if (mask)
      find_unwritten(s, wf_exec_element(x, x->output, device), elem_bytes, n, mask + at);
    else
      missing += simt_unwritten(s, wf_exec_element(x, x->output, device), elem_bytes, n, &first);
  }
  return missing;
}

/* An output that holds a value before the launch may keep it: whether it is the right one is for the oracle to say. */
int wf_check_unwritten(WfExec *x, WfAttempt *a) {
  a->n_unwritten = wf_start_of(x->variant, &x->c->op->tensors[x->output]) == WF_START_NOTHING ? unwritten(x, NULL) : 0;
  if (a->n_unwritten == 0)
    return 0;
  unwritten(x, a->unwritten);
  if (wf_exec_reference(x) != 0)
    return -1;
  wf_report_unwritten(x, a);
  return 0;
}

/* ---- comparing attempts ---- */

static int was_written(const WfAttempt *a, size_t i) {
  return a->n_unwritten == 0 || !a->unwritten[i];
}

int64_t wf_attempt_diff(const WfExec *x, const WfAttempt *a, const WfAttempt *b, WfBadSet *bad) {
  int64_t first = -1;
  for (size_t i = 0; i < x->n_elems[x->output]; i++) {
    if (!was_written(a, i) || !was_written(b, i) || same_value(&a->y[i], &b->y[i]))
      continue;
    if (first < 0)
      first = (int64_t)i;
    if (!bad)
      break;
    wf_bad_mark(bad, (int64_t)i);
  }
  return first;
}

static void report_poison(WfExec *x, const SimtFinding *poison, int64_t index) {
  char where[WF_ELEMENT_TEXT];
  WfBadSet shape;
  WfFinding f;
  size_t at;
  memset(&f, 0, sizeof f);
  f.simt = *poison;
  simt_where_call(&f.simt.here);
  f.simt.severity = SIMT_ERROR;
  if (f.simt.count == 0)
    f.simt.count = 1;
  wf_finding_locate(x->c, &f.simt);
  wf_exec_bad_init(x, &shape, x->output);
  f.simt.detail[sizeof f.simt.detail - 1] = '\0';
  at = strlen(f.simt.detail);
  if (index >= 0)
    snprintf(f.simt.detail + at, sizeof f.simt.detail - at, "%sit changes %s", at > 0 ? "; " : "",
             wf_element_text(&shape, index, where));
  else
    snprintf(f.simt.detail + at, sizeof f.simt.detail - at, "%sit decides a branch or an address", at > 0 ? "; " : "");
  add(x, &f);
}

static uint32_t bits_of(float f) {
  uint32_t u;
  memcpy(&u, &f, sizeof u);
  return u;
}

/* Attempt a again in x->probe, with these bits in place of values that nobody wrote: of all, or of those read at one place;
 * the hash of what it did. */
static uint64_t traced(WfExec *x, const WfAttempt *a, uint32_t fill, const SimtSite *site) {
  WfAttempt *p = &x->probe;
  p->run = a->run;
  p->run.detect |= SIMT_TRACE;
  p->run.fill = fill;
  p->run.fill_site = site;
  p->run.other_fill = a->run.fill;
  p->run.fills_locals = fill != a->run.fill && !site;
  p->pattern = fill == a->run.fill || site ? a->pattern : fill;
  p->n_unwritten = 0;
  wf_exec_attempt(x, p);
  return p->stats.trace_hash;
}

/* Do other bits in their place, large ones of either sign, NaN, the same as halves, and 0 last, change something? 1, and the first output that differs in *index, or -1: a branch or an
 * address differs. */
static int matters(WfExec *x, const WfAttempt *a, uint64_t trace, const SimtSite *site, int64_t *index) {
  const uint32_t halves = 0x7bff7bffu, sign = 0x80008000u; /* the largest half twice, 2.65e36 as a float */
  const uint32_t fills[] = {bits_of(3e38f), bits_of(-3e38f), 0xffc0ffc0u, halves, halves | sign, 0};
  const WfAttempt *p = &x->probe;
  for (size_t k = 0; k < sizeof fills / sizeof fills[0]; k++) {
    uint64_t probe_trace = traced(x, a, fills[k], site);
    *index = a->stats.abandoned || p->stats.abandoned ? -1 : wf_attempt_diff(x, a, p, NULL);
    if (*index >= 0 || probe_trace != trace || p->stats.abandoned != a->stats.abandoned)
      return 1;
  }
  return 0;
}

/* A value nobody wrote matters when other bits in its place change an output, a branch or an address. Output buffers
 * are such values too until they are written, so the pattern in them changes along. A run that was cut short can still
 * be compared by its branches and addresses: a wild address is often why. When such values were read at several places,
 * the one reported is the first that matters alone: an unguarded shuffle whose value is thrown away is none. */
void wf_check_poison(WfExec *x, const WfAttempt *a) {
  int64_t index, alone;
  if (!a->stats.poison_read || x->have_poison)
    return;
  uint64_t trace = traced(x, a, a->run.fill, NULL);
  if (!matters(x, a, trace, NULL, &index)) {
    /* Of the last run, in which values that nobody wrote were 0. In others the engine reports no int-overflow once such a value
     * has been read: with the fill's bits, sums that nobody uses would overflow. */
    wf_exec_take_findings(x, 1u << SIMT_INT_OVERFLOW);
    return;
  }
  const SimtFinding *poison = &a->stats.poison[0];
  for (int i = 0; a->stats.poison_read > 1 && i < a->stats.poison_read; i++)
    if (matters(x, a, trace, a->stats.poison[i].here.site, &alone)) {
      poison = &a->stats.poison[i];
      index = alone;
      break;
    }
  report_poison(x, poison, index);
  x->have_poison = 1;
}

int64_t wf_check_schedules(WfExec *x) {
  char where[WF_ELEMENT_TEXT], first_text[WF_NUMBER_SIZE], second_text[WF_NUMBER_SIZE];
  WfBadSet bad;
  WfFinding f;
  wf_exec_bad_init(x, &bad, x->output);
  wf_attempt_diff(x, &x->first, &x->second, &bad);
  if (bad.count == 0 || !(x->variant->flags & WF_DETERMINISTIC))
    return bad.count;
  float a = x->first.y[bad.first], b = x->second.y[bad.first];
  wf_bad_finding(&f, &bad, SIMT_NONDETERMINISTIC, "the variant promises the same bits under every schedule", a, b);
  snprintf(f.simt.detail, sizeof f.simt.detail, "%s is %s under one schedule and %s under another",
           wf_element_text(&bad, bad.first, where), wf_number_print_float(first_text, a),
           wf_number_print_float(second_text, b));
  add(x, &f);
  return bad.count;
}
