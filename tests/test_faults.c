/* test_faults.c - the kernels of an op in the fuzzing loop, from an empty corpus: each published fault is found in its class,
 * and nothing is found in the repaired kernels. The program's name says which op: tests/faults_softmax, tests/faults_fault_F18
 * (fault/F18). It says of each variant what it found. */
#define _POSIX_C_SOURCE 200809L
#include "../fuzz/fuzzer.h"
#include "../fuzz/situations.h"
#include "suite.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>

#define BIT(c) (1u << (c))
#define OF_VALUES (BIT(SIMT_WRONG_SPECIAL) | BIT(SIMT_WRONG_RESULT) | BIT(SIMT_NONDETERMINISTIC))

enum {
  SEED = 1,
  RACE_SEEDS = 20,
  RACE_EXECUTIONS = 200,
  FAULT_EXECUTIONS = 50000, /* at most, until the fault is found */
  CLASS_EXECUTIONS = 300,  /* in which no engine class may show as wrong values alone */
  CLEAN_EXECUTIONS = 500,  /* and as many more as it takes to reach every situation, */
  MOST_CLEAN_EXECUTIONS = 5000 /* up to this: cases past 2^31 elements are rare */
};

static const WfOp *op;
static WfTarget target;

/* Starts a loop over one variant. */
static WfFuzzer *start(const char *name, uint64_t seed) {
  WfFuzzer *f;
  target = (WfTarget){op, wf_variant_find(op, name, strlen(name))};
  ck_assert_msg(target.variant != NULL, "no variant %s", name);
  ck_assert_int_eq(wf_fuzzer_create(&f, &target, 1, seed), 0);
  return f;
}

static const WfVerdict *next(WfFuzzer *f) {
  WfStep s;
  char err[256];
  wf_fuzzer_choose(f, &s);
  ck_assert_msg(wf_fuzzer_execute(f, &s, err, sizeof err) == 0, "%s: %s", target.variant->name, err);
  return s.verdict;
}

/* ---- the race of the maximum and the sum ---- */

/* Line of the nth place (from 1) where the kernel's source has the text. */
static uint32_t line_of(const char *path, const char *text, int nth) {
  const char *srcdir = getenv("WF_SRCDIR");
  char full[4096], line[512];
  snprintf(full, sizeof full, "%s/%s", srcdir ? srcdir : ".", path);
  FILE *f = fopen(full, "r");
  ck_assert_msg(f != NULL, "cannot read %s", full);
  uint32_t n = 0;
  while (nth && fgets(line, sizeof line, f)) {
    n++;
    nth -= strstr(line, text) != NULL;
  }
  fclose(f);
  ck_assert_msg(nth == 0, "%s has no further '%s'", full, text);
  return n;
}

static int is_at(const SimtWhere *w, const char *path, uint32_t line, const char *func, const char *access) {
  return w->site && strcmp(w->site->file, path) == 0 && w->site->line == line && strcmp(w->site->func, func) == 0 &&
         strcmp(w->access, access) == 0;
}

START_TEST(maximum_and_sum_race) {
  static const char path[] = "kernels/softmax/block_shuffle.published.cu";
  uint32_t read = line_of(path, "return warp_results[0];", 1);
  uint32_t write = line_of(path, "warp_results[warp] = v;", 2);
  WfFuzzer *f = start("block_shuffle.published", (uint64_t)_i);
  const WfVerdict *v;
  int n = 0;
  do v = next(f);
  while (!(v->errors & BIT(SIMT_RACE_SHARED)) && ++n < RACE_EXECUTIONS);
  ck_assert_msg(n < RACE_EXECUTIONS, "seed %d: not found", _i);
  ck_assert_uint_eq(v->errors | v->warnings, BIT(SIMT_RACE_SHARED));
  for (size_t i = 0; i < v->n; i++) {
    const SimtFinding *s = &v->finding[i].simt;
    int here_reads = is_at(&s->here, path, read, "block_max", "read");
    const SimtWhere *reads = here_reads ? &s->here : &s->other, *writes = here_reads ? &s->other : &s->here;
    ck_assert_int_eq(s->severity, SIMT_ERROR);
    ck_assert_msg(is_at(reads, path, read, "block_max", "read") && is_at(writes, path, write, "block_sum", "write"),
                  "seed %d: %s:%u (%s) and %s:%u (%s)", _i, s->here.site->file, s->here.site->line, s->here.access,
                  s->other.site->file, s->other.site->line, s->other.access);
    ck_assert_str_eq(s->object, "shared");
  }
  wf_fuzzer_destroy(f);
}
END_TEST

/* ---- every variant ---- */

/* TAP takes these for comments. */
static void say(const WfVariant *v, const char *what, int executions) {
  printf("# %s/%s: %s, %d executions%s%s\n", op->name, v->name, what, executions, v->family ? ", family " : "",
         v->family ? v->family : "");
}

static const char *caught_in(const WfVariant *v, const WfVerdict *verdict) {
  for (int c = 0; c < SIMT_CLASS_COUNT; c++)
    if (v->expect & (verdict->errors | verdict->warnings) & BIT(c))
      return simt_class_name((SimtClass)c);
  return "?";
}

/* An execution that hangs goes on until the budget of steps is spent, of a grid larger than a device for many seconds: one will do. */
static int class_executions(const WfVariant *v) { return v->expect & BIT(SIMT_HANG) ? 1 : CLASS_EXECUTIONS; }

static void fault_is_caught(const WfVariant *v) {
  WfFuzzer *f = start(v->name, SEED);
  int found = 0;
  for (int n = 0; n < FAULT_EXECUTIONS && !(found && n >= class_executions(v)); n++) {
    const WfVerdict *verdict = next(f);
    uint32_t errors = verdict->errors;
    if (!found && wf_variant_caught(v, errors, verdict->warnings)) {
      found = 1;
      say(v, caught_in(v, verdict), n + 1);
    }
    if (errors && !(v->expect & OF_VALUES))
      ck_assert_msg((errors & ~OF_VALUES) != 0, "%s: execution %d shows wrong values alone (%#x)", v->name, n, errors);
  }
  ck_assert_msg(found, "%s: not found in %d executions", v->name, FAULT_EXECUTIONS);
  wf_fuzzer_destroy(f);
}

static void repaired_is_clean(const WfVariant *v) {
  WfFuzzer *f = start(v->name, SEED);
  int n = 0;
  uint32_t reached = 0, usual = wf_situations_usual(op, v), allowed = wf_situations_allowed(op, v);
  for (; n < CLEAN_EXECUTIONS || (n < MOST_CLEAN_EXECUTIONS && usual & ~reached); n++) {
    const WfVerdict *verdict = next(f);
    ck_assert_msg(!(verdict->errors | verdict->warnings), "%s: execution %d has a %s", v->name, n,
                  simt_class_name(verdict->finding[0].simt.cls));
    reached |= verdict->situations;
  }
  for (int s = 0; s < WF_SITUATION_COUNT; s++)
    ck_assert_msg(!((usual & ~reached) >> s & 1) && !((reached & ~allowed) >> s & 1), "%s: %s %s", v->name,
                  wf_situation_name((WfSituation)s), reached >> s & 1 ? "reached against the contract" : "never reached");
  say(v, "clean", n);
  wf_fuzzer_destroy(f);
}

START_TEST(each_variant) {
  const WfVariant *v = &op->variants[_i];
  if (v->expect)
    fault_is_caught(v);
  else
    repaired_is_clean(v);
}
END_TEST

int main(int argc, char **argv) {
  op = argc > 0 ? wf_op_of_program(argv[0], "faults_") : NULL;
  if (!op) {
    fprintf(stderr, "test_faults: a program of this kind is called faults_OP, and there is no such op\n");
    return 99;
  }
  setvbuf(stdout, NULL, _IOLBF, 0);
  Suite *s = suite_create("faults");
  TCase *t = tcase_create(op->name);
  tcase_set_timeout(t, 0);
  if (strcmp(op->name, "softmax") == 0)
    tcase_add_loop_test(t, maximum_and_sum_race, 1, RACE_SEEDS + 1);
  tcase_add_loop_test(t, each_variant, 0, (int)op->n_variants);
  suite_add_tcase(s, t);
  return suite_run(s);
}
