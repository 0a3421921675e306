/* norm.h - layernorm and rmsnorm over rows, and how far off a float kernel may be.
 *
 *   layernorm  y[r,c] = (x[r,c] - m) / sqrt(v + eps) * gamma[c] + beta[c], m the row's mean, v the mean of (x[r,c] - m)^2
 *   rmsnorm    y[r,c] = x[r,c] / sqrt(v + eps) * gamma[c], v the mean of x[r,c]^2
 *
 * eps is a float, as kernels get it. Let u = 2^-24 be the unit roundoff of float, n the number of columns, d the additions that an
 * element goes through at most (WfRefArgs.depth, n - 1 if not given), gamma_d = d u / (1 - d u), |x| the mean of magnitudes,
 * rms(x) the root of the mean of squares, s = sqrt(v) the deviation. Higham is "Accuracy and Stability of Numerical Algorithms"
 * (2nd edition, SIAM 2002); q is what a quotient by n, or a product by 1/n, is off by: 2u, under fast math 5u (2 ulp from the
 * rounded one: CUDA C++ Programming Guide, Mathematical Functions).
 *
 * 1. The mean. The sum is off by at most gamma_d n |x| (Higham, section 4.2), the mean by delta = (gamma_d + q) |x|.
 * 2. The variance, in two passes. The terms x - m' for a mean m' that is off by delta have squares that add up to n (v + delta^2)
 *    exactly, the cross term being zero. Roundings: 2u for the difference, squared, u for the product, gamma_d for the sum, q: together
 *    theta. So v' lies between v (1 - theta) and (v + delta^2) (1 + theta).
 * 3. Other algorithms. A sum of squares in float minus n m^2 is not covered: it errs by d u rms(x)^2. What is covered is any v' >= 0
 *    between v - 2 s D and (s + D)^2, but for theta, with D = (gamma_d + q) rms(x): the variance of a row whose elements are each off
 *    by gamma_d + q, for the deviation is a seminorm. So 2. is, as delta <= D. So are sums and sums of squares in double, taken apart
 *    from each other: they err by some d 2^-53 rms(x)^2, less than D^2.
 *    Welford's algorithm (Chan, Golub, LeVeque, "Algorithms for computing the sample variance", The American Statistician 37(3), 1983,
 *    whose table gives n u kappa for it, kappa = rms(x) / s). A running mean m_k, off by e_k, is rounded once an update, u |m_k|,
 *    and (x - m_(k-1)) / k by at most 6u of itself; errors of before are multiplied by 1 - 1/k. So k e_k <= u S (k + 6 (2 + log k)),
 *    S the sum of magnitudes so far; the first update is exact. A merge, m_a + (m_b - m_a) n_b / n with n_b <= 2 n_a, adds u S (1 + 14). The second moment: an update
 *    adds (x - m_(k-1)) (x - m_k), off by e_k (|x - m_(k-1)| + |x - m_k|) + e_k^2, where |x - m_(k-1)|^2 is at most twice what it adds.
 *    By Cauchy and Schwarz, over one lane or several, it is off by n (2 sqrt(2) s e + e^2) with e = gamma_(d') rms(x), d' the updates
 *    and merges weighted as above. A merge of means that differ by t adds t^2 n_a n_b / n and is off by 2 t (e_a + e_b) n_a n_b / n; over
 *    L levels of merges and the updates, 2 s e sqrt(2 + 4 L). For L <= 15 this and e^2 are at most 2 s (8 e) where s > 16 e. So a kernel by Welford is covered
 *    if its depth is given as 8 (updates + 112 + 15 merges): 6 (2 + log k) is below 112 up to 2^24 updates.
 * 4. 1 / sqrt(v' + eps): one addition, u; rsqrtf is within 2 ulp of the rounded result, 5u, which is also enough for
 *    1 / sqrtf and a division; under fast math sqrtf, 3u, and a quotient, 5u. What 2. and 3. leave of v' makes it lie in an interval,
 *    which is taken as it is: for rows of small deviation it is wide and not symmetric. Where v' + eps may be near 0 nothing is known:
 *    everything is accepted.
 * 5. The result. The difference x - m' is off by delta and rounded, u, as are both products and the last addition. The form a x + b,
 *    a = gamma / sqrt(v + eps), b = beta - m a, rounds what is not small where m is large: u |a| (2 |m| + |x|) + u |beta| are added
 *    for it, little beside delta. For rmsnorm there is no delta, and x gamma may be rounded first.
 * 6. Underflow. Inputs, differences, squares and products, and under fast math eps, may be flushed below FLT_MIN: each by FLT_MIN, times what it is multiplied
 *    by afterwards. For a = gamma / sqrt(v + eps) that is the difference from the mean, which takes all of y where rows are as large as 1e37:
 *    it is added only where a may be so small.
 * 7. Overflow. Where the sum of magnitudes or twice the sum of squares (of differences from the mean; a merge of Welford's squares a
 *    difference of means before it is weighted by n_a n_b / n >= 1/2) can exceed FLT_MAX, or a product of step 5, everything is accepted. WF_NORM_SCALED is for contracts
 *    that promise that the former does not happen: it takes a kernel that divides the row by its largest magnitude first, which
 *    rounds each element and the mean once more (2u, under fast math 6u), and multiplies the deviation by it: a root, two products
 *    and, where eps is negligible, a quotient in place of rsqrtf, 5u more in step 4.
 * 8. This file's own error: less than 2^-50 of each of |m|, |x| and y, as n 2^-53 is much below u; scaled as they are.
 *
 * NaN and infinities. A NaN in a row makes it NaN throughout. layernorm: so does an infinity, for inf - inf is among the differences.
 * rmsnorm: v is infinite, so that infinite elements give NaN and finite ones 0, times gamma. gamma and beta take part as IEEE 754 has it
 * in the formula above; an infinite gamma where (x - m) / sqrt(v + eps) may be 0 for one kernel and not for another: everything is
 * accepted. */
#ifndef WF_NORM_H
#define WF_NORM_H
#include <stdint.h>

enum { /* WfNorm.kind */
  WF_NORM_CENTRED = 1, /* layernorm; rmsnorm without */
  WF_NORM_SCALED = 2   /* squares must not overflow */
};

typedef struct WfNorm {
  int64_t rows, cols;
  const float *x;           /* rows x cols */
  const float *gamma;       /* gamma_rows x cols: row r takes gamma's row r % gamma_rows; NULL: all 1 */
  int64_t gamma_rows;
  const float *beta;        /* cols; NULL: all 0 */
  double eps;               /* rounded to float here */
  int64_t depth;            /* WfRefArgs.depth */
  int kind;                 /* WF_NORM_* */
  uint32_t flags;           /* WfRefArgs.variant_flags */
} WfNorm;

/* As WfOp.reference, over rows x cols elements. */
void wf_norm_rows(const WfNorm *n, double *out, double *bound);

#endif
