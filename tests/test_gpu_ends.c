/* test_gpu_ends.c - the GPU leg on the fake device, when a context or a process ends: which batch is told, and that the next one is
 * right; what is left of it; devices that are not there. */
#define _GNU_SOURCE
#include "gpu_jobs.h"
#include "suite.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Three jobs, the second of which ends the process: of none is known how it was. */
static void check_company(WfGpu *g, const WfVariant *v) {
  const WfCase c = gpu_make_case(&gpu_op, GPU_N, 5);
  const WfGpuJob jobs[3] = {gpu_make_job(&c, &gpu_add), gpu_make_job(&c, v), gpu_make_job(&c, &gpu_add)};
  WfGpuAnswer a[3];
  gpu_run(g, jobs, 3, a);
  for (int j = 0; j < 3; j++)
    ck_assert_int_eq(a[j].end, WF_GPU_UNKNOWN);
  gpu_check_next(g);
}

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
  WfGpu *g = gpu_create(0);
  const WfCase c = gpu_make_case(&gpu_op, GPU_N, 7);
  for (int i = 0; i < N_FAULTS; i++) {
    WfGpuAnswer a = gpu_run_one(g, &c, faults[i].v);
    ck_assert_int_eq(a.end, WF_GPU_FAULT);
    ck_assert_int_eq(a.error.status, faults[i].status);
    ck_assert_str_eq(a.error.name, faults[i].name);
    gpu_check_next(g);
    check_company(g, faults[i].v);
  }
  wf_gpu_destroy(g);
}
END_TEST

static void on_fault(int sig) {
  (void)sig;
  _exit(4);
}

/* Handlers of this process are none of its children's. */
START_TEST(test_deaths) {
  signal(SIGFPE, on_fault);
  WfGpu *g = gpu_create(0);
  const WfCase c = gpu_make_case(&gpu_op, GPU_N, 7);
  WfGpuAnswer a = gpu_run_one(g, &c, &gpu_exits);
  ck_assert_int_eq(a.end, WF_GPU_DIED);
  ck_assert(WIFEXITED(a.error.code) && WEXITSTATUS(a.error.code) == 3);
  gpu_check_next(g);
  a = gpu_run_one(g, &c, &gpu_divides);
  ck_assert_int_eq(a.end, WF_GPU_DIED);
  ck_assert(WIFSIGNALED(a.error.code) && WTERMSIG(a.error.code) == SIGFPE);
  gpu_check_next(g);
  check_company(g, &gpu_exits);
  check_company(g, &gpu_divides);
  wf_gpu_destroy(g);
}
END_TEST

START_TEST(test_hangs) {
  WfGpu *g = gpu_create(2 * GPU_SECOND);
  const WfCase c = gpu_make_case(&gpu_op, GPU_N, 7);
  ck_assert_int_eq(gpu_run_one(g, &c, &gpu_waits).end, WF_GPU_HUNG); /* host code */
  int pid = gpu_shared->pid;
  ck_assert(kill(pid, 0) != 0 && errno == ESRCH);
  gpu_check_next(g);
  ck_assert_int_eq(gpu_run_one(g, &c, &gpu_spin).end, WF_GPU_HUNG); /* a kernel */
  gpu_check_next(g);
  check_company(g, &gpu_spin);
  wf_gpu_destroy(g);
}
END_TEST

/* What ends a little late hangs, unless there is patience, which is a job's by itself. */
START_TEST(test_patience) {
  WfGpu *g = gpu_create(GPU_SECOND / 2);
  const WfCase c = gpu_make_case(&gpu_op, GPU_N, 7);
  WfGpuJob jobs[2] = {gpu_make_job(&c, &gpu_lingers), gpu_make_job(&c, &gpu_add)};
  WfGpuAnswer a[2];
  char err[256];
  ck_assert_int_eq(gpu_run_one(g, &c, &gpu_lingers).end, WF_GPU_HUNG);
  gpu_check_next(g);
  jobs[0].patient = 1;
  ck_assert_int_eq(wf_gpu_submit(g, jobs, 2, err, sizeof err), 1);
  ck_assert_int_eq(wf_gpu_wait(g, a, err, sizeof err), 0);
  ck_assert_int_eq(a[0].end, WF_GPU_RAN);
  jobs[0].v = &gpu_waits;
  ck_assert_int_eq(wf_gpu_submit(g, jobs, 1, err, sizeof err), 1);
  ck_assert_int_eq(wf_gpu_wait(g, a, err, sizeof err), 0);
  ck_assert_int_eq(a[0].end, WF_GPU_HUNG);
  gpu_check_next(g);
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
  WfGpu *g = gpu_create(2 * GPU_SECOND);
  const WfCase c[2] = {gpu_make_case(&gpu_op, GPU_N, 7), gpu_make_case(&gpu_op, GPU_N, 8)};
  const WfGpuJob jobs[2] = {gpu_make_job(&c[0], which == 0 ? bad : &gpu_add), gpu_make_job(&c[1], which == 1 ? bad : &gpu_add)};
  WfGpuAnswer a[2];
  for (int round = 0; round < 2; round++) {
    gpu_submit(g, &jobs[0], 1);
    gpu_submit(g, &jobs[1], 1);
    gpu_await(g, &a[0]);
    if (which == 0)
      ck_assert_int_eq(a[0].end, ends[_i / 2].end);
    else
      gpu_check_clean(&jobs[0], &a[0]);
    if (round == 1 && which == 0) { /* a third one comes between */
      gpu_check_clean(&jobs[1], (gpu_await(g, &a[1]), &a[1]));
      gpu_check_next(g);
      continue;
    }
    gpu_await(g, &a[1]);
    if (which == 1)
      ck_assert_int_eq(a[1].end, ends[_i / 2].end);
    else
      gpu_check_clean(&jobs[1], &a[1]);
  }
  gpu_check_next(g);
  wf_gpu_destroy(g);
}
END_TEST

/* Behind a batch that broke the context, one is sent before the next answers are taken. */
START_TEST(test_sent_behind_a_fault) {
  WfGpu *g = gpu_create(0);
  const WfCase c[3] = {gpu_make_case(&gpu_op, GPU_N, 7), gpu_make_case(&gpu_op, GPU_N, 8), gpu_make_case(&gpu_op, GPU_N, 9)};
  const WfGpuJob jobs[3] = {gpu_make_job(&c[0], &gpu_trap), gpu_make_job(&c[1], &gpu_add), gpu_make_job(&c[2], &gpu_subtract)};
  WfGpuAnswer a[3];
  gpu_submit(g, &jobs[0], 1);
  gpu_submit(g, &jobs[1], 1);
  gpu_await(g, &a[0]);
  ck_assert_int_eq(a[0].end, WF_GPU_FAULT);
  gpu_submit(g, &jobs[2], 1);
  gpu_await(g, &a[1]);
  gpu_await(g, &a[2]);
  gpu_check_clean(&jobs[1], &a[1]);
  gpu_check_clean(&jobs[2], &a[2]);
  wf_gpu_destroy(g);
}
END_TEST

static void await_pid(void) {
  const struct timespec pause = {0, 1000000};
  while (!gpu_shared->pid)
    nanosleep(&pause, NULL);
}

/* Returns when it is dead. */
static void kill_child(void) {
  siginfo_t info;
  ck_assert_int_eq(kill(gpu_shared->pid, SIGKILL), 0);
  ck_assert_int_eq(waitid(P_PID, (id_t)gpu_shared->pid, &info, WEXITED | WNOWAIT), 0);
}

START_TEST(test_killed_between) {
  WfGpu *g = gpu_create(0);
  for (int round = 0; round < 3; round++) {
    gpu_check_next(g);
    kill_child();
  }
  gpu_check_next(g);
  wf_gpu_destroy(g);
}
END_TEST

START_TEST(test_killed_during) {
  WfGpu *g = gpu_create(0);
  const WfCase c[2] = {gpu_make_case(&gpu_op, GPU_N, 7), gpu_make_case(&gpu_op, GPU_N, 8)};
  const WfGpuJob jobs[2] = {gpu_make_job(&c[0], &gpu_waits), gpu_make_job(&c[1], &gpu_subtract)};
  WfGpuAnswer a[2];
  gpu_submit(g, &jobs[0], 1);
  gpu_submit(g, &jobs[1], 1);
  await_pid();
  kill_child();
  gpu_await(g, &a[0]);
  ck_assert_int_eq(a[0].end, WF_GPU_DIED);
  ck_assert(WIFSIGNALED(a[0].error.code) && WTERMSIG(a[0].error.code) == SIGKILL);
  gpu_await(g, &a[1]);
  gpu_check_clean(&jobs[1], &a[1]);
  wf_gpu_destroy(g);
}
END_TEST

/* What a terminal sends to all of its processes. */
START_TEST(test_signals) {
  static const int sent[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
  WfGpu *g = gpu_create(0);
  gpu_check_next(g);
  int pid = gpu_shared->pid;
  for (size_t i = 0; i < sizeof sent / sizeof *sent; i++)
    ck_assert_int_eq(kill(pid, sent[i]), 0);
  gpu_check_next(g);
  ck_assert_int_eq(gpu_shared->pid, pid);
  wf_gpu_destroy(g);
}
END_TEST

/* ---- the process that fuzzes ---- */

/* Runs slow on a GPU leg of its own, and says how it ended. */
static void run_slow(uint64_t timeout_ns) {
  const WfGpuOptions opt = {.timeout_ns = timeout_ns, .batch_bytes = 1 << 20};
  const WfCase c = gpu_make_case(&gpu_op, GPU_N, 7);
  const WfGpuJob job = gpu_make_job(&c, &gpu_slow);
  WfGpuAnswer a = {.end = WF_GPU_UNKNOWN};
  char err[256];
  WfGpu *g;
  if (wf_gpu_create(&g, &opt, err, sizeof err) != 0 || wf_gpu_submit(g, &job, 1, err, sizeof err) != 1 ||
      wf_gpu_wait(g, &a, err, sizeof err) != 0)
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
  const struct timespec pause = {0, 300000000};
  int status;
  pid_t parent = start_slow(3 * GPU_SECOND), child = gpu_shared->pid;
  nanosleep(&pause, NULL); /* until the wait is under way */
  kill(parent, SIGSTOP);
  kill(child, SIGSTOP);
  sleep(4);
  kill(child, SIGCONT);
  kill(parent, SIGCONT);
  nanosleep(&pause, NULL);
  gpu_shared->go = 1;
  ck_assert_int_eq(waitpid(parent, &status, 0), parent);
  ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  ck_assert_int_eq(gpu_shared->outcome, WF_GPU_RAN);
}
END_TEST

/* Nor is it when the child alone is stopped. */
START_TEST(test_child_stopped) {
  const struct timespec pause = {0, 300000000};
  int status;
  pid_t parent = start_slow(3 * GPU_SECOND), child = gpu_shared->pid;
  kill(child, SIGSTOP);
  sleep(4);
  kill(child, SIGCONT);
  nanosleep(&pause, NULL);
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

/* Neither of a leg that was destroyed with nothing to do, nor at work, nor after its child was gone; nor of one that had no
 * device. */
START_TEST(test_nothing_is_left) {
  const WfCase c = gpu_make_case(&gpu_op, GPU_N, 7);
  const WfGpuJob job = gpu_make_job(&c, &gpu_waits);
  const WfGpuOptions absent = {.device = 7};
  char err[256];
  gpu_kernels_begin();
  int descriptors = count_descriptors(), mappings = count_shared_mappings();
  for (int round = 0; round < 4; round++) {
    WfGpu *g = gpu_create(0);
    ck_assert_int_gt(count_shared_mappings(), mappings);
    gpu_check_next(g);
    if (round == 1)
      gpu_submit(g, &job, 1);
    if (round == 2)
      gpu_run_one(g, &c, &gpu_exits);
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
  WfGpu *g = gpu_create(0);
  const WfCase c = gpu_make_case(&gpu_op, GPU_N, 7);
  WfGpuAnswer a = gpu_run_one(g, &c, &gpu_prints);
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
  WfGpu *g = gpu_create(0);
  const WfCase c = gpu_make_case(&gpu_op, GPU_N, 7);
  const WfGpuJob jobs[2] = {gpu_make_job(&c, &gpu_trap), gpu_make_job(&c, &gpu_add)};
  char err[256] = "";
  WfGpuAnswer a;
  gpu_submit(g, &jobs[0], 1);
  gpu_submit(g, &jobs[1], 1);
  gpu_await(g, &a);
  ck_assert_int_eq(a.end, WF_GPU_FAULT);
  setenv("WARPFUZZ_FAKE_DEVICES", "0", 1);
  ck_assert_int_eq(wf_gpu_wait(g, &a, err, sizeof err), -1);
  ck_assert_str_eq(err, "WARPFUZZ_FAKE_DEVICES says that there is no device");
  ck_assert_int_eq(wf_gpu_submit(g, &jobs[1], 1, err, sizeof err), -1);
  setenv("WARPFUZZ_FAKE_DEVICES", "1", 1);
  gpu_await(g, &a);
  gpu_check_clean(&jobs[1], &a);
  gpu_check_next(g);
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
    WfCase c = gpu_make_case(&gpu_op, GPU_N, 7);
    c.in_place = in_place;
    c.fill[GPU_A].base_offset_elems = 1;
    const WfGpuJob jobs[2] = {gpu_make_job(&c, &gpu_add), gpu_make_job(&c, &gpu_poke)};
    ck_assert_int_eq(wf_gpu_submit(g, jobs, 2, err, sizeof err), 1);
    gpu_await(g, &a);
    gpu_check_clean(&jobs[0], &a);
    gpu_run(g, &jobs[1], 1, &a); /* a[0] is written: nothing is said of it */
    ck_assert_int_eq(a.end, WF_GPU_RAN);
    ck_assert_uint_eq(a.input.n_words, 0);
    a = gpu_run_one(g, &c, &gpu_trap);
    ck_assert_int_eq(a.end, WF_GPU_FAULT);
    a = gpu_run_one(g, &c, &gpu_refused);
    ck_assert_int_eq(a.launch.status, WF_DEVICE_REFUSED);
  }
  const WfCase zero = gpu_make_case(&gpu_zero_op, GPU_N, 7), empty = gpu_make_case(&gpu_op, 0, 7);
  a = gpu_run_one(g, &zero, &gpu_shows);
  ck_assert(a.y[GPU_OLD_C] == 0);
  a = gpu_run_one(g, &empty, &gpu_add);
  ck_assert_int_eq(a.end, WF_GPU_RAN);
  wf_gpu_destroy(g);
}
END_TEST

int main(void) {
  Suite *s = suite_create("gpu_ends");
  TCase *t = tcase_create("gpu_ends");
  tcase_add_test(t, test_faults);
  tcase_add_test(t, test_deaths);
  tcase_add_test(t, test_hangs);
  tcase_add_test(t, test_patience);
  tcase_add_loop_test(t, test_end_beside_another, 0, 6);
  tcase_add_test(t, test_sent_behind_a_fault);
  tcase_add_test(t, test_killed_between);
  tcase_add_test(t, test_killed_during);
  tcase_add_test(t, test_signals);
  tcase_add_test(t, test_parent_dies);
  tcase_add_test(t, test_stopped);
  tcase_add_test(t, test_child_stopped);
  tcase_add_test(t, test_nothing_is_left);
  tcase_add_test(t, test_prints);
  tcase_add_test(t, test_no_device);
  tcase_add_test(t, test_device_goes);
  tcase_add_test(t, test_plain);
  suite_add_tcase(s, t);
  return suite_run(s);
}
