/* gpu_kernels.c - see gpu_kernels.h. */
#define _GNU_SOURCE
#include "gpu_kernels.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

GpuShared *gpu_shared;

void gpu_kernels_begin(void) {
  void *p = mmap(NULL, sizeof *gpu_shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED)
    abort();
  gpu_shared = p;
}

#define PAIR_OP(begin)                                                                                                 \
  {                                                                                                                    \
    .name = "pair", .n_dims = 1, .n_tensors = 3, .dims = {{"n", 0, 100000}},                                           \
    .tensors = {{"a", WF_IN, 1, {0, 0}, 0}, {"b", WF_IN, 1, {0, 0}, 0}, {"c", WF_OUT, 1, {0, 0}, begin}}               \
  }
const WfOp gpu_op = PAIR_OP(WF_START_NOTHING);
const WfOp gpu_zero_op = PAIR_OP(WF_START_ZERO);
const WfOp gpu_minus_inf_op = PAIR_OP(WF_START_MINUS_INF);

/* ---- right ---- */

static void add(const WfLaunchArgs *l) {
  const float *a = l->tensor[GPU_A], *b = l->tensor[GPU_B];
  float *c = l->tensor[GPU_C];
  for (int64_t i = 0; i < l->dim[0]; i++)
    c[i] = a[i] + b[i];
}

static void add_and_tell(const WfLaunchArgs *l) {
  gpu_shared->pid = getpid();
  add(l);
}

static void subtract(const WfLaunchArgs *l) {
  const float *a = l->tensor[GPU_A], *b = l->tensor[GPU_B];
  float *c = l->tensor[GPU_C];
  for (int64_t i = 0; i < l->dim[0]; i++)
    c[i] = a[i] - b[i];
}

static void subtract_halves(const WfLaunchArgs *l) {
  for (int64_t i = 0; i < l->dim[0]; i++) {
    uint16_t a, b;
    memcpy(&a, (const uint16_t *)l->tensor[GPU_A] + i, sizeof a);
    memcpy(&b, (const uint16_t *)l->tensor[GPU_B] + i, sizeof b);
    a = wf_dtype_encode(WF_F16, wf_dtype_decode(WF_F16, a) - wf_dtype_decode(WF_F16, b));
    memcpy((uint16_t *)l->tensor[GPU_C] + i, &a, sizeof a);
  }
}

static void slow(const WfLaunchArgs *l) {
  gpu_shared->pid = getpid();
  while (!gpu_shared->go)
    usleep(1000);
  add(l);
}

static void prints(const WfLaunchArgs *l) {
  add(l);
  if (write(STDOUT_FILENO, "stdout", 6) != 6)
    abort();
}

/* ---- wrong ---- */

static void poke(const WfLaunchArgs *l) {
  const uint32_t bits = GPU_POKE;
  int t = (int)l->scalar[1];
  char *p = t == GPU_SCRATCH ? l->scratch : l->tensor[t];
  add(l);
  memcpy(p + (int64_t)l->scalar[0] * (int64_t)sizeof bits, &bits, sizeof bits);
}

static void copies_beyond(const WfLaunchArgs *l) {
  add(l);
  memcpy((float *)l->tensor[GPU_C] + l->dim[0], (const float *)l->tensor[GPU_A] + l->dim[0], sizeof(float));
}

static void leaves(const WfLaunchArgs *l) {
  const float *a = l->tensor[GPU_A], *b = l->tensor[GPU_B];
  float *c = l->tensor[GPU_C];
  for (int64_t i = 0; i < l->dim[0] - 1; i++)
    if (i != 2 && i != 3)
      c[i] = a[i] + b[i];
}

static void shows(const WfLaunchArgs *l) {
  float *c = l->tensor[GPU_C];
  float old = c[GPU_OLD_C];
  const void *const place[4] = {l->tensor[GPU_A], l->tensor[GPU_B], c, l->scratch};
  int n = 0;
  for (int i = 0; i < 4; i++)
    c[n++] = (float)((uintptr_t)place[i] % 256);
  c[n++] = (float)l->dim[0];
  c[n++] = (float)l->scalar[0];
  c[n++] = (float)l->scalar[1];
  for (int i = 0; i < 3; i++) {
    c[n++] = (float)l->grid[i];
    c[n++] = (float)l->block[i];
  }
  c[n++] = (float)l->shared_bytes;
  while (n < GPU_OLD_C)
    c[n++] = 0;
  c[GPU_OLD_C] = old;
  memcpy(&c[GPU_OLD_FIRST], l->scratch, sizeof *c);
  memcpy(&c[GPU_OLD_LAST], (const char *)l->scratch + 8, sizeof *c);
}

/* ---- host code that does not come back ---- */

__attribute__((no_sanitize("undefined"))) static void divides(const WfLaunchArgs *l) {
  volatile int zero = (int)(l->dim[0] - l->dim[0]);
  add(l);
  zero = 7 / zero; /* 1 / x needs no division */
}

static void exits(const WfLaunchArgs *l) {
  add(l);
  _exit(3);
}

static void waits(const WfLaunchArgs *l) {
  add(l);
  gpu_shared->pid = getpid();
  for (;;)
    pause();
}

static void lingers(const WfLaunchArgs *l) {
  const struct timespec one_second = {1, 0};
  nanosleep(&one_second, NULL);
  add(l);
}

/* ---- kernels of the engine ---- */

typedef void Launcher(void **buffers, int n);
Launcher end_launch_threads, addr_far, addr_misaligned_quad, addr_assert, addr_trap, addr_spin, meant_behind;

/* The numbers that these expect are put into a. */
static void launch(const WfLaunchArgs *l, Launcher *launcher) {
  void *buffers[3] = {l->tensor[GPU_C], l->tensor[GPU_A], l->tensor[GPU_B]};
  for (int i = 0; i < (int)l->dim[0]; i++)
    ((int *)l->tensor[GPU_A])[i] = i + 1;
  launcher(buffers, (int)l->dim[0]);
}

static void refused(const WfLaunchArgs *l) { launch(l, end_launch_threads); }
static void address(const WfLaunchArgs *l) { launch(l, addr_far); }
static void misaligned(const WfLaunchArgs *l) { launch(l, addr_misaligned_quad); }
static void fails_assert(const WfLaunchArgs *l) { launch(l, addr_assert); }
static void traps(const WfLaunchArgs *l) { launch(l, addr_trap); }
static void spins(const WfLaunchArgs *l) { launch(l, addr_spin); }
static void races(const WfLaunchArgs *l) { launch(l, meant_behind); }

/* ---- variants ---- */

const WfVariant gpu_add = {.name = "add", .entry = add_and_tell};
const WfVariant gpu_subtract = {.name = "subtract", .entry = subtract};
const WfVariant gpu_halves = {.name = "halves", .entry = subtract_halves, .dtype = WF_ALL_OF(WF_F16)};
const WfVariant gpu_slow = {.name = "slow", .entry = slow};
const WfVariant gpu_prints = {.name = "prints", .entry = prints};
const WfVariant gpu_poke = {.name = "poke", .entry = poke, .scratch = "12"};
const WfVariant gpu_copies_beyond = {.name = "copies_beyond", .entry = copies_beyond};
const WfVariant gpu_leaves = {.name = "leaves", .entry = leaves};
const WfVariant gpu_shows = {.name = "shows", .entry = shows, .scratch = "12"};
const WfVariant gpu_divides = {.name = "divides", .entry = divides};
const WfVariant gpu_exits = {.name = "exits", .entry = exits};
const WfVariant gpu_waits = {.name = "waits", .entry = waits};
const WfVariant gpu_lingers = {.name = "lingers", .entry = lingers};
const WfVariant gpu_refused = {.name = "refused", .entry = refused};
const WfVariant gpu_address = {.name = "address", .entry = address};
const WfVariant gpu_misaligned = {.name = "misaligned", .entry = misaligned};
const WfVariant gpu_assert = {.name = "assert", .entry = fails_assert};
const WfVariant gpu_trap = {.name = "trap", .entry = traps};
const WfVariant gpu_spin = {.name = "spin", .entry = spins};
const WfVariant gpu_race = {.name = "race", .entry = races};
