/* tight_rows.c - ops over rows of n elements, whose every output depends on the whole row. Where there are two rows, a fault is in the
 * second one. */
#include "../fuzz/op.h"
#include "dot_models.h"
#include "norm_models.h"
#include "softmax_models.h"
#include "tight.h"
#include <math.h>
#include <string.h>

enum { ROWS = 2, SOFTMAX_LANES = 3 /* of model_algorithms */, DOT_LANES = 5, DOT_FLUSHED = 8, FIRST = 0, LAST = ROWS - 1 };

static void shape_rows(Tight *t, int n) {
  t->dim[0] = ROWS;
  t->dim[1] = t->n = n;
  t->n_out = ROWS * n;
  t->scalar[0] = (double)1e-5f;
}

static int exchange_outputs(const Tight *t, float *y) {
  float a = y[t->at], b = y[t->other];
  y[t->at] = b;
  y[t->other] = a;
  return a != b;
}

/* ---- softmax, fault/F40 ---- */

/* fault/F40: a row an input. */
static void shape_inputs(Tight *t, int n) {
  shape_rows(t, n);
  t->dim[0] = ROWS;
  t->dim[1] = 1;
  t->dim[2] = n;
}

/* Equal elements, whose sum is exact; exchanged ones differ. */
static void draw_equal(Tight *t, int fault, uint64_t *s) {
  if (fault == TIGHT_SWAPPED)
    tight_draw_fill(t, 0, WF_DIST_RAMP, (double)-0.01f, 0, s);
  else
    tight_draw_fill(t, 0, WF_DIST_CONSTANT, 1, (double)88.8f, s);
}

static void draw_hard_logits(Tight *t, uint64_t *s) {
  t->kind->shape(t, norm_draw_cols(TIGHT_MAX_N, s));
  for (int r = 0; r < ROWS; r++)
    model_rows[model_below(s, (int)model_n_rows)].draw(t->in[0] + r * t->n, t->n, s);
}

static void run_softmax(Tight *t, uint64_t *s) {
  int fast = model_below(s, 3);
  Model m = {fast > 0, fast > 1 || model_below(s, 2), model_below(s, 2), (ModelError)model_below(s, MODEL_N_ERRORS), s, fast > 1};
  const ModelAlgorithm *a = &model_algorithms[model_below(s, (int)model_n_algorithms)];
  t->flags = fast == 0 ? 0 : fast == 1 ? WF_FAST_EXP : WF_FAST_MATH;
  for (int r = 0; r < ROWS; r++)
    a->run(&m, t->in[0] + r * t->n, t->y + r * t->n, t->n);
}

/* y of n elements x, of which `at` is left out of the sum, or in it twice. */
static void softmax_miscounted(const Tight *t, int fault, const float *x, float *y) {
  static float list[TIGHT_MAX_N + 1], result[TIGHT_MAX_N + 1];
  uint64_t state = 0;
  Model m = {.error = MODEL_EXACT, .state = &state};
  int n = 0;
  for (int c = 0; c < t->n; c++)
    for (int times = c != t->at ? 1 : fault == TIGHT_LOST ? 0 : 2; times > 0; times--)
      list[n++] = x[c];
  if (n > 0)
    model_algorithms[SOFTMAX_LANES].run(&m, list, result, n);
  for (int c = 0, from = 0; c < t->n; c++) /* of a lost element no quotient is there: it keeps the right result */
    if (c != t->at || fault != TIGHT_LOST) {
      y[c] = result[from];
      from += c == t->at ? 2 : 1;
    }
}

static int run_softmax_fault(Tight *t, int fault) {
  uint64_t state = 0;
  Model m = {.error = MODEL_EXACT, .state = &state};
  float *x = t->in[0] + LAST * t->n, *y = t->y + LAST * t->n;
  for (int r = 0; r < ROWS; r++)
    model_algorithms[SOFTMAX_LANES].run(&m, t->in[0] + r * t->n, t->y + r * t->n, t->n);
  if (fault == TIGHT_SWAPPED)
    return exchange_outputs(t, y) && x[t->at] != x[t->other];
  if (fault < 0)
    return 1;
  softmax_miscounted(t, fault, x, y);
  if (t->n == 1 && fault == TIGHT_LOST)
    y[0] = INFINITY; /* divided by no sum */
  return 1;
}

/* ---- fault/F56: dx = y (dy - sum of y dy) ---- */

static void gradient(Tight *t, int row, float dot, int apart) {
  const float *y = t->in[0] + row * t->n, *dy = t->in[1] + row * t->n;
  for (int c = 0; c < t->n; c++)
    t->y[row * t->n + c] = apart ? y[c] * dy[c] - y[c] * dot : y[c] * (dy[c] - dot);
}

static void draw_integers(Tight *t, int fault, uint64_t *s) {
  (void)fault;
  tight_draw_exact(t, s);
}

static void draw_hard_products(Tight *t, uint64_t *s) {
  static float a[DOT_ROWS * DOT_MAX], b[DOT_COLS * DOT_MAX];
  int kind = dot_below(s, DOT_N_KINDS), n = dot_draw_depth(s);
  t->kind->shape(t, kind == DOT_BITS ? 1 + n % 9 : n);
  dot_draw_factors(kind, t->n, a, b, s);
  for (int r = 0; r < ROWS; r++)
    for (int c = 0; c < t->n; c++) {
      t->in[0][r * t->n + c] = a[r * t->n + c];
      t->in[1][r * t->n + c] = b[c * DOT_COLS + r];
    }
}

static void run_gradient(Tight *t, uint64_t *s) {
  int order = dot_below(s, DOT_FLUSHED), apart = dot_below(s, 2);
  t->depth = dot_below(s, 2) ? dot_orders[order].depth(t->n) : 0;
  for (int r = 0; r < ROWS; r++)
    gradient(t, r, dot_orders[order].run(t->in[0] + r * t->n, t->in[1] + r * t->n, t->n), apart);
}

static int run_gradient_fault(Tight *t, int fault) {
  static float u[TIGHT_MAX_N];
  const float *v = t->in[1] + LAST * t->n;
  gradient(t, FIRST, dot_orders[DOT_LANES].run(t->in[0], t->in[1], t->n), 0);
  memcpy(u, t->in[0] + LAST * t->n, (size_t)t->n * sizeof *u);
  float a = u[t->at], b = u[t->other];
  if (fault == TIGHT_SWAPPED) {
    u[t->at] = b;
    u[t->other] = a;
  } else if (fault >= 0)
    u[t->at] = fault == TIGHT_LOST ? 0 : 2 * a;
  gradient(t, LAST, dot_orders[DOT_LANES].run(u, v, t->n), 0);
  return fault == TIGHT_SWAPPED ? a != b && v[t->at] != v[t->other] : fault < 0 || (a != 0 && v[t->at] != 0);
}

/* ---- layernorm, rmsnorm, fault/F78, fault/F82 ---- */

typedef struct Norm {
  int centred;
  NormUnit unit;
  int gamma, beta; /* the tensors; -1: none */
  int gamma_rows;
} Norm;

static const Norm *norm_of(const Tight *t) { return t->kind->family; }

/* fault/F82: a batch of one, with a gamma for each of its rows. */
static void shape_places(Tight *t, int n) {
  shape_rows(t, n);
  t->dim[0] = 1;
  t->dim[1] = ROWS;
  t->dim[2] = n;
}

static NormRow row_of(const Tight *t, int r) {
  const Norm *m = norm_of(t);
  return (NormRow){.n = t->n,
                   .centred = m->centred,
                   .x = t->in[0] + r * t->n,
                   .gamma = m->gamma < 0 ? NULL : t->in[m->gamma] + r % m->gamma_rows * t->n,
                   .beta = m->beta < 0 ? NULL : t->in[m->beta],
                   .eps = (float)t->scalar[0]};
}

/* One element in eight, `at` among them and `other` not, is 1 or -1, the others are 0: the bound grows with the sum of the magnitudes, and
 * what a lost element does to the result with its own. */
static void draw_sparse(Tight *t, int fault, uint64_t *s) {
  (void)fault;
  for (int i = 0; i < ROWS * t->n; i++) {
    int is_one = i % t->n == t->at || (i % t->n != t->other && model_below(s, 8) == 0);
    t->in[0][i] = is_one ? (model_below(s, 2) ? 1 : -1) : 0;
    t->in[1][i] = t->in[2][i] = 1;
  }
}

static void draw_hard_rows(Tight *t, uint64_t *s) {
  static float gamma[TIGHT_MAX_N], beta[TIGHT_MAX_N];
  const Norm *m = norm_of(t);
  t->kind->shape(t, norm_draw_cols(TIGHT_MAX_N, s));
  t->scalar[0] = (double)(model_below(s, 2) ? 1e-5f : 1e-6f);
  for (int r = 0; r < ROWS; r++) {
    int kind = model_below(s, NORM_N_KINDS);
    norm_draw_row(kind, t->n, t->in[0] + r * t->n, gamma, beta, s);
    for (int c = 0; c < t->n && m->unit != NORM_UNSCALED && kind == NORM_LARGE; c++)
      t->in[0][r * t->n + c] *= 1e19f;
    if (m->gamma >= 0)
      memcpy(t->in[m->gamma] + r % m->gamma_rows * t->n, gamma, (size_t)t->n * sizeof *gamma);
    if (m->beta >= 0)
      memcpy(t->in[m->beta], beta, (size_t)t->n * sizeof *beta);
  }
}

static void run_norm(Tight *t, uint64_t *s) {
  const NormAlgorithm *a = &norm_algorithms[model_below(s, NORM_N_ALGORITHMS)];
  NormKernel k = norm_draw_kernel(s);
  k.unit = norm_of(t)->unit;
  t->flags = k.fast ? WF_FAST_MATH : 0;
  t->depth = a->depth(t->n);
  for (int r = 0; r < ROWS; r++) {
    NormRow row = row_of(t, r);
    norm_run(a, &row, &k, t->y + r * t->n);
  }
}

/* The sum for the mean, the one of squares, or both: by the elements chosen, so that all are tried. */
static NormFault miscount(const Tight *t, int fault) {
  int times = fault == TIGHT_LOST ? 0 : 2, which = norm_of(t)->centred ? (t->at + t->other) % 3 : 0;
  return (NormFault){t->at, which == 1 ? 1 : times, which == 2 ? 1 : times};
}

static int changes(const Tight *t, const NormFault *f) {
  const float *x = t->in[0] + LAST * t->n;
  double sum = 0;
  for (int c = 0; c < t->n && norm_of(t)->centred; c++)
    sum += (double)x[c];
  int off_mean = (double)x[f->at] * t->n != sum;
  return (f->in_mean != 1 && norm_of(t)->centred && x[f->at] != 0) || (f->in_square != 1 && off_mean);
}

/* Two elements are exchanged after the statistics were taken. */
static int exchange_elements(const Tight *t, float *x) {
  float a = x[t->at], b = x[t->other];
  x[t->at] = b;
  x[t->other] = a;
  return a != b;
}

static int run_norm_fault(Tight *t, int fault) {
  static float exchanged[TIGHT_MAX_N];
  NormFault f = miscount(t, fault);
  NormKernel k = {.unit = norm_of(t)->unit}, wrong = k;
  NormRow first = row_of(t, FIRST), last = row_of(t, LAST);
  int is_fault = 1;
  if (fault == TIGHT_LOST || fault == TIGHT_DOUBLED) {
    wrong.fault = &f;
    is_fault = changes(t, &f);
  }
  if (fault == TIGHT_SWAPPED) { /* of 32 lanes the sum is another one in its last bits at most */
    memcpy(exchanged, last.x, (size_t)t->n * sizeof *exchanged);
    is_fault = exchange_elements(t, exchanged);
    last.x = exchanged;
  }
  norm_run(&norm_algorithms[NORM_LANES], &first, &k, t->y);
  norm_run(&norm_algorithms[NORM_LANES], &last, &wrong, t->y + LAST * t->n);
  return is_fault;
}

/* ---- the ops ---- */

#define ALL (1u << TIGHT_LOST | 1u << TIGHT_DOUBLED | 1u << TIGHT_SWAPPED)
#define SOFTMAX(op, form)                                                                                              \
  {                                                                                                                    \
    .name = op, .faults = ALL, .seen = "equal elements; exchanged: a ramp of 0.01", .shape = form, .draw_seen = draw_equal,    \
    .draw_hard = draw_hard_logits, .run = run_softmax, .run_fault = run_softmax_fault                                  \
  }
#define NORM(op, form, ...)                                                                                            \
  {                                                                                                                    \
    .name = op, .family = &(const Norm)__VA_ARGS__, .faults = ALL, .seen = "one element in eight is 1 or -1, the others 0",    \
    .lanes_depth = norm_lanes_depth, .shape = form, .draw_seen = draw_sparse, .draw_hard = draw_hard_rows, .run = run_norm,     \
    .run_fault = run_norm_fault                                                                                        \
  }

static int64_t norm_lanes_depth(int n) { return norm_algorithms[NORM_LANES].depth(n); }
static int64_t dot_lanes_depth(int n) { return dot_orders[DOT_LANES].depth(n); }

const TightOp tight_rows[] = {
    SOFTMAX("softmax", shape_rows),
    SOFTMAX("fault/F40", shape_inputs),
    NORM("layernorm", shape_rows, {1, NORM_UNSCALED, 1, 2, 1}),
    NORM("rmsnorm", shape_rows, {0, NORM_UNSCALED, 1, -1, 1}),
    {.name = "fault/F56", .faults = ALL, .seen = "distinct integers", .lanes_depth = dot_lanes_depth, .shape = shape_rows,
     .draw_seen = draw_integers, .draw_hard = draw_hard_products, .run = run_gradient, .run_fault = run_gradient_fault},
    NORM("fault/F78", shape_rows, {1, NORM_ABOVE_ONE, -1, -1, 1}),
    NORM("fault/F82", shape_places, {0, NORM_UNSCALED, 1, -1, ROWS}),
    {.name = NULL},
};
