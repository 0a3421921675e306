/* fault_F40.c - the op of family F40 (doc/FAULTS.md): softmax over rows of several inputs of one shape, x[inputs*rows,cols]. What a row
 * must hold does not depend on which input it is of: reference, bound and invariant are those of softmax, reference/softmax.c, which
 * covers kernels that merge slices of a row. */
#include "../fuzz/op.h"

extern const WfOp wf_op_softmax;

/* The same rows, as one matrix. */
static WfRefArgs as_rows(const WfRefArgs *a, int64_t dim[2]) {
  WfRefArgs rows = *a;
  dim[0] = a->dim[0] * a->dim[1];
  dim[1] = a->dim[2];
  rows.dim = dim;
  return rows;
}

static int reference(const WfRefArgs *a, double *out, double *bound) {
  int64_t dim[2];
  WfRefArgs rows = as_rows(a, dim);
  return wf_op_softmax.reference(&rows, out, bound);
}

static int64_t invariant(const WfRefArgs *a, const float *y, char *msg, size_t msg_size) {
  int64_t dim[2];
  WfRefArgs rows = as_rows(a, dim);
  return wf_op_softmax.invariant(&rows, y, msg, msg_size);
}

#define WF_VARIANTS "../kernels/fault/F40/variants.def"
#define WF_ENTRY(ident) wf_entry_fault_F40_##ident
#include "../fuzz/variants.h"

const WfOp wf_op_fault_F40 = {
  .name = "fault/F40",
  .n_dims = 3,
  .n_tensors = 2,
  .dims = {{"inputs", 0, 4}, {"rows", 0, 50}, {"cols", 0, 3000}},
  .tensors = {{"x", WF_IN, 2, {WF_TIMES(0, 1), 2}, WF_START_NOTHING}, {"y", WF_OUT, 2, {WF_TIMES(0, 1), 2}, WF_START_NOTHING}},
  .reference = reference,
  .invariant = invariant,
  .variants = variants,
  .n_variants = sizeof variants / sizeof *variants,
};
