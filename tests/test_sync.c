/* test_sync.c - patterns of synchronisation, each in a right and a wrong form, under many schedules.
 *
 * The kernels are in tests/sync/sync_<group>.cu, what is expected of each pair in tests/sync/sync_<group>.def, one row a pair:
 *   ROW(pair, n, "SEVERITY CLASS [or CLASS] [steps N] [rare]", value)
 * n: ints a buffer has; value: what out[i] must hold behind the right form, an expression in i, n and in[], or ANY. The right form
 * has no finding under any schedule, reads nothing that nobody wrote, and ends. The wrong form has findings of that class only (and
 * of the other one, which is as true of it or follows from it), on lines marked in the source, the worst of that severity; in most schedules, or where it says `rare` in some; always among the first
 * four, which are two cases as the fuzzer runs them (each with its schedule and a second one, blocks reversed). steps: the budget of
 * the wrong form, where it is to be used up.
 *
 * WF_SYNC_SCHEDULES=N: that many schedules of each form instead of a few. WF_SYNC_REPORT: says on stderr in how many schedules each
 * wrong form was found. */
#include "../simt/simt.h"
#include "suite.h"
#include <check.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ANY = INT_MIN, N_MAX = 4096, N_RIGHT = 150, N_WRONG = 12, FIRST = 4, MAX_LINES = 2048 };

typedef void Launcher(void **buffers, int n);
typedef struct Row {
  const char *group, *name;
  Launcher *right, *wrong;
  int (*value)(int i, int n, const int *in);
  int n;
  const char *expect;
} Row;

/* ---- the rows, in three passes ---- */
#define ROW(NAME, N, EXPECT, VALUE) void NAME##_right(void **buffers, int n), NAME##_wrong(void **buffers, int n);
#include "sync/sync_groups.def"
#undef ROW
#define ROW(NAME, N, EXPECT, VALUE)                                                                                    \
  static int value_##NAME(int i, int n, const int *in) {                                                               \
    (void)i, (void)n, (void)in;                                                                                        \
    return VALUE;                                                                                                      \
  }
#include "sync/sync_groups.def"
#undef ROW
#define ROW(NAME, N, EXPECT, VALUE) {GROUP, #NAME, NAME##_right, NAME##_wrong, value_##NAME, N, EXPECT},
static const Row rows[] = {
#include "sync/sync_groups.def"
};
#undef ROW

typedef struct Expected {
  SimtClass cls, other; /* other: the same again where there is none */
  SimtSeverity severity;
  uint64_t steps;
  int rare;
  char marked[MAX_LINES]; /* by line of the source: a finding may be there */
} Expected;

/* Lines with a mark, from the comment "case NAME" to the next one. */
static void read_marks(Expected *e, const Row *r) {
  const char *dir = getenv("WF_SRCDIR");
  char path[1024], line[1024], head[128];
  snprintf(path, sizeof path, "%s/tests/sync/sync_%s.cu", dir ? dir : ".", r->group);
  int n = snprintf(head, sizeof head, "/* case %s", r->name), inside = 0, seen = 0;
  FILE *f = fopen(path, "r");
  ck_assert_msg(f != NULL, "cannot open %s", path);
  for (int k = 1; k < MAX_LINES && fgets(line, sizeof line, f); k++) {
    if (!strncmp(line, "/* case ", 8)) inside = !strncmp(line, head, (size_t)n) && strchr(" :*", line[n]) != NULL;
    e->marked[k] = (char)(inside && strstr(line, "/*!*/"));
    seen |= e->marked[k];
  }
  fclose(f);
  ck_assert_msg(seen, "%s: no marked line", r->name);
}

static SimtClass class_of(const Row *r, const char *text) {
  SimtClass c;
  ck_assert_msg(simt_class_parse(text, strcspn(text, " "), &c) == 0, "%s: unknown class %s", r->name, text);
  return c;
}

static Expected expected_of(const Row *r) {
  Expected e = {.severity = strncmp(r->expect, "error ", 6) ? SIMT_WARNING : SIMT_ERROR};
  const char *cls = strchr(r->expect, ' '), *other = strstr(r->expect, " or ");
  ck_assert(cls != NULL);
  e.cls = class_of(r, cls + 1);
  e.other = other ? class_of(r, other + 4) : e.cls;
  const char *steps = strstr(r->expect, "steps ");
  if (steps) e.steps = strtoull(steps + 6, NULL, 10);
  e.rare = strstr(r->expect, "rare") != NULL;
  read_marks(&e, r);
  return e;
}

/* ---- a run ---- */
typedef struct Bench {
  Simt *simt;
  void *buffer[3];
  const SimtFinding *finding;
  size_t n_findings;
  SimtStats stats;
} Bench;

typedef struct HostCall {
  Launcher *launch;
  void **buffer;
  int n;
} HostCall;

static void launch(void *call) {
  const HostCall *c = call;
  c->launch(c->buffer, c->n);
}

static void run(Bench *b, Launcher *form, int n, const SimtRun *how) {
  HostCall call = {form, b->buffer, n};
  size_t bytes = (size_t)n * sizeof(int);
  ck_assert(n <= N_MAX);
  simt_free_all(b->simt);
  ck_assert_int_eq(simt_alloc(b->simt, "out", bytes, 0, 0, &b->buffer[0]), 0);
  ck_assert_int_eq(simt_alloc(b->simt, "in", bytes, 0, SIMT_BUF_INIT, &b->buffer[1]), 0);
  ck_assert_int_eq(simt_alloc(b->simt, "acc", bytes, 0, SIMT_BUF_INIT, &b->buffer[2]), 0);
  for (int i = 0; i < n; i++) ((int *)b->buffer[1])[i] = i + 1;
  simt_begin(b->simt, how);
  simt_call(b->simt, launch, &call);
  memset(&b->stats, 0, sizeof b->stats);
  simt_end(b->simt, &b->stats);
  b->finding = simt_findings(b->simt, &b->n_findings);
}

static unsigned number_of_schedules(unsigned usual) {
  const char *text = getenv("WF_SYNC_SCHEDULES");
  int n = text ? atoi(text) : 0;
  return n > 0 ? (unsigned)n : usual;
}

/* Cases with the seeds 0, 1, 2 ... mixed, each in its own order and reversed under another one. */
static SimtRun schedule(unsigned k, uint64_t steps) {
  uint64_t z = k * 0x9e3779b97f4a7c15u; /* SplitMix64: seed 0 stays 0, the plain order */
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (SimtRun){.schedule = z ^ z >> 31, .detect = SIMT_DETECT_ALL, .fill = 0x7fc0beef, .max_steps = steps, .reverse_blocks = k & 1};
}

/* ---- judgement ---- */
static unsigned line_or_0(const SimtSite *s) { return s ? s->line : 0; }

static void judge_right(const Bench *b, const Row *r, const SimtRun *how) {
  const SimtFinding *f = b->finding;
  unsigned long long seed = how->schedule;
  ck_assert_msg(!b->n_findings, "%s is right, but schedule 0x%llx: %s %s, lines %u and %u: %s", r->name, seed,
                f->severity == SIMT_ERROR ? "error" : "warning", simt_class_name(f->cls), line_or_0(f->here.site),
                line_or_0(f->other.site), f->detail);
  ck_assert_msg(!b->stats.poison_read, "%s, schedule 0x%llx: %s, line %u", r->name, seed, b->stats.poison[0].detail,
                line_or_0(b->stats.poison[0].here.site));
  ck_assert_msg(!b->stats.abandoned, "%s, schedule 0x%llx: cut short", r->name, seed);
  for (int i = 0; i < r->n; i++) {
    int want = r->value(i, r->n, b->buffer[1]), is = ((const int *)b->buffer[0])[i];
    ck_assert_msg(want == ANY || want == is, "%s, schedule 0x%llx: out[%d] is %d, not %d", r->name, seed, i, is, want);
  }
}

/* The line itself, or the one that calls the function it is in. */
static int is_marked(const Expected *e, const SimtSite *s) {
  int is = !s;
  for (; s && !is; s = s->caller) is = s->line < MAX_LINES && e->marked[s->line];
  return is;
}

/* Bits: 1: found; 2: and as what the row says first. */
static unsigned judge_wrong(const Bench *b, const Row *r, const Expected *e, const SimtRun *how) {
  unsigned found = 0;
  for (size_t i = 0; i < b->n_findings; i++) {
    const SimtFinding *f = &b->finding[i];
    ck_assert_msg(((f->cls == e->cls && f->severity <= e->severity) || f->cls == e->other) && is_marked(e, f->here.site) && is_marked(e, f->other.site),
                  "%s is %s, but schedule 0x%llx: %s %s, lines %u and %u: %s", r->name, r->expect, (unsigned long long)how->schedule,
                  f->severity == SIMT_ERROR ? "error" : "warning", simt_class_name(f->cls), line_or_0(f->here.site),
                  line_or_0(f->other.site), f->detail);
    if (f->severity == e->severity) found |= f->cls == e->cls ? 3 : 1;
  }
  return found;
}

START_TEST(right_form) {
  const Row *r = &rows[_i];
  Bench b;
  ck_assert_int_eq(simt_create(&b.simt), 0);
  for (unsigned k = 0; k < number_of_schedules(N_RIGHT); k++) {
    SimtRun how = schedule(k, 0);
    run(&b, r->right, r->n, &how);
    judge_right(&b, r, &how);
  }
  simt_destroy(b.simt);
}
END_TEST

START_TEST(wrong_form) {
  const Row *r = &rows[_i];
  Expected e = expected_of(r);
  unsigned n = number_of_schedules(N_WRONG), found = 0, seen = 0;
  Bench b;
  ck_assert_int_eq(simt_create(&b.simt), 0);
  for (unsigned k = 0; k < n; k++) {
    SimtRun how = schedule(k, e.steps);
    run(&b, r->wrong, r->n, &how);
    unsigned bits = judge_wrong(&b, r, &e, &how);
    found += bits & 1;
    seen |= bits;
    if (k + 1 == FIRST) ck_assert_msg(found, "%s, the wrong form: %s is not found in the first %u schedules", r->name, r->expect, k + 1);
  }
  if (getenv("WF_SYNC_REPORT")) fprintf(stderr, "%s: %s in %u of %u\n", r->name, r->expect, found, n);
  ck_assert_msg(seen & 2 && (e.rare || 2 * found > n), "%s, the wrong form: %s in %u of %u schedules only", r->name, r->expect, found, n);
  simt_destroy(b.simt);
}
END_TEST

/* The seeds in use must preempt at every rate there is, and keep several blocks resident: sched.c, launch.c. */
START_TEST(schedules_differ) {
  unsigned rates = 0, residents = 0;
  for (unsigned k = 1; k < N_RIGHT; k++) {
    uint64_t seed = schedule(k, 0).schedule;
    rates |= 1u << (seed >> 3 & 3);
    residents |= 1u << (seed >> 5 & 7);
  }
  ck_assert_uint_eq(rates, 15);
  ck_assert_uint_eq(residents, 255);
  ck_assert(schedule(0, 0).schedule == 0);
}
END_TEST

int main(void) {
  Suite *s = suite_create("sync");
  TCase *seeds = tcase_create("seeds");
  tcase_add_test(seeds, schedules_differ);
  suite_add_tcase(s, seeds);
  for (int i = 0; i < (int)(sizeof rows / sizeof rows[0]); i++) {
    TCase *tc = tcase_create(rows[i].name);
    tcase_set_timeout(tc, 0);
    tcase_add_loop_test(tc, right_form, i, i + 1);
    tcase_add_loop_test(tc, wrong_form, i, i + 1);
    suite_add_tcase(s, tc);
  }
  return suite_run(s);
}
