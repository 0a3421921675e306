/* case_parse.c - reads the text of a case (doc/CASE.md). Whatever is not in the grammar is an error: a typing mistake in a
 * hand-edited case must not quietly give another case. */
#include "case_scan.h"
#include "../simt/simt.h"
#include "number.h"
#include <math.h>
#include <string.h>

enum { /* Parser.seen; then a bit for each dim and one for each tensor */
  SEEN_HEADER = 1u << 0,
  SEEN_OP = 1u << 1,
  SEEN_VARIANT = 1u << 2,
  SEEN_EXPECT = 1u << 3,
  SEEN_SCALARS = 1u << 4,
  SEEN_GRID = 1u << 5,
  SEEN_BLOCK = 1u << 6,
  SEEN_SCHEDULE = 1u << 7,
  SEEN_IN_PLACE = 1u << 8,
  SEEN_DTYPE = 1u << 9,
  SEEN_DIM = 1u << 10,
  SEEN_TENSOR = 1u << 16
};

typedef struct Parser {
  Scan scan;
  WfCase *c;
  uint32_t seen;
} Parser;

/* Notes that a key was met; -1 the second time. */
static int once(Parser *p, uint32_t bit, Token key) {
  if (p->seen & bit)
    return wf_scan_fail(&p->scan, "given twice:", key);
  p->seen |= bit;
  return 0;
}

static int header(Parser *p, Token first) {
  Token kind = wf_scan_token(&p->scan, "");
  if (!wf_scan_is(first, "warpfuzz") || !wf_scan_is(kind, "case"))
    return wf_scan_fail(&p->scan, "expected the header 'warpfuzz case 1', found", first);
  Token version = wf_scan_token(&p->scan, "");
  if (!wf_scan_is(version, "1"))
    return wf_scan_fail(&p->scan, "only version 1 is known, found", version);
  p->seen |= SEEN_HEADER;
  return wf_scan_rest_empty(&p->scan);
}

static int op_line(Parser *p, Token key) {
  if (!wf_scan_is(key, "op"))
    return wf_scan_fail(&p->scan, "expected 'op' right after the header, found", key);
  Token name = wf_scan_token(&p->scan, "");
  p->c->op = wf_op_find(name.s, name.n);
  if (!p->c->op)
    return wf_scan_fail(&p->scan, "unknown op", name);
  p->seen |= SEEN_OP;
  return wf_scan_rest_empty(&p->scan);
}

static int variant_line(Parser *p) {
  Token name = wf_scan_token(&p->scan, "");
  p->c->variant = wf_variant_find(p->c->op, name.s, name.n);
  if (!p->c->variant)
    return wf_scan_fail(&p->scan, "the op has no variant", name);
  return wf_scan_rest_empty(&p->scan);
}

static int expect_line(Parser *p) {
  Token t = wf_scan_token(&p->scan, "");
  do {
    SimtClass cls;
    if (simt_class_parse(t.s, t.n, &cls))
      return wf_scan_fail(&p->scan, "unknown class", t);
    if (p->c->expect & 1u << cls)
      return wf_scan_fail(&p->scan, "given twice:", t);
    p->c->expect |= 1u << cls;
  } while ((t = wf_scan_token(&p->scan, "")).n);
  return 0;
}

/* One to three extents; those not given stay 1. */
static int extents_line(Parser *p, uint32_t out[3]) {
  Token t = wf_scan_token(&p->scan, "");
  for (int i = 0; i < 3; i++) {
    uint64_t v = 1;
    if ((i == 0 || t.n) && wf_scan_u64(&p->scan, t, INT32_MAX, &v))
      return -1;
    out[i] = (uint32_t)v;
    if (t.n)
      t = wf_scan_token(&p->scan, "");
  }
  return t.n ? wf_scan_fail(&p->scan, "unexpected", t) : 0;
}

static int number_error(Parser *p, int r, Token t) {
  if (r == WF_NUMBER_RANGE)
    return wf_scan_fail(&p->scan, "out of range:", t);
  return wf_scan_fail(&p->scan, "expected a number, found", t);
}

static int scalars_line(Parser *p) {
  for (int i = 0; i < p->c->op->n_scalars; i++) {
    Token t = wf_scan_token(&p->scan, "");
    int r = wf_number_double(t.s, t.n, &p->c->scalar[i]);
    if (r)
      return number_error(p, r, t);
  }
  return wf_scan_rest_empty(&p->scan);
}

static int u64_line(Parser *p, uint64_t max, uint64_t *out) {
  if (wf_scan_u64(&p->scan, wf_scan_token(&p->scan, ""), max, out))
    return -1;
  return wf_scan_rest_empty(&p->scan);
}

static int fill_real(Parser *p, Token t, double *out) {
  float v = 0;
  int r = wf_number_float(t.s, t.n, &v); /* a float, as the arithmetic of value.h wants */
  if (r == 0 && !isfinite(v))
    return wf_scan_fail(&p->scan, "expected a finite number, found", t);
  *out = (double)v;
  return r ? number_error(p, r, t) : 0;
}

/* seed=, scale=, offset=, align=; an output takes the last only. */
static int fill_parameters(Parser *p, WfFill *f, int is_out) {
  static const char *const names[] = {"align", "seed", "scale", "offset"};
  uint32_t seen = 0;
  Token key;
  while ((key = wf_scan_token(&p->scan, "=")).n) {
    int i = 0, n = is_out ? 1 : 4;
    while (i < n && !wf_scan_is(key, names[i]))
      i++;
    if (i == n)
      return wf_scan_fail(&p->scan, is_out ? "an output takes nothing but align=, found" : "unknown parameter", key);
    if (seen & 1u << i)
      return wf_scan_fail(&p->scan, "given twice:", key);
    seen |= 1u << i;
    if (!wf_scan_take(&p->scan, '='))
      return wf_scan_fail(&p->scan, "expected '=' after", key);
    Token value = wf_scan_token(&p->scan, "");
    uint64_t u = 0;
    if (i < 2 ? wf_scan_u64(&p->scan, value, i ? UINT64_MAX : 63, &u)
              : fill_real(p, value, i == 2 ? &f->scale : &f->offset))
      return -1;
    if (i == 0)
      f->base_offset_elems = (uint32_t)u;
    else if (i == 1)
      f->seed = u;
  }
  if (p->scan.at < p->scan.end) /* a lone '=' */
    return wf_scan_fail(&p->scan, "unexpected", (Token){p->scan.at, 1});
  if (is_out && !seen)
    return wf_scan_fail(&p->scan, "expected align=, found", key);
  return 0;
}

static int tensor_line(Parser *p, int tensor) {
  WfFill *f = &p->c->fill[tensor];
  int is_out = p->c->op->tensors[tensor].role == WF_OUT;
  if (!is_out) {
    Token name = wf_scan_token(&p->scan, "");
    int d = 0;
    while (d < WF_DIST_COUNT && !wf_scan_is(name, wf_dist_name((WfDist)d)))
      d++;
    if (d == WF_DIST_COUNT)
      return wf_scan_fail(&p->scan, "unknown distribution", name);
    f->dist = (WfDist)d;
    f->scale = 1;
    f->offset = d == WF_DIST_MEAN ? 1000 : 0;
  }
  return fill_parameters(p, f, is_out);
}

static int in_place_line(Parser *p) {
  const WfOp *op = p->c->op;
  Token name = wf_scan_token(&p->scan, "");
  for (int i = 0; i < op->n_tensors; i++)
    if (op->tensors[i].role == WF_IN && wf_scan_is(name, op->tensors[i].name)) {
      p->c->in_place = (uint32_t)i + 1;
      return wf_scan_rest_empty(&p->scan);
    }
  return wf_scan_fail(&p->scan, "the op has no input", name);
}

static int dtype_line(Parser *p) {
  char why[160];
  Token types = wf_scan_token(&p->scan, "");
  if (wf_dtypes_parse(p->c->op, types.s, types.n, p->c->dtype, why, sizeof why) != 0) {
    snprintf(p->scan.err, p->scan.err_size, "%s:%u: %s", p->scan.name, p->scan.line, why);
    return -1;
  }
  return wf_scan_rest_empty(&p->scan);
}

/* A dim, a tensor or an edit: names that come from the op. */
static int named_line(Parser *p, Token key) {
  const WfOp *op = p->c->op;
  for (int i = 0; i < op->n_dims; i++)
    if (wf_scan_is(key, op->dims[i].name)) {
      uint64_t v = 0;
      if (once(p, SEEN_DIM << i, key) || u64_line(p, (uint64_t)WF_MAX_EXTENT, &v))
        return -1;
      p->c->dim[i] = (int64_t)v;
      return 0;
    }
  for (int i = 0; i < op->n_tensors; i++)
    if (wf_scan_is(key, op->tensors[i].name)) {
      if (wf_scan_take(&p->scan, '[')) {
        p->scan.at--;
        if (op->tensors[i].role == WF_OUT)
          return wf_scan_fail(&p->scan, "an output has no values to edit:", key);
        return wf_scan_edit(&p->scan, p->c, i);
      }
      return once(p, SEEN_TENSOR << i, key) || tensor_line(p, i) ? -1 : 0;
    }
  return wf_scan_fail(&p->scan, "unknown key", key);
}

static int keyed_line(Parser *p, Token key) {
  static const struct {
    const char *name;
    uint32_t bit;
  } keys[] = {{"variant", SEEN_VARIANT}, {"expect", SEEN_EXPECT}, {"scalars", SEEN_SCALARS}, {"grid", SEEN_GRID},
              {"block", SEEN_BLOCK},     {"schedule", SEEN_SCHEDULE}, {"in-place", SEEN_IN_PLACE},
              {"dtype", SEEN_DTYPE},     {"op", SEEN_OP}};
  uint32_t bit = 0;
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
    if (wf_scan_is(key, keys[i].name))
      bit = keys[i].bit;
  if (bit && once(p, bit, key))
    return -1;
  switch (bit) {
  case SEEN_VARIANT: return variant_line(p);
  case SEEN_EXPECT: return expect_line(p);
  case SEEN_SCALARS: return p->c->op->n_scalars ? scalars_line(p) : wf_scan_fail(&p->scan, "the op takes no", key);
  case SEEN_GRID: return extents_line(p, p->c->grid);
  case SEEN_BLOCK: return extents_line(p, p->c->block);
  case SEEN_IN_PLACE: return in_place_line(p);
  case SEEN_DTYPE: return dtype_line(p);
  case SEEN_SCHEDULE: return u64_line(p, UINT64_MAX, &p->c->schedule);
  default: return named_line(p, key);
  }
}

static int missing(Parser *p, const char *what) {
  snprintf(p->scan.err, p->scan.err_size, "%s:%u: '%s' is missing", p->scan.name, p->scan.line, what);
  return -1;
}

/* What only the whole text can tell. */
static int finish(Parser *p) {
  if (!(p->seen & SEEN_HEADER))
    return missing(p, "warpfuzz case 1");
  if (!(p->seen & SEEN_OP))
    return missing(p, "op");
  const WfOp *op = p->c->op;
  for (int i = 0; i < op->n_dims; i++)
    if (!(p->seen & SEEN_DIM << i))
      return missing(p, op->dims[i].name);
  if (op->n_scalars && !(p->seen & SEEN_SCALARS))
    return missing(p, "scalars");
  if (!(p->seen & SEEN_BLOCK))
    return missing(p, "block");
  for (int i = 0; i < op->n_tensors; i++) {
    Token name = {op->tensors[i].name, strlen(op->tensors[i].name)};
    int64_t n = wf_case_elems(p->c, i);
    if (op->tensors[i].role == WF_IN && !(p->seen & SEEN_TENSOR << i))
      return missing(p, op->tensors[i].name);
    if (n < 0 || n > WF_MAX_EXTENT)
      return wf_scan_fail(&p->scan, "the dims give more than 2^40 elements to", name);
  }
  return 0;
}

static int line(Parser *p) {
  Token key = wf_scan_token(&p->scan, "[");
  if (key.n == 0)
    return wf_scan_rest_empty(&p->scan);
  if (!(p->seen & SEEN_HEADER))
    return header(p, key);
  return p->seen & SEEN_OP ? keyed_line(p, key) : op_line(p, key);
}

int wf_case_parse(WfCase *out, const char *text, size_t len, const char *name, char *err, size_t err_size) {
  Parser p = {.scan = {.next = text, .eof = text + len, .name = name, .err = err, .err_size = err_size}, .c = out};
  memset(out, 0, sizeof *out);
  out->grid[1] = out->grid[2] = 1;
  if (len == 0) {
    p.scan.line = 1;
    return missing(&p, "warpfuzz case 1");
  }
  while (wf_scan_line(&p.scan)) {
    Token rest = {p.scan.at, (size_t)(p.scan.end - p.scan.at)};
    if (memchr(rest.s, 0, (size_t)(p.scan.next - rest.s)))
      return wf_scan_fail(&p.scan, "a NUL byte in", rest);
    if (line(&p))
      return -1;
  }
  return finish(&p);
}
