/* oracle.c - compares a kernel's output with the reference, element by element. */
#include "element.h"
#include "number.h"
#include "run.h"
#include <float.h>
#include <math.h>
#include <string.h>

typedef enum Outcome { RIGHT, WRONG_CLASS, WRONG_VALUE } Outcome;
typedef enum ValueClass { CLASS_NAN, CLASS_POS_INF, CLASS_NEG_INF, CLASS_FINITE } ValueClass;

static ValueClass class_of(double f) {
  if (isnan(f))
    return CLASS_NAN;
  if (isinf(f))
    return f > 0 ? CLASS_POS_INF : CLASS_NEG_INF;
  return CLASS_FINITE;
}

/* Near FLT_MAX a result within the bound may round to infinity, or to FLT_MAX where the reference rounds to infinity:
 * both sides of the edge are then right. Only the derived bound opens it, a tolerance the user added does not. */
static int meets_at_overflow(float y, double ref, double bound) {
  if (!isfinite(ref) || isnan(y))
    return 0;
  if (isinf(y))
    return (y > 0) == (ref > 0) && isinf((float)(fabs(ref) + bound));
  return fabs((double)y - ref) <= bound;
}

static double allowed_error(const WfJudge *j, int64_t i) {
  return j->bound[i] + j->rtol * fabs(j->ref[i]) + j->atol;
}

/* ---- outputs of 16 bits ----
 * A right kernel has a value within the bound of the reference, and stores it: rounded to the nearest number of the type. Rounding is
 * monotonous, so that its results are exactly those between the ends of that interval, both rounded. */
static double lowest(const WfJudge *j, int64_t i, double bound) { return wf_dtype_round(j->dtype, j->ref[i] - bound); }
static double highest(const WfJudge *j, int64_t i, double bound) { return wf_dtype_round(j->dtype, j->ref[i] + bound); }

static int is_between(const WfJudge *j, int64_t i, double bound) {
  return (double)j->y[i] >= lowest(j, i, bound) && (double)j->y[i] <= highest(j, i, bound);
}

static Outcome judge_rounded(const WfJudge *j, int64_t i) {
  double want = wf_dtype_round(j->dtype, j->ref[i]);
  if (class_of(j->y[i]) != class_of(want)) /* as at FLT_MAX: a tolerance opens no edge */
    return isfinite(j->ref[i]) && is_between(j, i, j->bound[i]) ? RIGHT : WRONG_CLASS;
  return !isfinite(want) || is_between(j, i, allowed_error(j, i)) ? RIGHT : WRONG_VALUE; /* a NaN bound fails */
}

/* How far from the reference the element may be that is stored, if it may be so far before. */
static double stored_bound(const WfJudge *j, int64_t i, double bound) {
  if (j->dtype == WF_F32 || !isfinite(j->ref[i]))
    return bound;
  double down = j->ref[i] - lowest(j, i, bound), up = highest(j, i, bound) - j->ref[i];
  return down > up ? down : up;
}

static Outcome judge_element(const WfJudge *j, int64_t i) {
  double ref = j->ref[i], bound = j->bound[i];
  float y = j->y[i], want = (float)ref;
  if (bound == INFINITY)
    return RIGHT;
  if (j->dtype != WF_F32)
    return judge_rounded(j, i);
  if (class_of(y) != class_of(want))
    return meets_at_overflow(y, ref, bound) ? RIGHT : WRONG_CLASS;
  if (!isfinite(want))
    return RIGHT;
  return fabs((double)y - ref) <= allowed_error(j, i) ? RIGHT : WRONG_VALUE; /* a NaN bound fails */
}

int wf_judge_is_right(const WfJudge *j, int64_t i) { return judge_element(j, i) == RIGHT; }

void wf_judge_range(const WfJudge *j, int64_t i, double *low, double *high) {
  *low = *high = j->ref[i];
  if (!isfinite(j->ref[i]))
    return;
  *low = lowest(j, i, j->bound[i]);
  *high = highest(j, i, j->bound[i]);
}

/* Distance of neighbouring numbers of the type at x; beyond the largest, what it is there. */
static double spacing_at(WfDtype t, double x) {
  double max = wf_dtype_max(t);
  return wf_dtype_spacing(t, fabs(x) < max ? x : max);
}

static const char *class_rule(WfDtype t) {
  switch (t) {
  case WF_F32: return "NaN and infinities must be where the reference, rounded to fp32, has them";
  case WF_F16: return "NaN and infinities must be where the reference, rounded to f16, has them";
  case WF_BF16: return "NaN and infinities must be where the reference, rounded to bf16, has them";
  case WF_DTYPE_COUNT: break;
  }
  return "";
}

/* "with the columns in another order, y[0,3] is nan instead of 0.25" */
static void say_change(const WfJudge *j, const WfBadSet *bad, WfFinding *f) {
  char where[WF_ELEMENT_TEXT], got[WF_NUMBER_SIZE], want[WF_NUMBER_SIZE];
  f->simt.rule = j->rule;
  snprintf(f->simt.detail, sizeof f->simt.detail, "with %.60s, %s is %s instead of %s", j->change,
           wf_element_text(bad, bad->first, where), wf_number_print_float(got, j->y[bad->first]),
           wf_number_print_float(want, (float)j->ref[bad->first]));
}

static void report_class(const WfJudge *j, const WfBadSet *bad, WfVerdict *out) {
  char where[WF_ELEMENT_TEXT], got[WF_NUMBER_SIZE], want[WF_NUMBER_SIZE];
  WfFinding f;
  int64_t i = bad->first;
  wf_bad_finding(&f, bad, SIMT_WRONG_SPECIAL, class_rule(j->dtype), j->ref[i], j->y[i]);
  f.variant = j->variant;
  f.device = j->device;
  f.build = j->build;
  f.key = j->key;
  f.bound = j->bound[i];
  snprintf(f.simt.detail, sizeof f.simt.detail, "%s is %s where the reference is %s", wf_element_text(bad, i, where),
           wf_number_print_float(got, j->y[i]), wf_number_print_double(want, j->ref[i]));
  if (j->change)
    say_change(j, bad, &f);
  wf_verdict_add(out, &f);
}

static void report_value(const WfJudge *j, const WfBadSet *bad, WfVerdict *out) {
  char where[WF_ELEMENT_TEXT];
  WfFinding f;
  int64_t i = bad->first;
  double err = fabs((double)j->y[i] - j->ref[i]);
  wf_bad_finding(&f, bad, SIMT_WRONG_RESULT, "the result must stay within the error bound of the op's reference",
                 j->ref[i], j->y[i]);
  f.variant = j->variant;
  f.device = j->device;
  f.build = j->build;
  f.key = j->key;
  f.bound = stored_bound(j, i, allowed_error(j, i));
  f.ulp = err / spacing_at(j->dtype, j->ref[i]);
  snprintf(f.simt.detail, sizeof f.simt.detail, "%s is off by %.3g, allowed is %.3g",
           wf_element_text(bad, i, where), err, f.bound);
  if (j->change)
    say_change(j, bad, &f);
  wf_verdict_add(out, &f);
}

int wf_judge_all_right(const WfJudge *j) {
  for (int64_t i = 0; i < j->n_elems; i++)
    if (judge_element(j, i) != RIGHT)
      return 0;
  return 1;
}

/* 1 / spacing_at(x) for finite x: a power of two, put together from its exponent. */
static double per_spacing(WfDtype t, double x) {
  uint64_t bits;
  if (t != WF_F32)
    return 1 / spacing_at(t, x);
  memcpy(&bits, &x, sizeof bits);
  int e = (int)(bits >> 52 & 0x7ff) - 1023;
  if (e < FLT_MIN_EXP - 1)
    e = FLT_MIN_EXP - 1;
  if (e > FLT_MAX_EXP - 1)
    e = FLT_MAX_EXP - 1;
  bits = (uint64_t)(1023 - (e - (FLT_MANT_DIG - 1))) << 52;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* How far results are off at most, right or wrong. */
static void measure(const WfJudge *j, WfVerdict *out) {
  for (int64_t i = 0; i < j->n_elems; i++) {
    double ref = j->ref[i], err = fabs((double)j->y[i] - ref), bound = stored_bound(j, i, j->bound[i]);
    if (!(err <= DBL_MAX) || !isfinite(j->bound[i]))
      continue;
    double ulp = err * per_spacing(j->dtype, ref);
    out->has_worst = 1;
    if (ulp > out->worst_ulp)
      out->worst_ulp = ulp;
    if (err > out->worst_share * bound && bound > 0)
      out->worst_share = err / bound;
  }
}

void wf_judge(const WfJudge *j, WfVerdict *out) {
  WfBadSet class_bad, value_bad;
  int tensor = wf_output_tensor(j->op);
  wf_bad_init(&class_bad, j->op, tensor, j->dim);
  wf_bad_init(&value_bad, j->op, tensor, j->dim);
  class_bad.slice = value_bad.slice = j->slice;
  class_bad.dtype = value_bad.dtype = j->dtype;
  for (int64_t i = 0; i < j->n_elems; i++) {
    Outcome o = judge_element(j, i);
    if (o == WRONG_CLASS)
      wf_bad_mark(&class_bad, i);
    else if (o == WRONG_VALUE)
      wf_bad_mark(&value_bad, i);
  }
  if (!j->change)
    measure(j, out);
  if (class_bad.count > 0)
    report_class(j, &class_bad, out);
  if (value_bad.count > 0)
    report_value(j, &value_bad, out);
}
