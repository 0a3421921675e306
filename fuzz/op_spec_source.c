/* op_spec_source.c - an op of the user's own as C source. */
#include "op_spec.h"
#include "number.h"
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

void wf_text_add_c(WfText *t, const char *s) {
  wf_text_put(t, "\"", 1);
  for (; *s; s++) {
    if (isalnum((unsigned char)*s) || (*s != '?' && *s != '"' && *s != '\\' && *s > ' ' && *s < 127) || *s == ' ')
      wf_text_put(t, s, 1);
    else
      wf_text_add(t, "\\%03o", (unsigned)(unsigned char)*s); /* ? as well: trigraphs */
  }
  wf_text_put(t, "\"", 1);
}

/* What both functions take behind the tensors. */
static void add_rest(const WfOp *op, WfText *t) {
  for (int i = 0; i < op->n_dims; i++)
    wf_text_add(t, ", long %s", op->dims[i].name);
  for (int i = 0; i < op->n_scalars; i++)
    wf_text_add(t, ", %s %s", op->scalars[i].kind == WF_FLAG ? "int" : "double", op->scalars[i].name);
}

static void add_prototypes(const WfOpSpec *s, WfText *t) {
  const WfOp *op = &s->op;
  for (int is_bound = 0; is_bound <= (s->bound != NULL); is_bound++) {
    wf_text_add(t, "void %s(", is_bound ? s->bound : s->function);
    for (int i = 0; i < op->n_tensors; i++)
      wf_text_add(t, "%s%s *%s", i ? ", " : "",
                  op->tensors[i].role == WF_IN ? "const float" : is_bound ? "const double" : "double", op->tensors[i].name);
    if (is_bound)
      wf_text_add(t, ", double *bound");
    add_rest(op, t);
    wf_text_add(t, ");\n");
  }
}

static void add_call(const WfOpSpec *s, WfText *t, int is_bound) {
  const WfOp *op = &s->op;
  wf_text_add(t, "  %s(", is_bound ? s->bound : s->function);
  for (int i = 0; i < op->n_tensors; i++)
    if (op->tensors[i].role == WF_IN)
      wf_text_add(t, "%swf_a->in[%d]", i ? ", " : "", i);
    else
      wf_text_add(t, "%swf_out", i ? ", " : "");
  if (is_bound)
    wf_text_add(t, ", wf_bound");
  for (int i = 0; i < op->n_dims; i++)
    wf_text_add(t, ", (long)wf_a->dim[%d]", i);
  for (int i = 0; i < op->n_scalars; i++)
    wf_text_add(t, op->scalars[i].kind == WF_FLAG ? ", wf_a->scalar[%d] != 0" : ", wf_a->scalar[%d]", i);
  wf_text_add(t, ");\n");
}

/* Half an ulp of the result is for its rounding to a float. */
static void add_tolerance(const WfOpSpec *s, WfText *t) {
  char r[WF_NUMBER_SIZE], a[WF_NUMBER_SIZE];
  wf_text_add(t,
              "  for (int64_t wf_i = 0; wf_i < wf_n; wf_i++) {\n"
              "    double wf_size = __builtin_fabs(wf_out[wf_i]);\n"
              "    wf_bound[wf_i] = wf_size <= 1.7e308 ? wf_size * (%s + 0x1p-24) + %s + 0x1p-150 : 0;\n"
              "  }\n",
              wf_number_print_double(r, s->rtol), wf_number_print_double(a, s->atol));
}

/* An output starts as zeros, the bound as no room at all: elements that a function leaves out show. */
static void add_reference(const WfOpSpec *s, WfText *t) {
  const WfOp *op = &s->op;
  int out = 0;
  while (op->tensors[out].role != WF_OUT)
    out++;
  wf_text_add(t,
              "extern const WfOp wf_op_user;\n"
              "static int wf_user_reference(const WfRefArgs *wf_a, double *wf_out, double *wf_bound) {\n"
              "  int64_t wf_n = 1;\n"
              "  for (int wf_axis = 0; wf_axis < %d; wf_axis++) wf_n *= wf_extent(&wf_op_user.tensors[%d], wf_axis, wf_a->dim);\n"
              "  for (int64_t wf_i = 0; wf_i < wf_n; wf_i++) wf_out[wf_i] = wf_bound[wf_i] = 0;\n",
              op->tensors[out].rank, out);
  add_call(s, t, 0);
  if (s->bound)
    add_call(s, t, 1);
  else
    add_tolerance(s, t);
  wf_text_add(t, "  return 0;\n}\n");
}

static void add_scalars(const WfOp *op, WfText *t) {
  char digits[WF_NUMBER_SIZE];
  wf_text_add(t, "  .scalars = {");
  for (int i = 0; i < op->n_scalars; i++) {
    const WfScalarDesc *d = &op->scalars[i];
    wf_text_add(t, "{\"%s\", %d, {", d->name, (int)d->kind);
    for (int k = 0; k < d->n_usual; k++)
      wf_text_add(t, "%s%s", k ? ", " : "", wf_number_print_double(digits, d->usual[k]));
    wf_text_add(t, "%s}, %d}, ", d->n_usual ? "" : "0", d->n_usual);
  }
  wf_text_add(t, "%s},\n", op->n_scalars ? "" : "{0}");
}

static void add_op(const WfOp *op, WfText *t) {
  wf_text_add(t, "extern const WfVariant wf_user_variant[1];\nconst WfOp wf_op_user = {\n  .name = ");
  wf_text_add_c(t, op->name);
  wf_text_add(t, ",\n  .n_dims = %d, .n_tensors = %d, .n_scalars = %d,\n  .dims = {", op->n_dims, op->n_tensors, op->n_scalars);
  for (int i = 0; i < op->n_dims; i++)
    wf_text_add(t, "{\"%s\", %" PRId64 ", %" PRId64 "}, ", op->dims[i].name, op->dims[i].min, op->dims[i].fuzz_max);
  wf_text_add(t, "},\n  .tensors = {");
  for (int i = 0; i < op->n_tensors; i++) {
    const WfTensorDesc *d = &op->tensors[i];
    wf_text_add(t, "{\"%s\", %d, %d, {%d, %d}, %d, %d}, ", d->name, (int)d->role, d->rank, d->dim[0], d->dim[1], (int)d->start,
                (int)d->dtype);
  }
  wf_text_add(t, "},\n");
  add_scalars(op, t);
  if (op->requires) {
    wf_text_add(t, "  .requires = ");
    wf_text_add_c(t, op->requires);
    wf_text_add(t, ",\n");
  }
  wf_text_add(t, "  .is_bounded = 1, .reference = wf_user_reference, .variants = wf_user_variant, .n_variants = 1,\n};\n");
}

void wf_op_spec_source(const WfOpSpec *s, const char *reference, WfText *t) {
  wf_text_add(t, "#line 1 \"what --op says\"\n");
  add_prototypes(s, t);
  wf_text_add(t, "#line 1 ");
  wf_text_add_c(t, s->c_file);
  wf_text_add(t, "\n%s\n#line 1 \"the op's wrapper\"\n#include \"fuzz/op.h\"\n", reference);
  add_reference(s, t);
  add_op(&s->op, t);
}
