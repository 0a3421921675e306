/* emit_expected.c - what elements of the output must be, by the op's reference: first those that are wrong on the engine. */
#include "emit_impl.h"
#include "run_impl.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define VALUE_CLASSES (1u << SIMT_WRONG_SPECIAL | 1u << SIMT_WRONG_RESULT | 1u << SIMT_UNWRITTEN_OUTPUT)

typedef struct Chosen {
  size_t at[WF_EMIT_JUDGED]; /* places in the arrays of the run, each once */
  size_t n;
} Chosen;

/* Where everything is right there is nothing to judge. */
static void choose(const WfExec *x, Chosen *list, size_t at) {
  if (list->n == WF_EMIT_JUDGED || at >= x->n_elems[x->output] || x->bound[at] == INFINITY)
    return;
  for (size_t i = 0; i < list->n; i++)
    if (list->at[i] == at)
      return;
  list->at[list->n++] = at;
}

/* Place of the output's element in the arrays; SIZE_MAX: they do not have it. */
static size_t place_of(const WfExec *x, int64_t index) {
  const int64_t *slices = wf_exec_slices(x, x->output);
  if (!slices)
    return (size_t)index;
  int64_t elems = wf_case_slice(x->c, x->output);
  for (size_t i = 0; i < x->n_slices; i++)
    if (slices[i] == index / elems)
      return i * (size_t)elems + (size_t)(index % elems);
  return SIZE_MAX;
}

/* What findings name, and what is wrong in the case's own schedule. */
static void choose_wrong(WfExec *x, const WfVerdict *v, Chosen *list) {
  const char *output = x->c->op->tensors[x->output].name;
  for (size_t i = 0; i < v->n; i++)
    if (v->finding[i].has_value && strcmp(v->finding[i].simt.object, output) == 0)
      choose(x, list, place_of(x, v->finding[i].index));
  if (!(v->errors & VALUE_CLASSES))
    return;
  wf_exec_attempt(x, &x->first);
  WfJudge j;
  wf_exec_judging(x, x->first.y, &j);
  for (size_t i = 0; i < x->n_elems[x->output] && !x->first.stats.abandoned; i++)
    if (!wf_judge_is_right(&j, (int64_t)i))
      choose(x, list, i);
}

/* The first and the last, and others as far from each other as may be. */
static void choose_spread(const WfExec *x, Chosen *list) {
  size_t n = x->n_elems[x->output], room = WF_EMIT_JUDGED - list->n;
  if (n <= WF_EMIT_JUDGED)
    room = WF_EMIT_JUDGED;
  for (size_t i = 0; i < room && n > 0; i++)
    choose(x, list, n <= WF_EMIT_JUDGED ? i : (size_t)((double)(n - 1) / (double)(room > 1 ? room - 1 : 1) * (double)i));
}

static int by_place(const void *a, const void *b) {
  size_t x = *(const size_t *)a, y = *(const size_t *)b;
  return (x > y) - (x < y);
}

/* The bound, or the ends of the range. */
static void add_limits(WfText *t, const WfJudge *j, int64_t i) {
  char number[WF_NUMBER_SIZE];
  double low, high;
  if (j->dtype == WF_F32) {
    wf_text_add(t, "%s", wf_emit_double(number, j->bound[i]));
    return;
  }
  wf_judge_range(j, i, &low, &high);
  wf_text_add(t, "%s, ", wf_emit_double(number, low));
  wf_text_add(t, "%s", wf_emit_double(number, high));
}

static void add_table(WfText *t, const WfExec *x, Chosen *list) {
  char value[WF_NUMBER_SIZE], where[WF_ELEMENT_TEXT];
  WfBadSet shape;
  WfJudge j;
  wf_exec_judging(x, x->first.y, &j);
  wf_bad_init(&shape, x->c->op, x->output, x->c->dim);
  qsort(list->at, list->n, sizeof list->at[0], by_place);
  wf_text_add(t, "static const int n_expected = %zu; // of %" PRId64 " elements\n", list->n, wf_case_elems(x->c, x->output));
  wf_text_add(t, "static const Expected expected[] = {\n");
  for (size_t k = 0; k < list->n; k++) {
    size_t at = list->at[k], index;
    wf_exec_stretch(x, x->output, at, &index);
    wf_text_add(t, "    {%zu, %s, ", index, wf_emit_double(value, x->ref[at]));
    add_limits(t, &j, (int64_t)at);
    wf_text_add(t, "}, ");
    wf_text_add(t, "// %s = %s\n", wf_element_text(&shape, (int64_t)index, where), wf_number_print_float(value, (float)x->ref[at]));
  }
  wf_text_add(t, "%s};\n", list->n ? "" : j.dtype == WF_F32 ? "    {0, 0, 0}, // none is known\n" : "    {0, 0, 0, 0}, // none is known\n");
}

/* As wf_run() begins (run.c). */
static int begin(WfExec *x, WfRunner *r, const WfEmit *e, const WfGeometry *g, WfVerdict *scratch, const WfRunOptions *opt) {
  memset(x, 0, sizeof *x);
  x->runner = r;
  x->c = e->c;
  x->variant = e->v;
  x->opt = opt;
  x->out = scratch;
  x->output = wf_output_tensor(e->c->op);
  if (wf_exec_memory(x, g) != 0 || wf_exec_reference(x) != 0)
    return WF_EMIT_NO_MEMORY;
  x->first.run = (SimtRun){.schedule = e->c->schedule, .detect = SIMT_DETECT_ALL, .fill = WF_PATTERN_FILL};
  x->first.pattern = WF_PATTERN_OUTPUT;
  if (x->slice) {
    x->first.run.blocks = x->plan.block;
    x->first.run.n_blocks = x->plan.n_blocks;
  }
  return 0;
}

int wf_emit_expected(WfText *t, WfRunner *r, const WfEmit *e, const WfGeometry *g) {
  const WfRunOptions opt = {.detect = SIMT_DETECT_ALL, .outside = 1};
  WfExec x;
  Chosen list = {{0}, 0};
  WfVerdict *unused = calloc(1, sizeof *unused);
  int rc = unused ? begin(&x, r, e, g, unused, &opt) : WF_EMIT_NO_MEMORY;
  if (rc == 0) {
    choose_wrong(&x, e->verdict, &list);
    choose_spread(&x, &list);
    add_table(t, &x, &list);
  }
  if (unused)
    simt_free_all(r->simt);
  free(unused);
  return rc;
}
