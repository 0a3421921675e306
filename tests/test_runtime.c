/* test_runtime.c - the CUDA runtime on the engine, in whole programs: what its functions do and return (runtime/calls.cu), what is found in host
 * code that misuses memory and not in its right twin (runtime/faults.cu), errors that stay, functions that there are not; and calls from C. */
#define _POSIX_C_SOURCE 200809L
#include "../simt/include/cuda_runtime.h"
#include "../simt/engine.h"
#include "../simt/program.h"
#include "suite.h"
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROW(name) int name(void);
#include "runtime/calls.def"
#undef ROW
#define ROW(name, cls, severity, text) void fault_##name(void), right_##name(void);
#include "runtime/faults.def"
#undef ROW
int broken_address(void), broken_alignment(void), broken_trap(void), not_broken(void);
void on_line(int line);

static const struct {
  const char *name;
  int (*call)(void);
} calls[] = {
#define ROW(name) {#name, name},
#include "runtime/calls.def"
#undef ROW
};
static const struct {
  const char *name;
  void (*faulty)(void), (*right)(void);
  SimtClass cls;
  SimtSeverity severity;
  const char *text;
} faults[] = {
#define ROW(name, cls, severity, text) {#name, fault_##name, right_##name, cls, severity, text},
#include "runtime/faults.def"
#undef ROW
};
enum { N_CALLS = sizeof calls / sizeof calls[0], N_FAULTS = sizeof faults / sizeof faults[0] };

/* ---- a program, and what is told of it ---- */

enum { MAX_FOUND = 16 };
typedef struct Told {
  SimtFinding finding[MAX_FOUND];
  int n, line; /* where a finding of the host's is to be */
  char unsupported[64];
} Told;
static Told told;

void on_line(int line) { told.line = line; }

static void found(void *ctx, const SimtFinding *f) {
  Told *t = ctx;
  if (t->n < MAX_FOUND) t->finding[t->n++] = *f;
}

static void unsupported(void *ctx, const char *function, const SimtSite *site) {
  Told *t = ctx;
  (void)site;
  snprintf(t->unsupported, sizeof t->unsupported, "%s", function);
}

static void begin(void) {
  const SimtProgramHow how = {.run = {.detect = SIMT_DETECT_ALL}, .found = found, .unsupported = unsupported, .ctx = &told};
  memset(&told, 0, sizeof told);
  ck_assert_int_eq(simt_program_begin(&how), 0);
}

static SimtProgramTotals end(void) {
  SimtProgramTotals t;
  simt_program_end(&t);
  ck_assert_int_eq((int)(t.errors + t.warnings), told.n);
  ck_assert_int_eq(t.abandoned, 0);
  return t;
}

static void ck_nothing(const char *name) {
  if (told.n) ck_abort_msg("%s: %s: %s", name, simt_class_name(told.finding[0].cls), told.finding[0].detail);
}

/* ---- tests ---- */

START_TEST(test_call) {
  begin();
  int line = calls[_i].call();
  if (line) ck_abort_msg("%s: runtime/calls.cu:%d fails", calls[_i].name, line);
  ck_nothing(calls[_i].name);
  ck_assert_int_eq((int)end().unjudged, 0);
  ck_nothing(calls[_i].name);
}
END_TEST

/* The same in launchers of a case: whose allocations live from run to run, and whose context never breaks. */
static int status;
static void call_row(void *row) { status = calls[*(int *)row].call(); }

START_TEST(test_in_launcher) {
  const SimtRun how = {.detect = SIMT_DETECT_ALL};
  Simt *s;
  size_t n;
  ck_assert_int_eq(simt_create(&s), 0);
  for (int run = 0; run < 2; run++) {
    simt_begin(s, &how);
    ck_assert_int_eq(simt_call(s, call_row, &_i), 0);
    simt_end(s, NULL);
    if (status) ck_abort_msg("%s: runtime/calls.cu:%d fails", calls[_i].name, status);
    const SimtFinding *f = simt_findings(s, &n);
    if (n) ck_abort_msg("%s: %s: %s", calls[_i].name, simt_class_name(f->cls), f->detail);
  }
  simt_destroy(s);
}
END_TEST

static float *kept;
static void keep(void *first) {
  if (*(int *)first) ck_assert_int_eq(cudaMalloc((void **)&kept, 400), cudaSuccess);
  ck_assert_int_eq(cudaMemset(kept, 0, 400), cudaSuccess);
}

START_TEST(test_kept_by_launcher) {
  const SimtRun how = {.detect = SIMT_DETECT_ALL};
  Simt *s;
  ck_assert_int_eq(simt_create(&s), 0);
  for (int first = 1; first >= 0; first--) {
    simt_begin(s, &how);
    ck_assert_int_eq(simt_call(s, keep, &first), 0);
    ck_assert_int_eq((int)simt_end(s, NULL), 0);
    simt_free_all(s);
  }
  simt_destroy(s);
}
END_TEST

START_TEST(test_right) {
  begin();
  faults[_i].right();
  end();
  ck_nothing(faults[_i].name);
}
END_TEST

START_TEST(test_fault) {
  begin();
  faults[_i].faulty();
  simt_program_end(NULL);
  if (told.n != 1) ck_abort_msg("%s: %d findings, the last one %s", faults[_i].name, told.n, told.n ? told.finding[told.n - 1].detail : "none");
  const SimtFinding *f = &told.finding[0];
  if (f->cls != faults[_i].cls || f->severity != faults[_i].severity || !strstr(f->detail, faults[_i].text))
    ck_abort_msg("%s: %s %s: %s", faults[_i].name, f->severity ? "error" : "warning", simt_class_name(f->cls), f->detail);
  ck_assert_ptr_nonnull(f->here.site);
  const char *file = strrchr(f->here.site->file, '/');
  ck_assert_str_eq(file ? file + 1 : f->here.site->file, "faults.cu");
  if (f->here.is_host && told.line) ck_assert_int_eq((int)f->here.site->line, told.line);
  ck_assert_str_ne(f->rule, "");
}
END_TEST

/* The same when the engine's numbers run out in between: what is written, and what is not, is not forgotten. What is under way then counts as
 * over, so a race may be missed. */
static void begin_late(void) {
  begin();
  simt_program()->races.next_chunk = (1u << 26) + 1;
}

START_TEST(test_renewed) {
  begin_late();
  faults[_i].right();
  end();
  ck_nothing(faults[_i].name);
  begin_late();
  faults[_i].faulty();
  simt_program_end(NULL);
  if (told.n == 0 && faults[_i].cls == SIMT_RACE_GLOBAL) return;
  if (told.n != 1 || told.finding[0].cls != faults[_i].cls)
    ck_abort_msg("%s: %d findings, the first one %s", faults[_i].name, told.n, told.n ? told.finding[0].detail : "none");
}
END_TEST

/* One that kills the context is told of once, and no leak is: nothing can be freed any more. */
START_TEST(test_broken) {
  static const struct {
    int (*call)(void);
    SimtClass cls;
  } rows[] = {{broken_address, SIMT_OOB_GLOBAL}, {broken_alignment, SIMT_MISALIGNED}, {broken_trap, SIMT_TRAP}};
  begin();
  ck_assert_int_eq(rows[_i].call(), 0);
  ck_assert_int_eq((int)end().errors, 1);
  ck_assert_int_eq(told.n, 1);
  ck_assert_int_eq((int)told.finding[0].cls, (int)rows[_i].cls);
}
END_TEST

START_TEST(test_not_broken) {
  begin();
  ck_assert_int_eq(not_broken(), 0);
  ck_assert_int_eq((int)end().errors, 2);
  ck_assert_int_eq((int)told.finding[0].cls, SIMT_OOB_GLOBAL);
  ck_assert_int_eq((int)told.finding[1].cls, SIMT_LAUNCH_ERROR);
}
END_TEST

START_TEST(test_refused) {
  begin();
  ck_assert_int_eq(cudaGraphCreate(), cudaErrorNotSupported);
  ck_assert_str_eq(told.unsupported, "cudaGraphCreate");
  ck_assert_int_eq(cudaCreateTextureObject(), cudaErrorNotSupported);
  ck_assert_str_eq(told.unsupported, "cudaCreateTextureObject");
  ck_assert_int_eq(cudaGetLastError(), cudaErrorNotSupported);
  end();
}
END_TEST

START_TEST(test_from_c) {
  float *p, host[4] = {1, 2, 3, 4}, back[4] = {0};
  begin();
  ck_assert_int_eq(cudaMalloc((void **)&p, sizeof host), cudaSuccess);
  ck_assert_int_eq(cudaMemcpy(p, host, sizeof host, cudaMemcpyHostToDevice), cudaSuccess);
  ck_assert_int_eq(cudaMemcpy(back, p, sizeof back, cudaMemcpyDeviceToHost), cudaSuccess);
  ck_assert_mem_eq(host, back, sizeof host);
  dim3 grid = {1, 1, 1};
  ck_assert_int_eq(cudaLaunchKernel(p, grid, grid, NULL, 0, NULL), cudaErrorInvalidResourceHandle);
  ck_assert_int_eq(cudaFree(p), cudaSuccess);
  end();
  ck_nothing("C");
}
END_TEST

START_TEST(test_outside) {
  void *p;
  ck_assert_int_eq(cudaMalloc(&p, 4), cudaErrorInitializationError); /* no program runs */
  ck_assert_ptr_null(simt_program());
  begin();
  ck_assert_ptr_nonnull(simt_program());
  const SimtProgramHow how = {.run = {.detect = SIMT_DETECT_ALL}};
  ck_assert_int_eq(simt_program_begin(&how), -1); /* one at a time */
  end();
  begin(); /* and another one after it */
  ck_assert_int_eq(cudaMalloc(&p, 4), cudaSuccess);
  ck_assert_int_eq(cudaFree(p), cudaSuccess);
  end();
}
END_TEST

START_TEST(test_device_text) {
  char bad[64] = "";
  ck_assert_int_eq(simt_program_check_device(NULL, bad, sizeof bad), 0);
  ck_assert_int_eq(simt_program_check_device("multiProcessorCount=108,name=NVIDIA A100,major=8", bad, sizeof bad), 0);
  ck_assert_int_eq(simt_program_check_device("major=8,multiProcessors=1", bad, sizeof bad), -1);
  ck_assert_str_eq(bad, "multiProcessors=1");
  ck_assert_int_eq(simt_program_check_device("major=eight", bad, sizeof bad), -1);
  ck_assert_str_eq(bad, "major=eight");
  ck_assert_int_eq(simt_program_check_device("major", bad, sizeof bad), -1);
}
END_TEST

START_TEST(test_device_set) {
  struct cudaDeviceProp prop;
  int value;
  setenv("WARPFUZZ_DEVICE", "multiProcessorCount=2,name=small", 1);
  begin();
  ck_assert_int_eq(cudaGetDeviceProperties(&prop, 0), cudaSuccess);
  ck_assert_str_eq(prop.name, "small");
  ck_assert_int_eq(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0), cudaSuccess);
  ck_assert_int_eq(value, 2);
  end();
}
END_TEST

int main(void) {
  Suite *s = suite_create("runtime");
  TCase *t = tcase_create("runtime");
  tcase_add_loop_test(t, test_call, 0, N_CALLS);
  tcase_add_loop_test(t, test_in_launcher, 0, N_CALLS);
  tcase_add_test(t, test_kept_by_launcher);
  tcase_add_loop_test(t, test_right, 0, N_FAULTS);
  tcase_add_loop_test(t, test_fault, 0, N_FAULTS);
  tcase_add_loop_test(t, test_renewed, 0, N_FAULTS);
  tcase_add_loop_test(t, test_broken, 0, 3);
  tcase_add_test(t, test_not_broken);
  tcase_add_test(t, test_refused);
  tcase_add_test(t, test_from_c);
  tcase_add_test(t, test_outside);
  tcase_add_test(t, test_device_text);
  tcase_add_test(t, test_device_set);
  suite_add_tcase(s, t);
  return suite_run(s);
}
