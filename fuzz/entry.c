/* entry.c - writes the entry function of a variant, and the table of all of them. */
#include "entry.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The function's own copy of WfLaunchArgs: op.h would bring names into the user's file. The assertions tie the copies. */
static void write_args_struct(FILE *f) {
  fprintf(f,
          "struct WfLaunchArgs {\n"
          "  void *tensor[%d];\n"
          "  long long dim[%d];\n"
          "  double scalar[%d];\n"
          "  unsigned grid[3], block[3];\n"
          "  unsigned long long shared_bytes;\n"
          "  void *scratch;\n"
          "};\n",
          WF_MAX_TENSORS, WF_MAX_DIMS, WF_MAX_SCALARS);
  fprintf(f,
          "static_assert(sizeof(WfLaunchArgs) == %zu && __builtin_offsetof(WfLaunchArgs, dim) == %zu &&\n"
          "              __builtin_offsetof(WfLaunchArgs, scalar) == %zu && __builtin_offsetof(WfLaunchArgs, grid) == %zu &&\n"
          "              __builtin_offsetof(WfLaunchArgs, shared_bytes) == %zu &&\n"
          "              __builtin_offsetof(WfLaunchArgs, scratch) == %zu, \"differs from fuzz/op.h\");\n",
          sizeof(WfLaunchArgs), offsetof(WfLaunchArgs, dim), offsetof(WfLaunchArgs, scalar), offsetof(WfLaunchArgs, grid),
          offsetof(WfLaunchArgs, shared_bytes), offsetof(WfLaunchArgs, scratch));
}

static void write_name(FILE *f, const char *prefix, const WfOp *op, const WfVariant *v) {
  const char *const parts[] = {prefix, op->name, v->name};
  for (int i = 0; i < 3; i++) {
    fputs(i ? "_" : "", f);
    for (const char *p = parts[i]; *p; p++)
      fputc(isalnum((unsigned char)*p) ? *p : '_', f);
  }
}

static const char *scalar_type(const WfOp *op, int scalar) { return op->scalars[scalar].kind == WF_FLAG ? "int" : "float"; }

/* A launch statement need not mention everything in its scope. */
#define UNUSED "  [[maybe_unused]] "
static void write_scope(FILE *f, const WfOp *op, const WfVariant *v) {
  for (int i = 0; i < op->n_tensors; i++) {
    const char *type = wf_dtype_c_name(v->dtype[i]);
    fprintf(f, UNUSED "%s *%s = static_cast<%s *>(wf_a->tensor[%d]);\n", type, op->tensors[i].name, type, i);
  }
  for (int i = 0; i < op->n_dims; i++)
    fprintf(f, UNUSED "int %s = static_cast<int>(wf_a->dim[%d]);\n", op->dims[i].name, i);
  for (int i = 0; i < op->n_scalars; i++)
    fprintf(f, UNUSED "%s %s = static_cast<%s>(wf_a->scalar[%d]);\n", scalar_type(op, i), op->scalars[i].name, scalar_type(op, i), i);
  fputs(UNUSED "dim3 grid(wf_a->grid[0], wf_a->grid[1], wf_a->grid[2]);\n"
        UNUSED "dim3 block(wf_a->block[0], wf_a->block[1], wf_a->block[2]);\n"
        UNUSED "size_t shared = wf_a->shared_bytes;\n"
        UNUSED "float *scratch = static_cast<float *>(wf_a->scratch);\n"
        UNUSED "cudaStream_t stream = nullptr;\n",
        f);
}

/* Closes the stream over *text. Returns it; NULL: something could not be written. */
static char *finish(FILE *f, char **text) {
  int bad = ferror(f);
  if (fclose(f) || bad) {
    free(*text);
    return NULL;
  }
  return *text;
}

/* The file itself may have them behind another name. */
static void write_headers(FILE *f, const WfOp *op, const WfVariant *v) {
  uint32_t written = 0;
  for (int i = 0; i < op->n_tensors; i++) {
    WfDtype t = v->dtype[i];
    if (wf_dtype_header(t) && !(written >> t & 1))
      fprintf(f, "#include <%s>\n", wf_dtype_header(t));
    written |= 1u << t;
  }
}

char *wf_entry_source(const WfOp *op, const WfVariant *v, const char *statement_name) {
  char *text = NULL;
  size_t size = 0;
  FILE *f = open_memstream(&text, &size);
  if (!f)
    return NULL;
  fprintf(f, "\n#line 1 \"entry of %s/%s\"\n", op->name, v->name);
  write_headers(f, op, v);
  write_args_struct(f);
  fputs("extern \"C\" void ", f);
  write_name(f, "wf_entry", op, v);
  fputs("(const WfLaunchArgs *wf_a) {\n", f);
  write_scope(f, op, v);
  if (statement_name)
    fprintf(f, "#line 1 \"%s\"\n%s\n;\n}\n", statement_name, v->launch);
  else
    fprintf(f, "  %s;\n}\n", v->launch);
  return finish(f, &text);
}

/* ---- the table of all entries, by flavor ---- */

typedef struct Row {
  const WfOp *op;
  const WfVariant *v;
} Row;

static int by_name(const void *a, const void *b) {
  const Row *x = a, *y = b;
  int order = strcmp(x->op->name, y->op->name);
  return order ? order : strcmp(x->v->name, y->v->name);
}

/* All variants, in order; *n of them. NULL: no memory. */
static Row *all_rows(size_t *n) {
  *n = 0;
  for (const WfOp *const *op = wf_ops; *op; op++)
    *n += (*op)->n_variants;
  Row *rows = malloc((*n + 1) * sizeof *rows);
  size_t i = 0;
  for (const WfOp *const *op = wf_ops; rows && *op; op++)
    for (size_t k = 0; k < (*op)->n_variants; k++)
      rows[i++] = (Row){*op, &(*op)->variants[k]};
  if (rows)
    qsort(rows, *n, sizeof *rows, by_name);
  return rows;
}

static void write_entry(FILE *f, WfGpuFlavor flavor, const Row *row) {
  char prefix[64];
  snprintf(prefix, sizeof prefix, "wf_gpu_%s", wf_gpu_flavor_name(flavor));
  write_name(f, prefix, row->op, row->v);
}

static void write_row(FILE *f, const Row *row, const WfGpuFlavor *flavors, size_t n_flavors) {
  fprintf(f, "  {\"%s\", \"%s\", {", row->op->name, row->v->name);
  for (size_t k = 0; k < n_flavors; k++) {
    fprintf(f, "%s[%d] = ", k ? ", " : "", (int)flavors[k]);
    write_entry(f, flavors[k], row);
  }
  fputs("}},\n", f);
}

char *wf_entry_table(const WfGpuFlavor *flavors, size_t n_flavors) {
  char *text = NULL;
  size_t size = 0, n;
  Row *rows = all_rows(&n);
  FILE *f = rows ? open_memstream(&text, &size) : NULL;
  if (!f) {
    free(rows);
    return NULL;
  }
  fputs("/* Written by wf-entry. */\n#include \"gpu/table.h\"\n", f);
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < n_flavors; k++) {
      fputs("WfEntry ", f);
      write_entry(f, flavors[k], &rows[i]);
      fputs(";\n", f);
    }
  fputs("const WfGpuTableRow wf_gpu_table[] = {\n", f);
  for (size_t i = 0; i < n; i++)
    write_row(f, &rows[i], flavors, n_flavors);
  fprintf(f, "};\nconst size_t wf_gpu_table_rows = %zu;\n", n);
  free(rows);
  return finish(f, &text);
}
