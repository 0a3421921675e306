/* case_print.c - the canonical text of a case, and its key. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "../simt/simt.h"
#include "case.h"
#include "number.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static void print_selection(FILE *f, const WfSel *s) {
  if (s->first == 0 && s->last == INT64_MAX)
    fprintf(f, "*");
  else if (s->last == INT64_MAX)
    fprintf(f, "%" PRId64 "..*", s->first);
  else if (s->first == s->last)
    fprintf(f, "%" PRId64, s->first);
  else
    fprintf(f, "%" PRId64 "..%" PRId64, s->first, s->last);
  if (s->step != 1)
    fprintf(f, ":%" PRId64, s->step);
}

static void print_edit(FILE *f, const WfOp *op, const WfEdit *e) {
  char number[WF_NUMBER_SIZE];
  const WfTensorDesc *t = &op->tensors[e->tensor];
  fprintf(f, "%s[", t->name);
  for (int i = 0; i < t->rank; i++) {
    fprintf(f, i ? "," : "");
    print_selection(f, &e->sel[i]);
  }
  fprintf(f, "] = %s\n", wf_number_print_float(number, e->value));
}

static void print_fill(FILE *f, const WfTensorDesc *t, const WfFill *fill) {
  char scale[WF_NUMBER_SIZE], offset[WF_NUMBER_SIZE];
  if (t->role == WF_OUT && fill->base_offset_elems == 0)
    return;
  fprintf(f, "%s", t->name);
  if (t->role == WF_IN)
    fprintf(f, " %s seed=%" PRIu64 " scale=%s offset=%s", wf_dist_name(fill->dist), fill->seed,
            wf_number_print_float(scale, (float)fill->scale), wf_number_print_float(offset, (float)fill->offset));
  if (fill->base_offset_elems)
    fprintf(f, " align=%" PRIu32, fill->base_offset_elems);
  fprintf(f, "\n");
}

static void print_extents(FILE *f, const char *key, const uint32_t e[3]) {
  fprintf(f, "%s %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", key, e[0], e[1], e[2]);
}

static void print_head(FILE *f, const WfCase *c) {
  char types[WF_DTYPES_TEXT];
  fprintf(f, "warpfuzz case 1\nop %s\n", c->op->name);
  if (c->variant)
    fprintf(f, "variant %s\n", c->variant->name);
  if (c->expect) {
    fprintf(f, "expect");
    for (int i = 0; i < SIMT_CLASS_COUNT; i++)
      if (c->expect & 1u << i)
        fprintf(f, " %s", simt_class_name((SimtClass)i));
    fprintf(f, "\n");
  }
  if (wf_dtypes_text(c->op, c->dtype, types)[0])
    fprintf(f, "dtype %s\n", types);
}

static void print_case(FILE *f, const WfCase *c) {
  char number[WF_NUMBER_SIZE];
  const WfOp *op = c->op;
  print_head(f, c);
  for (int i = 0; i < op->n_dims; i++)
    fprintf(f, "%s %" PRId64 "\n", op->dims[i].name, c->dim[i]);
  for (int i = 0; i < op->n_scalars; i++)
    fprintf(f, "%s %s%s", i ? "" : "scalars", wf_number_print_double(number, c->scalar[i]),
            i == op->n_scalars - 1 ? "\n" : "");
  if (c->grid[0] != 0 || c->grid[1] != 1 || c->grid[2] != 1)
    print_extents(f, "grid", c->grid);
  print_extents(f, "block", c->block);
  fprintf(f, "schedule 0x%" PRIx64 "\n", c->schedule);
  if (c->in_place)
    fprintf(f, "in-place %s\n", op->tensors[c->in_place - 1].name);
  for (int i = 0; i < op->n_tensors; i++)
    print_fill(f, &op->tensors[i], &c->fill[i]);
  for (uint32_t i = 0; i < c->n_edits; i++)
    print_edit(f, op, &c->edits[i]);
}

/* Text in *out, malloc'ed; its length, or 0: no memory. */
static size_t print_to_memory(const WfCase *c, char **out) {
  size_t n = 0;
  *out = NULL;
  FILE *f = open_memstream(out, &n);
  if (!f)
    return 0;
  print_case(f, c);
  int failed = ferror(f);
  if (fclose(f) != 0 || failed) {
    free(*out);
    *out = NULL;
    return 0;
  }
  return n;
}

char *wf_case_print(const WfCase *c) {
  char *text;
  print_to_memory(c, &text);
  return text;
}

uint64_t wf_case_key(const WfCase *c) {
  char *text;
  size_t n = print_to_memory(c, &text);
  uint64_t key = n ? XXH64(text, n, 0) : 0;
  free(text);
  return key;
}
