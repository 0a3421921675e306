/* ops.c - the table of ops: one line each. */
#include "op.h"

extern const WfOp wf_op_add;        /* reference/add.c */
extern const WfOp wf_op_attention;  /* reference/attention.c */
extern const WfOp wf_op_col_sum;    /* reference/col_sum.c */
extern const WfOp wf_op_conv1d;     /* reference/conv1d.c */
extern const WfOp wf_op_conv2d;     /* reference/conv2d.c */
extern const WfOp wf_op_fault_F18;  /* reference/fault_F18.c */
extern const WfOp wf_op_fault_F40;  /* reference/fault_F40.c */
extern const WfOp wf_op_fault_F56;  /* reference/fault_norm.c */
extern const WfOp wf_op_fault_F78;  /* reference/fault_norm.c */
extern const WfOp wf_op_fault_F82;  /* reference/fault_norm.c */
extern const WfOp wf_op_fault_F84;  /* reference/fault_norm.c */
extern const WfOp wf_op_layernorm;  /* reference/layernorm.c */
extern const WfOp wf_op_matadd;     /* reference/matadd.c */
extern const WfOp wf_op_matmul;     /* reference/matmul.c */
extern const WfOp wf_op_reduce_max; /* reference/reduce_max.c */
extern const WfOp wf_op_reduce_sum; /* reference/reduce_sum.c */
extern const WfOp wf_op_rmsnorm;    /* reference/rmsnorm.c */
extern const WfOp wf_op_row_sum;    /* reference/row_sum.c */
extern const WfOp wf_op_softmax;    /* reference/softmax.c */
extern const WfOp wf_op_transpose;  /* reference/transpose.c */

const WfOp *const wf_ops[] = {
    &wf_op_add,
    &wf_op_attention,
    &wf_op_col_sum,
    &wf_op_conv1d,
    &wf_op_conv2d,
    &wf_op_fault_F18,
    &wf_op_fault_F40,
    &wf_op_fault_F56,
    &wf_op_fault_F78,
    &wf_op_fault_F82,
    &wf_op_fault_F84,
    &wf_op_layernorm,
    &wf_op_matadd,
    &wf_op_matmul,
    &wf_op_reduce_max,
    &wf_op_reduce_sum,
    &wf_op_rmsnorm,
    &wf_op_row_sum,
    &wf_op_softmax,
    &wf_op_transpose,
    NULL,
};
