/* test_simt_api.c - simt.h beyond findings: unwritten elements, base offsets, traces, coverage. */
#define _DEFAULT_SOURCE
#include "../simt/simt.h"
#include "suite.h"
#include <check.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef void Launcher(void **buffers, int n);

/* Kernels of tests/simt. */
#define ROW(NAME, N, EXPECT, VALUE) Launcher NAME;
#include "simt/groups.def"
#undef ROW

typedef struct Bench {
  Simt *simt;
  void *buffer[3];
  SimtStats stats;
} Bench;

static void run(Bench *b, Launcher *launch, int n, const SimtRun *how) {
  static const char *const names[3] = {"out", "in", "acc"};
  simt_free_all(b->simt);
  for (int i = 0; i < 3; i++)
    ck_assert_int_eq(simt_alloc(b->simt, names[i], (size_t)n * sizeof(int), 0, i ? SIMT_BUF_INIT : 0, &b->buffer[i]), 0);
  for (int i = 0; i < n; i++) ((int *)b->buffer[1])[i] = i + 1;
  simt_begin(b->simt, how);
  launch(b->buffer, n);
  ck_assert_uint_eq(simt_end(b->simt, &b->stats), 0);
}

START_TEST(test_unwritten) {
  Bench b;
  SimtRun how = {.detect = SIMT_DETECT_ALL};
  uint64_t first;
  ck_assert_int_eq(simt_create(&b.simt), 0);
  run(&b, bar_return_after, 50, &how); /* writes all of out */
  ck_assert_uint_eq(simt_unwritten(b.simt, b.buffer[0], 4, 50, &first), 0);
  run(&b, bar_template, 100, &how); /* writes out[0] of 100 */
  ck_assert_uint_eq(simt_unwritten(b.simt, b.buffer[0], 4, 100, &first), 99);
  ck_assert_uint_eq(first, 1);
  run(&b, race_bytes, 40, &how); /* 40 bytes of 160 */
  ck_assert_uint_eq(simt_unwritten(b.simt, b.buffer[0], 4, 40, &first), 30);
  ck_assert_uint_eq(first, 10);
  ck_assert_uint_eq(simt_unwritten(b.simt, b.buffer[1], 4, 40, &first), 40); /* by kernels */
  simt_destroy(b.simt);
}
END_TEST

START_TEST(test_last_write) {
  Bench b;
  SimtRun how = {.detect = SIMT_DETECT_ALL, .schedule = 5};
  SimtWhere w;
  ck_assert_int_eq(simt_create(&b.simt), 0);
  run(&b, meant_nothing, 64, &how); /* thread i writes out[i] */
  for (int i = 0; i < 64; i++) {
    ck_assert_int_eq(simt_last_write(b.simt, (int *)b.buffer[0] + i, &w), 1);
    ck_assert_uint_eq(w.thread[0], i);
    ck_assert_str_eq(w.site->file, "tests/simt/meant.cu");
    ck_assert_str_eq(w.site->func, "nothing_kernel");
    ck_assert_str_eq(w.access, "write");
  }
  ck_assert_int_eq(simt_last_write(b.simt, b.buffer[1], &w), 0); /* an input */
  ck_assert_ptr_null(w.site);
  ck_assert_int_eq(simt_last_write(b.simt, (int *)b.buffer[0] + 64, &w), 0); /* behind it */
  ck_assert_int_eq(simt_last_write(b.simt, &b, &w), 0);
  run(&b, bar_template, 100, &how); /* writes out[0] of 100; earlier runs are forgotten */
  ck_assert_int_eq(simt_last_write(b.simt, b.buffer[0], &w), 1);
  ck_assert_int_eq(simt_last_write(b.simt, (int *)b.buffer[0] + 1, &w), 0);
  simt_destroy(b.simt);
}
END_TEST

/* The same launcher with its buffers so many bytes behind an aligned address. */
static size_t findings_at_offset(Launcher *launch, int n_ints, size_t offset, SimtFinding *f) {
  SimtRun how = {.detect = SIMT_DETECT_ALL};
  Simt *s;
  void *buffer[3];
  ck_assert_int_eq(simt_create(&s), 0);
  for (int i = 0; i < 3; i++) {
    ck_assert_int_eq(simt_alloc(s, "buffer", (size_t)n_ints * 4, offset, SIMT_BUF_INIT, &buffer[i]), 0);
    ck_assert_uint_eq((uintptr_t)buffer[i] % 256, offset);
  }
  simt_begin(s, &how);
  launch(buffer, n_ints);
  size_t n = simt_end(s, NULL), same;
  if (n) *f = *simt_findings(s, &same);
  simt_destroy(s);
  return n;
}

START_TEST(test_base_offset) {
  SimtFinding f;
  ck_assert_uint_eq(findings_at_offset(race_vectors, 48, 0, &f), 0);
  ck_assert_uint_eq(findings_at_offset(race_vectors, 48, 16, &f), 0);
  ck_assert_uint_gt(findings_at_offset(race_vectors, 48, 4, &f), 0);
  ck_assert_int_eq(f.cls, SIMT_MISALIGNED);
  ck_assert_uint_eq(findings_at_offset(bar_tree_sum, 96, 4, &f), 0);
}
END_TEST

START_TEST(test_trace) {
  Bench b;
  SimtRun how = {.detect = SIMT_DETECT_ALL | SIMT_TRACE}, plain = {.detect = SIMT_DETECT_ALL};
  ck_assert_int_eq(simt_create(&b.simt), 0);
  run(&b, bar_tree_sum, 96, &how);
  uint64_t hash = b.stats.trace_hash;
  run(&b, bar_goto, 33, &how);
  ck_assert_uint_ne(b.stats.trace_hash, hash);
  run(&b, bar_tree_sum, 96, &plain);
  ck_assert_uint_eq(b.stats.trace_hash, 0);
  run(&b, bar_tree_sum, 96, &how);
  ck_assert_uint_eq(b.stats.trace_hash, hash);
  simt_destroy(b.simt);
}
END_TEST

/* A branch that 256 threads take must count, and so must ten times as many. */
START_TEST(test_coverage) {
  Bench b;
  SimtRun how = {.detect = 0};
  size_t n, before = 0, after = 0, full = 0;
  ck_assert_int_eq(simt_create(&b.simt), 0);
  uint8_t *c = simt_coverage(&n);
  ck_assert_uint_gt(n, 100);
  memset(c, 0, n);
  run(&b, addr_packed, 9, &how);
  c = simt_coverage(&n);
  for (size_t i = 0; i < n; i++) before += c[i] != 0;
  run(&b, addr_long_loop, 32, &how); /* 64,000 times round a loop */
  c = simt_coverage(&n);
  for (size_t i = 0; i < n; i++) after += c[i] != 0, full += c[i] == 255;
  ck_assert_uint_gt(after, before);
  ck_assert_uint_gt(full, 0);
  simt_destroy(b.simt);
}
END_TEST

/* ---- signals while host code runs: those that are not its own go where they went before ---- */

static volatile int *volatile nowhere;

static void note_fault(int sig) { _exit(sig == SIGSEGV ? 42 : 43); }

static void broken_fill(void *ctx, uint64_t offset_bytes, uint64_t bytes, void *to) {
  (void)ctx, (void)offset_bytes, (void)bytes, (void)to;
  *nowhere = 1;
}

static void launch_on_broken(void *buffers) { meant_nothing(buffers, 64); }
static void send_signal(void *unused) {
  (void)unused;
  raise(SIGSEGV);
}
static void touch_nothing(void *unused) {
  (void)unused;
  *nowhere = 1;
}
static void do_nothing(void *unused) { (void)unused; }

/* As a child: what becomes of the process when `host` runs in a run with a buffer that cannot be filled. */
static int status_of(void (*host)(void *), int fault_afterwards) {
  pid_t pid = fork();
  ck_assert_int_ge(pid, 0);
  if (!pid) {
    const SimtRun how = {.detect = SIMT_DETECT_ALL};
    const SimtLazyBuffer broken = {.name = "broken", .bytes = 256, .expected_bytes = 256, .fill = broken_fill};
    Simt *s;
    void *buffer[3];
    signal(SIGSEGV, note_fault);
    if (simt_create(&s) != 0) _exit(1);
    for (int i = 0; i < 3; i++)
      if (simt_alloc_lazy(s, &broken, &buffer[i]) != 0) _exit(1);
    simt_begin(s, &how);
    int died = simt_call(s, host, buffer) != 0;
    size_t n = simt_end(s, NULL), n_listed;
    if (fault_afterwards) touch_nothing(NULL);
    _exit(died && n == 1 && simt_findings(s, &n_listed)->cls == SIMT_LAUNCH_ERROR ? 2 : n ? 3 : 0);
  }
  int status;
  ck_assert_int_eq(waitpid(pid, &status, 0), pid);
  ck_assert(WIFEXITED(status));
  return WEXITSTATUS(status);
}

START_TEST(test_signals) {
  ck_assert_int_eq(status_of(do_nothing, 0), 0);
  ck_assert_int_eq(status_of(touch_nothing, 0), 2);
  ck_assert_int_eq(status_of(touch_nothing, 1), 42); /* host code has ended */
  ck_assert_int_eq(status_of(launch_on_broken, 0), 42); /* a kernel runs */
  ck_assert_int_eq(status_of(send_signal, 0), 42); /* somebody else's */
}
END_TEST

/* Launches outside a run do nothing, and kernels leave no trace of a context that is gone. */
START_TEST(test_no_run) {
  int out[96] = {0}, in[96] = {0}, acc[96] = {0};
  void *buffer[3] = {out, in, acc};
  bar_tree_sum(buffer, 96);
  for (int i = 0; i < 96; i++) ck_assert_int_eq(out[i], 0);
}
END_TEST

int main(void) {
  Suite *s = suite_create("simt_api");
  TCase *tc = tcase_create("simt_api");
  tcase_add_test(tc, test_unwritten);
  tcase_add_test(tc, test_last_write);
  tcase_add_test(tc, test_base_offset);
  tcase_add_test(tc, test_trace);
  tcase_add_test(tc, test_coverage);
  tcase_add_test(tc, test_signals);
  tcase_add_test(tc, test_no_run);
  suite_add_tcase(s, tc);
  return suite_run(s);
}
