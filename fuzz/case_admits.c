/* case_admits.c - does a variant's contract admit a case, and with which launch. */
#include "sparse.h"
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#define DEFAULT_FREE_GRID 256 /* blocks at most, where neither the case nor the contract says how many */

typedef struct Check {
  const WfCase *c;
  const WfVariant *v;
  WfGeometry g;
  WfVars vars;
  char *why;
  size_t why_size;
} Check;

/* 0, after writing the reason: callers return it. */
__attribute__((format(printf, 2, 3))) static int no(Check *k, const char *format, ...) {
  va_list args;
  if (k->why && k->why_size) {
    va_start(args, format);
    vsnprintf(k->why, k->why_size, format, args);
    va_end(args);
  }
  return 0;
}

/* whose: "contract's" or "op's". */
static int evaluate(Check *k, const char *whose, const char *what, const char *text, int64_t *out) {
  char err[128];
  if (wf_expr_eval(text, &k->vars, out, err, sizeof err) == 0)
    return 1;
  return no(k, "the %s %s '%s' gives no value: %s", whose, what, text, err);
}

static int dims_are_legal(Check *k) {
  const WfOp *op = k->c->op;
  for (int i = 0; i < op->n_dims; i++)
    if (k->c->dim[i] < op->dims[i].min)
      return no(k, "%s is %" PRId64 ", and the op wants at least %" PRId64, op->dims[i].name, k->c->dim[i], op->dims[i].min);
  for (int i = 0; i < op->n_tensors; i++)
    if (wf_case_elems(k->c, i) < 0)
      return no(k, "the tensor %s has too many elements", op->tensors[i].name);
  int64_t holds = 1;
  if (op->requires && !evaluate(k, "op's", "condition", op->requires, &holds))
    return 0;
  return holds ? 1 : no(k, "the op requires %s", op->requires);
}

static int emptiness_is_admitted(Check *k) {
  for (int i = 0; i < k->c->op->n_dims; i++)
    if (k->c->dim[i] == 0 && !(k->v->flags & WF_EMPTY))
      return no(k, "%s is 0, and the contract admits no empty tensors", k->c->op->dims[i].name);
  return 1;
}

static int extent_is_admitted(Check *k, int axis) {
  WfSpec spec;
  char err[128];
  const char *const contract[] = {k->v->block ? k->v->block : "1..1024", k->v->block_y, k->v->block_z};
  const char *text = contract[axis];
  uint32_t extent = k->c->block[axis];
  if (!text)
    return extent == 1 ? 1 : no(k, "block.%c is %" PRIu32 ", and the contract wants 1", 'x' + axis, extent);
  if (wf_spec_parse(text, &spec, err, sizeof err))
    return no(k, "the contract's block '%s' cannot be read: %s", text, err);
  if (!wf_spec_admits(&spec, extent))
    return no(k, "block.%c is %" PRIu32 ", and the contract wants %s", 'x' + axis, extent, text);
  return 1;
}

static int block_is_admitted(Check *k) {
  const uint32_t *b = k->c->block;
  if ((b[1] != 1 || b[2] != 1) && !k->v->block_y && !k->v->block_z)
    return no(k, "the block is %" PRIu32 "x%" PRIu32 "x%" PRIu32 ", and the contract wants one dimension", b[0], b[1], b[2]);
  for (int axis = 0; axis < 3; axis++)
    if (!extent_is_admitted(k, axis))
      return 0;
  uint64_t threads = (uint64_t)b[0] * b[1] * b[2];
  if (b[1] <= 1024 && b[2] <= 1024 && threads >= 1 && threads <= 1024)
    return 1;
  return no(k, "a block has 1 to 1024 threads, not %" PRIu64, threads);
}

/* 1 along an axis where the case leaves it to the formula. */
static int formula_extent(Check *k, const char *formula, int axis) {
  int64_t n;
  uint32_t wanted = k->c->grid[axis], open = axis == 0 ? 0 : 1;
  if (!evaluate(k, "contract's", "grid", formula, &n))
    return 0;
  if (n < (k->v->flags & WF_EMPTY ? 0 : 1) || n > INT32_MAX)
    return no(k, "the contract's grid '%s' gives %" PRId64 " blocks", formula, n);
  if (wanted != open && wanted != n)
    return no(k, "grid.%c is %" PRIu32 ", and the contract's grid '%s' gives %" PRId64, 'x' + axis, wanted, formula, n);
  k->g.grid[axis] = (uint32_t)n;
  return 1;
}

static int formula_grid(Check *k) { return formula_extent(k, k->v->grid, 0); }

/* Along y and z there is a formula, or one block. */
static int other_axes(Check *k) {
  const uint32_t *wanted = k->c->grid;
  const char *const formula[] = {NULL, k->v->grid_y, k->v->grid_z};
  if ((wanted[1] != 1 || wanted[2] != 1) && !formula[1] && !formula[2])
    return no(k, "the grid has %" PRIu32 " and %" PRIu32 " blocks along y and z, and the contract wants one dimension", wanted[1],
              wanted[2]);
  for (int axis = 1; axis < 3; axis++)
    if ((formula[axis] || wanted[axis] != 1) && !formula_extent(k, formula[axis] ? formula[axis] : "1", axis))
      return 0;
  return 1;
}

static int grid_is_admitted(Check *k) {
  const WfCase *c = k->c;
  if (!other_axes(k))
    return 0;
  if (k->v->grid)
    return formula_grid(k);
  if (c->grid[0] > INT32_MAX)
    return no(k, "grid.x is %" PRIu32 ", and a grid has at most 2147483647 blocks along x", c->grid[0]);
  int64_t usual = c->dim[0] < 1 ? 1 : c->dim[0] > DEFAULT_FREE_GRID && !wf_case_is_large(c, &k->g) ? DEFAULT_FREE_GRID : c->dim[0];
  k->g.grid[0] = c->grid[0] ? c->grid[0] : (uint32_t)usual;
  return 1;
}

static int shared_is_admitted(Check *k) {
  int64_t bytes = 0;
  if (k->v->shared && !evaluate(k, "contract's", "shared", k->v->shared, &bytes))
    return 0;
  if (bytes < 0)
    return no(k, "the contract's shared '%s' gives %" PRId64 " bytes", k->v->shared, bytes);
  k->g.shared_bytes = (uint64_t)bytes;
  return 1;
}

static int scratch_is_admitted(Check *k) {
  int64_t bytes = 0;
  if (k->v->scratch && !evaluate(k, "contract's", "scratch", k->v->scratch, &bytes))
    return 0;
  if (bytes < 0)
    return no(k, "the contract's scratch '%s' gives %" PRId64 " bytes", k->v->scratch, bytes);
  k->g.scratch_bytes = (uint64_t)bytes;
  return 1;
}

/* Largest magnitude of an element, -inf left out of account where the contract admits it besides. */
static double magnitude(const Check *k, int tensor) {
  WfCase finite;
  if (!(k->v->flags & WF_MINUS_INF))
    return wf_case_max_abs(k->c, tensor);
  finite = *k->c;
  finite.n_edits = 0;
  for (uint32_t i = 0; i < k->c->n_edits; i++)
    if (k->c->edits[i].value != -INFINITY)
      finite.edits[finite.n_edits++] = k->c->edits[i];
  return wf_case_max_abs(&finite, tensor);
}

/* Of a launch outside the contract too: what the kernel takes for its elements is no matter of the contract. */
static int types_are_those(Check *k) {
  const WfOp *op = k->c->op;
  for (int i = 0; i < op->n_tensors; i++)
    if (k->c->dtype[i] != k->v->dtype[i])
      return no(k, "%s is of %s, and the kernel wants %s", op->tensors[i].name, wf_dtype_name(k->c->dtype[i]), wf_dtype_name(k->v->dtype[i]));
  return 1;
}

static int values_are_admitted(Check *k) {
  const WfOp *op = k->c->op;
  for (int i = 0; k->v->values > 0 && i < op->n_tensors; i++)
    if (op->tensors[i].role == WF_IN && !(magnitude(k, i) <= k->v->values))
      return no(k, "the contract wants finite values of %s within %g of zero", op->tensors[i].name, k->v->values);
  return 1;
}

/* The one text in which scalars have a place: a launch does not depend on them. */
static int requirement_holds(Check *k) {
  int64_t holds = 1;
  char err[128];
  if (k->v->requires && wf_expr_eval_scalars(k->v->requires, &k->vars, k->c->scalar, NULL, &holds, err, sizeof err) != 0)
    return no(k, "the contract's condition '%s' gives no value: %s", k->v->requires, err);
  return holds ? 1 : no(k, "the contract requires %s", k->v->requires);
}

/* Is `name` one of the words of a list? */
static int is_listed(const char *list, const char *name) {
  size_t n = strlen(name);
  for (const char *at = list; at && *at; at += strcspn(at, " "), at += strspn(at, " "))
    if (strcspn(at, " ") == n && memcmp(at, name, n) == 0)
      return 1;
  return 0;
}

static int place_is_legal(Check *k) {
  const WfCase *c = k->c;
  if (!c->in_place)
    return 1;
  int in = c->in_place - 1;
  for (int t = 0; t < c->op->n_tensors; t++)
    if (c->op->tensors[t].role == WF_OUT && c->dtype[t] != c->dtype[in])
      return no(k, "%s is of another type than %s, in whose memory it cannot lie", c->op->tensors[t].name, c->op->tensors[in].name);
  for (int t = 0; t < c->op->n_tensors; t++)
    if (c->op->tensors[t].role == WF_OUT && wf_case_elems(c, t) != wf_case_elems(c, in))
      return no(k, "%s has another number of elements than %s, in whose memory it cannot lie", c->op->tensors[t].name,
                c->op->tensors[in].name);
  return wf_case_is_large(c, &k->g) ? no(k, "cases too large to run as a whole are not run in place") : 1;
}

static int place_is_admitted(Check *k) {
  const WfCase *c = k->c;
  if (c->in_place && !is_listed(k->v->in_place, c->op->tensors[c->in_place - 1].name))
    return no(k, "the contract does not admit the output in the memory of %s", c->op->tensors[c->in_place - 1].name);
  return 1;
}

static int can_be_run(Check *k) {
  WfSparse s;
  return !wf_case_is_large(k->c, &k->g) || wf_sparse_plan(k->c, k->v, &k->g, &s, k->why, k->why_size);
}

static void begin(Check *k) {
  const WfCase *c = k->c;
  memcpy(k->g.block, c->block, sizeof k->g.block);
  k->g.grid[1] = k->g.grid[2] = 1;
  k->vars = (WfVars){c->op, c->dim, k->g.grid, k->g.block, 0, NULL}; /* grid.x is 0 while its formula is evaluated */
  for (int i = 0; i < c->op->n_tensors; i++)
    k->vars.align |= c->fill[i].base_offset_elems;
}

/* The case's own grid, whatever the contract says; where it has none, the contract's. */
static int grid_is_known(Check *k) {
  if (k->c->grid[0] == 0)
    return grid_is_admitted(k);
  memcpy(k->g.grid, k->c->grid, sizeof k->g.grid);
  const char *const formula[] = {NULL, k->v->grid_y, k->v->grid_z};
  for (int axis = 1; axis < 3; axis++) /* 1 leaves it to the formula here too */
    if (formula[axis] && k->c->grid[axis] == 1 && !formula_extent(k, formula[axis], axis))
      return 0;
  return 1;
}

int64_t wf_geometry_threads(const WfGeometry *g) {
  int64_t n = 1;
  for (int i = 0; i < 3; i++)
    if (__builtin_mul_overflow(n, g->grid[i], &n) || __builtin_mul_overflow(n, g->block[i], &n))
      return INT64_MAX;
  return n;
}

int wf_case_launch(const WfCase *c, const WfVariant *v, WfGeometry *g, char *why, size_t why_size) {
  Check k = {.c = c, .v = v, .why = why, .why_size = why_size};
  begin(&k);
  if (!types_are_those(&k) || !dims_are_legal(&k) || !grid_is_known(&k) || !shared_is_admitted(&k) || !scratch_is_admitted(&k) ||
      !place_is_legal(&k) || !can_be_run(&k))
    return 0;
  *g = k.g;
  return 1;
}

int wf_case_condition(const WfCase *c, const WfVariant *v, const double *scalars, WfCompared *compared) {
  Check k = {.c = c, .v = v};
  int64_t holds = 0;
  begin(&k);
  if (compared)
    compared->n = 0;
  if (!dims_are_legal(&k) || !grid_is_admitted(&k))
    return 0;
  return !v->requires || (wf_expr_eval_scalars(v->requires, &k.vars, scalars, compared, &holds, NULL, 0) == 0 && holds);
}

int wf_case_admits(const WfCase *c, const WfVariant *v, WfGeometry *g, char *why, size_t why_size) {
  Check k = {.c = c, .v = v, .why = why, .why_size = why_size};
  begin(&k);
  if (!types_are_those(&k) || !dims_are_legal(&k) || !emptiness_is_admitted(&k) || !block_is_admitted(&k) || !grid_is_admitted(&k) ||
      !requirement_holds(&k) || !shared_is_admitted(&k) || !scratch_is_admitted(&k) || !values_are_admitted(&k) ||
      !place_is_admitted(&k) || !place_is_legal(&k) || !can_be_run(&k))
    return 0;
  if (g)
    *g = k.g;
  return 1;
}
