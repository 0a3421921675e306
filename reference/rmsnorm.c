/* rmsnorm.c - rmsnorm over rows: y[r,c] = x[r,c] / sqrt(mean of squares + eps) * gamma[c]. Its bound, what it covers, and what
 * NaN and infinities give: norm.h. */
#include "../fuzz/op.h"
#include "../fuzz/relation.h"
#include "norm.h"

static int reference(const WfRefArgs *a, double *out, double *bound) {
  WfNorm n = {.rows = a->dim[0],
              .cols = a->dim[1],
              .x = a->in[0],
              .gamma = a->in[1],
              .gamma_rows = 1,
              .kind = 0,
              .eps = a->scalar[0],
              .depth = a->depth,
              .flags = a->variant_flags};
  wf_norm_rows(&n, out, bound);
  return 0;
}

#define WF_VARIANTS "../kernels/rmsnorm/variants.def"
#define WF_ENTRY(ident) wf_entry_rmsnorm_##ident
#include "../fuzz/variants.h"

static const WfRelation *const relations[] = {&wf_relation_row_order, &wf_relation_permute, &wf_relation_rows, NULL};

const WfOp wf_op_rmsnorm = {
  .name = "rmsnorm",
  .n_dims = 2,
  .n_tensors = 3,
  .n_scalars = 1,
  .dims = {{"rows", 0, 300}, {"cols", 0, 3000}},
  .tensors = {{"x", WF_IN, 2, {0, 1}, WF_START_NOTHING},
              {"gamma", WF_IN, 1, {1}, WF_START_NOTHING},
              {"y", WF_OUT, 2, {0, 1}, WF_START_NOTHING}},
  .scalars = {{"eps", WF_REAL, {(double)1e-5f, (double)1e-6f, (double)1e-12f, (double)1e-3f}, 4, "1e-5"}},
  .reference = reference,
  .slices_independent = 1,
  .relations = relations,
  .variants = variants,
  .n_variants = sizeof variants / sizeof *variants,
};
