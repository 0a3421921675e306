/* case_order.h - which of two cases is the smaller one: the same order for the case that a finding is kept with, for
 * shrinking, and in tests (doc/CASE.md, "Smaller"). */
#ifndef WF_CASE_ORDER_H
#define WF_CASE_ORDER_H
#include "case.h"

/* Below 0: a is smaller than b, above 0: larger, 0: the same case (or no memory for the texts that decide at last). Both are
 * cases of one op, to be run on v; their variant and expect lines take no part. One without a launch (wf_case_launch) is
 * larger than any that has one. Compared in this order:
 *
 *   1. elements of all tensors together
 *   2. threads of the launch
 *   3. number of edits
 *   4. the dims, in the op's order
 *   5. blocks of the launch
 *   6. schedule, as a number
 *   7. distributions of the inputs, in the op's order: wf_dist_rank
 *   8. sum of the tensors' align
 *   9. parameters of the inputs' distributions that are not their defaults (doc/CASE.md)
 *  10. length of the canonical text
 *  11. its bytes */
int wf_case_compare(const WfCase *a, const WfCase *b, const WfVariant *v);

/* How much a distribution leaves to explain: constant 0, ramp, integers, uniform, normal, hash, mean, huge, mixed, denormal. */
int wf_dist_rank(WfDist d);

#endif
