/* case.h - a case: one shape, launch, schedule and set of input values, as a struct and as text (doc/CASE.md). */
#ifndef WF_CASE_H
#define WF_CASE_H
#include "op.h"
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define WF_MAX_EDITS 64

/* How a tensor's values are drawn; parameters in WfFill. Every value is a pure function of (kind, seed, tensor,
 * element index): the same on every machine, compiler and thread. All are finite; NaN and infinities come from edits.
 * N(0,1) is approximate: the scaled sum of eight uniforms, |N| < 4.9 (fuzz/value.h). */
typedef enum WfDist {
  WF_DIST_NORMAL,    /* offset + scale * N(0,1) */
  WF_DIST_UNIFORM,   /* offset + scale * U(-1,1) */
  WF_DIST_HUGE,      /* logits of magnitude 80..1e4 times scale, both signs, half below 160, + offset */
  WF_DIST_INTEGERS,  /* offset + integers of -scale .. scale (|scale| <= 2^24) */
  WF_DIST_RAMP,      /* offset + scale * (index in the last dim mod 2^29) */
  WF_DIST_HASH,      /* position-dependent, distinct for 2^24 elements: offset + scale * hash(index) in [0,1) */
  WF_DIST_DENORMAL,  /* denormals and the smallest normals, both signs; no parameters */
  WF_DIST_MIXED,     /* sign * 2^e, e uniform in -scale .. scale (|e| <= 126); no offset */
  WF_DIST_MEAN,      /* mean far above spread: offset (default 1000) + scale * N(0,1) / 1024 */
  WF_DIST_CONSTANT,  /* offset everywhere */
  WF_DIST_DISTINCT,  /* integers of random sign and magnitude 1 .. scale (<= 2^24), each once in `scale` elements; no offset */
  WF_DIST_COUNT
} WfDist;

typedef struct WfFill {
  WfDist dist;
  uint64_t seed;
  double scale, offset;       /* finite, and exactly representable as float */
  uint32_t base_offset_elems; /* element offset of the tensor's base pointer, 0..63 ("align" in the text) */
} WfFill;
const char *wf_dist_name(WfDist d); /* "normal" */

/* Reads "f16", for all tensors, or "x=f16,y=f32" (those left out are f32), into what was all f32. 0, or -1 with one line in err. */
int wf_dtypes_parse(const WfOp *op, const char *text, size_t n, WfDtype out[WF_MAX_TENSORS], char *err, size_t err_size);
/* The shortest text that is read so: "" where all are f32. Returns buf. */
#define WF_DTYPES_TEXT 256
char *wf_dtypes_text(const WfOp *op, const WfDtype *dtype, char buf[WF_DTYPES_TEXT]);

#define WF_MAX_EXTENT ((int64_t)1 << 40) /* largest dim, index and number of elements of a tensor in a case */

/* An edit overwrites a selection of a tensor's elements with one value, in the order written. */
typedef struct WfSel { /* one index: [first, last] in steps; '*' is 0..dim-1 */
  int64_t first, last, step; /* 0 <= first <= last, step >= 1; last = INT64_MAX: to the end; indices outside the
                                tensor select nothing */
} WfSel;
typedef struct WfEdit {
  uint8_t tensor;
  WfSel sel[2]; /* rank 1: sel[0] only */
  float value;  /* -inf, inf, nan (always the quiet 0x7fc00000), -0 and finite values */
} WfEdit;

typedef struct WfCase {
  const WfOp *op;
  const WfVariant *variant; /* NULL: every clean variant whose contract admits the case */
  uint32_t expect;          /* set of 1u << SimtClass; 0: none given */
  int64_t dim[WF_MAX_DIMS];
  double scalar[WF_MAX_SCALARS];
  uint32_t grid[3], block[3]; /* grid[0] = 0: by the variant's own formula */
  uint64_t schedule;
  WfDtype dtype[WF_MAX_TENSORS]; /* of the elements, by tensor: values are numbers of the type */
  uint32_t in_place; /* 1 + index of the input in whose memory the output lies; 0: it has memory of its own */
  WfFill fill[WF_MAX_TENSORS]; /* by tensor; outputs: only base_offset_elems is used */
  uint32_t n_edits;
  WfEdit edits[WF_MAX_EDITS];
} WfCase;

/* A case without the room for edits that it does not use: seven parts in eight of it, mostly. For those that are kept by the thousand. */
static inline size_t wf_case_packed_bytes(const WfCase *c) { return offsetof(WfCase, edits) + c->n_edits * sizeof(WfEdit); }
static inline void wf_case_unpack(WfCase *out, const WfCase *packed) {
  memset(out->edits, 0, sizeof out->edits);
  memcpy(out, packed, wf_case_packed_bytes(packed));
}

#define WF_CASE_ERROR_MAX (4096 + 256) /* room for a message with the longest path */

/* Parses a whole file's text strictly. 0, or -1 with "NAME:LINE: message" in err, one line if NAME is. */
int wf_case_parse(WfCase *out, const char *text, size_t len, const char *name, char *err, size_t err_size);
/* Reads and parses a file, or a pipe that somebody writes to; at most 1 MiB. 0, or -1 with a one-line message in err. */
int wf_case_load(WfCase *out, const char *path, char *err, size_t err_size);
/* Canonical text: parse(print(c)) == c, and print is injective. Returns a malloc'ed string, NULL: no memory. (grid 0 1 1
 * and schedule 0 stand for absent lines; fields that the text has no place for are those memset to 0: fills of outputs
 * but for base_offset_elems, sel[1] of rank 1, entries past the op's dims, tensors, scalars and past n_edits.) */
char *wf_case_print(const WfCase *c);
/* 64-bit key of the canonical text (XXH64, seed 0), in file names and reports. 0: no memory. */
uint64_t wf_case_key(const WfCase *c);

/* Values of one tensor, edits applied, dense row-major: wf_case_elems(c, tensor) of them. */
void wf_case_values(const WfCase *c, int tensor, float *out);
/* The same value for one element: 0 <= index < wf_case_elems(c, tensor). */
float wf_case_value(const WfCase *c, int tensor, int64_t index);
/* No element of the tensor is larger in magnitude: from the distribution's parameters, and the largest float at most. INFINITY
 * when an edit writes NaN or an infinity, wherever it does. */
double wf_case_max_abs(const WfCase *c, int tensor);
/* The same values from element `first` on, n of them: first + n <= wf_case_elems(c, tensor). */
void wf_case_values_at(const WfCase *c, int tensor, int64_t first, int64_t n, float *out);
int64_t wf_case_elems(const WfCase *c, int tensor); /* product of the tensor's extents; -1: overflow */

/* Does the variant's contract admit the case? 1, or 0 with the reason, one sentence, in why (may be NULL). Fills the
 * launch in *g (may be NULL) when it does: the grid by formula when the variant has one; the case's otherwise, and where
 * that is 0 and the grid is free, one block for each index of the first dim, at most 256 unless the case is too large to run as a whole; bytes of dynamic shared and scratch memory. A contract
 * that cannot be read admits nothing, and no case is admitted that is too large to run, as a whole or in part (sparse.h). Whether the case names another variant is not looked at. */
typedef struct WfGeometry {
  uint32_t grid[3], block[3];
  uint64_t shared_bytes, scratch_bytes;
} WfGeometry;
int64_t wf_geometry_threads(const WfGeometry *g); /* of the launch; INT64_MAX: more */
int wf_case_admits(const WfCase *c, const WfVariant *v, WfGeometry *g, char *why, size_t why_size);

/* The launch of a case that the contract need not admit: block and grid as the case has them, the grid by formula where the
 * case leaves it open, shared memory by formula. 1, or 0 with the reason: lengths that the op does not allow, or a formula
 * without a value. */
int wf_case_launch(const WfCase *c, const WfVariant *v, WfGeometry *g, char *why, size_t why_size);

/* ---- generator (fuzz/generate.c): a total decoder, never fails ---- */
/* A stream of choices. With bytes: taken from them, zeros after the end. Without: from the seed. */
typedef struct WfChoice {
  const uint8_t *bytes;
  size_t n, at;
  uint64_t state; /* used when bytes is NULL */
  const struct WfLimits *limits; /* what may be chosen (limits.h); NULL: all that op and contract allow */
  unsigned longer;    /* above 0: wf_case_generate() gives one dim a length past what it draws otherwise, if there is such a case; the
                         larger this is, the longer it may be. Such a case takes as long as hundreds of others */
} WfChoice;
uint64_t wf_choice_below(WfChoice *c, uint64_t n); /* 0 .. n-1; 0 when n = 0 */

/* A case inside v's contract (wf_case_admits holds) and the choice's limits, by the choices. Only if some two thousand
 * targeted tries find none (a contract that nothing satisfies) the case is left outside. out->variant is v, out->expect 0;
 * so after the two below. With limits->outside, one or more parts of the contract are left out of account each time. */
void wf_case_generate(WfCase *out, const WfOp *op, const WfVariant *v, WfChoice *c);
void wf_case_take_types(WfCase *c, const WfVariant *v); /* its tensors have the types that the variant wants */
/* Changes one or a few aspects of the case, staying inside v's contract. */
void wf_case_mutate(WfCase *c, const WfVariant *v, WfChoice *ch);
/* out: aspects of a and b mixed, inside v's contract (a->op == b->op). */
void wf_case_cross(WfCase *out, const WfCase *a, const WfCase *b, const WfVariant *v, WfChoice *ch);

/* ---- expressions and SPECs (fuzz/expr.c) ---- */
typedef struct WfVars { /* names: the op's dims, then block.x .. grid.z, then align and b */
  const WfOp *op;
  const int64_t *dim;
  const uint32_t *grid, *block; /* [3] */
  int64_t align;                /* base_offset_elems of all tensors, bitwise or */
  const int64_t *b;             /* number of a block, only in WfVariant.owns; NULL: there is no such name */
} WfVars;
/* C integer expression (+ - * / % comparisons && || ! ?: parentheses min(a,b) max(a,b)), int64, overflow and division by
 * zero are errors. 0, or -1 with a message. */
int wf_expr_eval(const char *text, const WfVars *vars, int64_t *out, char *err, size_t err_size);

/* What scalars were compared with, each alone on its side, while an expression was evaluated: where a condition on them may change. */
enum { WF_MAX_COMPARED = 16 };
typedef struct WfCompared {
  int n;
  struct WfComparedWith {
    int scalar; /* index in the op; a real one */
    double with; /* a float */
  } at[WF_MAX_COMPARED];
} WfCompared;
/* The same with the op's scalars as names, real numbers (rounded to floats: 1e-5 and 1e-5f are the same) and sqrt and rsqrt besides;
 * flags are 0 or 1. compared may be NULL. */
int wf_expr_eval_scalars(const char *text, const WfVars *vars, const double *scalars, WfCompared *compared, int64_t *out, char *err,
                         size_t err_size);
/* Does the variant's condition hold with these scalars in place of the case's? compared: as above. 0 too where there is no launch. */
int wf_case_condition(const WfCase *c, const WfVariant *v, const double *scalars, WfCompared *compared);

/* Sets the scalars so that the variant's condition holds for the shape, if they do not. The choices choose among those that do; NULL:
 * the first, which depends on shape and contract alone. 1: it holds; 0: no scalars were found with which it does, and they are as before. */
int wf_case_settle_scalars(WfCase *c, const WfVariant *v, WfChoice *ch);

/* A set of numbers: a list of up to 32 (a single one too), or a range with an optional restriction. */
typedef struct WfSpec {
  int64_t min, max;  /* of the list, too; 0 <= min <= max <= WF_MAX_EXTENT */
  int64_t multiple;  /* >= 1 */
  int power_of_2;
  int n_list;        /* 0: a range */
  int64_t list[32];
} WfSpec;
int wf_spec_parse(const char *text, WfSpec *out, char *err, size_t err_size); /* 0, or -1 with a message; also if empty */
int wf_spec_admits(const WfSpec *s, int64_t v);
int64_t wf_spec_snap(const WfSpec *s, int64_t v); /* an admitted value near v */
/* The numbers in both; min and max are admitted. a or b may be out. 0, or -1: there are none. */
int wf_spec_intersect(const WfSpec *a, const WfSpec *b, WfSpec *out);
int64_t wf_spec_draw(const WfSpec *s, WfChoice *c); /* edges favoured: min, max, 32k-1..+1, powers of 2, primes */

#endif
