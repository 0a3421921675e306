/* fake_kernels.c - see fake_kernels.h. */
#include "fake_kernels.h"
#include "fake_simt.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS FAKE_ROWS
#define COLS FAKE_COLS
#define N (ROWS * COLS)

/* ---- the op: softmax without masked rows, and with an invariant that a test can break ---- */

static void exact_row(const float *x, int64_t cols, double *y) {
  double max = -INFINITY, sum = 0;
  for (int64_t j = 0; j < cols; j++)
    max = x[j] > max ? x[j] : max;
  for (int64_t j = 0; j < cols; j++)
    sum += exp(x[j] - max);
  for (int64_t j = 0; j < cols; j++)
    y[j] = exp(x[j] - max) / sum;
}

static int reference(const WfRefArgs *a, double *out, double *bound) {
  int64_t rows = a->dim[0], cols = a->dim[1];
  if (a->in[1])
    return -1;
  for (int64_t i = 0; i < rows; i++)
    exact_row(a->in[0] + i * cols, cols, out + i * cols);
  for (int64_t i = 0; i < rows * cols; i++)
    bound[i] = a->variant_flags & WF_FAST_EXP ? 1 : 1e-6;
  return 0;
}

static int64_t no_element_is_below(const WfRefArgs *a, const float *y, char *msg, size_t msg_size) {
  for (int64_t i = 0; i < a->dim[0] * a->dim[1]; i++)
    if (y[i] < 0) {
      snprintf(msg, msg_size, "a softmax is never negative");
      return i;
    }
  return -1;
}

const WfOp fake_op = {
    .name = "softmax",
    .n_dims = 2,
    .n_tensors = 2,
    .dims = {{"rows", 1, 64}, {"cols", 1, 64}},
    .tensors = {{"x", WF_IN, 2, {0, 1}}, {"y", WF_OUT, 2, {0, 1}}},
    .reference = reference,
    .invariant = no_element_is_below,
};

/* ---- kernels ---- */

const SimtSite fake_site_a = {.file = "k.cu", .func = "k", .line = 10, .column = 3};
const SimtSite fake_site_b = {.file = "k.cu", .func = "k", .line = 20, .column = 3};

static float *output(const WfLaunchArgs *a) {
  return a->tensor[1];
}

/* The right result plus `extra` in every element from `from` to before `to`. */
static void store(const WfLaunchArgs *a, int from, int to, float extra) {
  double y[N];
  for (int i = 0; i < ROWS; i++)
    exact_row((const float *)a->tensor[0] + i * COLS, COLS, y + i * COLS);
  for (int i = from; i < to; i++)
    fake_store(output(a) + i, (float)y[i] + extra);
}

void fake_clean(const WfLaunchArgs *a) {
  store(a, 0, N, 0);
}

void fake_wrong(const WfLaunchArgs *a) {
  store(a, 0, 7, 0);
  store(a, 7, N, 1e-3f);
}

void fake_wrong_nan(const WfLaunchArgs *a) {
  store(a, 0, N, 0);
  fake_store(output(a) + 4, NAN);
}

void fake_wrong_and_warning(const WfLaunchArgs *a) {
  fake_wrong(a);
  fake_finding(SIMT_RACE_SHARED, SIMT_WARNING, &fake_site_a, &fake_site_b);
}

void fake_race(const WfLaunchArgs *a) {
  fake_wrong(a);
  fake_finding(SIMT_RACE_SHARED, SIMT_ERROR, &fake_site_a, &fake_site_b);
}

void fake_race_when_reversed(const WfLaunchArgs *a) {
  fake_wrong(a);
  if (fake_reversed())
    fake_finding(SIMT_RACE_GLOBAL, SIMT_ERROR, &fake_site_a, &fake_site_b);
}

void fake_warning_then_error(const WfLaunchArgs *a) {
  fake_clean(a);
  fake_finding(SIMT_RACE_WARP, fake_reversed() ? SIMT_ERROR : SIMT_WARNING, &fake_site_a, &fake_site_b);
}

void fake_misaligned(const WfLaunchArgs *a) {
  store(a, 0, N, fake_reversed() ? 0.5f : 0.25f);
  fake_finding(SIMT_MISALIGNED, SIMT_ERROR, &fake_site_a, NULL);
}

void fake_writes_input(const WfLaunchArgs *a) {
  fake_clean(a);
  ((float *)a->tensor[0])[6] = 9;
  ((float *)a->tensor[0])[14] = NAN;
}

void fake_leaves_tail(const WfLaunchArgs *a) {
  store(a, 0, 3, 1);
  store(a, 5, 13, 0);
}

void fake_leaves_tail_when_reversed(const WfLaunchArgs *a) {
  store(a, 0, fake_reversed() ? N - 1 : N, 0);
}

void fake_harmless_poison(const WfLaunchArgs *a) {
  fake_clean(a);
  fake_store(output(a), output(a)[0] + (fake_absent(SIMT_SHUFFLE_MASK) > 0 ? 0.0f : -0.0f));
}

/* As the engine has it: once such a value is read, only 0 in its place lets an overflow be reported. */
void fake_overflow_beside_poison(const WfLaunchArgs *a) {
  fake_clean(a);
  if (fake_absent(SIMT_SHUFFLE_MASK) == 0)
    fake_finding(SIMT_INT_OVERFLOW, SIMT_ERROR, &fake_site_a, NULL);
}

void fake_poison_to_output(const WfLaunchArgs *a) {
  fake_clean(a);
  fake_store(output(a) + 7, fake_absent(SIMT_UNINIT_SHARED));
}

void fake_poison_beyond_nan(const WfLaunchArgs *a) {
  fake_clean(a);
  float v = fake_absent(SIMT_UNINIT_SHARED);
  fake_store(output(a) + 2, v > 1e38f ? 1 : output(a)[2]);
}

void fake_poison_to_branch(const WfLaunchArgs *a) {
  fake_clean(a);
  fake_trace(fake_absent(SIMT_SHUFFLE_MASK) < 0);
}

void fake_poison_from_output(const WfLaunchArgs *a) {
  float before = output(a)[1];
  fake_poison(SIMT_UNINIT_GLOBAL);
  fake_clean(a);
  fake_store(output(a) + 1, before);
}

void fake_poison_beside_unwritten(const WfLaunchArgs *a) {
  fake_absent(SIMT_SHUFFLE_MASK);
  store(a, 0, N - 1, 0);
}

/* The value of the first place is thrown away; the second one's is used. */
void fake_second_poison(const WfLaunchArgs *a) {
  fake_clean(a);
  fake_absent_at(SIMT_SHUFFLE_MASK, &fake_site_a);
  fake_store(output(a) + 4, fake_absent_at(SIMT_UNINIT_SHARED, &fake_site_b));
}

void fake_cut_short(const WfLaunchArgs *a) {
  store(a, 0, 2, 1);
  ((float *)a->tensor[0])[0] = 1;
  fake_finding(SIMT_HANG, SIMT_ERROR, &fake_site_a, NULL);
  fake_abandon();
}

void fake_gives_up(const WfLaunchArgs *a) {
  store(a, 0, 2, 1);
  fake_abandon();
}

void fake_gives_up_when_reversed(const WfLaunchArgs *a) {
  store(a, 0, fake_reversed() ? 2 : N, 0);
  if (fake_reversed())
    fake_abandon();
}

void fake_wild_address(const WfLaunchArgs *a) {
  store(a, 0, 2, 0);
  float index = fake_absent(SIMT_UNINIT_SHARED);
  fake_trace(index == 0);
  if (index == 0)
    return;
  fake_finding(SIMT_OOB_GLOBAL, SIMT_ERROR, &fake_site_a, NULL);
  fake_abandon();
}

void fake_cut_short_when_reversed(const WfLaunchArgs *a) {
  store(a, 0, fake_reversed() ? 2 : N, 0);
  if (!fake_reversed())
    return;
  fake_finding(SIMT_BARRIER_DIVERGENCE, SIMT_ERROR, &fake_site_a, &fake_site_b);
  fake_abandon();
}

void fake_last_bit_by_schedule(const WfLaunchArgs *a) {
  fake_clean(a);
  if (fake_reversed())
    fake_store(output(a) + 8, nextafterf(output(a)[8], 1));
}

void fake_wrong_when_reversed(const WfLaunchArgs *a) {
  store(a, 0, N, fake_reversed() ? 1e-2f : 0);
}

void fake_nan_payload_by_schedule(const WfLaunchArgs *a) {
  uint32_t bits = fake_reversed() ? 0xffc00000u : 0x7fffffffu;
  float nan_value;
  memcpy(&nan_value, &bits, sizeof nan_value);
  for (int i = 0; i < N; i++)
    fake_store(output(a) + i, nan_value);
}

void fake_breaks_invariant(const WfLaunchArgs *a) {
  fake_clean(a);
  fake_store(output(a) + 3, -1e-9f);
}

void fake_refused(const WfLaunchArgs *a) {
  store(a, 0, 5, 0);
  fake_finding(SIMT_LAUNCH_ERROR, SIMT_ERROR, NULL, NULL);
}

/* What the runner hands over: buffers, names, flags, base offsets, patterns, schedules. A trap says that some of it is
 * wrong. */
void fake_looks_around(const WfLaunchArgs *a) {
  const float *x = a->tensor[0], *y = a->tensor[1];
  uint32_t first, last;
  memcpy(&first, &y[0], sizeof first);
  memcpy(&last, &y[N - 1], sizeof last);
  const char *x_name = fake_buffer_name(x), *y_name = fake_buffer_name(y);
  int good = x_name && strcmp(x_name, "x") == 0 && y_name && strcmp(y_name, "y") == 0;
  good = good && fake_buffer_is_init(x) && !fake_buffer_is_init(y);
  good = good && (uintptr_t)x % 256 == 12 && (uintptr_t)y % 256 == 4;
  good = good && first == 0x7fc0dead && last == 0x7fc0dead;
  good = good && x[0] == 0 && x[COLS] == 0 && x[COLS - 1] == COLS - 1;
  good = good && a->dim[0] == ROWS && a->dim[1] == COLS && a->grid[0] == 2 && a->block[0] == 33;
  good = good && (fake_reversed() ? fake_schedule() != 0x51f3 && fake_schedule() != 0 : fake_schedule() == 0x51f3);
  good = good && a->scratch == NULL;
  fake_clean(a);
  if (!good)
    fake_finding(SIMT_TRAP, SIMT_ERROR, &fake_site_a, NULL);
}

/* Scratch memory of its own: known to the engine, unwritten, with the same contents before every run. */
void fake_wants_scratch(const WfLaunchArgs *a) {
  static const uint32_t before[3] = {0x7fc0dead, 0x7fc0dead, 0x7fc0dead};
  const char *name = a->scratch ? fake_buffer_name(a->scratch) : NULL;
  int good = name && strcmp(name, "scratch") == 0 && !fake_buffer_is_init(a->scratch);
  good = good && (uintptr_t)a->scratch % 256 == 0 && memcmp(a->scratch, before, sizeof before) == 0;
  for (int i = 0; good && i < 3; i++) fake_store((float *)a->scratch + i, 1);
  fake_clean(a);
  if (!good)
    fake_finding(SIMT_TRAP, SIMT_ERROR, &fake_site_a, NULL);
}
