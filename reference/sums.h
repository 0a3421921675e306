/* sums.h - sums of elements as kernels take them, with what an atomicAdd may do to subnormals. */
#ifndef WF_SUMS_H
#define WF_SUMS_H
#include "accumulate.h"

/* The sum of n elements, `stride` apart, and its bound.
 *
 * Beyond what accumulate.h derives, additions by atomicAdd are allowed for: "Current implementation of atom.add.f32 on global memory
 * flushes subnormal inputs and results to sign-preserving zero" (PTX ISA, atom, Semantics; red likewise). Each such addition loses less
 * than FLT_MIN of what is added and less than FLT_MIN of the result, and there are at most as many as addends that are not 0. Where all
 * elements are multiples of FLT_MIN nothing is ever subnormal; where a single one is not 0, and normal, neither.
 *
 * Fast math (WF_FAST_MATH) allows no more: it flushes the operands and results of every addition, which is what atomicAdd does to all
 * of its own. Each element is flushed once, and what an addition has left is 0 or no longer subnormal. */
WfApprox wf_sum_elements(const float *x, int64_t n, int64_t stride, int64_t depth, WfDtype arith); /* arith: WfRefArgs.arith */

#endif
