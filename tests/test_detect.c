/* test_detect.c - what the runner finds beyond the engine: outputs nobody wrote, inputs that change, results that depend on the
 * schedule, values nobody wrote that reach an output. Kernels with one fault each, their repairs and look-alikes.
 *
 * The kernels are in tests/detect/outputs.cu, what is expected of each in tests/detect/outputs.def, one row a kernel:
 *   ROW(entry, rows, cols, threads, promise, "expectations")
 * promise: SAME bits under every schedule, or ANY. Expectations are separated by semicolons; nothing else may be found:
 *   error CLASS SITE OBJECT INDEX COUNT   under every schedule an error, `some`: under one of them at least, `maybe`: perhaps
 * SITE is FUNCTION@TEXT, the text being part of the source line (- no site); OBJECT the tensor or array; INDEX the first bad
 * element, COUNT how many there are. * stands for anything. */
#include "../fuzz/run.h"
#include "suite.h"
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAME = WF_DETERMINISTIC, ANY = 0, N_SCHEDULES = 20, MAX_WANTED = 4 };

typedef struct Row {
  const char *name;
  void (*entry)(const WfLaunchArgs *);
  int rows, cols, threads;
  uint32_t promise;
  const char *expect;
} Row;

#define ROW(NAME, ROWS, COLS, THREADS, PROMISE, EXPECT) void NAME(const WfLaunchArgs *a);
#include "detect/outputs.def"
#undef ROW
#define ROW(NAME, ROWS, COLS, THREADS, PROMISE, EXPECT) {#NAME, NAME, ROWS, COLS, THREADS, PROMISE, EXPECT},
static const Row rows[] = {
#include "detect/outputs.def"
};
#undef ROW

/* ---- the op: y[r,c] = 2 x[r,c] + w[c] ---- */

/* The bound is wide enough for what kernels add to show the schedule; which faults are found does not depend on it. */
static int reference(const WfRefArgs *a, double *out, double *bound) {
  for (int64_t i = 0; i < a->dim[0] * a->dim[1]; i++) {
    double x = a->in[0][i], w = a->in[1][i % a->dim[1]];
    out[i] = 2 * x + w;
    bound[i] = 1e-4 * (1 + fabs(2 * x) + fabs(w));
  }
  return 0;
}

static const WfOp op = {
    .name = "detect",
    .n_dims = 2,
    .n_tensors = 3,
    .dims = {{"rows", 1, 64}, {"cols", 1, 64}},
    .tensors = {{"x", WF_IN, 2, {0, 1}}, {"w", WF_IN, 1, {1, 0}}, {"y", WF_OUT, 2, {0, 1}}},
    .reference = reference,
};

static void edit(WfCase *c, int64_t row, int64_t col, float value) {
  WfEdit *e = &c->edits[c->n_edits++];
  e->tensor = 0;
  e->sel[0] = (WfSel){row, row, 1};
  e->sel[1] = (WfSel){col, col, 1};
  e->value = value;
}

/* Values of either sign, one zero and one NaN. */
static void make_case(WfCase *c, const Row *r, uint64_t schedule) {
  memset(c, 0, sizeof *c);
  c->op = &op;
  c->dim[0] = r->rows;
  c->dim[1] = r->cols;
  c->grid[0] = c->grid[1] = c->grid[2] = 1;
  c->block[0] = (uint32_t)r->threads;
  c->block[1] = c->block[2] = 1;
  c->schedule = schedule;
  c->fill[0] = (WfFill){.dist = WF_DIST_NORMAL, .seed = 7, .scale = 3};
  c->fill[1] = (WfFill){.dist = WF_DIST_UNIFORM, .seed = 8, .scale = 2};
  edit(c, 1, 1, 0);
  edit(c, 2, 3, NAN);
}

/* ---- expectations ---- */

typedef enum Often { ALWAYS, SOMETIMES, PERHAPS } Often;

typedef struct Wanted {
  Often often;
  SimtClass cls;
  char function[48], text[48], object[32];
  int64_t index, count; /* -1: any */
  unsigned seen;        /* schedules under which it was found */
} Wanted;

static Often often_of(const char *word) {
  if (!strcmp(word, "error")) return ALWAYS;
  ck_assert_msg(!strcmp(word, "some") || !strcmp(word, "maybe"), "bad word %s", word);
  return word[0] == 's' ? SOMETIMES : PERHAPS;
}

static int64_t number_of(const char *word) { return word[0] == '*' ? -1 : strtoll(word, NULL, 10); }

static void parse_one(Wanted *w, const char *s) {
  char often[8], cls[32], site[96], index[16], count[16];
  memset(w, 0, sizeof *w);
  ck_assert_msg(sscanf(s, "%7s %31s %95s %31s %15s %15s", often, cls, site, w->object, index, count) == 6, "bad expectation: %s", s);
  w->often = often_of(often);
  ck_assert_msg(simt_class_parse(cls, strlen(cls), &w->cls) == 0, "unknown class %s", cls);
  if (site[0] != '-') ck_assert_msg(sscanf(site, "%47[^@]@%47s", w->function, w->text) == 2, "bad site: %s", site);
  w->index = number_of(index);
  w->count = number_of(count);
}

static unsigned parse(Wanted *w, const char *expect) {
  char copy[512], *save = NULL;
  unsigned n = 0;
  snprintf(copy, sizeof copy, "%s", expect);
  for (char *s = strtok_r(copy, ";", &save); s; s = strtok_r(NULL, ";", &save)) {
    ck_assert(n < MAX_WANTED);
    parse_one(&w[n++], s);
  }
  return n;
}

/* ---- judgement ---- */

static void source_line(const SimtSite *s, char *line, int size) {
  const char *dir = getenv("WF_SRCDIR");
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", dir ? dir : ".", s->file);
  FILE *f = fopen(path, "r");
  ck_assert_msg(f != NULL, "cannot open %s", path);
  for (uint32_t n = 0; n < s->line; n++) ck_assert(fgets(line, size, f) != NULL);
  fclose(f);
}

static int is_at(const SimtSite *s, const Wanted *w) {
  char line[512];
  if (!w->function[0] || !s) return !w->function[0] && !s;
  if (strncmp(s->func, w->function, strlen(w->function)) != 0) return 0;
  source_line(s, line, sizeof line);
  return strstr(line, w->text) != NULL;
}

static int matches(const WfFinding *f, const Wanted *w) {
  if (f->simt.cls != w->cls || f->simt.severity != SIMT_ERROR) return 0;
  if (!is_at(f->simt.here.site, w) && !(f->simt.other.site && is_at(f->simt.other.site, w))) return 0;
  if (w->object[0] != '*' && strcmp(f->simt.object, w->object) != 0) return 0;
  return (w->index < 0 || f->index == w->index) && (w->count < 0 || f->n_bad == w->count);
}

static void judge(const WfVerdict *v, const Row *r, Wanted *wanted, unsigned n, uint64_t schedule) {
  for (size_t i = 0; i < v->n; i++) {
    const WfFinding *f = &v->finding[i];
    unsigned k = 0;
    while (k < n && !matches(f, &wanted[k])) k++;
    ck_assert_msg(k < n, "%s, schedule 0x%llx: unexpected %s %s of %s, index %lld, %lld bad, %s:%u: %s", r->name,
                  (unsigned long long)schedule, f->simt.severity == SIMT_ERROR ? "error" : "warning", simt_class_name(f->simt.cls),
                  f->simt.object, (long long)f->index, (long long)f->n_bad, f->simt.here.site ? f->simt.here.site->func : "",
                  f->simt.here.site ? f->simt.here.site->line : 0, f->simt.detail);
    ck_assert(f->simt.rule[0] && f->simt.detail[0] && f->simt.count > 0);
    wanted[k].seen++;
  }
}

static uint64_t schedule(unsigned k) { return k ? k * 0x9e3779b97f4a7c15u ^ (uint64_t)k * 0x11c : 0; }

/* WF_SCHEDULES makes it fewer, for slow ways to run; then what only some schedules show is not asked for. */
static unsigned number_of_schedules(void) {
  const char *fewer = getenv("WF_SCHEDULES");
  unsigned n = fewer ? (unsigned)atoi(fewer) : N_SCHEDULES;
  return n > 0 && n < N_SCHEDULES ? n : N_SCHEDULES;
}

START_TEST(each_row) {
  const Row *r = &rows[_i];
  const WfVariant variant = {.name = r->name, .entry = r->entry, .launch = "", .flags = r->promise};
  const WfRunOptions opt = {.detect = SIMT_DETECT_ALL};
  Wanted wanted[MAX_WANTED];
  unsigned n = parse(wanted, r->expect);
  WfRunner *runner;
  WfVerdict *v = malloc(sizeof *v);
  ck_assert(v && wf_runner_create(&runner) == 0);
  unsigned n_schedules = number_of_schedules();
  for (unsigned k = 0; k < n_schedules; k++) {
    WfCase c;
    char err[200] = "";
    make_case(&c, r, schedule(k));
    ck_assert_msg(wf_run(runner, &c, &variant, &opt, v, err, sizeof err) == 0, "%s: %s", r->name, err);
    judge(v, r, wanted, n, c.schedule);
  }
  for (unsigned k = 0; k < n; k++)
    ck_assert_msg(wanted[k].often == PERHAPS || wanted[k].seen >= (wanted[k].often == ALWAYS ? n_schedules : n_schedules == N_SCHEDULES),
                  "%s: %s is found under %u schedules", r->name, simt_class_name(wanted[k].cls), wanted[k].seen);
  wf_runner_destroy(runner);
  free(v);
}
END_TEST

int main(void) {
  Suite *s = suite_create("detect");
  for (int i = 0; i < (int)(sizeof rows / sizeof rows[0]); i++) {
    TCase *t = tcase_create(rows[i].name);
    tcase_set_timeout(t, 0);
    tcase_add_loop_test(t, each_row, i, i + 1);
    suite_add_tcase(s, t);
  }
  return suite_run(s);
}
