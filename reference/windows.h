/* windows.h - relations of convolutions, in one dimension or two: x[rows,cols] and w[w_rows,w_cols] give y[rows-w_rows+1,cols-w_cols+1].
 * Each holds of the exact results, and so within the sum of both bounds of those that a right kernel gives. */
#ifndef WF_WINDOWS_H
#define WF_WINDOWS_H
#include "../fuzz/op.h"

typedef struct WfWindows { /* a convolution in one dimension: rows and w_rows are 1 */
  int64_t rows, cols, w_rows, w_cols;
} WfWindows;

/* For WfRelation.apply. x and w from the end to the beginning, along each axis: so is y, whose windows have the same products. */
int wf_windows_turn(const WfWindows *w, const WfRefArgs *a, float *const *changed, int64_t *at);
/* The rows and the columns of x moved round: windows that stay in one piece move along; nothing is said about the others. */
int wf_windows_move(const WfWindows *w, const WfRefArgs *a, uint64_t seed, float *const *changed, int64_t *at);
/* x times a power of two and w divided by it: every product stays. */
int wf_windows_scale(const WfWindows *w, double largest, uint64_t seed, float *const *changed, int64_t *at);

/* What reports say of them. */
#define WF_TURN_CHANGE "x and w from the end to the beginning"
#define WF_TURN_RULE "the result of what is turned round must be turned round"
#define WF_MOVE_CHANGE "the elements of x moved round"
#define WF_MOVE_RULE "a window's result must not depend on its place"
#define WF_APART_CHANGE "x times a power of two and w divided by it"
#define WF_APART_RULE "powers of two that cancel must not change the result"

#endif
