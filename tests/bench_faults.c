/* bench_faults.c - make bench: how many executions and how much processor time it takes from an empty corpus until each published
 * fault is found in its class; median and worst of 5 seeds. Ends with 1 when one is not found within 50,000 executions, or
 * when an execution shows wrong values alone where an engine's class is expected. Arguments: patterns of variants. */
#define _POSIX_C_SOURCE 200809L
#include "../fuzz/fuzzer.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define BIT(c) (1u << (c))
#define OF_VALUES (BIT(SIMT_WRONG_SPECIAL) | BIT(SIMT_WRONG_RESULT) | BIT(SIMT_NONDETERMINISTIC))

enum { SEEDS = 5, MAX_EXECUTIONS = 50000 };

typedef struct Hunt {
  int executions;  /* until the class was found; 0: it was not */
  int values_only; /* executions before that with wrong values and no engine's class, where one is expected */
  double seconds;
} Hunt;

static double now_s(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* -1: a failure of the harness, told on stderr. */
static int hunt(const WfTarget *target, uint64_t seed, Hunt *out) {
  WfFuzzer *f;
  char err[256] = "out of memory";
  int rc = wf_fuzzer_create(&f, target, 1, seed);
  double start = now_s();
  *out = (Hunt){0};
  for (int n = 1; rc == 0 && n <= MAX_EXECUTIONS && !out->executions; n++) {
    WfStep s;
    wf_fuzzer_choose(f, &s);
    rc = wf_fuzzer_execute(f, &s, err, sizeof err);
    if (rc != 0) break;
    if (wf_variant_caught(target->variant, s.verdict->errors, s.verdict->warnings))
      out->executions = n;
    else if (s.verdict->errors && !(s.verdict->errors & ~OF_VALUES) && !(target->variant->expect & OF_VALUES))
      out->values_only++;
  }
  out->seconds = now_s() - start;
  wf_fuzzer_destroy(f);
  if (rc != 0) fprintf(stderr, "%s: %s\n", target->variant->name, err);
  return rc;
}

static int by_executions(const void *a, const void *b) {
  const Hunt *x = a, *y = b;
  int nx = x->executions ? x->executions : MAX_EXECUTIONS + 1, ny = y->executions ? y->executions : MAX_EXECUTIONS + 1;
  return (nx > ny) - (nx < ny);
}

/* One line. 0; 1: not found in its class by every seed; -1: failure. */
static int measure(const WfTarget *target) {
  char name[WF_NAME_MAX];
  Hunt h[SEEDS];
  double slowest = 0;
  int values_only = 0;
  for (int i = 0; i < SEEDS; i++) {
    if (hunt(target, (uint64_t)i + 1, &h[i]) != 0) return -1;
    slowest = h[i].seconds > slowest ? h[i].seconds : slowest;
    values_only += h[i].values_only;
  }
  qsort(h, SEEDS, sizeof *h, by_executions);
  const Hunt *middle = &h[SEEDS / 2], *worst = &h[SEEDS - 1];
  wf_target_name(target, name);
  printf("%-48s %8d %8d %10.3f %10.3f%s%s\n", name, middle->executions, worst->executions, middle->seconds, slowest,
         worst->executions ? "" : "  NOT FOUND", values_only ? "  WRONG VALUES ALONE" : "");
  return !worst->executions || values_only;
}

int main(int argc, char **argv) {
  WfTarget *targets;
  size_t n;
  char err[512];
  int status = 0;
  if (wf_select((const char *const *)argv + 1, argc - 1, 1, &targets, &n, err, sizeof err) != 0) {
    fprintf(stderr, "bench_faults: %s\n", err);
    return 2;
  }
  printf("%-48s %17s %21s\n%-48s %8s %8s %10s %10s\n", "faults, 5 seeds", "executions", "processor seconds", "", "median",
         "worst", "median", "worst");
  for (size_t i = 0; i < n && status >= 0; i++) {
    int rc = targets[i].variant->expect ? measure(&targets[i]) : 0;
    status = rc < 0 ? rc : status | rc;
  }
  free(targets);
  return status < 0 ? 99 : status;
}
