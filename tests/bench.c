/* bench.c - make bench: what a kernel costs on the engine, as a multiple of a plain C loop that computes the same, both
 * measured in turn in one run, in processor time; medians of 20. Only the ratios mean anything.
 *
 * First four kernels by name, then what each detector costs over all clean variants. Ends with 1 when block_shuffle is above one
 * of the limits. */
#include "../fuzz/case.h"
#include "../fuzz/select.h"
#include "../simt/simt.h"
#include "bench_plain.h"
#include "bench_time.h"
#include <stdio.h>
#include <string.h>

enum { ROUNDS = 20, ROWS = 64, COLS = 1000, BLOCK = 256 };

typedef enum Setting { PLAIN, OFF, UNINIT, RACES, ALL, SETTINGS } Setting;
static const uint32_t detect_of[SETTINGS] = {0, 0, SIMT_DETECT_UNINIT, SIMT_DETECT_RACE, SIMT_DETECT_ALL};

#define LIMIT_ALL 18.0    /* times plain C, all detectors */
#define LIMIT_RACES 15.0
#define LIMIT_ON_OFF 2.5  /* all detectors, times none */

typedef struct Bench {
  Simt *simt;
  float *x, *y, *plain_y;
  WfCase c;
  WfLaunchArgs args;
} Bench;

/* Milliseconds. */
static double run_once(Bench *b, const WfVariant *v, Setting setting) {
  SimtRun run = {.schedule = 0, .detect = detect_of[setting], .fill = 0x7fc0beef};
  double t = bench_now_ms();
  if (setting == PLAIN) bench_plain_softmax(b->x, b->plain_y, ROWS, COLS);
  else {
    simt_begin(b->simt, &run);
    v->entry(&b->args);
    simt_end(b->simt, NULL);
  }
  return bench_now_ms() - t;
}

/* ratio[s]: times plain C; ratio[PLAIN]: milliseconds of plain C. 0; -1: the variant does not take this input. */
static int measure(Bench *b, const WfVariant *v, double ratio[SETTINGS]) {
  double ms[SETTINGS][ROUNDS];
  WfGeometry g;
  if (!wf_case_admits(&b->c, v, &g, NULL, 0) || v->scratch) return -1;
  memcpy(b->args.grid, g.grid, sizeof g.grid);
  memcpy(b->args.block, g.block, sizeof g.block);
  b->args.shared_bytes = g.shared_bytes;
  for (int i = -2; i < ROUNDS; i++) /* two rounds to warm up */
    for (int s = 0; s < SETTINGS; s++) ms[s][i < 0 ? 0 : i] = run_once(b, v, (Setting)s);
  double plain = ratio[PLAIN] = bench_median(ms[PLAIN], ROUNDS);
  for (int s = OFF; s < SETTINGS; s++) ratio[s] = bench_median(ms[s], ROUNDS) / plain;
  return 0;
}

static int prepare(Bench *b) {
  static const char text[] = "warpfuzz case 1\nop softmax\nrows 64\ncols 1000\nblock 256 1 1\nx normal seed=1 scale=1\n";
  size_t bytes = sizeof(float) * ROWS * COLS;
  void *x, *y;
  char err[256];
  if (wf_case_parse(&b->c, text, sizeof text - 1, "bench", err, sizeof err)) {
    fprintf(stderr, "%s\n", err);
    return -1;
  }
  if (simt_create(&b->simt) || simt_alloc(b->simt, "x", bytes, 0, SIMT_BUF_INIT, &x) || simt_alloc(b->simt, "y", bytes, 0, 0, &y))
    return -1;
  b->x = x;
  b->y = y;
  b->plain_y = malloc(bytes);
  for (int i = 0; i < ROWS * COLS; i++) b->x[i] = (float)((unsigned)i * 2654435761u >> 8) / 1e6f;
  b->args = (WfLaunchArgs){.tensor = {x, y}, .dim = {ROWS, COLS}};
  return b->plain_y ? 0 : -1;
}

static int above(const char *what, double ratio, double limit) {
  if (ratio <= limit) return 0;
  printf("block_shuffle, %s: %.1f is above the limit of %.1f\n", what, ratio, limit);
  return 1;
}

/* Four kernels by name. 1: a limit is passed. */
static int by_name(Bench *b, const WfOp *op) {
  static const char *const names[] = {"block_shuffle", "tree_shared", "online_warp", "serial_row"};
  int failed = 0;
  printf("softmax %d x %d, %d threads a block: cost as a multiple of a plain C loop\n", ROWS, COLS, BLOCK);
  printf("%-32s %12s %9s %9s %9s %9s %9s\n", "kernel", "plain C", "none", "uninit", "races", "all", "all/none");
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    double r[SETTINGS];
    const WfVariant *v = wf_variant_find(op, names[i], strlen(names[i]));
    if (!v || measure(b, v, r)) continue;
    printf("%-32s %9.3f ms %9.1f %9.1f %9.1f %9.1f %9.2f\n", v->name, r[PLAIN], r[OFF], r[UNINIT], r[RACES], r[ALL], r[ALL] / r[OFF]);
    if (i) continue;
    failed = above("all detectors", r[ALL], LIMIT_ALL) | above("race detection", r[RACES], LIMIT_RACES) |
             above("all detectors over none", r[ALL] / r[OFF], LIMIT_ON_OFF);
  }
  return failed;
}

/* Over all clean variants that take the input: median and worst of each setting. */
static void by_detector(Bench *b, const WfTarget *targets, size_t n) {
  static const char *const names[SETTINGS] = {NULL, "none", "uninitialised values", "races", "all"};
  double (*ratio)[SETTINGS] = calloc(n + 1, sizeof *ratio), *column = calloc(n + 1, sizeof *column);
  const WfVariant **measured = calloc(n + 1, sizeof *measured);
  size_t k = 0;
  for (size_t i = 0; ratio && column && measured && i < n; i++) {
    measured[k] = targets[i].variant;
    if (!measure(b, measured[k], ratio[k])) k++;
  }
  printf("\ndetectors, %zu clean variants on the same input: times plain C\n%-24s %9s %9s  %s\n", k, "", "median", "worst", "variant");
  for (int s = OFF; s < SETTINGS && k; s++) {
    size_t worst = 0;
    for (size_t i = 0; i < k; i++) {
      column[i] = ratio[i][s];
      if (ratio[i][s] > ratio[worst][s]) worst = i;
    }
    printf("%-24s %9.1f %9.1f  %s\n", names[s], bench_median(column, k), ratio[worst][s], measured[worst]->name);
  }
  free(ratio);
  free(column);
  free(measured);
}

int main(void) {
  static const char *const clean[] = {"softmax"};
  Bench b = {0};
  WfTarget *targets = NULL;
  size_t n;
  char err[256];
  const WfOp *op = wf_op_find("softmax", 7);
  if (!op || prepare(&b) || wf_select(clean, 1, 0, &targets, &n, err, sizeof err)) return 99;
  int failed = by_name(&b, op);
  by_detector(&b, targets, n);
  free(targets);
  free(b.plain_y);
  simt_destroy(b.simt);
  return failed;
}
