/* elementwise.h - sums of two floats, for references of ops that add element by element.
 *
 * The sum of two floats is rounded once, to the nearest float, ties to even (IEEE 754, 4.3.1 and 5.4.1; CUDA C++ Programming
 * Guide, Mathematical Functions: x + y has an error of 0 ulp). So there is one right result, and the bound is 0. The same sum in double,
 * rounded to float, is that result: 53 bits are at least 2 * 24 + 2, with which rounding twice changes nothing (Figueroa, "When is
 * double rounding innocuous?", ACM SIGNUM Newsletter 30(3), 1995). Sums do not underflow: they are multiples of 2^-149.
 *
 * Outputs of 16 bits. The definition is a float kernel's: the sum as above, and stored, which rounds once more. Who adds more exactly and
 * rounds once is right as well: the bound is then the distance of the two, which is 0 but where float loses something. Of inputs of the output's type
 * both are the same number, since float's 24 bits are 2 * 11 + 2 at least (Figueroa, as above; below the normal numbers sums are exact): __hadd is
 * right, too. f16 inputs and a bf16 output are the case where the two differ, 1 + 2^-8 + 2^-24: 1, or 1 + 2^-7.
 *
 * Kernels that add in 16 bits (WfRefArgs.arith) round the sum to that type. Where it is the output's, that is all; in another output it is
 * the second right result besides float's, and what lies between them is accepted. Where it overflows, and float does not, everything is.
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

/* Element by element, of the inputs 0 and 1: out[i] = a[i] + b[i] as float, and its bound. */
void wf_elementwise_add(const WfRefArgs *a, int64_t n_elems, double *out, double *bound);

/* For a relation: a + b is b + a. The inputs 0 and 1, n_elems each, exchanged; every element of the output stays. 0: there are none. */
int wf_elementwise_exchange(const WfRefArgs *a, int64_t n_elems, float *const *changed, int64_t *at);
#define WF_EXCHANGE_CHANGE "a and b exchanged"
#define WF_EXCHANGE_RULE "a + b and b + a must be equal (IEEE 754)"

#endif
