/* test_run_gpu.c - verdicts from the answers of a device, which is a script here: add, of five elements. */
#include "../fuzz/run_gpu.h"
#include "suite.h"
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* ---- the device ---- */

enum { N = 5 };

struct WfGpu {
  /* Changes the right answer to the n-th job, from 0 on. */
  void (*script)(WfGpuAnswer *a, float *y, const WfGpuJob *job, unsigned n);
  unsigned n_jobs;
  size_t n_sent;
  WfGpuJob sent[WF_GPU_MAX_JOBS];
  int fits;
  float in[WF_MAX_TENSORS][N], y[WF_GPU_MAX_JOBS][N];
  uint64_t disturbed, slices;
};

const WfDeviceInfo *wf_gpu_info(const WfGpu *g) {
  static const WfDeviceInfo info = {.name = "a script", .major = 9, .minor = 1, .runtime = 13020};
  (void)g;
  return &info;
}

int wf_gpu_fits(const WfGpu *g, const WfGpuJob *job) {
  return g->fits || job->slice;
}

int wf_gpu_submit(WfGpu *g, const WfGpuJob *jobs, size_t n, char *err, size_t err_size) {
  (void)err;
  (void)err_size;
  memcpy(g->sent, jobs, n * sizeof *jobs);
  g->n_sent = n;
  return (int)n;
}

int wf_gpu_wait(WfGpu *g, WfGpuAnswer *out, char *err, size_t err_size) {
  (void)err;
  (void)err_size;
  for (size_t k = 0; k < g->n_sent; k++) {
    const WfGpuJob *job = &g->sent[k];
    WfGpuAnswer *a = &out[k];
    *a = (WfGpuAnswer){.y = g->y[k]};
    for (int t = 0; t < 2; t++) {
      if (job->values)
        memcpy(g->in[t], job->values[t], sizeof g->in[t]);
      else
        wf_case_values(job->c, t, g->in[t]);
      a->in[t] = g->in[t];
    }
    for (int i = 0; i < N; i++)
      g->y[k][i] = g->in[0][i] + g->in[1][i];
    for (size_t i = 0; job->slice && i < job->n_slices; i++) { /* ascending: none is overwritten too early */
      g->y[k][i] = g->y[k][job->slice[i]];
      a->in[0] = a->in[1] = NULL;
    }
    g->slices += job->n_slices;
    g->disturbed += job->disturb != 0;
    if (g->script)
      g->script(a, g->y[k], job, g->n_jobs);
    g->n_jobs++;
  }
  return 0;
}

/* ---- one run ---- */

static const char text[] = "warpfuzz case 1\nop add\nn 5\ngrid 1 1 1\nblock 32 1 1\nschedule 0x10\na uniform seed=1\nb uniform seed=2\n";
static WfRunner *runner;
static WfGpu gpu;
static WfCase c;
static WfVerdict verdict;
static char err[256];

static void set_up(void) {
  ck_assert_int_eq(wf_runner_create(&runner), 0);
  ck_assert_int_eq(wf_case_parse(&c, text, sizeof text - 1, "case", err, sizeof err), 0);
  gpu = (WfGpu){.fits = 1};
  wf_runner_use(runner, WF_BACKEND_GPU, &gpu, WF_GPU_DEFAULT);
}

static void tear_down(void) { wf_runner_destroy(runner); }

static const WfVariant *scalar(void) {
  const WfVariant *v = wf_variant_find(c.op, "scalar", 6);
  ck_assert_ptr_nonnull(v);
  return v;
}

static int run(const WfVariant *v, void (*script)(WfGpuAnswer *, float *, const WfGpuJob *, unsigned)) {
  const WfRunOptions opt = {.detect = SIMT_DETECT_ALL, .all_relations = 1};
  gpu.script = script;
  gpu.n_jobs = 0;
  return wf_run(runner, &c, v, &opt, &verdict, err, sizeof err);
}

/* Exactly one finding, an error of that class, which says the text; and names its device. */
static const WfFinding *only(SimtClass cls, const char *says) {
  ck_assert_uint_eq(verdict.n, 1);
  const WfFinding *f = &verdict.finding[0];
  ck_assert_str_eq(simt_class_name(f->simt.cls), simt_class_name(cls));
  ck_assert_uint_eq(verdict.errors, 1u << cls);
  ck_assert_msg(strstr(f->simt.detail, says) != NULL, "%s", f->simt.detail);
  ck_assert_str_eq(f->device, "a script, compute capability 9.1, CUDA 13.2");
  ck_assert_str_eq(f->build, "default");
  ck_assert_uint_eq(f->key, wf_case_key(&c));
  char *report = wf_finding_text(f, "x.case"), *json = wf_finding_json(f, "x.case");
  ck_assert(report && strstr(report, " --backend gpu") && strstr(report, "nvcc flavor default"));
  ck_assert(json && strstr(json, "\"backend\":\"gpu\"") && strstr(json, "\"build\":\"default\""));
  free(report);
  free(json);
  return f;
}

/* ---- right results ---- */

START_TEST(test_right) {
  ck_assert_int_eq(run(scalar(), NULL), 0);
  ck_assert_uint_eq(verdict.n, 0);
  ck_assert_uint_eq(verdict.errors | verdict.warnings, 0);
  unsigned relations = 0;
  while (c.op->relations[relations])
    relations++;
  ck_assert_uint_eq(gpu.n_jobs, 7 + relations); /* one, and six repeats, all but the first of them under other circumstances */
  ck_assert_uint_eq(gpu.disturbed, 5);
  ck_assert_uint_eq(verdict.runs, 7 + relations);
}
END_TEST

static void wrong_when_changed(WfGpuAnswer *a, float *y, const WfGpuJob *job, unsigned n) {
  (void)a;
  (void)n;
  if (job->values)
    y[1] += 1;
}

START_TEST(test_relation) {
  ck_assert_int_eq(run(scalar(), wrong_when_changed), 0);
  ck_assert_uint_eq(verdict.n, 1);
  ck_assert_uint_eq(verdict.errors, 1u << SIMT_WRONG_RESULT);
  ck_assert_ptr_nonnull(verdict.finding[0].device);
  ck_assert(wf_finding_by_relation(&verdict.finding[0]));
}
END_TEST

static void payload(WfGpuAnswer *a, float *y, const WfGpuJob *job, unsigned n) {
  uint32_t nan = 0x7fc00000u + n;
  (void)a;
  (void)job;
  memcpy(&y[2], &nan, sizeof nan);
}

START_TEST(test_payloads_say_nothing) {
  c.edits[c.n_edits++] = (WfEdit){.tensor = 0, .sel = {{2, 2, 1}}, .value = NAN};
  ck_assert_int_eq(run(scalar(), payload), 0);
  ck_assert_uint_eq(verdict.n, 0);
}
END_TEST

START_TEST(test_does_not_fit) {
  gpu.fits = 0;
  ck_assert_int_eq(run(scalar(), NULL), 0);
  ck_assert_int_eq(verdict.no_verdict, 1);
  ck_assert_uint_eq(gpu.n_jobs, 0);
}
END_TEST

/* ---- too large to come back whole: here, because the device says so ---- */

static int run_in_part(void (*script)(WfGpuAnswer *, float *, const WfGpuJob *, unsigned)) {
  const WfRunOptions opt = {.detect = SIMT_DETECT_ALL, .some_blocks = 1};
  gpu.script = script;
  gpu.n_jobs = 0;
  gpu.fits = 0;
  return wf_run(runner, &c, scalar(), &opt, &verdict, err, sizeof err);
}

static void no_room(WfGpuAnswer *a, float *y, const WfGpuJob *job, unsigned n) {
  (void)y;
  (void)job;
  (void)n;
  *a = (WfGpuAnswer){.end = WF_GPU_NO_ROOM};
}

static void unwritten_elsewhere(WfGpuAnswer *a, float *y, const WfGpuJob *job, unsigned n) {
  (void)y;
  (void)job;
  (void)n;
  a->unwritten = 3;
}

static void wrong_slice(WfGpuAnswer *a, float *y, const WfGpuJob *job, unsigned n) {
  (void)a;
  (void)job;
  (void)n;
  y[4] += 1;
}

START_TEST(test_in_part) {
  ck_assert_int_eq(run_in_part(NULL), 0);
  ck_assert_uint_eq(verdict.n, 0);
  ck_assert_int_eq(verdict.no_verdict, 0);
  ck_assert_uint_eq(gpu.slices, 2 * N); /* the schedule says that it is repeated */
  ck_assert_int_eq(run_in_part(no_room), 0);
  ck_assert_int_eq(verdict.no_verdict, 1);
  ck_assert_uint_eq(verdict.n, 0);
}
END_TEST

static void hangs(WfGpuAnswer *a, float *y, const WfGpuJob *job, unsigned n) {
  (void)y;
  (void)job;
  (void)n;
  *a = (WfGpuAnswer){.end = WF_GPU_HUNG};
}

START_TEST(test_in_part_takes_long) { /* which is no hang, with so much to do */
  ck_assert_int_eq(run_in_part(hangs), 0);
  ck_assert_int_eq(verdict.no_verdict, 1);
  ck_assert_uint_eq(verdict.n, 0);
}
END_TEST

START_TEST(test_in_part_unwritten) {
  ck_assert_int_eq(run_in_part(unwritten_elsewhere), 0);
  ck_assert_uint_eq(verdict.n, 1);
  ck_assert_uint_eq(verdict.errors, 1u << SIMT_UNWRITTEN_OUTPUT);
  ck_assert_str_eq(verdict.finding[0].simt.detail, "3 elements of c were not written, none of those that were looked at");
}
END_TEST

START_TEST(test_in_part_wrong) {
  ck_assert_int_eq(run_in_part(wrong_slice), 0);
  ck_assert_uint_eq(verdict.n, 1);
  ck_assert_uint_eq(verdict.errors, 1u << SIMT_WRONG_RESULT);
  ck_assert_int_eq(verdict.finding[0].index, 4);
}
END_TEST

/* ---- how a run ends ---- */

static WfGpuEnd ended;
static WfDeviceStatus device_status;
static int ended_code = 700;

static void ends(WfGpuAnswer *a, float *y, const WfGpuJob *job, unsigned n) {
  (void)y;
  (void)job;
  (void)n;
  *a = (WfGpuAnswer){.end = ended, .error = {device_status, ended_code, "cudaErrorOfATest"}};
}

static const struct {
  WfGpuEnd end;
  int status; /* WfDeviceStatus */
  SimtClass cls;
  const char *says;
} endings[] = {
    {WF_GPU_FAULT, WF_DEVICE_ADDRESS, SIMT_OOB_GLOBAL, "illegal address: cudaErrorOfATest (700)"},
    {WF_GPU_FAULT, WF_DEVICE_MISALIGNED, SIMT_MISALIGNED, "misaligned address: cudaErrorOfATest (700)"},
    {WF_GPU_FAULT, WF_DEVICE_ASSERT, SIMT_TRAP, "an assertion"},
    {WF_GPU_FAULT, WF_DEVICE_TRAP, SIMT_TRAP, "an exception"},
    {WF_GPU_FAULT, WF_DEVICE_TIMEOUT, SIMT_HANG, "took too long"},
    {WF_GPU_HUNG, WF_DEVICE_OK, SIMT_HANG, "was killed"},
    {WF_GPU_DIED, 1 << 8, SIMT_LAUNCH_ERROR, "the host code that launches ended itself by exit(1)"}, /* wait statuses */
    {WF_GPU_DIED, SIGSEGV, SIMT_LAUNCH_ERROR, "the host code that launches died of signal 11 (Segmentation fault)"},
};

START_TEST(test_ends) {
  ended = endings[_i].end;
  if (ended == WF_GPU_DIED) ended_code = endings[_i].status;
  else device_status = (WfDeviceStatus)endings[_i].status;
  ck_assert_int_eq(run(scalar(), ends), 0);
  only(endings[_i].cls, endings[_i].says);
  ck_assert_uint_eq(gpu.n_jobs, endings[_i].end == WF_GPU_DIED ? 2 : 1);
}
END_TEST

START_TEST(test_device_is_lost) {
  ended = WF_GPU_FAULT;
  device_status = WF_DEVICE_LOST;
  ck_assert_int_eq(run(scalar(), ends), -1);
  ck_assert_str_eq(err, "the device failed: cudaErrorOfATest (700)");
  ck_assert_uint_eq(verdict.n, 0);
}
END_TEST

/* Killed from outside: that says nothing of the kernel. */
static unsigned n_kills;

static void is_killed(WfGpuAnswer *a, float *y, const WfGpuJob *job, unsigned n) {
  (void)y;
  (void)job;
  if (n < n_kills)
    *a = (WfGpuAnswer){.end = WF_GPU_DIED, .error = {.code = SIGKILL}};
}

static void dies_otherwise(WfGpuAnswer *a, float *y, const WfGpuJob *job, unsigned n) {
  (void)y;
  (void)job;
  if (n == 0)
    *a = (WfGpuAnswer){.end = WF_GPU_DIED, .error = {.code = SIGSEGV}};
}

START_TEST(test_killed) {
  n_kills = 3;
  ck_assert_int_eq(run(scalar(), is_killed), 0);
  ck_assert_uint_eq(verdict.n, 0);
  ck_assert_int_eq(run(scalar(), dies_otherwise), 0);
  ck_assert_uint_eq(verdict.n, 0);
  n_kills = 1000;
  ck_assert_int_eq(run(scalar(), is_killed), -1);
  ck_assert_str_eq(err, "the process with the device is killed again and again");
}
END_TEST

static void refused(WfGpuAnswer *a, float *y, const WfGpuJob *job, unsigned n) {
  (void)y;
  (void)job;
  (void)n;
  a->launch = (WfDeviceError){WF_DEVICE_REFUSED, 1, "cudaErrorInvalidValue"};
}

START_TEST(test_refused) {
  ck_assert_int_eq(run(scalar(), refused), 0);
  only(SIMT_LAUNCH_ERROR, "did not take place: cudaErrorInvalidValue (1)");
}
END_TEST

/* ---- memory ---- */

static void guard(WfGpuAnswer *a, float *y, const WfGpuJob *job, unsigned n) {
  (void)y;
  (void)job;
  (void)n;
  a->guard = (WfGpuDamage){3, "c", 20, 0x3f800000u};
}

START_TEST(test_guard) {
  ck_assert_int_eq(run(scalar(), guard), 0);
  const WfFinding *f = only(SIMT_OOB_GLOBAL, "memory behind 'c' was written: 0x3f800000 is there");
  ck_assert_str_eq(f->simt.object, "c");
  ck_assert_str_eq(f->simt.element, "[5]");
  ck_assert_int_eq(f->simt.offset_bytes, 20);
  ck_assert_uint_eq(f->simt.count, 3);
}
END_TEST

static void guard_late(WfGpuAnswer *a, float *y, const WfGpuJob *job, unsigned n) {
  (void)y;
  (void)job;
  if (n == 3)
    a->guard = (WfGpuDamage){1, "a", -4, 0};
}

START_TEST(test_guard_in_a_repeat) {
  ck_assert_int_eq(run(scalar(), guard_late), 0);
  only(SIMT_OOB_GLOBAL, "memory in front of 'a' was written");
}
END_TEST

static void input(WfGpuAnswer *a, float *y, const WfGpuJob *job, unsigned n) {
  (void)y;
  (void)job;
  (void)n;
  a->input = (WfGpuDamage){2, "b", 12, 0x40000000u};
}

START_TEST(test_input) {
  ck_assert_int_eq(run(scalar(), input), 0);
  const WfFinding *f = only(SIMT_INPUT_WRITTEN, "input b[3] changed from ");
  ck_assert_int_eq(f->index, 3);
  ck_assert_int_eq(f->n_bad, 2);
  ck_assert(f->got == 2.0f);
  ck_assert(f->expected == (double)wf_case_value(&c, 1, 3));
}
END_TEST

/* Of a word of two halves, the one that has changed: by its bits, whatever they are as numbers. */
static uint32_t word_now;
static void input_of_halves(WfGpuAnswer *a, float *y, const WfGpuJob *job, unsigned n) {
  (void)y;
  (void)job;
  (void)n;
  a->input = (WfGpuDamage){1, "b", 4, word_now}; /* b[2] and b[3] */
}

START_TEST(test_input_of_halves) {
  static const struct {
    const char *was, *says;
    uint32_t now;
    int at;
  } words[] = {{"b[2] = 0\nb[3] = 1\n", "input b[2] changed from 0 to -0", 0x3c008000u, 2},
               {"b[2] = nan\nb[3] = 1\n", "input b[3] changed from 1 to 2", 0x40007e00u, 3},
               {"b[2] = 1\nb[3] = 1\n", "input b[2] changed from 1 to 2", 0x3c004000u, 2},
               {"b[2] = 1\nb[3] = 0\n", "input b[3] changed from 0 to -0", 0x80003c00u, 3}};
  WfVariant halves = *scalar();
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    char all[512];
    int n = snprintf(all, sizeof all, "%s%s", text, words[i].was);
    ck_assert_int_eq(wf_case_parse(&c, all, (size_t)n, "case", err, sizeof err), 0);
    for (int t = 0; t < 3; t++)
      c.dtype[t] = halves.dtype[t] = WF_F16;
    word_now = words[i].now;
    ck_assert_msg(run(&halves, input_of_halves) == 0, "%s", err);
    ck_assert_int_eq(only(SIMT_INPUT_WRITTEN, words[i].says)->index, words[i].at);
  }
}
END_TEST

static void unwritten(WfGpuAnswer *a, float *y, const WfGpuJob *job, unsigned n) {
  (void)n;
  a->unwritten = 2;
  a->first_unwritten = 1;
  memcpy(&y[1], &job->pattern, sizeof *y);
  memcpy(&y[4], &job->pattern, sizeof *y);
}

START_TEST(test_unwritten) {
  ck_assert_int_eq(run(scalar(), unwritten), 0);
  const WfFinding *f = only(SIMT_UNWRITTEN_OUTPUT, "no thread wrote c[1]");
  ck_assert_int_eq(f->n_bad, 2);
  ck_assert_str_eq(f->map[0], ".#..#");
}
END_TEST

/* ---- values ---- */

static void wrong(WfGpuAnswer *a, float *y, const WfGpuJob *job, unsigned n) {
  (void)a;
  (void)job;
  (void)n;
  y[3] += 1;
}

START_TEST(test_wrong) {
  ck_assert_int_eq(run(scalar(), wrong), 0);
  const WfFinding *f = only(SIMT_WRONG_RESULT, "c[3] is off by 1");
  ck_assert_int_eq(f->index, 3);
}
END_TEST

static void special(WfGpuAnswer *a, float *y, const WfGpuJob *job, unsigned n) {
  (void)a;
  (void)job;
  (void)n;
  y[0] = INFINITY;
}

START_TEST(test_special) {
  ck_assert_int_eq(run(scalar(), special), 0);
  only(SIMT_WRONG_SPECIAL, "c[0] is inf");
}
END_TEST

/* The last bit; that the bound of add, half an ULP, does not admit: so a variant of 1 ULP more is asked for by --rtol. */
static void other_bit(float *y) { *y = nextafterf(*y, INFINITY); }

static void by_pattern(WfGpuAnswer *a, float *y, const WfGpuJob *job, unsigned n) {
  (void)a;
  (void)n;
  if (job->pattern != 0x7fc0deadu)
    other_bit(&y[2]);
}

static void once(WfGpuAnswer *a, float *y, const WfGpuJob *job, unsigned n) {
  (void)a;
  (void)job;
  if (n == 4)
    other_bit(&y[2]);
}

static void often(WfGpuAnswer *a, float *y, const WfGpuJob *job, unsigned n) {
  (void)a;
  (void)job;
  if (n % 3 == 1)
    other_bit(&y[2]);
}

static int run_with_room(const WfVariant *v, void (*script)(WfGpuAnswer *, float *, const WfGpuJob *, unsigned)) {
  const WfRunOptions opt = {.detect = SIMT_DETECT_ALL, .all_relations = 1, .rtol = 1e-6};
  gpu.script = script;
  gpu.n_jobs = 0;
  return wf_run(runner, &c, v, &opt, &verdict, err, sizeof err);
}

START_TEST(test_poison_decides) {
  ck_assert_int_eq(run_with_room(scalar(), by_pattern), 0);
  only(SIMT_UNINIT_GLOBAL, "when the memory that nobody wrote holds other bits");
}
END_TEST

START_TEST(test_other_bits) {
  ck_assert_int_eq(run_with_room(scalar(), _i ? often : once), 0);
  only(SIMT_NONDETERMINISTIC, "in one run on the device and");
}
END_TEST

START_TEST(test_other_bits_are_allowed) {
  WfVariant v = *scalar();
  v.flags &= ~WF_DETERMINISTIC;
  ck_assert_int_eq(run_with_room(&v, _i ? often : once), 0);
  ck_assert_uint_eq(verdict.n, 0);
  ck_assert_int_eq(run(&v, _i ? often : once), 0); /* as long as they are right */
  only(SIMT_WRONG_RESULT, "c[2] is off by");
}
END_TEST

/* ---- both machines, other flavors ---- */

START_TEST(test_both) {
  const WfVariant *v = wf_variant_find(c.op, "f14_tail.published", strlen("f14_tail.published"));
  wf_runner_use(runner, WF_BACKEND_BOTH, &gpu, WF_GPU_NOFMAD);
  ck_assert_int_eq(run(scalar(), unwritten), 0);
  ck_assert_uint_eq(verdict.n, 1);
  ck_assert_str_eq(verdict.finding[0].build, "nofmad");
  ck_assert(v != NULL);
  ck_assert_int_eq(run(v, unwritten), 0);
  size_t on_device = 0;
  for (size_t i = 0; i < verdict.n; i++)
    on_device += verdict.finding[i].device != NULL;
  ck_assert_uint_eq(on_device, 1);
  ck_assert_uint_gt(verdict.n, on_device); /* the engine's are kept, though the class may be the same */
}
END_TEST

START_TEST(test_fastmath_enters_the_bound) {
  const WfRunOptions opt = {.detect = SIMT_DETECT_ALL};
  WfGpuAnswer a;
  WfGpuJob job;
  WfGeometry g;
  uint32_t situations;
  c.fill[0] = (WfFill){.dist = WF_DIST_DENORMAL, .seed = 5};
  c.fill[1] = (WfFill){.dist = WF_DIST_CONSTANT};
  ck_assert(wf_case_admits(&c, scalar(), &g, NULL, 0));
  for (int fast = 0; fast < 2; fast++) {
    wf_runner_use(runner, WF_BACKEND_GPU, &gpu, fast ? WF_GPU_FASTMATH : WF_GPU_DEFAULT);
    wf_gpu_job(runner, &c, scalar(), &g, &job);
    gpu.script = NULL;
    wf_gpu_submit(&gpu, &job, 1, err, sizeof err);
    wf_gpu_wait(&gpu, &a, err, sizeof err);
    for (int i = 0; i < N; i++)
      if (fpclassify(gpu.y[0][i]) == FP_SUBNORMAL)
        gpu.y[0][i] = 0; /* flushed */
    wf_gpu_batch_begin(runner);
    ck_assert_int_eq(wf_gpu_is_right(runner, &job, &a, &opt, &situations), fast);
  }
}
END_TEST

/* ---- in company ---- */

START_TEST(test_in_company) {
  static void (*const scripts[])(WfGpuAnswer *, float *, const WfGpuJob *, unsigned) = {
      NULL, guard, input, unwritten, wrong, special, refused, ends};
  const WfRunOptions opt = {.detect = SIMT_DETECT_ALL};
  WfGpuAnswer a;
  WfGpuJob job;
  WfGeometry g;
  uint32_t situations = 0;
  ended = WF_GPU_UNKNOWN;
  ck_assert(wf_case_admits(&c, scalar(), &g, NULL, 0));
  wf_gpu_job(runner, &c, scalar(), &g, &job);
  for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++) {
    gpu.script = scripts[i];
    wf_gpu_submit(&gpu, &job, 1, err, sizeof err);
    wf_gpu_wait(&gpu, &a, err, sizeof err);
    wf_gpu_batch_begin(runner);
    ck_assert_int_eq(wf_gpu_is_right(runner, &job, &a, &opt, &situations), i == 0);
    ck_assert_int_eq(wf_gpu_is_right(runner, &job, &a, &opt, &situations), i == 0); /* by the reference of the first */
  }
  ck_assert_uint_ne(situations, 0);
}
END_TEST

int main(void) {
  Suite *s = suite_create("run_gpu");
  TCase *t = tcase_create("answers");
  tcase_add_checked_fixture(t, set_up, tear_down);
  tcase_add_test(t, test_right);
  tcase_add_test(t, test_relation);
  tcase_add_test(t, test_payloads_say_nothing);
  tcase_add_test(t, test_does_not_fit);
  tcase_add_test(t, test_in_part);
  tcase_add_test(t, test_in_part_takes_long);
  tcase_add_test(t, test_in_part_unwritten);
  tcase_add_test(t, test_in_part_wrong);
  tcase_add_loop_test(t, test_ends, 0, (int)(sizeof endings / sizeof endings[0]));
  tcase_add_test(t, test_device_is_lost);
  tcase_add_test(t, test_killed);
  tcase_add_test(t, test_refused);
  tcase_add_test(t, test_guard);
  tcase_add_test(t, test_guard_in_a_repeat);
  tcase_add_test(t, test_input);
  tcase_add_test(t, test_input_of_halves);
  tcase_add_test(t, test_unwritten);
  tcase_add_test(t, test_wrong);
  tcase_add_test(t, test_special);
  tcase_add_test(t, test_poison_decides);
  tcase_add_loop_test(t, test_other_bits, 0, 2);
  tcase_add_loop_test(t, test_other_bits_are_allowed, 0, 2);
  tcase_add_test(t, test_both);
  tcase_add_test(t, test_fastmath_enters_the_bound);
  tcase_add_test(t, test_in_company);
  suite_add_tcase(s, t);
  return suite_run(s);
}
