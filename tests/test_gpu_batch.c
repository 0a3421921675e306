/* test_gpu_batch.c - batches of a campaign on a device (fuzz/gpu_batch.h), which is a script here: right results of add and whatever
 * a test does to them. */
#include "../fuzz/gpu_batch.h"
#include "../fuzz/run_gpu.h"
#include "suite.h"
#include <stdlib.h>
#include <string.h>

/* ---- the device ---- */

typedef struct Sent {
  size_t n;
  WfGpuJob job[WF_GPU_MAX_JOBS];
  float *in[WF_GPU_MAX_JOBS][2], *y[WF_GPU_MAX_JOBS];
} Sent;

struct WfGpu {
  Sent sent[WF_GPU_BATCHES];
  unsigned n_sent, n_taken;
  size_t alone, together;
  size_t most; /* jobs that fit into a batch; 0: all */
  void (*script)(WfGpu *g, WfGpuAnswer *a, const WfGpuJob *job, size_t n); /* to the answer of one of n jobs */
};

const WfDeviceInfo *wf_gpu_info(const WfGpu *g) {
  static const WfDeviceInfo info = {.name = "a script"};
  (void)g;
  return &info;
}

int wf_gpu_fits(const WfGpu *g, const WfGpuJob *job) {
  (void)g;
  return !job->slice && wf_case_elems(job->c, 0) <= 100000;
}

static void forget(Sent *s) {
  for (size_t i = 0; i < s->n; i++) {
    free(s->in[i][0]);
    free(s->in[i][1]);
    free(s->y[i]);
  }
  s->n = 0;
}

int wf_gpu_submit(WfGpu *g, const WfGpuJob *jobs, size_t n, char *err, size_t err_size) {
  Sent *s = &g->sent[g->n_sent % WF_GPU_BATCHES];
  (void)err;
  (void)err_size;
  ck_assert_uint_lt(g->n_sent - g->n_taken, WF_GPU_BATCHES);
  forget(s);
  n = g->most > 0 && n > g->most ? g->most : n;
  memcpy(s->job, jobs, n * sizeof *jobs);
  s->n = n;
  g->n_sent++;
  return (int)n;
}

static void answer(WfGpu *g, Sent *s, size_t i, WfGpuAnswer *a) {
  const WfGpuJob *job = &s->job[i];
  size_t n = (size_t)wf_case_elems(job->c, 0);
  *a = (WfGpuAnswer){0};
  for (int t = 0; t < 2; t++) {
    s->in[i][t] = malloc((n + 1) * sizeof(float));
    if (job->values)
      memcpy(s->in[i][t], job->values[t], n * sizeof(float));
    else
      wf_case_values(job->c, t, s->in[i][t]);
    a->in[t] = s->in[i][t];
  }
  s->y[i] = malloc((n + 1) * sizeof(float));
  for (size_t k = 0; k < n; k++)
    s->y[i][k] = s->in[i][0][k] + s->in[i][1][k];
  a->y = s->y[i];
  if (g->script)
    g->script(g, a, job, s->n);
}

int wf_gpu_wait(WfGpu *g, WfGpuAnswer *out, char *err, size_t err_size) {
  Sent *s = &g->sent[g->n_taken++ % WF_GPU_BATCHES];
  (void)err;
  (void)err_size;
  *(s->n == 1 ? &g->alone : &g->together) += s->n;
  for (size_t i = 0; i < s->n; i++)
    answer(g, s, i, &out[i]);
  return 0;
}

/* ---- a campaign ---- */

static WfGpu gpu;
static WfTarget targets[3];
static WfLimits limits[3]; /* used with n_given or leaves */
static int leaves;         /* the contracts */
static int64_t n_given;    /* cases given beforehand: 2 elements, and so on upwards */
static uint8_t seen[3][512]; /* by target and length: times */
static size_t n_outside, n_wrong_outside; /* verdicts that say so; that do not say what is so */
static size_t executions[3], errors[3], warnings[3], given_up[3], failures, n_before;
static size_t ends_after = SIZE_MAX; /* so many runs by itself, the time is over */
static char detail[160];

static void before(void *arg, const WfStep *s) {
  (void)arg;
  (void)s;
  n_before++;
}

static int done(void *arg, WfStep *s, const char *message) {
  (void)arg;
  if (message) {
    failures++;
    return 0;
  }
  char why[160] = "";
  WfFinding f = {.outside = ""};
  executions[s->target]++;
  seen[s->target][s->c->dim[0] & 511]++;
  wf_case_admits(s->c, targets[s->target].variant, NULL, why, sizeof why);
  if (s->verdict->n > 0)
    f = s->verdict->finding[0];
  n_outside += why[0] != '\0';
  n_wrong_outside += strcmp(why, s->verdict->outside) != 0 || (s->verdict->n > 0 && strcmp(why, f.outside) != 0);
  errors[s->target] += s->verdict->errors != 0;
  warnings[s->target] += s->verdict->warnings != 0;
  given_up[s->target] += s->verdict->no_verdict != 0;
  if (s->verdict->n > 0)
    memcpy(detail, s->verdict->finding[0].simt.detail, sizeof detail);
  return 0;
}

static int is_over(void *arg) {
  (void)arg;
  return n_before >= ends_after;
}

static void give(WfFuzzer *f) {
  static const char text[] = "warpfuzz case 1\nop add\nn 2\nblock 64 1 1\na ramp\nb ramp\n";
  char err[WF_CASE_ERROR_MAX];
  WfCase c;
  ck_assert_int_eq(wf_case_parse(&c, text, sizeof text - 1, "given", err, sizeof err), 0);
  for (int64_t i = 0; i < n_given; i++) {
    c.dim[0] = 2 + i;
    ck_assert_int_gt(wf_fuzzer_add(f, &c), 0);
  }
}

static void run(uint64_t runs, void (*script)(WfGpu *, WfGpuAnswer *, const WfGpuJob *, size_t)) {
  static const char *const names[] = {"scalar", "float4", "grid_stride"};
  const WfGpuSink sink = {NULL, before, done, is_over};
  char err[256];
  WfFuzzer *f;
  WfGpuBatches *b;
  for (int i = 0; i < 3; i++) {
    targets[i].op = wf_op_find("add", 3);
    targets[i].variant = wf_variant_find(targets[i].op, names[i], strlen(names[i]));
  }
  gpu.script = script;
  for (int i = 0; i < 3; i++) {
    wf_limits_init(&limits[i], targets[i].op);
    limits[i].outside = leaves;
  }
  const WfRunOptions opt = {.outside = leaves};
  ck_assert_int_eq(wf_fuzzer_create(&f, targets, 3, 7), 0);
  wf_runner_use(wf_fuzzer_runner(f), WF_BACKEND_GPU, &gpu, WF_GPU_DEFAULT);
  wf_fuzzer_limit(f, limits, 0, 0);
  give(f);
  ck_assert_int_eq(wf_gpu_batches_create(&b, f, targets, 3, &gpu, &opt), 0);
  for (uint64_t n = 0; n < runs;) {
    int did = wf_gpu_batches_step(b, runs - n, &sink, err, sizeof err);
    ck_assert_msg(did > 0, "%s", err);
    n += (uint64_t)did;
  }
  ck_assert_int_eq(wf_gpu_batches_step(b, 0, &sink, err, sizeof err), 0);
  ck_assert_uint_eq(gpu.n_sent, gpu.n_taken);
  wf_gpu_batches_destroy(b);
  wf_fuzzer_destroy(f);
  for (int i = 0; i < WF_GPU_BATCHES; i++)
    forget(&gpu.sent[i]);
  ck_assert_uint_eq(failures, 0);
}

START_TEST(test_right) {
  run(3000, NULL);
  ck_assert_uint_eq(executions[0] + executions[1] + executions[2], 3000);
  for (int i = 0; i < 3; i++) {
    ck_assert_uint_gt(executions[i], 500);
    ck_assert_uint_eq(errors[i] + warnings[i], 0);
  }
  ck_assert_uint_gt(gpu.together, 2500);
  ck_assert_uint_gt(gpu.alone, 2); /* closer looks */
  ck_assert_uint_gt(n_before, 2);
}
END_TEST

/* Wrong wherever it runs. */
static void float4_wrong(WfGpu *g, WfGpuAnswer *a, const WfGpuJob *job, size_t n) {
  (void)g;
  (void)n;
  if (job->v == targets[1].variant && wf_case_elems(job->c, 0) > 2)
    ((float *)a->y)[1] = 1e30f;
}

START_TEST(test_wrong) {
  run(600, float4_wrong);
  ck_assert_uint_gt(errors[1], 50);
  ck_assert_uint_eq(errors[0] + errors[2] + warnings[0] + warnings[1] + warnings[2], 0);
}
END_TEST

/* Wrong in company alone, and nobody else shows anything. */
static void wrong_in_company(WfGpu *g, WfGpuAnswer *a, const WfGpuJob *job, size_t n) {
  (void)g;
  if (n > 1 && job->v == targets[1].variant && wf_case_elems(job->c, 0) > 2)
    ((float *)a->y)[1] = 1e30f;
}

START_TEST(test_unconfirmed) {
  run(600, wrong_in_company);
  ck_assert_uint_gt(warnings[1], 50);
  ck_assert_uint_eq(errors[0] + errors[1] + errors[2] + warnings[0] + warnings[2], 0);
  ck_assert_str_eq(detail, "it was wrong once, in company of other launches, and right whenever it ran by itself");
}
END_TEST

/* grid_stride writes far behind its output: in company that is float4's memory, alone it is a guard. */
static void culprit(WfGpu *g, WfGpuAnswer *a, const WfGpuJob *job, size_t n) {
  wrong_in_company(g, a, job, n);
  if (n == 1 && job->v == targets[2].variant)
    a->guard = (WfGpuDamage){1, "c", 70000, 0};
}

START_TEST(test_culprit) {
  run(600, culprit);
  ck_assert_uint_gt(errors[2], 50);
  ck_assert_uint_eq(errors[0] + errors[1] + warnings[0] + warnings[1] + warnings[2], 0);
}
END_TEST

/* One job takes the batch with it: all run by themselves. */
static void breaks(WfGpu *g, WfGpuAnswer *a, const WfGpuJob *job, size_t n) {
  (void)g;
  if (n > 1)
    a->end = WF_GPU_UNKNOWN;
  else if (job->v == targets[0].variant)
    *a = (WfGpuAnswer){.end = WF_GPU_FAULT, .error = {WF_DEVICE_MISALIGNED, 716, "cudaErrorMisalignedAddress"}};
}

START_TEST(test_breaks) {
  run(300, breaks);
  ck_assert_uint_eq(errors[0], executions[0]);
  ck_assert_uint_gt(errors[0], 20);
  ck_assert_uint_eq(errors[1] + errors[2] + warnings[0] + warnings[1] + warnings[2], 0);
}
END_TEST

/* Slow while another process holds the device: only what takes five times as long, too, hangs. */
static void held_up(WfGpu *g, WfGpuAnswer *a, const WfGpuJob *job, size_t n) {
  (void)g;
  if (n > 1)
    a->end = WF_GPU_UNKNOWN;
  else if (job->v == targets[0].variant || (job->v == targets[1].variant && !job->patient))
    *a = (WfGpuAnswer){.end = WF_GPU_HUNG};
}

START_TEST(test_held_up) {
  run(300, held_up);
  ck_assert_uint_eq(errors[0], executions[0]);
  ck_assert_uint_gt(errors[0], 20);
  ck_assert_uint_eq(errors[1] + errors[2] + warnings[0] + warnings[1] + warnings[2], 0);
}
END_TEST

/* All of a batch would run by itself; when the time is over, the others have no verdict, and nobody's is an error by that. */
START_TEST(test_over) {
  ends_after = 1;
  run(300, breaks);
  ck_assert_uint_eq(executions[0] + executions[1] + executions[2], 300);
  ck_assert_uint_lt(n_before, 30); /* the first of each batch */
  ck_assert_uint_ge(given_up[0] + given_up[1] + given_up[2], 300 - n_before);
  ck_assert_uint_le(errors[0], n_before);
  ck_assert_uint_eq(errors[1] + errors[2] + warnings[0] + warnings[1] + warnings[2], 0);
}
END_TEST

/* A fault that comes in company, and by itself in one run of six. */
static void breaks_rarely(WfGpu *g, WfGpuAnswer *a, const WfGpuJob *job, size_t n) {
  static const WfGpuAnswer fault = {.end = WF_GPU_FAULT, .error = {WF_DEVICE_ADDRESS, 700, "cudaErrorIllegalAddress"}};
  static size_t n_runs;
  (void)g;
  if (n > 1) {
    *a = fault;
    a->end = WF_GPU_UNKNOWN;
  } else if (job->v == targets[2].variant && job->disturb && ++n_runs % 6 == 0)
    *a = fault;
}

START_TEST(test_breaks_rarely) {
  run(640, breaks_rarely);
  ck_assert_uint_gt(errors[2], 3);
  ck_assert_uint_eq(errors[0] + errors[1] + warnings[0] + warnings[1] + warnings[2], 0);
}
END_TEST

/* Cases that were given all run, however few fit into a batch. */
START_TEST(test_given) {
  n_given = 100;
  gpu.most = 5;
  run(900, NULL);
  for (int64_t i = 0; i < n_given; i++)
    ck_assert_uint_gt(seen[0][2 + i], 0);
}
END_TEST

/* In company too it is told of each case alone whether it is outside of the contract. */
START_TEST(test_outside) {
  leaves = 1;
  run(2000, wrong_in_company);
  ck_assert_uint_gt(n_outside, 100);
  ck_assert_uint_gt(2000 - n_outside, 100);
  ck_assert_uint_eq(n_wrong_outside, 0);
}
END_TEST

int main(void) {
  Suite *s = suite_create("gpu_batch");
  TCase *t = tcase_create("batches");
  tcase_add_test(t, test_right);
  tcase_add_test(t, test_wrong);
  tcase_add_test(t, test_unconfirmed);
  tcase_add_test(t, test_culprit);
  tcase_add_test(t, test_breaks);
  tcase_add_test(t, test_held_up);
  tcase_add_test(t, test_over);
  tcase_add_test(t, test_breaks_rarely);
  tcase_add_test(t, test_given);
  tcase_add_test(t, test_outside);
  suite_add_tcase(s, t);
  return suite_run(s);
}
