/* op.h - what an op and a variant are: const descriptors, one translation unit per op (reference/<op>.c), one line per
 * variant (kernels/<op>/variants.def). Nothing here runs anything. */
#ifndef WF_OP_H
#define WF_OP_H
#include "dtype.h"
#include <stddef.h>
#include <stdint.h>

#define WF_MAX_DIMS 3
#define WF_MAX_TENSORS 4
#define WF_MAX_SCALARS 2
#define WF_MAX_USUAL 8

typedef enum WfRole { WF_IN, WF_OUT } WfRole;

typedef struct WfDimDesc {
  const char *name; /* as in cases and launch statements: "rows" */
  int64_t min;      /* smallest legal value; 0: contracts with WF_EMPTY admit it, no others */
  int64_t fuzz_max; /* largest value the generator draws by itself; a case may hold more */
} WfDimDesc;

/* An extent of a tensor that is not simply one of the op's dims, the i-th. */
#define WF_ONE 0x1000                            /* 1 */
#define WF_VALID(i, k) (0x2000 | (i) << 4 | (k)) /* dims[i] - dims[k] + 1: a window of k slid along i */
#define WF_TIMES(i, k) (0x4000 | (i) << 4 | (k)) /* dims[i] * dims[k] */

/* What an output holds before the launch. */
typedef enum WfStart {
  WF_START_NOTHING, /* no value: each element must be written */
  WF_START_ZERO,
  WF_START_MINUS_INF
} WfStart;

typedef struct WfTensorDesc {
  const char *name; /* "x" */
  WfRole role;
  int rank;         /* 1 or 2 */
  int dim[2];       /* extents, slowest first: indices into WfOp.dims, or one of the above; row-major, dense */
  WfStart start;    /* of an output */
  WfDtype dtype;    /* of an op of the user's: what its file says. The type itself is the variant's */
} WfTensorDesc;

struct WfVariant;
struct WfOp;
/* What an output holds before the variant's launch: what the op says, unless the contract is WF_UNZEROED; as a word of its memory, made of
 * the pattern for nothing. */
WfStart wf_start_of(const struct WfVariant *v, const WfTensorDesc *t);
uint32_t wf_start_bits(const struct WfVariant *v, const struct WfOp *op, int tensor, uint32_t pattern);

/* Extent of one axis for these dims; never below 0. -1: overflow. */
int64_t wf_extent(const WfTensorDesc *t, int axis, const int64_t *dim);
/* The same as text, over the names of dims: "rows", "n-k+1", "1". buf has WF_EXTENT_TEXT bytes; returns it. */
#define WF_EXTENT_TEXT 64

typedef enum WfScalarKind { WF_REAL, WF_FLAG /* 0 or 1, an int in launch statements */ } WfScalarKind;

typedef struct WfScalarDesc {
  const char *name; /* as in launch statements: "eps" */
  WfScalarKind kind;
  double usual[WF_MAX_USUAL]; /* values that the generator draws, the first most often; floats. Not of a WF_FLAG */
  int n_usual;
  const char *fixed; /* expression: what a kernel that does not get it from its caller has most likely: "1 / sqrt(d)"; NULL: the first usual
                        one, of a WF_FLAG 0 */
} WfScalarDesc;

char *wf_extent_text(const struct WfOp *op, const WfTensorDesc *t, int axis, char *buf);

/* What a fully masked row (all -inf), or one with an empty set of keys, must give. */
typedef enum WfMasked { WF_MASKED_NAN, WF_MASKED_ZERO, WF_MASKED_UNIFORM } WfMasked;

enum { /* WfVariant.flags */
  WF_DETERMINISTIC = 1u << 0, /* same bits under every schedule */
  WF_BLOCKS_INDEPENDENT = 1u << 1,
  WF_FAST_EXP = 1u << 2, /* uses __expf: its documented error enters the bound */
  WF_PLAIN_EXP = 1u << 3, /* takes exponentials of the elements as they are, no maximum subtracted: so does the bound */
  WF_EXPECT_WARNING = 1u << 4, /* what is expected comes as a warning; without it, only errors catch a fault */
  WF_KEEPS_SUBNORMALS = 1u << 7, /* in whatever flavor it is compiled, nothing is flushed to zero: so does the bound */
  WF_EMPTY = 1u << 6, /* the launch statement is right for dims of 0 too, where the op allows them: it launches what a host would */
  WF_OWN_SCALARS = 1u << 9, /* computes scalars itself that the launch statement does not pass: they are rounded on the way */
  WF_MINUS_INF = 1u << 10, /* elements may be -inf, whatever `values` says: masks write it */
  WF_UNZEROED = 1u << 8, /* every output holds nothing before the launch, whatever the op says: the kernel's first write decides */
  WF_FAST_MATH = 1u << 5 /* its errors enter the bound: in WfRefArgs, for what is compiled as WF_FASTMATH; of a variant, fast intrinsics */
};

/* How a kernel is compiled (doc/FASTMATH.md). */
typedef enum WfFlavor {
  WF_PRECISE,  /* as nvcc does by itself */
  WF_FASTMATH  /* as nvcc -use_fast_math does */
} WfFlavor;

/* The arguments in scope of a launch statement, for the generated entry function. */
typedef struct WfLaunchArgs {
  void *tensor[WF_MAX_TENSORS]; /* device pointers, in the op's order */
  int64_t dim[WF_MAX_DIMS];
  double scalar[WF_MAX_SCALARS];
  uint32_t grid[3], block[3];
  uint64_t shared_bytes;
  void *scratch; /* device memory that nobody wrote, 256-byte aligned; NULL: the variant wants none */
} WfLaunchArgs;

/* One kernel that claims to solve the op, with its contract. Expressions and SPECs are text (doc/CASE.md, "Expressions")
 * over the op's dims and block.x .. block.z, grid.x .. grid.z. */
typedef struct WfVariant {
  const char *name;   /* file name without .cu: "block_shuffle.published" */
  void (*entry)(const WfLaunchArgs *);
  const char *launch; /* the statement: "softmax_kernel<<<grid, block, shared, stream>>>(x, y, rows, cols)"; several, or a call of a
                         function of the file that launches. A launch that is refused is a finding; what follows it runs, as on a device */
  const char *block;    /* SPEC of block.x: "1..1024", "32..1024 multiple of 32", "256"; NULL: 1..1024 */
  const char *block_y, *block_z; /* SPECs; NULL: 1. A block has at most 1,024 threads whatever they say */
  const char *grid;     /* expression for grid.x; NULL: free (any 1..) */
  const char *grid_y, *grid_z; /* expressions; NULL: 1 */
  int tile;             /* edge of the tile, or length of the chunk, that a block works on, where the kernel has it as a constant: for
                           the generator and the counts of situations only; 0: none */
  const char *edges;    /* numbers, any text between them: more lengths near which the generator shall try; NULL: none */
  const char *shared;   /* expression for the dynamic shared memory in bytes; NULL: 0 */
  const char *scratch;  /* expression for device memory of its own in bytes, `scratch` in the statement; NULL: none */
  const char *requires; /* condition on the shape and launch; NULL: none */
  double values;        /* every input element is finite and within -values .. values; 0: any, NaN and infinities too */
  const char *depth;    /* expression: additions that an addend of a sum goes through at most under the launch, for the bound; NULL: the
                           number of addends */
  const char *in_place; /* the inputs, by name, separated by blanks, in whose memory the output may lie; NULL: none */
  const char *owns;     /* with WF_BLOCKS_INDEPENDENT: which slices of the output a block owns (owns.h): writes, all of them and no
                           others, under any launch that the contract admits; NULL: not said, and too large a case is not run */
  WfMasked masked;
  uint32_t flags;       /* WF_* */
  WfFlavor flavor;
  uint32_t expect;      /* faulty: set of 1u << SimtClass, each of which counts as catching it; clean: 0 */
  const char *fault;    /* faulty: one sentence */
  const char *family;   /* of doc/FAULTS.md, that the fault, or its clean twin, belongs to: "F14"; NULL: none */
  WfDtype dtype[WF_MAX_TENSORS]; /* of the elements, by the op's tensors */
  WfDtype arith;        /* in which sums, products and functions are taken, if less than float: so is the bound */
} WfVariant;

#define WF_ALL_OF(T) {T, T, T, T} /* WfVariant.dtype: the same for all tensors */

/* In variants.def: a variant and its fast-math twin IDENT.fastmath, the same source compiled in the other flavour.
 * named is the first one's `.name = "IDENT"`. */
#define WF_FLAVORS(ident, named, ...)                                                                                  \
  WF_VARIANT(ident, named, __VA_ARGS__)                                                                                \
  WF_VARIANT(ident##_fastmath, .name = #ident ".fastmath", __VA_ARGS__, .flavor = WF_FASTMATH)

const char *wf_flavor_name(WfFlavor f); /* "precise", "fastmath" */

/* Input of a reference: the op's tensors as host arrays, dense, row-major. */
typedef struct WfRefArgs {
  const int64_t *dim;              /* by the op's dims */
  const float *const *in;          /* by the op's tensors; NULL at outputs */
  const double *scalar;
  WfMasked masked;
  uint32_t variant_flags;          /* WF_FAST_EXP and WF_FAST_MATH widen the bound; WF_PLAIN_EXP, WF_KEEPS_SUBNORMALS change it */
  const int64_t *slice;            /* NULL, or by the first dim: which index of it this is in the case, to be told to users */
  int64_t depth;                   /* WfVariant.depth under the case's launch; 0: not known */
  WfDtype dtype[WF_MAX_TENSORS];   /* of the inputs, by the op's tensors: the values are numbers of the type */
  WfDtype stored;                  /* the output's type. `bound` is about the values before they are rounded to it; invariants are told
                                      those after */
  WfDtype arith;                   /* WfVariant.arith */
} WfRefArgs;

/* A relation between the op's outputs for two inputs, which holds without a reference: the change keeps or moves the values
 * of the output, or multiplies them. Ready-made ones for ops over rows: relation.h. */
typedef struct WfRelation {
  const char *change; /* what is done to the input, in a report after "with": "a constant added to every row" */
  const char *rule;   /* static text: what must hold, in a report's rule */
  int same_bits;      /* 1: values may be expected to be equal bit for bit, where the variant is deterministic */
  /* Changes the inputs: changed[t] holds in[t] to begin with, and what is written there is exact and of magnitude at most `largest`
   * unless the input is larger. For each output element i, at[i] is the index of that element in the changed output, or -1: nothing is said
   * about it. `seed` decides what there is to choose. 1, or 0: there is nothing to change in this input. */
  int (*apply)(const WfRefArgs *a, double largest, uint64_t seed, float *const *changed, int64_t *at);
  /* By what the output is multiplied when apply() changes it so: a power of two, of either sign, of the same arguments; 0: there is
   * nothing to change. NULL: 1. */
  double (*factor)(const WfRefArgs *a, double largest, uint64_t seed);
} WfRelation;

typedef struct WfOp {
  const char *name;
  int n_dims, n_tensors, n_scalars;
  WfDimDesc dims[WF_MAX_DIMS];
  WfTensorDesc tensors[WF_MAX_TENSORS]; /* exactly one WF_OUT */
  WfScalarDesc scalars[WF_MAX_SCALARS];
  const char *requires; /* condition on dims without which there is no such problem ("k <= n"); NULL: none */
  const char *work;     /* expression over dims: operations that the problem takes, by which the generator limits sizes; NULL: all dims
                           multiplied */
  int arith;            /* 1: the reference knows the bound of kernels that compute in 16 bits (WfRefArgs.arith) */
  int is_bounded;       /* 1: fuzz_max is the longest that a dim may be, in all that is drawn */
  int exact;            /* 1: on integers that are small enough a kernel's result is exact in any order of summation, and the bound 0 */
  /* Fills out[i] (the exact value, class included: NaN, inf) and bound[i] (absolute error any correct float kernel
   * stays within; INFINITY: everything accepted) for every element of the output. Returns 0, or -1: out of memory. */
  int (*reference)(const WfRefArgs *a, double *out, double *bound);
  /* Invariants that need no reference, over the kernel's output; NULL: none. Writes one sentence to msg when one is
   * violated, and returns the index of the first bad element, or -1 when all hold. */
  int64_t (*invariant)(const WfRefArgs *a, const float *y, char *msg, size_t msg_size);
  int slices_independent; /* 1: what the output has at an index of the first dim depends on no more than what the inputs that have
                             that dim first hold there, and on the other inputs: some indices can be judged without the rest */
  const WfRelation *const *relations; /* NULL-terminated; NULL: none */
  const WfVariant *variants;
  size_t n_variants;
} WfOp;

/* All ops, NULL-terminated (fuzz/ops.c). */
extern const WfOp *const wf_ops[];
const WfOp *wf_op_find(const char *name, size_t len);                    /* NULL: none */
/* The op that a program is for whose file name is PREFIX and the op's name with _ for /, with or without "_replay" or "_afl"; NULL: none. */
const WfOp *wf_op_of_program(const char *path, const char *prefix);
/* 1: one of the classes expected of a faulty variant is in these sets of 1u << SimtClass, with the severity expected. */
int wf_variant_caught(const WfVariant *v, uint32_t errors, uint32_t warnings);
const WfVariant *wf_variant_find(const WfOp *op, const char *name, size_t len); /* NULL: none */

#endif
