/* element.c - positions of elements, sets of bad ones and their picture. */
#include "element.h"
#include <math.h>
#include <string.h>

int wf_output_tensor(const WfOp *op) {
  for (int t = 0; t < op->n_tensors; t++)
    if (op->tensors[t].role == WF_OUT)
      return t;
  return 0;
}

static int64_t smaller(int64_t a, int64_t b) {
  return a < b ? a : b;
}

void wf_bad_init(WfBadSet *b, const WfOp *op, int tensor, const int64_t *dim) {
  const WfTensorDesc *t = &op->tensors[tensor];
  memset(b, 0, sizeof *b);
  b->op = op;
  b->dim = dim;
  b->tensor = tensor;
  b->rows = t->rank == 2 ? wf_extent(t, 0, dim) : 1;
  b->cols = wf_extent(t, t->rank - 1, dim);
  b->first = -1;
  for (int64_t r = 0; r < smaller(b->rows, WF_MAP_ROWS); r++)
    memset(b->map[r], '.', (size_t)smaller(b->cols, WF_MAP_COLS));
}

/* Which of the cells that share n positions evenly holds position i; the quotient form cannot overflow. */
static int64_t cell_of(int64_t i, int64_t n, int64_t n_cells) {
  if (n <= n_cells)
    return i;
  int64_t whole = n / n_cells, longer = n % n_cells; /* the first `longer` cells hold one position more */
  int64_t split = longer * (whole + 1);
  return i < split ? i / (whole + 1) : longer + (i - split) / whole;
}

void wf_bad_mark(WfBadSet *b, int64_t index) {
  if (b->first < 0 || index < b->first)
    b->first = index;
  b->count++;
  b->map[cell_of(index / b->cols, b->rows, WF_MAP_ROWS)][cell_of(index % b->cols, b->cols, WF_MAP_COLS)] = '#';
}

/* Of the tensor. */
static int64_t true_index(const WfBadSet *b, int64_t index) {
  int64_t elems = b->op->tensors[b->tensor].rank == 2 ? b->cols : 1;
  return b->slice ? b->slice[index / elems] * elems + index % elems : index;
}

void wf_bad_finding(WfFinding *f, const WfBadSet *b, SimtClass cls, const char *rule, double expected, float got) {
  memset(f, 0, sizeof *f);
  f->simt.cls = cls;
  f->simt.severity = SIMT_ERROR;
  f->simt.kernel = "";
  f->simt.here.access = f->simt.other.access = "";
  f->simt.object = b->op->tensors[b->tensor].name;
  f->simt.offset_bytes = true_index(b, b->first) * (int64_t)wf_dtype_bytes(b->dtype);
  wf_element_index(b, b->first, f->simt.element, sizeof f->simt.element);
  f->simt.size_bytes = wf_dtype_bytes(b->dtype);
  f->simt.rule = rule;
  f->simt.count = 1;
  f->op = b->op;
  f->has_value = 1;
  f->index = true_index(b, b->first);
  f->expected = expected;
  f->bound = 0;
  f->got = got;
  f->ulp = NAN;
  f->n_bad = b->count;
  f->n_elems = b->rows * b->cols;
  memcpy(f->map, b->map, sizeof f->map);
}

void wf_element_index(const WfBadSet *b, int64_t index, char *buf, size_t size) {
  int is_inside = index >= 0 && index < b->rows * b->cols;
  if (is_inside)
    index = true_index(b, index);
  if (b->op->tensors[b->tensor].rank == 2 && is_inside)
    snprintf(buf, size, "[%lld,%lld]", (long long)(index / b->cols), (long long)(index % b->cols));
  else
    snprintf(buf, size, "[%lld]", (long long)index);
}

char *wf_element_text(const WfBadSet *b, int64_t index, char *buf) {
  const WfTensorDesc *t = &b->op->tensors[b->tensor];
  index = true_index(b, index);
  if (t->rank == 2)
    snprintf(buf, WF_ELEMENT_TEXT, "%.32s[%lld,%lld]", t->name, (long long)(index / b->cols),
             (long long)(index % b->cols));
  else
    snprintf(buf, WF_ELEMENT_TEXT, "%.32s[%lld]", t->name, (long long)index);
  return buf;
}
