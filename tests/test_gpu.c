/* test_gpu.c - the GPU leg (gpu/gpu.h) on the fake device: what jobs are given, what is seen in their memory, what becomes of a batch
 * whose process ends. */
#define _GNU_SOURCE
#include "gpu_kernels.h"
#include "suite.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PATTERN 0x7fc0deadu
#define SECOND UINT64_C(1000000000)
enum { N = 32, LONE_WORDS = 100000 /* within the guard of a job that is alone */ };

static WfCase make_case(const WfOp *op, int64_t n, uint64_t seed) {
  WfCase c;
  memset(&c, 0, sizeof c);
  c.op = op;
  c.dim[0] = n;
  for (int t = 0; t < 2; t++)
    c.fill[t] = (WfFill){.dist = WF_DIST_NORMAL, .seed = seed + (uint64_t)t, .scale = 1};
  return c;
}

static WfGpuJob make_job(const WfCase *c, const WfVariant *v) {
  return (WfGpuJob){.c = c, .v = v, .g = {{1, 1, 1}, {32, 1, 1}, 0, v->scratch ? 12 : 0}, .pattern = PATTERN};
}

static WfGpu *create(uint64_t timeout_ns) {
  const WfGpuOptions opt = {.timeout_ns = timeout_ns, .batch_bytes = 2 << 20};
  char err[256] = "";
  WfGpu *g;
  gpu_kernels_begin();
  ck_assert_msg(wf_gpu_create(&g, &opt, err, sizeof err) == 0, "%s", err);
  return g;
}

static void submit(WfGpu *g, const WfGpuJob *jobs, size_t n) {
  char err[256] = "";
  int sent = wf_gpu_submit(g, jobs, n, err, sizeof err);
  ck_assert_msg(sent == (int)n, "%d sent: %s", sent, err);
}

static void await(WfGpu *g, WfGpuAnswer *out) {
  char err[256] = "";
  ck_assert_msg(wf_gpu_wait(g, out, err, sizeof err) == 0, "%s", err);
}

static void run(WfGpu *g, const WfGpuJob *jobs, size_t n, WfGpuAnswer *out) {
  submit(g, jobs, n);
  await(g, out);
}

static WfGpuAnswer run_one(WfGpu *g, const WfCase *c, const WfVariant *v) {
  const WfGpuJob job = make_job(c, v);
  WfGpuAnswer a;
  run(g, &job, 1, &a);
  return a;
}

static void check_inputs(const WfGpuJob *job, const WfGpuAnswer *a) {
  for (int t = 0; t < 2; t++)
    for (int64_t i = 0; i < job->c->dim[0]; i++)
      ck_assert(a->in[t][i] == wf_case_value(job->c, t, i));
  ck_assert_ptr_null(a->in[GPU_C]);
}

/* Of gpu_add and gpu_subtract, and of those that do as they do. */
static void check_values(const WfGpuJob *job, const WfGpuAnswer *a) {
  float sign = job->v == &gpu_subtract ? -1.0f : 1.0f;
  ck_assert_int_eq(a->end, WF_GPU_RAN);
  ck_assert_int_eq(a->launch.status, WF_DEVICE_OK);
  check_inputs(job, a);
  for (int64_t i = 0; i < job->c->dim[0]; i++)
    ck_assert(a->y[i] == a->in[0][i] + sign * a->in[1][i]);
}

static void check_clean(const WfGpuJob *job, const WfGpuAnswer *a) {
  check_values(job, a);
  ck_assert_uint_eq(a->guard.n_words, 0);
  ck_assert_uint_eq(a->input.n_words, 0);
  ck_assert_uint_eq(a->unwritten, 0);
}

/* The device is well. */
static void check_next(WfGpu *g) {
  const WfCase c = make_case(&gpu_op, N, 99);
  const WfGpuJob job = make_job(&c, &gpu_add);
  WfGpuAnswer a;
  run(g, &job, 1, &a);
  check_clean(&job, &a);
}

/* Three jobs, the second of which ends the process: of none is known how it was. */
static void check_company(WfGpu *g, const WfVariant *v) {
  const WfCase c = make_case(&gpu_op, N, 5);
  const WfGpuJob jobs[3] = {make_job(&c, &gpu_add), make_job(&c, v), make_job(&c, &gpu_add)};
  WfGpuAnswer a[3];
  run(g, jobs, 3, a);
  for (int j = 0; j < 3; j++)
    ck_assert_int_eq(a[j].end, WF_GPU_UNKNOWN);
  check_next(g);
}

/* ---- right answers ---- */

START_TEST(test_alone) {
  WfGpu *g = create(0);
  ck_assert_str_eq(wf_gpu_info(g)->name, "fake device");
  for (int64_t n = 0; n < 70; n += 23) {
    const WfCase c = make_case(&gpu_op, n, 7);
    const WfGpuJob job = make_job(&c, &gpu_add);
    WfGpuAnswer a;
    run(g, &job, 1, &a);
    check_clean(&job, &a);
  }
  wf_gpu_destroy(g);
}
END_TEST

/* Groups of different lengths, one case in two groups, both variants. */
START_TEST(test_company) {
  WfGpu *g = create(0);
  const WfCase c[3] = {make_case(&gpu_op, 5, 1), make_case(&gpu_op, 600, 2), make_case(&gpu_op, 1, 3)};
  WfGpuJob jobs[WF_GPU_MAX_JOBS];
  WfGpuAnswer a[WF_GPU_MAX_JOBS];
  for (int j = 0; j < WF_GPU_MAX_JOBS; j++)
    jobs[j] = make_job(&c[j < 20 ? 0 : j < 40 ? 1 : j < 50 ? 0 : 2], j % 3 ? &gpu_add : &gpu_subtract);
  for (int round = 0; round < 3; round++) {
    run(g, jobs, WF_GPU_MAX_JOBS, a);
    for (int j = 0; j < WF_GPU_MAX_JOBS; j++) {
      check_clean(&jobs[j], &a[j]);
      if (j > 0)
        ck_assert_int_eq(a[j].in[0] == a[j - 1].in[0], jobs[j].c == jobs[j - 1].c);
    }
  }
  wf_gpu_destroy(g);
}
END_TEST

/* Answers of both batches on their way stay until their place is used. */
START_TEST(test_two_batches) {
  WfGpu *g = create(0);
  const WfCase c[3] = {make_case(&gpu_op, N, 1), make_case(&gpu_op, N, 2), make_case(&gpu_op, N, 3)};
  const WfGpuJob jobs[3] = {make_job(&c[0], &gpu_add), make_job(&c[1], &gpu_subtract), make_job(&c[2], &gpu_add)};
  char err[256];
  WfGpuAnswer a[3];
  ck_assert_int_eq(wf_gpu_wait(g, a, err, sizeof err), -1);
  ck_assert_str_eq(err, "no batch is on its way");
  for (int round = 0; round < 50; round++) {
    submit(g, &jobs[0], 1);
    submit(g, &jobs[1], 1);
    ck_assert_int_eq(wf_gpu_submit(g, &jobs[2], 1, err, sizeof err), 0);
    await(g, &a[0]);
    await(g, &a[1]);
    check_clean(&jobs[0], &a[0]);
    check_clean(&jobs[1], &a[1]);
    submit(g, &jobs[2], 1);
    check_clean(&jobs[1], &a[1]);
    await(g, &a[2]);
    check_clean(&jobs[2], &a[2]);
  }
  wf_gpu_destroy(g);
}
END_TEST

START_TEST(test_given) {
  WfGpu *g = create(0);
  WfCase c = make_case(&gpu_op, N, 7);
  c.scalar[0] = 0.5;
  c.scalar[1] = 1;
  c.fill[GPU_A].base_offset_elems = 1;
  c.fill[GPU_B].base_offset_elems = 63;
  c.fill[GPU_C].base_offset_elems = 2;
  WfGpuJob job = make_job(&c, &gpu_shows);
  job.g = (WfGeometry){{2, 3, 4}, {5, 6, 7}, 88, 12};
  const float expected[14] = {4, 252, 8, 0, N, 0.5f, 1, 2, 5, 3, 6, 4, 7, 88};
  for (int n = 1; n <= 2; n++) {
    const WfGpuJob jobs[2] = {job, job};
    WfGpuAnswer a[2];
    run(g, jobs, (size_t)n, a);
    for (int j = 0; j < n; j++) {
      check_inputs(&jobs[j], &a[j]);
      ck_assert_mem_eq(a[j].y, expected, sizeof expected);
      for (int i = GPU_OLD_C; i < GPU_SHOWN; i++)
        ck_assert_mem_eq(&a[j].y[i], &job.pattern, sizeof job.pattern);
      ck_assert_uint_eq(a[j].unwritten, N - GPU_OLD_C); /* those three, and what nobody wrote behind them */
      ck_assert_uint_eq(a[j].first_unwritten, GPU_OLD_C);
      ck_assert_uint_eq(a[j].guard.n_words, 0);
    }
  }
  wf_gpu_destroy(g);
}
END_TEST

START_TEST(test_starts) {
  WfGpu *g = create(0);
  const WfCase zero = make_case(&gpu_zero_op, N, 7), minus_inf = make_case(&gpu_minus_inf_op, N, 7);
  const WfGpuJob jobs[2] = {make_job(&zero, &gpu_shows), make_job(&minus_inf, &gpu_shows)};
  WfGpuAnswer a[2];
  run(g, jobs, 2, a);
  for (int i = GPU_SHOWN; i < N; i++) {
    ck_assert(a[0].y[i] == 0 && !signbit(a[0].y[i]));
    ck_assert(a[1].y[i] == -INFINITY);
  }
  ck_assert(a[0].y[GPU_OLD_C] == 0);
  ck_assert(a[1].y[GPU_OLD_C] == -INFINITY);
  ck_assert_uint_eq(a[0].unwritten, 0);
  ck_assert_uint_eq(a[1].unwritten, 0);
  wf_gpu_destroy(g);
}
END_TEST

START_TEST(test_unwritten) {
  WfGpu *g = create(0);
  const WfCase c = make_case(&gpu_op, N, 7);
  WfGpuJob jobs[3] = {make_job(&c, &gpu_add), make_job(&c, &gpu_leaves), make_job(&c, &gpu_leaves)};
  WfGpuAnswer a[3];
  jobs[2].pattern = 0x12345678;
  run(g, jobs, 3, a);
  check_clean(&jobs[0], &a[0]);
  for (int j = 1; j < 3; j++) {
    ck_assert_uint_eq(a[j].unwritten, 3);
    ck_assert_uint_eq(a[j].first_unwritten, 2);
    ck_assert_mem_eq(&a[j].y[N - 1], &jobs[j].pattern, sizeof jobs[j].pattern);
  }
  wf_gpu_destroy(g);
}
END_TEST

START_TEST(test_in_place) {
  WfGpu *g = create(0);
  for (uint32_t t = 0; t < 2; t++) {
    WfCase c = make_case(&gpu_op, N, 7);
    c.in_place = 1 + t;
    c.fill[t].base_offset_elems = 3;
    const WfGpuJob jobs[3] = {make_job(&c, &gpu_add), make_job(&c, &gpu_subtract), make_job(&c, &gpu_leaves)};
    WfGpuAnswer a[3];
    run(g, jobs, 3, a);
    check_clean(&jobs[0], &a[0]);
    check_clean(&jobs[1], &a[1]);
    ck_assert_uint_eq(a[2].unwritten, 0);
    ck_assert(a[2].y[3] == a[2].in[t][3]);
    run(g, jobs, 1, a);
    check_clean(&jobs[0], &a[0]);
  }
  wf_gpu_destroy(g);
}
END_TEST

/* Disturbed, the fake device runs in another order. */
START_TEST(test_disturb) {
  WfGpu *g = create(0);
  const WfCase c = make_case(&gpu_op, N, 7);
  WfGpuJob job = make_job(&c, &gpu_race);
  WfGpuAnswer a;
  uint32_t first, bits;
  int different = 0;
  for (job.disturb = 0; job.disturb < 20; job.disturb++) {
    run(g, &job, 1, &a);
    memcpy(&bits, a.y, sizeof bits);
    first = job.disturb == 0 ? bits : first;
    different += bits != first;
  }
  ck_assert_int_gt(different, 0);
  wf_gpu_destroy(g);
}
END_TEST

/* ---- memory that was none of the kernel's ---- */

static void check_poke(WfGpu *g, int tensor, int64_t word, uint32_t in_place, int n_jobs) {
  static const char *const name[] = {"a", "b", "c", "scratch"};
  WfCase c = make_case(&gpu_op, N, 7), other = make_case(&gpu_op, N, 8);
  c.scalar[0] = (double)word;
  c.scalar[1] = tensor;
  c.in_place = in_place;
  c.fill[tensor == GPU_SCRATCH ? 0 : tensor].base_offset_elems = 5;
  const WfGpuJob jobs[3] = {make_job(&c, &gpu_poke), make_job(&other, &gpu_add), make_job(&other, &gpu_add)};
  WfGpuAnswer a[3];
  run(g, jobs, (size_t)n_jobs, a);
  check_values(&jobs[0], &a[0]);
  ck_assert_uint_eq(a[0].guard.n_words, 1);
  ck_assert_str_eq(a[0].guard.object, name[tensor == GPU_C && in_place ? (int)in_place - 1 : tensor]);
  ck_assert_int_eq(a[0].guard.offset_bytes, word * 4);
  ck_assert_uint_eq(a[0].guard.now, GPU_POKE);
  ck_assert_uint_eq(a[0].input.n_words, 0);
  ck_assert_uint_eq(a[0].unwritten, 0);
  for (int j = 1; j < n_jobs; j++)
    check_clean(&jobs[j], &a[j]);
}

START_TEST(test_guards) {
  WfGpu *g = create(0);
  for (int t = GPU_A; t <= GPU_SCRATCH; t++) {
    int64_t n = t == GPU_SCRATCH ? 3 : N;
    const int64_t word[] = {-1, n, -2, -900, n + 900, -LONE_WORDS, n + LONE_WORDS};
    for (int i = 0; i < 7; i++) {
      check_poke(g, t, word[i], 0, 1);
      check_poke(g, t, word[i], 1, 1);
      if (i < 5) {
        check_poke(g, t, word[i], 0, 3);
        check_poke(g, t, word[i], 2, 3);
      }
    }
  }
  wf_gpu_destroy(g);
}
END_TEST

/* A value that was read behind an input and is written behind the output is not what was there. */
START_TEST(test_guards_differ) {
  WfGpu *g = create(0);
  const WfCase c = make_case(&gpu_op, N, 7);
  const WfGpuJob job = make_job(&c, &gpu_copies_beyond);
  WfGpuAnswer a;
  run(g, &job, 1, &a);
  check_values(&job, &a);
  ck_assert_uint_eq(a.guard.n_words, 1);
  ck_assert_str_eq(a.guard.object, "c");
  ck_assert_int_eq(a.guard.offset_bytes, N * 4);
  wf_gpu_destroy(g);
}
END_TEST

/* Whoever shares an input is told that it changed; others are not. */
START_TEST(test_input_written) {
  WfGpu *g = create(0);
  WfCase c = make_case(&gpu_op, N, 7), other = make_case(&gpu_op, N, 7);
  c.scalar[0] = 6;
  c.scalar[1] = GPU_B;
  const WfGpuJob jobs[4] = {make_job(&other, &gpu_add), make_job(&c, &gpu_subtract), make_job(&c, &gpu_poke), make_job(&other, &gpu_add)};
  WfGpuAnswer a[4];
  run(g, &jobs[2], 1, a);
  ck_assert_uint_eq(a[0].input.n_words, 1);
  run(g, jobs, 4, a);
  for (int j = 1; j < 3; j++) {
    check_values(&jobs[j], &a[j]);
    ck_assert_uint_eq(a[j].input.n_words, 1);
    ck_assert_str_eq(a[j].input.object, "b");
    ck_assert_int_eq(a[j].input.offset_bytes, 24);
    ck_assert_uint_eq(a[j].input.now, GPU_POKE);
    ck_assert_uint_eq(a[j].guard.n_words, 0);
  }
  check_clean(&jobs[0], &a[0]);
  check_clean(&jobs[3], &a[3]);
  wf_gpu_destroy(g);
}
END_TEST

/* ---- what does not run ---- */

START_TEST(test_not_launched) {
  WfGpu *g = create(0);
  const WfCase c = make_case(&gpu_op, N, 7);
  WfGpuJob jobs[4] = {make_job(&c, &gpu_add), make_job(&c, &gpu_add), make_job(&c, &gpu_refused), make_job(&c, &gpu_refused)};
  WfGpuAnswer a[4];
  jobs[1].flavor = WF_GPU_DEBUG; /* the fake device has the default only */
  run(g, &jobs[1], 1, a);
  ck_assert_int_eq(a[0].end, WF_GPU_NOT_BUILT);
  run(g, &jobs[2], 1, a);
  ck_assert_int_eq(a[0].end, WF_GPU_RAN);
  ck_assert_int_eq(a[0].launch.status, WF_DEVICE_REFUSED);
  ck_assert_ptr_null(a[0].y);
  run(g, jobs, 3, a);
  ck_assert_int_eq(a[0].end, WF_GPU_RAN);
  ck_assert_int_eq(a[0].launch.status, WF_DEVICE_OK);
  ck_assert_int_eq(a[1].end, WF_GPU_NOT_BUILT);
  ck_assert_int_eq(a[2].launch.status, WF_DEVICE_REFUSED);
  check_next(g);
  wf_gpu_destroy(g);
}
END_TEST

START_TEST(test_too_large) {
  const WfGpuOptions opt = {.batch_bytes = 1 << 20};
  char err[256] = "";
  WfGpu *g;
  gpu_kernels_begin();
  ck_assert_int_eq(wf_gpu_create(&g, &opt, err, sizeof err), 0);
  const WfCase large = make_case(&gpu_op, 86000, 7), larger = make_case(&gpu_op, 10000000, 7), most = make_case(&gpu_op, WF_MAX_EXTENT, 7);
  const WfGpuJob jobs[3] = {make_job(&large, &gpu_add), make_job(&larger, &gpu_add), make_job(&most, &gpu_add)};
  WfGpuJob scratch = make_job(&large, &gpu_poke), many[WF_GPU_MAX_JOBS + 1];
  WfGpuAnswer a[WF_GPU_MAX_JOBS];
  ck_assert(wf_gpu_fits(g, &jobs[0]));
  ck_assert(wf_gpu_fits(g, &scratch));
  scratch.g.scratch_bytes = UINT64_MAX;
  ck_assert(!wf_gpu_fits(g, &scratch));
  for (int j = 1; j < 3; j++) {
    ck_assert(!wf_gpu_fits(g, &jobs[j]));
    ck_assert_int_eq(wf_gpu_submit(g, &jobs[j], 1, err, sizeof err), 0);
  }
  ck_assert_int_eq(wf_gpu_submit(g, jobs, 0, err, sizeof err), 0);
  ck_assert_int_eq(wf_gpu_submit(g, jobs, 3, err, sizeof err), 1);
  await(g, a);
  check_clean(&jobs[0], &a[0]);
  const WfCase small = make_case(&gpu_op, N, 7);
  for (int j = 0; j <= WF_GPU_MAX_JOBS; j++)
    many[j] = make_job(j == 3 ? &large : &small, &gpu_add);
  ck_assert_int_eq(wf_gpu_submit(g, many, WF_GPU_MAX_JOBS, err, sizeof err), 3);
  await(g, a);
  check_clean(&many[2], &a[2]);
  many[3].c = &small;
  ck_assert_int_eq(wf_gpu_submit(g, many, WF_GPU_MAX_JOBS + 1, err, sizeof err), WF_GPU_MAX_JOBS);
  await(g, a);
  check_clean(&many[WF_GPU_MAX_JOBS - 1], &a[WF_GPU_MAX_JOBS - 1]);
  wf_gpu_destroy(g);
}
END_TEST

/* ---- the end of the context, and of the process ---- */

typedef struct Fault {
  const WfVariant *v;
  WfDeviceStatus status;
  const char *name;
} Fault;

static const Fault faults[] = {{&gpu_address, WF_DEVICE_ADDRESS, "cudaErrorIllegalAddress"},
                               {&gpu_misaligned, WF_DEVICE_MISALIGNED, "cudaErrorMisalignedAddress"},
                               {&gpu_assert, WF_DEVICE_ASSERT, "cudaErrorAssert"},
                               {&gpu_trap, WF_DEVICE_TRAP, "cudaErrorLaunchFailure"}};
enum { N_FAULTS = sizeof faults / sizeof *faults };

START_TEST(test_faults) {
  WfGpu *g = create(0);
  const WfCase c = make_case(&gpu_op, N, 7);
  for (int i = 0; i < N_FAULTS; i++) {
    WfGpuAnswer a = run_one(g, &c, faults[i].v);
    ck_assert_int_eq(a.end, WF_GPU_FAULT);
    ck_assert_int_eq(a.error.status, faults[i].status);
    ck_assert_str_eq(a.error.name, faults[i].name);
    check_next(g);
    check_company(g, faults[i].v);
  }
  wf_gpu_destroy(g);
}
END_TEST

START_TEST(test_deaths) {
  WfGpu *g = create(0);
  const WfCase c = make_case(&gpu_op, N, 7);
  WfGpuAnswer a = run_one(g, &c, &gpu_exits);
  ck_assert_int_eq(a.end, WF_GPU_DIED);
  ck_assert(WIFEXITED(a.error.code) && WEXITSTATUS(a.error.code) == 3);
  check_next(g);
  a = run_one(g, &c, &gpu_divides);
  ck_assert_int_eq(a.end, WF_GPU_DIED);
  ck_assert(WIFSIGNALED(a.error.code) && WTERMSIG(a.error.code) == SIGFPE);
  check_next(g);
  check_company(g, &gpu_exits);
  check_company(g, &gpu_divides);
  wf_gpu_destroy(g);
}
END_TEST

START_TEST(test_hangs) {
  WfGpu *g = create(2 * SECOND);
  const WfCase c = make_case(&gpu_op, N, 7);
  ck_assert_int_eq(run_one(g, &c, &gpu_waits).end, WF_GPU_HUNG); /* host code */
  int pid = gpu_shared->pid;
  ck_assert(kill(pid, 0) != 0 && errno == ESRCH);
  check_next(g);
  ck_assert_int_eq(run_one(g, &c, &gpu_spin).end, WF_GPU_HUNG); /* a kernel */
  check_next(g);
  check_company(g, &gpu_spin);
  wf_gpu_destroy(g);
}
END_TEST

/* Two batches on their way, the first or the second of which ends the process: the other one is right all the same. */
START_TEST(test_end_beside_another) {
  static const struct {
    const WfVariant *v;
    WfGpuEnd end;
  } ends[] = {{&gpu_trap, WF_GPU_FAULT}, {&gpu_exits, WF_GPU_DIED}, {&gpu_spin, WF_GPU_HUNG}};
  const WfVariant *bad = ends[_i / 2].v;
  int which = _i % 2;
  WfGpu *g = create(2 * SECOND);
  const WfCase c[2] = {make_case(&gpu_op, N, 7), make_case(&gpu_op, N, 8)};
  const WfGpuJob jobs[2] = {make_job(&c[0], which == 0 ? bad : &gpu_add), make_job(&c[1], which == 1 ? bad : &gpu_add)};
  WfGpuAnswer a[2];
  for (int round = 0; round < 2; round++) {
    submit(g, &jobs[0], 1);
    submit(g, &jobs[1], 1);
    await(g, &a[0]);
    if (which == 0)
      ck_assert_int_eq(a[0].end, ends[_i / 2].end);
    else
      check_clean(&jobs[0], &a[0]);
    if (round == 1 && which == 0) { /* a third one comes between */
      check_clean(&jobs[1], (await(g, &a[1]), &a[1]));
      check_next(g);
      continue;
    }
    await(g, &a[1]);
    if (which == 1)
      ck_assert_int_eq(a[1].end, ends[_i / 2].end);
    else
      check_clean(&jobs[1], &a[1]);
  }
  check_next(g);
  wf_gpu_destroy(g);
}
END_TEST

/* Behind a batch that broke the context, one is sent before the next answers are taken. */
START_TEST(test_sent_behind_a_fault) {
  WfGpu *g = create(0);
  const WfCase c[3] = {make_case(&gpu_op, N, 7), make_case(&gpu_op, N, 8), make_case(&gpu_op, N, 9)};
  const WfGpuJob jobs[3] = {make_job(&c[0], &gpu_trap), make_job(&c[1], &gpu_add), make_job(&c[2], &gpu_subtract)};
  WfGpuAnswer a[3];
  submit(g, &jobs[0], 1);
  submit(g, &jobs[1], 1);
  await(g, &a[0]);
  ck_assert_int_eq(a[0].end, WF_GPU_FAULT);
  submit(g, &jobs[2], 1);
  await(g, &a[1]);
  await(g, &a[2]);
  check_clean(&jobs[1], &a[1]);
  check_clean(&jobs[2], &a[2]);
  wf_gpu_destroy(g);
}
END_TEST

static void await_pid(void) {
  const struct timespec pause = {0, 1000000};
  while (!gpu_shared->pid)
    nanosleep(&pause, NULL);
}

START_TEST(test_killed_between) {
  WfGpu *g = create(0);
  for (int round = 0; round < 3; round++) {
    check_next(g);
    ck_assert_int_eq(kill(gpu_shared->pid, SIGKILL), 0);
  }
  check_next(g);
  wf_gpu_destroy(g);
}
END_TEST

START_TEST(test_killed_during) {
  WfGpu *g = create(0);
  const WfCase c[2] = {make_case(&gpu_op, N, 7), make_case(&gpu_op, N, 8)};
  const WfGpuJob jobs[2] = {make_job(&c[0], &gpu_waits), make_job(&c[1], &gpu_subtract)};
  WfGpuAnswer a[2];
  submit(g, &jobs[0], 1);
  submit(g, &jobs[1], 1);
  await_pid();
  ck_assert_int_eq(kill(gpu_shared->pid, SIGKILL), 0);
  await(g, &a[0]);
  ck_assert_int_eq(a[0].end, WF_GPU_DIED);
  ck_assert(WIFSIGNALED(a[0].error.code) && WTERMSIG(a[0].error.code) == SIGKILL);
  await(g, &a[1]);
  check_clean(&jobs[1], &a[1]);
  wf_gpu_destroy(g);
}
END_TEST

/* What a terminal sends to all of its processes. */
START_TEST(test_signals) {
  static const int sent[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
  WfGpu *g = create(0);
  check_next(g);
  int pid = gpu_shared->pid;
  for (size_t i = 0; i < sizeof sent / sizeof *sent; i++)
    ck_assert_int_eq(kill(pid, sent[i]), 0);
  check_next(g);
  ck_assert_int_eq(gpu_shared->pid, pid);
  wf_gpu_destroy(g);
}
END_TEST

/* ---- the process that fuzzes ---- */

/* Runs slow on a GPU leg of its own, and says how it ended. */
static void run_slow(uint64_t timeout_ns) {
  const WfGpuOptions opt = {.timeout_ns = timeout_ns, .batch_bytes = 1 << 20};
  const WfCase c = make_case(&gpu_op, N, 7);
  const WfGpuJob job = make_job(&c, &gpu_slow);
  WfGpuAnswer a = {.end = WF_GPU_UNKNOWN};
  char err[256];
  WfGpu *g;
  if (wf_gpu_create(&g, &opt, err, sizeof err) != 0 || wf_gpu_submit(g, &job, 1, err, sizeof err) != 1 || wf_gpu_wait(g, &a, err, sizeof err) != 0)
    _exit(1);
  gpu_shared->outcome = (int)a.end;
  wf_gpu_destroy(g);
  _exit(0);
}

static pid_t start_slow(uint64_t timeout_ns) {
  gpu_kernels_begin();
  gpu_shared->outcome = -1;
  pid_t pid = fork();
  if (pid == 0)
    run_slow(timeout_ns);
  ck_assert_int_gt(pid, 0);
  await_pid();
  return pid;
}

START_TEST(test_parent_dies) {
  int status;
  ck_assert_int_eq(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
  pid_t parent = start_slow(0), child = gpu_shared->pid;
  ck_assert_int_eq(kill(parent, SIGKILL), 0);
  ck_assert_int_eq(waitpid(parent, &status, 0), parent);
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}
END_TEST

/* Both processes are stopped for longer than the time limit, as by a terminal: that is no hang. */
START_TEST(test_stopped) {
  int status;
  pid_t parent = start_slow(2 * SECOND), child = gpu_shared->pid;
  kill(parent, SIGSTOP);
  kill(child, SIGSTOP);
  sleep(4);
  kill(child, SIGCONT);
  kill(parent, SIGCONT);
  gpu_shared->go = 1;
  ck_assert_int_eq(waitpid(parent, &status, 0), parent);
  ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  ck_assert_int_eq(gpu_shared->outcome, WF_GPU_RAN);
}
END_TEST

static int count_descriptors(void) {
  DIR *d = opendir("/proc/self/fd");
  int n = 0;
  ck_assert_ptr_nonnull(d);
  while (readdir(d))
    n++;
  closedir(d);
  return n;
}

static int count_shared_mappings(void) {
  FILE *f = fopen("/proc/self/maps", "r");
  char line[512];
  int n = 0;
  ck_assert_ptr_nonnull(f);
  while (fgets(line, sizeof line, f))
    n += strstr(line, "/dev/zero") != NULL;
  fclose(f);
  return n;
}

/* Neither of a leg that was destroyed with nothing to do, nor at work, nor after its child was gone; nor of one that had no device. */
START_TEST(test_nothing_is_left) {
  const WfCase c = make_case(&gpu_op, N, 7);
  const WfGpuJob job = make_job(&c, &gpu_waits);
  const WfGpuOptions absent = {.device = 7};
  char err[256];
  gpu_kernels_begin();
  int descriptors = count_descriptors(), mappings = count_shared_mappings();
  for (int round = 0; round < 4; round++) {
    WfGpu *g = create(0);
    ck_assert_int_gt(count_shared_mappings(), mappings);
    check_next(g);
    if (round == 1)
      submit(g, &job, 1);
    if (round == 2)
      run_one(g, &c, &gpu_exits);
    if (round == 3)
      kill(gpu_shared->pid, SIGKILL);
    wf_gpu_destroy(g);
    munmap(gpu_shared, sizeof *gpu_shared);
    ck_assert_int_eq(wf_gpu_create(&g, &absent, err, sizeof err), -1);
    ck_assert_ptr_null(g);
    ck_assert_int_eq(wf_gpu_count(err, sizeof err), 1);
    ck_assert_int_eq(count_descriptors(), descriptors);
    ck_assert_int_eq(count_shared_mappings(), mappings);
    ck_assert(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
  }
  wf_gpu_destroy(NULL);
}
END_TEST

START_TEST(test_prints) {
  int out[2], told[2], before[2] = {dup(STDOUT_FILENO), dup(STDERR_FILENO)};
  char text[16] = "";
  ck_assert(pipe2(out, O_NONBLOCK) == 0 && pipe2(told, O_NONBLOCK) == 0);
  dup2(out[1], STDOUT_FILENO);
  dup2(told[1], STDERR_FILENO);
  WfGpu *g = create(0);
  const WfCase c = make_case(&gpu_op, N, 7);
  WfGpuAnswer a = run_one(g, &c, &gpu_prints);
  dup2(before[0], STDOUT_FILENO);
  dup2(before[1], STDERR_FILENO);
  ck_assert_int_eq(a.end, WF_GPU_RAN);
  ck_assert_int_eq(read(out[0], text, sizeof text), -1); /* nothing */
  ck_assert_int_eq(read(told[0], text, sizeof text), 6);
  ck_assert_str_eq(text, "stdout");
  wf_gpu_destroy(g);
}
END_TEST

/* ---- devices ---- */

START_TEST(test_no_device) {
  const WfGpuOptions opt = {0}, fourth = {.device = 3};
  char err[256] = "";
  WfGpu *g;
  setenv("WARPFUZZ_FAKE_DEVICES", "0", 1);
  ck_assert_int_eq(wf_gpu_create(&g, &opt, err, sizeof err), WF_GPU_NO_DEVICE);
  ck_assert_str_eq(err, "WARPFUZZ_FAKE_DEVICES says that there is no device");
  ck_assert_ptr_null(g);
  err[0] = '\0';
  ck_assert_int_eq(wf_gpu_count(err, sizeof err), 0);
  ck_assert_str_eq(err, "WARPFUZZ_FAKE_DEVICES says that there is no device");
  setenv("WARPFUZZ_FAKE_DEVICES", "3", 1);
  ck_assert_int_eq(wf_gpu_count(err, sizeof err), 3);
  ck_assert_int_eq(wf_gpu_create(&g, &fourth, err, sizeof err), -1);
  ck_assert_str_eq(err, "there is no device 3: 3 are visible");
}
END_TEST

/* The device goes with the context, and comes back: the batch on its way is still there. */
START_TEST(test_device_goes) {
  WfGpu *g = create(0);
  const WfCase c = make_case(&gpu_op, N, 7);
  const WfGpuJob jobs[2] = {make_job(&c, &gpu_trap), make_job(&c, &gpu_add)};
  char err[256] = "";
  WfGpuAnswer a;
  submit(g, &jobs[0], 1);
  submit(g, &jobs[1], 1);
  await(g, &a);
  ck_assert_int_eq(a.end, WF_GPU_FAULT);
  setenv("WARPFUZZ_FAKE_DEVICES", "0", 1);
  ck_assert_int_eq(wf_gpu_wait(g, &a, err, sizeof err), -1);
  ck_assert_str_eq(err, "WARPFUZZ_FAKE_DEVICES says that there is no device");
  ck_assert_int_eq(wf_gpu_submit(g, &jobs[1], 1, err, sizeof err), -1);
  setenv("WARPFUZZ_FAKE_DEVICES", "1", 1);
  await(g, &a);
  check_clean(&jobs[1], &a);
  check_next(g);
  wf_gpu_destroy(g);
}
END_TEST

START_TEST(test_plain) {
  const WfGpuOptions opt = {.plain = 1, .batch_bytes = 1 << 20};
  char err[256] = "";
  WfGpu *g;
  WfGpuAnswer a;
  gpu_kernels_begin();
  ck_assert_int_eq(wf_gpu_create(&g, &opt, err, sizeof err), 0);
  for (uint32_t in_place = 0; in_place < 3; in_place++) {
    WfCase c = make_case(&gpu_op, N, 7);
    c.in_place = in_place;
    c.fill[GPU_A].base_offset_elems = 1;
    const WfGpuJob jobs[2] = {make_job(&c, &gpu_add), make_job(&c, &gpu_poke)};
    ck_assert_int_eq(wf_gpu_submit(g, jobs, 2, err, sizeof err), 1);
    await(g, &a);
    check_clean(&jobs[0], &a);
    run(g, &jobs[1], 1, &a); /* a[0] is written: nothing is said of it */
    ck_assert_int_eq(a.end, WF_GPU_RAN);
    ck_assert_uint_eq(a.input.n_words, 0);
    a = run_one(g, &c, &gpu_trap);
    ck_assert_int_eq(a.end, WF_GPU_FAULT);
    a = run_one(g, &c, &gpu_refused);
    ck_assert_int_eq(a.launch.status, WF_DEVICE_REFUSED);
  }
  const WfCase zero = make_case(&gpu_zero_op, N, 7), empty = make_case(&gpu_op, 0, 7);
  a = run_one(g, &zero, &gpu_shows);
  ck_assert(a.y[GPU_OLD_C] == 0);
  a = run_one(g, &empty, &gpu_add);
  ck_assert_int_eq(a.end, WF_GPU_RAN);
  wf_gpu_destroy(g);
}
END_TEST

int main(void) {
  Suite *s = suite_create("gpu");
  TCase *t = tcase_create("gpu");
  tcase_add_test(t, test_alone);
  tcase_add_test(t, test_company);
  tcase_add_test(t, test_two_batches);
  tcase_add_test(t, test_given);
  tcase_add_test(t, test_starts);
  tcase_add_test(t, test_unwritten);
  tcase_add_test(t, test_in_place);
  tcase_add_test(t, test_disturb);
  tcase_add_test(t, test_guards);
  tcase_add_test(t, test_guards_differ);
  tcase_add_test(t, test_input_written);
  tcase_add_test(t, test_not_launched);
  tcase_add_test(t, test_too_large);
  tcase_add_test(t, test_faults);
  tcase_add_test(t, test_deaths);
  tcase_add_test(t, test_hangs);
  tcase_add_loop_test(t, test_end_beside_another, 0, 6);
  tcase_add_test(t, test_sent_behind_a_fault);
  tcase_add_test(t, test_killed_between);
  tcase_add_test(t, test_killed_during);
  tcase_add_test(t, test_signals);
  tcase_add_test(t, test_parent_dies);
  tcase_add_test(t, test_stopped);
  tcase_add_test(t, test_nothing_is_left);
  tcase_add_test(t, test_prints);
  tcase_add_test(t, test_no_device);
  tcase_add_test(t, test_device_goes);
  tcase_add_test(t, test_plain);
  suite_add_tcase(s, t);
  return suite_run(s);
}
