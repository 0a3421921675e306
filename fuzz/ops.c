/* ops.c - the table of ops: one line each. */
#include "op.h"

extern const WfOp wf_op_softmax; /* reference/softmax.c */

const WfOp *const wf_ops[] = {
    &wf_op_softmax,
    NULL,
};
