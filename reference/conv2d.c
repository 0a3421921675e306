/* conv2d.c - y[i,j] = the sum of x[i+p,j+q] w[p,q] over the k x k filter, for the (m-k+1) (n-k+1) places where it fits ("valid",
 * stride 1, the filter not turned round).
 *
 * Each output is a dot product of k k elements, with its bound (accumulate.h), as in conv1d.c. */
#include "../fuzz/op.h"
#include "accumulate.h"
#include "windows.h"

/* x: the window's first element, in rows of n. */
static WfApprox window(const WfRefArgs *a, const float *x) {
  int64_t n = a->dim[1], k = a->dim[2];
  WfDot d;
  wf_dot_init(&d, a->variant_flags);
  d.sum.arith = a->arith;
  for (int64_t p = 0; p < k; p++)
    for (int64_t q = 0; q < k; q++)
      wf_dot_add(&d, x[p * n + q], a->in[1][p * k + q]);
  return wf_dot_result(&d, a->depth);
}

static int reference(const WfRefArgs *a, double *out, double *bound) {
  int64_t m = a->dim[0], n = a->dim[1], k = a->dim[2], height = m - k + 1, width = n - k + 1;
  for (int64_t i = 0; i < height; i++)
    for (int64_t j = 0; j < width; j++) {
      WfApprox r = window(a, a->in[0] + i * n + j);
      out[i * width + j] = r.value;
      bound[i * width + j] = r.bound;
    }
  return 0;
}

/* ---- relations ---- */

static WfWindows windows_of(const WfRefArgs *a) { return (WfWindows){a->dim[0], a->dim[1], a->dim[2], a->dim[2]}; }

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

#define WF_VARIANTS "../kernels/conv2d/variants.def"
#define WF_ENTRY(ident) wf_entry_conv2d_##ident
#include "../fuzz/variants.h"

const WfOp wf_op_conv2d = {
    .name = "conv2d",
    .n_dims = 3,
    .n_tensors = 3,
    .dims = {{"m", 1, 300}, {"n", 1, 300}, {"k", 1, 50}},
    .tensors = {{"x", WF_IN, 2, {0, 1}, WF_START_NOTHING},
                {"w", WF_IN, 2, {2, 2}, WF_START_NOTHING},
                {"y", WF_OUT, 2, {WF_VALID(0, 2), WF_VALID(1, 2)}, WF_START_NOTHING}},
    .requires = "k <= m && k <= n",
    .work = "m * n + (m - k + 1) * (n - k + 1) * k * k",
    .arith = 1,
    .exact = 1,
    .reference = reference,
    .relations = relations,
    .variants = variants,
    .n_variants = sizeof variants / sizeof *variants,
};
