/* bench_shrink.c - make bench: how many executions and how much processor time it takes to shrink the first finding of each
 * published fault; median and worst of 5 seeds, and what became of the one of the first seed. Ends with 1 when shrinking
 * reaches its limit of executions. Arguments: patterns of variants. */
#define _POSIX_C_SOURCE 200809L
#include "../fuzz/case_order.h"
#include "../fuzz/fuzzer.h"
#include "../fuzz/shrink.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SEEDS = 5, MAX_EXECUTIONS = 20000 };

typedef struct Sample {
  uint64_t executions;
  double seconds;
} Sample;

static double now_s(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The first case that catches the fault, and the finding that does. 0; -1: a failure, told on stderr. */
static int hunt(const WfTarget *target, uint64_t seed, WfCase *c, WfFinding *found) {
  WfFuzzer *f;
  char err[256] = "out of memory";
  int rc = wf_fuzzer_create(&f, target, 1, seed);
  for (int n = 0; rc == 0 && n < MAX_EXECUTIONS; n++) {
    WfStep s;
    wf_fuzzer_choose(f, &s);
    rc = wf_fuzzer_execute(f, &s, err, sizeof err);
    if (rc != 0 || !wf_variant_caught(target->variant, s.verdict->errors, s.verdict->warnings)) continue;
    for (size_t i = 0; i < s.verdict->n; i++) {
      if (!(target->variant->expect >> s.verdict->finding[i].simt.cls & 1)) continue;
      *c = *s.c;
      *found = s.verdict->finding[i];
      wf_fuzzer_destroy(f);
      return 0;
    }
  }
  fprintf(stderr, "%s: %s\n", target->variant->name, rc ? err : "the fault was not found");
  wf_fuzzer_destroy(f);
  return -1;
}

static void print_shape(const WfCase *c, const WfVariant *v) {
  WfGeometry g;
  if (!wf_case_launch(c, v, &g, NULL, 0)) return;
  for (int i = 0; i < c->op->n_dims; i++) printf("%s%" PRId64, i ? "x" : "", c->dim[i]);
  printf(" <<<%u,%u>>> %u", g.grid[0], g.block[0], c->n_edits);
}

static int by_executions(const void *a, const void *b) {
  const Sample *x = a, *y = b;
  return (x->executions > y->executions) - (x->executions < y->executions);
}

/* One line. 0; 1: a limit was reached; -1: failure. */
static int measure(const WfTarget *target, WfRunner *r) {
  static WfShrunk out, first;
  static WfCase c, before;
  WfFinding f;
  Sample sample[SEEDS];
  char name[WF_NAME_MAX];
  double slowest = 0;
  int incomplete = 0;
  for (int i = 0; i < SEEDS; i++) {
    if (hunt(target, (uint64_t)i + 1, &c, &f) != 0) return -1;
    double start = now_s();
    int rc = wf_shrink(r, &c, &f, &(WfShrinkOptions){0}, &out);
    if (rc != 0) {
      fprintf(stderr, "%s: seed %d: %s\n", target->variant->name, i + 1, rc < 0 ? "out of memory" : "is not shown again");
      return -1;
    }
    sample[i] = (Sample){out.executions, now_s() - start};
    slowest = sample[i].seconds > slowest ? sample[i].seconds : slowest;
    incomplete |= !out.is_complete;
    if (i == 0) {
      first = out;
      before = c;
    }
    if (getenv("WF_SHRINK_TEXTS")) {
      char *text = wf_case_print(&out.c);
      printf("%s", text ? text : "");
      free(text);
    }
  }
  qsort(sample, SEEDS, sizeof *sample, by_executions);
  wf_target_name(target, name);
  printf("%-48s %8" PRIu64 " %8" PRIu64 " %8.3f  ", name, sample[SEEDS / 2].executions, sample[SEEDS - 1].executions, slowest);
  print_shape(&before, target->variant);
  printf(" -> ");
  print_shape(&first.c, target->variant);
  printf("%s\n", incomplete ? "  LIMIT REACHED" : "");
  return incomplete;
}

int main(int argc, char **argv) {
  WfTarget *targets;
  WfRunner *r;
  size_t n;
  char err[512];
  int status = 0;
  if (wf_select((const char *const *)argv + 1, argc - 1, 1, &targets, &n, err, sizeof err) != 0) {
    fprintf(stderr, "bench_shrink: %s\n", err);
    return 2;
  }
  if (wf_runner_create(&r) != 0) return 99;
  printf("%-48s %17s %8s\n%-48s %8s %8s %8s  shape, launch and edits, seed 1\n", "shrinking, 5 seeds", "executions", "seconds",
         "", "median", "worst", "worst");
  for (size_t i = 0; i < n && status >= 0; i++) {
    int rc = targets[i].variant->expect ? measure(&targets[i], r) : 0;
    status = rc < 0 ? rc : status | rc;
    fflush(stdout);
  }
  wf_runner_destroy(r);
  free(targets);
  return status < 0 ? 99 : status;
}
