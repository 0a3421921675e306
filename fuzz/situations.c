/* situations.c - classifies executions by launch geometry, shape and input values. */
#include "situations.h"
#include <math.h>
#include <string.h>

#define WARP_THREADS 32
enum { VECTOR_BYTES = 16, VECTOR_ELEMS = 4 /* of float */ };

static const char *const situation_names[WF_SITUATION_COUNT] = {
  [WF_PARTIAL_WARP] = "partial-warp",       [WF_COLS_OVER_BLOCK] = "cols>block", [WF_BLOCK_OVER_COLS] = "block>cols",
  [WF_ROWS_OVER_GRID] = "rows>grid",        [WF_MASKED_ROW] = "masked-row",      [WF_NAN_INPUT] = "nan-input",
  [WF_INF_INPUT] = "inf-input",             [WF_SINGLE_ROW] = "single-row",      [WF_PAST_31_BITS] = "past-2^31",
  [WF_UNALIGNED_BASE] = "unaligned-base", [WF_DIMS_DIFFER] = "dims-differ", [WF_TAIL] = "cols%4",
  [WF_PARTIAL_TILE] = "partial-tile",     [WF_OVER_TILE] = "over-tile",     [WF_EMPTY_DIM] = "empty-dim",
  [WF_IN_PLACE] = "in-place",             [WF_EXACT] = "exact-sums",
};

const char *wf_situation_name(WfSituation s) {
  return situation_names[s];
}

static uint32_t flag(WfSituation s, int holds) {
  return holds ? 1u << s : 0;
}

static int first_input(const WfOp *op) {
  for (int t = 0; t < op->n_tensors; t++)
    if (op->tensors[t].role == WF_IN)
      return t;
  return 0;
}

static int64_t row_count(const WfCase *c, int tensor) {
  const WfTensorDesc *t = &c->op->tensors[tensor];
  return t->rank == 2 ? wf_extent(t, 0, c->dim) : 1;
}

static int64_t col_count(const WfCase *c, int tensor) {
  const WfTensorDesc *t = &c->op->tensors[tensor];
  return wf_extent(t, t->rank - 1, c->dim);
}

static uint64_t volume(const uint32_t n[3]) {
  return (uint64_t)n[0] * n[1] * n[2];
}

static uint32_t launch_situations(const WfCase *c, const WfVariant *v, const WfGeometry *g) {
  int t = first_input(c->op);
  uint64_t rows = (uint64_t)row_count(c, t), cols = (uint64_t)col_count(c, t);
  uint64_t threads = volume(g->block), blocks = volume(g->grid);
  return flag(WF_PARTIAL_WARP, threads % WARP_THREADS != 0) | flag(WF_COLS_OVER_BLOCK, cols > threads) |
         flag(WF_BLOCK_OVER_COLS, threads > cols) | flag(WF_ROWS_OVER_GRID, !v->grid && rows > blocks) |
         flag(WF_SINGLE_ROW, c->op->tensors[t].rank == 2 && rows == 1);
}

static int dims_differ(const WfCase *c) {
  for (int i = 0; i < c->op->n_dims; i++)
    for (int k = 0; k < i; k++)
      if (c->dim[i] == c->dim[k])
        return 0;
  return c->op->n_dims > 1;
}

static uint32_t dim_situations(const WfCase *c, const WfVariant *v) {
  uint32_t set = flag(WF_DIMS_DIFFER, dims_differ(c)) | flag(WF_IN_PLACE, c->in_place != 0) |
                 flag(WF_TAIL, col_count(c, first_input(c->op)) % VECTOR_ELEMS != 0);
  for (int i = 0; i < c->op->n_dims; i++)
    set |= flag(WF_EMPTY_DIM, c->dim[i] == 0) |
           (v->tile > 0 ? flag(WF_PARTIAL_TILE, c->dim[i] % v->tile != 0) | flag(WF_OVER_TILE, c->dim[i] > v->tile) : 0);
  return set;
}

static uint32_t size_situations(const WfCase *c) {
  uint32_t set = 0;
  for (int t = 0; t < c->op->n_tensors; t++)
    set |= flag(WF_PAST_31_BITS, wf_case_elems(c, t) > (int64_t)1 << 31);
  return set;
}

static uint32_t base_situations(const WfCase *c) {
  uint32_t set = 0;
  for (int t = 0; t < c->op->n_tensors; t++)
    set |= flag(WF_UNALIGNED_BASE, c->fill[t].base_offset_elems * wf_dtype_bytes(c->dtype[t]) % VECTOR_BYTES != 0);
  return set;
}

static uint32_t row_situations(const float *row, int64_t cols) {
  int64_t n_nan = 0, n_inf = 0, n_masked = 0;
  for (int64_t i = 0; i < cols; i++) {
    n_nan += isnan(row[i]) != 0;
    n_inf += isinf(row[i]) != 0;
    n_masked += row[i] == -INFINITY;
  }
  return flag(WF_NAN_INPUT, n_nan > 0) | flag(WF_INF_INPUT, n_inf > 0) |
         flag(WF_MASKED_ROW, cols > 0 && n_masked == cols);
}

uint32_t wf_launch_situations(const WfCase *c, const WfVariant *v, const WfGeometry *g) {
  return launch_situations(c, v, g) | dim_situations(c, v) | size_situations(c) | base_situations(c);
}

uint32_t wf_value_situations(const WfCase *c, const int64_t *dim, const float *const *values) {
  uint32_t set = 0;
  for (int t = 0; t < c->op->n_tensors; t++) {
    if (c->op->tensors[t].role != WF_IN)
      continue;
    const WfTensorDesc *desc = &c->op->tensors[t];
    int64_t rows = desc->rank == 2 ? wf_extent(desc, 0, dim) : 1, cols = wf_extent(desc, desc->rank - 1, dim);
    for (int64_t r = 0; r < rows; r++)
      set |= row_situations(values[t] + r * cols, cols);
  }
  return set;
}

uint32_t wf_situations(const WfCase *c, const WfVariant *v, const WfGeometry *g, const int64_t *dim,
                       const float *const *values) {
  return wf_launch_situations(c, v, g) | wf_value_situations(c, dim, values);
}

/* ---- what a contract leaves room for ---- */

#define BIT(s) (1u << (s))
#define OF_VALUES (BIT(WF_MASKED_ROW) | BIT(WF_NAN_INPUT) | BIT(WF_INF_INPUT))
#define ALL_SITUATIONS (BIT(WF_SITUATION_COUNT) - 1)
#define COUNT(a) (sizeof(a) / sizeof *(a))

/* Warp and vector edges, both sides of usual block sizes; where an op has three dims, the first few. */
static const int64_t lattice_dims[] = {0, 1, 2, 3, 4, 31, 33, 64, 288, 8, 32, 100, 101, 256, 1000, 1024, 2048, 129};
enum { FEW_DIMS = 9 };
static const uint32_t lattice_blocks[] = {1, 7, 8, 16, 31, 32, 33, 64, 96, 100, 128, 256, 512, 1000, 1024};

/* Block, grid and alignment of a case whose dims are set: the situations of those that are admitted. */
static uint32_t launches_allowed(WfCase *c, const WfVariant *v) {
  uint32_t set = 0;
  WfGeometry g;
  WfSpec other;
  for (int axis = 1; axis < 3; axis++) {
    const char *text = axis == 1 ? v->block_y : v->block_z;
    c->block[axis] = text && wf_spec_parse(text, &other, NULL, 0) == 0 ? (uint32_t)other.min : 1;
  }
  for (size_t i = 0; i < COUNT(lattice_blocks); i++) {
    c->block[0] = lattice_blocks[i];
    for (uint32_t k = 0; k < 4; k++) {
      c->grid[0] = k & 1; /* one block; by formula or as usual */
      c->fill[0].base_offset_elems = k >> 1;
      if (wf_case_admits(c, v, &g, NULL, 0))
        set |= launch_situations(c, v, &g) | dim_situations(c, v) | base_situations(c);
    }
  }
  return set;
}

/* A shape of more than 2^31 elements, of which some blocks run. */
static uint32_t large_allowed(WfCase *c, const WfVariant *v) {
  for (size_t p = 1; v->owns && p < COUNT(lattice_dims); p++) { /* 0 apart */
    c->dim[0] = ((int64_t)1 << 31) / lattice_dims[p] + 2;
    for (int d = 1; d < c->op->n_dims; d++)
      c->dim[d] = lattice_dims[p];
    if (size_situations(c) && launches_allowed(c, v))
      return BIT(WF_PAST_31_BITS);
  }
  return 0;
}

uint32_t wf_situations_usual(const WfOp *op, const WfVariant *v) {
  uint32_t set = (v->values > 0 ? 0 : OF_VALUES) | flag(WF_IN_PLACE, v->in_place != NULL) | flag(WF_EXACT, op->exact);
  size_t points = 1;
  WfCase c;
  memset(&c, 0, sizeof c);
  c.op = op;
  wf_case_take_types(&c, v);
  c.block[1] = c.block[2] = c.grid[1] = c.grid[2] = 1;
  size_t lengths = op->n_dims > 2 ? FEW_DIMS : COUNT(lattice_dims);
  for (int d = 0; d < op->n_dims; d++)
    points *= lengths;
  for (size_t p = 0; p < points && set != ALL_SITUATIONS; p++) {
    size_t rest = p;
    int outside = 0;
    for (int d = 0; d < op->n_dims; d++, rest /= lengths) {
      c.dim[d] = lattice_dims[rest % lengths];
      outside |= c.dim[d] < op->dims[d].min || c.dim[d] > op->dims[d].fuzz_max;
    }
    if (!outside)
      set |= launches_allowed(&c, v);
  }
  return set | large_allowed(&c, v);
}

/* One long dim, the others small, as a campaign draws them now and then. */
static uint32_t long_allowed(WfCase *c, const WfVariant *v) {
  uint32_t set = 0;
  for (int dim = 0; !c->op->is_bounded && dim < c->op->n_dims; dim++) {
    for (int d = 0; d < c->op->n_dims; d++)
      c->dim[d] = d == dim ? 4096 : c->op->dims[d].min > 0 ? c->op->dims[d].min : 1;
    set |= launches_allowed(c, v);
  }
  return set;
}

uint32_t wf_situations_allowed(const WfOp *op, const WfVariant *v) {
  WfCase c;
  memset(&c, 0, sizeof c);
  c.op = op;
  wf_case_take_types(&c, v);
  c.block[1] = c.block[2] = c.grid[1] = c.grid[2] = 1;
  return wf_situations_usual(op, v) | long_allowed(&c, v);
}
