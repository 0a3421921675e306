/* test_half.c - halves in kernels (tests/half.cu) and their arithmetic, simt/device_half.h: conversions from and to all 65,536 of them, every
 * function of half_ops.def against a result that is exact but for one bit that tells on which side of it the exact one is, and
 * rounded once. */
#include "../simt/device_half.h"
#include "../simt/simt.h"
#include "suite.h"
#include <check.h>
#include <limits.h>
#include <math.h>
#include <mpfr.h>
#include <stdlib.h>
#include <string.h>

void half_apply(int op, const void *a, const void *b, const double *d, long long *out, int n);
void half_doubles(const double *d, long long *out, int n);
void half_fused(const void *a, const void *b, const void *c, long long *out, int n);
void half_pairs(const void *a, const void *b, long long *out, int n);
void half_complex(const void *a, const void *b, const void *c, long long *out, int n);
void half_sums(const void *in, void *out);

enum { ALL = 65536, NEAREST = SIMT_TO_NEAREST, TO_ZERO = SIMT_TOWARD_ZERO, UP = SIMT_UPWARD, DOWN = SIMT_DOWNWARD };
static const int directions[] = {NEAREST, TO_ZERO, UP, DOWN};

/* ---- halves by the definition of binary16 ---- */

static long double value_of(unsigned bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const long double sign = bits >> 15 ? -1 : 1;
  if (exponent == 31) return fraction ? NAN : sign * INFINITY;
  return sign * (exponent ? ldexpl(1024 + fraction, exponent - 25) : ldexpl(fraction, -24));
}

static long double to_whole(int direction, long double v) {
  return direction == NEAREST ? rintl(v) : direction == TO_ZERO ? truncl(v) : direction == UP ? ceill(v) : floorl(v);
}

/* v counted in units of the last place, made a whole number, and spelt. */
static unsigned rounded(int direction, long double v) {
  if (isnan(v)) return 0x7fff;
  const unsigned sign = signbit(v) ? 0x8000 : 0;
  if (isinf(v)) return sign | 0x7c00;
  int exponent;
  frexpl(v, &exponent); /* |v| < 2^exponent */
  if (v == 0 || exponent < -13) exponent = -13;
  const long double units = fabsl(to_whole(direction, ldexpl(v, 11 - exponent))), magnitude = ldexpl(units, exponent - 11);
  if (magnitude > 65504) return sign | (direction == NEAREST || direction == (sign ? DOWN : UP) ? 0x7c00 : 0x7bff);
  if (magnitude < 0x1p-14L) return sign | (unsigned)ldexpl(magnitude, 24);
  const int e = ilogbl(magnitude);
  return sign | (unsigned)(e + 15) << 10 | ((unsigned)ldexpl(magnitude, 10 - e) & 1023);
}

static int is_nan(unsigned bits) { return (bits & 0x7fff) > 0x7c00; }
static int agrees(unsigned got, unsigned wanted) { return got == wanted || (is_nan(got) && is_nan(wanted)); }

/* ---- exact results ---- */

enum { KEPT = 60 }; /* bits; a long double has more */

/* What was rounded towards zero, and half a unit more if that left something out: on the same side of every number of KEPT
 * bits as the exact one, of every half and the middle of any two therefore. */
static long double sticky(mpfr_t r, int inexact) {
  const long double v = mpfr_get_ld(r, MPFR_RNDN);
  return inexact && mpfr_regular_p(r) ? v + copysignl(ldexpl(1, (int)mpfr_get_exp(r) - KEPT - 1), v) : v;
}

static long double exact(int (*f)(mpfr_t, const mpfr_t, mpfr_rnd_t), long double x) {
  mpfr_t v, r;
  mpfr_inits2(KEPT, v, r, (mpfr_ptr)NULL);
  mpfr_set_ld(v, x, MPFR_RNDN);
  const long double result = sticky(r, f(r, v, MPFR_RNDZ));
  mpfr_clears(v, r, (mpfr_ptr)NULL);
  return result;
}

static long double quotient(long double x, long double y) {
  mpfr_t v, w, r;
  mpfr_inits2(KEPT, v, w, r, (mpfr_ptr)NULL);
  mpfr_set_ld(v, x, MPFR_RNDN);
  mpfr_set_ld(w, y, MPFR_RNDN);
  const long double result = sticky(r, mpfr_div(r, v, w, MPFR_RNDZ));
  mpfr_clears(v, w, r, (mpfr_ptr)NULL);
  return result;
}

static long double fused(long double x, long double y, long double z) {
  mpfr_t v, w, u, r;
  mpfr_inits2(KEPT, v, w, u, r, (mpfr_ptr)NULL);
  mpfr_set_ld(v, x, MPFR_RNDN);
  mpfr_set_ld(w, y, MPFR_RNDN);
  mpfr_set_ld(u, z, MPFR_RNDN);
  const long double result = sticky(r, mpfr_fma(r, v, w, u, MPFR_RNDZ));
  mpfr_clears(v, w, u, r, (mpfr_ptr)NULL);
  return result;
}

static long long within(long double v, long long low, unsigned long long high) {
  return v < (long double)low ? low : v > (long double)high ? (long long)high : (long long)v;
}

/* ---- the operations ---- */

typedef enum Kind { OF_ONE, OF_TWO, IF_TWO, TO_INTEGER, FROM_NUMBER } Kind;
#define HALF1(NAME, of_a, reference)                                                                                   \
  static long long right_##NAME(long double x, long double y) { return (void)x, (void)y, rounded(NEAREST, reference); }
#define HALF2(NAME, of_a_b, reference) HALF1(NAME, of_a_b, reference)
#define TRUTH(NAME, of_a_b, reference)                                                                                 \
  static long long right_##NAME(long double x, long double y) { return (void)x, (void)y, (reference) != 0; }
#define WHOLE(NAME, of_a, reference, of_nan)                                                                           \
  static long long right_##NAME(long double x, long double y) { return (void)y, isnan(x) ? (of_nan) : (reference); }
#define FROM(NAME, of_d, direction)                                                                                    \
  static long long right_##NAME(long double x, long double y) { return (void)y, rounded(direction, (float)x); }
#include "half_ops.def"
#undef HALF1
#undef HALF2
#undef TRUTH
#undef WHOLE
#undef FROM

#define HALF1(NAME, of_a, reference) {#NAME, OF_ONE, right_##NAME},
#define HALF2(NAME, of_a_b, reference) {#NAME, OF_TWO, right_##NAME},
#define TRUTH(NAME, of_a_b, reference) {#NAME, IF_TWO, right_##NAME},
#define WHOLE(NAME, of_a, reference, of_nan) {#NAME, TO_INTEGER, right_##NAME},
#define FROM(NAME, of_d, direction) {#NAME, FROM_NUMBER, right_##NAME},
static const struct Op {
  const char *name;
  Kind kind;
  long long (*right)(long double x, long double y);
} ops[] = {
#include "half_ops.def"
};
enum { N_OPS = sizeof ops / sizeof *ops };

/* ---- operands ---- */

static uint32_t hash(uint32_t i) { /* finalizer of MurmurHash3 */
  i = (i ^ i >> 16) * 0x85ebca6bu;
  i = (i ^ i >> 13) * 0xc2b2ae35u;
  return i ^ i >> 16;
}

/* One of 256: every exponent, with the fractions at the edges and in the middle, of either sign. */
static unsigned notable(unsigned i) {
  static const unsigned fraction[] = {0, 1, 0x200, 0x3ff};
  return (i & 128) << 8 | (i >> 2 & 31) << 10 | fraction[i & 3];
}

/* The i-th pair, of 2 * ALL: all pairs of the notable ones, and then any. */
static void pair(unsigned i, uint16_t *a, uint16_t *b) {
  *a = (uint16_t)(i < ALL ? notable(i >> 8) : hash(i) >> 16);
  *b = (uint16_t)(i < ALL ? notable(i & 255) : hash(i));
}

/* The i-th number, of 2 * ALL: each half, the middle of it and its neighbour, next to both as close as a double (odd: a float) can be; and
 * each exponent of a double with any fraction, subnormal ones too. */
static double number(unsigned i) {
  static const double off[] = {0, 0x1p-52, -0x1p-52, 0x1p-23, -0x1p-23};
  uint64_t bits = (uint64_t)hash(i) << 32 | hash(~i);
  double v;
  memcpy(&v, &bits, sizeof v);
  if (i % 2 || is_nan(i & 0xffff) || (i & 0x7fff) >= 0x7c00) return v;
  const unsigned h = hash(i) % ALL, kind = hash(i + 1);
  if ((h & 0x7fff) >= 0x7c00) return (double)value_of(h) * 65504 * 1.0001;
  const double at = (double)value_of(h), next = (h & 0x7fff) == 0x7bff ? copysign(65536, at) : (double)value_of(h + 1);
  return (kind & 1 ? (at + next) / 2 : at) * (1 + off[kind / 2 % 5]);
}

/* ---- on the engine ---- */

static Simt *engine;
static uint16_t *as, *bs, *cs;
static double *ds;
static long long *out;

static void *buffer(const char *name, size_t bytes, unsigned flags) {
  void *p;
  ck_assert_int_eq(simt_alloc(engine, name, bytes, 0, flags, &p), 0);
  return p;
}

static void start(void) {
  ck_assert_int_eq(simt_create(&engine), 0);
  as = buffer("a", 2 * ALL * sizeof *as, SIMT_BUF_INIT);
  bs = buffer("b", 2 * ALL * sizeof *bs, SIMT_BUF_INIT);
  cs = buffer("c", 2 * ALL * sizeof *cs, SIMT_BUF_INIT);
  ds = buffer("d", 2 * ALL * sizeof *ds, SIMT_BUF_INIT);
  out = buffer("out", 2 * ALL * sizeof *out, 0);
}

static void stop(void) { simt_destroy(engine); }

static void begin(void) {
  const SimtRun how = {.detect = SIMT_DETECT_ALL};
  simt_begin(engine, &how);
}

static void end(void) { ck_assert_uint_eq(simt_end(engine, NULL), 0); }

/* ---- tests ---- */

START_TEST(values) {
  for (unsigned i = 0; i < ALL; i++) {
    const double v = simt_half_value((uint16_t)i);
    const long double wanted = value_of(i);
    ck_assert_msg(isnan(wanted) ? isnan(v) : v == (double)wanted && !signbit(v) == !signbit(wanted), "%#x is %a", i, v);
    for (unsigned k = 0; k < 4; k++)
      ck_assert_uint_eq(simt_half_of(directions[k], v), is_nan(i) ? 0x7fff : i);
  }
}
END_TEST

START_TEST(roundings) {
  unsigned classes = 0;
  for (unsigned i = 0; i < 2 * ALL; i++)
    for (unsigned k = 0; k < 4; k++) {
      const double v = number(i);
      const unsigned got = simt_half_of(directions[k], v), wanted = rounded(directions[k], (long double)v);
      ck_assert_msg(got == wanted, "%a in direction %d: %#x, not %#x", v, directions[k], got, wanted);
      classes |= 1u << (wanted >> 10 & 31);
    }
  ck_assert_uint_eq(classes, 0xffffffffu); /* every exponent comes up */
}
END_TEST

/* Every exponent of a double, with what lies below the last place of the half at, beside and away from the middle. */
START_TEST(exponents) {
  static const uint64_t rest[] = {0, 1, (1ull << 41) - 1, 1ull << 41, (1ull << 41) + 1, (1ull << 42) - 1};
  for (unsigned e = 0; e < 2048; e++)
    for (unsigned i = 0; i < 64; i++)
      for (unsigned k = 0; k < 4; k++) {
        const uint64_t kept = i / 6 < 8 ? (uint64_t[]){0, 1, 2, 3, 0x1ff, 0x200, 0x3fe, 0x3ff}[i / 6] : hash(i * 2048 + e) & 1023;
        const uint64_t bits = (uint64_t)(hash(i ^ e) & 1) << 63 | (uint64_t)e << 52 | kept << 42 | rest[i % 6];
        double v;
        memcpy(&v, &bits, sizeof v);
        ck_assert_msg(simt_half_of(directions[k], v) == rounded(directions[k], (long double)v), "%a in direction %d", v, directions[k]);
      }
}
END_TEST

static void set_operands(Kind kind, int n) {
  for (int i = 0; i < n; i++) {
    if (kind == OF_TWO || kind == IF_TWO) pair((unsigned)i, &as[i], &bs[i]);
    else as[i] = (uint16_t)i, bs[i] = 0;
    ds[i] = kind == FROM_NUMBER ? number((unsigned)i) : 0;
  }
}

START_TEST(operations) {
  const struct Op *op = &ops[_i];
  const int n = op->kind == OF_ONE || op->kind == TO_INTEGER ? ALL : 2 * ALL;
  set_operands(op->kind, n);
  begin();
  half_apply(_i, as, bs, ds, out, n);
  end();
  for (int i = 0; i < n; i++) {
    const long double x = op->kind == FROM_NUMBER ? ds[i] : value_of(as[i]), y = value_of(bs[i]);
    const long long wanted = op->right(x, y);
    const int is_half = op->kind == OF_ONE || op->kind == OF_TWO || op->kind == FROM_NUMBER;
    ck_assert_msg(is_half ? agrees((unsigned)out[i], (unsigned)wanted) : out[i] == wanted, "%s(%La, %La): %#llx, not %#llx", op->name,
                  x, y, (unsigned long long)out[i], (unsigned long long)wanted);
  }
}
END_TEST

/* Not by way of float: the middle of two halves and a little more is the upper one. */
START_TEST(from_doubles) {
  for (unsigned i = 0; i < 2 * ALL; i++) ds[i] = number(i);
  ds[0] = 1 + 0x1p-11 + 0x1p-40;
  begin();
  half_doubles(ds, out, 2 * ALL);
  end();
  ck_assert_int_eq(out[0], 0x3c01);
  ck_assert_uint_eq(rounded(NEAREST, (float)ds[0]), 0x3c00);
  for (unsigned i = 0; i < 2 * ALL; i++)
    ck_assert_msg(agrees((unsigned)out[i], rounded(NEAREST, ds[i])), "%a: %#llx", ds[i], (unsigned long long)out[i]);
}
END_TEST

/* c is any half, or close to minus the product, where most of it cancels. */
static void set_fused_operands(void) {
  for (unsigned i = 0; i < 2 * ALL; i++) {
    pair(i, &as[i], &bs[i]);
    const unsigned r = hash(i + 2 * ALL);
    cs[i] = (uint16_t)(r & 1 ? r >> 16 : (rounded(NEAREST, -value_of(as[i]) * value_of(bs[i])) + (r >> 1) % 3 - 1));
  }
}

START_TEST(fused_products) {
  int unlike = 0; /* where two roundings are not one */
  set_fused_operands();
  begin();
  half_fused(as, bs, cs, out, 2 * ALL);
  end();
  for (unsigned i = 0; i < 2 * ALL; i++) {
    const long double x = value_of(as[i]), y = value_of(bs[i]), z = value_of(cs[i]);
    const unsigned wanted = rounded(NEAREST, fused(x, y, z));
    ck_assert_msg(agrees((unsigned)out[i], wanted), "%La * %La + %La: %#llx, not %#x", x, y, z, (unsigned long long)out[i], wanted);
    unlike += !agrees(wanted, rounded(NEAREST, value_of(rounded(NEAREST, x * y)) + z));
  }
  ck_assert_int_gt(unlike, 1000);
}
END_TEST

START_TEST(pairs_of_halves) {
  for (unsigned i = 0; i < 2 * ALL; i++) pair(i, &as[i], &bs[i]);
  begin();
  half_pairs(as, bs, out, 2 * ALL);
  end();
  for (unsigned i = 0; i < 2 * ALL; i++)
    ck_assert_msg(out[i] == 0, "%#x and %#x: %lld functions differ", as[i], bs[i], out[i]);
}
END_TEST

/* (x + iy) (u + iv) + (s + it), each part two fused operations. */
START_TEST(complex_products) {
  set_fused_operands();
  begin();
  half_complex(as, bs, cs, out, 2 * ALL);
  end();
  for (unsigned i = 0; i < 2 * ALL; i++) {
    const long double a = value_of(as[i]), b = value_of(bs[i]), c = value_of(cs[i]); /* (a + ib) (b + ic) + (c + ia) */
    const unsigned re = rounded(NEAREST, fused(-b, c, value_of(rounded(NEAREST, fused(a, b, c)))));
    const unsigned im = rounded(NEAREST, fused(b, b, value_of(rounded(NEAREST, fused(a, c, a)))));
    ck_assert_msg(agrees((unsigned)out[i] & 0xffff, re) && agrees((unsigned)out[i] >> 16, im), "%La %La %La: %#llx", a, b, c,
                  (unsigned long long)out[i]);
  }
}
END_TEST

/* Of 1 to 32: shuffles of halves and pairs, __ldg, and the atomic sums of both. */
START_TEST(warp_and_atomics) {
  uint16_t *in = buffer("in", 32 * sizeof *in, SIMT_BUF_INIT), *sums = buffer("sums", 8 * sizeof *sums, SIMT_BUF_INIT);
  for (int i = 0; i < 32; i++) in[i] = (uint16_t)rounded(NEAREST, i + 1);
  memset(sums, 0, 8 * sizeof *sums);
  begin();
  half_sums(in, sums);
  end();
  static const int wanted[8] = {528, 4, 528, -528, 528, 0, 528, -528};
  for (int i = 0; i < 8; i++) ck_assert_msg(value_of(sums[i]) == wanted[i], "sum %d is %La", i, value_of(sums[i]));
}
END_TEST

int main(void) {
  Suite *s = suite_create("half");
  TCase *alone = tcase_create("device_half"), *t = tcase_create("kernels");
  tcase_add_test(alone, values);
  tcase_add_test(alone, roundings);
  tcase_add_test(alone, exponents);
  tcase_add_checked_fixture(t, start, stop);
  tcase_add_loop_test(t, operations, 0, N_OPS);
  tcase_add_test(t, from_doubles);
  tcase_add_test(t, fused_products);
  tcase_add_test(t, pairs_of_halves);
  tcase_add_test(t, complex_products);
  tcase_add_test(t, warp_and_atomics);
  suite_add_tcase(s, alone);
  suite_add_tcase(s, t);
  return suite_run(s);
}
