/* test_gpu.c - the GPU leg (gpu/gpu.h) on the fake device: what jobs are given, and what is seen in their memory. */
#define _GNU_SOURCE
#include "gpu_jobs.h"
#include "suite.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONE_WORDS = 100000 }; /* within the guard of a job that is alone */

/* ---- right answers ---- */

START_TEST(test_alone) {
  WfGpu *g = gpu_create(0);
  ck_assert_str_eq(wf_gpu_info(g)->name, "fake device");
  for (int64_t n = 0; n < 70; n += 23) {
    const WfCase c = gpu_make_case(&gpu_op, n, 7);
    const WfGpuJob job = gpu_make_job(&c, &gpu_add);
    WfGpuAnswer a;
    gpu_run(g, &job, 1, &a);
    gpu_check_clean(&job, &a);
  }
  wf_gpu_destroy(g);
}
END_TEST

/* Groups of different lengths, one case in two groups, both variants. */
START_TEST(test_company) {
  WfGpu *g = gpu_create(0);
  const WfCase c[3] = {gpu_make_case(&gpu_op, 5, 1), gpu_make_case(&gpu_op, 600, 2), gpu_make_case(&gpu_op, 1, 3)};
  WfGpuJob jobs[WF_GPU_MAX_JOBS];
  WfGpuAnswer a[WF_GPU_MAX_JOBS];
  for (int j = 0; j < WF_GPU_MAX_JOBS; j++)
    jobs[j] = gpu_make_job(&c[j < 20 ? 0 : j < 40 ? 1 : j < 50 ? 0 : 2], j % 3 ? &gpu_add : &gpu_subtract);
  for (int round = 0; round < 3; round++) {
    gpu_run(g, jobs, WF_GPU_MAX_JOBS, a);
    for (int j = 0; j < WF_GPU_MAX_JOBS; j++) {
      gpu_check_clean(&jobs[j], &a[j]);
      if (j > 0)
        ck_assert_int_eq(a[j].in[0] == a[j - 1].in[0], jobs[j].c == jobs[j - 1].c);
    }
  }
  wf_gpu_destroy(g);
}
END_TEST

/* How many arrays were decoded: this takes the place of wf_dtype_load() where gpu/gpu.c calls it (-Wl,--wrap). */
static int n_loads;
void __real_wf_dtype_load(WfDtype t, float *to, const void *from, size_t n);
void __wrap_wf_dtype_load(WfDtype t, float *to, const void *from, size_t n);
void __wrap_wf_dtype_load(WfDtype t, float *to, const void *from, size_t n) {
  n_loads++;
  __real_wf_dtype_load(t, to, from, n);
}

/* Answers have floats whatever the type; what jobs share is decoded once. */
START_TEST(test_halves) {
  enum { JOBS = 9, SECOND = 5 }; /* from the latter on, of another case */
  WfGpu *g = gpu_create(0);
  WfCase c[2] = {gpu_make_case(&gpu_op, 33, 1), gpu_make_case(&gpu_op, 7, 2)};
  WfGpuJob jobs[JOBS];
  WfGpuAnswer a[JOBS];
  for (int k = 0; k < 2; k++)
    for (int t = 0; t < 3; t++)
      c[k].dtype[t] = WF_F16;
  for (int j = 0; j < JOBS; j++)
    jobs[j] = gpu_make_job(&c[j >= SECOND], &gpu_halves);
  for (int round = 0; round < 3; round++) {
    n_loads = 0;
    gpu_run(g, jobs, JOBS, a);
    ck_assert_int_eq(n_loads, 2 * 2 + JOBS); /* the inputs of two cases, and each output */
    for (int j = 0; j < JOBS; j++) {
      ck_assert_int_eq((int)a[j].end, WF_GPU_RAN);
      ck_assert_uint_eq(a[j].guard.n_words + a[j].input.n_words + a[j].unwritten, 0);
      gpu_check_inputs(&jobs[j], &a[j]);
      for (int64_t i = 0; i < jobs[j].c->dim[0]; i++)
        ck_assert(a[j].y[i] == wf_dtype_decode(WF_F16, wf_dtype_encode(WF_F16, a[j].in[0][i] - a[j].in[1][i])));
    }
  }
  c[0].in_place = 1; /* what was sent, and what came back in its place */
  gpu_run(g, jobs, 1, a);
  gpu_check_inputs(&jobs[0], &a[0]);
  for (int64_t i = 0; i < c[0].dim[0]; i++)
    ck_assert(a[0].y[i] == wf_dtype_decode(WF_F16, wf_dtype_encode(WF_F16, a[0].in[0][i] - a[0].in[1][i])));
  wf_gpu_destroy(g);
}
END_TEST

/* Answers of both batches on their way stay until their place is used. */
START_TEST(test_two_batches) {
  WfGpu *g = gpu_create(0);
  const WfCase c[3] = {gpu_make_case(&gpu_op, GPU_N, 1), gpu_make_case(&gpu_op, GPU_N, 2), gpu_make_case(&gpu_op, GPU_N, 3)};
  const WfGpuJob jobs[3] = {gpu_make_job(&c[0], &gpu_add), gpu_make_job(&c[1], &gpu_subtract), gpu_make_job(&c[2], &gpu_add)};
  char err[256];
  WfGpuAnswer a[3];
  ck_assert_int_eq(wf_gpu_wait(g, a, err, sizeof err), -1);
  ck_assert_str_eq(err, "no batch is on its way");
  for (int round = 0; round < 50; round++) {
    gpu_submit(g, &jobs[0], 1);
    gpu_submit(g, &jobs[1], 1);
    ck_assert_int_eq(wf_gpu_submit(g, &jobs[2], 1, err, sizeof err), 0);
    gpu_await(g, &a[0]);
    gpu_await(g, &a[1]);
    gpu_check_clean(&jobs[0], &a[0]);
    gpu_check_clean(&jobs[1], &a[1]);
    gpu_submit(g, &jobs[2], 1);
    gpu_check_clean(&jobs[1], &a[1]);
    gpu_await(g, &a[2]);
    gpu_check_clean(&jobs[2], &a[2]);
  }
  wf_gpu_destroy(g);
}
END_TEST

/* Inputs that are not the case's: they come to the kernel and back in the answer, one job at a time. */
START_TEST(test_values) {
  WfGpu *g = gpu_create(0);
  WfCase c = gpu_make_case(&gpu_op, GPU_N, 1);
  float a[GPU_N], b[GPU_N];
  const float *values[WF_MAX_TENSORS] = {a, b};
  WfGpuJob jobs[3] = {gpu_make_job(&c, &gpu_add), gpu_make_job(&c, &gpu_add), gpu_make_job(&c, &gpu_add)};
  char err[256];
  WfGpuAnswer answer;
  for (int i = 0; i < GPU_N; i++) {
    a[i] = (float)i;
    b[i] = (float)(100 * i);
  }
  jobs[1].values = values;
  for (int at = 0; at < 3; at++) {
    ck_assert_int_eq(wf_gpu_submit(g, jobs + at, (size_t)(3 - at), err, sizeof err), 1);
    gpu_await(g, &answer);
    if (at != 1) {
      gpu_check_clean(&jobs[at], &answer);
      continue;
    }
    ck_assert_int_eq(answer.end, WF_GPU_RAN);
    ck_assert_uint_eq(answer.guard.n_words + answer.input.n_words + answer.unwritten, 0);
    for (int i = 0; i < GPU_N; i++)
      ck_assert(answer.y[i] == (float)(101 * i) && answer.in[0][i] == a[i] && answer.in[1][i] == b[i]);
  }
  c.scalar[0] = 3;
  c.scalar[1] = GPU_A;
  jobs[1] = gpu_make_job(&c, &gpu_poke);
  jobs[1].values = values;
  gpu_run(g, &jobs[1], 1, &answer);
  ck_assert_uint_eq(answer.input.n_words, 1);
  c.in_place = 1 + GPU_B;
  jobs[1] = gpu_make_job(&c, &gpu_add);
  jobs[1].values = values;
  gpu_run(g, &jobs[1], 1, &answer);
  for (int i = 0; i < GPU_N; i++)
    ck_assert(answer.y[i] == (float)(101 * i));
  wf_gpu_destroy(g);
}
END_TEST

START_TEST(test_given) {
  WfGpu *g = gpu_create(0);
  WfCase c = gpu_make_case(&gpu_op, GPU_N, 7);
  c.scalar[0] = 0.5;
  c.scalar[1] = 1;
  c.fill[GPU_A].base_offset_elems = 1;
  c.fill[GPU_B].base_offset_elems = 63;
  c.fill[GPU_C].base_offset_elems = 2;
  WfGpuJob job = gpu_make_job(&c, &gpu_shows);
  job.g = (WfGeometry){{2, 3, 4}, {5, 6, 7}, 88, 12};
  const float expected[14] = {4, 252, 8, 0, GPU_N, 0.5f, 1, 2, 5, 3, 6, 4, 7, 88};
  for (int n = 1; n <= 2; n++) {
    const WfGpuJob jobs[2] = {job, job};
    WfGpuAnswer a[2];
    gpu_run(g, jobs, (size_t)n, a);
    for (int j = 0; j < n; j++) {
      gpu_check_inputs(&jobs[j], &a[j]);
      ck_assert_mem_eq(a[j].y, expected, sizeof expected);
      for (int i = GPU_OLD_C; i < GPU_SHOWN; i++)
        ck_assert_mem_eq(&a[j].y[i], &job.pattern, sizeof job.pattern);
      ck_assert_uint_eq(a[j].unwritten, GPU_N - GPU_OLD_C); /* those three, and what nobody wrote behind them */
      ck_assert_uint_eq(a[j].first_unwritten, GPU_OLD_C);
      ck_assert_uint_eq(a[j].guard.n_words, 0);
    }
  }
  wf_gpu_destroy(g);
}
END_TEST

START_TEST(test_starts) {
  WfGpu *g = gpu_create(0);
  const WfCase zero = gpu_make_case(&gpu_zero_op, GPU_N, 7), minus_inf = gpu_make_case(&gpu_minus_inf_op, GPU_N, 7);
  const WfGpuJob jobs[2] = {gpu_make_job(&zero, &gpu_shows), gpu_make_job(&minus_inf, &gpu_shows)};
  WfGpuAnswer a[2];
  gpu_run(g, jobs, 2, a);
  for (int i = GPU_SHOWN; i < GPU_N; i++) {
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
  WfGpu *g = gpu_create(0);
  const WfCase c = gpu_make_case(&gpu_op, GPU_N, 7);
  WfGpuJob jobs[3] = {gpu_make_job(&c, &gpu_add), gpu_make_job(&c, &gpu_leaves), gpu_make_job(&c, &gpu_leaves)};
  WfGpuAnswer a[3];
  jobs[2].pattern = 0x12345678;
  gpu_run(g, jobs, 3, a);
  gpu_check_clean(&jobs[0], &a[0]);
  for (int j = 1; j < 3; j++) {
    ck_assert_uint_eq(a[j].unwritten, 3);
    ck_assert_uint_eq(a[j].first_unwritten, 2);
    ck_assert_mem_eq(&a[j].y[GPU_N - 1], &jobs[j].pattern, sizeof jobs[j].pattern);
  }
  wf_gpu_destroy(g);
}
END_TEST

START_TEST(test_in_place) {
  WfGpu *g = gpu_create(0);
  for (uint32_t t = 0; t < 2; t++) {
    WfCase c = gpu_make_case(&gpu_op, GPU_N, 7);
    c.in_place = 1 + t;
    c.fill[t].base_offset_elems = 3;
    WfGpuJob jobs[3] = {gpu_make_job(&c, &gpu_add), gpu_make_job(&c, &gpu_subtract), gpu_make_job(&c, &gpu_leaves)};
    const float left = wf_case_value(&c, (int)t, 3); /* by the third: no sign that nobody wrote it */
    memcpy(&jobs[2].pattern, &left, sizeof left);
    WfGpuAnswer a[3];
    gpu_run(g, jobs, 3, a);
    gpu_check_clean(&jobs[0], &a[0]);
    gpu_check_clean(&jobs[1], &a[1]);
    ck_assert_uint_eq(a[2].unwritten, 0);
    ck_assert(a[2].y[3] == left);
    gpu_run(g, jobs, 1, a);
    gpu_check_clean(&jobs[0], &a[0]);
  }
  wf_gpu_destroy(g);
}
END_TEST

/* Disturbed, the fake device runs in another order. */
START_TEST(test_disturb) {
  WfGpu *g = gpu_create(0);
  const WfCase c = gpu_make_case(&gpu_op, GPU_N, 7);
  WfGpuJob job = gpu_make_job(&c, &gpu_race);
  WfGpuAnswer a;
  uint32_t first = 0, bits;
  int different = 0;
  for (job.disturb = 0; job.disturb < 20; job.disturb++) {
    gpu_run(g, &job, 1, &a);
    memcpy(&bits, a.y, sizeof bits);
    first = job.disturb == 0 ? bits : first;
    different += bits != first;
  }
  ck_assert_int_gt(different, 0);
  wf_gpu_destroy(g);
}
END_TEST

/* What the contract of a real variant admits leaves no trace outside its output, alone and in company, and the same bits in
 * both. */
static void check_variant(WfGpu *g, const WfOp *op, const WfVariant *v, uint64_t seed) {
  WfChoice choice = {.state = seed};
  WfCase c;
  WfGeometry geometry;
  wf_case_generate(&c, op, v, &choice);
  if (!wf_case_admits(&c, v, &geometry, NULL, 0))
    return;
  const WfGpuJob job = {.c = &c, .v = v, .g = geometry, .pattern = GPU_PATTERN}, jobs[2] = {job, job};
  int output = 0;
  if (!wf_gpu_fits(g, &job))
    return;
  while (op->tensors[output].role != WF_OUT)
    output++;
  size_t bytes = (size_t)wf_case_elems(&c, output) * sizeof(float);
  float *y = malloc(bytes + 1);
  ck_assert_ptr_nonnull(y);
  for (size_t n = 1; n <= 2; n++) {
    WfGpuAnswer a[2];
    char err[256];
    size_t sent = (size_t)wf_gpu_submit(g, jobs, n, err, sizeof err);
    gpu_await(g, a);
    for (size_t j = 0; j < sent; j++) {
      ck_assert_msg(a[j].end == WF_GPU_RAN && a[j].launch.status == WF_DEVICE_OK, "%s/%s: %d %s", op->name, v->name, a[j].end,
                    a[j].error.name);
      ck_assert_msg(a[j].guard.n_words + a[j].input.n_words + a[j].unwritten == 0, "%s/%s", op->name, v->name);
      if (n == 1)
        memcpy(y, a[j].y, bytes);
      else if (v->flags & WF_DETERMINISTIC)
        ck_assert_msg(memcmp(y, a[j].y, bytes) == 0, "%s/%s", op->name, v->name);
    }
  }
  free(y);
}

START_TEST(test_real_variants) {
  WfGpu *g = gpu_create(0);
  for (int i = 0; wf_ops[i]; i++)
    for (size_t k = 0; k < wf_ops[i]->n_variants; k++)
      if (wf_ops[i]->variants[k].expect == 0)
        for (uint64_t seed = 1; seed <= 3; seed++)
          check_variant(g, wf_ops[i], &wf_ops[i]->variants[k], seed);
  wf_gpu_destroy(g);
}
END_TEST

/* ---- memory that was none of the kernel's ---- */

static void check_poke(WfGpu *g, int tensor, int64_t word, uint32_t in_place, int n_jobs) {
  static const char *const name[] = {"a", "b", "c", "scratch"};
  WfCase c = gpu_make_case(&gpu_op, GPU_N, 7), other = gpu_make_case(&gpu_op, GPU_N, 8);
  c.scalar[0] = (double)word;
  c.scalar[1] = tensor;
  c.in_place = in_place;
  c.fill[tensor == GPU_SCRATCH ? 0 : tensor].base_offset_elems = 5;
  const WfGpuJob jobs[3] = {gpu_make_job(&c, &gpu_poke), gpu_make_job(&other, &gpu_add), gpu_make_job(&other, &gpu_add)};
  WfGpuAnswer a[3];
  gpu_run(g, jobs, (size_t)n_jobs, a);
  gpu_check_values(&jobs[0], &a[0]);
  ck_assert_uint_eq(a[0].guard.n_words, 1);
  ck_assert_str_eq(a[0].guard.object, name[tensor == GPU_C && in_place ? (int)in_place - 1 : tensor]);
  ck_assert_int_eq(a[0].guard.offset_bytes, word * 4);
  ck_assert_uint_eq(a[0].guard.now, GPU_POKE);
  ck_assert_uint_eq(a[0].input.n_words, 0);
  ck_assert_uint_eq(a[0].unwritten, 0);
  for (int j = 1; j < n_jobs; j++)
    gpu_check_clean(&jobs[j], &a[j]);
}

START_TEST(test_guards) {
  WfGpu *g = gpu_create(0);
  for (int t = GPU_A; t <= GPU_SCRATCH; t++) {
    int64_t n = t == GPU_SCRATCH ? 3 : GPU_N;
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
  WfGpu *g = gpu_create(0);
  const WfCase c = gpu_make_case(&gpu_op, GPU_N, 7);
  const WfGpuJob job = gpu_make_job(&c, &gpu_copies_beyond);
  WfGpuAnswer a;
  gpu_run(g, &job, 1, &a);
  gpu_check_values(&job, &a);
  ck_assert_uint_eq(a.guard.n_words, 1);
  ck_assert_str_eq(a.guard.object, "c");
  ck_assert_int_eq(a.guard.offset_bytes, GPU_N * 4);
  wf_gpu_destroy(g);
}
END_TEST

/* Whoever shares an input is told that it changed; others are not. */
START_TEST(test_input_written) {
  WfGpu *g = gpu_create(0);
  WfCase c = gpu_make_case(&gpu_op, GPU_N, 7), other = gpu_make_case(&gpu_op, GPU_N, 7);
  c.scalar[0] = 6;
  c.scalar[1] = GPU_B;
  const WfGpuJob jobs[4] = {gpu_make_job(&other, &gpu_add), gpu_make_job(&c, &gpu_subtract), gpu_make_job(&c, &gpu_poke),
                            gpu_make_job(&other, &gpu_add)};
  WfGpuAnswer a[4];
  gpu_run(g, &jobs[2], 1, a);
  ck_assert_uint_eq(a[0].input.n_words, 1);
  gpu_run(g, jobs, 4, a);
  for (int j = 1; j < 3; j++) {
    gpu_check_values(&jobs[j], &a[j]);
    ck_assert_uint_eq(a[j].input.n_words, 1);
    ck_assert_str_eq(a[j].input.object, "b");
    ck_assert_int_eq(a[j].input.offset_bytes, 24);
    ck_assert_uint_eq(a[j].input.now, GPU_POKE);
    ck_assert_uint_eq(a[j].guard.n_words, 0);
  }
  gpu_check_clean(&jobs[0], &a[0]);
  gpu_check_clean(&jobs[3], &a[3]);
  wf_gpu_destroy(g);
}
END_TEST

/* ---- what does not run ---- */

START_TEST(test_not_launched) {
  WfGpu *g = gpu_create(0);
  const WfCase c = gpu_make_case(&gpu_op, GPU_N, 7);
  WfGpuJob jobs[3] = {gpu_make_job(&c, &gpu_add), gpu_make_job(&c, &gpu_add), gpu_make_job(&c, &gpu_refused)};
  WfGpuAnswer a[3];
  jobs[1].flavor = WF_GPU_DEBUG; /* the fake device has the default only */
  gpu_run(g, &jobs[1], 1, a);
  ck_assert_int_eq(a[0].end, WF_GPU_NOT_BUILT);
  gpu_run(g, &jobs[2], 1, a);
  ck_assert_int_eq(a[0].end, WF_GPU_RAN);
  ck_assert_int_eq(a[0].launch.status, WF_DEVICE_REFUSED);
  ck_assert_ptr_null(a[0].y);
  gpu_run(g, jobs, 3, a);
  ck_assert_int_eq(a[0].end, WF_GPU_RAN);
  ck_assert_int_eq(a[0].launch.status, WF_DEVICE_OK);
  ck_assert_int_eq(a[1].end, WF_GPU_NOT_BUILT);
  ck_assert_int_eq(a[2].launch.status, WF_DEVICE_REFUSED);
  gpu_check_next(g);
  wf_gpu_destroy(g);
}
END_TEST

START_TEST(test_too_large) {
  const WfGpuOptions opt = {.batch_bytes = 1 << 20};
  char err[256] = "";
  WfGpu *g;
  gpu_kernels_begin();
  ck_assert_int_eq(wf_gpu_create(&g, &opt, err, sizeof err), 0);
  const WfCase large = gpu_make_case(&gpu_op, 86000, 7), larger = gpu_make_case(&gpu_op, 10000000, 7);
  const WfCase most = gpu_make_case(&gpu_op, WF_MAX_EXTENT, 7);
  const WfGpuJob jobs[3] = {gpu_make_job(&large, &gpu_add), gpu_make_job(&larger, &gpu_add), gpu_make_job(&most, &gpu_add)};
  WfGpuJob scratch = gpu_make_job(&large, &gpu_poke), many[WF_GPU_MAX_JOBS + 1];
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
  gpu_await(g, a);
  gpu_check_clean(&jobs[0], &a[0]);
  WfCase small = gpu_make_case(&gpu_op, GPU_N, 7);
  small.scalar[0] = GPU_N + LONE_WORDS;
  small.scalar[1] = GPU_C;
  const WfGpuJob first_fits[2] = {gpu_make_job(&small, &gpu_poke), jobs[1]};
  ck_assert_int_eq(wf_gpu_submit(g, first_fits, 2, err, sizeof err), 1);
  gpu_await(g, a);
  ck_assert_uint_eq(a[0].guard.n_words, 1); /* it is alone */
  for (int j = 0; j <= WF_GPU_MAX_JOBS; j++)
    many[j] = gpu_make_job(j == 3 ? &large : &small, &gpu_add);
  ck_assert_int_eq(wf_gpu_submit(g, many, WF_GPU_MAX_JOBS, err, sizeof err), 3);
  gpu_await(g, a);
  gpu_check_clean(&many[2], &a[2]);
  many[3].c = &small;
  ck_assert_int_eq(wf_gpu_submit(g, many, WF_GPU_MAX_JOBS + 1, err, sizeof err), WF_GPU_MAX_JOBS);
  gpu_await(g, a);
  gpu_check_clean(&many[WF_GPU_MAX_JOBS - 1], &a[WF_GPU_MAX_JOBS - 1]);
  wf_gpu_destroy(g);
}
END_TEST

int main(void) {
  Suite *s = suite_create("gpu");
  TCase *t = tcase_create("gpu");
  tcase_add_test(t, test_alone);
  tcase_add_test(t, test_company);
  tcase_add_test(t, test_halves);
  tcase_add_test(t, test_two_batches);
  tcase_add_test(t, test_values);
  tcase_add_test(t, test_given);
  tcase_add_test(t, test_starts);
  tcase_add_test(t, test_unwritten);
  tcase_add_test(t, test_in_place);
  tcase_add_test(t, test_disturb);
  tcase_add_test(t, test_real_variants);
  tcase_add_test(t, test_guards);
  tcase_add_test(t, test_guards_differ);
  tcase_add_test(t, test_input_written);
  tcase_add_test(t, test_not_launched);
  tcase_add_test(t, test_too_large);
  suite_add_tcase(s, t);
  return suite_run(s);
}
