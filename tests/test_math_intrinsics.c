/* test_math_intrinsics.c - the fast intrinsics against their documented error bounds, the rounding directions against exact
 * results of MPFR, the double functions that C does not have. */
#include "device_math.h"
#include "math_values.h"
#include <check.h>
#include <mpfr.h>
#include <stdlib.h>

/* ---- fast intrinsics ---- */

/* |got - exact| in units in the last place of the float nearest to exact, those of subnormals being 2^-149. */
static double error_ulp(float got, const mpfr_t exact) {
  const double e = mpfr_get_d(exact, MPFR_RNDN);
  int exponent;
  frexp(e, &exponent);
  const int ulp = exponent - 24 < -149 ? -149 : exponent - 24;
  return fabs(ldexp((double)got - e, -ulp));
}

typedef int (*MpfrUnary)(mpfr_t, const mpfr_t, mpfr_rnd_t);
typedef double (*Bound)(double x); /* in ulp, or absolute when negative */
static double bound_exp(double x) { return 2 + floor(fabs(1.173 * x)); }
static double bound_exp10(double x) { return 2 + floor(fabs(2.97 * x)); }
static double bound_log(double x) { return x >= 0.5 && x <= 2 ? -0x1p-21 * 0.7526 : 3; } /* 2^-21.41 */
static double bound_log2(double x) { return x >= 0.5 && x <= 2 ? -0x1p-22 : 2; }
static double bound_log10(double x) { return x >= 0.5 && x <= 2 ? -0x1p-24 : 3; }
static double bound_sin(double x) { (void)x; return -0x1p-21 * 0.7526; } /* 2^-21.41 */
static double bound_cos(double x) { (void)x; return -0x1p-21 * 0.8766; } /* 2^-21.19 */

static const struct Fast {
  const char *name;
  float (*f)(float);
  MpfrUnary reference;
  Bound bound;
  float low, high;
} fast[] = {
    {"__expf", simt_fast_expf, mpfr_exp, bound_exp, -103.0f, 88.7f},
    {"__exp10f", simt_fast_exp10f, mpfr_exp10, bound_exp10, -44.8f, 38.5f},
    {"__logf", simt_fast_logf, mpfr_log, bound_log, 1e-38f, 300.0f},
    {"__log2f", simt_fast_log2f, mpfr_log2, bound_log2, 1e-38f, 300.0f},
    {"__log10f", simt_fast_log10f, mpfr_log10, bound_log10, 1e-38f, 300.0f},
    {"__sinf", simt_fast_sinf, mpfr_sin, bound_sin, -3.14159f, 3.14159f},
    {"__cosf", simt_fast_cosf, mpfr_cos, bound_cos, -3.14159f, 3.14159f},
};
enum { N_FAST = sizeof fast / sizeof *fast };

START_TEST(test_fast) {
  const struct Fast *f = &fast[_i];
  mpfr_t a, r;
  mpfr_init2(a, 24);
  mpfr_init2(r, 200);
  const int steps = 200000;
  for (int i = 0; i <= steps; i++) {
    const float x = f->low + (f->high - f->low) * ((float)i / (float)steps);
    mpfr_set_flt(a, x, MPFR_RNDN);
    f->reference(r, a, MPFR_RNDN);
    const float got = f->f(x);
    const double bound = f->bound((double)x);
    const double err = bound < 0 ? fabs((double)got - mpfr_get_d(r, MPFR_RNDN)) : error_ulp(got, r);
    ck_assert_msg(err <= fabs(bound), "%s(%a) is %a: error %g, bound %g", f->name, (double)x, (double)got, err, bound);
  }
  mpfr_clears(a, r, (mpfr_ptr)0);
}
END_TEST

START_TEST(test_fast_special) {
  ck_assert(same(simt_fast_expf(-INFINITY), 0.0f));
  ck_assert(same(simt_fast_expf(INFINITY), INFINITY));
  ck_assert(isnan(simt_fast_expf(NAN)));
  ck_assert(same(simt_fast_logf(0.0f), -INFINITY));
  ck_assert(isnan(simt_fast_logf(-1.0f)));
  ck_assert(isnan(simt_fast_powf(-2.0f, 2.0f))); /* unlike powf */
  ck_assert(same(simt_powf(-2.0f, 2.0f), 4.0f));
  ck_assert(isnan(simt_fast_sinf(INFINITY)));
  ck_assert(same(simt_fast_fdividef(6.0f, 2.0f), 3.0f));
  ck_assert(same(simt_fast_fdividef(1.0f, 0x1.8p126f), 0.0f));
  ck_assert(same(simt_fast_fdividef(FLT_MAX, -FLT_MAX), -0.0f));
  ck_assert(isnan(simt_fast_fdividef(INFINITY, 0x1.8p126f)));
  ck_assert(same(simt_fast_fdividef(1.0f, 0x1p126f), 0x1p-126f));
  ck_assert(same(simt_fast_fdividef(1.0f, 0.0f), INFINITY));
  ck_assert(isnan(simt_fast_fdividef(0.0f, 0.0f)));
}
END_TEST

/* ---- rounding directions ---- */

static const mpfr_rnd_t mpfr_direction[] = {MPFR_RNDZ, MPFR_RNDU, MPFR_RNDD};

/* op on MPFR numbers, r exact enough for the one rounding that follows. Sums of floats span 278 bits. */
static void exact_arith(mpfr_t r, int op, const mpfr_t a, const mpfr_t b, const mpfr_t c, mpfr_rnd_t rnd) {
  switch ((SimtArith)op) {
  case SIMT_ADD: mpfr_add(r, a, b, rnd); break;
  case SIMT_SUB: mpfr_sub(r, a, b, rnd); break;
  case SIMT_MUL: mpfr_mul(r, a, b, rnd); break;
  case SIMT_DIV: mpfr_div(r, a, b, rnd); break;
  case SIMT_SQRT: mpfr_sqrt(r, a, rnd); break;
  case SIMT_FMA: mpfr_fma(r, a, b, c, rnd); break;
  }
}

static void check_arith32(int op, int direction, float x, float y, float z) {
  mpfr_t a, b, c, r;
  mpfr_inits2(24, a, b, c, (mpfr_ptr)0);
  mpfr_init2(r, 700);
  mpfr_set_flt(a, x, MPFR_RNDN);
  mpfr_set_flt(b, y, MPFR_RNDN);
  mpfr_set_flt(c, z, MPFR_RNDN);
  exact_arith(r, op, a, b, c, mpfr_direction[direction]);
  const float got = simt_arith_f32(op, direction, x, y, z), want = mpfr_get_flt(r, mpfr_direction[direction]);
  mpfr_clears(a, b, c, r, (mpfr_ptr)0);
  ck_assert_msg(same(got, want), "op %d direction %d of %a %a %a is %a, not %a", op, direction, (double)x, (double)y,
                (double)z, (double)got, (double)want);
}

static void check_arith64(int op, int direction, double x, double y, double z) {
  mpfr_t a, b, c, r;
  mpfr_inits2(53, a, b, c, (mpfr_ptr)0);
  mpfr_init2(r, 4500);
  mpfr_set_d(a, x, MPFR_RNDN);
  mpfr_set_d(b, y, MPFR_RNDN);
  mpfr_set_d(c, z, MPFR_RNDN);
  exact_arith(r, op, a, b, c, mpfr_direction[direction]);
  const double got = simt_arith_f64(op, direction, x, y, z), want = mpfr_get_d(r, mpfr_direction[direction]);
  mpfr_clears(a, b, c, r, (mpfr_ptr)0);
  ck_assert_msg(got == want || (isnan(got) && isnan(want)), "op %d direction %d of %a %a %a is %a, not %a", op,
                direction, x, y, z, got, want);
}

START_TEST(test_directions) {
  for (int direction = SIMT_TOWARD_ZERO; direction <= SIMT_DOWNWARD; direction++) {
    for (int i = 0; i < N_SPECIAL; i++)
      for (int j = 0; j < N_SPECIAL; j++) check_arith32(_i, direction, special[i], special[j], special[(i + j) % N_SPECIAL]);
    for (uint32_t i = 1; i < 3000; i++) {
      const float x = float_of(weyl(i)), y = float_of(weyl(i + 9999)), z = float_of(weyl(i ^ 0x333));
      check_arith32(_i, direction, x, y, z);
      check_arith64(_i, direction, (double)x, (double)y / 3, (double)z / 7);
    }
  }
}
END_TEST

START_TEST(test_narrowing) {
  ck_assert(same(simt_narrow_f32(SIMT_TOWARD_ZERO, 16777217), 16777216.0f));
  ck_assert(same(simt_narrow_f32(SIMT_UPWARD, 16777217), 16777218.0f));
  ck_assert(same(simt_narrow_f32(SIMT_DOWNWARD, -16777217), -16777218.0f));
  ck_assert(same(simt_narrow_f32(SIMT_UPWARD, UINT64_MAX), 0x1p64f));
  ck_assert(same(simt_narrow_f32(SIMT_DOWNWARD, UINT64_MAX), 0x1.fffffep63f));
  ck_assert(same(simt_narrow_f32(SIMT_UPWARD, 1e-60L), 0x1p-149f));
  ck_assert_double_eq(simt_narrow_f64(SIMT_TOWARD_ZERO, INT64_MAX), 0x1.fffffffffffffp62);
  ck_assert_double_eq(simt_narrow_f64(SIMT_UPWARD, INT64_MAX), 0x1p63);
  ck_assert(same(1.0f + 0x1p-24f, 1.0f)); /* to nearest again */
}
END_TEST

START_TEST(test_double_forms) {
  ck_assert_double_eq(simt_sinpi(0.5), 1.0);
  ck_assert_double_eq(simt_sinpi(1e15), 0.0);
  ck_assert_double_eq(simt_sinpi(1.25), -sqrt(0.5));
  ck_assert_double_eq(simt_cospi(1.0), -1.0);
  ck_assert_double_eq(simt_cospi(2.5), 0.0);
  ck_assert_double_eq(simt_cospi(0x1p60), 1.0);
  ck_assert(isnan(simt_sinpi(INFINITY)) && isnan(simt_cospi(-INFINITY)));
  ck_assert_double_eq(simt_normcdf(0.0), 0.5);
  ck_assert_double_eq(simt_normcdf(INFINITY), 1.0);
  ck_assert_double_eq_tol(simt_normcdf(1.0), 0.84134474606854294859, 1e-16);
}
END_TEST

int main(void) {
  Suite *s = suite_create("math intrinsics");
  TCase *t = tcase_create("intrinsics");
  tcase_set_timeout(t, 0);
  tcase_add_loop_test(t, test_fast, 0, N_FAST);
  tcase_add_test(t, test_fast_special);
  tcase_add_loop_test(t, test_directions, SIMT_ADD, SIMT_FMA + 1);
  tcase_add_test(t, test_narrowing);
  tcase_add_test(t, test_double_forms);
  suite_add_tcase(s, t);
  SRunner *sr = srunner_create(s);
  srunner_set_tap(sr, "-");
  srunner_run_all(sr, CK_SILENT);
  const int failed = srunner_ntests_failed(sr);
  srunner_free(sr);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
