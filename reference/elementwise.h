/* elementwise.h - sums of two floats, for references of ops that add element by element.
 *
 * The sum of two floats is rounded once, to the nearest float, ties to even (IEEE 754, 4.3.1 and 5.4.1; CUDA C++ Programming
 * Guide, Mathematical Functions: x + y has an error of 0 ulp). So there is one right result, and the bound is 0. The same sum in double,
 * rounded to float, is that result: 53 bits are at least 2 * 24 + 2, with which rounding twice changes nothing (Figueroa, "When is
 * double rounding innocuous?", ACM SIGNUM Newsletter 30(3), 1995). Sums do not underflow: they are multiples of 2^-149.
 *
 * NaN and infinities are what IEEE 754 gives: NaN for one of the operands or for infinities of opposite signs, an infinity for
 * one, or where the sum rounds beyond FLT_MAX. The sign of a zero is not judged.
 *
 * Fast math (WF_FAST_MATH) flushes operands and results below FLT_MIN to zero (CUDA C++ Programming Guide, -ftz=true). A flushed
 * operand takes its magnitude from the sum, and what is left needs no rounding; a flushed result is off by its magnitude. */
#ifndef WF_ELEMENTWISE_H
#define WF_ELEMENTWISE_H
#include "../fuzz/op.h"
#include "accumulate.h"

/* Element by element: out[i] = a[i] + b[i] as float, and its bound. flags: of WfRefArgs. */
void wf_elementwise_add(const float *a, const float *b, int64_t n_elems, uint32_t flags, double *out, double *bound);

/* For a relation: a + b is b + a. The inputs 0 and 1, n_elems each, exchanged; every element of the output stays. 0: there are none. */
int wf_elementwise_exchange(const WfRefArgs *a, int64_t n_elems, float *const *changed, int64_t *at);
#define WF_EXCHANGE_CHANGE "a and b exchanged"
#define WF_EXCHANGE_RULE "a + b and b + a must be equal (IEEE 754)"

#endif
