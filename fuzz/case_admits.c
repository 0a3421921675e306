/* case_admits.c - does a variant's contract admit a case, and with which launch. */
#include "sparse.h"
#include <inttypes.h>
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

static int dims_are_legal(Check *k) {
  const WfOp *op = k->c->op;
  for (int i = 0; i < op->n_dims; i++)
    if (k->c->dim[i] < op->dims[i].min)
      return no(k, "%s is %" PRId64 ", and the op wants at least %" PRId64, op->dims[i].name, k->c->dim[i], op->dims[i].min);
  for (int i = 0; i < op->n_tensors; i++)
    if (wf_case_elems(k->c, i) < 0)
      return no(k, "the tensor %s has too many elements", op->tensors[i].name);
  return 1;
}

static int block_is_admitted(Check *k) {
  WfSpec spec;
  char err[128];
  const char *text = k->v->block ? k->v->block : "1..1024";
  const uint32_t *b = k->c->block;
  if (wf_spec_parse(text, &spec, err, sizeof err))
    return no(k, "the contract's block '%s' cannot be read: %s", text, err);
  if (b[1] != 1 || b[2] != 1)
    return no(k, "the block is %" PRIu32 "x%" PRIu32 "x%" PRIu32 ", and the contract wants one dimension", b[0], b[1], b[2]);
  if (!wf_spec_admits(&spec, b[0]))
    return no(k, "block.x is %" PRIu32 ", and the contract wants %s", b[0], text);
  if (b[0] == 0 || b[0] > 1024)
    return no(k, "a block has 1 to 1024 threads, not %" PRIu32, b[0]);
  return 1;
}

static int evaluate(Check *k, const char *what, const char *text, int64_t *out) {
  char err[128];
  if (wf_expr_eval(text, &k->vars, out, err, sizeof err) == 0)
    return 1;
  return no(k, "the contract's %s '%s' gives no value: %s", what, text, err);
}

static int formula_grid(Check *k) {
  int64_t n;
  const uint32_t *wanted = k->c->grid;
  if (!evaluate(k, "grid", k->v->grid, &n))
    return 0;
  if (n < 1 || n > INT32_MAX)
    return no(k, "the contract's grid '%s' gives %" PRId64 " blocks", k->v->grid, n);
  if (wanted[0] != 0 && wanted[0] != n)
    return no(k, "grid.x is %" PRIu32 ", and the contract's grid '%s' gives %" PRId64, wanted[0], k->v->grid, n);
  k->g.grid[0] = (uint32_t)n;
  return 1;
}

static int grid_is_admitted(Check *k) {
  const WfCase *c = k->c;
  if (c->grid[1] != 1 || c->grid[2] != 1)
    return no(k, "the grid has %" PRIu32 " and %" PRIu32 " blocks along y and z, and the contract wants one dimension",
              c->grid[1], c->grid[2]);
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
  if (k->v->shared && !evaluate(k, "shared", k->v->shared, &bytes))
    return 0;
  if (bytes < 0)
    return no(k, "the contract's shared '%s' gives %" PRId64 " bytes", k->v->shared, bytes);
  k->g.shared_bytes = (uint64_t)bytes;
  return 1;
}

static int scratch_is_admitted(Check *k) {
  int64_t bytes = 0;
  if (k->v->scratch && !evaluate(k, "scratch", k->v->scratch, &bytes))
    return 0;
  if (bytes < 0)
    return no(k, "the contract's scratch '%s' gives %" PRId64 " bytes", k->v->scratch, bytes);
  k->g.scratch_bytes = (uint64_t)bytes;
  return 1;
}

static int values_are_admitted(Check *k) {
  const WfOp *op = k->c->op;
  for (int i = 0; k->v->values > 0 && i < op->n_tensors; i++)
    if (op->tensors[i].role == WF_IN && !(wf_case_max_abs(k->c, i) <= k->v->values))
      return no(k, "the contract wants finite values of %s within %g of zero", op->tensors[i].name, k->v->values);
  return 1;
}

static int requirement_holds(Check *k) {
  int64_t holds = 1;
  if (k->v->requires && !evaluate(k, "condition", k->v->requires, &holds))
    return 0;
  return holds ? 1 : no(k, "the contract requires %s", k->v->requires);
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
    return k->v->grid ? formula_grid(k) : grid_is_admitted(k);
  memcpy(k->g.grid, k->c->grid, sizeof k->g.grid);
  return 1;
}

int wf_case_launch(const WfCase *c, const WfVariant *v, WfGeometry *g, char *why, size_t why_size) {
  Check k = {.c = c, .v = v, .why = why, .why_size = why_size};
  begin(&k);
  if (!dims_are_legal(&k) || !grid_is_known(&k) || !shared_is_admitted(&k) || !scratch_is_admitted(&k) || !can_be_run(&k))
    return 0;
  *g = k.g;
  return 1;
}

int wf_case_admits(const WfCase *c, const WfVariant *v, WfGeometry *g, char *why, size_t why_size) {
  Check k = {.c = c, .v = v, .why = why, .why_size = why_size};
  begin(&k);
  if (!dims_are_legal(&k) || !block_is_admitted(&k) || !grid_is_admitted(&k) || !requirement_holds(&k) ||
      !shared_is_admitted(&k) || !scratch_is_admitted(&k) || !values_are_admitted(&k) || !can_be_run(&k))
    return 0;
  if (g)
    *g = k.g;
  return 1;
}
