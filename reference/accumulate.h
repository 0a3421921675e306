/* accumulate.h - the forward error of sums in float, for references: sums, dot products, convolutions, means.
 *
 * Model. Let u = 2^-24 be the unit roundoff of float, t_1 .. t_n the addends, each taken by the kernel with an error of at most
 * e_i. In whatever order they are added, let an addend go through at most d additions that round. Then (Higham, "Accuracy and
 * Stability of Numerical Algorithms", 2nd edition, SIAM 2002, section 4.2) the computed sum is off by at most
 *
 *     E + gamma_d (T + E),   T = |t_1| + ... + |t_n|,   E = e_1 + ... + e_n,   gamma_d = d u / (1 - d u).
 *
 * d is at most n - 1: adding to 0, or a 0 to it, rounds nothing. Where the launch tells more (WfVariant.depth), that is taken. Sums of
 * floats do not underflow: they are multiples of 2^-149 (Hauser, "Handling floating-point exceptions in numeric programs",
 * ACM TOPLAS 18(2), 1996), so that there is no term for it. A product a b is rounded once, by u |a b|, or by at most 2^-126
 * where it is below FLT_MIN (flushed, at worst); a fused multiply-add rounds it not at all.
 *
 * Compensated sums (Kahan) are off by at most 2u T and terms of u^2 (Higham, section 4.3): more than a plain sum of two addends. So
 * where the depth is not known, two addends have gamma_2.
 *
 * Fast math (WF_FAST_MATH) flushes operands, products and partial sums below FLT_MIN to zero (CUDA C++ Programming Guide, -ftz=true). A
 * flushed operand takes its product along, |a b|; a product that is flushed is accounted for above; and each addition may lose
 * FLT_MIN, of at most n that are not to zero, unless all products are multiples of FLT_MIN, for then so are their sums. An
 * infinity times a subnormal is an infinity, or NaN where that is flushed: unless the sum is NaN anyway, everything is accepted.
 *
 * Exact sums. If all addends are multiples of a power of two q >= 2^-149, and T <= 2^24 q, every partial sum, of any addends, is such
 * a multiple of magnitude at most 2^24 q, which a float holds: nothing is rounded, in any order, and the bound is 0 (products
 * are then exact themselves).
 *
 * 16 bits. Kernels that add and multiply in f16 or bf16 (WfSum.arith) err in the same way, with u = 2^-11 or 2^-8. They flush nothing: a product,
 * or the sum of a fused multiply-add, that is below the smallest normal number is rounded to a multiple of q' = 2^-24 or 2^-133, by q' / 2 at most,
 * which is added for each product that is no multiple of q' itself; sums of multiples of q' are such multiples, exactly. Exact are sums up to 2^11 q or
 * 2^8 q, q >= q'. Kernels that take some of these steps in float err less. From n = 1 / u additions on, gamma is infinite: where the contract knows no
 * smaller depth, everything is accepted.
 *
 * Overflow. If T is at most FLT_MAX less the error, no partial sum overflows. Beyond, a partial sum may be infinite or not by the order:
 * the bound is INFINITY, everything is accepted; but if all addends have one sign, partial sums never exceed the sum, and the value
 * with its bound decides (not in 16 bits, where some add in float, and do not overflow). Infinite and NaN addends: the sum is what IEEE 754 gives in any order, NaN for infinities of both signs. */
#ifndef WF_ACCUMULATE_H
#define WF_ACCUMULATE_H
#include "../fuzz/dtype.h"
#include <float.h>
#include <math.h>
#include <stdint.h>

#define WF_HALF_ULP 0x1p-24 /* u */

typedef struct WfSum {
  double high, low;          /* of the finite addends: compensated sum (Neumaier) */
  double positive, negative; /* magnitudes, added up */
  double inexact;            /* e_i of addends that are not exact to the kernel */
  double products;           /* e_i of products, which round nothing in an exact sum */
  double infinity;           /* infinite and NaN addends, added up; 0: none */
  int64_t n;                 /* addends that are not 0 */
  int unit_exponent;         /* all addends are multiples of 2^this */
  WfDtype arith;             /* in which kernels add and multiply; may be set behind wf_sum_init() */
} WfSum;

typedef struct WfApprox { /* a value, and how far off a kernel's may be */
  double value, bound;
} WfApprox;

void wf_sum_init(WfSum *s);
void wf_sum_add(WfSum *s, double t);                     /* t: exact to the kernel, a float */
void wf_sum_add_product(WfSum *s, float a, float b);     /* a b, fused or rounded */
void wf_sum_add_inexact(WfSum *s, double t, double error); /* the kernel has t with an error of at most `error` >= 0 */

/* The sum's value (NaN and infinities as above) and bound. depth: additions that an addend goes through at most; 0: not known. The
 * bound covers this file's own error too. */
WfApprox wf_sum_result(const WfSum *s, int64_t depth);

/* What the magnitude of x may lose where numbers below FLT_MIN are flushed: all of it, or nothing. 0 for NaN. */
static inline double wf_flushed(double x) { return fabs(x) < (double)FLT_MIN ? fabs(x) : 0; }

/* A sum of products as kernels of either flavor take it. */
typedef struct WfDot {
  WfSum sum;
  int fast, doubtful; /* doubtful: infinite products that are NaN to some kernels */
} WfDot;

void wf_dot_init(WfDot *d, uint32_t flags); /* flags: WfRefArgs.variant_flags */
void wf_dot_add(WfDot *d, float a, float b);
WfApprox wf_dot_result(WfDot *d, int64_t depth); /* as wf_sum_result() */

double wf_gamma_of(WfDtype arith, double d); /* with the u of that type */
double wf_gamma(double d); /* d u / (1 - d u); INFINITY for d u >= 1 */

#endif
