/* test_math.c - the float functions of kernels against MPFR: every function over a stride of all floats and all special
 * values, correctly rounded. */
#include "device_math.h"
#include "math_values.h"
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
  tcase_add_loop_test(t, test_binary, 0, N_BINARY);
  suite_add_tcase(s, t);
  SRunner *sr = srunner_create(s);
  srunner_set_tap(sr, "-");
  srunner_run_all(sr, CK_SILENT);
  const int failed = srunner_ntests_failed(sr);
  srunner_free(sr);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
