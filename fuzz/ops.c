/* ops.c - the table of ops: one line each. */
#include "op.h"

extern const WfOp wf_op_attention; /* reference/attention.c */
extern const WfOp wf_op_layernorm; /* reference/layernorm.c */
extern const WfOp wf_op_rmsnorm;   /* reference/rmsnorm.c */
extern const WfOp wf_op_softmax;   /* reference/softmax.c */

const WfOp *const wf_ops[] = {
    &wf_op_attention,
    &wf_op_layernorm,
    &wf_op_rmsnorm,
    &wf_op_softmax,
    NULL,
};
