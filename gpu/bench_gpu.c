/* bench_gpu.c - bench-gpu: what a small case through 20 variants costs on a device, judged, as a multiple of the bare loop of the same
 * launches: inputs up, 20 launches each with its output back, one synchronisation. Both are measured in turn in one run, in
 * processes of their own. Wall time, medians. Ends with 1 when the ratio is above the limit, 77 without a device. */
#include "../fuzz/run_gpu.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { VARIANTS = 20, ROUNDS = 15, CASES = 200, HOST_BYTES = 1 << 20 };
#define LIMIT 1.5

static const char text[] = "warpfuzz case 1\nop softmax\nrows 4\ncols 100\nblock 128 1 1\nschedule 0x51f3\nx normal seed=77 scale=30\n";

static double now_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static double median(double *v, size_t n) {
  qsort(v, n, sizeof *v, by_value);
  return (v[(n - 1) / 2] + v[n / 2]) / 2;
}

typedef struct Work { /* the launches */
  WfCase c;
  size_t n;
  WfGpuJob jobs[VARIANTS];
} Work;

static int prepare(Work *w, const WfRunner *r) {
  char err[256];
  WfGeometry g;
  if (wf_case_parse(&w->c, text, sizeof text - 1, "bench", err, sizeof err) != 0)
    return -1;
  for (size_t i = 0; i < w->c.op->n_variants && w->n < VARIANTS; i++) {
    const WfVariant *v = &w->c.op->variants[i];
    if (v->expect == 0 && wf_case_admits(&w->c, v, &g, NULL, 0) && wf_device_entry(v, w->c.op, WF_GPU_DEFAULT))
      wf_gpu_job(r, &w->c, v, &g, &w->jobs[w->n++]);
  }
  return w->n == VARIANTS ? 0 : -1;
}

/* ---- the bare loop, in a child that is told by a byte to measure once, and answers with a number ---- */

typedef struct Bare {
  WfDevice *device;
  char *host;
  void *x, *y[VARIANTS], *scratch;
  size_t bytes;
} Bare;

static int bare_open(Bare *b, const Work *w) {
  char err[256];
  b->host = mmap(NULL, HOST_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  const WfDeviceOptions opt = {.host = b->host, .host_bytes = HOST_BYTES};
  if (b->host == MAP_FAILED || wf_device_open(&b->device, &opt, err, sizeof err) != 0)
    return -1;
  b->bytes = (size_t)wf_case_elems(&w->c, 0) * sizeof(float);
  b->x = wf_device_alloc(b->device, b->bytes);
  b->scratch = wf_device_alloc(b->device, HOST_BYTES);
  for (size_t i = 0; i < w->n; i++)
    if (!(b->y[i] = wf_device_alloc(b->device, b->bytes)))
      return -1;
  wf_case_values(&w->c, 0, (float *)b->host);
  return b->x && b->scratch ? 0 : -1;
}

static void launch_args(const Bare *b, const WfGpuJob *job, size_t i, WfLaunchArgs *a) {
  memset(a, 0, sizeof *a);
  a->tensor[0] = b->x;
  a->tensor[1] = b->y[i];
  memcpy(a->dim, job->c->dim, sizeof a->dim);
  memcpy(a->scalar, job->c->scalar, sizeof a->scalar);
  memcpy(a->grid, job->g.grid, sizeof a->grid);
  memcpy(a->block, job->g.block, sizeof a->block);
  a->shared_bytes = job->g.shared_bytes;
  a->scratch = b->scratch;
}

/* Microseconds a case; below 0: it failed. */
static double bare_us(const Bare *b, const Work *w) {
  WfLaunchArgs args[VARIANTS];
  WfEntry *entry[VARIANTS];
  WfDeviceError e;
  for (size_t i = 0; i < w->n; i++) {
    launch_args(b, &w->jobs[i], i, &args[i]);
    entry[i] = wf_device_entry(w->jobs[i].v, w->c.op, WF_GPU_DEFAULT);
  }
  double t = now_us();
  for (int k = 0; k < CASES; k++) {
    wf_device_upload(b->device, b->x, b->host, b->bytes);
    for (size_t i = 0; i < w->n; i++) {
      wf_device_launch(b->device, entry[i], &args[i], &e);
      if (e.status != WF_DEVICE_OK)
        return -1;
      wf_device_download(b->device, b->host + (i + 1) * 4096, b->y[i], b->bytes);
    }
    wf_device_sync(b->device, &e);
    if (e.status != WF_DEVICE_OK)
      return -1;
  }
  return (now_us() - t) / CASES;
}

static void bare_child(const Work *w, int in, int out) {
  Bare b = {0};
  char byte;
  double us = bare_open(&b, w) == 0 ? 0 : -1;
  while (write(out, &us, sizeof us) == sizeof us && us >= 0 && read(in, &byte, 1) == 1)
    us = bare_us(&b, w);
  _exit(0);
}

typedef struct Child {
  pid_t pid;
  int to, from;
} Child;

static int start(Child *c, const Work *w) {
  int there[2], back[2];
  if (pipe(there) != 0 || pipe(back) != 0 || (c->pid = fork()) < 0)
    return -1;
  if (c->pid == 0) {
    close(there[1]);
    close(back[0]);
    bare_child(w, there[0], back[1]);
  }
  close(there[0]);
  close(back[1]);
  c->to = there[1];
  c->from = back[0];
  return 0;
}

static double answer(const Child *c) {
  double us;
  return read(c->from, &us, sizeof us) == sizeof us ? us : -1;
}

/* ---- judged ---- */

static int judge(WfRunner *r, const Work *w, const WfGpuAnswer *a) {
  const WfRunOptions opt = {.detect = SIMT_DETECT_ALL};
  uint32_t situations;
  wf_gpu_batch_begin(r);
  for (size_t i = 0; i < w->n; i++)
    if (wf_gpu_is_right(r, &w->jobs[i], &a[i], &opt, &situations) != 1)
      return -1;
  return 0;
}

/* As a campaign does: one batch on the device while the one before is judged. */
static double judged_us(WfRunner *r, WfGpu *g, const Work *w, char *err, size_t err_size) {
  WfGpuAnswer a[VARIANTS];
  double t = now_us();
  if (wf_gpu_submit(g, w->jobs, w->n, err, err_size) != (int)w->n)
    return -1;
  for (int k = 1; k <= CASES; k++) {
    if (k < CASES && wf_gpu_submit(g, w->jobs, w->n, err, err_size) != (int)w->n)
      return -1;
    if (wf_gpu_wait(g, a, err, err_size) != 0 || judge(r, w, a) != 0)
      return -1;
  }
  return (now_us() - t) / CASES;
}

static int measure(WfRunner *r, WfGpu *g, const Work *w, const Child *child) {
  double bare[ROUNDS], judged[ROUNDS];
  char err[256] = "a result was not right";
  for (int i = -1; i < ROUNDS; i++) { /* the first round warms up */
    int k = i < 0 ? 0 : i;
    if (write(child->to, "", 1) != 1 || (bare[k] = answer(child)) < 0) {
      fputs("bench-gpu: the bare loop failed\n", stderr);
      return 99;
    }
    if ((judged[k] = judged_us(r, g, w, err, sizeof err)) < 0) {
      fprintf(stderr, "bench-gpu: %s\n", err);
      return 99;
    }
  }
  double b = median(bare, ROUNDS), j = median(judged, ROUNDS);
  printf("a 4 x 100 case through %zu softmax variants on %s: judged %.1f us, the bare loop %.1f us: %.2f times; %.0f cases and %.0f "
         "variant executions a second\n",
         w->n, wf_runner_device(r), j, b, j / b, 1e6 / j, 1e6 * (double)w->n / j);
  if (j / b > LIMIT)
    printf("above the limit of %.1f\n", LIMIT);
  return j / b > LIMIT;
}

int main(void) {
  static const WfGpuOptions opt = {0};
  static Work w;
  WfRunner *r;
  WfGpu *g = NULL;
  Child child = {0};
  char err[256];
  if (wf_gpu_count(err, sizeof err) == 0) {
    fprintf(stderr, "bench-gpu: no device: %s\n", err);
    return 77;
  }
  if (wf_runner_create(&r) != 0 || wf_gpu_create(&g, &opt, err, sizeof err) != 0) {
    fputs("bench-gpu: the device cannot be used\n", stderr);
    return 99;
  }
  wf_runner_use(r, WF_BACKEND_GPU, g, WF_GPU_DEFAULT);
  int status = prepare(&w, r) == 0 && start(&child, &w) == 0 && answer(&child) == 0 ? measure(r, g, &w, &child) : 99;
  if (child.pid > 0) {
    close(child.to);
    waitpid(child.pid, NULL, 0);
  }
  wf_gpu_destroy(g);
  wf_runner_destroy(r);
  return status;
}
