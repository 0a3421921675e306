/* test_math.c - the float functions of kernels against MPFR: every function over a stride of all floats and all special
 * values, correctly rounded. */
#include "device_math.h"
#include "math_values.h"
#include "suite.h"
#include <check.h>
#include <mpfr.h>
#include <stdlib.h>

/* ---- one argument, correctly rounded ---- */

typedef int (*MpfrUnary)(mpfr_t, const mpfr_t, mpfr_rnd_t);

/* mpfr_rec_sqrt() drops the sign of a zero. */
static int mpfr_rsqrt(mpfr_t r, const mpfr_t x, mpfr_rnd_t rnd) {
  mpfr_sqrt(r, x, MPFR_RNDN);
  return mpfr_ui_div(r, 1, r, rnd);
}

static int mpfr_rcbrt(mpfr_t r, const mpfr_t x, mpfr_rnd_t rnd) {
  mpfr_cbrt(r, x, MPFR_RNDN);
  return mpfr_ui_div(r, 1, r, rnd);
}

/* sin and cos of pi x, x reduced to [-1, 1] first, which is exact. */
static void pi_times(mpfr_t r, const mpfr_t x) {
  mpfr_t pi;
  mpfr_init2(pi, 200);
  mpfr_const_pi(pi, MPFR_RNDN);
  mpfr_t two;
  mpfr_init2(two, 8);
  mpfr_set_ui(two, 2, MPFR_RNDN);
  mpfr_remainder(r, x, two, MPFR_RNDN);
  mpfr_mul(r, r, pi, MPFR_RNDN);
  mpfr_clears(pi, two, (mpfr_ptr)0);
}

static int mpfr_sin_pi(mpfr_t r, const mpfr_t x, mpfr_rnd_t rnd) {
  if (mpfr_integer_p(x)) return mpfr_set_zero(r, mpfr_signbit(x) ? -1 : 1), 0;
  pi_times(r, x);
  return mpfr_sin(r, r, rnd);
}

static int mpfr_cos_pi(mpfr_t r, const mpfr_t x, mpfr_rnd_t rnd) {
  mpfr_t twice;
  mpfr_init2(twice, 64);
  mpfr_mul_ui(twice, x, 2, MPFR_RNDN);
  const int middle = mpfr_integer_p(twice) && !mpfr_integer_p(x);
  mpfr_clear(twice);
  if (middle) return mpfr_set_zero(r, 1), 0;
  pi_times(r, x);
  return mpfr_cos(r, r, rnd);
}

static int mpfr_normal(mpfr_t r, const mpfr_t x, mpfr_rnd_t rnd) {
  mpfr_t root;
  mpfr_init2(root, 200);
  mpfr_sqrt_ui(root, 2, MPFR_RNDN);
  mpfr_div(r, x, root, MPFR_RNDN);
  mpfr_neg(r, r, MPFR_RNDN);
  mpfr_erfc(r, r, MPFR_RNDN);
  mpfr_clear(root);
  return mpfr_div_ui(r, r, 2, rnd);
}

/* From 10,000 on 1 / (x sqrt(pi)), less 1 / (2 x^2) of it: the factors leave even MPFR's range in the end. */
static int mpfr_erfcx(mpfr_t r, const mpfr_t x, mpfr_rnd_t rnd) {
  mpfr_t power;
  mpfr_init2(power, 400);
  if (mpfr_cmp_ui(x, 10000) > 0) {
    mpfr_const_pi(power, MPFR_RNDN);
    mpfr_sqrt(power, power, MPFR_RNDN);
    mpfr_mul(power, power, x, MPFR_RNDN);
    mpfr_ui_div(r, 1, power, MPFR_RNDN);
    mpfr_sqr(power, x, MPFR_RNDN);
    mpfr_mul_ui(power, power, 2, MPFR_RNDN);
    mpfr_div(power, r, power, MPFR_RNDN);
    const int inexact = mpfr_sub(r, r, power, rnd);
    mpfr_clear(power);
    return inexact;
  }
  mpfr_sqr(power, x, MPFR_RNDN);
  mpfr_exp(power, power, MPFR_RNDN);
  mpfr_erfc(r, x, MPFR_RNDN);
  const int inexact = mpfr_mul(r, r, power, rnd);
  mpfr_clear(power);
  return inexact;
}

static const struct Unary {
  const char *name;
  float (*f)(float);
  MpfrUnary reference;
  unsigned stride; /* over the bit patterns; MPFR is slow for some */
} unary[] = {
    {"expf", simt_expf, mpfr_exp, 20011},
    {"exp2f", simt_exp2f, mpfr_exp2, 20011},
    {"exp10f", simt_exp10f, mpfr_exp10, 20011},
    {"expm1f", simt_expm1f, mpfr_expm1, 50021},
    {"logf", simt_logf, mpfr_log, 20011},
    {"log2f", simt_log2f, mpfr_log2, 20011},
    {"log10f", simt_log10f, mpfr_log10, 20011},
    {"log1pf", simt_log1pf, mpfr_log1p, 50021},
    {"rsqrtf", simt_rsqrtf, mpfr_rsqrt, 20011},
    {"cbrtf", simt_cbrtf, mpfr_cbrt, 50021},
    {"rcbrtf", simt_rcbrtf, mpfr_rcbrt, 50021},
    {"sinf", simt_sinf, mpfr_sin, 50021},
    {"cosf", simt_cosf, mpfr_cos, 50021},
    {"tanf", simt_tanf, mpfr_tan, 50021},
    {"sinpif", simt_sinpif, mpfr_sin_pi, 50021},
    {"cospif", simt_cospif, mpfr_cos_pi, 50021},
    {"asinf", simt_asinf, mpfr_asin, 50021},
    {"acosf", simt_acosf, mpfr_acos, 50021},
    {"atanf", simt_atanf, mpfr_atan, 100003},
    {"sinhf", simt_sinhf, mpfr_sinh, 50021},
    {"coshf", simt_coshf, mpfr_cosh, 50021},
    {"tanhf", simt_tanhf, mpfr_tanh, 50021},
    {"asinhf", simt_asinhf, mpfr_asinh, 50021},
    {"acoshf", simt_acoshf, mpfr_acosh, 50021},
    {"atanhf", simt_atanhf, mpfr_atanh, 50021},
    {"erff", simt_erff, mpfr_erf, 100003},
    {"erfcf", simt_erfcf, mpfr_erfc, 100003},
    {"normcdff", simt_normcdff, mpfr_normal, 100003},
    {"erfcxf", simt_erfcxf, mpfr_erfcx, 100003},
};
enum { N_UNARY = sizeof unary / sizeof *unary };

/* 200 bits, then once to float, subnormals included. */
static float reference1(const struct Unary *u, float x) {
  mpfr_t a, r;
  mpfr_init2(a, 24);
  mpfr_init2(r, 200);
  mpfr_set_flt(a, x, MPFR_RNDN);
  u->reference(r, a, MPFR_RNDN);
  const float out = mpfr_get_flt(r, MPFR_RNDN);
  mpfr_clears(a, r, (mpfr_ptr)0);
  return out;
}

static void check1(const struct Unary *u, float x) {
  const float got = u->f(x), want = reference1(u, x);
  ck_assert_msg(same(got, want), "%s(%a) is %a, not %a", u->name, (double)x, (double)got, (double)want);
}

START_TEST(test_unary) {
  const struct Unary *u = &unary[_i];
  for (int i = 0; i < N_SPECIAL; i++) check1(u, special[i]);
  for (uint64_t bits = 0; bits < 1ull << 32; bits += u->stride) check1(u, float_of((uint32_t)bits));
  /* Where the functions change most: [-110, 110] in steps that are no powers of two. */
  for (int i = -11000; i <= 11000; i++) check1(u, (float)i * 0.0100123f);
}
END_TEST

/* ---- inverses ---- */

static const struct Inverse {
  const char *name;
  float (*f)(float);
  MpfrUnary forward; /* monotone */
  float low, high;
} inverse[] = {
    {"erfinvf", simt_erfinvf, mpfr_erf, -1, 1},
    {"erfcinvf", simt_erfcinvf, mpfr_erfc, 0, 2},
    {"normcdfinvf", simt_normcdfinvf, mpfr_normal, 0, 1},
};
enum { N_INVERSE = sizeof inverse / sizeof *inverse };

/* y is the right float if x lies between the values of the points half way to its neighbours. */
static void check_inverse(const struct Inverse *f, float x) {
  const float y = f->f(x);
  const double below = ((double)y + (double)nextafterf(y, -INFINITY)) / 2, above = ((double)y + (double)nextafterf(y, INFINITY)) / 2;
  mpfr_t p, a, b;
  mpfr_inits2(300, p, a, b, (mpfr_ptr)0);
  mpfr_set_d(p, below, MPFR_RNDN);
  f->forward(a, p, MPFR_RNDN);
  mpfr_set_d(p, above, MPFR_RNDN);
  f->forward(b, p, MPFR_RNDN);
  const int between = mpfr_cmp_d(a, (double)x) * mpfr_cmp_d(b, (double)x) <= 0;
  mpfr_clears(p, a, b, (mpfr_ptr)0);
  ck_assert_msg(between, "%s(%a) is not %a", f->name, (double)x, (double)y);
}

START_TEST(test_inverse) {
  const struct Inverse *f = &inverse[_i];
  for (int i = 1; i < 4000; i++) check_inverse(f, f->low + (f->high - f->low) * (float)i / 4001);
  for (int e = -149; e < -1; e++) check_inverse(f, f->low == 0 ? ldexpf(1, e) : ldexpf(-1, e));
  for (int i = 1; i < 100; i++) check_inverse(f, nextafterf(f->high, 0) - (float)i * 0x1p-24f);
  ck_assert(isnan(f->f(f->low - 1)) && isnan(f->f(f->high + 1)) && isnan(f->f(NAN)) && isnan(f->f(INFINITY)));
  ck_assert(isinf(f->f(f->low)) && isinf(f->f(f->high)));
}
END_TEST

START_TEST(test_inverse_special) {
  ck_assert(same(simt_erfinvf(-0.0f), -0.0f) && same(simt_erfinvf(1), INFINITY) && same(simt_erfinvf(-1), -INFINITY));
  ck_assert(same(simt_erfcinvf(1), 0) && same(simt_erfcinvf(0), INFINITY) && same(simt_erfcinvf(2), -INFINITY));
  ck_assert(simt_normcdfinvf(0.5f) == 0 && same(simt_normcdfinvf(0), -INFINITY) && same(simt_normcdfinvf(1), INFINITY));
  for (int i = 1; i < 1000; i++) {
    const double x = i / 1000.0;
    ck_assert_double_eq_tol(simt_normcdf(simt_normcdfinv(x)), x, 1e-15);
    ck_assert_double_eq_tol(erf(simt_erfinv(x)), x, 1e-15);
    ck_assert_double_eq_tol(erfc(simt_erfcinv(2 * x)), 2 * x, 1e-15);
    ck_assert_double_eq_tol(simt_erfcx(x * 5) / (exp(x * x * 25) * erfc(x * 5)), 1, 1e-13);
  }
}
END_TEST

/* ---- two arguments ---- */

static int mpfr_rhypot(mpfr_t r, const mpfr_t x, const mpfr_t y, mpfr_rnd_t rnd) {
  mpfr_hypot(r, x, y, MPFR_RNDN);
  return mpfr_ui_div(r, 1, r, rnd);
}

static const struct Binary {
  const char *name;
  float (*f)(float, float);
  int (*reference)(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);
} binary[] = {
    {"powf", simt_powf, mpfr_pow},
    {"atan2f", simt_atan2f, mpfr_atan2},
    {"hypotf", simt_hypotf, mpfr_hypot},
    {"rhypotf", simt_rhypotf, mpfr_rhypot},
};
enum { N_BINARY = sizeof binary / sizeof *binary };

static void check2(const struct Binary *b, float x, float y) {
  mpfr_t p, q, r;
  mpfr_inits2(24, p, q, (mpfr_ptr)0);
  mpfr_init2(r, 200);
  mpfr_set_flt(p, x, MPFR_RNDN);
  mpfr_set_flt(q, y, MPFR_RNDN);
  b->reference(r, p, q, MPFR_RNDN);
  const float got = b->f(x, y), want = mpfr_get_flt(r, MPFR_RNDN);
  mpfr_clears(p, q, r, (mpfr_ptr)0);
  ck_assert_msg(same(got, want), "%s(%a, %a) is %a, not %a", b->name, (double)x, (double)y, (double)got, (double)want);
}

START_TEST(test_binary) {
  const struct Binary *b = &binary[_i];
  for (int i = 0; i < N_SPECIAL; i++)
    for (int j = 0; j < N_SPECIAL; j++) check2(b, special[i], special[j]);
  for (uint32_t i = 1; i < 40000; i++) {
    check2(b, float_of(weyl(i)), float_of(weyl(i ^ 0x5555)));
    check2(b, (float)(weyl(i) >> 16) / 4096, (float)((int32_t)weyl(i + 7) >> 12) / 32768);
  }
  /* Results exactly in the middle between two floats: squares of 13-bit odd numbers, Pythagorean triples. */
  for (int n = 4097; n < 8192; n += 2) check2(b, (float)n, 2.0f);
  for (int n = 1; n < 2000; n++) check2(b, (float)(3 * (n + 2796203)), (float)(4 * (n + 2796203)));
}
END_TEST

int main(void) {
  Suite *s = suite_create("math");
  TCase *t = tcase_create("correctly rounded functions");
  tcase_set_timeout(t, 0);
  tcase_add_loop_test(t, test_unary, 0, N_UNARY);
  tcase_add_loop_test(t, test_inverse, 0, N_INVERSE);
  tcase_add_test(t, test_inverse_special);
  tcase_add_loop_test(t, test_binary, 0, N_BINARY);
  suite_add_tcase(s, t);
  return suite_run(s);
}
