/* test_simt.c - kernels with known faults, and their clean twins, on the engine under many schedules.
 *
 * The kernels are in tests/simt/<group>.cu, what is expected of each in tests/simt/<group>.def, one row a kernel:
 *   ROW(launcher, n, "expectations", value)
 * n: ints a buffer has; value: what out[i] must hold in the end, an expression in i, n and in[], or ANY. Expectations
 * are separated by semicolons. A letter is the line of the comment with that letter behind the comment "case LAUNCHER",
 * `A<B` line A in a function called on line B, and - no place:
 *   error CLASS A B    this finding, and its two places in either order, under every schedule
 *   error CLASS A B OBJECT@BYTE  the same, and what it is about (blanks as _), and where in it; @BYTE may be left out
 *   warning CLASS A B  the same as a warning
 *   meant CLASS A B    a race that the source says is meant, with the reason of its comment
 *   maybe error ...    under some schedules only
 *   object NAME ELEM   what every finding is about: array or variable, and element as SimtFinding has it
 *   poison CLASS A     a value nobody wrote is read there and used: memory depends on the fill; OBJECT@BYTE as above
 *   unused CLASS A     it is read there, and memory does not depend on it
 *   may-poison         one is read under some schedules: what another thread should have written first
 *   abandoned          part of the launch is cut short
 *   steps N            budget of the launch
 *   text T             what printf wrote
 * Anything else that is found, or not found, is a failure. */
#include "../simt/simt.h"
#include "suite.h"
#include <check.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ANY = INT_MIN, N_MAX = 4096, N_SCHEDULES = 20, MAX_WANTED = 16 };

typedef struct Row {
  const char *group, *name;
  void (*launch)(void **buffers, int n);
  int (*value)(int i, int n, const int *in);
  int n;
  const char *expect;
} Row;

/* ---- the rows, in three passes ---- */
#define ROW(NAME, N, EXPECT, VALUE) void NAME(void **buffers, int n);
#include "simt/groups.def"
#undef ROW
#define ROW(NAME, N, EXPECT, VALUE)                                                                                    \
  static int value_##NAME(int i, int n, const int *in) {                                                               \
    (void)i, (void)n, (void)in;                                                                                        \
    return VALUE;                                                                                                      \
  }
#include "simt/groups.def"
#undef ROW
#define ROW(NAME, N, EXPECT, VALUE) {GROUP, #NAME, NAME, value_##NAME, N, EXPECT},
static const Row rows[] = {
#include "simt/groups.def"
};
#undef ROW
static const Row probe = {"barriers", "bar_tree_sum", bar_tree_sum, value_bar_tree_sum, 96, ""};

/* ---- expectations ---- */
typedef struct Place {
  unsigned line, caller_line; /* 0: none; caller_line 0: not asked for */
} Place;

typedef struct Object {
  char name[48];   /* "": not asked for */
  int any_byte;
  long long byte;  /* where the access begins; negative: in front of it */
} Object;

typedef struct Wanted {
  SimtSeverity severity;
  SimtClass cls;
  int always;
  Place a, b;
  Object object;
} Wanted;

typedef struct Expected {
  Wanted finding[MAX_WANTED];
  unsigned n;
  int poison, poison_used, may_poison, abandoned;
  SimtClass poison_class;
  Place poison_place;
  Object poison_object;
  uint64_t steps;
  char text[128], object[64]; /* object: name, and after a blank the element */
} Expected;

static char *read_source(const char *group) {
  const char *dir = getenv("WF_SRCDIR");
  char path[1024];
  snprintf(path, sizeof path, "%s/tests/simt/%s.cu", dir ? dir : ".", group);
  FILE *f = fopen(path, "rb");
  ck_assert_msg(f != NULL, "cannot open %s", path);
  char *text = calloc(1, 1 << 20);
  ck_assert(text != NULL);
  ck_assert(fread(text, 1, (1 << 20) - 1, f) > 0);
  fclose(f);
  return text;
}

static unsigned line_of(const char *text, const char *at) {
  unsigned line = 1;
  for (; text < at; text++) line += *text == '\n';
  return line;
}

/* The line of a marker within the section of the case. */
static unsigned marked_line(const char *source, const char *name, char letter) {
  char head[128], mark[8];
  snprintf(head, sizeof head, "/* case %s */", name);
  snprintf(mark, sizeof mark, "/*%c*/", letter);
  const char *from = strstr(source, head);
  ck_assert_msg(from != NULL, "no section %s", head);
  const char *at = strstr(from, mark), *next = strstr(from + strlen(head), "/* case ");
  ck_assert_msg(at != NULL && (!next || at < next), "%s: no marker %s", name, mark);
  return line_of(source, at);
}

static Place place_of(const char *source, const char *name, const char *word) {
  Place p = {0, 0};
  if (word[0] == '-') return p;
  p.line = marked_line(source, name, word[0]);
  if (word[1] == '<') p.caller_line = marked_line(source, name, word[2]);
  return p;
}

static Object object_of(const char *word) {
  Object o = {.any_byte = 1};
  size_t n = strcspn(word, "@");
  ck_assert(n < sizeof o.name);
  for (size_t i = 0; i < n; i++) o.name[i] = word[i] == '_' ? ' ' : word[i];
  if (word[n]) {
    o.any_byte = 0;
    o.byte = strtoll(word + n + 1, NULL, 10);
  }
  return o;
}

static SimtClass class_of(const char *word) {
  SimtClass c;
  ck_assert_msg(simt_class_parse(word, strlen(word), &c) == 0, "unknown class %s", word);
  return c;
}

static void expect_finding(Expected *e, const Row *r, const char *source, const char *s) {
  char severity[16], cls[32], a[8], b[8], object[64] = "";
  int maybe = !strncmp(s, "maybe ", 6);
  ck_assert_msg(sscanf(s + 6 * maybe, "%15s %31s %7s %7s %63s", severity, cls, a, b, object) >= 4, "%s: bad expectation: %s", r->name, s);
  ck_assert(e->n < MAX_WANTED);
  SimtSeverity known = !strcmp(severity, "error") ? SIMT_ERROR : !strcmp(severity, "meant") ? SIMT_MEANT : SIMT_WARNING;
  e->finding[e->n++] = (Wanted){known, class_of(cls), !maybe, place_of(source, r->name, a), place_of(source, r->name, b), object_of(object)};
}

static void expect_one(Expected *e, const Row *r, const char *source, const char *s) {
  char word[32] = "", cls[32], a[8], object[64] = "";
  sscanf(s, "%31s", word);
  if (!strcmp(word, "may-poison")) {
    e->may_poison = 1;
    return;
  }
  if (!strcmp(word, "poison") || !strcmp(word, "unused")) {
    ck_assert(sscanf(s, "%*s %31s %7s %63s", cls, a, object) >= 2);
    e->poison_object = object_of(object);
    e->poison = 1;
    e->poison_used = word[0] == 'p';
    e->poison_class = class_of(cls);
    e->poison_place = place_of(source, r->name, a);
  } else if (!strcmp(word, "abandoned"))
    e->abandoned = 1;
  else if (!strcmp(word, "steps"))
    e->steps = strtoull(s + 5, NULL, 10);
  else if (!strcmp(word, "object"))
    snprintf(e->object, sizeof e->object, "%s", s + 7);
  else if (!strcmp(word, "text"))
    snprintf(e->text, sizeof e->text, "%s", s + 5);
  else
    expect_finding(e, r, source, s);
}

static Expected expected_of(const Row *r, const char *source) {
  Expected e = {.poison = 0};
  char copy[512], *save = NULL;
  snprintf(copy, sizeof copy, "%s", r->expect);
  for (char *s = strtok_r(copy, ";", &save); s; s = strtok_r(NULL, ";", &save)) {
    while (*s == ' ') s++;
    if (*s) expect_one(&e, r, source, s);
  }
  return e;
}

/* ---- a run ---- */
typedef struct Bench {
  Simt *simt;
  void *buffer[3];
  SimtFinding finding[64];
  size_t n_findings;
  SimtStats stats;
  int out[N_MAX], acc[N_MAX];
} Bench;

typedef struct HostCall {
  const Row *row;
  void **buffer;
} HostCall;

static void launch(void *call) {
  const HostCall *c = call;
  c->row->launch(c->buffer, c->row->n);
}

static void run(Bench *b, const Row *r, const SimtRun *how) {
  HostCall call = {r, b->buffer};
  size_t bytes = (size_t)r->n * sizeof(int), n;
  ck_assert(r->n <= N_MAX);
  simt_free_all(b->simt);
  ck_assert_int_eq(simt_alloc(b->simt, "out", bytes, 0, 0, &b->buffer[0]), 0);
  ck_assert_int_eq(simt_alloc(b->simt, "in", bytes, 0, SIMT_BUF_INIT, &b->buffer[1]), 0);
  ck_assert_int_eq(simt_alloc(b->simt, "acc", bytes, 0, SIMT_BUF_INIT, &b->buffer[2]), 0);
  for (int i = 0; i < r->n; i++) ((int *)b->buffer[1])[i] = i + 1;
  simt_begin(b->simt, how);
  simt_call(b->simt, launch, &call);
  memset(&b->stats, 0, sizeof b->stats);
  b->n_findings = simt_end(b->simt, &b->stats);
  const SimtFinding *f = simt_findings(b->simt, &n);
  ck_assert_uint_eq(n, b->n_findings);
  ck_assert(n <= 64);
  memcpy(b->finding, f, n * sizeof *f);
  memcpy(b->out, b->buffer[0], bytes);
  memcpy(b->acc, b->buffer[2], bytes);
}

/* WF_SCHEDULES makes it fewer, for slow ways to run. */
static unsigned number_of_schedules(void) {
  const char *fewer = getenv("WF_SCHEDULES");
  unsigned n = fewer ? (unsigned)atoi(fewer) : N_SCHEDULES;
  return n > 0 && n < N_SCHEDULES ? n : N_SCHEDULES;
}

/* Seeds that between them have every direction, rate of preemption, number of resident blocks and kind of active mask. */
static SimtRun schedule(unsigned k, const Expected *e) {
  uint64_t seed = k / 2 ? (k / 2) * 0x9e3779b97f4a7c15u ^ (uint64_t)(k / 2) * 0x11c : 0;
  return (SimtRun){.schedule = seed, .detect = SIMT_DETECT_ALL, .fill = 0x7fc0beef, .max_steps = e->steps, .reverse_blocks = k & 1};
}

/* ---- judgement ---- */
static int is_at(const SimtSite *s, Place p, const char *group) {
  char file[64];
  if (!s || !p.line) return !s && !p.line;
  snprintf(file, sizeof file, "tests/simt/%s.cu", group);
  if (s->line != p.line || strcmp(s->file, file)) return 0;
  return !p.caller_line || (s->caller && s->caller->line == p.caller_line);
}

static int matches(const SimtFinding *f, const Wanted *w, const char *group) {
  if (f->cls != w->cls || f->severity != w->severity) return 0;
  return (is_at(f->here.site, w->a, group) && is_at(f->other.site, w->b, group)) ||
         (is_at(f->here.site, w->b, group) && is_at(f->other.site, w->a, group));
}

static int is_about(const SimtFinding *f, const Object *o) {
  char name[64];
  if (!o->name[0]) return 1;
  snprintf(name, sizeof name, "%s", f->object);
  for (char *p = name; *p; p++)
    if (*p == '_') *p = ' ';
  return !strcmp(name, o->name) && (o->any_byte || (long long)f->offset_bytes == o->byte);
}

static unsigned line_or_0(const SimtSite *s) { return s ? s->line : 0; }

static void judge_findings(const Bench *b, const Row *r, const Expected *e, const SimtRun *how) {
  unsigned seen = 0;
  for (size_t i = 0; i < b->n_findings; i++) {
    const SimtFinding *f = &b->finding[i];
    unsigned k = 0;
    while (k < e->n && !(matches(f, &e->finding[k], r->group) && is_about(f, &e->finding[k].object))) k++;
    ck_assert_msg(k < e->n, "%s, schedule 0x%llx: unexpected %s %s, lines %u and %u, %s@%lld: %s", r->name,
                  (unsigned long long)how->schedule, f->severity == SIMT_ERROR ? "error" : f->severity == SIMT_MEANT ? "meant" : "warning",
                  simt_class_name(f->cls), line_or_0(f->here.site), line_or_0(f->other.site), f->object, (long long)f->offset_bytes,
                  f->detail);
    char named[128];
    snprintf(named, sizeof named, "%s%s%s", f->object, f->element[0] ? " " : "", f->element);
    ck_assert_msg(!e->object[0] || !strcmp(named, e->object), "%s: object is %s", r->name, named);
    ck_assert(f->rule[0] && f->detail[0] && f->count > 0);
    ck_assert((f->severity == SIMT_MEANT) == (f->reason != NULL && f->reason[0] != '\0'));
    seen |= 1u << k;
  }
  for (unsigned k = 0; k < e->n; k++)
    ck_assert_msg(!e->finding[k].always || seen >> k & 1, "%s, schedule 0x%llx: %s at lines %u and %u is not found", r->name,
                  (unsigned long long)how->schedule, simt_class_name(e->finding[k].cls), e->finding[k].a.line, e->finding[k].b.line);
}

static void judge_stats(const Bench *b, const Row *r, const Expected *e, const SimtRun *how) {
  const SimtStats *s = &b->stats;
  ck_assert_msg(e->may_poison || !!s->poison_read == e->poison, "%s, schedule 0x%llx: poison_read is %d: %s at line %u", r->name,
                (unsigned long long)how->schedule, s->poison_read, s->poison[0].detail, line_or_0(s->poison[0].here.site));
  if (e->poison) {
    ck_assert_str_eq(simt_class_name(s->poison[0].cls), simt_class_name(e->poison_class));
    ck_assert_msg(is_at(s->poison[0].here.site, e->poison_place, r->group), "%s: poison at line %u", r->name, s->poison[0].here.site->line);
    ck_assert_msg(is_about(&s->poison[0], &e->poison_object), "%s: poison of %s@%lld", r->name, s->poison[0].object,
                  (long long)s->poison[0].offset_bytes);
  }
  ck_assert_msg(s->abandoned == e->abandoned, "%s, schedule 0x%llx: abandoned is %d", r->name, (unsigned long long)how->schedule, s->abandoned);
  ck_assert_msg(!strcmp(s->text, e->text), "%s: printed: %s", r->name, s->text);
}

static void judge_memory(const Bench *b, const Row *r, const SimtRun *how) {
  for (int i = 0; i < r->n; i++) {
    int want = r->value(i, r->n, b->buffer[1]);
    ck_assert_msg(want == ANY || want == b->out[i], "%s, schedule 0x%llx: out[%d] is %d, not %d", r->name,
                  (unsigned long long)how->schedule, i, b->out[i], want);
  }
}

/* The same again: byte by byte the same. With a trace, too, for which every access takes the engine's long way. */
static void judge_repeat(Bench *again, const Bench *b, const Row *r, const SimtRun *how, unsigned trace) {
  SimtRun same = *how;
  same.detect |= trace;
  run(again, r, &same);
  ck_assert_uint_eq(again->n_findings, b->n_findings);
  ck_assert(!memcmp(again->finding, b->finding, b->n_findings * sizeof b->finding[0]));
  if (!trace) ck_assert(!memcmp(&again->stats, &b->stats, sizeof b->stats));
  ck_assert(!memcmp(again->out, b->out, (size_t)r->n * sizeof(int)));
  ck_assert(!memcmp(again->acc, b->acc, (size_t)r->n * sizeof(int)));
}

static int depends_on_fill(Bench *again, const Bench *b, const Row *r, const SimtRun *how) {
  static const uint32_t fills[] = {0, 0x7f61b1e6 /* 3e38 */, 0xff61b1e6, 0xffc0ffc0 /* NaN, of halves too */, 0x7bff7bff /* 65504 twice */, 0xfbfffbff};
  int depends = 0;
  for (unsigned i = 0; i < sizeof fills / sizeof fills[0]; i++) {
    SimtRun other = *how;
    other.fill = fills[i];
    other.fills_locals = 1;
    run(again, r, &other);
    depends |= memcmp(again->out, b->out, (size_t)r->n * sizeof(int)) || memcmp(again->acc, b->acc, (size_t)r->n * sizeof(int));
  }
  return depends;
}

START_TEST(test_row) {
  const Row *r = &rows[_i];
  Bench bench, again;
  char *source = read_source(r->group);
  Expected e = expected_of(r, source), clean = {.poison = 0};
  free(source);
  Bench *b = &bench;
  ck_assert_int_eq(simt_create(&b->simt), 0);
  again.simt = b->simt;
  unsigned n_schedules = number_of_schedules();
  for (unsigned k = 0; k < 2 * n_schedules; k++) {
    SimtRun how = schedule(k, &e), plain = schedule(k, &clean);
    run(b, r, &how);
    judge_findings(b, r, &e, &how);
    judge_stats(b, r, &e, &how);
    judge_memory(b, r, &how);
    judge_repeat(&again, b, r, &how, 0);
    judge_repeat(&again, b, r, &how, SIMT_TRACE);
    if (e.poison)
      ck_assert_msg(depends_on_fill(&again, b, r, &how) == e.poison_used, "%s: memory %s on the fill", r->name,
                    e.poison_used ? "does not depend" : "depends");
    run(b, &probe, &plain); /* whatever happened, the next case is right */
    judge_findings(b, &probe, &clean, &plain);
    judge_stats(b, &probe, &clean, &plain);
    judge_memory(b, &probe, &plain);
  }
  simt_destroy(b->simt);
}
END_TEST

/* One fault after another in one context: each is one finding, the process goes on, and the next case is right. */
START_TEST(faults_in_sequence) {
  static const char *const faults[] = {"bnd_one_past", "bnd_far_away", "loc_lambda", "loc_member_pointer", "end_no_base_case",
                                       "end_divide", "end_trap_one_lane", "end_assert_helper", "end_step_zero", "end_launch_threads",
                                       "host_divide", "host_null", "host_abort", "host_recursion"};
  Expected clean = {.poison = 0};
  Bench b;
  ck_assert_int_eq(simt_create(&b.simt), 0);
  for (size_t i = 0; i < 2 * sizeof faults / sizeof faults[0]; i++) {
    const Row *r = rows;
    while (strcmp(r->name, faults[i / 2]) != 0) ck_assert(++r < rows + sizeof rows / sizeof rows[0]);
    char *source = read_source(r->group);
    Expected e = expected_of(r, source);
    free(source);
    SimtRun how = schedule((unsigned)i, &e), plain = schedule((unsigned)i, &clean);
    run(&b, r, &how);
    ck_assert_msg(b.n_findings == 1, "%s: %zu findings", r->name, b.n_findings);
    judge_findings(&b, r, &e, &how);
    judge_stats(&b, r, &e, &how);
    judge_memory(&b, r, &how);
    run(&b, &probe, &plain);
    judge_findings(&b, &probe, &clean, &plain);
    judge_stats(&b, &probe, &clean, &plain);
    judge_memory(&b, &probe, &plain);
  }
  simt_destroy(b.simt);
}
END_TEST

int main(void) {
  Suite *s = suite_create("simt");
  TCase *sequence = tcase_create("sequence");
  tcase_set_timeout(sequence, 0);
  tcase_add_test(sequence, faults_in_sequence);
  suite_add_tcase(s, sequence);
  for (int i = 0; i < (int)(sizeof rows / sizeof rows[0]); i++) {
    TCase *tc = tcase_create(rows[i].name);
    tcase_set_timeout(tc, 0);
    tcase_add_loop_test(tc, test_row, i, i + 1);
    suite_add_tcase(s, tc);
  }
  return suite_run(s);
}
