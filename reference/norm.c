/* norm.c - layernorm and rmsnorm in double, with their bounds: numbers in comments are the steps of norm.h. */
#include "norm.h"
#include "../fuzz/op.h"
#include "accumulate.h"
#include "exponential.h"
#include <float.h>
#include <math.h>

#define U WF_HALF_ULP
#define TINY ((double)FLT_MIN)
#define HUGEST ((double)FLT_MAX)

typedef enum RowClass { ROW_FINITE, ROW_INF, ROW_NAN } RowClass;

/* What the elements of a row have in common. Errors are absolute. */
typedef struct Row {
  const WfNorm *norm;
  double mean, mean_error;     /* 0 without centring */
  double scale, low, high;     /* 1 / sqrt(v + eps): exact, and between which a kernel's lies */
  int overflows;               /* 1: everything is accepted */
} Row;

static RowClass row_class(const float *x, int64_t n) {
  RowClass c = ROW_FINITE;
  for (int64_t i = 0; i < n; i++) {
    if (isnan(x[i]))
      return ROW_NAN;
    if (isinf(x[i]))
      c = ROW_INF;
  }
  return c;
}

/* ---- the row ---- */

typedef struct Moments {
  double mean, mean_abs, var, mean_square; /* var: about the mean, or about 0 without centring */
} Moments;

static Moments moments(const float *x, int64_t n, int centred) {
  WfSum sum;
  Moments m = {0, 0, 0, 0};
  wf_sum_init(&sum);
  for (int64_t i = 0; i < n; i++)
    wf_sum_add(&sum, (double)x[i]);
  m.mean = centred ? (sum.high + sum.low) / (double)n : 0;
  m.mean_abs = (sum.positive + sum.negative) / (double)n;
  for (int64_t i = 0; i < n; i++) {
    double t = (double)x[i] - m.mean;
    m.var += t * t;
    m.mean_square += (double)x[i] * (double)x[i];
  }
  m.var /= (double)n;
  m.mean_square /= (double)n;
  return m;
}

/* Step 4, for a v' between low and high. */
static void set_scale(Row *r, double v, double low, double high) {
  double steps = (r->norm->flags & WF_FAST_MATH ? 8.5 : 5.5) + (r->norm->kind & WF_NORM_SCALED ? 5 : 0);
  double eps = (double)(float)r->norm->eps, error = wf_compose(steps * U);
  r->scale = 1 / sqrt(v + eps);
  r->low = (1 - error) / sqrt(high + eps);
  double least = low + (r->norm->flags & WF_FAST_MATH ? eps - wf_flushed(eps) : eps);
  r->high = least > 4 * TINY ? (1 + error) / sqrt(least) : INFINITY;
}

static Row row_of(const WfNorm *norm, const float *x) {
  int64_t n = norm->cols;
  int centred = (norm->kind & WF_NORM_CENTRED) != 0, scaled = (norm->kind & WF_NORM_SCALED) != 0;
  Moments m = moments(x, n, centred);
  Row r = {.norm = norm, .mean = m.mean};
  double d = (double)(norm->depth > 0 ? norm->depth : n - 1);
  int fast = (norm->flags & WF_FAST_MATH) != 0;
  double q = (fast ? 5 : 2) * U, off = wf_gamma(d) + q + (scaled ? (fast ? 6 : 2) * U : 0);
  double theta = wf_gamma(d + 4) + q;
  double deviation = sqrt(m.var), D = centred ? off * sqrt(m.mean_square) + 3 * TINY : 0;
  double least = m.var - 2 * deviation * D, most = deviation + D;
  r.mean_error = centred ? off * m.mean_abs + 3 * TINY : 0;
  double high = most * most * (1 + theta) + 2 * TINY;
  set_scale(&r, m.var, fmax(0, least * (1 - theta) - 2 * TINY), high);
  r.overflows = !scaled && (2 * (double)n * high > HUGEST || (centred && (double)n * (m.mean_abs * (1 + off)) > HUGEST));
  return r;
}

/* ---- an element ---- */

typedef struct Factor { /* (x - m) / sqrt(v + eps) */
  double value, error, difference;
} Factor;

static Factor factor_of(const Row *r, double x) {
  double t = x - r->mean, off = r->mean_error + U * (fabs(t) + r->mean_error) + 3 * TINY;
  double spread = fmax(r->high - r->scale, r->scale - r->low);
  Factor p = {.value = t * r->scale, .difference = fabs(t) + off};
  p.error = (t == 0 ? 0 : fabs(t) * spread) + off * r->high + U * p.difference * r->high + TINY;
  return p;
}

/* The bound of a result y, of finite numbers. */
static double bound_of(const Row *r, const Factor *p, double x, double gamma, double beta, double y) {
  double size = fabs(gamma), slope = r->high * size, most = (fabs(p->value) + p->error) * size;
  int centred = (r->norm->kind & WF_NORM_CENTRED) != 0;
  double slope_lost = r->low * size < 2 * TINY ? TINY : 0, gamma_lost = TINY * r->high;
  double product = size * p->error + U * most + TINY * (1 + size + r->high) + p->difference * (slope_lost + gamma_lost);
  double as_line = centred ? U * (slope * (2 * fabs(r->mean) + fabs(x)) + fabs(beta)) : U * most;
  double bound = product + as_line + U * (fabs(y) + product + as_line) + 2 * TINY;
  double largest = fmax(most + fabs(beta), fmax(slope * fmax(1, fabs(r->mean) + fabs(x)), centred ? 0 : fabs(x) * size));
  double own = 0x1p-50 * ((fabs(x) + fabs(r->mean)) * slope + fabs(y));
  return largest > HUGEST || !(bound < INFINITY) ? INFINITY : bound + own;
}

/* Of a gamma or beta that is no finite number: 0, if the class of the result is the same for all kernels. */
static double special_bound(const Row *r, const Factor *p, double x, double gamma, double beta) {
  if (isnan(gamma) || isnan(beta))
    return 0;
  if (isinf(gamma)) { /* of rmsnorm 0 is 0 */
    int is_sure = fabs(p->value) > p->error || (x == 0 && !(r->norm->kind & WF_NORM_CENTRED));
    return is_sure ? 0 : INFINITY;
  }
  return bound_of(r, p, x, gamma, 0, 0) < INFINITY ? 0 : INFINITY; /* finite: no product overflows */
}

static void element(const Row *r, double x, double gamma, double beta, double *out, double *bound) {
  Factor p = factor_of(r, x);
  *out = p.value * gamma + beta;
  if (isfinite(gamma) && isfinite(beta))
    *bound = bound_of(r, &p, x, gamma, beta, *out);
  else
    *bound = special_bound(r, &p, x, gamma, beta);
  if (r->overflows && !(isnan(gamma) || isnan(beta)))
    *bound = INFINITY;
}

/* A row with an infinity, without centring. */
static void inf_row(const WfNorm *n, const float *x, const float *gamma, double *out, double *bound) {
  for (int64_t c = 0; c < n->cols; c++) {
    out[c] = isinf(x[c]) ? NAN : 0 * (gamma ? (double)gamma[c] : 1);
    bound[c] = 0;
  }
}

static void nan_row(int64_t n, double *out, double *bound) {
  for (int64_t c = 0; c < n; c++) {
    out[c] = NAN;
    bound[c] = 0;
  }
}

static void finite_row(const WfNorm *n, const float *x, const float *gamma, double *out, double *bound) {
  Row r = row_of(n, x);
  for (int64_t c = 0; c < n->cols; c++)
    element(&r, (double)x[c], gamma ? (double)gamma[c] : 1, n->beta ? (double)n->beta[c] : 0, out + c, bound + c);
}

void wf_norm_rows(const WfNorm *n, double *out, double *bound) {
  for (int64_t i = 0; i < n->rows; i++, out += n->cols, bound += n->cols) {
    const float *x = n->x + i * n->cols, *gamma = n->gamma ? n->gamma + i % n->gamma_rows * n->cols : NULL;
    RowClass c = row_class(x, n->cols);
    if (c == ROW_NAN || (c == ROW_INF && n->kind & WF_NORM_CENTRED))
      nan_row(n->cols, out, bound);
    else if (c == ROW_INF)
      inf_row(n, x, gamma, out, bound);
    else
      finite_row(n, x, gamma, out, bound);
  }
}
