/* tight.h - what tests/test_tightness.c asks of an op: kernels in float that are right, on values that are hard for them, and kernels
 * that lose an element, take one twice or exchange two. A family of ops is a file: tight_dots.c, tight_moves.c, tight_rows.c,
 * tight_keys.c. */
#ifndef TIGHT_H
#define TIGHT_H
#include "../fuzz/case.h"
#include "../fuzz/run.h"

enum { TIGHT_MAX_N = 4096, TIGHT_MAX_OUT = 2 * TIGHT_MAX_N, TIGHT_MAX_IN = 16 * TIGHT_MAX_N + 64 };

/* What a kernel does wrong with an element, on its way into a sum or to its place. */
enum { TIGHT_LOST, TIGHT_DOUBLED, TIGHT_SWAPPED, TIGHT_N_FAULTS };

struct TightOp;

/* One launch: an op, its shape and inputs, and what a kernel gives. */
typedef struct Tight {
  const struct TightOp *kind;
  const WfOp *op;
  int n; /* elements that a result is made of; of ops by element, elements */
  int64_t dim[WF_MAX_DIMS];
  double scalar[WF_MAX_SCALARS];
  int64_t depth;  /* of the launch, as a contract tells it; 0: it tells none */
  uint32_t flags; /* WfRefArgs.variant_flags */
  int at, other;  /* the elements of a fault, below n; other is not at, unless n is 1 */
  int64_t n_out;
  float in[WF_MAX_TENSORS][TIGHT_MAX_IN];
  float y[TIGHT_MAX_OUT];
  double out[TIGHT_MAX_OUT], bound[TIGHT_MAX_OUT]; /* of the reference */
} Tight;

typedef struct TightOp {
  const char *name;
  const void *family;   /* what its file knows of it */
  uint32_t faults;      /* set of 1u << TIGHT_*: those that change a result */
  const char *seen;     /* values of which each of these is rejected, as doc/ORACLE.md has it */
  int is_exact;         /* 1: of those the bound is 0 */
  int64_t (*lanes_depth)(int n); /* of the kernels of run_fault, as a contract tells it; NULL: of this op none does */
  void (*shape)(Tight *t, int n);                /* dim and scalar, of about n elements; n becomes what it is */
  void (*draw_seen)(Tight *t, int fault, uint64_t *state); /* inputs, for a fault of `at` and `other` */
  void (*draw_hard)(Tight *t, uint64_t *state);  /* shape and inputs that are hard for a kernel that is right */
  void (*run)(Tight *t, uint64_t *state);        /* y, of such a kernel of any kind; flags and depth, which are 0 before */
  /* y, of a kernel that works in 32 lanes, or by element, and has this fault. 0: of these inputs it is none. fault -1: right. */
  int (*run_fault)(Tight *t, int fault);
} TightOp;

enum { TIGHT_MAX_OPS = 32 };
/* All that wf_ops has, in that order; returns how many. */
int tight_list(const TightOp *list[TIGHT_MAX_OPS]);

void tight_begin(Tight *t, const TightOp *kind); /* no shape, no inputs */
int tight_has(const TightOp *kind, int fault);
void tight_pick(Tight *t, int at, uint64_t *state); /* sets `at`, and draws `other` */

/* Inputs as the generator draws integers of which all sums are exact. */
void tight_draw_exact(Tight *t, uint64_t *state);
/* One input, of a distribution. */
void tight_draw_fill(Tight *t, int tensor, WfDist dist, double scale, double offset, uint64_t *state);

void tight_reference(Tight *t); /* out and bound */
/* By wf_judge, as in every execution: classes, values and bounds of all outputs. */
int tight_is_accepted(const Tight *t);
int tight_invariant_holds(const Tight *t); /* 1 for ops without */

extern const TightOp tight_dots[], tight_moves[], tight_rows[], tight_keys[]; /* each ends with name NULL */

#endif
