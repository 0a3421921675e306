/* conv1d.c - y[i] = x[i] w[0] + ... + x[i+k-1] w[k-1] for the n - k + 1 places where the window fits ("valid", stride 1, the filter
 * not turned round, as networks have it).
 *
 * Each output is a dot product of k elements: gamma of k - 1, or of the depth that the contract tells, times the sum of the magnitudes of
 * the products, these rounded or fused, or flushed under fast math (accumulate.h). NaN for a NaN in the window and for 0 times an infinity; a window that does not
 * hold them is not touched. */
#include "../fuzz/op.h"
#include "accumulate.h"
#include "windows.h"

static int reference(const WfRefArgs *a, double *out, double *bound) {
  int64_t n = a->dim[0], k = a->dim[1];
  for (int64_t i = 0; i + k <= n; i++) {
    WfDot d;
    wf_dot_init(&d, a->variant_flags);
    d.sum.arith = a->arith;
    for (int64_t j = 0; j < k; j++)
      wf_dot_add(&d, a->in[0][i + j], a->in[1][j]);
    WfApprox r = wf_dot_result(&d, a->depth);
    out[i] = r.value;
    bound[i] = r.bound;
  }
  return 0;
}

/* ---- relations ---- */

static WfWindows windows_of(const WfRefArgs *a) { return (WfWindows){1, a->dim[0], 1, a->dim[1]}; }

static int turn(const WfRefArgs *a, double largest, uint64_t seed, float *const *changed, int64_t *at) {
  WfWindows w = windows_of(a);
  (void)largest;
  (void)seed;
  return wf_windows_turn(&w, a, changed, at);
}

static int move(const WfRefArgs *a, double largest, uint64_t seed, float *const *changed, int64_t *at) {
  WfWindows w = windows_of(a);
  (void)largest;
  return wf_windows_move(&w, a, seed, changed, at);
}

static int scale(const WfRefArgs *a, double largest, uint64_t seed, float *const *changed, int64_t *at) {
  WfWindows w = windows_of(a);
  return wf_windows_scale(&w, largest, seed, changed, at);
}

static const WfRelation turned = {.change = WF_TURN_CHANGE, .rule = WF_TURN_RULE, .apply = turn};
static const WfRelation moved = {.change = WF_MOVE_CHANGE, .rule = WF_MOVE_RULE, .apply = move};
static const WfRelation scaled = {.change = WF_APART_CHANGE, .rule = WF_APART_RULE, .apply = scale};
static const WfRelation *const relations[] = {&turned, &moved, &scaled, NULL};

#define WF_VARIANTS "../kernels/conv1d/variants.def"
#define WF_ENTRY(ident) wf_entry_conv1d_##ident
#include "../fuzz/variants.h"

const WfOp wf_op_conv1d = {
    .name = "conv1d",
    .n_dims = 2,
    .n_tensors = 3,
    .dims = {{"n", 1, 5000}, {"k", 1, 2000}},
    .tensors = {{"x", WF_IN, 1, {0, 0}, WF_START_NOTHING},
                {"w", WF_IN, 1, {1, 0}, WF_START_NOTHING},
                {"y", WF_OUT, 1, {WF_VALID(0, 1), 0}, WF_START_NOTHING}},
    .requires = "k <= n",
    .work = "n + (n - k + 1) * k",
    .arith = 1,
    .exact = 1,
    .reference = reference,
    .relations = relations,
    .variants = variants,
    .n_variants = sizeof variants / sizeof *variants,
};
