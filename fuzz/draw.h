/* draw.h - the parts that the generator, the mutator and crossover draw cases from. Internal to those. */
#ifndef WF_DRAW_H
#define WF_DRAW_H
#include "limits.h"

#define WF_MAX_HINTS 16

/* What one drawing of a case for one variant needs to know. */
typedef struct WfDraw {
  const WfOp *op;
  const WfVariant *variant; /* that the case is for */
  const WfVariant *v;       /* whose contract is kept: the same, or `widened` where the choice's limits let a case leave it */
  WfChoice *ch;
  WfSpec dim[WF_MAX_DIMS], block; /* lengths and block.x to draw from */
  WfSpec block_y, block_z;
  uint32_t limited;               /* bit i: dim i by the choice's limits */
  int n_hints;
  int64_t hint[WF_MAX_HINTS]; /* numbers above 1 in the contract's text: tile sizes, vector widths, limits */
  WfVariant any_values;       /* v without its promise about values, which wf_draw_values keeps */
  WfVariant launch_only;      /* and without conditions, for the launch of a shape that is not complete */
  int64_t work;               /* most elements, all dims multiplied, that this case may have; most threads of its launch, each counted
                               as often as it goes round a loop over slices */
  int64_t threads;
  int huge;               /* 1: cases may be too large to run as a whole; work is then what the blocks own that run */
  WfVariant widened;
  char requires[512]; /* its condition */
  int has_scalars;    /* the condition names scalars: any_values keeps to the next one, and scalars are settled when the shape is there */
  char shape_only[4096], flags_only[512]; /* its parts without real scalars; those about flags alone */
} WfDraw;

typedef struct WfCost { /* INT64_MAX: too large to tell; threads 0: no launch */
  int64_t work, threads;
} WfCost;

void wf_draw_init(WfDraw *d, const WfOp *op, const WfVariant *v, WfChoice *ch);

int wf_choice_one_in(WfChoice *ch, unsigned n); /* 1 with probability 1/n; choice 0 gives 0 */
uint64_t wf_choice_u64(WfChoice *ch);

/* draw_shape.c: dims, block, grid */
int64_t wf_draw_around(WfDraw *d, int64_t v);                    /* v - 1, v or v + 1 */
int64_t wf_draw_fold(int64_t v, int64_t min, int64_t max);       /* v in min .. max; what was outside spread, not heaped */
int64_t wf_draw_dim(WfDraw *d, const WfCase *c, int dim, int64_t max); /* max: a wish, where the user limited the dim */
int64_t wf_draw_least(const WfDraw *d, int dim);                 /* the smallest length that is not 0, if there is one */
int64_t wf_draw_into(const WfDraw *d, int dim, int64_t v);       /* a length to draw from; v where it is one */
void wf_draw_block(WfDraw *d, WfCase *c);                        /* all three extents */
void wf_draw_snap_block(const WfDraw *d, WfCase *c);             /* extents near the case's that the contract admits */
uint32_t wf_draw_grid(WfDraw *d, const WfCase *c);               /* 0, by formula, unless the grid is free */
void wf_draw_shape_once(WfDraw *d, WfCase *c);                   /* the contract's condition left out of account */
void wf_draw_shape(WfDraw *d, WfCase *c);                        /* good in the sense below */
void wf_draw_allow(WfDraw *d, const WfCase *c);                  /* raises the limits to the case's cost, within reason */

/* draw_huge.c */
/* Sets d->huge, with what such a case may cost: where it is wanted, and where contract or limits ask for no less. Never where the
 * contract does not say what a block owns. */
void wf_draw_allow_huge(WfDraw *d, int wanted, int rare);
int wf_draw_huge(WfDraw *d, WfCase *c); /* a large shape, good; 0: none was found, and c is as it was */

/* draw_long.c */
int wf_draw_long(WfDraw *d, WfCase *c); /* one dim long, the others small, good; 0: none was found, and c is as it was */

/* draw_outside.c */
void wf_draw_widen(WfDraw *d); /* makes d->v a contract with one part or more of the variant's left out, if it has any */
size_t wf_draw_part_length(const char *requires); /* of the condition's first part that && ends; all where there is || or ? */

/* draw_repair.c */
WfCost wf_draw_cost(const WfDraw *d, const WfCase *c);
int wf_draw_is_good(const WfDraw *d, const WfCase *c); /* admitted, values aside, of lengths to draw from, and not too costly */
/* Makes the case good, changing little where little is wrong, and at last drawing a new shape. If nothing good is found, an
 * admitted one; if not that either, what was tried last. */
void wf_draw_repair(WfDraw *d, WfCase *c);

/* draw_fill.c: distributions and edits. */
void wf_draw_fill(WfDraw *d, WfFill *f); /* all but base_offset_elems */
/* Makes all inputs integers, distinct in one of them, so small that every sum over them is exact. */
void wf_draw_exact(WfDraw *d, WfCase *c);
void wf_draw_place(WfDraw *d, WfCase *c); /* the output in an input's memory, or not */
void wf_draw_align(WfDraw *d, WfCase *c); /* all tensors; 0 in three of four cases and where the contract wants it */
void wf_draw_values(const WfDraw *d, WfCase *c); /* values inside the contract, where it limits them; draws nothing */
double wf_draw_scalar(WfDraw *d, int scalar);

/* draw_scalars.c */
void wf_draw_split_condition(WfDraw *d);               /* sets has_scalars and what goes with it */
void wf_draw_scalars(WfDraw *d, WfCase *c);            /* usual ones */
void wf_draw_flags(WfDraw *d, WfCase *c);              /* flags of which the condition says something by themselves */
int wf_draw_settle_scalars(WfDraw *d, WfCase *c);      /* 1: the condition holds, if it is about scalars */

/* draw_fill.c, edits */
/* Adds one or two edits of one kind, in finite values or in NaN and infinities. */
void wf_draw_edit(WfDraw *d, WfCase *c, int special);
void wf_draw_edits(WfDraw *d, WfCase *c);

#endif
