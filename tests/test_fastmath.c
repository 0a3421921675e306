/* test_fastmath.c - tests/simt/fastmath.cu in both flavors, in one program: what fast math changes, to which bits, and what it
 * leaves alone. */
#include "../simt/device_math.h"
#include "../simt/simt.h"
#include "math_values.h"
#include "suite.h"
#include <check.h>
#include <stdlib.h>

void precise_run(int op, const float *in, float *out);
void fastmath_run(int op, const float *in, float *out);
float precise_on_host(float a, float b);
float fastmath_on_host(float a, float b);

enum Op {
#define OP(NAME, expression) NAME,
#include "simt/fastmath_ops.def"
#undef OP
  N_OPS
};
static const char *const op_name[] = {
#define OP(NAME, expression) #NAME,
#include "simt/fastmath_ops.def"
#undef OP
};

static Simt *engine;
static float *in, *out;

static void start(void) {
  void *p, *q;
  ck_assert_int_eq(simt_create(&engine), 0);
  ck_assert_int_eq(simt_alloc(engine, "in", 2 * sizeof(float), 0, SIMT_BUF_INIT, &p), 0);
  ck_assert_int_eq(simt_alloc(engine, "out", sizeof(float), 0, 0, &q), 0);
  in = p;
  out = q;
}

static void stop(void) { simt_destroy(engine); }

static float result(void (*run)(int, const float *, float *), int op, float x, float y) {
  const SimtRun how = {.detect = SIMT_DETECT_ALL};
  in[0] = x;
  in[1] = y;
  simt_begin(engine, &how);
  run(op, in, out);
  ck_assert_uint_eq(simt_end(engine, NULL), 0);
  return *out;
}

static void check_flavors(int op, float x, float y, float precise, float fast) {
  const float p = result(precise_run, op, x, y), f = result(fastmath_run, op, x, y);
  ck_assert_msg(same(p, precise), "%s(%a, %a) is %a, not %a", op_name[op], (double)x, (double)y, (double)p, (double)precise);
  ck_assert_msg(same(f, fast), "fast math: %s(%a, %a) is %a, not %a", op_name[op], (double)x, (double)y, (double)f, (double)fast);
}

#define TINY 0x1p-140f /* subnormal */

static const struct Exact {
  int op;
  float x, y, precise, fast;
} exact[] = {
    /* Subnormal operands, subnormal results, the sign of what is flushed, normal results next to them. */
    {ADD, TINY, 0, TINY, 0},
    {ADD, -TINY, -0.0f, -TINY, -0.0f},
    {ADD, TINY, 0x1p-126f, 0x1.0004p-126f, 0x1p-126f},
    {ADD, 0x1.8p-126f, -0x1p-126f, 0x1p-127f, 0},
    {ADD, 0x1p-126f, 0x1p-126f, 0x1p-125f, 0x1p-125f},
    {SUB, 0x1p-126f, 0x1.8p-126f, -0x1p-127f, -0.0f},
    {SUB, 0x1p-125f, 0x1p-126f, 0x1p-126f, 0x1p-126f},
    {MUL, 0x1p-100f, 0x1p-40f, TINY, 0},
    {MUL, 0x1p-100f, -0x1p-40f, -TINY, -0.0f},
    {MUL, 0x1p-100f, 0x1p-26f, 0x1p-126f, 0x1p-126f},
    {MUL, TINY, 0x1p100f, 0x1p-40f, 0},
    {NEGATE, TINY, 0, -TINY, -0.0f},
    {NEGATE, 3, 0, -3, -3},
    {ABS, -TINY, 0, TINY, 0},
    {FMA, 0x1p-100f, 0x1p-40f, TINY, 0},
    {FMOD, TINY, 1, TINY, 0},
    {MAX, TINY, 0, TINY, 0},
    {MAX, -TINY, -1, -TINY, -0.0f},
    {MAX, NAN, 1, 1, 1},
    {MIN, TINY, 1, TINY, 0},
    {MIN, TINY, 0, 0, 0},
    {MIN, 2, NAN, 2, 2},
    {FLOOR, -TINY, 0, -1, -0.0f},
    {CEIL, TINY, 0, 1, 0},
    {LDEXP, 0x1p-100f, 0, TINY, 0},
    {ADD_RZ, TINY, 0, TINY, 0},
    {ADD_RN, TINY, 0, TINY, 0},
    {SATURATE, TINY, 0, TINY, 0},
    {IS_ZERO, TINY, 0, 0, 1},
    {IS_ZERO, 0x1p-126f, 0, 0, 0},
    {IS_LESS, 0, TINY, 1, 0},
    {IS_LESS, -TINY, TINY, 1, 0},
    {IS_LESS, -0x1p-126f, TINY, 1, 1},
    {TO_INT_UP, TINY, 0, 1, 0},
    {WIDENED, TINY, 0, 0x1p-120f, 0},
    {NARROWED, 0x1p-120f, 0, TINY, 0},
    {NARROWED, -0x1p-120f, 0, -TINY, -0.0f},
    /* Not arithmetic on floats. */
    {IS_NAN, NAN, 0, 1, 1},
    {DOUBLE_DIV, 1, 3, 0x1.555556p-2f, 0x1.555556p-2f},
    {DOUBLE_SMALL, 1, 0, 1, 1},
    {COPY, TINY, 0, TINY, TINY},
    {COPYSIGN, TINY, -1, -TINY, -TINY},
    {BITS, -TINY, 0, -TINY, -TINY},
    {CHOICE, TINY, 2, TINY, TINY},
    {SHUFFLE, TINY, 0, TINY, TINY},
    /* Division where an approximation shows whatever its error; what the compiler multiplies out. */
    {DIV, 3, 0x1p127f, 0x1.8p-126f, 0},
    {DIV, -3, 0x1p127f, -0x1.8p-126f, -0.0f},
    {DIV, 3, 0x1p126f, 0x1.8p-125f, 0x1.8p-125f},
    {DIV, INFINITY, 0x1p127f, INFINITY, NAN},
    {DIV, 1, INFINITY, 0, 0},
    {DIV, 0, 0, NAN, NAN},
    {DIV, 1, TINY, INFINITY, INFINITY},
    {DIV, 0x1p-100f, TINY, 0x1p40f, INFINITY},
    {DIV, TINY, TINY, 1, NAN},
    {RECIPROCAL, TINY, 0, INFINITY, INFINITY},
    {RECIPROCAL, 0x1p127f, 0, 0x1p-127f, 0},
    {HALF, 3, 0, 1.5f, 1.5f},
    {HALF, 0x1p-126f, 0, 0x1p-127f, 0},
    {DIV_RN, 3, 0x1p127f, 0x1.8p-126f, 0x1.8p-126f},
    {DIV_RN, TINY, 0x1p-100f, 0x1p-40f, 0},
    {SQRT, TINY, 0, 0x1p-70f, 0},
    {SQRT_RN, TINY, 0, 0x1p-70f, 0},
    {RSQRT_RN, TINY, 0, 0x1p70f, INFINITY},
    /* NaN and infinities mean what they mean. */
    {EXP, -INFINITY, 0, 0, 0},
    {SUB, INFINITY, INFINITY, NAN, NAN},
    {MUL, 0, INFINITY, NAN, NAN},
    {LOG, 0, 0, -INFINITY, -INFINITY},
    {LOG, TINY, 0, -0x1.842994p+6f, -INFINITY},
    {POW, -2, 2, 4, NAN},
    {TANH, TINY, 0, TINY, TINY}, /* tanh.approx keeps subnormals */
    {ERF, TINY, 0, 0x1.20ep-140f, 0},
    {CALLED_BACK, TINY, 0x1p-100f, 0x1p-40f, 0},
    {RECURSIVE, TINY, 0x1p-100f, 0x1p-40f, 0},
};
enum { N_EXACT = sizeof exact / sizeof *exact };

START_TEST(test_exact) {
  const struct Exact *e = &exact[_i];
  check_flavors(e->op, e->x, e->y, e->precise, e->fast);
}
END_TEST

static const struct Function {
  int op;
  float (*precise)(float), (*fast)(float);
} functions[] = {
    {SQRT, sqrtf, simt_fast_sqrtf},           {SQRT_STD, sqrtf, simt_fast_sqrtf},
    {RSQRT, simt_rsqrtf, simt_fast_rsqrtf},   {EXP, simt_expf, simt_fast_expf},
    {EXP_STD, simt_expf, simt_fast_expf},     {EXP_OVERLOAD, simt_expf, simt_fast_expf},
    {EXP2, simt_exp2f, simt_fast_exp2f},      {EXP10, simt_exp10f, simt_fast_exp10f},
    {LOG, simt_logf, simt_fast_logf},         {LOG2, simt_log2f, simt_fast_log2f},
    {LOG10, simt_log10f, simt_fast_log10f},   {SIN, simt_sinf, simt_fast_sinf},
    {COS, simt_cosf, simt_fast_cosf},         {SIN_OF_BOTH, simt_sinf, simt_fast_sinf},
    {TAN, simt_tanf, simt_fast_tanf},         {TANH, simt_tanhf, simt_fast_tanhf},
    {FAST_EXP, simt_fast_expf, simt_fast_expf}, {ERF, simt_erff, simt_erff},
    {EXPM1, simt_expm1f, simt_expm1f},        {SQRT_RN, sqrtf, sqrtf},
    {RSQRT_RN, simt_rsqrtf, simt_rsqrtf},
};
enum { N_FUNCTIONS = sizeof functions / sizeof *functions };

/* Each function is what it should be in both flavors, and, where there is a fast form, not the same. */
START_TEST(test_functions) {
  const struct Function *f = &functions[_i];
  int different = 0;
  for (int i = 1; i <= 40; i++) {
    const float x = (float)i * 0.1234567f;
    check_flavors(f->op, x, 0, f->precise(x), f->fast(x));
    different += !same(f->precise(x), f->fast(x));
  }
  ck_assert_int_eq(different != 0, f->precise != f->fast);
}
END_TEST

START_TEST(test_quotients) {
  int different = 0;
  for (int i = 1; i <= 40; i++) {
    const float x = (float)i * 1.7f, y = (float)(41 - i) * 0.3f, right = x / y, fast = simt_fast_fdividef(x, y);
    check_flavors(DIV, x, y, right, fast);
    check_flavors(FDIVIDEF, x, y, right, fast);
    check_flavors(CALLED_BACK, x, y, right, fast);
    check_flavors(RECURSIVE, x, y, right, fast);
    check_flavors(POW, x, y, simt_powf(x, y), simt_fast_powf(x, y));
    check_flavors(THIRD, x, 0, x / 3, simt_fast_fdividef(x, 3));
    check_flavors(RECIPROCAL, x, 0, 1 / x, simt_fast_rcpf(x));
    check_flavors(RCP_RN, x, 0, 1 / x, 1 / x);
    check_flavors(DIV_RN, x, y, right, right);
    const float down = simt_arith_f32(SIMT_DIV, SIMT_DOWNWARD, x, y, 0);
    check_flavors(DIV_RD, x, y, down, down);
    ck_assert(same(precise_on_host(x, y), right + sqrtf(x)) && same(fastmath_on_host(x, y), right + sqrtf(x)));
    different += !same(right, fast) && !same(1 / x, simt_fast_rcpf(x));
  }
  ck_assert_int_gt(different, 0);
}
END_TEST

int main(void) {
  Suite *s = suite_create("fastmath");
  TCase *t = tcase_create("flavors");
  tcase_add_checked_fixture(t, start, stop);
  tcase_add_loop_test(t, test_exact, 0, N_EXACT);
  tcase_add_loop_test(t, test_functions, 0, N_FUNCTIONS);
  tcase_add_test(t, test_quotients);
  suite_add_tcase(s, t);
  return suite_run(s);
}
