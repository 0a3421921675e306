/* emit_values.c - the tensors of a case in an emitted program: shapes, and the values of the inputs, as numbers or as what draws them. */
#include "emit_impl.h"
#include "run_impl.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { NUMBERS_A_LINE = 8 };

const char *wf_emit_double(char buf[WF_NUMBER_SIZE], double v) {
  if (isnan(v))
    return "NAN";
  if (isinf(v))
    return v > 0 ? "INFINITY" : "-INFINITY";
  if (v == floor(v) && fabs(v) < 1e15)
    snprintf(buf, WF_NUMBER_SIZE, "%s%" PRId64 ".0", signbit(v) ? "-" : "", (int64_t)fabs(v));
  else
    wf_number_print_hex(buf, v);
  return buf;
}

const char *wf_emit_float(char buf[WF_NUMBER_SIZE], float v) {
  const char *text = wf_emit_double(buf, (double)v);
  if (text == buf)
    strcat(buf, "f");
  return text;
}

int wf_emit_is_large(const WfCase *c) {
  for (int t = 0; t < c->op->n_tensors; t++)
    if (wf_case_elems(c, t) > WF_EMIT_HOST)
      return 1;
  return 0;
}

static int64_t columns(const WfCase *c, int t) {
  const WfTensorDesc *desc = &c->op->tensors[t];
  return wf_extent(desc, desc->rank - 1, c->dim);
}

static int64_t rows(const WfCase *c, int t) {
  const WfTensorDesc *desc = &c->op->tensors[t];
  return desc->rank == 2 ? wf_extent(desc, 0, c->dim) : 1;
}

static int is_written_out(const WfCase *c, int t) {
  return !wf_emit_is_large(c) && wf_case_elems(c, t) <= WF_EMIT_LITERALS;
}

/* ---- values as numbers ---- */

/* Up to NUMBERS_A_LINE values from element `first` on, and the same in decimal as a comment. */
static void add_numbers(WfText *t, const WfCase *c, int tensor, int64_t first, int64_t n) {
  char buf[WF_NUMBER_SIZE];
  WfBadSet shape;
  wf_bad_init(&shape, c->op, tensor, c->dim);
  wf_text_add(t, "   ");
  for (int64_t i = first; i < first + n; i++)
    wf_text_add(t, " %s,", wf_emit_float(buf, wf_case_value(c, tensor, i)));
  char where[WF_ELEMENT_TEXT];
  wf_text_add(t, " // %s:", wf_element_text(&shape, first, where));
  for (int64_t i = first; i < first + n; i++)
    wf_text_add(t, " %s", wf_number_print_float(buf, wf_case_value(c, tensor, i)));
  wf_text_add(t, "\n");
}

static void add_array(WfText *t, const WfCase *c, int tensor) {
  int64_t n = wf_case_elems(c, tensor), cols = columns(c, tensor);
  wf_text_add(t, "\nstatic const float %s_values[%" PRId64 "] = {\n", c->op->tensors[tensor].name, n > 0 ? n : 1);
  for (int64_t i = 0, take; i < n; i += take) {
    take = cols - i % cols < NUMBERS_A_LINE ? cols - i % cols : NUMBERS_A_LINE;
    add_numbers(t, c, tensor, i, take);
  }
  wf_text_add(t, "};\n");
}

/* ---- values as what draws them ---- */

/* "row >= 4 && (row - 4) % 32 == 0"; returns 0, and adds nothing, where all are selected. */
static int add_condition(WfText *t, const char *name, const WfSel *s, const char *before) {
  if (s->first == s->last) {
    wf_text_add(t, "%s%s == %" PRId64, before, name, s->first);
    return 1;
  }
  const char *joint = before;
  if (s->first > 0) {
    wf_text_add(t, "%s%s >= %" PRId64, joint, name, s->first);
    joint = " && ";
  }
  if (s->last != INT64_MAX) {
    wf_text_add(t, "%s%s <= %" PRId64, joint, name, s->last);
    joint = " && ";
  }
  if (s->step > 1) {
    if (s->first > 0)
      wf_text_add(t, "%s(%s - %" PRId64 ") %% %" PRId64 " == 0", joint, name, s->first, s->step);
    else
      wf_text_add(t, "%s%s %% %" PRId64 " == 0", joint, name, s->step);
    joint = " && ";
  }
  return joint != before;
}

static void add_edit(WfText *t, const WfCase *c, const WfEdit *e) {
  char buf[WF_NUMBER_SIZE], decimal[WF_NUMBER_SIZE];
  int rank2 = c->op->tensors[e->tensor].rank == 2, any = 0;
  const char *exact = wf_emit_float(buf, e->value);
  wf_text_add(t, "  ");
  if (rank2)
    any = add_condition(t, "row", &e->sel[0], "if (");
  any |= add_condition(t, "col", &e->sel[rank2], any ? " && " : "if (");
  wf_text_add(t, "%sv = %s;", any ? ") " : "", exact);
  if (strchr(exact, 'p')) /* hexadecimal */
    wf_text_add(t, " // %s", wf_number_print_float(decimal, e->value));
  wf_text_add(t, "\n");
}

static int selects_all(const WfSel *s) { return s->first == 0 && s->last == INT64_MAX && s->step == 1; }

static void add_function(WfText *t, const WfCase *c, int tensor, int on_device) {
  const WfFill *f = &c->fill[tensor];
  uint32_t edits = 0;
  int uses_row = 0, uses_col = f->dist == WF_DIST_RAMP;
  for (uint32_t i = 0; i < c->n_edits; i++)
    if (c->edits[i].tensor == tensor) {
      int rank2 = c->op->tensors[tensor].rank == 2;
      edits++;
      uses_row |= rank2 && !selects_all(&c->edits[i].sel[0]);
      uses_col |= !selects_all(&c->edits[i].sel[rank2]);
    }
  wf_text_add(t, "\nstatic %sfloat %s_value(int64_t i) {\n", on_device ? "__host__ __device__ " : "", c->op->tensors[tensor].name);
  if (uses_row)
    wf_text_add(t, "  const int64_t row = i / %" PRId64 ";\n", columns(c, tensor));
  if (uses_col)
    wf_text_add(t, "  const int64_t col = i %% %" PRId64 ";\n", columns(c, tensor));
  if (f->dist == WF_DIST_CONSTANT && !uses_row && !uses_col)
    wf_text_add(t, "  (void)i;\n");
  wf_text_add(t, "  %sfloat v = ", edits ? "" : "const ");
  wf_emit_drawn(t, f, c->dtype[tensor], tensor);
  wf_text_add(t, ";\n");
  for (uint32_t i = 0; i < c->n_edits; i++)
    if (c->edits[i].tensor == tensor)
      add_edit(t, c, &c->edits[i]);
  wf_text_add(t, "  return v;\n}\n");
}

static void add_value(WfText *t, const WfCase *c, int on_device) {
  wf_text_add(t, "\nstatic %sfloat value(int tensor, int64_t i) {\n  switch (tensor) {\n", on_device ? "__host__ __device__ " : "");
  for (int k = 0; k < c->op->n_tensors; k++) {
    const char *name = c->op->tensors[k].name;
    if (c->op->tensors[k].role == WF_IN)
      wf_text_add(t, is_written_out(c, k) ? "  case %d: return %s_values[i];\n" : "  case %d: return %s_value(i);\n", k, name);
  }
  wf_text_add(t, "  }\n  return 0;\n}\n");
}

/* ---- shapes ---- */

/* Bits of an element before the launch. */
static const char *start_of(const WfEmit *e, int tensor, char buf[64]) {
  WfStart start = wf_start_of(e->v, &e->c->op->tensors[tensor]);
  if (e->c->dtype[tensor] != WF_F32 && start != WF_START_ZERO) {
    snprintf(buf, 64, "0x%" PRIx32 "u /* %s */", wf_start_bits(e->v, e->c->op, tensor, WF_PATTERN_OUTPUT) & 0xffff,
             start == WF_START_NOTHING ? "poison" : "-inf");
    return buf;
  }
  switch (start) {
  case WF_START_NOTHING: return "poison_bits";
  case WF_START_ZERO: return "0";
  case WF_START_MINUS_INF: return "0xff800000u /* -inf */";
  }
  return "0";
}

static void add_tensors(WfText *t, const WfEmit *e, const WfGeometry *g) {
  const WfOp *op = e->c->op;
  int has_scratch = e->v->scratch != NULL;
  char start[64];
  wf_text_add(t, "static const Tensor tensors[] = {\n");
  for (int k = 0; k < op->n_tensors; k++) {
    const WfTensorDesc *desc = &op->tensors[k];
    wf_text_add(t, "    {\"%s\", %d, %" PRId64 ", %" PRId64 ", %" PRIu32 ", %s, %s},\n", desc->name, desc->rank, rows(e->c, k),
                columns(e->c, k), e->c->fill[k].base_offset_elems, desc->role == WF_IN ? "input" : "result",
                desc->role == WF_IN ? "0" : start_of(e, k, start));
  }
  if (has_scratch)
    wf_text_add(t, "    {\"scratch\", 1, 1, %" PRIu64 ", 0, scratch, 0},\n", (g->scratch_bytes + 3) / 4);
  wf_text_add(t, "};\n");
  wf_text_add(t, "static const int n_tensors = %d, output = %d;\n", op->n_tensors + has_scratch, wf_output_tensor(op));
  wf_text_add(t, "static const int lies_in = %d; // the input in whose memory the output lies; -1: it has its own\n",
              (int)e->c->in_place - 1);
}

void wf_emit_values(WfText *t, const WfEmit *e, const WfGeometry *g) {
  const WfOp *op = e->c->op;
  int on_device = wf_emit_is_large(e->c);
  uint32_t draws = 0;
  for (int k = 0; k < op->n_tensors; k++)
    if (op->tensors[k].role == WF_IN && !is_written_out(e->c, k))
      draws |= wf_emit_draws(&e->c->fill[k], e->c->dtype[k]);
  wf_text_add(t, "\n// ---- shapes and values ----\nnamespace repro {\n\n"
                 "// NaNs that no kernel computes: around tensors (of tensor t: + t), and in outputs before the launch.\n"
                 "static const uint32_t guard_bits = 0x7fc0a5a5u, poison_bits = 0x%xu;\n\n"
                 "enum Role { input, result, scratch };\n"
                 "struct Tensor {\n"
                 "  const char *name;\n"
                 "  int rank;\n"
                 "  int64_t rows, cols; // row-major; a vector has one row\n"
                 "  int64_t offset;     // of its first element from a 256-byte boundary, in elements\n"
                 "  Role role;\n"
                 "  uint32_t start; // of a result: bits before the launch\n"
                 "};\n",
              WF_PATTERN_OUTPUT);
  add_tensors(t, e, g);
  wf_emit_elements(t, e->c);
  if (draws)
    wf_text_add(t, "\n");
  wf_emit_draw(t, draws, on_device);
  for (int k = 0; k < op->n_tensors; k++)
    if (op->tensors[k].role == WF_IN && is_written_out(e->c, k))
      add_array(t, e->c, k);
    else if (op->tensors[k].role == WF_IN)
      add_function(t, e->c, k, on_device);
  add_value(t, e->c, on_device);
  wf_text_add(t, "\n} // namespace repro\n");
}
