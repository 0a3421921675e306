/* copy_op.c - see copy_op.h. */
#include "copy_op.h"
#include "fake_simt.h"
#include <signal.h>
#include <unistd.h>

static int reference(const WfRefArgs *a, double *out, double *bound) {
  for (int64_t i = 0; i < a->dim[0] * a->dim[1]; i++) {
    out[i] = a->in[0][i];
    bound[i] = 0;
  }
  return 0;
}

static const SimtSite site_a = {.file = "k.cu", .func = "k", .line = 10, .column = 3};
static const SimtSite site_b = {.file = "k.cu", .func = "k", .line = 20, .column = 3};

static void copy(const WfLaunchArgs *a, int64_t n) {
  const float *x = a->tensor[0];
  for (int64_t i = 0; i < n; i++) fake_store((float *)a->tensor[1] + i, x[i]);
}

static void plain(const WfLaunchArgs *a) { copy(a, a->dim[0] * a->dim[1]); }

static void loses_tail(const WfLaunchArgs *a) { copy(a, a->dim[0] * a->dim[1] - (a->dim[1] > a->block[0])); }

static void races(const WfLaunchArgs *a) {
  plain(a);
  if (a->dim[0] > a->grid[0]) fake_finding(SIMT_RACE_SHARED, SIMT_ERROR, &site_a, &site_b);
}

static void warns(const WfLaunchArgs *a) {
  plain(a);
  fake_finding(SIMT_RACE_WARP, SIMT_WARNING, &site_a, &site_b);
}

static void dies(const WfLaunchArgs *a) {
  plain(a);
  if ((a->block[0] + a->dim[0] + a->dim[1]) % 8 == 3) kill(getpid(), SIGKILL);
}

/* Races, and zeros, which shrinking comes to, end the process. */
static void dies_of_zeros(const WfLaunchArgs *a) {
  const float *x = a->tensor[0];
  int64_t n = 0;
  plain(a);
  for (int64_t i = 0; i < a->dim[0] * a->dim[1]; i++) n += x[i] != 0;
  if (n == 0) kill(getpid(), SIGKILL);
  fake_finding(SIMT_RACE_SHARED, SIMT_ERROR, &site_a, &site_b);
}

/* Two findings of one class, of which the second needs more. */
static void races_twice(const WfLaunchArgs *a) {
  plain(a);
  fake_finding(SIMT_RACE_SHARED, SIMT_ERROR, &site_a, &site_b);
  if (a->dim[1] > 5) fake_finding(SIMT_RACE_SHARED, SIMT_ERROR, &site_a, &site_a);
}

const WfVariant copy_variants[] = {
    {.name = "plain", .entry = plain},
    {.name = "tail.published", .entry = loses_tail, .expect = 1u << SIMT_UNWRITTEN_OUTPUT, .fault = "loses the tail"},
    {.name = "race.published", .entry = races, .expect = 1u << SIMT_RACE_SHARED, .fault = "races"},
    {.name = "warning.published", .entry = warns, .expect = 1u << SIMT_HANG, .fault = "only warns"},
    {.name = "death.published", .entry = dies, .expect = 1u << SIMT_TRAP, .fault = "takes the process down"},
    {.name = "zeros.published", .entry = dies_of_zeros, .expect = 1u << SIMT_RACE_SHARED, .fault = "dies of what is simple"},
    {.name = "twice.published", .entry = races_twice, .expect = 1u << SIMT_RACE_SHARED, .fault = "races at two places"},
};
const WfOp copy_op = {
    .name = "copy",
    .n_dims = 2,
    .n_tensors = 2,
    .dims = {{"rows", 1, 20}, {"cols", 1, 50}},
    .tensors = {{"x", WF_IN, 2, {0, 1}}, {"y", WF_OUT, 2, {0, 1}}},
    .reference = reference,
    .variants = copy_variants,
    .n_variants = sizeof copy_variants / sizeof *copy_variants,
};
const WfOp *const wf_ops[] = {&copy_op, NULL};

const WfTarget copy_targets[COPY_N_TARGETS] = {{&copy_op, &copy_variants[COPY_PLAIN]},
                                               {&copy_op, &copy_variants[COPY_TAIL]},
                                               {&copy_op, &copy_variants[COPY_RACE]},
                                               {&copy_op, &copy_variants[COPY_WARNING]}};
