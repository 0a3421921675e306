/* test_dtype.c - element types of 16 bits: every number of them, what lies between, the values of cases, and the oracle's judgement. */
#include "../fuzz/case.h"
#include "../gpu/gpu_impl.h"
#include "../fuzz/run.h"
#include "suite.h"
#include <check.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const WfDtype halves[] = {WF_F16, WF_BF16};
enum { N_HALVES = sizeof halves / sizeof *halves };

static uint32_t bits_of(float f) {
  uint32_t u;
  memcpy(&u, &f, sizeof u);
  return u;
}

/* By the formats' definition: sign, 5 or 8 bits of exponent, 10 or 7 of fraction. */
static double value_of(WfDtype t, unsigned h) {
  int fraction_bits = t == WF_F16 ? 10 : 7, most = t == WF_F16 ? 31 : 255, bias = most / 2;
  int exponent = (int)(h & 0x7fff) >> fraction_bits;
  double fraction = (double)(h & ((1u << fraction_bits) - 1)), v;
  if (exponent == most)
    v = fraction > 0 ? (double)NAN : (double)INFINITY;
  else if (exponent == 0)
    v = ldexp(fraction, 1 - bias - fraction_bits);
  else
    v = ldexp(fraction + ldexp(1, fraction_bits), exponent - bias - fraction_bits);
  return h & 0x8000 ? -v : v;
}

START_TEST(every_number_comes_back) {
  WfDtype t = halves[_i];
  for (unsigned h = 0; h <= 0xffff; h++) {
    float f = wf_dtype_decode(t, (uint16_t)h), again;
    uint16_t stored;
    double want = value_of(t, h);
    if (isnan(want)) {
      ck_assert(isnan(f));
      ck_assert_uint_eq(wf_dtype_encode(t, f), t == WF_F16 ? 0x7e00 : 0x7fc0);
      continue;
    }
    ck_assert_msg((double)f == want && !signbit(f) == !signbit(want), "%04x is %a, not %a", h, (double)f, want);
    wf_dtype_store(t, &stored, &f, 1);
    wf_dtype_load(t, &again, &stored, 1);
    ck_assert_uint_eq(stored, h);
    ck_assert_uint_eq(bits_of(again), bits_of(f));
    ck_assert(wf_dtype_holds(t, &f, 1));
  }
}
END_TEST

START_TEST(nans_stay_apart) {
  WfDtype t = halves[_i];
  unsigned first = t == WF_F16 ? 0x7c01 : 0x7f81;
  for (unsigned h = first; h < 0x7fff; h++)
    ck_assert_uint_ne(bits_of(wf_dtype_decode(t, (uint16_t)h)), bits_of(wf_dtype_decode(t, (uint16_t)(h + 1))));
}
END_TEST

/* Between neighbours: the middle goes to the even one, all else to the nearer. */
START_TEST(what_lies_between_is_rounded) {
  WfDtype t = halves[_i];
  unsigned last = t == WF_F16 ? 0x7bff : 0x7f7f;
  for (unsigned h = 0; h < last; h++)
    for (int sign = -1; sign <= 1; sign += 2) {
      double low = sign * value_of(t, h), high = sign * value_of(t, h + 1), middle = (low + high) / 2;
      ck_assert(wf_dtype_round(t, middle) == (h & 1 ? high : low));
      ck_assert(wf_dtype_round(t, nextafter(middle, low)) == low);
      ck_assert(wf_dtype_round(t, nextafter(middle, high)) == high);
      ck_assert(wf_dtype_spacing(t, low) == fabs(high - low));
      ck_assert_uint_eq(wf_dtype_encode(t, (float)middle), (sign < 0 ? 0x8000 : 0) | (h & 1 ? h + 1 : h));
    }
}
END_TEST

START_TEST(beyond_the_largest) {
  WfDtype t = halves[_i];
  double max = wf_dtype_max(t), edge = max + wf_dtype_spacing(t, max) / 2;
  ck_assert(max == value_of(t, t == WF_F16 ? 0x7bff : 0x7f7f));
  ck_assert(wf_dtype_round(t, nextafter(edge, 0)) == max);
  ck_assert(wf_dtype_round(t, edge) == (double)INFINITY);
  ck_assert(wf_dtype_round(t, -edge) == -(double)INFINITY);
  ck_assert(wf_dtype_round(t, -1e300) == -(double)INFINITY);
  ck_assert(isnan(wf_dtype_round(t, (double)NAN)));
  ck_assert((double)wf_dtype_stored(t, FLT_MAX) == max && (double)wf_dtype_stored(t, -FLT_MAX) == -max);
  ck_assert(wf_dtype_stored(t, INFINITY) == INFINITY);
  ck_assert(wf_dtype_stored(WF_F32, FLT_MAX) == FLT_MAX);
}
END_TEST

/* Patterns stand for themselves: not for a number that a kernel may have computed. */
START_TEST(patterns_are_rare) {
  static const uint32_t output = 0x7fc0deadu, other = 0x7f7fc0deu;
  for (int i = 0; i < N_HALVES; i++) {
    uint32_t word = wf_dtype_pattern(halves[i], output);
    ck_assert_uint_eq(word >> 16, word & 0xffff);
    ck_assert(isnan(wf_dtype_patterned(halves[i], output)) && wf_dtype_pattern_is_rare(halves[i], output));
    ck_assert((word & 0xffff) != 0x7fff && (word & 0xffff) != 0x7e00 && (word & 0xffff) != 0x7fc0);
    ck_assert(isfinite(wf_dtype_patterned(halves[i], other)) && !wf_dtype_pattern_is_rare(halves[i], other));
  }
  ck_assert_uint_eq(wf_dtype_pattern(WF_F32, output), output);
  ck_assert(wf_dtype_pattern_is_rare(WF_F32, other));
}
END_TEST

/* ---- values of cases ---- */
static const WfOp op = {
  .name = "softmax",
  .n_dims = 2,
  .n_tensors = 2,
  .dims = {{"rows", 1, 64}, {"cols", 1, 64}},
  .tensors = {{"x", WF_IN, 2, {0, 1}}, {"y", WF_OUT, 2, {0, 1}}},
};

/* All distributions, with large parameters and small ones, and edits beyond the type. */
START_TEST(values_are_numbers_of_the_type) {
  static const double scales[] = {1, 1e-4, 1000, 3e38};
  float x[200], one;
  WfDtype t = halves[_i % N_HALVES];
  WfDist dist = (WfDist)(_i / N_HALVES);
  int n_other = 0;
  for (size_t k = 0; k < sizeof scales / sizeof *scales; k++) {
    WfCase c = {.op = &op, .dim = {2, 100}, .dtype = {t, t}, .n_edits = 2};
    c.fill[0] = (WfFill){dist, 7, (double)(float)scales[k], k == 3 ? -88.8 : 0.1, 0};
    c.fill[0].offset = (double)(float)c.fill[0].offset;
    c.edits[0] = (WfEdit){0, {{0, 0, 1}, {0, 0, 1}}, FLT_MAX};
    c.edits[1] = (WfEdit){0, {{1, 1, 1}, {0, 0, 1}}, 88.8f};
    wf_case_values(&c, 0, x);
    ck_assert(wf_dtype_holds(t, x, 200));
    for (int i = 0; i < 200; i++) {
      wf_case_values_at(&c, 0, i, 1, &one);
      ck_assert(isfinite(x[i]) && bits_of(x[i]) == bits_of(one) && bits_of(x[i]) == bits_of(wf_case_value(&c, 0, i)));
      ck_assert((double)fabsf(x[i]) <= wf_case_max_abs(&c, 0));
      n_other += x[i] != x[1];
    }
    ck_assert((double)x[0] == wf_dtype_max(t) && x[100] == wf_dtype_stored(t, 88.8f));
  }
  ck_assert_int_gt(n_other, dist == WF_DIST_CONSTANT ? 0 : 100);
}
END_TEST

START_TEST(denormals_are_those_of_the_type) {
  float x[200];
  WfDtype t = halves[_i];
  WfCase c = {.op = &op, .dim = {2, 100}, .dtype = {t, t}, .fill = {{.dist = WF_DIST_DENORMAL, .seed = 3}}};
  int n_below = 0, n_zero = 0;
  wf_case_values(&c, 0, x);
  for (int i = 0; i < 200; i++) {
    ck_assert((double)fabsf(x[i]) <= 2 * wf_dtype_normal(t));
    n_below += (double)fabsf(x[i]) < wf_dtype_normal(t);
    n_zero += x[i] == 0;
  }
  ck_assert_int_gt(n_below, 50);
  ck_assert_int_lt(n_below, 150);
  ck_assert_int_lt(n_zero, 10);
}
END_TEST

/* Of integers no two become one. */
START_TEST(integers_are_exact) {
  float x[2000];
  WfDtype t = halves[_i];
  int n = t == WF_F16 ? 2000 : 256, seen[2049] = {0};
  WfCase c = {.op = &op, .dim = {1, n}, .dtype = {t, t}, .fill = {{.dist = WF_DIST_DISTINCT, .scale = 4096}}};
  wf_case_values(&c, 0, x);
  for (int i = 0; i < n; i++) {
    int magnitude = (int)fabsf(x[i]);
    ck_assert(magnitude >= 1 && magnitude <= (t == WF_F16 ? 2048 : 256));
    ck_assert_int_eq(seen[magnitude]++, 0);
  }
}
END_TEST

/* ---- types as text ---- */
static const WfOp three = {.name = "add", .n_tensors = 3, .tensors = {{.name = "a"}, {.name = "b"}, {.name = "c", .role = WF_OUT}}};

static const struct {
  const char *text, *again; /* NULL: it is refused */
} texts[] = {
    {"f16", "f16"}, {"bf16", "bf16"}, {"f32", ""}, {"a=f16,b=f16,c=f16", "f16"}, {"c=f32", ""}, {"a=f16", "a=f16"},
    {"c=bf16,a=f16", "a=f16,c=bf16"}, {"f64", NULL}, {"", NULL}, {"half", NULL}, {"a=", NULL}, {"d=f16", NULL}, {"a=f16,a=f16", NULL},
    {"a=f16,", NULL}, {"a=f16 b=f16", NULL}, {"=f16", NULL}, {"f16,a=f32", NULL},
};

START_TEST(types_as_text) {
  WfDtype types[WF_MAX_TENSORS] = {WF_F32};
  char err[160] = "", buf[WF_DTYPES_TEXT];
  int rc = wf_dtypes_parse(&three, texts[_i].text, strlen(texts[_i].text), types, err, sizeof err);
  ck_assert_msg((rc == 0) == (texts[_i].again != NULL), "'%s': %s", texts[_i].text, err);
  ck_assert(rc == 0 || err[0]);
  if (rc == 0)
    ck_assert_str_eq(wf_dtypes_text(&three, types, buf), texts[_i].again);
}
END_TEST

/* ---- the oracle ---- */
#define RIGHT SIMT_CLASS_COUNT
#define U16 0x1p-11 /* half the spacing of f16 in [1, 2) */

static const struct {
  WfDtype type;
  float y;
  double ref, bound, rtol;
  SimtClass want;
} judged[] = {
    {WF_F16, 1, 1 + U16, 0, 0, RIGHT}, /* a tie goes to the even one */
    {WF_F16, 1 + 0x1p-10f, 1 + U16, 0, 0, SIMT_WRONG_RESULT},
    {WF_F16, 1 + 0x1p-10f, 1 + 1.001 * U16, 0, 0, RIGHT},
    {WF_F16, 1, 1 + 1.001 * U16, 0, 0, SIMT_WRONG_RESULT}, /* half an ulp is no bound of its own: the rounded one is right */
    {WF_F16, 1, 1 + 1.001 * U16, 0.002 * U16, 0, RIGHT},
    {WF_F16, 1 + 0x1p-10f, 1 + 0.999 * U16, 0.002 * U16, 0, RIGHT},
    {WF_F16, 1 + 0x1p-9f, 1 + 1.001 * U16, 0.002 * U16, 0, SIMT_WRONG_RESULT},
    {WF_F16, 1 + 0x1p-9f, 1, 0, 0x1p-9, RIGHT},
    {WF_F16, 1 + 0x1.8p-8f, 1, 0, 0x1p-9, SIMT_WRONG_RESULT},
    {WF_F16, 0, 0x1p-25, 0, 0, RIGHT}, /* the middle between 0 and the smallest number */
    {WF_F16, 0x1p-24f, 0x1p-25, 0, 0, SIMT_WRONG_RESULT},
    {WF_F16, -0.0f, 0x1p-26, 0, 0, RIGHT},
    {WF_F16, 0, 0x1.8p-24, 0, 0, SIMT_WRONG_RESULT},
    {WF_F16, 65504, 65519.99, 0, 0, RIGHT},
    {WF_F16, INFINITY, 65520, 0, 0, RIGHT},
    {WF_F16, 65504, 65520, 0, 0, SIMT_WRONG_SPECIAL},
    {WF_F16, 65504, 65520, 0.01, 0, RIGHT}, /* on either side of the edge */
    {WF_F16, INFINITY, 65519.99, 0.02, 0, RIGHT},
    {WF_F16, INFINITY, 65519.99, 0, 1, SIMT_WRONG_SPECIAL}, /* a user's tolerance does not make infinities */
    {WF_F16, -INFINITY, 65520, 1e9, 0, RIGHT},
    {WF_F16, INFINITY, 1e30, 0, 0, RIGHT},
    {WF_F16, NAN, 1, 1, 1, SIMT_WRONG_SPECIAL},
    {WF_F16, NAN, NAN, 0, 0, RIGHT},
    {WF_F16, 1, 1, NAN, 0, SIMT_WRONG_RESULT},
    {WF_F16, 3, 1, INFINITY, 0, RIGHT},
    {WF_BF16, 1, 1 + 0x1p-8, 0, 0, RIGHT},
    {WF_BF16, 1 + 0x1p-7f, 1 + 0x1p-8, 0, 0, SIMT_WRONG_RESULT},
    {WF_BF16, 1, 1 + 0x1.01p-8, 0, 0, SIMT_WRONG_RESULT}, /* cut off, not rounded */
    {WF_BF16, 65536, 65520, 0, 0, RIGHT},
    {WF_BF16, 0x1.fep127f, 0x1.fefp127, 0, 0, RIGHT},
    {WF_BF16, INFINITY, 0x1.ffp127, 0, 0, RIGHT},
    {WF_BF16, 0x1.fep127f, 0x1.ffp127, 0, 0, SIMT_WRONG_SPECIAL},
    {WF_BF16, 0x1p-133f, 0x1.8p-134, 0, 0, RIGHT},
};

START_TEST(rounded_results) {
  static const WfVariant variant = {.name = "plain"};
  const int64_t dim[] = {1, 1};
  WfVerdict v;
  memset(&v, 0, sizeof v);
  WfJudge j = {.op = &op, .variant = &variant, .dim = dim, .y = &judged[_i].y, .ref = &judged[_i].ref, .bound = &judged[_i].bound,
               .n_elems = 1, .rtol = judged[_i].rtol, .dtype = judged[_i].type};
  wf_judge(&j, &v);
  ck_assert_uint_eq(v.n, judged[_i].want == RIGHT ? 0 : 1);
  ck_assert_int_eq(wf_judge_all_right(&j), judged[_i].want == RIGHT);
  if (v.n == 0)
    return;
  ck_assert_int_eq(v.finding[0].simt.cls, judged[_i].want);
  ck_assert_uint_eq(v.finding[0].simt.size_bytes, 2);
  if (judged[_i].want == SIMT_WRONG_RESULT && !isnan(judged[_i].bound)) /* what is told allows no more than what was found: as much for a tie */
    ck_assert(fabs((double)judged[_i].y - judged[_i].ref) >= v.finding[0].bound);
}
END_TEST

/* ---- images for a device ---- */
enum { ELEMS = 7, LIMIT = 1 << 20, GUARD = 1024 };

/* x at an odd element, y behind it: where both begin and end within words. */
START_TEST(images_hold_halves) {
  static const WfVariant plain = {.name = "plain", .dtype = WF_ALL_OF(WF_F16)};
  WfCase c = {.op = &op, .dim = {1, ELEMS}, .dtype = {WF_F16, WF_F16}};
  c.fill[0] = (WfFill){WF_DIST_NORMAL, 3, 1, 0, 1};
  c.fill[1].base_offset_elems = 3;
  WfGpuSlot *s = calloc(1, sizeof *s);
  unsigned char *up = calloc(1, LIMIT), *down = calloc(1, LIMIT);
  ck_assert(s && up && down);
  s->job[0] = (WfGpuJob){.c = &c, .v = &plain, .g = {{1, 1, 1}, {32, 1, 1}, 0, 0}, .pattern = 0x7fc0dead};
  ck_assert_uint_eq(wf_gpu_layout(&s->layout, s->job, 1, GUARD, LIMIT), 1);
  const WfGpuObject *x = &s->layout.at[s->layout.object[0][0]], *y = &s->layout.at[s->layout.object[0][1]];
  ck_assert_uint_eq(x->size_bytes, 2 * ELEMS);
  ck_assert_uint_eq(x->at_bytes % 256, 2);
  ck_assert_uint_eq(y->at_bytes % 256, 6);
  wf_gpu_build(s, up, NULL);
  float values[ELEMS], want[ELEMS];
  wf_case_values(&c, 0, want);
  wf_dtype_load(WF_F16, values, up + x->at_bytes, ELEMS);
  for (int i = 0; i < ELEMS; i++)
    ck_assert_uint_eq(bits_of(values[i]), bits_of(want[i]));
  memcpy(down, up, LIMIT);
  wf_gpu_examine(s, up, down);
  ck_assert_uint_eq(s->unwritten[0], ELEMS);
  ck_assert_uint_eq(s->guard[0].n_words + s->guard[1].n_words + s->inside[0].n_words, 0);
  for (int i = 0; i < ELEMS; i++)
    if (i != 4)
      memset(down + y->at_bytes + 2 * i, 0, 2);
  wf_gpu_examine(s, up, down);
  ck_assert_uint_eq(s->unwritten[0], 1);
  ck_assert_uint_eq(s->first_unwritten[0], 4);
  ck_assert_uint_eq(s->guard[1].n_words, 0);
  memset(down + y->at_bytes + 2 * ELEMS, 1, 2); /* one element more, and an input's last */
  memset(down + x->at_bytes + 2 * (ELEMS - 1), 1, 2);
  wf_gpu_examine(s, up, down);
  ck_assert_uint_eq(s->guard[1].n_words, 1);
  ck_assert_uint_eq(s->inside[0].n_words, 1);
  memset(down + x->at_bytes - 2, 1, 2);
  wf_gpu_examine(s, up, down);
  ck_assert_uint_eq(s->guard[0].n_words, 1);
  s->job[0].pattern = 0x7f7fc0de; /* 65504 to f16: nothing can be said by the value */
  wf_gpu_build(s, up, NULL);
  memcpy(down, up, LIMIT);
  wf_gpu_examine(s, up, down);
  ck_assert_uint_eq(s->unwritten[0], 0);
  free(s);
  free(up);
  free(down);
}
END_TEST

int main(void) {
  Suite *s = suite_create("dtype");
  TCase *t = tcase_create("dtype");
  tcase_add_loop_test(t, every_number_comes_back, 0, N_HALVES);
  tcase_add_loop_test(t, nans_stay_apart, 0, N_HALVES);
  tcase_add_loop_test(t, what_lies_between_is_rounded, 0, N_HALVES);
  tcase_add_loop_test(t, beyond_the_largest, 0, N_HALVES);
  tcase_add_test(t, patterns_are_rare);
  tcase_add_loop_test(t, values_are_numbers_of_the_type, 0, N_HALVES * WF_DIST_COUNT);
  tcase_add_loop_test(t, denormals_are_those_of_the_type, 0, N_HALVES);
  tcase_add_loop_test(t, integers_are_exact, 0, N_HALVES);
  tcase_add_loop_test(t, types_as_text, 0, (int)(sizeof texts / sizeof *texts));
  tcase_add_test(t, images_hold_halves);
  tcase_add_loop_test(t, rounded_results, 0, (int)(sizeof judged / sizeof *judged));
  suite_add_tcase(s, t);
  return suite_run(s);
}
