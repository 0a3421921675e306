/* add.c - c[i] = a[i] + b[i], one right result each, NaN and infinities included: elementwise.h. */
#include "elementwise.h"

static int reference(const WfRefArgs *a, double *out, double *bound) {
  wf_elementwise_add(a, a->dim[0], out, bound);
  return 0;
}

static int exchange(const WfRefArgs *a, double largest, uint64_t seed, float *const *changed, int64_t *at) {
  (void)largest;
  (void)seed;
  return wf_elementwise_exchange(a, a->dim[0], changed, at);
}

static const WfRelation exchanged = {.change = WF_EXCHANGE_CHANGE, .rule = WF_EXCHANGE_RULE, .same_bits = 1, .apply = exchange};

#define WF_VARIANTS "../kernels/add/variants.def"
#define WF_ENTRY(ident) wf_entry_add_##ident
#include "../fuzz/variants.h"

static const WfRelation *const relations[] = {&exchanged, NULL};

const WfOp wf_op_add = {
    .name = "add",
    .n_dims = 1,
    .n_tensors = 3,
    .dims = {{"n", 0, 1 << 17}},
    .tensors = {{"a", WF_IN, 1, {0}, WF_START_NOTHING}, {"b", WF_IN, 1, {0}, WF_START_NOTHING}, {"c", WF_OUT, 1, {0}, WF_START_NOTHING}},
    .exact = 1,
    .arith = 1,
    .reference = reference,
    .slices_independent = 1,
    .relations = relations,
    .variants = variants,
    .n_variants = sizeof variants / sizeof *variants,
};
