/* case_op.h - a table of ops for the tests of cases, in place of fuzz/ops.c: the shapes of real ops, contracts of every
 * kind, no kernels. Included once in a test program. */
#ifndef WF_TESTS_CASE_OP_H
#define WF_TESTS_CASE_OP_H
#include "../fuzz/case.h"

/* In the order of the descriptors; the names say the contract. */
static const WfVariant softmax_variants[] = {
    {.name = "free"},
    {.name = "block_shuffle.published", .expect = 1u << 1, .fault = "a barrier is missing"},
    {.name = "block_row", .grid = "rows", .block = "32..1024 multiple of 32", .shared = "block.x * 4"},
    {.name = "serial_row", .grid = "(rows + block.x - 1) / block.x"},
    {.name = "tree", .grid = "rows", .block = "32..1024 power of 2", .shared = "4 * block.x", .flags = WF_DETERMINISTIC},
    {.name = "register_row", .grid = "rows", .requires = "cols <= block.x"},
    {.name = "float4", .grid = "rows", .block = "32", .requires = "cols % 4 == 0 && align % 4 == 0"},
    {.name = "float4.published", .grid = "rows", .block = "32", .expect = 1u << 11, .fault = "the tail is left out"},
    {.name = "exact_block", .grid = "rows", .requires = "block.x == cols / 4 && cols % 128 == 0"},
    {.name = "fixed", .grid = "rows", .block = "256", .requires = "cols <= 1024 && cols > 300"},
    {.name = "warps", .requires = "block.x % 32 == 0 && grid.x < rows && rows % 2 == 1"},
    {.name = "small_row", .block = "32,64,128", .grid = "(rows + block.x / 32 - 1) / (block.x / 32)", .requires = "cols <= 32"},
    {.name = "multi_block", .scratch = "8 * grid.x", .requires = "cols > 1024 && grid.x == rows * max(2, (cols + 1023) / 1024)"},
};
static const WfOp softmax_op = {
    .name = "softmax",
    .n_dims = 2,
    .n_tensors = 2,
    .dims = {{"rows", 1, 512}, {"cols", 1, 4096}},
    .tensors = {{"x", WF_IN, 2, {0, 1}}, {"y", WF_OUT, 2, {0, 1}}},
    .variants = softmax_variants,
    .n_variants = sizeof softmax_variants / sizeof softmax_variants[0],
};

static const WfVariant rmsnorm_variants[] = {{.name = "block_row", .grid = "rows"}};
static const WfOp rmsnorm_op = {
    .name = "rmsnorm",
    .n_dims = 2,
    .n_tensors = 3,
    .n_scalars = 1,
    .dims = {{"rows", 1, 512}, {"cols", 1, 4096}},
    .tensors = {{"x", WF_IN, 2, {0, 1}}, {"gamma", WF_IN, 1, {1, 0}}, {"y", WF_OUT, 2, {0, 1}}},
    .scalars = {{"eps", WF_REAL, {1e-5}, 1, NULL}},
    .variants = rmsnorm_variants,
    .n_variants = 1,
};

static const WfVariant matmul_variants[] = {
    {.name = "tiled", .block = "256", .grid = "(m + 15) / 16 * ((n + 15) / 16)", .requires = "k % 16 == 0"}};
static const WfOp matmul_op = {
    .name = "matmul",
    .n_dims = 3,
    .n_tensors = 3,
    .dims = {{"m", 1, 256}, {"n", 1, 256}, {"k", 1, 256}},
    .tensors = {{"a", WF_IN, 2, {0, 2}}, {"b", WF_IN, 2, {2, 1}}, {"c", WF_OUT, 2, {0, 1}}},
    .variants = matmul_variants,
    .n_variants = 1,
};

static const WfVariant add_variants[] = {{.name = "scalar", .grid = "(n + block.x - 1) / block.x", .flags = WF_EMPTY}};
static const WfOp add_op = {
    .name = "add",
    .n_dims = 1,
    .n_tensors = 3,
    .dims = {{"n", 0, 100000}},
    .tensors = {{"a", WF_IN, 1, {0, 0}}, {"b", WF_IN, 1, {0, 0}}, {"c", WF_OUT, 1, {0, 0}}},
    .variants = add_variants,
    .n_variants = 1,
};

const WfOp *const wf_ops[] = {&softmax_op, &rmsnorm_op, &matmul_op, &add_op, NULL};

#endif
