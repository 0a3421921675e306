/* bench_exec.c - make bench: what one execution of a small case costs (two schedules of one variant, all detectors, judged), as a
 * multiple of generating its values and computing the reference, both measured in turn in one run; and executions a second of
 * the fuzzing loop on cases of its own. Processor time. Ends with 1 when the median over the variants, or block_shuffle, is above
 * the limit, or any variant with one schedule: its execution over the number of its engine runs. */
#include "../fuzz/fuzzer.h"
#include "bench_time.h"
#include <stdio.h>
#include <string.h>

enum { ROUNDS = 20, REPEAT = 10, ELEMENTS = 4 * 100, EXECUTIONS = 300 };
#define LIMIT 20.0

static const char text[] = "warpfuzz case 1\nop softmax\nrows 4\ncols 100\nblock 128 1 1\nschedule 0x51f3\nx normal seed=77 scale=30\n";

/* Microseconds of one generation and reference. */
static double prepare_us(const WfCase *c, const WfVariant *v) {
  static float x[ELEMENTS];
  static double ref[ELEMENTS], bound[ELEMENTS];
  WfRefArgs a = {.dim = c->dim, .in = (const float *[]){x, NULL}, .scalar = c->scalar, .masked = v->masked, .variant_flags = v->flags};
  double t = bench_now_ms();
  for (int i = 0; i < REPEAT; i++) {
    wf_case_values(c, 0, x);
    c->op->reference(&a, ref, bound);
  }
  return (bench_now_ms() - t) * 1e3 / REPEAT;
}

/* Of one execution; below 0: it failed. */
static double execution_us(WfRunner *r, const WfCase *c, const WfVariant *v, WfVerdict *out) {
  const WfRunOptions opt = {.detect = SIMT_DETECT_ALL};
  double t = bench_now_ms();
  for (int i = 0; i < REPEAT; i++)
    if (wf_run(r, c, v, &opt, out, NULL, 0) != 0 || out->errors) return -1;
  return (bench_now_ms() - t) * 1e3 / REPEAT;
}

/* *ratio, and that of one engine run; 0 there: the variant does not take the case. 0; -1: an execution failed. */
static int measure(WfRunner *r, const WfCase *c, const WfVariant *v, double *ratio, double *us, double *one_run) {
  double whole[ROUNDS], own[ROUNDS];
  WfVerdict *out = malloc(sizeof *out);
  WfGeometry g;
  int rc = out ? 0 : -1;
  *ratio = 0;
  if (!rc && wf_case_admits(c, v, &g, NULL, 0)) {
    for (int i = -1; i < ROUNDS && !rc; i++) {
      int k = i < 0 ? 0 : i;
      own[k] = prepare_us(c, v);
      whole[k] = execution_us(r, c, v, out);
      if (whole[k] < 0) rc = -1;
    }
    *us = bench_median(whole, ROUNDS);
    *ratio = *us / bench_median(own, ROUNDS);
    *one_run = *ratio / (double)(out->runs ? out->runs : 1);
  }
  free(out);
  return rc;
}

/* 1: above the limit; -1: failure. */
static int small_case(const WfTarget *targets, size_t n) {
  WfCase c;
  WfRunner *r;
  char err[256];
  double *ratio = calloc(n + 1, sizeof *ratio), *us = calloc(n + 1, sizeof *us);
  size_t k = 0, worst = 0;
  double one_run = 0, most_a_run = 0;
  const char *worst_a_run = "";
  const WfVariant **v = calloc(n + 1, sizeof *v);
  if (!ratio || !us || !v || wf_case_parse(&c, text, sizeof text - 1, "bench", err, sizeof err) || wf_runner_create(&r)) return -1;
  for (size_t i = 0; i < n; i++) {
    v[k] = targets[i].variant;
    if (measure(r, &c, v[k], &ratio[k], &us[k], &one_run)) return -1;
    if (ratio[k] > 0 && one_run > most_a_run) {
      most_a_run = one_run;
      worst_a_run = v[k]->name;
    }
    if (ratio[k] > ratio[worst]) worst = k;
    if (ratio[k] > 0) k++;
  }
  if (!k) return -1;
  double usual = 0;
  for (size_t i = 0; i < k; i++)
    if (strcmp(v[i]->name, "block_shuffle") == 0) usual = ratio[i];
  double most = ratio[worst], median_us = bench_median(us, k), median = bench_median(ratio, k);
  printf("one execution of a 4 x 100 case, %zu clean variants, as a multiple of its values and reference: median %.1f (%.0f us), block_shuffle %.1f, worst %.1f (%s)\n",
         k, median, median_us, usual, most, v[worst]->name);
  printf("one engine run of it, judged: worst %.1f (%s)\n", most_a_run, worst_a_run);
  int failed = median > LIMIT || usual > LIMIT || most_a_run > LIMIT;
  if (failed) printf("the median, block_shuffle or one engine run is above the limit of %.1f\n", LIMIT);
  wf_runner_destroy(r);
  free(ratio);
  free(us);
  free(v);
  return failed;
}

static int executions(const WfTarget *targets, size_t n) {
  WfFuzzer *f;
  char err[256];
  if (wf_fuzzer_create(&f, targets, n, 1) != 0) return -1;
  double t = bench_now_ms();
  uint64_t runs = 0, executions = EXECUTIONS * n;
  for (uint64_t i = 0; i < executions; i++) {
    WfStep s;
    wf_fuzzer_choose(f, &s);
    if (wf_fuzzer_execute(f, &s, err, sizeof err) != 0) return -1;
    runs += s.verdict->runs;
  }
  double seconds = (bench_now_ms() - t) * 1e-3;
  printf("fuzzing the %zu clean variants, %d executions each: %.0f executions a second, %.0f engine runs a second\n", n, EXECUTIONS,
         (double)executions / seconds, (double)runs / seconds);
  wf_fuzzer_destroy(f);
  return 0;
}

int main(void) {
  static const char *const clean[] = {"softmax"};
  WfTarget *targets;
  size_t n;
  char err[256];
  if (wf_select(clean, 1, 0, &targets, &n, err, sizeof err)) return 99;
  int failed = small_case(targets, n);
  if (failed >= 0 && executions(targets, n)) failed = -1;
  free(targets);
  return failed < 0 ? 99 : failed;
}
