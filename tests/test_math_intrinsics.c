/* test_math_intrinsics.c - the fast intrinsics against their documented error bounds, the rounding directions against exact
 * results of MPFR, the double functions that C does not have. */
#include "device_math.h"
#include "math_values.h"
#include "suite.h"
#include <check.h>
#include <mpfr.h>
#include <stdlib.h>

/* ---- fast intrinsics ---- */

typedef int (*MpfrUnary)(mpfr_t, const mpfr_t, mpfr_rnd_t);
typedef double (*Bound)(double x); /* in ulp, or absolute when negative */
static double ulp1(double x) { return x - x + 1; }
static double ulps2(double x) { return x - x + 2; }
static double bound_exp(double x) { return 2 + floor(fabs(1.173 * x)); }
static double bound_exp10(double x) { return 2 + floor(fabs(2.97 * x)); }
static double bound_log(double x) { return x >= 0.5 && x <= 2 ? -exp2(-21.41) : 3; }
static double bound_log2(double x) { return x >= 0.5 && x <= 2 ? -exp2(-22) : 2; }
static double bound_log10(double x) { return x >= 0.5 && x <= 2 ? -exp2(-24) : 3; }
static double bound_sin(double x) { return x - x - exp2(-21.41); }
static double bound_cos(double x) { return x - x - exp2(-21.19); }
static double two_turns(double x) { return x - x - exp2(-20.5); } /* PTX ISA, sin.approx and cos.approx */
static double hundred_turns(double x) { return x - x - exp2(-14.7); }
static double bound_tanh(double x) { return -tanh(fabs(x)) * exp2(-11) * (1 + 0x1p-40); }

static int mpfr_rcp(mpfr_t r, const mpfr_t x, mpfr_rnd_t rnd) { return mpfr_ui_div(r, 1, x, rnd); }

/* `used`: so much of its bound, at least, the error reaches. */
static const struct Fast {
  const char *name;
  float (*f)(float);
  MpfrUnary reference;
  Bound bound;
  float low, high;
  double used;
} fast[] = {
    {"__expf", simt_fast_expf, mpfr_exp, bound_exp, -87.3f, 88.7f, 0.99},
    {"__expf near 0", simt_fast_expf, mpfr_exp, bound_exp, -0.8f, 0.8f, 0.99},
    {"__expf, subnormal", simt_fast_expf, mpfr_exp, bound_exp, -103.0f, -87.3f, 0.5},
    {"__exp10f", simt_fast_exp10f, mpfr_exp10, bound_exp10, -37.9f, 38.5f, 0.99},
    {"ex2.approx", simt_fast_exp2f, mpfr_exp2, ulps2, -126.0f, 127.9f, 0.99},
    {"__logf", simt_fast_logf, mpfr_log, bound_log, 1e-38f, 300.0f, 0.99},
    {"__logf near 1", simt_fast_logf, mpfr_log, bound_log, 0.4f, 2.1f, 0.8},
    {"__log2f", simt_fast_log2f, mpfr_log2, bound_log2, 1e-38f, 300.0f, 0.99},
    {"__log2f near 1", simt_fast_log2f, mpfr_log2, bound_log2, 0.4f, 2.1f, 0.7},
    {"__log10f", simt_fast_log10f, mpfr_log10, bound_log10, 1e-38f, 300.0f, 0.99},
    {"__log10f near 1", simt_fast_log10f, mpfr_log10, bound_log10, 0.4f, 2.1f, 0.5},
    {"__sinf", simt_fast_sinf, mpfr_sin, bound_sin, -3.14159f, 3.14159f, 0.8},
    {"__sinf, two turns", simt_fast_sinf, mpfr_sin, two_turns, -6.2831f, 6.2831f, 0.5},
    {"__sinf, hundred turns", simt_fast_sinf, mpfr_sin, hundred_turns, -314.159f, 314.159f, 0.3},
    {"__cosf", simt_fast_cosf, mpfr_cos, bound_cos, -3.14159f, 3.14159f, 0.8},
    {"__cosf, two turns", simt_fast_cosf, mpfr_cos, two_turns, -6.2831f, 6.2831f, 0.5},
    {"__cosf, hundred turns", simt_fast_cosf, mpfr_cos, hundred_turns, -314.159f, 314.159f, 0.3},
    {"__tanhf", simt_fast_tanhf, mpfr_tanh, bound_tanh, -8.0f, 8.0f, 0.99},
    {"rcp.approx", simt_fast_rcpf, mpfr_rcp, ulp1, 1e-37f, 50.0f, 0.99},
    {"sqrt.approx", simt_fast_sqrtf, mpfr_sqrt, ulp1, 1e-37f, 50.0f, 0.99},
    {"rsqrt.approx", simt_fast_rsqrtf, mpfr_rec_sqrt, ulps2, 1e-37f, 50.0f, 0.99},
};
enum { N_FAST = sizeof fast / sizeof *fast };

/* |got - right| in units in the last place of right, those of subnormals being 2^-149. */
static double error_ulps(float got, float right) {
  int exponent;
  frexpf(right, &exponent);
  const int ulp = exponent - 24 < -149 ? -149 : exponent - 24;
  return fabs(ldexp((double)got - (double)right, -ulp));
}

/* The error of f at x as a share of what is documented: ulp errors are against the correctly rounded result. */
static double share_of_bound(const struct Fast *f, float x) {
  mpfr_t a, r;
  mpfr_init2(a, 24);
  mpfr_init2(r, 200);
  mpfr_set_flt(a, x, MPFR_RNDN);
  f->reference(r, a, MPFR_RNDN);
  const float got = f->f(x), right = mpfr_get_flt(r, MPFR_RNDN);
  const double exact = mpfr_get_d(r, MPFR_RNDN), bound = f->bound((double)x);
  mpfr_clears(a, r, (mpfr_ptr)0);
  if (exact == 0) return (double)got == 0 ? 0 : INFINITY;
  return bound < 0 ? fabs((double)got - exact) / -bound : error_ulps(got, right) / bound;
}

START_TEST(test_fast) {
  const struct Fast *f = &fast[_i];
  const int steps = 200000;
  double most = 0;
  for (int i = 0; i <= steps; i++) {
    const float x = f->low + (f->high - f->low) * ((float)i / (float)steps);
    const double share = share_of_bound(f, x);
    ck_assert_msg(share <= 1, "%s(%a) is %a: %g of its bound", f->name, (double)x, (double)f->f(x), share);
    most = fmax(most, share);
  }
  ck_assert_msg(most >= f->used, "%s: the largest error is %g of the bound only", f->name, most);
}
END_TEST

/* Where floats get less dense from 1 on, next to which a result has the largest error in ulps. */
START_TEST(test_fast_at_power_of_2) {
  for (uint32_t i = 0; i < 4000; i++) {
    const float x = 1 + (float)i * 0x1p-23f, near = float_of(bits_of(0x1.fffp-1f) + i);
    const struct Fast rcp = {"rcp.approx", simt_fast_rcpf, mpfr_rcp, ulp1, 0, 0, 0};
    const struct Fast root = {"sqrt.approx", simt_fast_sqrtf, mpfr_sqrt, ulp1, 0, 0, 0};
    const struct Fast power = {"ex2.approx", simt_fast_exp2f, mpfr_exp2, ulps2, 0, 0, 0};
    ck_assert(share_of_bound(&rcp, x) <= 1);
    ck_assert(share_of_bound(&root, near) <= 1);
    ck_assert(share_of_bound(&power, -(float)i * 0x1p-24f) <= 1);
  }
  for (int n = -125; n < 128; n++) {
    float x = (float)(n * 0.69314718055994531 - 3e-7 * (1 + abs(n)));
    for (int i = 0; i < 16; i++, x = nextafterf(x, INFINITY)) ck_assert(share_of_bound(&fast[0], x) <= 1);
  }
}
END_TEST

/* __fdividef: within 2 ulp of the correctly rounded quotient, which double division gives when it is rounded again. */
START_TEST(test_fast_division) {
  double most = 0;
  for (uint32_t i = 1; i < 400000; i++) {
    const float x = float_of(weyl(i)), y = float_of(weyl(i ^ 0x5a5a5));
    if (!isfinite(x) || !(fabsf(y) >= 0x1p-126f && fabsf(y) <= 0x1p126f)) continue;
    const float right = (float)((double)x / (double)y), got = simt_fast_fdividef(x, y);
    if (isinf(right)) {
      ck_assert(same(got, right));
      continue;
    }
    const double ulps = error_ulps(got, right);
    ck_assert_msg(ulps <= 2, "%a / %a is %a", (double)x, (double)y, (double)got);
    most = fmax(most, ulps);
  }
  ck_assert_double_eq(most, 2);
}
END_TEST

/* __powf is exp2f(y * __log2f(x)): the errors of product and logarithm, 2.5 ulp, times ln(2) times the product; 2 ulp. */
START_TEST(test_fast_power) {
  for (uint32_t i = 1; i < 100000; i++) {
    const float x = (float)(weyl(i) >> 8) * 0x1p-18f + 2, y = (float)(int32_t)weyl(i + 77) * 0x1p-28f;
    const double right = pow((double)x, (double)y), size = fabs((double)y * log2((double)x));
    ck_assert(size < 64);
    ck_assert_double_le(fabs((double)simt_fast_powf(x, y) - right), right * 0x1p-23 * (3 + (2 + 1) * size));
  }
}
END_TEST

/* Exact where the hardware is, and one of a kind: the same bits for the same arguments. */
START_TEST(test_fast_exact) {
  for (int e = -126; e <= 126; e++) {
    const float power = ldexpf(1, e);
    ck_assert(same(simt_fast_exp2f((float)e), power));
    ck_assert(same(simt_fast_rcpf(power), ldexpf(1, -e)));
    ck_assert(same(simt_fast_log2f(power), (float)e));
    ck_assert(same(simt_fast_fdividef(3, power), ldexpf(3, -e)));
    if (e % 2 == 0) ck_assert(same(simt_fast_sqrtf(power), ldexpf(1, e / 2)) && same(simt_fast_rsqrtf(power), ldexpf(1, -e / 2)));
  }
  for (int sign = 0; sign < 2; sign++) {
    const float zero = sign ? -0.0f : 0.0f;
    ck_assert(same(simt_fast_expf(zero), 1) && same(simt_fast_exp10f(zero), 1) && same(simt_fast_cosf(zero), 1));
    ck_assert(same(simt_fast_sinf(zero), zero) && same(simt_fast_tanf(zero), zero) && same(simt_fast_tanhf(zero), zero));
    ck_assert(same(simt_fast_sqrtf(zero), zero) && same(simt_fast_powf(7, zero), 1));
  }
  ck_assert(same(simt_fast_logf(1), 0) && same(simt_fast_log2f(1), 0) && same(simt_fast_log10f(1), 0));
  for (uint32_t i = 0; i < 100000; i++) {
    const float x = float_of(weyl(i));
    ck_assert(!(fabsf(simt_fast_sinf(x)) > 1) && !(fabsf(simt_fast_cosf(x)) > 1) && !(fabsf(simt_fast_tanhf(x)) > 1));
  }
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
  ck_assert(isnan(simt_fast_sinf(INFINITY)) && isnan(simt_fast_cosf(-INFINITY)) && isnan(simt_fast_tanf(INFINITY)));
  ck_assert(same(simt_fast_tanhf(INFINITY), 1.0f) && same(simt_fast_tanhf(-INFINITY), -1.0f));
  ck_assert(same(simt_fast_exp2f(-INFINITY), 0.0f) && same(simt_fast_exp2f(INFINITY), INFINITY));
  ck_assert(same(simt_fast_rcpf(-INFINITY), -0.0f) && same(simt_fast_rcpf(-0.0f), -INFINITY));
  ck_assert(same(simt_fast_sqrtf(INFINITY), INFINITY) && isnan(simt_fast_sqrtf(-1.0f)));
  ck_assert(same(simt_fast_rsqrtf(0.0f), INFINITY) && same(simt_fast_rsqrtf(INFINITY), 0.0f));
  ck_assert(isnan(simt_fast_rcpf(NAN)) && isnan(simt_fast_exp2f(NAN)) && isnan(simt_fast_logf(NAN)));
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
  tcase_add_test(t, test_fast_at_power_of_2);
  tcase_add_test(t, test_fast_division);
  tcase_add_test(t, test_fast_power);
  tcase_add_test(t, test_fast_exact);
  tcase_add_test(t, test_fast_special);
  tcase_add_loop_test(t, test_directions, SIMT_ADD, SIMT_FMA + 1);
  tcase_add_test(t, test_narrowing);
  tcase_add_test(t, test_double_forms);
  suite_add_tcase(s, t);
  return suite_run(s);
}
