/* limits.h - what the user of a campaign narrows the cases of an op to (--dims), and whether they may leave the variants'
 * contracts (--outside). */
#ifndef WF_LIMITS_H
#define WF_LIMITS_H
#include "case.h"

typedef struct WfLimits { /* of one op */
  WfSpec dim[WF_MAX_DIMS]; /* of dims not given: the op's smallest length to the largest that is drawn by itself */
  WfSpec block;            /* of block.x */
  uint32_t given;          /* bit i: the user limited dim i */
  int block_given;
  int outside;             /* 1: cases may leave the contract */
} WfLimits;

void wf_limits_init(WfLimits *l, const WfOp *op); /* nothing given */

/* Reads "rows=1..8 cols=32,64,96 block=32..256 multiple of 32": names of dims, or `block`, each with a SPEC (doc/CASE.md),
 * with blanks or a comma between. Sets out[i] for ops[i]; an op without a dim of a name is not limited by it. 0, or -1 with
 * one line in err: no such name in any op, a name twice, a SPEC that cannot be read, lengths that the op does not allow, no
 * shape that is small enough for a case. */
int wf_limits_parse(const char *text, const WfOp *const *ops, size_t n_ops, WfLimits *out, char *err, size_t err_size);

/* Is the case within what was given? The contract is not looked at. l may be NULL: yes. */
int wf_limits_hold(const WfLimits *l, const WfCase *c);

/* Is there a case of the variant within the limits? Tries some: 1, or 0: none was found. */
int wf_limits_leave_room(const WfLimits *l, const WfOp *op, const WfVariant *v);

#endif
