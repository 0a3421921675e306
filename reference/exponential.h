/* exponential.h - the forward error of weights exp(x - max) and of their sum, for references of softmax and attention. Which steps
 * of a kernel it covers, and where the numbers come from: reference/softmax.c, 1. to 4. */
#ifndef WF_EXPONENTIAL_H
#define WF_EXPONENTIAL_H
#include <stdint.h>

/* exp(-a), a >= 0, to about 2^-52; 0 where it is below 1e-304. Not the library's exp, whose last bit depends on the machine:
 * reports quote the reference. */
double wf_exp_of_minus(double a);
double wf_log_above(double s); /* at least log(s), s >= 1, and at most 0.7 more; not the library's, as above */

/* Of a product of factors (1 + d_i)^(+-1), |d_1| + ... + |d_k| <= t, that differs from 1 by no more than this: t / (1 - t), INFINITY
 * for t >= 1. */
double wf_compose(double t);
/* The same where t may be large, as an argument's error in 16 bits is: factors exp(d_i), and 1 + d_i with d_i of at most 2^-8. */
double wf_compose_large(double t);

/* What __expf is off by beyond expf, in units of 2^-24, times the magnitude of its argument. */
#define WF_FAST_EXP_ERROR 2.346

/* t_j: the relative error of a kernel's exp(-a) that was rescaled `steps` times. flags: WfRefArgs.variant_flags. Of WF_PLAIN_EXP, of
 * expf alone. */
double wf_weight_error(double a, double steps, uint32_t flags);

/* How many distinct elements lie above a given one, from above: counted by buckets of equal width, the last of which takes all
 * that is far below the maximum. */
enum { WF_RANK_BUCKETS = 256 };
typedef struct WfRanks {
  double per_unit;                 /* buckets per unit of a, the distance from the maximum */
  double value[WF_RANK_BUCKETS];   /* an element of the bucket */
  uint32_t above[WF_RANK_BUCKETS]; /* at most so many above an element of the bucket */
} WfRanks;

void wf_ranks_init(WfRanks *k, double span); /* span: the largest distance; may be infinite */
void wf_ranks_add(WfRanks *k, double a, double value);
void wf_ranks_finish(WfRanks *k); /* after the last, before the first question */
double wf_rank_above(const WfRanks *k, double a);

/* Error of a sum of weights, collected over the terms' shares of it. */
typedef struct WfSumError {
  double weights, small;
  int64_t n, n_big;
  double unit; /* roundoff of 16-bit additions; 0: float's */
} WfSumError;

void wf_sum_error_add(WfSumError *e, double share, double t); /* t: t_j */
double wf_sum_error_total(const WfSumError *e);               /* relative */

#endif
