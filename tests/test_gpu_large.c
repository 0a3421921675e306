/* test_gpu_large.c - jobs whose tensors are made on the device and of whose output only slices come back (gpu/gpu.h), on the fake
 * device. Slices are asked for of small cases, too: what decides is the same. */
#include "gpu_jobs.h"
#include "suite.h"
#include <string.h>

enum { N = 1000 };
static const int64_t slices[] = {0, 1, 2, 500, 998, 999};
enum { N_SLICES = sizeof slices / sizeof *slices };

static WfGpu *gpu;

static void set_up(void) { gpu = gpu_create(0); }
static void tear_down(void) { wf_gpu_destroy(gpu); }

static WfGpuJob sliced(const WfCase *c, const WfVariant *v) {
  WfGpuJob job = gpu_make_job(c, v);
  job.slice = slices;
  job.n_slices = N_SLICES;
  return job;
}

static void check_slices(const WfGpuJob *job, const WfGpuAnswer *a) {
  ck_assert_int_eq(a->end, WF_GPU_RAN);
  ck_assert_int_eq(a->launch.status, WF_DEVICE_OK);
  for (int t = 0; t < WF_MAX_TENSORS; t++)
    ck_assert_ptr_null(a->in[t]);
  for (size_t k = 0; k < job->n_slices; k++) {
    int64_t i = job->slice[k];
    ck_assert(a->y[k] == wf_case_value(job->c, GPU_A, i) + wf_case_value(job->c, GPU_B, i));
  }
}

START_TEST(test_right) {
  for (uint32_t offset = 0; offset < 4; offset++) {
    WfCase c = gpu_make_case(&gpu_op, N, 7);
    for (int t = 0; t < 3; t++)
      c.fill[t].base_offset_elems = offset * (uint32_t)(t + 1);
    const WfGpuJob job = sliced(&c, &gpu_add);
    WfGpuAnswer a;
    ck_assert_int_eq(wf_gpu_fits(gpu, &job), 1);
    gpu_run(gpu, &job, 1, &a);
    check_slices(&job, &a);
    ck_assert_uint_eq(a.guard.n_words + a.input.n_words + a.unwritten, 0);
  }
}
END_TEST

/* Poked words, and what is said of them: in front of, behind and inside of each tensor. */
static const struct {
  int tensor;
  double word;
  int is_input;
} pokes[] = {
    {GPU_A, -1, 0}, {GPU_A, -262144, 0}, {GPU_A, N, 0}, {GPU_A, N + 262143, 0}, {GPU_B, -1, 0}, {GPU_B, N, 0}, {GPU_C, -1, 0},
    {GPU_C, N, 0},  {GPU_SCRATCH, -1, 0}, {GPU_SCRATCH, 3, 0}, {GPU_A, 0, 1}, {GPU_A, 700, 1}, {GPU_B, N - 1, 1},
};

START_TEST(test_damage) {
  WfCase c = gpu_make_case(&gpu_op, N, 7);
  c.scalar[0] = pokes[_i].word;
  c.scalar[1] = pokes[_i].tensor;
  const WfGpuJob job = sliced(&c, &gpu_poke);
  WfGpuAnswer a;
  gpu_run(gpu, &job, 1, &a);
  ck_assert_int_eq(a.end, WF_GPU_RAN);
  const WfGpuDamage *d = pokes[_i].is_input ? &a.input : &a.guard, *none = pokes[_i].is_input ? &a.guard : &a.input;
  ck_assert_uint_eq(none->n_words, 0);
  ck_assert_uint_eq(d->n_words, 1);
  ck_assert_str_eq(d->object, pokes[_i].tensor == GPU_SCRATCH ? "scratch" : gpu_op.tensors[pokes[_i].tensor].name);
  ck_assert_int_eq(d->offset_bytes, (int64_t)pokes[_i].word * 4);
  ck_assert_uint_eq(d->now, GPU_POKE);
}
END_TEST

START_TEST(test_unwritten) {
  const WfCase c = gpu_make_case(&gpu_op, N, 7), zero = gpu_make_case(&gpu_zero_op, N, 7);
  WfGpuJob job = sliced(&c, &gpu_leaves);
  WfGpuAnswer a;
  gpu_run(gpu, &job, 1, &a);
  ck_assert_uint_eq(a.unwritten, 3); /* one of them is in no slice */
  ck_assert(memcmp(&a.y[2], &job.pattern, sizeof job.pattern) == 0);
  job.c = &zero;
  gpu_run(gpu, &job, 1, &a);
  ck_assert_uint_eq(a.unwritten, 0);
  ck_assert(a.y[2] == 0);
}
END_TEST

/* The output lies in an input's memory: which may change, and whose guards are one tensor's. */
START_TEST(test_in_place) {
  WfCase c = gpu_make_case(&gpu_op, N, 7);
  c.in_place = 1 + GPU_B;
  WfGpuJob job = sliced(&c, &gpu_add);
  WfGpuAnswer a;
  gpu_run(gpu, &job, 1, &a);
  check_slices(&job, &a);
  ck_assert_uint_eq(a.guard.n_words + a.input.n_words + a.unwritten, 0);
  c.scalar[0] = N;
  c.scalar[1] = GPU_C;
  job = sliced(&c, &gpu_poke);
  gpu_run(gpu, &job, 1, &a);
  ck_assert_uint_eq(a.guard.n_words, 1);
  ck_assert_uint_eq(a.input.n_words, 0);
}
END_TEST

/* Each kind of end, and the device is well for the next one. */
START_TEST(test_ends) {
  const WfCase c = gpu_make_case(&gpu_op, GPU_N, 7);
  static const int64_t first = 0;
  static const struct {
    const WfVariant *v;
    WfGpuEnd end;
    WfDeviceStatus launch, error;
  } ends[] = {{&gpu_refused, WF_GPU_RAN, WF_DEVICE_REFUSED, WF_DEVICE_OK},
              {&gpu_misaligned, WF_GPU_FAULT, WF_DEVICE_OK, WF_DEVICE_MISALIGNED},
              {&gpu_exits, WF_GPU_DIED, WF_DEVICE_OK, WF_DEVICE_OK}};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    WfGpuJob job = gpu_make_job(&c, ends[i].v);
    WfGpuAnswer a;
    job.slice = &first;
    job.n_slices = 1;
    gpu_run(gpu, &job, 1, &a);
    ck_assert_int_eq(a.end, ends[i].end);
    ck_assert_int_eq(a.launch.status, ends[i].launch);
    ck_assert_int_eq(a.error.status, ends[i].error);
    gpu_check_next(gpu);
  }
}
END_TEST

START_TEST(test_no_room) { /* the fake device has 1 GiB */
  const WfCase c = gpu_make_case(&gpu_op, (int64_t)1 << 27, 7);
  const WfGpuJob job = sliced(&c, &gpu_add);
  WfGpuAnswer a;
  ck_assert_int_eq(wf_gpu_fits(gpu, &job), 1);
  gpu_run(gpu, &job, 1, &a);
  ck_assert_msg(a.end == WF_GPU_NO_ROOM, "end %d, status %x", (int)a.end, (unsigned)a.error.code);
  gpu_check_next(gpu);
}
END_TEST

/* It goes alone, whatever stands before and behind it; and only what there is room for comes back. */
START_TEST(test_goes_alone) {
  const WfCase c = gpu_make_case(&gpu_op, N, 7);
  const WfGpuJob jobs[3] = {gpu_make_job(&c, &gpu_add), sliced(&c, &gpu_add), gpu_make_job(&c, &gpu_add)};
  WfGpuJob many = jobs[1];
  char err[256];
  WfGpuAnswer a[3];
  for (size_t at = 0; at < 3; at++) {
    ck_assert_int_eq(wf_gpu_submit(gpu, jobs + at, 3 - at, err, sizeof err), 1);
    gpu_await(gpu, a);
    if (at == 1)
      check_slices(&jobs[at], a);
    else
      gpu_check_clean(&jobs[at], a);
  }
  many.n_slices = WF_GPU_MAX_SLICES + 1;
  ck_assert_int_eq(wf_gpu_fits(gpu, &many), 0);
  ck_assert_int_eq(wf_gpu_submit(gpu, &many, 1, err, sizeof err), 0);
}
END_TEST

int main(void) {
  Suite *s = suite_create("gpu_large");
  TCase *t = tcase_create("slices");
  tcase_add_checked_fixture(t, set_up, tear_down);
  tcase_set_timeout(t, 60);
  tcase_add_test(t, test_right);
  tcase_add_loop_test(t, test_damage, 0, (int)(sizeof pokes / sizeof *pokes));
  tcase_add_test(t, test_unwritten);
  tcase_add_test(t, test_in_place);
  tcase_add_test(t, test_ends);
  tcase_add_test(t, test_no_room);
  tcase_add_test(t, test_goes_alone);
  suite_add_tcase(s, t);
  return suite_run(s);
}
