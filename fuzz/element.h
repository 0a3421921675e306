/* element.h - elements of a tensor in findings: what they are called, which are bad, a picture of where. */
#ifndef WF_ELEMENT_H
#define WF_ELEMENT_H
#include "finding.h"

#define WF_MAP_ROWS 8
#define WF_MAP_COLS 64
#define WF_ELEMENT_TEXT 80 /* bytes that hold any wf_element_text() */

/* The bad elements of one tensor. map has at most 8 x 64 cells, each standing for an equal range of rows and columns
 * ('#': at least one bad element in it); a tensor of rank 1 is one row. Rows of the map that are not used are "". */
typedef struct WfBadSet {
  const WfOp *op;
  const int64_t *dim;    /* by the op's dims */
  int tensor;
  int64_t rows, cols;    /* of the tensor, row-major */
  const int64_t *slice;  /* NULL; or the array holds some slices of the tensor, dim[0] of them: which. Indices given here are the
                            array's, those told are the tensor's */
  WfDtype dtype;         /* of its elements; f32 unless it is set after wf_bad_init() */
  int64_t first, count;  /* smallest bad index, -1: none; bad elements */
  char map[WF_MAP_ROWS][WF_MAP_COLS + 1];
} WfBadSet;

int wf_output_tensor(const WfOp *op); /* index of the op's output */

void wf_bad_init(WfBadSet *b, const WfOp *op, int tensor, const int64_t *dim);
void wf_bad_mark(WfBadSet *b, int64_t index); /* each index at most once */

/* Starts a finding of one of the oracle's classes about b (count > 0): severity error, the first bad index, counts and
 * map from b, no sites, bound 0, ulp NaN. `rule` must be static text. The caller changes bound and ulp where there is
 * an error to speak of, writes simt.detail, and sets variant and key. */
void wf_bad_finding(WfFinding *f, const WfBadSet *b, SimtClass cls, const char *rule, double expected, float got);

/* "[1,2]"; the plain number, row-major, of one outside the tensor. */
void wf_element_index(const WfBadSet *b, int64_t index, char *buf, size_t size);

/* "y[1,2]". Returns buf, which holds WF_ELEMENT_TEXT bytes. */
char *wf_element_text(const WfBadSet *b, int64_t index, char *buf);

#endif
