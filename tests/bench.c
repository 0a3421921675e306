/* bench.c - make bench: what a kernel costs on the engine, as a multiple of a plain C loop that computes the same, both
 * measured in turn in one run, in processor time; medians of 20. Only the ratios mean anything. */
#include "../fuzz/op.h"
#include "../simt/simt.h"
#include "bench_plain.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 20, ROWS = 64, COLS = 1000, BLOCK = 256 };

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static double median(double *v) {
  qsort(v, ROUNDS, sizeof *v, by_value);
  return (v[ROUNDS / 2 - 1] + v[ROUNDS / 2]) / 2;
}

typedef struct Bench {
  Simt *simt;
  float *x, *y, *plain_y;
  WfLaunchArgs args;
} Bench;

static double run_plain(Bench *b) {
  double t = now_ms();
  bench_plain_softmax(b->x, b->plain_y, ROWS, COLS);
  return now_ms() - t;
}

static double run_engine(Bench *b, const WfVariant *v, uint32_t detect) {
  SimtRun run = {.schedule = 0, .detect = detect, .fill = 0x7fc0beef};
  double t = now_ms();
  simt_begin(b->simt, &run);
  v->entry(&b->args);
  simt_end(b->simt, NULL);
  return now_ms() - t;
}

static void measure(Bench *b, const WfVariant *v, uint32_t grid) {
  double plain[ROUNDS], off[ROUNDS], race[ROUNDS], all[ROUNDS];
  b->args.grid[0] = grid;
  for (int i = -2; i < ROUNDS; i++) { /* two rounds to warm up */
    int k = i < 0 ? 0 : i;
    plain[k] = run_plain(b);
    off[k] = run_engine(b, v, 0);
    race[k] = run_engine(b, v, SIMT_DETECT_RACE);
    all[k] = run_engine(b, v, SIMT_DETECT_ALL);
  }
  double p = median(plain);
  printf("%-24s %9.3f ms %11.1f %11.1f %11.1f\n", v->name, p, median(off) / p, median(race) / p, median(all) / p);
}

static int prepare(Bench *b) {
  size_t bytes = sizeof(float) * ROWS * COLS;
  void *x, *y;
  if (simt_create(&b->simt) || simt_alloc(b->simt, "x", bytes, 0, SIMT_BUF_INIT, &x) || simt_alloc(b->simt, "y", bytes, 0, 0, &y))
    return -1;
  b->x = x;
  b->y = y;
  b->plain_y = malloc(bytes);
  for (int i = 0; i < ROWS * COLS; i++) b->x[i] = (float)((unsigned)i * 2654435761u >> 8) / 1e6f;
  b->args = (WfLaunchArgs){.tensor = {x, y}, .dim = {ROWS, COLS}, .grid = {1, 1, 1}, .block = {BLOCK, 1, 1}};
  b->args.shared_bytes = BLOCK * sizeof(float);
  return b->plain_y ? 0 : -1;
}

int main(void) {
  static const struct { const char *name; uint32_t grid; } kernels[] = {
      {"block_shuffle", ROWS}, {"tree_shared", ROWS}, {"online_warp", ROWS * 32 / BLOCK}, {"serial_row", 1}};
  Bench b = {0};
  const WfOp *op = wf_op_find("softmax", 7);
  if (!op || prepare(&b)) return 99;
  printf("softmax %d x %d, %d threads a block: cost as a multiple of a plain C loop\n", ROWS, COLS, BLOCK);
  printf("%-24s %12s %11s %11s %11s\n", "kernel", "plain C", "no detector", "races", "all");
  for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
    const WfVariant *v = wf_variant_find(op, kernels[i].name, strlen(kernels[i].name));
    if (v) measure(&b, v, kernels[i].grid);
  }
  free(b.plain_y);
  simt_destroy(b.simt);
  return 0;
}
